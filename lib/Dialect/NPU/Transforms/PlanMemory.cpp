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
    planScratch(kernel);
    kernel.setPlannedBytesAttr(PlannedBytesAttr::get(kernel.getContext(), *sram, *acc));
  }

private:
  static void setOffsets(const Allocation &allocation, ArrayRef<PlannedBuffer> buffers) {
    for (auto [offset, buffer] : llvm::zip_equal(allocation.offsets, buffers))
      memref::AllocOp(buffer.alloc)
          ->setAttr(kOffsetAttrName,
                    IntegerAttr::get(IntegerType::get(buffer.getType().getContext(), 64), offset));
  }

  /// Buffers in DRAM.
  static void planScratch(KernelOp kernel) {
    SmallVector<PlannedBuffer> buffers = collectBuffers(kernel, MemorySpace::Dram);
    setOffsets(allocate(getRequests(buffers), isa::bufferAlignment), buffers);
  }

  /// Returns the bytes in use. Every cluster has the same buffers, at the same offsets.
  static FailureOr<int64_t> planSpace(KernelOp kernel, const TargetDesc &target,
                                      MemorySpace space) {
    SmallVector<PlannedBuffer> buffers = collectBuffers(kernel, space);
    int64_t capacity = getCapacity(target, space);
    Allocation allocation;
    // Extended lives may fit at every moment and yet have no placement: with fewer of them it is
    // easier, and the last attempt has none.
    for (int64_t sixteenths : {16, 15, 14, 12, 8, 0}) {
      SmallVector<PlannedBuffer> extended(buffers);
      if (sixteenths > 0)
        extendLives(kernel, capacity / 16 * sixteenths, extended);
      allocation = allocate(getRequests(extended), isa::bufferAlignment, capacity);
      if (allocation.peakBytes <= capacity)
        break;
    }
    if (allocation.peakBytes > capacity)
      return emitDoesNotFit(kernel, target, space, allocation.peakBytes, buffers);

    setOffsets(allocation, buffers);
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
