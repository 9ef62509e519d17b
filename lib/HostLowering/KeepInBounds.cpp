//===- KeepInBounds.cpp - no element outside of a tensor, for any data ----===//
//
// tensor.extract, insert and the slices are `Pure`: passes may run them where the program would
// not. So they may not fail either, and every one of them gets a result for every index. The
// clamped index is an operand of the access, so no pass can separate the two, as it could with a
// check before the access.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu::host {
#define GEN_PASS_DEF_KEEPINBOUNDS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
/// Index arithmetic that folds constants.
class IndexBuilder {
public:
  IndexBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value get(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value get(OpFoldResult value) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    return constant ? get(*constant) : cast<Value>(value);
  }
  Value getDim(Value tensor, int64_t dim) {
    return builder.createOrFold<tensor::DimOp>(loc, tensor, dim);
  }
  template <typename Op>
  Value make(Value lhs, Value rhs) {
    return builder.createOrFold<Op>(loc, lhs, rhs);
  }
  Value atLeast(Value value, int64_t least) { return make<arith::MaxSIOp>(value, get(least)); }
  Value clamp(Value value, int64_t least, Value most) {
    return make<arith::MinSIOp>(atLeast(value, least), most);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
  }
  Value select(Value condition, Value yes, Value no) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
  }
  /// `lhs` may be null, which is true.
  Value both(Value lhs, Value rhs) { return lhs ? make<arith::AndIOp>(lhs, rhs) : rhs; }

private:
  OpBuilder &builder;
  Location loc;
};

/// Where a slice lies in a tensor, all of it inside, and whether that is where the IR says.
struct Box {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  /// Null if it always is.
  Value isGiven;
};
} // namespace

static bool isConstantIn(OpFoldResult value, int64_t least, int64_t most) {
  std::optional<int64_t> constant = getConstantIntValue(value);
  return constant && *constant >= least && *constant <= most;
}

/// Whether a slice is inside of a dimension of `extent` elements, as is known from constants.
static bool isKnownInside(int64_t extent, OpFoldResult offset, OpFoldResult size,
                          OpFoldResult stride) {
  std::optional<int64_t> first = getConstantIntValue(offset), count = getConstantIntValue(size),
                         step = getConstantIntValue(stride);
  if (ShapedType::isDynamic(extent) || !first || !count || !step || *first < 0 || *count < 0 ||
      *step < 0)
    return false;
  if (*count == 0)
    return *first <= extent;
  return *first < extent && (*count == 1 || *step <= (extent - 1 - *first) / (*count - 1));
}

/// The nearest box inside of `tensor`. Sizes and strides that are data become the largest that fit.
static Box keepInside(OpBuilder &builder, OffsetSizeAndStrideOpInterface op, Value tensor) {
  Box box{op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides(), {}};
  IndexBuilder index(builder, op.getLoc());
  for (auto [dim, extent] : llvm::enumerate(cast<RankedTensorType>(tensor.getType()).getShape())) {
    OpFoldResult &offset = box.offsets[dim], &size = box.sizes[dim], &stride = box.strides[dim];
    if (isKnownInside(extent, offset, size, stride))
      continue;
    auto replace = [&](OpFoldResult &what, Value value) {
      Value given = index.get(what);
      if (value != given)
        box.isGiven =
            index.both(box.isGiven, index.compare(arith::CmpIPredicate::eq, value, given));
      what = value;
    };
    Value length = index.getDim(tensor, dim), one = index.get(1);
    Value lastElement = index.make<arith::SubIOp>(length, one);
    if (!getConstantIntValue(stride))
      replace(stride, index.clamp(index.get(stride), 1, index.atLeast(length, 1)));
    Value step = index.atLeast(index.get(stride), 1);
    if (!getConstantIntValue(size)) {
      Value most = index.make<arith::AddIOp>(
          index.make<arith::DivSIOp>(index.atLeast(lastElement, 0), step), one);
      most = index.make<arith::MinSIOp>(most, length);
      replace(size, index.clamp(index.get(size), 0, most));
    }
    // The last offset; a static size that a dynamic extent has no room for is found when the
    // buffers are known.
    Value count = index.get(size);
    Value span = index.make<arith::MulIOp>(index.make<arith::SubIOp>(count, one), step);
    Value isEmpty = index.compare(arith::CmpIPredicate::eq, count, index.get(0));
    Value last = index.make<arith::SubIOp>(lastElement, span);
    last = index.select(isEmpty, length, last);
    replace(offset, index.clamp(index.get(offset), 0, index.atLeast(last, 0)));
  }
  return box;
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
    Value last = index.make<arith::SubIOp>(length, index.get(1));
    result.push_back(index.clamp(given, 0, index.atLeast(last, 0)));
    isGiven = index.both(isGiven, index.compare(arith::CmpIPredicate::eq, result.back(), given));
    if (extent == 0 || ShapedType::isDynamic(extent))
      isThere = index.both(isThere, index.compare(arith::CmpIPredicate::ne, length, none));
  }
  return result;
}

