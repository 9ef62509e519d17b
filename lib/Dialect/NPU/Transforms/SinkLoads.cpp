//===- SinkLoads.cpp - loads that wait behind loads that need not ---------===//
//
// A DMA engine does its transfers in order. What a kernel loads of the results of the one before it
// has to wait for these, and so would the loads behind it, as those of its weights, which are there
// all the time. So the first tile of these goes first.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace npu {
#define GEN_PASS_DEF_NPUSINKLOADS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
struct SinkLoads : public npu::impl::NPUSinkLoadsBase<SinkLoads> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(expectTileForm(kernel)))
      return signalPassFailure();
    positions.clear();
    stores.clear();
    SmallVector<DmaLoadOp> waiting;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      positions.try_emplace(op, positions.size());
      if (auto store = dyn_cast<DmaStoreOp>(op))
        stores[getRootBuffer(store.getDst())].push_back(store);
    });
    kernel.walk([&](DmaLoadOp load) {
      if (llvm::isa<scf::ForallOp, KernelOp>(load->getParentOp()) && waitsForOthers(load) &&
          getMemorySpace(load.getSrc().getType()) == MemorySpace::Dram)
        waiting.push_back(load);
    });
    // The last one of several goes first, so that they stay in order.
    for (DmaLoadOp load : llvm::reverse(waiting))
      if (DmaLoadOp first = findFirstInput(load))
        moveBehind(load, first);
  }

private:
  /// Whether it reads what another cluster has stored. One alone waits for itself alone.
  bool waitsForOthers(DmaLoadOp load) const {
    auto found = stores.find(getRootBuffer(load.getSrc()));
    return found != stores.end() &&
           (getClusterCount(load) > 1 || llvm::any_of(found->second, [](DmaStoreOp store) {
              return getClusterCount(store) > 1;
            }));
  }

  /// The first load in the next loop of what is given, if it comes before all that uses what `load`
  /// brings.
  DmaLoadOp findFirstInput(DmaLoadOp load) const {
    // A scalar has no extent that could be zero.
    if (load.getDst().getType().getRank() == 0 ||
        !getConstantIntValues(getAsOpFoldResult(load.getExtents())))
      return {};
    // What is stored between the two places is not what the load reads.
    Operation *next = load->getNextNode();
    while (next && !llvm::isa<scf::ForOp, scf::ForallOp>(next))
      next = next->getNextNode();
    if (!llvm::isa_and_nonnull<scf::ForOp>(next))
      return {};
    if (llvm::any_of(stores.at(getRootBuffer(load.getSrc())), [&](DmaStoreOp store) {
          unsigned position = positions.lookup(store);
          return next->isProperAncestor(store) ||
                 (positions.lookup(load) < position && position < positions.lookup(next));
        }))
      return {};
    DmaLoadOp first;
    next->walk<WalkOrder::PreOrder>([&](DmaLoadOp other) {
      bool isInput = getMemorySpace(other.getSrc().getType()) == MemorySpace::Dram &&
                     !stores.contains(getRootBuffer(other.getSrc()));
      if (isInput)
        first = other;
      return isInput ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!first)
      return {};
    bool isBefore =
        llvm::all_of(getEngineUsers(getRootBuffer(load.getDst())), [&](Operation *user) {
          return user == load || positions.lookup(user) > positions.lookup(first);
        });
    return isBefore ? first : DmaLoadOp();
  }

  /// Moves `load` behind `place`, where it brings something in the first iteration alone.
  static void moveBehind(DmaLoadOp load, DmaLoadOp place) {
    load->moveAfter(place);
    OpBuilder builder(load);
    Location loc = load.getLoc();
    SmallVector<int64_t> sizes(load.getDst().getType().getShape());
    if (!load.getExtents().empty())
      sizes = *getConstantIntValues(getAsOpFoldResult(load.getExtents()));
    SmallVector<Value> counters;
    AffineExpr size = builder.getAffineConstantExpr(sizes.front()),
               limit = getFirstIteration(load, counters) * size;
    AffineMap limits =
        simplifyAffineMap(AffineMap::get(counters.size(), 0, {limit, size}, builder.getContext()));
    SmallVector<Value> extents = {affine::AffineMinOp::create(builder, loc, limits, counters)};
    for (int64_t other : ArrayRef(sizes).drop_front())
      extents.push_back(arith::ConstantIndexOp::create(builder, loc, other));
    load.getExtentsMutable().assign(extents);
  }

  DenseMap<Operation *, unsigned> positions;
  DenseMap<Value, SmallVector<DmaStoreOp>> stores; ///< by what they store to
};
} // namespace
