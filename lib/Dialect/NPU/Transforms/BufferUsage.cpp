//===- BufferUsage.cpp - on-chip buffers and the ops that access them -----===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/TileSearch.h"
#include "NPU/Target/ISA/Limits.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

std::optional<Engine> npu::getExecutingEngine(Operation *op) {
  if (auto compute = dyn_cast<NPUComputeOpInterface>(op))
    return compute.getEngine();
  if (llvm::isa<FillOp>(op))
    return Engine::Vpu;
  if (llvm::isa<DmaLoadOp, DmaGatherOp>(op))
    return Engine::Dmai;
  if (llvm::isa<DmaStoreOp>(op))
    return Engine::Dmao;
  return std::nullopt;
}

/// How many iterations ago the instance was made that `memref` is a view of.
static int64_t getShift(Value memref) {
  int64_t shift = 0;
  for (; auto view = memref.getDefiningOp<ViewLikeOpInterface>(); memref = view.getViewSource())
    shift += llvm::isa<PreviousOp>(view);
  return shift;
}

Value npu::getRootBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

void npu::updateViews(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    Type type;
    if (auto view = dyn_cast<memref::SubViewOp>(user))
      type = memref::SubViewOp::inferRankReducedResultType(
          view.getType().getShape(), view.getSourceType(), view.getMixedOffsets(),
          view.getMixedSizes(), view.getMixedStrides());
    else if (llvm::isa<PreviousOp>(user))
      type = buffer.getType();
    else
      continue;
    user->getResult(0).setType(type);
    updateViews(user->getResult(0));
  }
}

SmallVector<BufferAccess> npu::getBufferAccesses(Operation *op) {
  SmallVector<BufferAccess> accesses;
  auto add = [&](Value memref, bool writes) {
    accesses.push_back({getRootBuffer(memref), memref, writes, getShift(memref)});
  };
  if (auto load = dyn_cast<DmaLoadOp>(op)) {
    add(load.getSrc(), false);
    add(load.getDst(), true);
  } else if (auto gather = dyn_cast<DmaGatherOp>(op)) {
    add(gather.getSrc(), false);
    add(gather.getIndices(), false);
    add(gather.getDst(), true);
  } else if (auto store = dyn_cast<DmaStoreOp>(op)) {
    add(store.getSrc(), false);
    add(store.getDst(), true);
  } else if (auto fill = dyn_cast<FillOp>(op)) {
    add(fill.getDst(), true);
  } else if (auto compute = dyn_cast<NPUComputeOpInterface>(op)) {
    for (OpOperand *operand : compute.getDataOperands())
      add(operand->get(), operand == &compute.getDestinationOperand());
    if (OpOperand *scratch = compute.getScratchOperand())
      add(scratch->get(), true);
  }
  return accesses;
}

SmallVector<Operation *> npu::getEngineUsers(Value buffer) {
  SmallVector<Operation *> users;
  for (Operation *user : buffer.getUsers()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      llvm::append_range(users, getEngineUsers(view.getViewDest()));
    else
      users.push_back(user);
  }
  return users;
}

int64_t npu::getSlotBytes(MemRefType type) { return tile::getSlotBytes(getByteSize(type)); }

bool npu::isDramAllocation(Operation *op) {
  auto alloc = dyn_cast<memref::AllocOp>(op);
  return alloc && getMemorySpace(alloc.getType()) == MemorySpace::Dram;
}

SmallVector<Operation *> npu::getNest(KernelOp kernel) {
  SmallVector<Operation *> nest;
  auto add = [&](Operation &op) { nest.push_back(&op); };
  for (Operation &op : kernel.getBody().front()) {
    if (auto clusters = dyn_cast<scf::ForallOp>(op))
      llvm::for_each(clusters.getBody()->without_terminator(), add);
    else
      add(op);
  }
  return nest;
}

