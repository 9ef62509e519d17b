//===- NPUToNPUISA.cpp - planned kernels to programs ----------------------===//
//
// One op becomes one instruction (a few need two), loops become `loop` and `endloop`, waits and
// signals around an op become part of its instruction. Nothing is decided here.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu {
#define GEN_PASS_DEF_CONVERTNPUTONPUISA
#include "NPU/Conversion/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
/// Builds the instructions of one stream.
class StreamBuilder {
public:
  StreamBuilder(const TargetDesc &target, const DenseMap<Value, DramPlace> &dram,
                OpBuilder &builder)
      : context{target, scope, dram}, builder(builder) {}

  LogicalResult build(StreamOp stream) {
    if (failed(addBlock(stream.getBody().front())))
      return failure();
    return emit(stream, isa::Halt());
  }

private:
  /// An op's instructions wait until the signals behind the op are known.
  struct Pending {
    Operation *op = nullptr;
    Code code;
    SmallVector<int64_t> signals;
  };
  struct Wait {
    int64_t semaphore;
    isa::Affine value;
  };

  LogicalResult addBlock(Block &block);
  LogicalResult addLoop(scf::ForOp loop);
  LogicalResult addWork(Operation *op);
  FailureOr<Code> lower(Operation *op);

  /// Emits what is pending: waits without an op, or an op with its waits and signals.
  LogicalResult flush(Operation *at);
  LogicalResult emit(Operation *op, const isa::Instruction &instruction);

  LoopScope scope;
  LoweringContext context;
  OpBuilder &builder;
  SmallVector<Wait> waits;
  Pending pending;
};
} // namespace

LogicalResult StreamBuilder::emit(Operation *op, const isa::Instruction &instruction) {
  if (llvm::Error error = isa::checkInstruction(instruction))
    return op->emitOpError("does not fit its instruction: ") << llvm::toString(std::move(error));
  isa::createInstruction(builder, op->getLoc(), instruction);
  return success();
}

LogicalResult StreamBuilder::flush(Operation *at) {
  if (waits.empty() && !pending.op && pending.signals.empty())
    return success();
  Pending work = std::move(pending);
  pending = Pending();
  SmallVector<Wait> waited = std::move(waits);
  waits.clear();
  if (work.code.empty())
    work.code.push_back(isa::Synchronize());
  Operation *op = work.op ? work.op : at;

  // An instruction waits for two semaphores and signals two; sync instructions take the rest.
  ArrayRef<Wait> restWaits = waited;
  auto takeWaits = [&](isa::Sync &sync) {
    if (!restWaits.empty()) {
      sync.wait0 = restWaits.front().semaphore;
      sync.value0 = restWaits.front().value;
      restWaits = restWaits.drop_front();
    }
    if (!restWaits.empty()) {
      sync.wait1 = restWaits.front().semaphore;
      sync.value1 = restWaits.front().value;
      restWaits = restWaits.drop_front();
    }
  };
  ArrayRef<int64_t> restSignals = work.signals;
  auto takeSignals = [&](isa::Sync &sync) {
    if (!restSignals.empty()) {
      sync.signal0 = restSignals.front();
      restSignals = restSignals.drop_front();
    }
    if (!restSignals.empty()) {
      sync.signal1 = restSignals.front();
      restSignals = restSignals.drop_front();
    }
  };
  while (restWaits.size() > 2) {
    isa::Synchronize sync;
    takeWaits(sync.sync);
    if (failed(emit(op, sync)))
      return failure();
  }
  takeWaits(*isa::getSync(work.code.front()));
  takeSignals(*isa::getSync(work.code.back()));
  for (const isa::Instruction &instruction : work.code)
    if (failed(emit(op, instruction)))
      return failure();
  while (!restSignals.empty()) {
    isa::Synchronize sync;
    takeSignals(sync.sync);
    if (failed(emit(op, sync)))
      return failure();
  }
  return success();
}

LogicalResult StreamBuilder::addLoop(scf::ForOp loop) {
  int64_t trips = *getTripCount(loop);
  if (scope.getDepth() == isa::maxLoopDepth)
    return loop.emitOpError("is nested deeper than ")
           << isa::maxLoopDepth << " loops, which is what a stream can have";
  isa::Loop begin;
  begin.count.trips = trips;
  if (failed(flush(loop)) || failed(emit(loop, begin)))
    return failure();
  scope.push(loop.getInductionVar(), trips);
  LogicalResult result = addBlock(*loop.getBody());
  scope.pop();
  if (failed(result))
    return failure();
  return emit(loop, isa::EndLoop());
}

