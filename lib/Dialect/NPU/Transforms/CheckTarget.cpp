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

/// What instructions can address on any chip: 31-bit coordinates, regions of 2^40 bytes.
static LogicalResult checkSize(KernelOp kernel, Type type, StringRef what, unsigned number) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return success();
  constexpr int64_t maxExtent = std::numeric_limits<int32_t>::max(), maxBytes = int64_t(1) << 40;
  int64_t bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  for (int64_t extent : tensor.getShape()) {
    if (extent > maxExtent || (extent > 0 && bytes > maxBytes / extent))
      return kernel.emitOpError() << what << " " << number << " is " << type
                                  << ", larger than a program can address; split the dispatch";
    bytes *= extent;
  }
  return success();
}

static LogicalResult checkKernel(KernelOp kernel) {
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (failed(checkSize(kernel, type, "argument", number)))
      return failure();
  for (auto [number, type] : llvm::enumerate(kernel.getResultTypes()))
    if (failed(checkSize(kernel, type, "result", number)))
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
