//===- DynamicSizes.cpp - sizes of what dispatches read and return --------===//

#include "DynamicSizes.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace npu;

/// Whether `op` has the sizes of its results as operands, so that to tell them takes no code.
static bool isGivenSizes(Operation *op) {
  return isa<tensor::EmptyOp>(op) || isa<flow::FlowDialect, hal::HALDialect>(op->getDialect());
}

/// The `tensor.dim` that stands before the builder already, or a new one.
static Value getOrCreateDim(OpBuilder &builder, Value tensor, int64_t dim) {
  for (Operation *user : tensor.getUsers()) {
    auto dimOp = dyn_cast<tensor::DimOp>(user);
    if (dimOp && dimOp.getConstantIndex() == dim && dimOp->getBlock() == builder.getBlock() &&
        (builder.getInsertionPoint() == builder.getBlock()->end() ||
         dimOp->isBeforeInBlock(&*builder.getInsertionPoint())))
      return dimOp;
  }
  return builder.createOrFold<tensor::DimOp>(tensor.getLoc(), tensor, dim);
}

/// The size of a dynamic dimension. `asked` is not asked for by `tensor.dim`.
static OpFoldResult getSize(OpBuilder &builder, Value tensor, int64_t dim, Operation *asked) {
  Operation *op = tensor.getDefiningOp();
  for (; op; op = tensor.getDefiningOp()) {
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      tensor = destination.getTiedOpOperand(cast<OpResult>(tensor))->get();
    else if (auto cast = dyn_cast<tensor::CastOp>(op);
             cast && isa<RankedTensorType>(cast.getSource().getType()))
      tensor = cast.getSource();
    else
      break;
  }
  if (int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
      !ShapedType::isDynamic(size))
    return builder.getIndexAttr(size);
  auto shaped = dyn_cast_if_present<ReifyRankedShapedTypeOpInterface>(op);
  if (shaped && (op == asked || isGivenSizes(op))) {
    FailureOr<OpFoldResult> size =
        shaped.reifyDimOfResult(builder, cast<OpResult>(tensor).getResultNumber(), dim);
    if (succeeded(size))
      return *size;
  }
  return getOrCreateDim(builder, tensor, dim);
}

static SmallVector<Value> getSizes(OpBuilder &builder, ValueRange values, Operation *asked) {
  SmallVector<Value> sizes;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(getValueOrCreateConstantIndexOp(builder, value.getLoc(),
                                                        getSize(builder, value, dim, asked)));
  }
  return sizes;
}

SmallVector<Value> dispatch_creation::getDynamicSizes(OpBuilder &builder, ValueRange values) {
  return getSizes(builder, values, /*asked=*/nullptr);
}

SmallVector<Value> dispatch_creation::getResultSizes(OpBuilder &builder, Operation *op) {
  return getSizes(builder, op->getResults(), op);
}
