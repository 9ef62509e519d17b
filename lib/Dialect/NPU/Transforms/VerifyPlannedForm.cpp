//===- VerifyPlannedForm.cpp - check that a kernel is in planned form -----===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace npu {
#define GEN_PASS_DEF_NPUVERIFYPLANNEDFORM
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

static LogicalResult verifyStreamOp(Operation *op, Engine engine) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return expectTripCount(loop);
  if (auto ring = dyn_cast<RingOp>(op)) {
    if (!ring.getOffset())
      return ring.emitOpError(
          "expected an offset, run npu-plan-memory before npu-pipeline-streams");
    return success();
  }
  if (std::optional<Engine> executing = getExecutingEngine(op)) {
    if (*executing != engine)
      return op->emitOpError("runs on ")
             << stringifyEnum(*executing) << " but stands in a stream of " << stringifyEnum(engine);
    return success();
  }
  if (op->hasTrait<OpTrait::IsTerminator>() || op->hasTrait<OpTrait::ConstantLike>() ||
      llvm::isa<WaitOp, SignalOp, affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
                ViewLikeOpInterface>(op))
    return success();
  return op->emitOpError("is not part of planned form, expected loops, rings, views, index "
                         "computations, semaphore ops and ops of the stream's engine");
}

LogicalResult npu::verifyPlannedOps(KernelOp kernel) {
  DenseMap<std::pair<int64_t, int64_t>, StreamOp> seen;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (isDramAllocation(&op)) {
      auto offset = op.getAttrOfType<IntegerAttr>(kOffsetAttrName);
      if (offset && offset.getInt() >= 0)
        continue;
      return op.emitOpError("expected its place in the program's scratch memory as 'npu.offset'; "
                            "run npu-plan-memory");
    }
    auto stream = dyn_cast<StreamOp>(op);
    if (!stream)
      return op.emitOpError("is not part of planned form, expected only npu.stream and buffers in "
                            "DRAM in the kernel");
    auto [it, inserted] =
        seen.insert({{stream.getCluster(), static_cast<int64_t>(stream.getEngine())}, stream});
    if (!inserted) {
      InFlightDiagnostic diagnostic = stream.emitOpError("is a second stream of its engine");
      diagnostic.attachNote(it->second.getLoc()) << "the first is here";
      return diagnostic;
    }
    WalkResult result = stream.getBody().walk([&](Operation *inner) {
      return failed(verifyStreamOp(inner, stream.getEngine())) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

static LogicalResult verifyCluster(StreamOp stream, const TargetDesc &target) {
  if (static_cast<int64_t>(stream.getCluster()) < target.clusters)
    return success();
  return stream.emitOpError("is for cluster ")
         << stream.getCluster() << " but target '" << target.name << "' has " << target.clusters;
}

/// What several clusters receive, their leader loads.
static LogicalResult verifyMulticast(DmaLoadOp load, const TargetDesc &target) {
  if (!load.getClusters())
    return success();
  int64_t receivers = std::max(*load.getClusters(), load.getLeader() + 1);
  if (receivers > target.clusters)
    return load.emitOpError("is for ")
           << receivers << " clusters but target '" << target.name << "' has " << target.clusters;
  if (load->getParentOfType<StreamOp>().getCluster() != load.getLeader())
    return load.emitOpError("expected a transfer for several clusters in a stream of cluster ")
           << load.getLeader() << ", its leader";
  return success();
}

/// Every slot lies in the memory, and in the part of it that the plan says.
static LogicalResult verifyRing(RingOp ring, const TargetDesc &target, PlannedBytesAttr planned) {
  MemorySpace space = *getMemorySpace(ring.getBuffer().getType());
  int64_t end = *ring.getOffset() + ring.getDepth() * ring.getSlotBytes();
  if (end > getCapacity(target, space))
    return ring.emitOpError("ends at byte ")
           << end << " of " << stringifyEnum(space) << " but target '" << target.name << "' has "
           << getCapacity(target, space);
  if (planned && end > (space == MemorySpace::Acc ? planned.getAcc() : planned.getSram()))
    return ring.emitOpError("ends at byte ") << end << " of " << stringifyEnum(space)
                                             << ", beyond what 'planned_bytes' says: " << planned;
  return success();
}

namespace {
struct VerifyPlannedForm : public npu::impl::NPUVerifyPlannedFormBase<VerifyPlannedForm> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult verify(KernelOp kernel) {
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(target) || failed(expectPlannedForm(kernel)))
      return failure();
    WalkResult result = kernel.walk([&](Operation *op) {
      auto stream = dyn_cast<StreamOp>(op);
      auto ring = dyn_cast<RingOp>(op);
      auto load = dyn_cast<DmaLoadOp>(op);
      bool isValid = (!stream || succeeded(verifyCluster(stream, *target))) &&
                     (!load || succeeded(verifyMulticast(load, *target))) &&
                     (!ring || succeeded(verifyRing(ring, *target, kernel.getPlannedBytesAttr())));
      return isValid ? WalkResult::advance() : WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
