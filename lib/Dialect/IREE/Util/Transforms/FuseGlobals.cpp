//===- FuseGlobals.cpp - merge globals of the same value ------------------===//

#include "GlobalTable.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace npu::util {
#define GEN_PASS_DEF_FUSEGLOBALS
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"
} // namespace npu::util

using namespace mlir;
using namespace npu;
using namespace npu::util;

/// The store of what `store` writes to `other` in the same sequence, if nothing between them reads
/// or writes one of the two globals.
static GlobalStoreOp findTwin(GlobalStoreOp store, StringAttr other, bool isForward) {
  auto getNext = [&](Operation *op) { return isForward ? op->getNextNode() : op->getPrevNode(); };
  for (Operation *op = getNext(store); op && !isBarrier(op); op = getNext(op)) {
    auto load = dyn_cast<GlobalLoadOp>(op);
    auto next = dyn_cast<GlobalStoreOp>(op);
    if (!load && !next)
      continue;
    StringAttr name = (load ? load.getGlobalAttr() : next.getGlobalAttr()).getAttr();
    if (next && name == other)
      return next.getValue() == store.getValue() ? next : GlobalStoreOp();
    if (name == other || name == store.getGlobalAttr().getAttr())
      return {};
  }
  return {};
}

/// Whether each store to one of both has its twin among the stores to the other.
static bool haveEqualStores(Global &lhs, Global &rhs) {
  if (lhs.stores.size() != rhs.stores.size())
    return false;
  return llvm::all_of(lhs.stores, [&](GlobalStoreOp store) {
    return findTwin(store, rhs.op.getSymNameAttr(), /*isForward=*/true) ||
           findTwin(store, rhs.op.getSymNameAttr(), /*isForward=*/false);
  });
}

/// All of a global but its name.
static Attribute getProperties(GlobalOp global) {
  NamedAttrList attrs(global->getAttrDictionary());
  attrs.erase(SymbolTable::getSymbolAttrName());
  return attrs.getDictionary(global.getContext());
}

namespace {
struct FuseGlobals : npu::util::impl::FuseGlobalsBase<FuseGlobals> {
  void runOnOperation() override {
    GlobalTable globals = getGlobals(getOperation());
    bool changed = false;
    // Only globals that are stored the same value for the first time can be the same.
    DenseMap<std::pair<Value, Attribute>, SmallVector<Global *>> buckets;
    for (auto &[name, global] : globals) {
      if (!global.isKnown() || global.stores.empty())
        continue;
      SmallVector<Global *> &bucket =
          buckets[{global.stores.front().getValue(), getProperties(global.op)}];
      auto *first = llvm::find_if(
          bucket, [&, &global = global](Global *other) { return haveEqualStores(*other, global); });
      if (first == bucket.end()) {
        bucket.push_back(&global);
        continue;
      }
      for (GlobalLoadOp load : global.loads) {
        load.setGlobalAttr(FlatSymbolRefAttr::get((*first)->op.getSymNameAttr()));
        (*first)->loads.push_back(load);
      }
      for (GlobalStoreOp store : global.stores)
        store.erase();
      global.op.erase();
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
