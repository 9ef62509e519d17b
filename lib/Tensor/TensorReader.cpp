//===- TensorReader.cpp - tensors as iree-run-module's options give them --===//

#include "NPU/Tensor/TensorReader.h"

#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Tensor/Parameters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace npu::runtime;

bool npu::runtime::isRawFileName(StringRef path) {
  StringRef ending = sys::path::extension(path);
  return ending.empty() || ending == ".bin" || ending == ".raw" || ending == ".dat";
}

static Error makeEndingError(StringRef path) {
  return createStringError("expected a file that ends in .npy, .pb, .npz[key] or, for raw bytes, "
                           ".bin, found '" +
                           path + "'");
}

static Error withPath(StringRef path, Error error) {
  return createStringError("'" + path + "': " + toString(std::move(error)));
}

Expected<TensorReader::File *> TensorReader::open(StringRef path, bool isContinued) {
  File &file = files[path];
  if (!file.contents) {
    InputOptions options;
    options.needsTerminator = false;
    Expected<std::unique_ptr<MemoryBuffer>> buffer = readInput(path, options);
    if (!buffer) {
      files.erase(path);
      return createStringError("cannot read '" + path + "': " + toString(buffer.takeError()));
    }
    file.contents = std::move(*buffer);
    protectInput(path, /*isReplaceable=*/true);
  }
  if (!isContinued)
    file.position = 0;
  return &file;
}

/// The next array of a .npy file.
Expected<HostTensor> TensorReader::readArray(StringRef path, File &file) {
  StringRef rest = file.contents->getBuffer().drop_front(file.position);
  if (rest.empty() && file.position != 0)
    return createStringError("'" + path + "' has no more arrays");
  Expected<HostTensor> tensor = decodeNextNpy(rest);
  if (!tensor)
    return withPath(path, tensor.takeError());
  file.position = file.contents->getBufferSize() - rest.size();
  return tensor;
}

/// A file that knows the type of its contents, except for arrays of archives.
Expected<HostTensor> TensorReader::readFile(StringRef path, bool isContinued, const Type *type) {
  if (path.ends_with("]") && path.contains(".npz[")) {
    auto [archivePath, key] = path.drop_back().rsplit('[');
    if (!type)
      return createStringError("the type of '" + path + "' must be given");
    Expected<std::unique_ptr<ParameterArchive>> archive = ParameterArchive::open(archivePath);
    if (!archive)
      return archive.takeError();
    if (!(*archive)->contains(key))
      return createStringError("'" + archivePath + "' has no array '" + key + "'");
    Expected<HostTensor> tensor = (*archive)->load(key, type->elementType, type->shape);
    if (!tensor)
      return withPath(archivePath, tensor.takeError());
    return tensor;
  }
  bool isOnnx = path.ends_with(".pb");
  if (!isOnnx && !path.ends_with(".npy") && isRawFileName(path))
    return createStringError("the type of '" + path + "' is unknown; write '<shape>x<type>=@" +
                             path + "'");
  if (!isOnnx && !path.ends_with(".npy"))
    return makeEndingError(path);
  if (isOnnx && isContinued)
    return createStringError("'" + path + "' holds one tensor only; write '@" + path + "'");
  Expected<File *> file = open(path, isContinued);
  if (!file)
    return file.takeError();
  if (!isOnnx)
    return readArray(path, **file);
  Expected<HostTensor> tensor = decodeOnnxTensor((*file)->contents->getBuffer());
  if (!tensor)
    return withPath(path, tensor.takeError());
  // NumPy has no bf16, so ONNX's tests store the bits as uint16.
  if (type && type->elementType == ElementType::BF16 &&
      tensor->getElementType() == ElementType::I16)
    return tensor->bitcast(ElementType::BF16, tensor->getShape());
  return tensor;
}

