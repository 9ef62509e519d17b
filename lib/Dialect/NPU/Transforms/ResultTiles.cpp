//===- ResultTiles.cpp - results that leave the accumulators --------------===//

#include "ResultTiles.h"

#include "BufferUsage.h"
#include "IterationBoxes.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npu;

/// Whether both are computed alike of the same values.
static bool areEqual(Value a, Value b) {
  Operation *op = a.getDefiningOp(), *other = b.getDefiningOp();
  return a == b ||
         (op && other && isPure(op) &&
          OperationEquivalence::isEquivalentTo(op, other, OperationEquivalence::IgnoreLocations));
}

bool npu::writesAll(NPUComputeOpInterface writer, DmaStoreOp store) {
  if (writer.getEngine() != Engine::Vpu || writer.getDestinationOperand().get() != store.getSrc() ||
      llvm::is_contained(writer.getIteratorTypes(), utils::IteratorType::reduction))
    return false;
  OperandRange written = writer.getTileExtents(), stored = store.getExtents();
  if (written.empty())
    return true;
  AffineMap map = writer.getIndexingMapsArray().back();
  return !stored.empty() &&
         llvm::all_of(llvm::zip_equal(map.getResults(), stored), [&](auto entry) {
           auto [expr, extent] = entry;
           auto dim = dyn_cast<AffineDimExpr>(expr);
           return dim && areEqual(written[dim.getPosition()], extent);
         });
}

/// Whether `isMeant` is true of an access to `buffer` by an op in `op`, or by `op` itself.
static bool hasAccess(Operation *op, Value buffer,
                      llvm::function_ref<bool(const BufferAccess &)> isMeant) {
  return op
      ->walk([&](Operation *inner) {
        bool isFound = getExecutingEngine(inner) &&
                       llvm::any_of(getBufferAccesses(inner), [&](const BufferAccess &access) {
                         return access.buffer == buffer && isMeant(access);
                       });
        return isFound ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether no iteration of the loops around the store sees what another one left in the buffer.
static bool isOfOneIteration(DmaStoreOp store, Value root) {
  if (llvm::any_of(root.getUsers(), llvm::IsaPred<PreviousOp>))
    return false;
  SmallVector<scf::ForOp> loops = getLoopsAround(store);
  size_t numAround = getLoopsAround(root.getDefiningOp()).size();
  if (loops.size() == numAround)
    return true;
  // Each has a part of its own, which is all that it sees.
  if (!getMovingPart(store.getSrc()))
    return false;
  scf::ForOp outermost = loops[loops.size() - numAround - 1];
  return !hasAccess(outermost, root, [&](const BufferAccess &access) {
    return !areEqual(access.memref, store.getSrc());
  });
}

/// The op that computes all of what is stored, which nothing uses afterwards; null if there is
/// none.
static NPUComputeOpInterface findLastWriter(DmaStoreOp store) {
  Value root = getRootBuffer(store.getSrc());
  auto touches = [&](Operation *op) {
    return hasAccess(op, root, [](const BufferAccess &) { return true; });
  };
  Operation *last = store->getPrevNode();
  while (last && !touches(last))
    last = last->getPrevNode();
  auto writer = dyn_cast_or_null<NPUComputeOpInterface>(last);
  if (!writer || !writesAll(writer, store) || !isOfOneIteration(store, root))
    return {};
  // What is behind the store, here or around the loops that it is in, may read the sums.
  for (Operation *place = store; !llvm::isa<KernelOp>(place); place = place->getParentOp())
    for (Operation *next = place->getNextNode(); next; next = next->getNextNode())
      if (touches(next))
        return {};
  return writer;
}

SmallVector<ResultTile> npu::moveResultsToSram(KernelOp kernel) {
  llvm::SmallDenseSet<Value> loaded;
  kernel.walk([&](DmaLoadOp load) { loaded.insert(getRootBuffer(load.getSrc())); });
  SmallVector<ResultTile> tiles;
  kernel.walk([&](DmaStoreOp store) {
    MemRefType type = store.getSrc().getType();
    if (getMemorySpace(type) != MemorySpace::Acc || !loaded.contains(getRootBuffer(store.getDst())))
      return;
    NPUComputeOpInterface writer = findLastWriter(store);
    if (!writer)
      return;
    OpBuilder builder(writer);
    auto inSram = memref::AllocOp::create(
        builder, store.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
                        MemorySpaceAttr::get(kernel.getContext(), MemorySpace::Sram)));
    tiles.push_back({store, &writer.getDestinationOperand(), store.getSrc(), inSram});
    tiles.back().destination->set(inSram);
    store.getSrcMutable().assign(inSram);
  });
  return tiles;
}

void npu::moveBack(const ResultTile &tile) {
  tile.destination->set(tile.inAcc);
  DmaStoreOp(tile.store).getSrcMutable().assign(tile.inAcc);
  memref::AllocOp(tile.inSram).erase();
}
