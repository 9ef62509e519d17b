//===- TensorExtOps.cpp - the part of iree_tensor_ext we read and print ---===//

#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::tensor_ext;

#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsDialect.cpp.inc"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsTypes.cpp.inc"

void TensorExtDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.cpp.inc"
      >();
  addInterfaces<HostInlinerInterface>();
}

Attribute TensorExtDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseForeignAttribute(parser, getNamespace(), type);
}

//===----------------------------------------------------------------------===//
// DispatchTensorType
//===----------------------------------------------------------------------===//

Type DispatchTensorType::parse(AsmParser &parser) {
  StringRef keyword;
  Type boundType;
  SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) || parser.parseKeyword(&keyword))
    return {};
  std::optional<TensorAccess> access = symbolizeTensorAccess(keyword);
  if (!access) {
    parser.emitError(loc, "expected 'readonly', 'readwrite' or 'writeonly', found '")
        << keyword << "'";
    return {};
  }
  if (parser.parseColon() || parser.parseType(boundType) || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), *access, boundType);
}

void DispatchTensorType::print(AsmPrinter &p) const {
  p << "<" << stringifyTensorAccess(getAccess()) << ":" << getBoundType() << ">";
}

LogicalResult DispatchTensorType::verify(function_ref<InFlightDiagnostic()> emitError, TensorAccess,
                                         Type boundType) {
  if (isa<RankedTensorType>(boundType) || boundType.isIntOrIndexOrFloat())
    return success();
  return emitError() << "expected a ranked tensor, an integer or a float, found " << boundType;
}

RankedTensorType DispatchTensorType::getTensorType() const {
  if (auto tensor = dyn_cast<RankedTensorType>(getBoundType()))
    return tensor;
  return RankedTensorType::get({}, getBoundType());
}

//===----------------------------------------------------------------------===//
// DispatchTensorLoadOp, DispatchTensorStoreOp
//===----------------------------------------------------------------------===//

/// Whether the slice covers all of a tensor of type `whole` in order.
static bool coversWholeTensor(OffsetSizeAndStrideOpInterface op, RankedTensorType whole,
                              ValueRange dims) {
  if (!op.hasZeroOffset() || !op.hasUnitStride())
    return false;
  // A dynamic size equals the dimension's if both are the same value.
  size_t nextDim = 0;
  for (auto [size, extent] : llvm::zip(op.getMixedSizes(), whole.getShape())) {
    if (ShapedType::isDynamic(extent)) {
      if (dyn_cast<Value>(size) != dims[nextDim++])
        return false;
    } else if (getConstantIntValue(size) != extent) {
      return false;
    }
  }
  return true;
}

static LogicalResult verifySlice(OffsetSizeAndStrideOpInterface op, DispatchTensorType whole,
                                 RankedTensorType part, StringRef wholeName, StringRef partName) {
  int64_t rank = whole.getShape().size();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t offset = op.getStaticOffsets()[dim];
    int64_t size = op.getStaticSizes()[dim];
    int64_t stride = op.getStaticStrides()[dim];
    int64_t extent = whole.getShape()[dim];
    auto isNegative = [](int64_t value) { return !ShapedType::isDynamic(value) && value < 0; };
    if (isNegative(offset) || isNegative(size) || isNegative(stride) || stride == 0)
      return op->emitOpError("expected offset and size not to be negative and the stride to be "
                             "positive in dimension ")
             << dim;
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(stride) || ShapedType::isDynamic(extent) || size == 0)
      continue;
    // Compared without computing the last index, which could overflow.
    if (size > extent || offset > extent - size || (size - 1 > (extent - 1 - offset) / stride))
      return op->emitOpError("expected the slice to lie inside the ")
             << wholeName << ": dimension " << dim << " has " << extent
             << " elements, the slice is offset " << offset << ", size " << size << ", stride "
             << stride;
  }
  auto slice = RankedTensorType::get(op.getStaticSizes(), whole.getTensorType().getElementType());
  auto plainPart = RankedTensorType::get(part.getShape(), part.getElementType());
  if (isRankReducedType(slice, plainPart) == SliceVerificationResult::Success)
    return success();
  return op->emitOpError("expected the ")
         << partName << " to have the slice's type " << slice
         << ", with or without its unit dimensions, found " << plainPart;
}

std::array<unsigned, 3> DispatchTensorLoadOp::getArrayAttrMaxRanks() {
  unsigned rank = getSource().getType().getShape().size();
  return {rank, rank, rank};
}

bool DispatchTensorLoadOp::isFullLoad() {
  return getType() == getSource().getType().getTensorType() &&
         coversWholeTensor(*this, getType(), getSourceDims());
}

LogicalResult DispatchTensorLoadOp::verify() {
  DispatchTensorType source = getSource().getType();
  if (!source.isReadable())
    return emitOpError("expected a readable source, found ") << source;
  if (failed(verifyDynamicDims(*this, "the source", source.getTensorType(), getSourceDims())))
    return failure();
  return verifySlice(*this, source, getType(), "source", "result");
}

std::array<unsigned, 3> DispatchTensorStoreOp::getArrayAttrMaxRanks() {
  unsigned rank = getTarget().getType().getShape().size();
  return {rank, rank, rank};
}

bool DispatchTensorStoreOp::isFullStore() {
  return getValue().getType() == getTarget().getType().getTensorType() &&
         coversWholeTensor(*this, getTarget().getType().getTensorType(), getTargetDims());
}

LogicalResult DispatchTensorStoreOp::verify() {
  DispatchTensorType target = getTarget().getType();
  if (!target.isWritable())
    return emitOpError("expected a writable target, found ") << target;
  if (failed(verifyDynamicDims(*this, "the target", target.getTensorType(), getTargetDims())))
    return failure();
  return verifySlice(*this, target, cast<RankedTensorType>(getValue().getType()), "target",
                     "value");
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

static void nameWorkgroupCount(ResultRange results,
                               function_ref<void(Value, StringRef)> setNameFn) {
  constexpr StringLiteral names[] = {"x", "y", "z"};
  for (auto [result, name] : llvm::zip(results, names))
    setNameFn(result, name);
}

void DispatchWorkgroupCountFromSliceOp::getAsmResultNames(
    function_ref<void(Value, StringRef)> setNameFn) {
  nameWorkgroupCount(getOperation()->getResults(), setNameFn);
}

void DispatchWorkgroupCountFromDagRootOp::getAsmResultNames(
    function_ref<void(Value, StringRef)> setNameFn) {
  nameWorkgroupCount(getOperation()->getResults(), setNameFn);
}

LogicalResult BitCastOp::verify() {
  if (failed(verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims())))
    return failure();
  return verifyDynamicDims(*this, "the result", getType(), getResultDims());
}

LogicalResult ComputeBarrierStartOp::verify() {
  return verifyDynamicDims(*this, "the value", getType(), getValueDims());
}

LogicalResult ComputeBarrierEndOp::verify() {
  return verifyDynamicDims(*this, "the value", getType(), getValueDims());
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.cpp.inc"
