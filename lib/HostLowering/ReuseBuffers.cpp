//===- ReuseBuffers.cpp - one buffer for several with disjoint lifetimes --===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace npu::host {
#define GEN_PASS_DEF_REUSEBUFFERS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
/// The first and the last op of a block that may touch a buffer.
struct Life {
  memref::AllocOp alloc;
  Operation *first = nullptr, *last = nullptr;
};

struct ReuseBuffers : npu::host::impl::ReuseBuffersBase<ReuseBuffers> {
  void runOnOperation() override {
    for (Block &block : getOperation().getFunctionBody())
      reuse(block);
  }

  /// The life of a buffer that only views, linalg ops, loads and stores use; nothing for others.
  static std::optional<Life> getLife(memref::AllocOp alloc) {
    Life life{alloc};
    Block *block = alloc->getBlock();
    SmallVector<Operation *> users(alloc->getUsers());
    while (!users.empty()) {
      Operation *user = users.pop_back_val();
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(users, user->getUsers());
      else if (!isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::DimOp>(user))
        return std::nullopt;
      Operation *place = block->findAncestorOpInBlock(*user);
      if (!place)
        return std::nullopt;
      if (!life.first || place->isBeforeInBlock(life.first))
        life.first = place;
      if (!life.last || life.last->isBeforeInBlock(place))
        life.last = place;
    }
    return life.first ? std::optional(life) : std::nullopt;
  }

  static void reuse(Block &block) {
    SmallVector<Life> lives;
    for (auto alloc : block.getOps<memref::AllocOp>())
      if (alloc.getType().hasStaticShape() && alloc.getSymbolOperands().empty())
        if (std::optional<Life> life = getLife(alloc))
          lives.push_back(*life);
    llvm::sort(lives, [](const Life &a, const Life &b) {
      return a.first != b.first && a.first->isBeforeInBlock(b.first);
    });
    // What is kept of each type, with the ends of its last uses.
    llvm::DenseMap<Type, SmallVector<Life>> pools;
    for (Life &life : lives) {
      SmallVector<Life> &used = pools[life.alloc.getType()];
      auto free = llvm::find_if(
          used, [&](const Life &other) { return other.last->isBeforeInBlock(life.first); });
      if (free == used.end()) {
        used.push_back(life);
        continue;
      }
      memref::AllocOp kept = free->alloc;
      if (life.alloc->isBeforeInBlock(kept))
        kept->moveBefore(life.alloc);
      life.alloc.replaceAllUsesWith(kept.getResult());
      life.alloc.erase();
      free->last = life.last;
    }
  }
};
} // namespace
