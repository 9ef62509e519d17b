//===- VerifyTileForm.cpp - the contract of tile form ---------------------===//

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPUVERIFYTILEFORM
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

static constexpr int64_t kMaxDmaDims = 5;
static constexpr int64_t kMaxVectorDims = 4;

static LogicalResult verifySignature(KernelOp kernel) {
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

static LogicalResult verifyLoop(scf::ForOp loop) {
  std::optional<int64_t> trips = getConstantIntValue(loop.getUpperBound());
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1 ||
      !trips || *trips < 1)
    return loop.emitOpError("expected a loop from 0 by 1 to a positive constant");
  if (loop.getNumResults() != 0)
    return loop.emitOpError("expected no values carried by the loop but found ")
           << loop.getNumResults();
  return success();
}

/// Whether an index value is a constant, a loop counter, or affine in those.
static bool isAffineIndex(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return llvm::isa<scf::ForOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (llvm::isa<arith::ConstantOp>(op))
    return true;
  return llvm::isa<affine::AffineApplyOp, affine::AffineMinOp>(op) &&
         llvm::all_of(op->getOperands(), isAffineIndex);
}

/// The buffer or view is static and in sram or acc.
static LogicalResult verifyOnChip(Operation *op, Value value) {
  auto type = cast<MemRefType>(value.getType());
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (type.hasStaticShape() && space && *space != MemorySpace::Dram &&
      isa_and_nonnull<memref::AllocOp, memref::SubViewOp>(value.getDefiningOp()))
    return success();
  return op->emitOpError("expected a static on-chip buffer or a view of one but found ") << type;
}

static LogicalResult verifyDmaRank(Operation *op, MemRefType type) {
  if (type.getRank() <= kMaxDmaDims)
    return success();
  return op->emitOpError("expected at most ")
         << kMaxDmaDims << " on-chip dimensions but found " << type.getRank();
}

static LogicalResult verifyMxuOp(NPUComputeOpInterface op) {
  SmallVector<OpOperand *> operands = op.getDataOperands();
  MemorySpace expected[] = {MemorySpace::Sram, MemorySpace::Sram, MemorySpace::Acc};
  for (auto [operand, space] : llvm::zip(operands, expected)) {
    auto type = cast<MemRefType>(operand->get().getType());
    if (getMemorySpace(type) != space)
      return op->emitOpError("expected operand ")
             << operand->getOperandNumber() << " in #npu.space<" << stringifyMemorySpace(space)
             << "> but found " << type;
  }
  auto conv = dyn_cast<ConvOp>(*op);
  bool isDepthwise = conv && conv.isDepthwise();
  bool isPacked = conv ? conv.getPacked() : cast<MatmulOp>(*op).getPacked();
  if (isPacked == isDepthwise)
    return op->emitOpError(isDepthwise ? "expected an unpacked filter with a depthwise convolution"
                                       : "expected a packed second operand");
  if (conv && conv.hasPadding())
    return op->emitOpError("expected padding to be in the buffer, filled by the load");
  return success();
}

static LogicalResult verifyComputeOp(NPUComputeOpInterface op) {
  if (!op.hasBufferForm())
    return op->emitOpError("expected memrefs; lower the kernel to tile form first");
  for (OpOperand *operand : op.getDataOperands())
    if (failed(verifyOnChip(op, operand->get())))
      return failure();
  if (op.getEngine() == Engine::Mxu)
    return verifyMxuOp(op);
  int64_t rank = op.getIteratorTypes().size();
  if (rank > kMaxVectorDims)
    return op->emitOpError("expected at most ")
           << kMaxVectorDims << " dimensions but found " << rank;
  return success();
}

static LogicalResult verifyAlloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (type.hasStaticShape() && type.getLayout().isIdentity() && space &&
      *space != MemorySpace::Dram)
    return success();
  return alloc.emitOpError("expected a static buffer in #npu.space<sram> or #npu.space<acc> but "
                           "found ")
         << type;
}

static LogicalResult verifyOp(Operation *op) {
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex() && !isAffineIndex(operand))
      return op->emitOpError("expected index values affine in loop counters");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](scf::ForOp loop) { return verifyLoop(loop); })
      .Case([](NPUComputeOpInterface compute) { return verifyComputeOp(compute); })
      .Case([](memref::AllocOp alloc) { return verifyAlloc(alloc); })
      .Case([](DmaLoadOp load) {
        if (failed(verifyOnChip(load, load.getDst())))
          return LogicalResult(failure());
        return verifyDmaRank(load, load.getDst().getType());
      })
      .Case([](DmaStoreOp store) {
        if (failed(verifyOnChip(store, store.getSrc())))
          return LogicalResult(failure());
        return verifyDmaRank(store, store.getSrc().getType());
      })
      .Case<affine::AffineApplyOp, affine::AffineMinOp, arith::ConstantOp, memref::SubViewOp,
            scf::YieldOp, ReturnOp>([](Operation *) { return success(); })
      .Default([](Operation *other) { return other->emitOpError("is not part of tile form"); });
}

static int64_t getSlotBytes(MemRefType type) {
  int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return llvm::alignTo(bytes, tile::kBufferAlignment);
}

/// The buffers must fit with one slot each: npu-fit-buffers shortens the rings that do not.
static LogicalResult verifyFootprint(KernelOp kernel) {
  if (!kernel.getTargetAttr())
    return kernel.emitOpError("expected a 'target' attribute, e.g. #npu.target<\"npu-v1\">");
  llvm::Expected<TargetDesc> target = parseTarget(kernel.getTargetAttr().getName().getValue());
  if (!target)
    return kernel.emitOpError() << llvm::toString(target.takeError());
  int64_t sramBytes = 0, accBytes = 0;
  kernel.walk([&](memref::AllocOp alloc) {
    bool isAcc = getMemorySpace(alloc.getType()) == MemorySpace::Acc;
    (isAcc ? accBytes : sramBytes) += getSlotBytes(alloc.getType());
  });
  if (sramBytes > target->sramBytes)
    return kernel.emitOpError("needs ") << sramBytes << " bytes of SRAM, target '" << target->name
                                        << "' has " << target->sramBytes;
  if (accBytes > target->accBytes)
    return kernel.emitOpError("needs ") << accBytes << " bytes of accumulator memory, target '"
                                        << target->name << "' has " << target->accBytes;
  return success();
}

namespace {
struct VerifyTileForm : npu::impl::NPUVerifyTileFormBase<VerifyTileForm> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifySignature(kernel)))
      return signalPassFailure();
    WalkResult result = kernel.getBody().walk([](Operation *op) {
      return failed(verifyOp(op)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(verifyFootprint(kernel)))
      signalPassFailure();
  }
};
} // namespace
