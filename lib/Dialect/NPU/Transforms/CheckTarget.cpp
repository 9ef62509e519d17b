//===- CheckTarget.cpp - whether the target runs its kernels --------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

namespace npu {
#define GEN_PASS_DEF_NPUCHECKTARGET
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

static LogicalResult checkKernel(KernelOp kernel) {
  if (failed(checkAddressable(kernel)))
    return failure();
  if (!kernel.getTarget())
    return kernel.emitOpError("expected a target but found none; run convert-func-to-kernel or "
                              "add the attribute 'target'");
  llvm::Expected<TargetDesc> target = parseTarget(kernel.getTarget()->getName());
  if (!target)
    return kernel.emitOpError() << llvm::toString(target.takeError());
  return checkTargetLimits(kernel, *target);
}

namespace {
struct CheckTarget : npu::impl::NPUCheckTargetBase<CheckTarget> {
  void runOnOperation() override {
    bool isSupported = true;
    getOperation()->walk([&](KernelOp kernel) { isSupported &= succeeded(checkKernel(kernel)); });
    if (!isSupported)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
