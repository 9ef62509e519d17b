//===- InPlaceTile.cpp - tiles that are made where others lie -------------===//

#include "InPlaceTile.h"

#include "BufferUsage.h"
#include "HandedOnTensor.h"
#include "ResultTiles.h"

using namespace mlir;
using namespace npu;

static bool writes(Operation *op, Value buffer) {
  return llvm::any_of(getBufferAccesses(op), [&](const BufferAccess &access) {
    return access.buffer == buffer && access.writes;
  });
}

/// Whether `op` reads of `buffer` no other elements than those in whose place it writes.
static bool readsInPlace(NPUComputeOpInterface op, Value buffer) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return llvm::all_of(llvm::zip_equal(op.getDataOperands(), maps), [&](auto entry) {
    auto [operand, map] = entry;
    return getRootBuffer(operand->get()) != buffer ||
           (operand->get() == buffer && map == maps.back());
  });
}

std::optional<InPlaceTile> npu::findInPlaceTile(DmaLoadOp load, DmaStoreOp store) {
  Block *block = store->getBlock();
  auto loaded = getLoadedBuffer(load);
  auto stored = getRootBuffer(store.getSrc()).getDefiningOp<memref::AllocOp>();
  InPlaceTile tile{stored, {}, {}};
  Operation *last = nullptr; // that reads
  for (Operation *reader : getEngineUsers(loaded)) {
    if (reader == load.getOperation())
      continue;
    Operation *read = block->findAncestorOpInBlock(*reader);
    if (!read)
      return std::nullopt;
    if (!last || last->isBeforeInBlock(read))
      last = read;
  }
  SmallVector<Operation *> users = getEngineUsers(stored);
  auto isBehind = [&](Operation *user) {
    Operation *at = block->findAncestorOpInBlock(*user);
    return at && (!last || last->isBeforeInBlock(at));
  };
  if (llvm::all_of(users, [&](Operation *user) { return !writes(user, stored) || isBehind(user); }))
    return tile;

  tile.last = dyn_cast_or_null<NPUComputeOpInterface>(last);
  if (!tile.last || !writesAll(tile.last, store) || !readsInPlace(tile.last, loaded) ||
      stored->getBlock() != block || llvm::any_of(stored->getUsers(), llvm::IsaPred<PreviousOp>))
    return std::nullopt;
  for (Operation *user : users) {
    if (isBehind(user))
      continue;
    // Views would have to be of another tile, too.
    if (!block->findAncestorOpInBlock(*user) ||
        llvm::any_of(getBufferAccesses(user), [&](const BufferAccess &access) {
          return access.buffer == stored && access.memref != stored;
        }))
      return std::nullopt;
    if (user != last)
      tile.before.push_back(user);
  }
  return tile;
}

void npu::giveOwnTile(const InPlaceTile &tile) {
  memref::AllocOp stored = tile.stored;
  OpBuilder builder(stored);
  Value own = cast<memref::AllocOp>(builder.clone(*stored));
  for (Operation *user : tile.before)
    user->replaceUsesOfWith(stored, own);
  SmallVector<OpOperand *> data = NPUComputeOpInterface(tile.last).getDataOperands();
  for (OpOperand *operand : ArrayRef(data).drop_back())
    if (operand->get() == stored)
      operand->set(own);
}
