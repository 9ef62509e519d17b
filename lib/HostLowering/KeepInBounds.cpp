//===- KeepInBounds.cpp - no element outside of a tensor, for any data ----===//
//
// tensor.extract, insert and the slices are `Pure`: passes may run them where the program would
// not. So they may not fail either, and every one of them gets a result for every index. The
// clamped index is an operand of the access, so no pass can separate the two, as it could with a
// check before the access.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostLowering/Passes.h"

#include "Regions.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu::host {
#define GEN_PASS_DEF_KEEPINBOUNDS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;
using namespace npu::host;

static bool isConstantIn(OpFoldResult value, int64_t least, int64_t most) {
  std::optional<int64_t> constant = getConstantIntValue(value);
  return constant && *constant >= least && *constant <= most;
}

static Value createZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// Clamps every index of a `tensor`. Returns in `isGiven` whether they are those of the IR, null
/// if they always are, and in `isThere` whether there is an element at all, likewise.
static SmallVector<Value> clampIndices(OpBuilder &builder, Location loc, Value tensor,
                                       ValueRange indices, Value &isGiven, Value &isThere) {
  IndexBuilder index(builder, loc);
  SmallVector<Value> result;
  for (auto [dim, extent] : llvm::enumerate(cast<RankedTensorType>(tensor.getType()).getShape())) {
    Value given = indices[dim];
    if (!ShapedType::isDynamic(extent) && isConstantIn(given, 0, extent - 1)) {
      result.push_back(given);
      continue;
    }
    Value length = index.getDim(tensor, dim), none = index.get(0);
    Value last = index.subtract(length, index.get(1));
    result.push_back(index.clamp(given, 0, index.atLeast(last, 0)));
    isGiven = index.both(isGiven, index.isEqual(result.back(), given));
    if (extent == 0 || ShapedType::isDynamic(extent))
      isThere = index.both(isThere, index.compare(arith::CmpIPredicate::ne, length, none));
  }
  return result;
}

/// The nearest element; 0 of a tensor that has none.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::ExtractOp op) {
  Value isGiven, isThere;
  SmallVector<Value> indices =
      clampIndices(builder, op.getLoc(), op.getTensor(), op.getIndices(), isGiven, isThere);
  op.getIndicesMutable().assign(indices);
  if (!isThere)
    return success();
  Type type = op.getType();
  if (!builder.getZeroAttr(type))
    return op.emitError("expected elements of integers or floats in a tensor that may be empty, "
                        "found ")
           << op.getTensor().getType() << "; use a tensor of another type";
  auto ifOp = scf::IfOp::create(builder, op.getLoc(), type, isThere, /*withElseRegion=*/true);
  op.replaceAllUsesWith(ifOp.getResult(0));
  OpBuilder yes = ifOp.getThenBodyBuilder(), no = ifOp.getElseBodyBuilder();
  Operation *extract = yes.clone(*op);
  scf::YieldOp::create(yes, op.getLoc(), extract->getResult(0));
  scf::YieldOp::create(no, op.getLoc(), createZero(no, op.getLoc(), type));
  op.erase();
  return success();
}

/// Runs `op`, which changes `dest`, only where `isGiven` holds.
static void guard(OpBuilder &builder, Operation *op, Value dest, Value isGiven) {
  auto ifOp =
      scf::IfOp::create(builder, op->getLoc(), dest.getType(), isGiven, /*withElseRegion=*/true);
  op->replaceAllUsesWith(ifOp);
  OpBuilder yes = ifOp.getThenBodyBuilder(), no = ifOp.getElseBodyBuilder();
  Operation *insert = yes.clone(*op);
  scf::YieldOp::create(yes, op->getLoc(), insert->getResult(0));
  scf::YieldOp::create(no, op->getLoc(), dest);
  op->erase();
}

/// Nothing is written at an index out of range.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::InsertOp op) {
  Value isGiven, isThere;
  SmallVector<Value> indices =
      clampIndices(builder, op.getLoc(), op.getDest(), op.getIndices(), isGiven, isThere);
  if (!isGiven)
    return success();
  op.getIndicesMutable().assign(indices);
  if (isThere)
    isGiven = arith::AndIOp::create(builder, op.getLoc(), isGiven, isThere);
  guard(builder, op, op.getDest(), isGiven);
  return success();
}

