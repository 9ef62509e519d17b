//===- Rewrite.h - rewriting that tells whether anything changed ----------===//
//
// A pass that changed nothing preserves all analyses; then neither is the IR verified nor cleaned
// up once more.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_REWRITE_H
#define NPU_SUPPORT_REWRITE_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu {

/// Tells whether a rewriter changed anything.
struct ChangeListener : mlir::RewriterBase::Listener {
  void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override {
    changed = true;
  }
  void notifyOperationModified(mlir::Operation *) override { changed = true; }
  void notifyOperationErased(mlir::Operation *) override { changed = true; }

  bool changed = false;
};

/// Applies patterns greedily and returns whether anything changed. Unlike upstream's default it
/// does not simplify regions: linalg ops have many, and only control flow has something to
/// simplify.
inline mlir::FailureOr<bool>
applyPatterns(mlir::Operation *op, const mlir::FrozenRewritePatternSet &patterns,
              mlir::GreedyRewriteConfig config = mlir::GreedyRewriteConfig()) {
  bool changed = false;
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
  if (failed(mlir::applyPatternsGreedily(op, patterns, config, &changed)))
    return mlir::failure();
  return changed;
}

} // namespace npu

#endif // NPU_SUPPORT_REWRITE_H
