//===- GlobalTable.cpp - the globals of a module and their uses -----------===//

#include "GlobalTable.h"

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace npu;
using namespace npu::util;

GlobalTable util::getGlobals(ModuleOp module) {
  GlobalTable table;
  for (auto global : module.getOps<GlobalOp>())
    table[global.getSymNameAttr()].op = global;
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<GlobalLoadOp>(op)) {
      if (auto *it = table.find(load.getGlobalAttr().getAttr()); it != table.end())
        it->second.loads.push_back(load);
      return;
    }
    if (auto store = dyn_cast<GlobalStoreOp>(op)) {
      if (auto *it = table.find(store.getGlobalAttr().getAttr()); it != table.end())
        it->second.stores.push_back(store);
      return;
    }
    op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
      if (auto *it = table.find(symbol.getRootReference()); it != table.end())
        it->second.isReferenced = true;
    });
  });
  return table;
}

/// Whether `op` by itself may access globals that it does not name.
static bool mayAccessAnyGlobal(Operation *op) {
  return !op->isRegistered() || isa<CallOpInterface, hal::FenceAwaitOp>(op);
}

bool util::isBarrier(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || mayAccessAnyGlobal(op))
    return true;
  if (op->getNumRegions() == 0)
    return false;
  auto isAccess =
      llvm::IsaPred<GlobalLoadOp, GlobalStoreOp, GlobalLoadIndirectOp, GlobalStoreIndirectOp>;
  return op
      ->walk([&](Operation *nested) {
        return isAccess(nested) || mayAccessAnyGlobal(nested) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

bool util::isOutsideInitializer(Operation *op) { return !op->getParentOfType<InitializerOp>(); }
