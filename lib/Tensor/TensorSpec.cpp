//===- TensorSpec.cpp - tensors written on a command line -----------------===//

#include "NPU/Tensor/HostTensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace npu::runtime;

/// Limit on what a specification may allocate without a file behind it, in bytes.
static constexpr int64_t maxSpecBytes = int64_t(1) << 36;

Expected<ElementType> npu::runtime::parseTensorType(StringRef spec,
                                                    SmallVectorImpl<int64_t> &shape) {
  StringRef text = spec.trim();
  StringRef rest = text;
  while (!rest.empty() && isDigit(rest.front())) {
    int64_t extent;
    if (rest.consumeInteger(10, extent) || !rest.consume_front("x"))
      return createStringError("expected a tensor type such as '4x4xf32' but found '" + text + "'");
    shape.push_back(extent);
  }
  // IREE may spell the sign of an integer; elements have none.
  StringRef name = rest;
  if (name.starts_with("si") || name.starts_with("ui"))
    name = name.drop_front();
  std::optional<ElementType> type = parseElementType(name);
  if (!type)
    return createStringError(
        "expected an element type (i1, i8, i16, i32, i64, f16, bf16, f32 or f64) but found '" +
        rest + "' in '" + text + "'");
  std::optional<int64_t> count = countElements(shape, *type);
  if (!count || *count * getElementByteSize(*type) > maxSpecBytes)
    return createStringError("tensor '" + text + "' is too large");
  return *type;
}

/// Zeros of the type that `spec` names.
static Expected<HostTensor> makeZeros(StringRef spec) {
  SmallVector<int64_t> shape;
  Expected<ElementType> type = parseTensorType(spec, shape);
  if (!type)
    return type.takeError();
  return HostTensor(*type, shape);
}

static Error invalidValue(StringRef text, ElementType type) {
  return createStringError("expected a value of type " + getElementTypeName(type) + " but found '" +
                           text + "'");
}

static Error parseElement(HostTensor &tensor, int64_t index, StringRef text) {
  ElementType type = tensor.getElementType();
  if (isFloat(type)) {
    APFloat value(APFloat::IEEEdouble());
    Expected<APFloat::opStatus> status =
        value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      return invalidValue(text, type);
    }
    tensor.setFloat(index, value.convertToDouble());
    return Error::success();
  }
  if (type == ElementType::I1 && (text == "true" || text == "false")) {
    tensor.setInt(index, text == "true");
    return Error::success();
  }
  // Signed and unsigned spellings are both fine, as elements carry no sign.
  bool negative = text.consume_front("-");
  uint64_t magnitude;
  unsigned bits = type == ElementType::I1 ? 1 : getElementByteSize(type) * 8;
  if (text.getAsInteger(0, magnitude))
    return invalidValue(text, type);
  uint64_t limit = negative ? uint64_t(1) << (bits - 1) : maxUIntN(bits);
  if (magnitude > limit)
    return createStringError("value " + Twine(negative ? "-" : "") + text + " does not fit type " +
                             getElementTypeName(type));
  tensor.setInt(index, static_cast<int64_t>(negative ? -magnitude : magnitude));
  return Error::success();
}

static Error parseElements(HostTensor &tensor, StringRef text) {
  SmallVector<StringRef> values;
  while (true) {
    text = text.ltrim(" \t\n,[]");
    if (text.empty())
      break;
    values.push_back(text.take_front(text.find_first_of(" \t\n,[]")));
    text = text.drop_front(values.back().size());
  }
  int64_t count = tensor.getNumElements();
  if (values.size() == 1) {
    if (count == 0)
      return Error::success();
    if (Error error = parseElement(tensor, 0, values.front()))
      return error;
    // An i64 splat must not pass through a double.
    for (int64_t i = 1; i < count; ++i)
      isFloat(tensor.getElementType()) ? tensor.setFloat(i, tensor.getFloat(0))
                                       : tensor.setInt(i, tensor.getInt(0));
    return Error::success();
  }
  if (static_cast<int64_t>(values.size()) != count)
    return createStringError("expected 1 or " + Twine(count) + " values for " +
                             tensor.getTypeString() + " but found " + Twine(values.size()));
  for (int64_t i = 0; i < count; ++i)
    if (Error error = parseElement(tensor, i, values[i]))
      return error;
  return Error::success();
}

/// Parses "<name>(<seed>)"; false if `text` is not a call of `name`.
static Expected<bool> parseSeed(StringRef text, StringRef name, uint64_t &seed) {
  if (!text.consume_front(name))
    return false;
  text = text.trim();
  if (!text.consume_front("(") || !text.consume_back(")") || text.trim().getAsInteger(0, seed))
    return createStringError("expected '" + name + "(<seed>)' with an unsigned integer seed");
  return true;
}

Expected<HostTensor> npu::runtime::parseTensor(StringRef spec, TensorParseOptions options) {
  StringRef text = spec.trim();
  auto [typeText, valueText] = text.split('=');
  Expected<HostTensor> tensor = makeZeros(typeText);
  if (!tensor || !text.contains('='))
    return tensor;

  valueText = valueText.trim();
  uint64_t seed;
  Expected<bool> isRandom = parseSeed(valueText, "random", seed);
  if (!isRandom)
    return isRandom.takeError();
  if (*isRandom) {
    tensor->fillRandom(seed, options.fanIn);
    return tensor;
  }
  Expected<bool> isSmallInts = parseSeed(valueText, "smallints", seed);
  if (!isSmallInts)
    return isSmallInts.takeError();
  if (*isSmallInts) {
    tensor->fillSmallInts(seed);
    return tensor;
  }
  if (Error error = parseElements(*tensor, valueText))
    return std::move(error);
  return tensor;
}
