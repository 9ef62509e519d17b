//===- WidenAccumulators.cpp - f32 accumulators for f16 and bf16 ----------===//

#include "NPU/Preparation/ContractionBody.h"
#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace npu {
#define GEN_PASS_DEF_NPUWIDENACCUMULATORS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

/// Whether `op` adds, or multiplies and adds, with an accumulator of f16 or bf16.
static bool hasNarrowAccumulator(linalg::LinalgOp op) {
  npu::Rejection reason;
  if (!op.hasPureTensorSemantics() ||
      (failed(npu::matchMultiplyAddBody(op, reason)) && !npu::matchSumBody(op)))
    return false;
  Type type = getElementTypeOrSelf(op.getDpsInits()[0]);
  return type.isF16() || type.isBF16();
}

/// An uninitialized tensor shaped like `value`.
static Value createEmptyLike(ImplicitLocOpBuilder &builder, Value value, Type elementType) {
  return tensor::EmptyOp::create(builder, tensor::getMixedSizes(builder, builder.getLoc(), value),
                                 elementType);
}

/// `value` converted element by element by an arith cast.
template <typename CastOp>
static Value convertElements(ImplicitLocOpBuilder &builder, Value value, Type elementType) {
  Value empty = createEmptyLike(builder, value, elementType);
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto buildBody = [&](OpBuilder &nested, Location loc, ValueRange arguments) {
    Value result = CastOp::create(nested, loc, elementType, arguments[0]);
    linalg::YieldOp::create(nested, loc, result);
  };
  return linalg::GenericOp::create(builder, empty.getType(), value, empty, maps, iterators,
                                   buildBody)
      .getResult(0);
}

/// The initial value of the accumulator in f32.
static Value widenInit(ImplicitLocOpBuilder &builder, Value init) {
  Type f32 = builder.getF32Type();
  auto constant = dyn_cast_or_null<FloatAttr>(npu::getSplatConstant(init));
  if (!constant)
    return convertElements<arith::ExtFOp>(builder, init, f32);
  Value empty = createEmptyLike(builder, init, f32);
  Value scalar = arith::ConstantOp::create(
      builder, builder.getF32FloatAttr(static_cast<float>(constant.getValueAsDouble())));
  return linalg::FillOp::create(builder, scalar, empty).getResult(0);
}

/// Rewrites the arithmetic of a body, known to add a term or a product, to f32.
static void widenBody(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  auto builder = ImplicitLocOpBuilder::atBlockBegin(op.getLoc(), &body);
  Type f32 = builder.getF32Type();
  BlockArgument accumulator = body.getArguments().back();
  accumulator.setType(f32);
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  OpOperand &term = add->getOpOperand(add->getOperand(0) == accumulator ? 1 : 0);
  Operation *widened = npu::matchSumBody(op) ? add : term.get().getDefiningOp();
  builder.setInsertionPoint(widened);
  for (OpOperand &operand : widened->getOpOperands())
    if (operand.get() != accumulator)
      operand.set(arith::ExtFOp::create(builder, f32, operand.get()));
  widened->getResult(0).setType(f32);
  add->getResult(0).setType(f32);
}

/// Rebuilds the body of a named op for the element types of its operands.
static void rebuildNamedBody(ImplicitLocOpBuilder &builder, linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types = llvm::map_to_vector(
      op->getOperandTypes(), [](Type type) { return getElementTypeOrSelf(type); });
  SmallVector<Location> locations(types.size(), op.getLoc());
  Block *body = builder.createBlock(&op->getRegion(0), {}, types, locations);
  op.getRegionBuilder()(builder, *body, op->getAttrs(), [&] { return op->emitError(); });
}

static void widenAccumulator(linalg::LinalgOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value init = op.getDpsInits()[0];
  Value wideInit = widenInit(builder, init);
  SmallVector<Value> operands = op.getDpsInputs();
  operands.push_back(wideInit);
  linalg::LinalgOp wide;
  // Bodies that the user wrote are kept, those that the op's name says are built again.
  if (isa<linalg::GenericOp, linalg::ReduceOp>(op)) {
    wide = cast<linalg::LinalgOp>(
        mlir::clone(builder, op.getOperation(), wideInit.getType(), operands));
    widenBody(wide);
  } else {
    wide = cast<linalg::LinalgOp>(
        mlir::cloneWithoutRegions(builder, op.getOperation(), wideInit.getType(), operands));
    rebuildNamedBody(builder, wide);
  }
  Value rounded =
      convertElements<arith::TruncFOp>(builder, wide->getResult(0), getElementTypeOrSelf(init));
  op->getResult(0).replaceAllUsesWith(rounded);
  op->erase();
  if (Operation *producer = init.getDefiningOp(); producer && isOpTriviallyDead(producer))
    producer->erase();
}

namespace {
struct WidenAccumulators : npu::impl::NPUWidenAccumulatorsBase<WidenAccumulators> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (hasNarrowAccumulator(op))
        ops.push_back(op);
    });
    llvm::for_each(ops, widenAccumulator);
  }
};
} // namespace
