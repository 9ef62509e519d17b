//===- LowerPacks.cpp - linalg.pack and linalg.unpack to simpler ops -----===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::host {
#define GEN_PASS_DEF_LOWERPACKS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

static LogicalResult lower(RewriterBase &rewriter, Operation *op) {
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return linalg::lowerPack(rewriter, pack);
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return linalg::lowerUnPack(rewriter, unpack);
  return success();
}

namespace {
struct LowerPacks : npu::host::impl::LowerPacksBase<LowerPacks> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto result = getOperation()->walk([&](Operation *op) -> WalkResult {
      rewriter.setInsertionPoint(op);
      // Upstream says why in debug output only.
      if (failed(lower(rewriter, op)))
        return op->emitOpError("expected inner tiles of static sizes to lower it for the host");
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
