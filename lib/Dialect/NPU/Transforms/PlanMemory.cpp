//===- PlanMemory.cpp - assign byte offsets to on-chip rings --------------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

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
    if (failed(expectPlannedForm(kernel)) || failed(target))
      return signalPassFailure();
    FailureOr<int64_t> sram = planSpace(kernel, *target, MemorySpace::Sram);
    if (failed(sram))
      return signalPassFailure();
    FailureOr<int64_t> acc = planSpace(kernel, *target, MemorySpace::Acc);
    if (failed(acc))
      return signalPassFailure();
    Builder builder(kernel.getContext());
    kernel->setAttr(kPlannedBytesAttrName,
                    builder.getDictionaryAttr(
                        {builder.getNamedAttr("acc", builder.getI64IntegerAttr(*acc)),
                         builder.getNamedAttr("sram", builder.getI64IntegerAttr(*sram))}));
  }

private:
  /// Returns the bytes in use.
  static FailureOr<int64_t> planSpace(KernelOp kernel, const TargetDesc &target,
                                      MemorySpace space) {
    // Every cluster has the same buffers, at the same offsets.
    llvm::MapVector<int64_t, SmallVector<RingOp>> rings;
    WalkResult result = kernel.walk([&](RingOp ring) {
      if (getMemorySpace(ring.getBuffer().getType()) != space)
        return WalkResult::advance();
      SmallVector<RingOp> &same = rings[ring.getId()];
      if (!same.empty() && (same.front().getDepth() != ring.getDepth() ||
                            same.front().getSlotBytes() != ring.getSlotBytes())) {
        ring.emitOpError("expected the depth and slot size of the other rings with id ")
                .append(ring.getId())
                .attachNote(same.front().getLoc())
            << "the other ring is here";
        return WalkResult::interrupt();
      }
      same.push_back(ring);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();

    SmallVector<PlannedBuffer> buffers;
    for (auto &[id, same] : rings)
      buffers.push_back({same.front().getLoc(), same.front().getBuffer().getType(),
                         static_cast<int64_t>(same.front().getSlotBytes()),
                         static_cast<int64_t>(same.front().getDepth())});
    std::vector<AllocationRequest> requests = getRequests(buffers);
    Allocation allocation = allocate(requests, bufferAlignment, getCapacity(target, space));
    if (allocation.peakBytes > getCapacity(target, space))
      return emitDoesNotFit(kernel, target, space, allocation.peakBytes, buffers);

    OpBuilder builder(kernel.getContext());
    for (auto [offset, entry] : llvm::zip_equal(allocation.offsets, rings))
      for (RingOp ring : entry.second)
        ring.setOffsetAttr(builder.getI64IntegerAttr(offset));
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
