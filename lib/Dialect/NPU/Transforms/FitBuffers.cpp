//===- FitBuffers.cpp - reduce ring depths until the buffers fit ----------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Limits.h"

#include "mlir/IR/Remarks.h"

namespace npu {
#define GEN_PASS_DEF_NPUFITBUFFERS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// Instances of the buffer: iterations of the loops around it.
static int64_t countInstances(memref::AllocOp alloc) {
  constexpr int64_t plenty = int64_t(1) << 40; // more than any depth
  int64_t instances = 1;
  for (auto loop = alloc->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    instances = std::min<uint64_t>(
        llvm::SaturatingMultiply<uint64_t>(instances, *getTripCount(loop)), plenty);
  return instances;
}

namespace {
struct FitBuffers : public npu::impl::NPUFitBuffersBase<FitBuffers> {
  void runOnOperation() override {
    if (failed(expectTileForm(getOperation())) || failed(fit(getOperation())))
      signalPassFailure();
  }

private:
  static LogicalResult fit(KernelOp kernel) {
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(target))
      return failure();

    // Engines that touch each buffer, one bit each.
    DenseMap<Value, unsigned> engines;
    kernel.walk([&](Operation *op) {
      if (std::optional<Engine> engine = getExecutingEngine(op))
        for (const BufferAccess &access : getBufferAccesses(op))
          engines[access.buffer] |= 1u << static_cast<unsigned>(*engine);
    });
    kernel.walk([&](memref::AllocOp alloc) {
      if (isDramAllocation(alloc))
        return;
      // The ops of one engine are in order: they need no second slot.
      int64_t depth = llvm::popcount(engines[alloc]) < 2 ? 1 : getRingDepth(alloc);
      setDepth(alloc, std::max(std::min(depth, countInstances(alloc)), getLeastDepth(alloc)));
    });
    return success(succeeded(fitSpace(kernel, *target, MemorySpace::Sram)) &&
                   succeeded(fitSpace(kernel, *target, MemorySpace::Acc)));
  }

  /// Whether the fill writes a scalar in SRAM that nothing else writes.
  static bool isConstant(FillOp fill) {
    auto alloc = fill.getDst().getDefiningOp<memref::AllocOp>();
    return alloc && alloc.getType().getRank() == 0 && alloc->getBlock() == fill->getBlock() &&
           getMemorySpace(alloc.getType()) == MemorySpace::Sram &&
           llvm::all_of(alloc->getUsers(), [&](Operation *user) {
             return user == fill.getOperation() ||
                    (getExecutingEngine(user) &&
                     llvm::none_of(getBufferAccesses(user), [&](const BufferAccess &access) {
                       return access.buffer == alloc.getResult() && access.writes;
                     }));
           });
  }

  /// Writes constants right in front of each op of the nest that reads them, so that none lives
  /// from the first kernel to the last.
  static void sinkConstants(KernelOp kernel) {
    SmallVector<FillOp> fills;
    for (Operation *op : getNest(kernel))
      if (auto fill = dyn_cast<FillOp>(op); fill && isConstant(fill))
        fills.push_back(fill);
    for (FillOp fill : fills) {
      auto alloc = fill.getDst().getDefiningOp<memref::AllocOp>();
      DenseMap<Operation *, Value> copies; // by op of the nest
      for (OpOperand &use : llvm::make_early_inc_range(alloc->getUses())) {
        Operation *reader = getNestOp(use.getOwner());
        if (reader == fill)
          continue;
        Value &copy = copies[reader];
        if (!copy) {
          OpBuilder builder(reader);
          copy = builder.clone(*alloc)->getResult(0);
          FillOp::create(builder, fill.getLoc(), copy, fill.getValue());
        }
        use.set(copy);
      }
      fill.erase();
      alloc.erase();
    }
  }

  static LogicalResult fitSpace(KernelOp kernel, const TargetDesc &target, MemorySpace space) {
    if (space == MemorySpace::Sram &&
        getLivePeak(getRequests(collectBuffers(kernel, space)), isa::bufferAlignment) >
            getCapacity(target, space))
      sinkConstants(kernel);
    while (true) {
      SmallVector<PlannedBuffer> buffers = collectBuffers(kernel, space);
      memref::AllocOp largest;
      for (const PlannedBuffer &buffer : buffers)
        if (buffer.depth > getLeastDepth(buffer.alloc) &&
            (!largest || getSlotBytes(largest.getType()) < buffer.slotBytes))
          largest = buffer.alloc;
      int64_t required = getLivePeak(getRequests(buffers), isa::bufferAlignment);
      if (required <= getCapacity(target, space))
        return success();
      if (!largest)
        return emitDoesNotFit(kernel, target, space, required, buffers);
      int64_t depth = getRingDepth(largest) - 1;
      remark::analysis(largest.getLoc(),
                       remark::RemarkOpts::name("ReducedDepth").category("npu-fit-buffers"))
          << remark::add("ring depth reduced") << remark::metric("depth", depth)
          << remark::metric("requiredBytes", required);
      setDepth(largest, depth);
    }
  }

  /// Two for a buffer that the next iteration still reads.
  static int64_t getLeastDepth(memref::AllocOp alloc) {
    return llvm::any_of(alloc->getUsers(), llvm::IsaPred<PreviousOp>) ? 2 : 1;
  }

  static void setDepth(memref::AllocOp alloc, int64_t depth) {
    alloc->setAttr(kBuffersAttrName,
                   IntegerAttr::get(IntegerType::get(alloc.getContext(), 64), depth));
  }
};
} // namespace
