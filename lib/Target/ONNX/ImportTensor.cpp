//===- ImportTensor.cpp - TensorProto to attributes -----------------------===//

#include "ImportTensor.h"

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Dialect/ONNX/Specs/Node.h"
#include "NPU/Target/ONNX/TensorFields.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu;
using onnx::TensorProto;

/// Smaller tensors are part of the IR's text, where they can be read.
static constexpr int64_t maxInlineBytes = 1024;

Type npu::getElementType(int32_t dataType, MLIRContext *context) {
  auto integer = [&](unsigned width, bool isUnsigned = false) {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (dataType) {
  case TensorProto::BOOL:
    return integer(1);
  case TensorProto::INT8:
    return integer(8);
  case TensorProto::UINT8:
    return integer(8, true);
  case TensorProto::INT16:
    return integer(16);
  case TensorProto::UINT16:
    return integer(16, true);
  case TensorProto::INT32:
    return integer(32);
  case TensorProto::UINT32:
    return integer(32, true);
  case TensorProto::INT64:
    return integer(64);
  case TensorProto::UINT64:
    return integer(64, true);
  case TensorProto::FLOAT16:
    return Float16Type::get(context);
  case TensorProto::BFLOAT16:
    return BFloat16Type::get(context);
  case TensorProto::FLOAT:
    return Float32Type::get(context);
  case TensorProto::DOUBLE:
    return Float64Type::get(context);
  case TensorProto::COMPLEX64:
    return ComplexType::get(Float32Type::get(context));
  case TensorProto::COMPLEX128:
    return ComplexType::get(Float64Type::get(context));
  case TensorProto::STRING:
    return onnx_ir::StringType::get(context);
  default:
    return {};
  }
}

std::string npu::getDataTypeName(int32_t dataType) {
  return TensorProto::DataType_IsValid(dataType) ? TensorProto::DataType_Name(dataType)
                                                 : "data type " + std::to_string(dataType);
}

ElementsAttr TensorImporter::makeElements(RankedTensorType type, ArrayRef<char> bytes,
                                          StringRef name, std::shared_ptr<const void> keptAlive) {
  if (type.getElementType().isInteger(1)) {
    auto values = map_to_vector(bytes, [](char byte) { return byte != 0; });
    return DenseElementsAttr::get(type, ArrayRef<bool>(values.data(), values.size()));
  }
  if (int64_t(bytes.size()) <= maxInlineBytes)
    return type.getNumElements() == 0 ? DenseElementsAttr::get(type, ArrayRef<Attribute>())
                                      : DenseElementsAttr::getFromRawBuffer(type, bytes);
  // Files may have tensors at any offset. Nothing relies on more alignment than the blob says.
  size_t width = type.getElementTypeBitWidth() / 8;
  bool isAligned = reinterpret_cast<uintptr_t>(bytes.data()) % width == 0;
  AsmResourceBlob blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      bytes, isAligned ? width : 1, [keptAlive = std::move(keptAlive)](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

llvm::Expected<ArrayRef<char>> TensorImporter::getExternalBytes(const TensorProto &tensor,
                                                                int64_t expectedBytes,
                                                                ExternalData::File &file) {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    uint64_t number = 0;
    bool isNumber = entry.key() == "offset" || entry.key() == "length";
    if (isNumber && StringRef(entry.value()).getAsInteger(10, number))
      return llvm::createStringError("expected external data to have a number as " + entry.key() +
                                     ", found '" + entry.value() + "'");
    if (entry.key() == "location")
      location = entry.value();
    else if (entry.key() == "offset")
      offset = number;
    else if (entry.key() == "length")
      length = number;
  }
  llvm::Expected<ExternalData::File> opened = externalData.open(location);
  if (!opened)
    return opened.takeError();
  file = *opened;
  uint64_t size = file->size();
  if (length.value_or(expectedBytes) != uint64_t(expectedBytes))
    return createStringError("external data '" + location + "': expected " + Twine(expectedBytes) +
                             " bytes for the tensor's shape and type, found length " +
                             Twine(*length));
  if (offset > size || uint64_t(expectedBytes) > size - offset)
    return createStringError("external data '" + location + "': expected " + Twine(expectedBytes) +
                             " bytes from offset " + Twine(offset) + " on, found a file of " +
                             Twine(size) + " bytes");
  return ArrayRef<char>(expectedBytes ? file->const_data() + offset : nullptr, expectedBytes);
}

llvm::Expected<ElementsAttr> TensorImporter::import(const TensorProto &tensor, StringRef name,
                                                    bool mustCopy) {
  Type elementType = getElementType(tensor.data_type(), context);
  if (!elementType || isa<ComplexType>(elementType))
    return llvm::createStringError(
        "expected a tensor of numbers, Booleans or strings, found one of " +
        getDataTypeName(tensor.data_type()));
  SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  if (!onnx_ir::isAddressable(shape))
    return llvm::createStringError(
        "expected a tensor of at most 2^37 elements in 32 dimensions, found a "
        "larger shape or a negative size");
  auto type = RankedTensorType::get(shape, elementType);
  int64_t count = type.getNumElements();
  if (tensor.has_segment())
    return llvm::createStringError("expected a whole tensor, found a segment of one");
  if (isa<onnx_ir::StringType>(elementType)) {
    if (tensor.string_data_size() != count)
      return createStringError("expected " + Twine(count) + " strings, found " +
                               Twine(tensor.string_data_size()));
    SmallVector<StringRef> strings(tensor.string_data().begin(), tensor.string_data().end());
    return ElementsAttr(
        cast<ElementsAttr>(cast<Attribute>(DenseStringElementsAttr::get(type, strings))));
  }
  int64_t size = (elementType.getIntOrFloatBitWidth() + 7) / 8;
  std::shared_ptr<const void> keptAlive = owner;
  ArrayRef<char> bytes;
  std::shared_ptr<std::vector<char>> copy;
  if (tensor.data_location() == TensorProto::EXTERNAL || tensor.external_data_size() != 0) {
    ExternalData::File file;
    llvm::Expected<ArrayRef<char>> external = getExternalBytes(tensor, count * size, file);
    if (!external)
      return external.takeError();
    bytes = *external;
    keptAlive = file;
    mustCopy = false; // the file stays mapped
  } else if (tensor.has_raw_data()) {
    bytes = ArrayRef<char>(tensor.raw_data().data(), tensor.raw_data().size());
    if (int64_t(bytes.size()) != count * size)
      return createStringError("expected " + Twine(count * size) + " bytes of data, found " +
                               Twine(bytes.size()));
  } else {
    copy = std::make_shared<std::vector<char>>(readTensorField(tensor));
    bytes = *copy;
    if (int64_t(bytes.size()) != count * size)
      return createStringError("expected " + Twine(count) + " elements, found " +
                               Twine(bytes.size() / size));
    keptAlive = copy;
    mustCopy = false;
  }
  if (mustCopy && int64_t(bytes.size()) > maxInlineBytes) {
    copy = std::make_shared<std::vector<char>>(bytes.begin(), bytes.end());
    bytes = *copy;
    keptAlive = copy;
  }
  return makeElements(type, bytes, name, std::move(keptAlive));
}