/// The nearest slice.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::ExtractSliceOp op) {
  FailureOr<TensorRegion> region = keepInside(builder, op, op.getSource());
  if (failed(region) || !region->isGiven)
    return region;
  Value slice = tensor::ExtractSliceOp::create(builder, op.getLoc(), op.getType(), op.getSource(),
                                               region->offsets, region->sizes, region->strides);
  op.replaceAllUsesWith(slice);
  op.erase();
  return success();
}

/// Nothing is written by a slice that is not all inside.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::InsertSliceOp op) {
  if (isTooLarge(op, op.getDest())) {
    op.replaceAllUsesWith(op.getDest());
    op.erase();
    return success();
  }
  FailureOr<TensorRegion> region = keepInside(builder, op, op.getDest());
  if (failed(region) || !region->isGiven)
    return region;
  auto inside = tensor::InsertSliceOp::create(builder, op.getLoc(), op.getSource(), op.getDest(),
                                              region->offsets, region->sizes, region->strides);
  op.replaceAllUsesWith(inside.getResult());
  op.erase();
  builder.setInsertionPoint(inside);
  guard(builder, inside, inside.getDest(), region->isGiven);
  return success();
}

/// As above; what is there is written again, as there is no place for a condition.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::ParallelInsertSliceOp op) {
  builder.setInsertionPoint(op->getParentOp());
  FailureOr<TensorRegion> region = keepInside(builder, op, op.getDest());
  if (failed(region) || !region->isGiven)
    return region;
  Location loc = op.getLoc();
  auto type = op.getSourceType();
  Value old = tensor::ExtractSliceOp::create(builder, loc, type, op.getDest(), region->offsets,
                                             region->sizes, region->strides);
  auto ifOp = scf::IfOp::create(builder, loc, type, region->isGiven, /*withElseRegion=*/true);
  OpBuilder yes = ifOp.getThenBodyBuilder(), no = ifOp.getElseBodyBuilder();
  scf::YieldOp::create(yes, loc, op.getSource());
  scf::YieldOp::create(no, loc, old);
  builder.setInsertionPoint(op);
  tensor::ParallelInsertSliceOp::create(builder, loc, ifOp.getResult(0), op.getDest(),
                                        region->offsets, region->sizes, region->strides);
  op.erase();
  return success();
}

/// Edges are not negative; where the result's extent is given, the source ends up inside.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::PadOp op) {
  IndexBuilder index(builder, op.getLoc());
  SmallVector<OpFoldResult> low = op.getMixedLowPad(), high = op.getMixedHighPad();
  bool isChanged = false;
  auto replace = [&](OpFoldResult &edge, Value value) {
    isChanged = true;
    // What was data stays data, as the result's type says.
    edge = isa<Value>(edge) ? OpFoldResult(value) : getAsOpFoldResult(value);
  };
  for (auto [dim, extent] : llvm::enumerate(op.getResultType().getShape())) {
    for (OpFoldResult edge : {low[dim], high[dim]})
      if (std::optional<int64_t> constant = getStatic(edge); constant && *constant < 0)
        return op.emitError("expected edges of at least 0 elements, found ")
               << *constant << " in dimension " << dim
               << "; leave elements out by tensor.extract_slice";
    int64_t length = op.getSourceType().getDimSize(dim);
    bool isKnown = !ShapedType::isDynamic(extent) && !ShapedType::isDynamic(length);
    if (isKnown && length > extent)
      return op.emitError("expected a result with room for the ")
             << length << " elements of dimension " << dim << ", found " << op.getResultType()
             << "; leave elements out by tensor.extract_slice";
    if (!getStatic(high[dim]))
      replace(high[dim], index.atLeast(index.get(high[dim]), 0));
    bool isInside = ShapedType::isDynamic(extent)
                        ? getStatic(low[dim]).has_value()
                        : isConstantIn(low[dim], 0, isKnown ? extent - length : 0);
    if (isInside)
      continue;
    Value edge = index.atLeast(index.get(low[dim]), 0);
    if (!ShapedType::isDynamic(extent)) {
      Value room = index.subtract(index.get(extent), index.getDim(op.getSource(), dim));
      edge = index.make<arith::MinSIOp>(edge, index.atLeast(room, 0));
    }
    replace(low[dim], edge);
  }
  // All of it is edges. Upstream would insert a slice of nothing, for which it knows no place.
  if (llvm::is_contained(op.getSourceType().getShape(), 0) ||
      llvm::is_contained(op.getResultType().getShape(), 0)) {
    SmallVector<Value> sizes;
    for (auto [dim, extent] : llvm::enumerate(op.getResultType().getShape()))
      if (ShapedType::isDynamic(extent))
        sizes.push_back(index.add(index.add(index.get(low[dim]), index.get(high[dim])),
                                  index.getDim(op.getSource(), dim)));
    auto edges = tensor::GenerateOp::create(builder, op.getLoc(), op.getResultType(), sizes);
    edges.getRegion().takeBody(op.getRegion());
    op.replaceAllUsesWith(edges.getResult());
    op.erase();
    return success();
  }
  if (!isChanged)
    return success();
  auto inside = tensor::PadOp::create(builder, op.getLoc(), op.getResultType(), op.getSource(), low,
                                      high, op.getNofold());
  inside.getRegion().takeBody(op.getRegion());
  op.replaceAllUsesWith(inside.getResult());
  op.erase();
  return success();
}

