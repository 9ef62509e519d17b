//===- NarrowFloats.cpp - f64 between numbers of f32 ----------------------===//

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace npu {
#define GEN_PASS_DEF_NPUNARROWFLOATS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

static bool isWide(Type type) { return getElementTypeOrSelf(type).isF64(); }
static bool isWide(Value value) { return isWide(value.getType()); }

static Type narrow(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(f32)) : f32;
}

/// A constant of one number in f32; null if that makes zero or infinity of another number.
static TypedAttr narrowConstant(Value value) {
  auto op = value.getDefiningOp<arith::ConstantOp>();
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  auto scalar = dyn_cast<FloatAttr>(op.getValue());
  if (!splat && !scalar)
    return {};
  APFloat number = splat ? splat.getSplatValue<APFloat>() : scalar.getValue();
  bool losesInfo = false, isZero = number.isZero(), isFinite = number.isFinite();
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (number.isZero() != isZero || number.isFinite() != isFinite)
    return {};
  Type type = narrow(op.getType());
  return splat ? TypedAttr(SplatElementsAttr::get(cast<ShapedType>(type), number))
               : TypedAttr(FloatAttr::get(type, number));
}

static bool isConstant(Value value) {
  return isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp());
}

/// Whether the op computes the same in f32 but for rounding. Where a result jumps, as that of a
/// comparison or of a floor does, rounding may change everything.
static bool isContinuous(Operation *op) {
  return isa<arith::AddFOp, arith::DivFOp, arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp, arith::MulFOp, arith::NegFOp, arith::SelectOp, arith::SubFOp,
             math::AbsFOp, math::ErfOp, math::ExpOp, math::FmaOp, math::LogOp, math::RsqrtOp,
             math::SqrtOp, math::TanhOp>(op);
}

static bool movesElements(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::EmptyOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
}

namespace {
/// Values that are of one type, by one op, and the constants among them. These are apart: a
/// constant may have another type for each of its users.
struct Group {
  SmallVector<Value> values;
  SmallVector<OpOperand *> constants;
};

/// What is f64 in a function and may be f32.
class NarrowValues {
public:
  explicit NarrowValues(Operation *function) {
    function->walk([&](Operation *op) { visit(op); });
  }

  bool contains(Value value) const { return isWide(value) && !refused.contains(value); }
  /// Gives values their new type and makes constants of it. Returns whether there are any.
  bool apply();

private:
  void visit(Operation *op);
  void visitLinalg(linalg::LinalgOp op);
  void addGroup(ArrayRef<Value> results, MutableArrayRef<OpOperand *> operands);
  void refuse(Value value);

  SmallVector<Group> groups;
  DenseMap<Value, SmallVector<unsigned>> groupsOf;
  llvm::DenseSet<Value> refused;
};
} // namespace

/// Whatever is in a group with `value` keeps its type, too.
void NarrowValues::refuse(Value value) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!isWide(next) || !refused.insert(next).second)
      continue;
    for (unsigned group : groupsOf.lookup(next))
      llvm::append_range(worklist, groups[group].values);
  }
}

void NarrowValues::addGroup(ArrayRef<Value> results, MutableArrayRef<OpOperand *> operands) {
  Group group;
  bool mayNarrow = true;
  for (Value value : results)
    if (isWide(value))
      group.values.push_back(value);
  for (OpOperand *operand : operands) {
    if (!isWide(operand->get()))
      continue;
    if (!isConstant(operand->get())) {
      group.values.push_back(operand->get());
      continue;
    }
    group.constants.push_back(operand);
    mayNarrow &= bool(narrowConstant(operand->get()));
  }
  for (Value value : group.values)
    groupsOf[value].push_back(groups.size());
  // What was refused before did not know of this group.
  mayNarrow &= llvm::none_of(group.values, [&](Value value) { return refused.contains(value); });
  groups.push_back(std::move(group));
  if (!mayNarrow)
    for (Value value : groups.back().values)
      refuse(value);
}

void NarrowValues::visitLinalg(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    OpOperand *link = &operand;
    addGroup(op.getMatchingBlockArgument(&operand), link);
  }
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [init, result, yielded] :
       llvm::zip(op.getDpsInitsMutable(), op->getResults(), yield->getOpOperands())) {
    SmallVector<OpOperand *> operands{&init, &yielded};
    addGroup(Value(result), operands);
  }
}

void NarrowValues::visit(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp);
  if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, linalg::YieldOp>(op))
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        refuse(argument);
  SmallVector<OpOperand *> operands =
      llvm::map_to_vector(op->getOpOperands(), [](OpOperand &operand) { return &operand; });
  SmallVector<Value> results(op->getResults());
  addGroup(results, operands);
  if (!isContinuous(op) && !movesElements(op))
    for (Value value : groups.back().values)
      refuse(value);
}

bool NarrowValues::apply() {
  bool changed = false;
  for (const Group &group : groups) {
    if (group.values.empty() || refused.contains(group.values.front()))
      continue;
    for (Value value : group.values)
      if (isWide(value))
        value.setType(narrow(value.getType()));
    for (OpOperand *operand : group.constants) {
      OpBuilder builder(operand->getOwner());
      operand->set(arith::ConstantOp::create(builder, operand->getOwner()->getLoc(),
                                             narrowConstant(operand->get())));
    }
    changed = true;
  }
  return changed;
}

namespace {
struct NarrowFloats : npu::impl::NPUNarrowFloatsBase<NarrowFloats> {
  void runOnOperation() override {
    if (!NarrowValues(getOperation()).apply())
      return markAllAnalysesPreserved();
    // Conversions from f32 to f32 are none.
    getOperation()->walk([](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      }
    });
  }
};
} // namespace