LogicalResult StreamBuilder::addBlock(Block &block) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (failed(addLoop(loop)))
        return failure();
      continue;
    }
    if (auto wait = dyn_cast<WaitOp>(op)) {
      // A wait belongs to what follows it.
      if ((pending.op || !pending.signals.empty()) && failed(flush(wait)))
        return failure();
      FailureOr<isa::Affine> value = convertOffset(wait, wait.getValue(), scope);
      if (failed(value))
        return failure();
      if (wait.getSem() == 0)
        return wait.emitOpError("expected a semaphore from 1 on, 0 means none");
      waits.push_back({static_cast<int64_t>(wait.getSem()), *value});
      continue;
    }
    if (auto signal = dyn_cast<SignalOp>(op)) {
      if (signal.getSem() == 0)
        return signal.emitOpError("expected a semaphore from 1 on, 0 means none");
      pending.signals.push_back(signal.getSem());
      if (!pending.op)
        pending.op = signal;
      continue;
    }
    // The rest are values, which their users resolve.
    if (llvm::isa<NPUComputeOpInterface, DmaLoadOp, DmaGatherOp, DmaStoreOp, FillOp>(op))
      if (failed(addWork(&op)))
        return failure();
  }
  return flush(block.getParentOp());
}

LogicalResult StreamBuilder::addWork(Operation *op) {
  // Waits in front belong to this op, anything else to an earlier one.
  if (pending.op && failed(flush(op)))
    return failure();
  FailureOr<Code> code = lower(op);
  if (failed(code))
    return failure();
  pending.op = op;
  pending.code = std::move(*code);
  return success();
}

FailureOr<Code> StreamBuilder::lower(Operation *op) {
  return TypeSwitch<Operation *, FailureOr<Code>>(op)
      .Case([&](DmaLoadOp load) { return lowerDmaLoad(load, context); })
      .Case([&](DmaGatherOp gather) { return lowerDmaGather(gather, context); })
      .Case([&](DmaStoreOp store) { return lowerDmaStore(store, context); })
      .Case([&](MatmulOp matmul) { return lowerMatmul(matmul, context); })
      .Case([&](ConvOp conv) { return lowerConv(conv, context); })
      .Case([&](FillOp fill) { return lowerFill(fill, context); })
      .Default([&](Operation *other) {
        return lowerVectorOp(cast<NPUComputeOpInterface>(other), context);
      });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Appends the elements of `constant` as they lie in memory: row-major, little-endian, an i1 in a
/// byte. Networks have millions of weights: they are copied as a whole, and once.
static void appendBytes(SmallVectorImpl<char> &bytes, DenseElementsAttr constant) {
  static_assert(llvm::endianness::native == llvm::endianness::little);
  if (constant.getElementType().isInteger(1)) {
    llvm::append_range(bytes, constant.getValues<bool>());
    return;
  }
  ArrayRef<char> raw = constant.getRawData();
  if (!constant.isSplat()) {
    bytes.append(raw.begin(), raw.end());
    return;
  }
  size_t begin = bytes.size(), size = raw.size() * constant.getNumElements();
  bytes.resize_for_overwrite(begin + size);
  char *elements = bytes.data() + begin;
  std::memcpy(elements, raw.data(), std::min(raw.size(), size));
  // Each round copies all bytes so far behind themselves.
  for (size_t done = raw.size(); done < size; done *= 2)
    std::memcpy(elements + done, elements, std::min(done, size - done));
}

/// One region per argument that is no constant, in order, one for all constants in the place of the
/// first, and one for all buffers that the kernel allocates in DRAM.
static FailureOr<SmallVector<Attribute>> createRegions(KernelOp kernel,
                                                       DenseMap<Value, DramPlace> &dram) {
  MLIRContext *context = kernel.getContext();
  SmallVector<Attribute> regions;
  std::optional<unsigned> constantsRegion;
  SmallVector<char> constants;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat() ||
        getMemorySpace(type) != npu::MemorySpace::Dram)
      return kernel.emitOpError(
                 "expected arguments that are static buffers in #npu.space<dram> but "
                 "argument ")
             << argument.getArgNumber() << " is " << argument.getType();
    if (DenseElementsAttr constant = kernel.getConstant(argument.getArgNumber())) {
      if (!constantsRegion) {
        constantsRegion = regions.size();
        regions.emplace_back(); // when all are known
      }
      constants.resize(llvm::alignTo(constants.size(), isa::bufferAlignment));
      dram[argument] = {*constantsRegion, int64_t(constants.size())};
      appendBytes(constants, constant);
      continue;
    }
    dram[argument] = {unsigned(regions.size()), 0};
    isa::RegionKind kind = isa::RegionKind::Input;
    if (kernel.isInOut(argument.getArgNumber()))
      kind = isa::RegionKind::InOut;
    else if (kernel.isOutput(argument.getArgNumber()))
      kind = isa::RegionKind::Output;
    regions.push_back(isa::createRegion(context, kind, "arg" + Twine(argument.getArgNumber()),
                                        getByteSize(type)));
  }
  if (constantsRegion)
    regions[*constantsRegion] = isa::createRegion(context, isa::RegionKind::Constants, "constants",
                                                  constants.size(), constants);
  int64_t scratch = 0;
  for (auto alloc : kernel.getBody().front().getOps<memref::AllocOp>()) {
    int64_t offset = alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName).getInt();
    dram[alloc] = {unsigned(regions.size()), offset};
    scratch = std::max(scratch, offset + getByteSize(alloc.getType()));
  }
  if (scratch > 0)
    regions.push_back(isa::createRegion(context, isa::RegionKind::Scratch, "scratch", scratch));
  return regions;
}

