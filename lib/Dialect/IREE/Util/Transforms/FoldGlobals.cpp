//===- FoldGlobals.cpp - fold globals into their uses ---------------------===//

#include "CanonicalizationPatterns.h"
#include "GlobalTable.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu::util {
#define GEN_PASS_DEF_FOLDGLOBALS
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"
} // namespace npu::util

using namespace mlir;
using namespace npu;
using namespace npu::util;

/// The constant that every store to `global` writes, if it is one.
static TypedAttr getStoredConstant(Global &global) {
  TypedAttr constant;
  for (GlobalStoreOp store : global.stores) {
    TypedAttr value;
    if (!matchPattern(store.getValue(), m_Constant(&value)) ||
        value.getType() != global.op.getType() || (constant && constant != value))
      return {};
    constant = value;
  }
  return constant;
}

/// Rule 1: what is only ever set to one value has it from the start.
static bool foldStoresOfConstants(GlobalTable &globals) {
  bool changed = false;
  for (auto &[name, global] : globals) {
    TypedAttr constant = getStoredConstant(global);
    if (!constant || global.isReferenced || global.op.getInitialValueAttr())
      continue;
    global.op.setInitialValueAttr(constant);
    for (GlobalStoreOp store : global.stores)
      store.erase();
    global.stores.clear();
    changed = true;
  }
  return changed;
}

/// The global from whose loads all that is stored to `copy` comes.
static StringAttr getSource(Global &copy) {
  StringAttr source;
  for (GlobalStoreOp store : copy.stores) {
    auto load = store.getValue().getDefiningOp<GlobalLoadOp>();
    if (!load || (source && source != load.getGlobalAttr().getAttr()))
      return {};
    source = load.getGlobalAttr().getAttr();
  }
  return source;
}

/// Whether what `store` writes is copied to `copy` before anybody can see the difference.
static bool isCopied(GlobalStoreOp store, Global &copy) {
  GlobalLoadOp value;
  for (Operation *op = store->getNextNode(); op && !isBarrier(op); op = op->getNextNode()) {
    if (auto load = dyn_cast<GlobalLoadOp>(op)) {
      if (llvm::is_contained(copy.loads, load))
        return false;
      if (load.getGlobalAttr() == store.getGlobalAttr())
        value = load;
    } else if (auto next = dyn_cast<GlobalStoreOp>(op)) {
      if (next.getGlobalAttr() == store.getGlobalAttr())
        return false;
      if (llvm::is_contained(copy.stores, next))
        return value && next.getValue() == value.getResult();
    }
  }
  return false;
}

/// Rule 2: what always follows another global is that global. The table does not hold after a
/// change.
static bool foldCopies(GlobalTable &globals) {
  for (auto &[name, copy] : globals) {
    if (!copy.isKnown() || !copy.op.getIsMutable() || copy.op.getInitialValueAttr())
      continue;
    StringAttr sourceName = getSource(copy);
    auto *it = sourceName ? globals.find(sourceName) : globals.end();
    if (it == globals.end() || it->second.op == copy.op)
      continue;
    Global &source = it->second;
    if (!source.isKnown() || source.op.getType() != copy.op.getType() ||
        !llvm::all_of(source.stores,
                      [&, &copy = copy](GlobalStoreOp store) { return isCopied(store, copy); }))
      continue;
    for (GlobalStoreOp store : copy.stores)
      store.erase();
    for (GlobalLoadOp load : copy.loads)
      load.setGlobalAttr(FlatSymbolRefAttr::get(sourceName));
    copy.op.erase();
    return true;
  }
  return false;
}

/// Rule 3: what only initializers set is immutable.
static bool markImmutable(GlobalTable &globals) {
  bool changed = false;
  for (auto &[name, global] : globals) {
    if (global.op.getIsMutable() && global.isKnown() &&
        llvm::none_of(global.stores, isOutsideInitializer)) {
      global.op.setIsMutable(false);
      changed = true;
    }
    if (global.op.getIsMutable() || global.isReferenced)
      continue;
    for (GlobalLoadOp load : global.loads) {
      if (load.getIsImmutable() || !isOutsideInitializer(load))
        continue;
      load.setIsImmutable(true);
      changed = true;
    }
  }
  return changed;
}

