//===- HoistIntoGlobals.cpp - compute constants once ----------------------===//

#include "GlobalTable.h"
#include "NPU/Dialect/IREE/Util/IR/SymbolNames.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace npu::util {
#define GEN_PASS_DEF_HOISTINTOGLOBALS
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"
} // namespace npu::util

using namespace mlir;
using namespace npu;
using namespace npu::util;

/// How many bytes a tensor of `type` takes.
static int64_t getNumBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return llvm::divideCeil(tensor.getNumElements() * tensor.getElementTypeBitWidth(), 8);
}

/// Whether `value` is data of a known size.
static bool isStaticTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getElementType().isIntOrFloat();
}

namespace {
/// Which values of a function do not depend on its arguments or on what changes.
class ConstantExpressions {
public:
  explicit ConstantExpressions(GlobalTable &globals) : globals(globals) {}

  /// Looks at the op and at those that compute its operands.
  bool isConstant(Operation *op) {
    auto [it, isNew] = cache.try_emplace(op, false);
    if (!isNew)
      return it->second;
    bool result = compute(op);
    return cache[op] = result;
  }

private:
  bool compute(Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (auto load = dyn_cast<GlobalLoadOp>(op)) {
      GlobalOp global = globals[load.getGlobalAttr().getAttr()].op;
      return !global.getIsMutable() && global.getInitialValueAttr();
    }
    auto isData = [](Type type) { return isa<TensorType>(type) || type.isIntOrIndexOrFloat(); };
    if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
        op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isData))
      return false;
    SetVector<Value> operands(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    return llvm::all_of(operands, [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return producer && isConstant(producer);
    });
  }

  GlobalTable &globals;
  DenseMap<Operation *, bool> cache;
};

/// A value to compute once, and the ops that compute it.
struct Hoisted {
  Value value;
  SetVector<Operation *> slice;
};
} // namespace

/// Whether `op` gives what its operand is in another shape, which is not worth a global.
static bool isView(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op);
}

/// Whether `op` holds data, and not one value for all elements.
static bool isData(Operation *op) {
  if (isa<GlobalLoadOp>(op))
    return true;
  Attribute value;
  if (op->getNumResults() != 1 || !isa<TensorType>(op->getResult(0).getType()) ||
      !matchPattern(op, m_Constant(&value)))
    return false;
  auto elements = dyn_cast<ElementsAttr>(value);
  return !elements || !elements.isSplat();
}

/// The expression that computes `value`, if it is worth a global: made from data, and not much
/// larger than that.
static std::optional<Hoisted> getHoisted(Value value, int64_t maxSizeIncrease) {
  Hoisted hoisted{value, {}};
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  if (failed(getBackwardSlice(value, &hoisted.slice, options)))
    return std::nullopt;
  hoisted.slice = topologicalSort(hoisted.slice);
  int64_t dataSize = 0;
  bool hasData = false;
  for (Operation *op : hoisted.slice) {
    if (!isData(op))
      continue;
    hasData = true;
    if (isStaticTensor(op->getResult(0)))
      dataSize += getNumBytes(op->getResult(0).getType());
  }
  if (!hasData || getNumBytes(value.getType()) - dataSize > maxSizeIncrease)
    return std::nullopt;
  return hoisted;
}

/// The values of `body` that its other code takes from constant expressions.
static SetVector<Value> getEscaping(Region &body, ConstantExpressions &expressions) {
  SetVector<Value> escaping;
  for (Operation &op : body.getOps()) {
    if (!expressions.isConstant(&op))
      continue;
    for (Value value : op.getResults()) {
      if (llvm::all_of(value.getUsers(), [&](Operation *user) {
            return expressions.isConstant(body.findAncestorOpInRegion(*user));
          }))
        continue;
      // Another shape of a value is made where it is used.
      while (value.getDefiningOp() && isView(value.getDefiningOp()))
        value = value.getDefiningOp()->getOperand(0);
      Operation *producer = value.getDefiningOp();
      if (!producer->hasTrait<OpTrait::ConstantLike>() && !isa<GlobalLoadOp>(producer) &&
          isStaticTensor(value))
        escaping.insert(value);
    }
  }
  return escaping;
}