/// The nearest element; 0 of a tensor that has none.
static void keepInBounds(OpBuilder &builder, tensor::ExtractOp op) {
  Value isGiven, isThere;
  SmallVector<Value> indices =
      clampIndices(builder, op.getLoc(), op.getTensor(), op.getIndices(), isGiven, isThere);
  op.getIndicesMutable().assign(indices);
  Type type = op.getType();
  if (!isThere || !type.isIntOrIndexOrFloat())
    return;
  auto ifOp = scf::IfOp::create(builder, op.getLoc(), type, isThere, /*withElseRegion=*/true);
  op.replaceAllUsesWith(ifOp.getResult(0));
  OpBuilder yes = ifOp.getThenBodyBuilder(), no = ifOp.getElseBodyBuilder();
  Operation *extract = yes.clone(*op);
  scf::YieldOp::create(yes, op.getLoc(), extract->getResult(0));
  scf::YieldOp::create(no, op.getLoc(), createZero(no, op.getLoc(), type));
  op.erase();
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
static void keepInBounds(OpBuilder &builder, tensor::InsertOp op) {
  Value isGiven, isThere;
  SmallVector<Value> indices =
      clampIndices(builder, op.getLoc(), op.getDest(), op.getIndices(), isGiven, isThere);
  if (!isGiven)
    return;
  op.getIndicesMutable().assign(indices);
  if (isThere)
    isGiven = arith::AndIOp::create(builder, op.getLoc(), isGiven, isThere);
  guard(builder, op, op.getDest(), isGiven);
}

/// The nearest slice.
static void keepInBounds(OpBuilder &builder, tensor::ExtractSliceOp op) {
  Box box = keepInside(builder, op, op.getSource());
  if (!box.isGiven)
    return;
  Value slice = tensor::ExtractSliceOp::create(builder, op.getLoc(), op.getType(), op.getSource(),
                                               box.offsets, box.sizes, box.strides);
  op.replaceAllUsesWith(slice);
  op.erase();
}

/// Nothing is written by a slice that is not all inside.
static void keepInBounds(OpBuilder &builder, tensor::InsertSliceOp op) {
  Box box = keepInside(builder, op, op.getDest());
  if (!box.isGiven)
    return;
  auto inside = tensor::InsertSliceOp::create(builder, op.getLoc(), op.getSource(), op.getDest(),
                                              box.offsets, box.sizes, box.strides);
  op.replaceAllUsesWith(inside.getResult());
  op.erase();
  builder.setInsertionPoint(inside);
  guard(builder, inside, inside.getDest(), box.isGiven);
}

/// As above; what is there is written again, as there is no place for a condition.
static void keepInBounds(OpBuilder &builder, tensor::ParallelInsertSliceOp op) {
  builder.setInsertionPoint(op->getParentOp());
  Box box = keepInside(builder, op, op.getDest());
  if (!box.isGiven)
    return;
  Location loc = op.getLoc();
  auto type = op.getSourceType();
  Value old = tensor::ExtractSliceOp::create(builder, loc, type, op.getDest(), box.offsets,
                                             box.sizes, box.strides);
  auto ifOp = scf::IfOp::create(builder, loc, type, box.isGiven, /*withElseRegion=*/true);
  OpBuilder yes = ifOp.getThenBodyBuilder(), no = ifOp.getElseBodyBuilder();
  scf::YieldOp::create(yes, loc, op.getSource());
  scf::YieldOp::create(no, loc, old);
  builder.setInsertionPoint(op);
  tensor::ParallelInsertSliceOp::create(builder, loc, ifOp.getResult(0), op.getDest(), box.offsets,
                                        box.sizes, box.strides);
  op.erase();
}

/// Edges are not negative; where the result's extent is given, the source ends up inside.
static void keepInBounds(OpBuilder &builder, tensor::PadOp op) {
  IndexBuilder index(builder, op.getLoc());
  SmallVector<OpFoldResult> low = op.getMixedLowPad(), high = op.getMixedHighPad();
  unsigned nextLow = 0, nextHigh = 0;
  for (auto [dim, extent] : llvm::enumerate(op.getResultType().getShape())) {
    if (isa<Value>(low[dim])) {
      Value edge = index.atLeast(index.get(low[dim]), 0);
      if (!ShapedType::isDynamic(extent)) {
        Value room =
            index.make<arith::SubIOp>(index.get(extent), index.getDim(op.getSource(), dim));
        edge = index.make<arith::MinSIOp>(edge, index.atLeast(room, 0));
      }
      op.getLowMutable()[nextLow++].set(edge);
    }
    if (isa<Value>(high[dim]))
      op.getHighMutable()[nextHigh++].set(index.atLeast(index.get(high[dim]), 0));
  }
}

/// Clamps an index of a dimension to those that `op` has.
static void keepInBounds(OpBuilder &builder, tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!type || type.getRank() == 0 || isConstantIn(op.getIndex(), 0, type.getRank() - 1))
    return;
  IndexBuilder index(builder, op.getLoc());
  op.getIndexMutable().assign(index.clamp(op.getIndex(), 0, index.get(type.getRank() - 1)));
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
                tensor::ParallelInsertSliceOp, tensor::PadOp, tensor::DimOp>(
              [&](auto typed) { keepInBounds(builder, typed); })
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
  }
};
} // namespace
