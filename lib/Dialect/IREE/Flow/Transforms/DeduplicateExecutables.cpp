//===- DeduplicateExecutables.cpp - keep one of equal executables ---------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace npu::flow {
#define GEN_PASS_DEF_DEDUPLICATEEXECUTABLES
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

static bool isEquivalent(Region &lhs, Region &rhs) {
  return OperationEquivalence::isRegionEquivalentTo(&lhs, &rhs,
                                                    OperationEquivalence::IgnoreLocations);
}

/// The attributes of an op but those that name it.
static SmallVector<NamedAttribute> getOtherAttrs(Operation *op) {
  SmallVector<NamedAttribute> attrs;
  for (NamedAttribute attr : op->getAttrs())
    if (attr.getName() != SymbolTable::getSymbolAttrName() && attr.getName() != "function_ref")
      attrs.push_back(attr);
  return attrs;
}

/// The ops of a block of symbols but the implicit end.
static SmallVector<Operation *> getSymbols(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (!isa<ExecutableEndOp>(op))
      ops.push_back(&op);
  return ops;
}

/// Whether both ops are the same except for names of symbols and locations.
static bool isEquivalent(Operation *lhs, Operation *rhs) {
  if (lhs->getName() != rhs->getName() || getOtherAttrs(lhs) != getOtherAttrs(rhs))
    return false;
  for (auto [left, right] : llvm::zip_equal(lhs->getRegions(), rhs->getRegions())) {
    if (!isa<ExecutableOp, ModuleOp>(lhs)) {
      if (!isEquivalent(left, right))
        return false;
      continue;
    }
    SmallVector<Operation *> lefts = getSymbols(left.front()), rights = getSymbols(right.front());
    if (lefts.size() != rights.size())
      return false;
    for (auto [leftOp, rightOp] : llvm::zip_equal(lefts, rights))
      if (!isEquivalent(leftOp, rightOp))
        return false;
  }
  return true;
}

/// A number that is equal for equal executables.
static llvm::hash_code getHash(ExecutableOp executable) {
  llvm::hash_code hash(0);
  executable.walk([&](Operation *op) {
    hash = llvm::hash_combine(hash, op->getName(), llvm::hash_combine_range(op->getResultTypes()));
  });
  return hash;
}

namespace {
struct DeduplicateExecutables
    : npu::flow::impl::DeduplicateExecutablesBase<DeduplicateExecutables> {
  void runOnOperation() override {
    DenseMap<size_t, SmallVector<ExecutableOp>> buckets;
    DenseMap<Attribute, SymbolRefAttr> replacements;
    bool changed = false;
    for (auto executable : llvm::make_early_inc_range(getOperation().getOps<ExecutableOp>())) {
      if (!executable.getInnerModule())
        continue;
      SmallVector<ExecutableOp> &bucket = buckets[getHash(executable)];
      auto *first = llvm::find_if(
          bucket, [&](ExecutableOp other) { return isEquivalent(other, executable); });
      if (first == bucket.end()) {
        bucket.push_back(executable);
        continue;
      }
      for (auto [kept, dropped] : llvm::zip_equal(first->getOps<ExecutableExportOp>(),
                                                  executable.getOps<ExecutableExportOp>()))
        replacements[getReference(executable, dropped)] = getReference(*first, kept);
      executable.erase();
      changed = true;
    }
    if (!changed)
      return markAllAnalysesPreserved();
    getOperation().walk([&](DispatchOp dispatch) {
      SmallVector<Attribute> entryPoints;
      for (Attribute entryPoint : dispatch.getEntryPoints()) {
        auto it = replacements.find(entryPoint);
        entryPoints.push_back(it == replacements.end() ? entryPoint : it->second);
      }
      dispatch.setEntryPointsAttr(ArrayAttr::get(&getContext(), entryPoints));
    });
  }

private:
  static SymbolRefAttr getReference(ExecutableOp executable, ExecutableExportOp exportOp) {
    return SymbolRefAttr::get(executable.getSymNameAttr(),
                              {FlatSymbolRefAttr::get(exportOp.getSymNameAttr())});
  }
};
} // namespace