Operation *npu::getNestOp(Operation *op) {
  while (!llvm::isa<KernelOp, scf::ForallOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

SmallVector<int64_t> npu::getClusterShape(scf::ForallOp clusters) {
  return *getConstantIntValues(clusters.getMixedUpperBound());
}

int64_t npu::getClusterIndex(BlockArgument counter, int64_t cluster) {
  auto clusters = cast<scf::ForallOp>(counter.getOwner()->getParentOp());
  return delinearize(cluster, computeStrides(getClusterShape(clusters)))[counter.getArgNumber()];
}

int64_t npu::getClusterCount(Operation *op) {
  auto clusters = op->getParentOfType<scf::ForallOp>();
  return clusters ? computeProduct(getClusterShape(clusters)) : 1;
}

SmallVector<scf::ForOp> npu::getLoopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.push_back(loop);
  return loops;
}

int64_t npu::getIterations(Operation *op) {
  int64_t iterations = 1;
  for (scf::ForOp loop : getLoopsAround(op))
    iterations *= *getTripCount(loop);
  return iterations;
}

AffineExpr npu::getFirstIteration(Operation *op, SmallVectorImpl<Value> &counters) {
  AffineExpr isFirst = getAffineConstantExpr(1, op->getContext());
  for (scf::ForOp loop : getLoopsAround(op)) {
    isFirst = isFirst - getAffineDimExpr(counters.size(), op->getContext());
    counters.push_back(loop.getInductionVar());
  }
  return isFirst;
}

static int64_t getMostClusters(Value memref) {
  int64_t count = 1;
  for (Operation *user : memref.getUsers()) {
    count = std::max(count, getClusterCount(user));
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      count = std::max(count, getMostClusters(view.getViewDest()));
  }
  return count;
}

int64_t npu::getOwners(memref::AllocOp alloc) {
  return alloc->getParentOfType<scf::ForallOp>() ? getClusterCount(alloc) : getMostClusters(alloc);
}

int64_t npu::getRingDepth(memref::AllocOp alloc) {
  auto depth = alloc->getAttrOfType<IntegerAttr>(kBuffersAttrName);
  return depth ? depth.getInt() : 1;
}

FailureOr<TargetDesc> npu::getTarget(KernelOp kernel) {
  TargetAttr attr = kernel.getTargetAttr();
  if (!attr)
    return kernel.emitOpError(
        "expected a 'target' attribute, as in target = #npu.target<\"npu-v1\">");
  llvm::Expected<TargetDesc> target = parseTarget(attr.getName());
  if (!target)
    return kernel.emitOpError() << llvm::toString(target.takeError());
  return *target;
}

SmallVector<PlannedBuffer> npu::collectBuffers(KernelOp kernel, MemorySpace space) {
  DenseMap<Operation *, int64_t> positions;
  for (auto [position, op] : llvm::enumerate(getNest(kernel)))
    positions[op] = position;
  llvm::MapVector<Operation *, PlannedBuffer> buffers;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto touch = [&](Value buffer) {
      auto known = buffers.find(buffer.getDefiningOp());
      if (known == buffers.end())
        return;
      int64_t position = positions.lookup(getNestOp(op));
      known->second.lower = std::min(known->second.lower, position);
      known->second.upper = std::max(known->second.upper, position + 1);
    };
    if (auto alloc = dyn_cast<memref::AllocOp>(op);
        alloc && getMemorySpace(alloc.getType()) == space) {
      // Lives are those of its accesses.
      buffers.insert({op,
                      {alloc, getSlotBytes(alloc.getType()), getRingDepth(alloc),
                       std::numeric_limits<int64_t>::max(), 0}});
    } else if (getExecutingEngine(op)) {
      for (const BufferAccess &access : getBufferAccesses(op))
        touch(access.buffer);
    }
  });
  SmallVector<PlannedBuffer> result;
  for (auto &[op, buffer] : buffers) {
    if (buffer.upper == 0) // not used
      buffer.lower = 0, buffer.upper = 1;
    result.push_back(buffer);
  }
  return result;
}

std::vector<int64_t> npu::getLiveBytes(KernelOp kernel, ArrayRef<PlannedBuffer> buffers) {
  std::vector<int64_t> live(getNest(kernel).size());
  for (const PlannedBuffer &buffer : buffers)
    for (int64_t position = buffer.lower; position < buffer.upper; ++position)
      live[position] += buffer.getBytes();
  return live;
}

/// Whether a nest brings something on chip, and does nothing else.
static bool onlyLoads(Operation *nest) {
  return !nest->walk([](Operation *op) {
                return !getExecutingEngine(op) || llvm::isa<DmaLoadOp>(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void npu::extendLives(KernelOp kernel, int64_t limit, MutableArrayRef<PlannedBuffer> buffers) {
  std::vector<int64_t> loops; // positions
  for (auto [position, op] : llvm::enumerate(getNest(kernel)))
    if (llvm::isa<scf::ForOp>(op) && !onlyLoads(op))
      loops.push_back(position);
  std::vector<int64_t> live = getLiveBytes(kernel, buffers);
  SmallVector<std::pair<int64_t, PlannedBuffer *>> order;
  for (PlannedBuffer &buffer : buffers)
    order.push_back({buffer.lower, &buffer});
  llvm::sort(order);
  for (const auto &entry : order) {
    PlannedBuffer *buffer = entry.second;
    auto next = llvm::lower_bound(loops, buffer->lower);
    if (next == loops.begin())
      continue;
    int64_t begin = *std::prev(next);
    auto before = MutableArrayRef(live).slice(begin, buffer->lower - begin);
    if (llvm::any_of(before, [&](int64_t bytes) { return bytes + buffer->getBytes() > limit; }))
      continue;
    for (int64_t &bytes : before)
      bytes += buffer->getBytes();
    buffer->lower = begin;
  }
}

int64_t npu::getCapacity(const TargetDesc &target, MemorySpace space) {
  return space == MemorySpace::Acc ? target.accBytes : target.sramBytes;
}

std::vector<AllocationRequest> npu::getRequests(ArrayRef<PlannedBuffer> buffers) {
  std::vector<AllocationRequest> requests;
  for (const PlannedBuffer &buffer : buffers)
    requests.push_back({buffer.lower, buffer.upper, buffer.getBytes()});
  return requests;
}

LogicalResult npu::emitDoesNotFit(KernelOp kernel, const TargetDesc &target, MemorySpace space,
                                  int64_t required, ArrayRef<PlannedBuffer> buffers) {
  InFlightDiagnostic diagnostic = kernel.emitOpError()
                                  << "requires " << required << " bytes of " << stringifyEnum(space)
                                  << " but target '" << target.name << "' has "
                                  << getCapacity(target, space) << ", choose smaller tiles";
  int64_t moment = 0;
  getLivePeak(getRequests(buffers), isa::bufferAlignment, &moment);
  for (const PlannedBuffer &buffer : buffers)
    if (buffer.lower <= moment && moment < buffer.upper)
      diagnostic.attachNote(buffer.getLoc())
          << "live at the peak: " << buffer.slotBytes << " bytes x " << buffer.depth << " for "
          << buffer.getType();
  return diagnostic;
}
