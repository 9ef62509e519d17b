//===- VerifyTileForm.cpp - the contract of tile form ---------------------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPUVERIFYTILEFORM
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

static LogicalResult verifyTileSignature(KernelOp kernel) {
  bool isAfterOutput = false, hasOutput = false;
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        getMemorySpace(type) != MemorySpace::Dram)
      return kernel.emitOpError("expected argument ")
             << index << " to be a static memref in #npu.space<dram> but found "
             << argument.getType() << "; lower the kernel to tile form first";
    bool isOutput = kernel.isOutput(index);
    if (isAfterOutput && !isOutput)
      return kernel.emitOpError("expected inputs before outputs but argument ")
             << index << " is an input";
    isAfterOutput = isOutput;
    hasOutput |= isOutput;
  }
  if (!hasOutput)
    return kernel.emitOpError("expected at least one argument with '")
           << KernelOp::kOutputAttrName << "' but found none";
  return success();
}

/// One or two dimensions from 0 in steps of 1 to a constant.
static LogicalResult verifyClusterLoop(scf::ForallOp loop) {
  if (!llvm::isa<KernelOp>(loop->getParentOp()))
    return loop.emitOpError("expected loops over clusters in the kernel itself");
  std::optional<SmallVector<int64_t>> bounds = getConstantIntValues(loop.getMixedUpperBound());
  if (!loop.isNormalized() || !bounds || bounds->empty() || bounds->size() > kMaxClusterDims ||
      llvm::any_of(*bounds, [](int64_t bound) { return bound < 1; }) || loop.getNumResults() != 0)
    return loop.emitOpError("expected one or two normalized dimensions with constant bounds and no "
                            "results");
  return success();
}

/// The buffer or view is static and in sram or acc.
static LogicalResult verifyOnChip(Operation *op, Value value) {
  auto type = cast<MemRefType>(value.getType());
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (type.hasStaticShape() && space && *space != MemorySpace::Dram &&
      isa_and_nonnull<memref::AllocOp, memref::SubViewOp, PreviousOp>(value.getDefiningOp()))
    return success();
  return op->emitOpError("expected a static on-chip buffer or a view of one but found ") << type;
}

static LogicalResult verifyDmaRank(Operation *op, MemRefType type) {
  if (type.getRank() <= isa::maxDmaDims)
    return success();
  return op->emitOpError("expected at most ")
         << isa::maxDmaDims << " on-chip dimensions but found " << type.getRank();
}

/// Whether an index value follows from `counter`.
static bool dependsOn(Value value, Value counter) {
  Operation *op = value.getDefiningOp();
  return value == counter || (op && llvm::any_of(op->getOperands(), [&](Value operand) {
                                return dependsOn(operand, counter);
                              }));
}

/// One transfer for all clusters of the loop around it loads the same for each.
static LogicalResult verifyMulticast(DmaLoadOp load) {
  if (!load.getClusters())
    return success();
  auto clusters = load->getParentOfType<scf::ForallOp>();
  int64_t receivers = std::max(*load.getClusters(), load.getLeader() + 1);
  if (!clusters || getClusterCount(load) < receivers)
    return load.emitOpError("expected a loop over the ")
           << receivers << " clusters that receive the data";
  for (Value value : llvm::concat<Value>(load.getOrigin(), load.getExtents()))
    if (llvm::any_of(clusters.getInductionVars(),
                     [&](Value counter) { return dependsOn(value, counter); }))
      return load.emitOpError("expected the same box for each of the ")
             << *load.getClusters() << " clusters that receive it; drop 'clusters'";
  return success();
}

static LogicalResult verifyComputeOp(NPUComputeOpInterface op) {
  assert(op.hasBufferForm() && "nothing in tile form works on tensors");
  for (OpOperand *operand : op.getDataOperands())
    if (failed(verifyOnChip(op, operand->get())))
      return failure();
  if (OpOperand *scratch = op.getScratchOperand())
    if (failed(verifyOnChip(op, scratch->get())))
      return failure();
  return op.verifyOnTile();
}

