//===- FlowTensorOps.cpp - verifiers of the flow.tensor ops ---------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::flow;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ParseResult TensorConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  TypedAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseAttribute(value, getValueAttrName(result.name), result.attributes))
    return failure();
  result.addTypes(value.getType());
  return success();
}

void TensorConstantOp::print(OpAsmPrinter &p) {
  p.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
  p << ' ' << getValueAttr();
}

LogicalResult TensorConstantOp::verify() {
  if (getValueAttr().getType() == getType())
    return success();
  return emitOpError("expected a value of the result's type, ")
         << getType() << ", found " << getValueAttr().getType();
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Verifies the sizes of both tensors of an op from one tensor to another.
template <typename OpTy>
static LogicalResult verifySourceAndResultDims(OpTy op) {
  if (failed(verifyDynamicDims(op, "the source", op.getSource().getType(), op.getSourceDims())))
    return failure();
  return verifyDynamicDims(op, "the result", op.getType(), op.getResultDims());
}

LogicalResult TensorReshapeOp::verify() {
  if (failed(verifySourceAndResultDims(*this)))
    return failure();
  auto source = cast<ShapedType>(getSource().getType());
  auto result = cast<ShapedType>(getType());
  if (source.getElementType() != result.getElementType())
    return emitOpError("expected source and result to have the same element type, found ")
           << source.getElementType() << " and " << result.getElementType();
  if (source.hasStaticShape() && result.hasStaticShape() &&
      source.getNumElements() != result.getNumElements())
    return emitOpError("expected source and result to have the same number of elements, found ")
           << source.getNumElements() << " and " << result.getNumElements();
  return success();
}

LogicalResult TensorBitCastOp::verify() {
  if (failed(verifySourceAndResultDims(*this)))
    return failure();
  auto source = cast<ShapedType>(getSource().getType());
  auto result = cast<ShapedType>(getType());
  if (!source.hasStaticShape() || !result.hasStaticShape() ||
      !source.getElementType().isIntOrFloat() || !result.getElementType().isIntOrFloat())
    return success();
  int64_t sourceBits = source.getNumElements() * source.getElementTypeBitWidth();
  int64_t resultBits = result.getNumElements() * result.getElementTypeBitWidth();
  if (sourceBits == resultBits)
    return success();
  return emitOpError("expected source and result to have the same number of bits, found ")
         << sourceBits << " and " << resultBits;
}

LogicalResult TensorEncodeOp::verify() { return verifySourceAndResultDims(*this); }

//===----------------------------------------------------------------------===//
// Identities and new tensors
//===----------------------------------------------------------------------===//

LogicalResult TensorTieShapeOp::verify() {
  return verifyDynamicDims(*this, "the tensor", getType(), getDynamicDims());
}

LogicalResult TensorCloneOp::verify() {
  return verifyDynamicDims(*this, "the tensor", getType(), getArgumentDims());
}

LogicalResult TensorTransferOp::verify() {
  return verifyDynamicDims(*this, "the tensor", getType(), getArgumentDims());
}

LogicalResult TensorBarrierOp::verify() {
  return verifyDynamicDims(*this, "the tensor", getType(), getArgumentDims());
}

LogicalResult TensorAllocaOp::verify() {
  return verifyDynamicDims(*this, "the result", getType(), getResultDims());
}

LogicalResult TensorEmptyOp::verify() {
  return verifyDynamicDims(*this, "the result", getType(), getResultDims());
}

LogicalResult TensorSplatOp::verify() {
  return verifyDynamicDims(*this, "the result", getType(), getResultDims());
}

//===----------------------------------------------------------------------===//
// Elements and slices
//===----------------------------------------------------------------------===//

/// Verifies that there is one of `values` for each dimension of `type`.
static LogicalResult verifyOnePerDimension(Operation *op, StringRef what, Type type,
                                           ValueRange values) {
  auto shaped = cast<ShapedType>(type);
  if (!shaped.hasRank() || shaped.getRank() == static_cast<int64_t>(values.size()))
    return success();
  return op->emitOpError("expected ")
         << shaped.getRank() << " " << what << ", one for each dimension of " << type << ", found "
         << values.size();
}

LogicalResult TensorLoadOp::verify() {
  if (failed(verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims())))
    return failure();
  return verifyOnePerDimension(*this, "indices", getSource().getType(), getIndices());
}

LogicalResult TensorStoreOp::verify() {
  if (failed(verifyDynamicDims(*this, "the target", getTarget().getType(), getTargetDims())))
    return failure();
  return verifyOnePerDimension(*this, "indices", getTarget().getType(), getIndices());
}

LogicalResult TensorSliceOp::verify() {
  Type source = getSource().getType();
  if (failed(verifySourceAndResultDims(*this)) ||
      failed(verifyOnePerDimension(*this, "offsets", source, getStartIndices())) ||
      failed(verifyOnePerDimension(*this, "lengths", source, getLengths())))
    return failure();
  if (getElementTypeOrSelf(source) == getElementTypeOrSelf(getType()))
    return success();
  return emitOpError("expected source and result to have the same element type, found ")
         << getElementTypeOrSelf(source) << " and " << getElementTypeOrSelf(getType());
}

LogicalResult TensorUpdateOp::verify() {
  auto target = cast<ShapedType>(getTarget().getType());
  auto update = cast<ShapedType>(getUpdate().getType());
  if (failed(verifyDynamicDims(*this, "the target", target, getTargetDims())) ||
      failed(verifyDynamicDims(*this, "the update", update, getUpdateDims())) ||
      failed(verifyOnePerDimension(*this, "offsets", target, getStartIndices())) ||
      failed(verifyTiedOperands(*this, getTiedOperandsAttr(), /*numOperands=*/1, /*numResults=*/1)))
    return failure();
  if (target.getElementType() != update.getElementType())
    return emitOpError("expected target and update to have the same element type, found ")
           << target.getElementType() << " and " << update.getElementType();
  if (target.hasRank() && update.hasRank() && target.getRank() != update.getRank())
    return emitOpError("expected target and update to have the same rank, found ")
           << target.getRank() << " and " << update.getRank();
  return success();
}

LogicalResult TensorTraceOp::verify() {
  return verifyDynamicDims(*this, "the values", getValues().getTypes(), getValueDims());
}