/// The bytes of a tensor of `type`; several may follow each other in a file.
Expected<HostTensor> TensorReader::readRaw(StringRef path, bool isContinued, const Type &type) {
  if (!isRawFileName(path))
    return makeEndingError(path);
  Expected<File *> opened = open(path, isContinued);
  if (!opened)
    return opened.takeError();
  File &file = **opened;
  StringRef rest = file.contents->getBuffer().drop_front(file.position);
  uint64_t bytes = countElements(type.shape, type.elementType).value_or(0) *
                   getElementByteSize(type.elementType);
  if (rest.size() < bytes)
    return createStringError("'" + path + "': expected " + Twine(bytes) +
                             " bytes of data but found " + Twine(rest.size()));
  file.position += bytes;
  rest = rest.take_front(bytes);
  return HostTensor::create(type.elementType, type.shape,
                            std::vector<uint8_t>(rest.bytes_begin(), rest.bytes_end()));
}

static Error mismatch(const TensorReader::Type &expected, ElementType elementType,
                      ArrayRef<int64_t> shape) {
  return createStringError("expected a " + getTypeString(expected.elementType, expected.shape) +
                           " but found a " + getTypeString(elementType, shape));
}

/// Whether `text` is `+file`; "+1" and "+.5" are numbers.
static bool isContinuation(StringRef text) {
  if (!text.consume_front("+"))
    return false;
  text.consume_front(".");
  return text.empty() || !isDigit(text.front());
}

Expected<SmallVector<HostTensor>> TensorReader::read(StringRef specification, const Type *type) {
  auto single = [](Expected<HostTensor> tensor) -> Expected<SmallVector<HostTensor>> {
    if (!tensor)
      return tensor.takeError();
    return SmallVector<HostTensor>{std::move(*tensor)};
  };
  StringRef text = specification.trim();
  if (text.consume_front("@"))
    return single(readFile(text, /*isContinued=*/false, type));
  if (isContinuation(text))
    return single(readFile(text.drop_front(), /*isContinued=*/true, type));
  if (text.consume_front("*")) {
    if (!text.ends_with(".npy"))
      return createStringError("expected a .npy file after '*' but found '" + text + "'");
    Expected<File *> file = open(text, /*isContinued=*/true);
    if (!file)
      return file.takeError();
    SmallVector<HostTensor> tensors;
    do {
      Expected<HostTensor> tensor = readArray(text, **file);
      if (!tensor)
        return tensor.takeError();
      tensors.push_back(std::move(*tensor));
    } while ((*file)->position < (*file)->contents->getBufferSize());
    return tensors;
  }

  // A value without a type: "4" is, "4xf32" and "f32" are not.
  SmallVector<int64_t> ignored;
  bool isValue = !text.contains('=') && errorToBool(parseTensorType(text, ignored).takeError());
  if (text == "(null)" || text.starts_with("&"))
    return createStringError("expected a tensor but found '" + text +
                             "': models take and return tensors only");
  if (isValue && type)
    return single(parseTensor(getTypeString(type->elementType, type->shape) + "=" + text.str(),
                              {type->shape.size() < 2 ? 1 : type->shape.back()}));

  auto [typeText, valueText] = text.split('=');
  SmallVector<int64_t> shape;
  Expected<ElementType> elementType = parseTensorType(typeText, shape);
  if (!elementType)
    return elementType.takeError();
  // Before anything of a wrong size is allocated.
  if (type && (type->elementType != *elementType || type->shape != ArrayRef(shape)))
    return mismatch(*type, *elementType, shape);
  valueText = valueText.trim();
  bool isContinued = isContinuation(valueText);
  if (!isContinued && !valueText.starts_with("@"))
    return single(parseTensor(text));
  StringRef path = valueText.drop_front();
  Type wanted{*elementType, shape};
  if (!path.ends_with(".npy") && !path.ends_with(".pb") && !path.ends_with("]"))
    return single(readRaw(path, isContinued, wanted));
  Expected<HostTensor> tensor = readFile(path, isContinued, &wanted);
  if (tensor && (tensor->getElementType() != *elementType || tensor->getShape() != ArrayRef(shape)))
    return withPath(path, mismatch(wanted, tensor->getElementType(), tensor->getShape()));
  return single(std::move(tensor));
}
