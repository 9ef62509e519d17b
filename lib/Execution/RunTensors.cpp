//===- RunTensors.cpp - a run's inputs and what is expected of its outputs ===//

#include "NPU/Execution/RunTensors.h"

#include "NPU/Tensor/TensorReader.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu::runtime;

char UsageError::ID = 0;

void UsageError::log(raw_ostream &os) const { os << message; }

std::error_code UsageError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error npu::runtime::checkMemory(ArrayRef<HostTensorType> types, int64_t memoryLimit) {
  double bytes = 0; // cannot overflow, and is only compared
  for (const HostTensorType &type : types)
    bytes += double(countElements(type.shape, type.elementType).value_or(0)) *
             getElementByteSize(type.elementType);
  if (bytes <= double(memoryLimit))
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("the tensors need {0:F0} bytes of memory, more than "
                    "the limit of {1}; use smaller shapes or a larger --memory-limit",
                    bytes, memoryLimit)
          .str());
}

bool npu::runtime::areForAllInputs(ArrayRef<std::string> specifications) {
  auto isRandom = [](StringRef text) {
    return text.starts_with("random(") || text.starts_with("smallints(");
  };
  return specifications.empty() || (specifications.size() == 1 && isRandom(specifications[0]));
}

/// `specifications` are `found` tensors for `types`.
static llvm::Error checkCount(StringRef what, size_t expected, size_t found) {
  if (expected == found)
    return llvm::Error::success();
  std::string message = llvm::formatv(what.data(), expected, found);
  if (found > expected)
    return llvm::make_error<UsageError>(std::move(message));
  return llvm::createStringError(message);
}

/// The type that a specification starts with, as in `4x8xf32=1`.
static std::optional<HostTensorType> getStatedType(StringRef specification) {
  SmallVector<int64_t> shape;
  llvm::Expected<ElementType> elementType =
      parseTensorType(specification.split('=').first.trim(), shape);
  if (elementType)
    return HostTensorType{*elementType, shape};
  consumeError(elementType.takeError());
  return std::nullopt;
}

llvm::Expected<SmallVector<HostTensor>>
npu::runtime::readInputs(ArrayRef<std::string> specifications,
                         ArrayRef<std::optional<HostTensorType>> types, int64_t memoryLimit) {
  SmallVector<HostTensorType> known;
  for (auto [number, type] : enumerate(types))
    if (std::optional<HostTensorType> stated =
            type || number >= specifications.size() ? type : getStatedType(specifications[number]))
      known.push_back(*stated);
  if (llvm::Error error = checkMemory(known, memoryLimit))
    return std::move(error);
  constexpr StringLiteral counts("expected {0} inputs of the function, found {1}");
  // How many arrays a file has is known when it has been read.
  bool isCountKnown = none_of(specifications, [](StringRef text) { return text.starts_with("*"); });
  if (isCountKnown)
    if (llvm::Error error = checkCount(counts, types.size(), specifications.size()))
      return std::move(error);
  TensorReader reader;
  SmallVector<HostTensor> inputs;
  for (const std::string &specification : specifications) {
    if (inputs.size() >= types.size())
      return checkCount(counts, types.size(), inputs.size() + 1);
    std::optional<TensorReader::Type> type;
    if (const std::optional<HostTensorType> &known = types[inputs.size()])
      type = {known->elementType, known->shape};
    llvm::Expected<SmallVector<HostTensor>> read =
        reader.read(specification, type ? &*type : nullptr);
    if (!read)
      return createStringError("input " + Twine(inputs.size()) + ": " + toString(read.takeError()));
    append_range(inputs, *read);
  }
  if (llvm::Error error = checkCount(counts, types.size(), inputs.size()))
    return std::move(error);
  return inputs;
}

