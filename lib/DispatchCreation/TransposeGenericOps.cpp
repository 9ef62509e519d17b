//===- TransposeGenericOps.cpp - order the loops of generics --------------===//

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_TRANSPOSEGENERICOPS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Parallel loops first, then reductions, otherwise as they are; nothing if they are so.
static std::optional<SmallVector<unsigned>> getParallelFirst(linalg::GenericOp op) {
  SmallVector<unsigned> order;
  op.getParallelDims(order);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  if (order.size() != op.getNumLoops() || llvm::is_sorted(order))
    return std::nullopt;
  return order;
}

/// Whether `op` should walk `operand` as that is laid out: the result of a reduction, contraction
/// or convolution, in whatever shape, could then be in the same dispatch, and a transposition reads
/// in order.
static bool decidesOrder(linalg::GenericOp op, OpOperand *operand) {
  if (llvm::hasSingleElement(*op.getBody()))
    return true;
  Operation *producer = operand->get().getDefiningOp();
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(producer) &&
         producer->hasOneUse())
    producer = producer->getOperand(0).getDefiningOp();
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(producer);
  return linalgOp && linalgOp->hasOneUse() && !linalg::isElementwise(linalgOp);
}

/// The order of loops in which an elementwise op walks the operand that decides; nothing if there
/// is none or that is its order.
static std::optional<SmallVector<unsigned>> getOperandOrder(linalg::GenericOp op) {
  if (!isAllParallel(op))
    return std::nullopt;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isPermutation() || !decidesOrder(op, operand))
      continue;
    if (map.isIdentity())
      return std::nullopt;
    return llvm::map_to_vector(
        map.getResults(), [](AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); });
  }
  return std::nullopt;
}

namespace {
struct TransposeGenericOps : dispatch_creation::impl::TransposeGenericOpsBase<TransposeGenericOps> {
  void runOnOperation() override {
    ChangeListener listener;
    IRRewriter rewriter(&getContext(), &listener);
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      std::optional<SmallVector<unsigned>> order = getParallelFirst(op);
      if (!order)
        order = getOperandOrder(op);
      if (!order)
        continue;
      rewriter.setInsertionPoint(op);
      if (failed(linalg::interchangeGenericOp(rewriter, op, *order)))
        return signalPassFailure();
    }
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