/// Where the globals that `hoisted` loads have their values and `function` does not run yet.
static Block::iterator getPosition(Operation *function, const Hoisted &hoisted,
                                   GlobalTable &globals) {
  Operation *last = function->getPrevNode();
  for (Operation *op : hoisted.slice)
    if (auto load = dyn_cast<GlobalLoadOp>(op))
      if (Operation *global = globals[load.getGlobalAttr().getAttr()].op;
          !last || last->isBeforeInBlock(global))
        last = global;
  return last ? std::next(Block::iterator(last)) : Block::iterator(function);
}

/// Computes the value of `hoisted` in an initializer, which stores it to a new global.
static GlobalOp createGlobal(const Hoisted &hoisted, Block *block, Block::iterator position,
                             SymbolTable &symbols) {
  OpBuilder builder(block, position);
  Location loc = hoisted.value.getLoc();
  Type type = hoisted.value.getType();
  auto global = GlobalOp::create(
      builder, loc, builder.getStringAttr("private"),
      builder.getStringAttr(getSymbolName("__hoisted", type)), TypeAttr::get(type),
      /*is_mutable=*/UnitAttr(), /*initial_value=*/TypedAttr(), /*inlining_policy=*/Attribute());
  // The symbol table makes the name unique.
  symbols.insert(global, position);

  auto initializer = InitializerOp::create(builder, loc);
  builder.setInsertionPointToStart(&initializer.getBody().emplaceBlock());
  IRMapping mapping;
  for (Operation *op : hoisted.slice)
    builder.clone(*op, mapping);
  GlobalStoreOp::create(builder, loc, mapping.lookup(hoisted.value),
                        FlatSymbolRefAttr::get(global));
  util::ReturnOp::create(builder, loc, ValueRange());
  return global;
}

namespace {
struct HoistIntoGlobals : npu::util::impl::HoistIntoGlobalsBase<HoistIntoGlobals> {
  using HoistIntoGlobalsBase::HoistIntoGlobalsBase;

  void runOnOperation() override {
    GlobalTable globals = getGlobals(getOperation());
    SymbolTable symbols(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<FuncOp>()))
      if (!function.isExternal())
        hoistFrom(function, globals, symbols);
  }

private:
  void hoistFrom(FuncOp function, GlobalTable &globals, SymbolTable &symbols) {
    ConstantExpressions expressions(globals);
    Region &body = function.getBody();
    SmallVector<Hoisted> expressionsToHoist;
    for (Value value : getEscaping(body, expressions))
      if (std::optional<Hoisted> hoisted = getHoisted(value, maxSizeIncreaseThreshold))
        expressionsToHoist.push_back(std::move(*hoisted));
    // Expressions may be parts of others: uses change when all are in their initializers.
    SmallVector<GlobalOp> results;
    for (const Hoisted &hoisted : expressionsToHoist)
      results.push_back(createGlobal(hoisted, function->getBlock(),
                                     getPosition(function, hoisted, globals), symbols));
    for (auto [hoisted, global] : llvm::zip_equal(expressionsToHoist, results)) {
      OpBuilder builder(hoisted.value.getDefiningOp());
      auto load = GlobalLoadOp::create(builder, hoisted.value.getLoc(), hoisted.value.getType(),
                                       /*is_immutable=*/builder.getUnitAttr(),
                                       FlatSymbolRefAttr::get(global));
      hoisted.value.replaceUsesWithIf(load.getResult(), [&](OpOperand &use) {
        Operation *user = body.findAncestorOpInRegion(*use.getOwner());
        return isView(user) || !expressions.isConstant(user);
      });
    }
  }
};
} // namespace
