//===- StreamIndices.cpp - index values of a stream -----------------------===//

#include "StreamIndices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npu;

/// Removes computations that no op of the stream needs.
static void eraseUnused(StreamOp stream) {
  stream.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// Whether composing changes nothing: the operands are block arguments, each is there once, and the
/// map uses all of them.
static bool isComposed(ValueRange operands, AffineMap map) {
  llvm::SmallDenseSet<Value> known;
  return map.getNumSymbols() == 0 && llvm::all_of(llvm::enumerate(operands), [&](auto operand) {
           return llvm::isa<BlockArgument>(operand.value()) &&
                  known.insert(operand.value()).second && map.isFunctionOfDim(operand.index());
         });
}

void npu::composeIndexValues(StreamOp stream) {
  SmallVector<Operation *> computations;
  stream.walk([&](Operation *op) {
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op);
        apply && !isComposed(apply.getMapOperands(), apply.getAffineMap()))
      computations.push_back(op);
    if (auto min = dyn_cast<affine::AffineMinOp>(op);
        min && !isComposed(min.getOperands(), min.getAffineMap()))
      computations.push_back(op);
  });
  for (Operation *op : computations) {
    OpBuilder builder(op);
    SmallVector<OpFoldResult> operands = getAsOpFoldResult(op->getOperands());
    OpFoldResult composed =
        llvm::isa<affine::AffineApplyOp>(op)
            ? affine::makeComposedFoldedAffineApply(
                  builder, op->getLoc(), cast<affine::AffineApplyOp>(op).getAffineMap(), operands)
            : affine::makeComposedFoldedAffineMin(
                  builder, op->getLoc(), cast<affine::AffineMinOp>(op).getAffineMap(), operands);
    op->replaceAllUsesWith(
        ValueRange{getValueOrCreateConstantIndexOp(builder, op->getLoc(), composed)});
    op->erase();
  }
  eraseUnused(stream);
}
