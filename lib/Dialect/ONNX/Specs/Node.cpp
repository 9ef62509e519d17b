//===- Node.cpp - a node of an ONNX graph, as its specification reads it --===//

#include "NPU/Dialect/ONNX/Specs/Node.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace npu::onnx_ir;

/// Bytes of one tensor: far more than any memory that a model is run in, far from overflow.
static constexpr int64_t maxTensorBytes = int64_t(1) << 40;

/// Lists that nodes are told as constants. A constant of one value may have any number of elements
/// without being in memory.
static constexpr int64_t maxReadElements = int64_t(1) << 22;

bool npu::onnx_ir::isAddressable(ArrayRef<int64_t> shape) {
  constexpr unsigned maxRank = 32; // as for NumPy's files
  int64_t bytes = 8;               // of the widest element
  for (int64_t extent : shape)
    if (extent < 0 || llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes) ||
        bytes > maxTensorBytes)
      return false;
  return shape.size() <= maxRank;
}

unsigned Node::getNumInputs() const {
  unsigned count = op.getInputs().size();
  while (count > 0 && isa<NoneType>(op.getInputs()[count - 1].getType()))
    --count;
  return count;
}

bool Node::hasInput(unsigned index) const {
  return index < op.getInputs().size() && !isa<NoneType>(op.getInputs()[index].getType());
}

RankedTensorType Node::getInputType(unsigned index) const {
  return cast<RankedTensorType>(op.getInputs()[index].getType());
}

bool Node::hasOutput(unsigned index) const {
  return index < op.getNumResults() && !isa<NoneType>(op.getResult(index).getType());
}

RankedTensorType Node::getOutputType(unsigned index) const {
  return cast<RankedTensorType>(op.getResult(index).getType());
}

Attribute Node::getAttribute(StringRef name) const {
  std::optional<DictionaryAttr> attributes = op.getNodeAttributes();
  return attributes ? attributes->get(name) : Attribute();
}

int64_t Node::getInt(StringRef name, int64_t defaultValue) const {
  auto value = dyn_cast_or_null<IntegerAttr>(getAttribute(name));
  return value ? value.getInt() : defaultValue;
}

double Node::getFloat(StringRef name, double defaultValue) const {
  auto value = dyn_cast_or_null<FloatAttr>(getAttribute(name));
  return value ? value.getValueAsDouble() : defaultValue;
}

StringRef Node::getString(StringRef name, StringRef defaultValue) const {
  auto value = dyn_cast_or_null<StringAttr>(getAttribute(name));
  return value ? value.getValue() : defaultValue;
}

std::optional<SmallVector<int64_t>> Node::getInts(StringRef name) const {
  auto value = dyn_cast_or_null<DenseI64ArrayAttr>(getAttribute(name));
  if (!value)
    return std::nullopt;
  return SmallVector<int64_t>(value.asArrayRef());
}

std::optional<SmallVector<double>> Node::getFloats(StringRef name) const {
  auto value = dyn_cast_or_null<DenseF32ArrayAttr>(getAttribute(name));
  if (!value)
    return std::nullopt;
  return SmallVector<double>(value.asArrayRef());
}

ElementsAttr Node::getConstant(unsigned index) const {
  ElementsAttr value;
  if (hasInput(index))
    matchPattern(getInput(index), m_Constant(&value));
  return value;
}

std::optional<SmallVector<int64_t>> Node::getConstantInts(unsigned index) const {
  ElementsAttr value = getConstant(index);
  return value ? readInts(value) : std::nullopt;
}

std::optional<SmallVector<double>> Node::getConstantFloats(unsigned index) const {
  ElementsAttr value = getConstant(index);
  return value ? readFloats(value) : std::nullopt;
}

FailureOr<std::optional<SmallVector<int64_t>>> Node::getIntsParameter(StringRef name,
                                                                      unsigned index) {
  if (std::optional<SmallVector<int64_t>> values = getInts(name))
    return values;
  if (!hasInput(index))
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> values = getConstantInts(index);
  if (!values)
    return reject() << "expected '" << name << "' (input " << index
                    << ") to be a constant of at most " << maxReadElements << " integers, found "
                    << getInputType(index);
  return values;
}

FailureOr<int64_t> Node::normalizeAxis(int64_t axis, int64_t rank, bool allowsEnd) {
  int64_t last = allowsEnd ? rank : rank - 1;
  if (axis < -rank || axis > last)
    return reject() << "expected an axis from " << -rank << " to " << last << ", found " << axis;
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>> Node::normalizeAxes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> normalized;
  for (int64_t axis : axes) {
    FailureOr<int64_t> result = normalizeAxis(axis, rank);
    if (failed(result))
      return failure();
    if (llvm::is_contained(normalized, *result))
      return reject() << "expected every axis once, found " << axis << " twice";
    normalized.push_back(*result);
  }
  return normalized;
}

