//===- TileLoops.cpp - tiles whose accumulators stay in the cache --------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace npu::host {
#define GEN_PASS_DEF_TILELOOPS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// Bytes of accumulators that one tile may have.
static constexpr int64_t maxAccumulatorBytes = 16 << 10;
/// Longest innermost tile, in elements.
static constexpr int64_t maxInnerExtent = 1024;

static void tileLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto type = dyn_cast<MemRefType>(op.getDpsInits().front().getType());
  unsigned numLoops = ranges.size();
  if (!type || !type.getElementType().isIntOrFloat() || numLoops < 2 ||
      llvm::any_of(ranges, ShapedType::isDynamic))
    return;
  int64_t elementBytes = std::max<int64_t>(llvm::divideCeil(type.getElementTypeBitWidth(), 8), 1);
  int64_t inner = std::min(ranges[numLoops - 1], maxInnerExtent);
  SmallVector<int64_t> sizes(numLoops, 0);
  if (inner < ranges[numLoops - 1])
    sizes[numLoops - 1] = inner;
  if (op.getIteratorTypesArray()[numLoops - 2] == utils::IteratorType::parallel) {
    int64_t middle = std::max<int64_t>(maxAccumulatorBytes / (inner * elementBytes), 1);
    if (middle < ranges[numLoops - 2])
      sizes[numLoops - 2] = middle;
  }
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return;
  linalg::LinalgTilingOptions options;
  options.setTileSizes(sizes);
  rewriter.setInsertionPoint(op);
  if (succeeded(linalg::tileLinalgOp(rewriter, op, options)))
    rewriter.eraseOp(op);
}

namespace {
struct TileLoops : npu::host::impl::TileLoopsBase<TileLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op->hasAttr(npu::host::orderedAttrName) && op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      op->removeAttr(npu::host::orderedAttrName);
      tileLoops(rewriter, op);
    }
  }
};
} // namespace