/// The value to use instead of loads of `global`, if loads may be replaced.
static TypedAttr getInlinableValue(Global &global) {
  TypedAttr value = global.op.getInitialValueAttr();
  if (!value || global.op.getIsMutable() || global.isReferenced || !global.stores.empty() ||
      value.getType() != global.op.getType())
    return {};
  // IREE's `#util.inline.never` is kept as text by the dialect.
  if (Attribute policy = global.op.getInliningPolicyAttr())
    if (auto opaque = dyn_cast<OpaqueAttr>(policy);
        !opaque || opaque.getAttrData() != "inline.always")
      return {};
  bool hasForeignAttr = llvm::any_of(global.op->getDialectAttrs(), [](NamedAttribute attr) {
    return attr.getNameDialect() && attr.getNameDialect()->getNamespace() != "util";
  });
  return hasForeignAttr ? TypedAttr() : value;
}

/// Builds the constant `value` in the way of the dialect that the value belongs to; null if that
/// has no constants.
static Operation *buildConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  MLIRContext *context = builder.getContext();
  Dialect *dialect = context->getLoadedDialect<arith::ArithDialect>();
  if (auto opaque = dyn_cast<OpaqueAttr>(value))
    dialect = context->getLoadedDialect(opaque.getDialectNamespace());
  return dialect ? dialect->materializeConstant(builder, value, value.getType(), loc) : nullptr;
}

/// Rule 4: loads of constants are those constants.
static bool inlineConstants(GlobalTable &globals) {
  bool changed = false;
  for (auto &[name, global] : globals) {
    TypedAttr value = getInlinableValue(global);
    if (!value)
      continue;
    llvm::erase_if(global.loads, [&](GlobalLoadOp load) {
      OpBuilder builder(load);
      Operation *constant = buildConstant(builder, load.getLoc(), value);
      if (!constant)
        return false;
      load->replaceAllUsesWith(constant);
      load.erase();
      changed = true;
      return true;
    });
  }
  return changed;
}

/// Rule 5: what is not read goes.
static bool eraseUnused(GlobalTable &globals) {
  size_t numGlobals = globals.size();
  globals.remove_if([](auto &entry) {
    Global &global = entry.second;
    if (!global.isKnown() || !global.loads.empty())
      return false;
    for (GlobalStoreOp store : global.stores)
      store.erase();
    global.op.erase();
    return true;
  });
  return globals.size() != numGlobals;
}

/// Rule 6: constants that are equal are one.
static bool mergeEqual(GlobalTable &globals) {
  bool changed = false;
  DenseMap<Attribute, GlobalOp> firsts;
  for (auto &[name, global] : globals) {
    if (!global.isKnown() || global.op.getIsMutable() || !global.op.getInitialValueAttr() ||
        !global.stores.empty())
      continue;
    NamedAttrList attrs(global.op->getAttrDictionary());
    attrs.erase(SymbolTable::getSymbolAttrName());
    GlobalOp &first = firsts[attrs.getDictionary(global.op.getContext())];
    if (!first) {
      first = global.op;
      continue;
    }
    for (GlobalLoadOp load : global.loads)
      load.setGlobalAttr(FlatSymbolRefAttr::get(first.getSymNameAttr()));
    global.op.erase();
    changed = true;
  }
  return changed;
}

namespace {
struct FoldGlobals : npu::util::impl::FoldGlobalsBase<FoldGlobals> {
  using FoldGlobalsBase::FoldGlobalsBase;

  LogicalResult initialize(MLIRContext *context) override {
    patterns = getCanonicalizationPatterns(context);
    return success();
  }

  bool foldOnce() {
    GlobalTable globals = getGlobals(getOperation());
    bool changed = foldStoresOfConstants(globals);
    while (foldCopies(globals)) {
      globals = getGlobals(getOperation());
      changed = true;
    }
    changed |= markImmutable(globals);
    changed |= inlineConstants(globals);
    changed |= eraseUnused(globals);
    changed |= mergeEqual(globals);
    return changed;
  }

  void runOnOperation() override {
    bool changed = false;
    for (int64_t iteration = 0; iteration < maxIterations; ++iteration) {
      changed |= canonicalize();
      if (!foldOnce())
        break;
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

  /// Canonicalizes the functions; returns whether any was not canonical.
  bool canonicalize() {
    bool changed = false;
    for (auto callable : getOperation().getOps<CallableOpInterface>()) {
      bool bodyChanged = false;
      if (Region *body = callable.getCallableRegion())
        (void)applyPatternsGreedily(*body, patterns, GreedyRewriteConfig(), &bodyChanged);
      changed |= bodyChanged;
    }
    return changed;
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