bool Node::spend(int64_t elements) const {
  if (!budget)
    return true;
  if (elements > budget->rest)
    return false;
  budget->rest -= elements;
  return true;
}

LogicalResult Node::spendOrReject(int64_t elements) const {
  if (spend(elements))
    return success();
  return reject() << "expected constants and tables of indices of together at most "
                  << FoldBudget::total << " elements, found " << elements << " more than the "
                  << budget->rest << " that are left; compute them with inputs of the model";
}

LogicalResult Node::spendOrReject(ArrayRef<int64_t> shape) const {
  if (!isAddressable(shape))
    return reject() << "expected constants of at most " << maxTensorBytes / 8
                    << " elements, found the shape [" << shape << "]";
  return spendOrReject(ShapedType::getNumElements(shape));
}

InFlightDiagnostic Node::reject() const {
  InFlightDiagnostic diagnostic = mlir::emitError(op.getLoc()) << "node ";
  if (auto name = dyn_cast<NameLoc>(op.getLoc()))
    diagnostic << "'" << name.getName().getValue() << "' ";
  diagnostic << "(" << getOpType() << " of ";
  if (std::optional<StringRef> domain = op.getDomain())
    diagnostic << "domain '" << *domain << "' version ";
  else
    diagnostic << "opset ";
  return std::move(diagnostic << opset << "): ");
}

LogicalResult Node::setOutput(unsigned index, ArrayRef<int64_t> shape, Type elementType) {
  if (!hasOutput(index))
    return success();
  if (!isAddressable(shape))
    return reject() << "expected output " << index << " to have at most " << maxTensorBytes / 8
                    << " elements in 32 dimensions, found the shape [" << shape << "]";
  op.getResult(index).setType(RankedTensorType::get(shape, elementType));
  return success();
}

/// Calls `take` with the bytes of element after element of a resource.
template <typename T, typename Result>
static std::optional<SmallVector<Result>> readResource(DenseResourceElementsAttr value) {
  AsmResourceBlob *blob = value.getRawHandle().getBlob();
  if (!blob || blob->getData().size() != value.getNumElements() * sizeof(T))
    return std::nullopt;
  SmallVector<Result> results(value.getNumElements());
  for (auto [index, result] : llvm::enumerate(results)) {
    T element;
    std::memcpy(&element, blob->getData().data() + index * sizeof(T), sizeof(T));
    result = static_cast<Result>(element);
  }
  return results;
}

std::optional<SmallVector<int64_t>> npu::onnx_ir::readInts(ElementsAttr value) {
  auto type = dyn_cast<IntegerType>(value.getElementType());
  if (!type || value.getNumElements() > maxReadElements)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseIntElementsAttr>(value)) {
    bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
    return llvm::map_to_vector(dense.getValues<APInt>(), [&](const APInt &element) {
      return isUnsigned ? int64_t(element.getZExtValue()) : element.getSExtValue();
    });
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  switch (type.getWidth()) {
  case 8:
    return type.isUnsigned() ? readResource<uint8_t, int64_t>(resource)
                             : readResource<int8_t, int64_t>(resource);
  case 16:
    return type.isUnsigned() ? readResource<uint16_t, int64_t>(resource)
                             : readResource<int16_t, int64_t>(resource);
  case 32:
    return type.isUnsigned() ? readResource<uint32_t, int64_t>(resource)
                             : readResource<int32_t, int64_t>(resource);
  case 64:
    return readResource<int64_t, int64_t>(resource);
  default:
    return std::nullopt;
  }
}

std::optional<SmallVector<double>> npu::onnx_ir::readFloats(ElementsAttr value) {
  if (!isa<FloatType>(value.getElementType()) || value.getNumElements() > maxReadElements)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseFPElementsAttr>(value))
    return llvm::map_to_vector(dense.getValues<APFloat>(), [](APFloat element) {
      bool losesInfo;
      element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
      return element.convertToDouble();
    });
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  if (value.getElementType().isF32())
    return readResource<float, double>(resource);
  if (value.getElementType().isF64())
    return readResource<double, double>(resource);
  std::optional<SmallVector<uint16_t>> bits = readResource<uint16_t, uint16_t>(resource);
  if (!bits)
    return std::nullopt;
  const llvm::fltSemantics &semantics = cast<FloatType>(value.getElementType()).getFloatSemantics();
  return llvm::map_to_vector(*bits, [&](uint16_t element) {
    return APFloat(semantics, APInt(16, element)).convertToDouble();
  });
}

std::optional<SmallVector<int64_t>> npu::onnx_ir::broadcastShapes(ArrayRef<int64_t> lhs,
                                                                  ArrayRef<int64_t> rhs) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  SmallVector<int64_t> result(lhs);
  for (auto [extent, other] : llvm::zip(MutableArrayRef(result).take_back(rhs.size()), rhs)) {
    if (extent == 1)
      extent = other;
    else if (other != 1 && other != extent)
      return std::nullopt;
  }
  return result;
}
