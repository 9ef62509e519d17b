//===- FusionLog.h - what was fused, what was not, and why ----------------===//

#ifndef NPU_LIB_DISPATCHCREATION_FUSIONLOG_H
#define NPU_LIB_DISPATCHCREATION_FUSIONLOG_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace npu::dispatch_creation {

/// Remarks of category `npu-fusion` that `producer` and `consumer` are in one dispatch or one op,
/// or are not.
void emitFused(mlir::Operation *producer, mlir::Operation *consumer, llvm::StringRef reason);
void emitNotFused(mlir::Operation *producer, mlir::Operation *consumer, llvm::StringRef reason);

/// Collects the decisions on pairs of ops of one block until all are taken: what a consumer refuses
/// its producer may accept later. A fusion counts, else the first reason against it.
class FusionLog {
public:
  void fuse(mlir::Operation *producer, mlir::Operation *consumer, llvm::StringRef reason) {
    decisions[{producer, consumer}] = Decision{/*fused=*/true, reason.str()};
  }
  void refuse(mlir::Operation *producer, mlir::Operation *consumer, llvm::StringRef reason) {
    decisions.try_emplace({producer, consumer}, Decision{/*fused=*/false, reason.str()});
  }

  /// Emits one remark for each pair, in the order of the ops. A pair that was refused and yet is
  /// together for which `isTogether` holds, by way of other ops, is reported as fused.
  void emit(llvm::function_ref<bool(mlir::Operation *, mlir::Operation *)> isTogether) const;

private:
  struct Decision {
    bool fused;
    std::string reason;
  };
  llvm::MapVector<std::pair<mlir::Operation *, mlir::Operation *>, Decision> decisions;
};

} // namespace npu::dispatch_creation

#endif // NPU_LIB_DISPATCHCREATION_FUSIONLOG_H
