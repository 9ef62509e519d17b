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

static LogicalResult verifyRing(RingOp ring, const TargetDesc &target) {
  if (!ring.getOffset())
    return ring.emitOpError("is not in planned form, expected an offset");
  MemorySpace space = *getMemorySpace(ring.getBuffer().getType());
  int64_t end = *ring.getOffset() + ring.getDepth() * ring.getSlotBytes();
  if (end > getCapacity(target, space))
    return ring.emitOpError("ends at byte ")
           << end << " of " << stringifyEnum(space) << " but target '" << target.name << "' has "
           << getCapacity(target, space);
  return success();
}

static LogicalResult verifyStreamOp(Operation *op, Engine engine, const TargetDesc &target) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return expectTripCount(loop);
  if (auto ring = dyn_cast<RingOp>(op))
    return verifyRing(ring, target);
  if (std::optional<Engine> executing = getExecutingEngine(op)) {
    if (*executing != engine)
      return op->emitOpError("runs on ")
             << stringifyEnum(*executing) << " but stands in a stream of " << stringifyEnum(engine);
    return success();
  }
  if (op->hasTrait<OpTrait::IsTerminator>() || op->hasTrait<OpTrait::ConstantLike>() ||
      isa<WaitOp, SignalOp, affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
          ViewLikeOpInterface>(op))
    return success();
  return op->emitOpError("is not part of planned form, expected loops, rings, views, index "
                         "computations, semaphore ops and ops of the stream's engine");
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
    if (failed(target))
      return failure();
    DenseMap<std::pair<int64_t, int64_t>, StreamOp> seen;
    for (Operation &op : kernel.getBody().front().without_terminator()) {
      if (op.hasTrait<OpTrait::ConstantLike>() || isa<memref::AllocOp>(op))
        continue;
      auto stream = dyn_cast<StreamOp>(op);
      if (!stream)
        return op.emitOpError(
            "is not part of planned form, expected only npu.stream in the kernel");
      if (static_cast<int64_t>(stream.getCluster()) >= target->clusters)
        return stream.emitOpError("is for cluster ")
               << stream.getCluster() << " but target '" << target->name << "' has "
               << target->clusters;
      auto [it, inserted] =
          seen.insert({{stream.getCluster(), static_cast<int64_t>(stream.getEngine())}, stream});
      if (!inserted) {
        InFlightDiagnostic diagnostic = stream.emitOpError("is a second stream of its engine");
        diagnostic.attachNote(it->second.getLoc()) << "the first is here";
        return diagnostic;
      }
      WalkResult result = stream.getBody().walk([&](Operation *inner) {
        return failed(verifyStreamOp(inner, stream.getEngine(), *target)) ? WalkResult::interrupt()
                                                                          : WalkResult::advance();
      });
      if (result.wasInterrupted())
        return failure();
    }
    return success();
  }
};
} // namespace