/// On-chip buffers anywhere; in DRAM, scratch memory of the whole kernel.
static LogicalResult verifyAlloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !space)
    return alloc.emitOpError("expected a static buffer in #npu.space<sram>, <acc> or <dram> but "
                             "found ")
           << type;
  if (*space == MemorySpace::Dram && alloc->getParentOfType<LoopLikeOpInterface>())
    return alloc.emitOpError("expected buffers in DRAM to be allocated outside all loops");
  return success();
}

/// Memory in DRAM may be seen as a tensor of any type.
static LogicalResult verifyView(memref::ViewOp view) {
  MemRefType type = view.getType();
  if (!type.hasStaticShape() || getMemorySpace(type) != MemorySpace::Dram)
    return view.emitOpError("expected a static view of bytes in #npu.space<dram> but found ")
           << type;
  if (getConstantIntValue(view.getByteShift()) != 0)
    return view.emitOpError("expected a view from the first byte on");
  return success();
}

/// Whether an index value is a constant, a loop counter, or affine in those.
static bool isAffineIndex(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return llvm::isa<scf::ForOp, scf::ForallOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (llvm::isa<arith::ConstantOp>(op))
    return true;
  return llvm::isa<affine::AffineApplyOp, affine::AffineMinOp>(op) &&
         llvm::all_of(op->getOperands(), isAffineIndex);
}

static LogicalResult verifyOp(Operation *op) {
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex() && !isAffineIndex(operand))
      return op->emitOpError("expected index values affine in loop counters");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](scf::ForOp loop) { return LogicalResult(expectTripCount(loop)); })
      .Case([](scf::ForallOp loop) { return verifyClusterLoop(loop); })
      .Case([](NPUComputeOpInterface compute) { return verifyComputeOp(compute); })
      .Case([](memref::AllocOp alloc) { return verifyAlloc(alloc); })
      .Case([](DmaLoadOp load) {
        if (failed(verifyOnChip(load, load.getDst())) || failed(verifyMulticast(load)))
          return LogicalResult(failure());
        return verifyDmaRank(load, load.getDst().getType());
      })
      .Case([](DmaGatherOp gather) {
        if (failed(verifyOnChip(gather, gather.getDst())) ||
            failed(verifyOnChip(gather, gather.getIndices())))
          return LogicalResult(failure());
        return verifyDmaRank(gather, gather.getDst().getType());
      })
      .Case([](DmaStoreOp store) {
        if (failed(verifyOnChip(store, store.getSrc())))
          return LogicalResult(failure());
        return verifyDmaRank(store, store.getSrc().getType());
      })
      .Case([](memref::ViewOp view) { return verifyView(view); })
      .Case([](FillOp fill) { return verifyOnChip(fill, fill.getDst()); })
      .Case<affine::AffineApplyOp, affine::AffineMinOp, arith::ConstantOp, memref::SubViewOp,
            scf::InParallelOp, scf::YieldOp, PreviousOp, ReturnOp>(
          [](Operation *) { return success(); })
      .Default([](Operation *other) {
        return other->emitOpError("is not part of tile form, expected loops, buffers and views of "
                                  "them, index computations and ops of the engines");
      });
}

LogicalResult npu::verifyTileOps(KernelOp kernel) {
  WalkResult result = kernel.getBody().walk<WalkOrder::PreOrder>([](Operation *op) {
    return failed(verifyOp(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The buffers must fit with one slot each: npu-fit-buffers shortens the rings that do not.
static LogicalResult verifyFootprint(KernelOp kernel) {
  FailureOr<TargetDesc> target = getTarget(kernel);
  if (failed(target))
    return failure();
  for (MemorySpace space : {MemorySpace::Sram, MemorySpace::Acc}) {
    SmallVector<PlannedBuffer> buffers = collectBuffers(kernel, space);
    for (PlannedBuffer &buffer : buffers)
      buffer.depth = 1;
    int64_t needed = getLivePeak(getRequests(buffers), isa::bufferAlignment);
    if (needed > getCapacity(*target, space))
      return emitDoesNotFit(kernel, *target, space, needed, buffers);
  }
  return success();
}

namespace {
struct VerifyTileForm : npu::impl::NPUVerifyTileFormBase<VerifyTileForm> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyTileSignature(kernel)) || failed(expectTileForm(kernel)) ||
        failed(verifyFootprint(kernel)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