/// Clamps an index of a dimension to those that `op` has.
static LogicalResult keepInBounds(OpBuilder &builder, tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!type || type.getRank() == 0 || isConstantIn(op.getIndex(), 0, type.getRank() - 1))
    return success();
  IndexBuilder index(builder, op.getLoc());
  op.getIndexMutable().assign(index.clamp(op.getIndex(), 0, index.get(type.getRank() - 1)));
  return success();
}

/// Makes extents that are data at least 0.
static void keepPositive(OpBuilder &builder, Operation *op, MutableOperandRange extents) {
  IndexBuilder index(builder, op->getLoc());
  for (OpOperand &extent : extents)
    extent.set(index.atLeast(extent.get(), 0));
}

/// Makes steps that are data at least 1: loops with others do not end.
static void keepStepping(OpBuilder &builder, Operation *op, MutableOperandRange steps) {
  for (OpOperand &step : steps) {
    if (getConstantIntValue(step.get()))
      continue;
    Value one = arith::ConstantOp::create(builder, op->getLoc(),
                                          builder.getIntegerAttr(step.get().getType(), 1));
    step.set(arith::MaxSIOp::create(builder, op->getLoc(), step.get(), one));
  }
}

namespace {
struct KeepInBounds : npu::host::impl::KeepInBoundsBase<KeepInBounds> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      llvm::TypeSwitch<Operation *>(op)
          .Case<tensor::ExtractOp, tensor::InsertOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
                tensor::ParallelInsertSliceOp, tensor::PadOp, tensor::DimOp>([&](auto typed) {
            if (failed(keepInBounds(builder, typed)))
              signalPassFailure();
          })
          .Case<tensor::EmptyOp, tensor::SplatOp, bufferization::AllocTensorOp>(
              [&](auto typed) { keepPositive(builder, op, typed.getDynamicSizesMutable()); })
          .Case([&](tensor::GenerateOp typed) {
            keepPositive(builder, op, typed.getDynamicExtentsMutable());
          })
          .Case([&](scf::ForOp typed) { keepStepping(builder, op, typed.getStepMutable()); })
          .Case([&](scf::ParallelOp typed) { keepStepping(builder, op, typed.getStepMutable()); })
          .Case([&](scf::ForallOp typed) {
            keepStepping(builder, op, typed.getDynamicStepMutable());
          });
    }
    // What folding has left of the arithmetic.
    getOperation()->walk([](arith::ConstantOp constant) {
      if (constant->use_empty())
        constant.erase();
    });
  }
};
} // namespace