/// What is known of the kernel's tiles and buffers; null if nothing is.
static isa::PlanAttr createPlan(KernelOp kernel) {
  TilingAttr tiling = kernel.getTilingAttr();
  PlannedBytesAttr bytes = kernel.getPlannedBytesAttr();
  if (!tiling && !bytes)
    return {};
  ScheduleAttr schedule = kernel.getScheduleAttr();
  return isa::PlanAttr::get(kernel.getContext(), tiling ? tiling.getDims() : ArrayRef<StringAttr>(),
                            tiling ? tiling.getSizes() : ArrayRef<int64_t>(),
                            schedule ? schedule.getCycles() : 0, bytes ? bytes.getSram() : 0,
                            bytes ? bytes.getAcc() : 0);
}

static LogicalResult convertKernel(KernelOp kernel) {
  TargetAttr targetAttr = kernel.getTargetAttr();
  if (!targetAttr)
    return kernel.emitOpError("expected a 'target' attribute");
  llvm::Expected<TargetDesc> target = parseTarget(targetAttr.getName());
  if (!target)
    return kernel.emitOpError() << llvm::toString(target.takeError());

  OpBuilder builder(kernel);
  DenseMap<Value, DramPlace> dram;
  FailureOr<SmallVector<Attribute>> regions = createRegions(kernel, dram);
  if (failed(regions))
    return failure();
  SmallVector<StreamOp> streams(kernel.getBody().front().getOps<StreamOp>());
  llvm::sort(streams, [](StreamOp a, StreamOp b) {
    return std::pair(a.getCluster(), a.getEngine()) < std::pair(b.getCluster(), b.getEngine());
  });

  auto program = isa::ProgramOp::create(builder, kernel.getLoc(), kernel.getSymName(),
                                        targetAttr.getName(), *regions);
  program.setPlanAttr(createPlan(kernel));
  builder.createBlock(&program.getBody());
  for (StreamOp stream : streams) {
    builder.setInsertionPointToEnd(&program.getBody().front());
    auto engine = isa::fromString<isa::EngineKind>(stringifyEnum(stream.getEngine()));
    auto code = isa::StreamOp::create(builder, stream.getLoc(), *engine, stream.getCluster());
    builder.createBlock(&code.getBody());
    if (failed(StreamBuilder(*target, dram, builder).build(stream)))
      return failure();
  }
  kernel.erase();
  return success();
}

namespace {
struct ConvertNPUToNPUISA : public npu::impl::ConvertNPUToNPUISABase<ConvertNPUToNPUISA> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      if (failed(expectPlannedForm(kernel)) || failed(convertKernel(kernel)))
        return signalPassFailure();
  }
};
} // namespace
