//===- Constants.cpp - other constants of the same elements ---------------===//

#include "NPU/Dialect/ONNX/Specs/Constants.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace mlir;
using namespace npu::onnx_ir;

/// The bytes of a constant that is in memory.
static ArrayRef<char> getBytes(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.getRawData();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}

/// A constant of these bytes. As of files: what is short is part of the IR's text.
static ElementsAttr makeConstant(RankedTensorType type, StringRef name, AsmResourceBlob blob) {
  constexpr size_t maxInlineBytes = 1024;
  if (blob.getData().size() <= maxInlineBytes)
    return DenseElementsAttr::getFromRawBuffer(type, blob.getData());
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

TypedAttr npu::onnx_ir::gatherConstant(ElementsAttr value, ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> strides, int64_t base) {
  RankedTensorType type = cast<RankedTensorType>(value.getType()).clone(shape);
  unsigned width = type.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<char> source = getBytes(value);
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && dense.isSplat())
    strides = {}, base = 0;
  else if (width == 0 || int64_t(source.size()) != value.getNumElements() * width)
    return {};
  if (width == 0)
    return {};
  std::vector<char> bytes(type.getNumElements() * width);
  SmallVector<int64_t> position(shape.size()), steps(strides);
  steps.resize(shape.size(), 0);
  int64_t offset = base;
  for (size_t target = 0; target < bytes.size(); target += width) {
    std::memcpy(&bytes[target], source.data() + offset * width, width);
    for (unsigned loop = shape.size(); loop-- > 0;) {
      offset += steps[loop];
      if (++position[loop] < shape[loop])
        break;
      offset -= steps[loop] * shape[loop];
      position[loop] = 0;
    }
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

namespace {
/// The inputs of a DequantizeLinear. Scales and zero points lie along the middle one of three
/// dimensions; there is one of each for the whole tensor if that has one place.
struct Quantized {
  ArrayRef<char> elements;
  bool isSplat;
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  int64_t outer, places, inner;
};
} // namespace

static void write(float value, FloatType type, char *target) {
  if (type.isF32()) {
    std::memcpy(target, &value, sizeof(value));
    return;
  }
  APFloat narrow(value);
  bool losesInfo;
  narrow.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  uint64_t bits = narrow.bitcastToAPInt().getZExtValue();
  std::memcpy(target, &bits, type.getWidth() / 8);
}

/// The machines that this runs on are little-endian, as ONNX's files are.
template <typename Source>
static void dequantize(const Quantized &quantized, FloatType type, MutableArrayRef<char> results) {
  unsigned width = type.getWidth() / 8;
  char *target = results.data();
  int64_t next = 0;
  for (int64_t outer = 0; outer < quantized.outer; ++outer)
    for (int64_t place = 0; place < quantized.places; ++place) {
      auto scale = float(quantized.scales[place]);
      auto zeroPoint = uint32_t(quantized.zeroPoints[place]);
      for (int64_t inner = 0; inner < quantized.inner; ++inner, ++next, target += width) {
        Source element;
        const char *source = quantized.elements.data();
        std::memcpy(&element, source + (quantized.isSplat ? 0 : next * sizeof(Source)),
                    sizeof(element));
        auto difference = int32_t(uint32_t(int32_t(element)) - zeroPoint);
        write(float(difference) * scale, type, target);
      }
    }
}

/// What `dequantize` is called with; nothing if it cannot be.
static std::optional<Quantized> getQuantized(Node &node, int64_t width) {
  ElementsAttr value = node.getConstant(0);
  std::optional<SmallVector<double>> scales = node.getConstantFloats(1);
  std::optional<SmallVector<int64_t>> zeroPoints = node.getConstantInts(2);
  if (!value || !scales || scales->empty() || (node.hasInput(2) && !zeroPoints))
    return std::nullopt;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  int64_t count = value.getNumElements();
  Quantized quantized{getBytes(value), dense && dense.isSplat(), *scales, {}, 1, 1, count};
  if (int64_t(quantized.elements.size()) != (quantized.isSplat ? 1 : count) * width)
    return std::nullopt;
  quantized.zeroPoints =
      zeroPoints ? *zeroPoints : SmallVector<int64_t>(quantized.scales.size(), 0);
  if (quantized.scales.size() == 1)
    return quantized;
  ArrayRef<int64_t> shape = node.getShape(0);
  int64_t axis = *node.normalizeAxis(node.getInt("axis", 1), shape.size());
  quantized.outer = llvm::product_of(shape.take_front(axis), int64_t(1));
  quantized.places = shape[axis];
  quantized.inner = llvm::product_of(shape.drop_front(axis + 1), int64_t(1));
  return quantized;
}

ElementsAttr npu::onnx_ir::dequantizeConstant(Node &node) {
  auto source = cast<IntegerType>(node.getElementType(0));
  std::optional<Quantized> quantized = getQuantized(node, source.getWidth() / 8);
  if (!quantized)
    return {};
  RankedTensorType type = node.getOutputType(0);
  auto elementType = cast<FloatType>(type.getElementType());
  unsigned width = elementType.getWidth() / 8;
  int64_t count = type.getNumElements();
  // One number with one scale stays one number, which has no memory for each element.
  if (quantized->isSplat && quantized->places == 1)
    quantized->outer = quantized->inner = count = 1;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(count * width, /*align=*/alignof(uint64_t),
                                                       /*dataIsMutable=*/true);
  auto run = [&](auto zero) {
    dequantize<decltype(zero)>(*quantized, elementType, blob.getMutableData());
  };
  bool isUnsigned = source.isUnsigned();
  switch (source.getWidth()) {
  case 8:
    isUnsigned ? run(uint8_t(0)) : run(int8_t(0));
    break;
  case 16:
    isUnsigned ? run(uint16_t(0)) : run(int16_t(0));
    break;
  case 32:
    run(int32_t(0));
    break;
  default:
    return {};
  }
  return makeConstant(type, "dequantized", std::move(blob));
}

/// Writes `count` integers of at most `largest`, in the proportions of `source`.
template <typename Integer>
static void quantizeNominally(ArrayRef<char> source, uint64_t seed, float largest, int64_t count,
                              char *target) {
  const int64_t sourceCount = source.size() / sizeof(float);
  auto read = [&](int64_t index) {
    float number;
    std::memcpy(&number, source.data() + index * sizeof(float), sizeof(number));
    return std::isfinite(number) ? number : 0;
  };
  float maximum = 0;
  for (int64_t index = 0; index < sourceCount; ++index)
    maximum = std::max(maximum, std::abs(read(index)));
  const float factor = maximum > 0 ? largest / maximum : 0;
  std::minstd_rand random(seed + 1);
  for (int64_t index = 0, from = 0; index < count; ++index) {
    auto integer = sourceCount ? Integer(std::nearbyint(read(from) * factor))
                               : Integer(int64_t(random() % 255) - 127);
    std::memcpy(target + index * sizeof(Integer), &integer, sizeof(integer));
    from = from + 1 < sourceCount ? from + 1 : 0;
  }
}

ElementsAttr npu::onnx_ir::quantizeNominally(ElementsAttr value, RankedTensorType type,
                                             uint64_t seed) {
  ArrayRef<char> source = getBytes(value);
  // A blob may be shorter than its type says.
  if (auto dense = dyn_cast<DenseElementsAttr>(value);
      (dense && dense.isSplat()) || source.size() != value.getNumElements() * sizeof(float))
    source = {};
  const bool isByte = type.getElementType().isInteger(8);
  const int64_t count = type.getNumElements();
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      count * (isByte ? 1 : sizeof(int32_t)), /*align=*/alignof(uint64_t), /*dataIsMutable=*/true);
  char *target = blob.getMutableData().data();
  if (isByte)
    ::quantizeNominally<int8_t>(source, seed, 127, count, target);
  else
    ::quantizeNominally<int32_t>(source, seed, 1 << 15, count, target);
  return makeConstant(type, "assumed", std::move(blob));
}

ElementsAttr npu::onnx_ir::reshapeConstant(ElementsAttr value, RankedTensorType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

ElementsAttr npu::onnx_ir::unpackConstant(ElementsAttr packed, RankedTensorType type, int64_t rows,
                                          unsigned bits) {
  ArrayRef<char> source = getBytes(packed);
  auto dense = dyn_cast<DenseElementsAttr>(packed);
  bool isSplat = dense && dense.isSplat();
  int64_t count = type.getNumElements(), columns = count / std::max<int64_t>(rows, 1);
  int64_t rowBytes = llvm::divideCeil(columns * bits, 8);
  if (packed.getNumElements() != rows * rowBytes ||
      int64_t(source.size()) != (isSplat ? 1 : rows * rowBytes))
    return {};
  AsmResourceBlob blob =
      HeapAsmResourceBlob::allocate(count, /*align=*/alignof(uint64_t), /*dataIsMutable=*/true);
  char *target = blob.getMutableData().data();
  bool isSigned = !type.getElementType().isUnsignedInteger();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t byte = isSplat ? 0 : row * rowBytes + column * bits / 8;
      unsigned number = uint8_t(source[byte]) >> (column * bits % 8) & ((1u << bits) - 1);
      *target++ = char(isSigned ? llvm::SignExtend64(number, bits) : int64_t(number));
    }
  return makeConstant(type, "unpacked", std::move(blob));
}
