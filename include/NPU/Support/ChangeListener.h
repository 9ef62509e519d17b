//===- ChangeListener.h - whether a rewriter changed anything -------------===//

#ifndef NPU_SUPPORT_CHANGELISTENER_H
#define NPU_SUPPORT_CHANGELISTENER_H

#include "mlir/IR/PatternMatch.h"

namespace npu {

/// Tells whether a rewriter changed anything. A pass that changed nothing preserves all analyses;
/// then neither is the IR verified nor cleaned up once more.
struct ChangeListener : mlir::RewriterBase::Listener {
  void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override {
    changed = true;
  }
  void notifyOperationModified(mlir::Operation *) override { changed = true; }
  void notifyOperationErased(mlir::Operation *) override { changed = true; }

  bool changed = false;
};

} // namespace npu

#endif // NPU_SUPPORT_CHANGELISTENER_H
