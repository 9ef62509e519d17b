//===- PlanMemory.cpp - assign byte offsets to on-chip buffers ------------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Limits.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace npu {
#define GEN_PASS_DEF_NPUPLANMEMORY
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
struct PlanMemory : public npu::impl::NPUPlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(target))
      return signalPassFailure();
    FailureOr<int64_t> sram = planSpace(kernel, *target, MemorySpace::Sram);
    if (failed(sram))
      return signalPassFailure();
    FailureOr<int64_t> acc = planSpace(kernel, *target, MemorySpace::Acc);
    if (failed(acc))
      return signalPassFailure();
    kernel.setPlannedBytesAttr(PlannedBytesAttr::get(kernel.getContext(), *sram, *acc));
  }

private:
  /// Returns the bytes in use. Every cluster has the same buffers, at the same offsets.
  static FailureOr<int64_t> planSpace(KernelOp kernel, const TargetDesc &target,
                                      MemorySpace space) {
    SmallVector<PlannedBuffer> buffers = collectBuffers(kernel, space);
    std::vector<AllocationRequest> requests = getRequests(buffers);
    Allocation allocation = allocate(requests, isa::bufferAlignment, getCapacity(target, space));
    if (allocation.peakBytes > getCapacity(target, space))
      return emitDoesNotFit(kernel, target, space, allocation.peakBytes, buffers);

    Builder builder(kernel.getContext());
    for (auto [offset, buffer] : llvm::zip_equal(allocation.offsets, buffers))
      buffer.alloc->setAttr(kOffsetAttrName, builder.getI64IntegerAttr(offset));
    remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("PlannedMemory")
                                          .category("npu-plan-memory")
                                          .function(kernel.getSymName()))
        << remark::metric("memory", stringifyEnum(space))
        << remark::metric("peakBytes", allocation.peakBytes)
        << remark::metric("capacityBytes", getCapacity(target, space))
        << remark::metric("buffers", static_cast<int64_t>(buffers.size()));
    return allocation.peakBytes;
  }
};
} // namespace
