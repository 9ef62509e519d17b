//===- HostInlining.h - how ops of host functions are inlined -------------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_HOSTINLINING_H
#define NPU_DIALECT_IREE_UTIL_IR_HOSTINLINING_H

#include "mlir/Transforms/InliningUtils.h"

namespace npu {

/// For dialects whose ops may move with the function that contains them to any other place.
struct HostInlinerInterface : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  /// A function of several blocks would need a branch to end its body.
  bool isLegalToInline(mlir::Operation *, mlir::Operation *callable, bool) const final {
    return callable->getRegion(0).hasOneBlock();
  }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final {
    return true;
  }

  /// The function had one block: what it returned are the values of the call.
  void handleTerminator(mlir::Operation *terminator, mlir::ValueRange results) const final {
    for (auto [result, operand] : llvm::zip_equal(results, terminator->getOperands()))
      result.replaceAllUsesWith(operand);
  }
};

} // namespace npu

#endif // NPU_DIALECT_IREE_UTIL_IR_HOSTINLINING_H