llvm::Expected<SmallVector<HostTensor>>
npu::runtime::makeInputs(ArrayRef<std::string> specifications, ArrayRef<HostTensorType> types,
                         int64_t memoryLimit) {
  if (specifications.empty()) {
    // Who runs a small file does not expect it to fill the memory with numbers.
    constexpr int64_t maxUnaskedBytes = int64_t(1) << 32;
    if (llvm::Error error = checkMemory(types, memoryLimit))
      return std::move(error);
    if (llvm::Error error = checkMemory(types, maxUnaskedBytes)) {
      consumeError(std::move(error));
      return createStringError("the inputs need more than the " + Twine(maxUnaskedBytes) +
                               " bytes that are filled unasked; give them with --input, or all "
                               "with --input=random(0)");
    }
  }
  SmallVector<std::string> perInput(specifications);
  if (areForAllInputs(specifications)) {
    StringRef text = specifications.empty() ? "random(0)" : StringRef(specifications[0]).trim();
    auto [kind, seedText] = text.split('(');
    uint64_t seed;
    if (!seedText.consume_back(")") || seedText.getAsInteger(10, seed))
      return createStringError("expected random(seed) or smallints(seed), found '" + text + "'");
    perInput.clear();
    for (size_t number = 0; number < types.size(); ++number)
      perInput.push_back(formatv("{0}({1})", kind, seed + number));
  }

  llvm::Expected<SmallVector<HostTensor>> inputs =
      readInputs(perInput, SmallVector<std::optional<HostTensorType>>(types.begin(), types.end()),
                 memoryLimit);
  if (!inputs)
    return inputs.takeError();
  for (auto [number, type] : enumerate(types))
    if (!type.matches((*inputs)[number]))
      return llvm::createStringError(llvm::formatv("input {0}: expected a {1} but found a {2}",
                                                   number, type.str(),
                                                   (*inputs)[number].getTypeString())
                                         .str());
  return inputs;
}

Tolerance ExpectedTolerance::get(ElementType type) const {
  Tolerance tolerance;
  // What is asked for explicitly may be anything, such as all zeros.
  tolerance.allowDegenerate = true;
  if (isExact || !isFloat(type))
    return tolerance;
  tolerance.absolute = type == ElementType::F16    ? f16
                       : type == ElementType::BF16 ? bf16
                       : type == ElementType::F32  ? f32
                                                   : f64;
  tolerance.relative = relative;
  tolerance.ulps = type == ElementType::BF16 ? bf16Ulps : 0;
  return tolerance;
}

/// Whether an output of `type` may be `tensor`, which may be shorter along `dimension`.
static bool mayBe(const HostTensorType &type, const HostTensor &tensor,
                  std::optional<unsigned> dimension) {
  if (!dimension)
    return type.matches(tensor);
  HostTensorType shorter{type.elementType, SmallVector<int64_t>(tensor.getShape())};
  bool fits = shorter.shape.size() == type.shape.size() && *dimension < type.shape.size() &&
              shorter.shape[*dimension] <= type.shape[*dimension];
  if (fits)
    shorter.shape[*dimension] = type.shape[*dimension];
  return fits && shorter.shape == type.shape && type.elementType == tensor.getElementType();
}

llvm::Expected<SmallVector<std::optional<HostTensor>>>
npu::runtime::readExpectedOutputs(ArrayRef<std::string> specifications,
                                  ArrayRef<HostTensorType> types, ArrayRef<ResultLength> lengths) {
  // Counts come behind what they count.
  size_t count = types.size();
  std::vector<std::optional<unsigned>> dimensions(types.size());
  for (const ResultLength &length : lengths) {
    count = std::min<size_t>(count, length.count);
    dimensions[length.result] = length.dimension;
  }
  SmallVector<std::optional<HostTensor>> outputs;
  if (specifications.empty()) {
    outputs.resize(types.size());
    return outputs;
  }
  constexpr StringLiteral counts("expected --expected_output for {0} outputs, found {1}");
  TensorReader reader;
  for (const std::string &specification : specifications) {
    if (outputs.size() >= count)
      return checkCount(counts, count, outputs.size() + 1);
    if (StringRef(specification).trim() == "(ignored)") {
      outputs.push_back(std::nullopt);
      continue;
    }
    TensorReader::Type type{types[outputs.size()].elementType, types[outputs.size()].shape};
    // What may be shorter says how long it is.
    bool hasLength = dimensions[outputs.size()].has_value();
    llvm::Expected<SmallVector<HostTensor>> read =
        reader.read(specification, hasLength ? nullptr : &type);
    if (!read)
      return createStringError("expected output " + Twine(outputs.size()) + ": " +
                               toString(read.takeError()));
    append_range(outputs, *read);
  }
  if (llvm::Error error = checkCount(counts, count, outputs.size()))
    return std::move(error);
  outputs.resize(types.size());
  for (auto [number, type] : enumerate(types))
    if (outputs[number] && !mayBe(type, *outputs[number], dimensions[number]))
      return llvm::createStringError(
          llvm::formatv("expected output {0}: expected a {1}{2} but found a {3}", number,
                        type.str(), dimensions[number] ? " or a shorter one" : "",
                        outputs[number]->getTypeString())
              .str());
  return outputs;
}
