//===- SpreadLoads.cpp - small loads for all come from another cluster ----===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

namespace npu {
#define GEN_PASS_DEF_NPUSPREADLOADS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// Whether a load for all clusters, outside of loops, is over sooner than it has begun.
static bool isSmall(DmaLoadOp load, const TargetDesc &target) {
  int64_t bytes = getByteSize(load.getDst().getType());
  return getLoopsAround(load).empty() &&
         bytes <= target.dramLatencyCycles * target.dramBytesPerCycle;
}

namespace {
struct SpreadLoads : npu::impl::NPUSpreadLoadsBase<SpreadLoads> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(target))
      return signalPassFailure();
    kernel.walk([&](DmaLoadOp load) {
      if (std::optional<uint64_t> clusters = load.getClusters())
        if (isSmall(load, *target))
          load.setLeader(*clusters - 1);
    });
  }
};
} // namespace
