//===- SimplifyGlobalAccesses.cpp - remove loads and stores of globals ----===//

#include "GlobalTable.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"

#include "mlir/IR/SymbolTable.h"

#include <map>

namespace npu::util {
#define GEN_PASS_DEF_SIMPLIFYGLOBALACCESSES
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"
} // namespace npu::util

using namespace mlir;
using namespace npu;
using namespace npu::util;

namespace {
/// What a sequence leaves of the accesses to one global.
struct Accesses {
  /// The load that comes before every store.
  GlobalLoadOp load;
  /// The last store.
  GlobalStoreOp store;

  /// What a load gives here, if that is known.
  Value getValue() {
    if (store)
      return store.getValue();
    return load ? load.getResult() : Value();
  }
};

/// Part of a block without barriers. The order of names is that of the accesses in the end.
struct Sequence {
  Operation *first = nullptr;
  std::map<StringRef, Accesses> globals;
};
} // namespace

/// Moves what is left of a sequence to its start and its end, which is before `barrier`. Returns
/// whether anything moved.
static bool finish(Sequence &sequence, Operation *barrier) {
  bool changed = false;
  Operation *start = sequence.first;
  for (auto &[name, accesses] : llvm::reverse(sequence.globals)) {
    if (!accesses.load)
      continue;
    if (accesses.load != start) {
      accesses.load->moveBefore(start);
      changed = true;
    }
    start = accesses.load;
  }
  Operation *end = barrier;
  for (auto &[name, accesses] : llvm::reverse(sequence.globals)) {
    if (!accesses.store)
      continue;
    if (accesses.store->getNextNode() != end) {
      accesses.store->moveBefore(end);
      changed = true;
    }
    end = accesses.store;
  }
  sequence = {};
  return changed;
}

/// Simplifies the accesses in `block` to globals that `isMutable` accepts; returns whether there
/// were any to simplify.
static bool simplifySequences(Block &block, function_ref<bool(FlatSymbolRefAttr)> isMutable) {
  bool changed = false;
  Sequence sequence;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isBarrier(&op)) {
      changed |= finish(sequence, &op);
      continue;
    }
    if (!sequence.first)
      sequence.first = &op;
    if (auto load = dyn_cast<GlobalLoadOp>(op); load && isMutable(load.getGlobalAttr())) {
      Accesses &accesses = sequence.globals[load.getGlobal()];
      if (Value value = accesses.getValue()) {
        load.replaceAllUsesWith(value);
        load.erase();
        changed = true;
      } else {
        accesses.load = load;
      }
    } else if (auto store = dyn_cast<GlobalStoreOp>(op);
               store && isMutable(store.getGlobalAttr())) {
      GlobalStoreOp &last = sequence.globals[store.getGlobal()].store;
      if (last) {
        if (sequence.first == last)
          sequence.first = last->getNextNode();
        last.erase();
        changed = true;
      }
      last = store;
    }
  }
  return changed;
}

/// Calls `callback` for each block of `region` and of the code in it that sees the same values.
static void forEachBlock(Region &region, function_ref<void(Block &)> callback) {
  for (Block &block : region) {
    callback(block);
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsIsolatedFromAbove>())
        for (Region &nested : op.getRegions())
          forEachBlock(nested, callback);
  }
}

/// Leaves one load of each immutable global, at the start of the function; returns whether that was
/// not so before.
static bool hoistLoads(Region &body, function_ref<bool(FlatSymbolRefAttr)> isMutable) {
  bool changed = false;
  llvm::DenseMap<Attribute, GlobalLoadOp> loads;
  Operation *last = nullptr;
  forEachBlock(body, [&](Block &block) {
    for (auto load : llvm::make_early_inc_range(block.getOps<GlobalLoadOp>())) {
      if (isMutable(load.getGlobalAttr()))
        continue;
      GlobalLoadOp &first = loads[load.getGlobalAttr()];
      if (first) {
        load.replaceAllUsesWith(first.getResult());
        load.erase();
        changed = true;
        continue;
      }
      first = load;
      Operation *next = last ? last->getNextNode() : &body.front().front();
      if (next != load) {
        load->moveBefore(next);
        changed = true;
      }
      last = load;
    }
  });
  return changed;
}

namespace {
struct SimplifyGlobalAccesses
    : npu::util::impl::SimplifyGlobalAccessesBase<SimplifyGlobalAccesses> {
  void runOnOperation() override {
    Region *body = getOperation().getCallableRegion();
    if (!body)
      return;
    bool isInitializer = isa<InitializerOp>(getOperation());
    SymbolTableCollection symbols;
    auto isMutable = [&](FlatSymbolRefAttr name) {
      auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(getOperation(), name);
      return isInitializer || !global || global.getIsMutable();
    };
    bool changed = hoistLoads(*body, isMutable);

    // An address may be that of any global.
    bool isIndirect = body->walk([](Operation *op) {
                            return isa<GlobalLoadIndirectOp, GlobalStoreIndirectOp>(op)
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
    if (!isIndirect)
      forEachBlock(*body, [&](Block &block) { changed |= simplifySequences(block, isMutable); });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
