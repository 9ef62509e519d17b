//===- NarrowIndices.cpp - indices of 64 bits as those of 32 --------------===//
//
// Models write indices as i64, which the NPU does not have. Where a body only compares them, moves
// them by small constants and reads elements by them, i32 gives the same: a kernel reads both
// halves of each number and takes the nearest one within 2^30, from which no sum overflows. An
// index so far outside of a tensor reads the nearest element either way.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

static bool isWide(Type type) { return getElementTypeOrSelf(type).isSignlessInteger(64); }

/// What stands for larger numbers; and the largest constant, of which as many can be added as a
/// body may have values.
static constexpr int32_t kFar = 1 << 30, kMaxConstant = 1 << 24;
static constexpr size_t kMaxValues = kFar / kMaxConstant;

static bool isNarrow(const APInt &value) {
  return value.sge(-kMaxConstant) && value.sle(kMaxConstant);
}

/// Whether `value` of a body is a constant, or counts a loop, and so is exact in 32 bits.
static bool isExact(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return isNarrow(constant);
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  return cast && cast.getIn().getDefiningOp<linalg::IndexOp>();
}

/// Whether `op` has a meaning on the nearest numbers of 32 bits.
static bool mayNarrow(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    // Two numbers that are both too large compare as equal.
    bool isSigned = compare.getPredicate() <= arith::CmpIPredicate::sge;
    return isSigned && (isExact(compare.getLhs()) || isExact(compare.getRhs()));
  }
  APInt constant;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return matchPattern(op->getOperand(1), m_ConstantInt(&constant)) && isNarrow(constant);
  if (isa<arith::MinSIOp, arith::MaxSIOp, arith::SelectOp>(op))
    return true;
  // To an index that only reads elements.
  return isa<arith::IndexCastOp>(op) &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::ExtractOp>);
}

/// The values of 64 bits in the body that arguments lead to, if all ops on the way may narrow.
static std::optional<llvm::SetVector<Value>> collectValues(linalg::GenericOp op) {
  llvm::SetVector<Value> values;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isWide(input->get().getType()))
      values.insert(op.getMatchingBlockArgument(input));
  if (values.empty() || llvm::any_of(op.getOutputs().getTypes(), isWide))
    return std::nullopt;
  for (size_t i = 0; i < values.size() && values.size() < kMaxValues; ++i)
    for (Operation *user : values[i].getUsers()) {
      // Bodies share constants.
      if (user->getBlock() != op.getBody() && matchPattern(values[i], m_Constant()))
        continue;
      if (user->getBlock() != op.getBody() || !mayNarrow(user))
        return std::nullopt;
      for (Value operand : user->getOperands())
        if (isWide(operand.getType()) && !values.contains(operand)) {
          bool isKnown = isExact(operand) || operand.getParentBlock() == op.getBody();
          if (!isKnown)
            return std::nullopt;
          values.insert(operand);
        }
      if (user->getNumResults() == 1 && isWide(user->getResult(0).getType()))
        values.insert(user->getResult(0));
    }
  if (values.size() >= kMaxValues)
    return std::nullopt;
  // What they are computed of has to narrow, too.
  for (Value value : values) {
    Operation *producer = value.getDefiningOp();
    if (producer && !isExact(value) && !mayNarrow(producer))
      return std::nullopt;
  }
  return values;
}

/// The tensor may be read as pairs of i32: nothing but bodies that narrow reads it.
static bool isReadable(Value tensor, ArrayRef<linalg::GenericOp> narrowed) {
  if (DenseElementsAttr elements; matchPattern(tensor, m_Constant(&elements)))
    return llvm::all_of(elements.getValues<APInt>(), isNarrow);
  return isa<BlockArgument>(tensor) && llvm::all_of(tensor.getUsers(), [&](Operation *user) {
           return llvm::is_contained(narrowed, dyn_cast<linalg::GenericOp>(user));
         });
}

/// The numbers nearest to those whose halves are the last dimension of `pairs`.
static Value createNearest(OpBuilder &builder, Location loc, Value pairs) {
  auto type = cast<RankedTensorType>(pairs.getType());
  ArrayRef<int64_t> shape = type.getShape().drop_back();
  auto half = RankedTensorType::get(shape, builder.getI32Type());
  SmallVector<Value> halves;
  for (int64_t position : {0, 1}) {
    SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)), sizes,
        strides(type.getRank(), builder.getIndexAttr(1));
    offsets.push_back(builder.getIndexAttr(position));
    for (int64_t size : shape)
      sizes.push_back(builder.getIndexAttr(size));
    sizes.push_back(builder.getIndexAttr(1));
    halves.push_back(
        tensor::ExtractSliceOp::create(builder, loc, half, pairs, offsets, sizes, strides));
  }
  Value empty = tensor::EmptyOp::create(builder, loc, shape, builder.getI32Type());
  AffineMap map = builder.getMultiDimIdentityMap(shape.size());
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  auto create = [](OpBuilder &b, Location l, ValueRange arguments) {
    auto constant = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(b, l, b.getI32IntegerAttr(value));
    };
    Value low = arguments[0], high = arguments[1], shift = constant(31);
    Value sign = arith::ShRSIOp::create(b, l, low, shift);
    Value fits = arith::CmpIOp::create(b, l, arith::CmpIPredicate::eq, high, sign);
    // The largest number, or its complement, which is the least.
    Value limit = arith::XOrIOp::create(b, l, arith::ShRSIOp::create(b, l, high, shift),
                                        constant(std::numeric_limits<int32_t>::max()));
    Value nearest = arith::SelectOp::create(b, l, fits, low, limit);
    nearest = arith::MaxSIOp::create(b, l, nearest, constant(-kFar));
    nearest = arith::MinSIOp::create(b, l, nearest, constant(kFar));
    linalg::YieldOp::create(b, l, nearest);
  };
  return linalg::GenericOp::create(builder, loc, half, halves, empty,
                                   SmallVector<AffineMap>(3, map), iterators, create)
      .getResult(0);
}

void npu::narrowIndices(KernelOp kernel) {
  SmallVector<linalg::GenericOp> narrowed;
  SmallVector<llvm::SetVector<Value>> values;
  kernel.walk([&](linalg::GenericOp op) {
    if (std::optional<llvm::SetVector<Value>> found = collectValues(op)) {
      narrowed.push_back(op);
      values.push_back(std::move(*found));
    }
  });
  for (linalg::GenericOp op : narrowed)
    for (Value input : op.getInputs())
      if (isWide(input.getType()) && !isReadable(input, narrowed))
        return;

  OpBuilder builder(kernel.getContext());
  Type narrow = builder.getI32Type();
  DenseMap<Value, Value> nearest;
  for (auto [op, found] : llvm::zip_equal(narrowed, values)) {
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!isWide(input->get().getType()) && !nearest.contains(input->get()))
        continue;
      Value &replacement = nearest[input->get()];
      if (!replacement) {
        builder.setInsertionPointToStart(&kernel.getBody().front());
        DenseIntElementsAttr elements;
        if (matchPattern(input->get(), m_Constant(&elements))) {
          auto shrunk =
              elements.mapValues(narrow, [](const APInt &value) { return value.trunc(32); });
          replacement = arith::ConstantOp::create(builder, op.getLoc(), shrunk);
        } else {
          SmallVector<int64_t> shape(cast<ShapedType>(input->get().getType()).getShape());
          shape.push_back(2);
          input->get().setType(RankedTensorType::get(shape, narrow));
          replacement = createNearest(builder, op.getLoc(), input->get());
        }
      }
      input->set(replacement);
    }
    for (Value value : found) {
      APInt constant;
      if (matchPattern(value, m_ConstantInt(&constant))) {
        // It may serve others.
        builder.setInsertionPointToStart(op.getBody());
        Value shrunk = arith::ConstantOp::create(
            builder, op.getLoc(), builder.getIntegerAttr(narrow, constant.trunc(32)));
        value.replaceUsesWithIf(shrunk, [body = op.getBody()](OpOperand &use) {
          return use.getOwner()->getBlock() == body;
        });
        continue;
      }
      value.setType(narrow);
    }
  }
  kernel.setFunctionType(builder.getFunctionType(kernel.getBody().front().getArgumentTypes(),
                                                 kernel.getFunctionType().getResults()));
}

/// The i32 value of the body that the op's only result is the sign extension of, if it is one.
static Value getExtended(linalg::GenericOp op) {
  if (!op || op.getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
      !op->getResult(0).hasOneUse() || !isWide(op->getResult(0).getType()) ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return {};
  auto extension = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::ExtSIOp>();
  return extension && extension.getIn().getType().isInteger(32) ? extension.getIn() : Value();
}

void npu::narrowResults(KernelOp kernel) {
  Operation *results = kernel.getBody().front().getTerminator();
  OpBuilder builder(results);
  for (OpOperand &operand : results->getOpOperands()) {
    auto op = operand.get().getDefiningOp<linalg::GenericOp>();
    Value extended = getExtended(op);
    if (!extended)
      continue;
    // Both halves of a number are the number shifted: by nothing, and by all but its sign.
    builder.setInsertionPoint(op);
    Location loc = op.getLoc();
    unsigned half = op.getNumLoops();
    SmallVector<AffineMap> maps;
    for (AffineMap map : op.getIndexingMapsArray())
      maps.push_back(AffineMap::get(half + 1, 0, map.getResults(), builder.getContext()));
    AffineExpr halfDim = builder.getAffineDimExpr(half);
    maps.back() = maps.back().insertResult(halfDim, maps.back().getNumResults());
    SmallVector<Value> inputs(op.getInputs());
    maps.insert(maps.begin() + inputs.size(),
                AffineMap::get(half + 1, 0, halfDim, builder.getContext()));
    Type narrow = builder.getI32Type();
    inputs.push_back(arith::ConstantOp::create(
        builder, loc,
        DenseIntElementsAttr::get(RankedTensorType::get({2}, narrow), ArrayRef<int32_t>{0, 31})));
    SmallVector<int64_t> shape(cast<ShapedType>(operand.get().getType()).getShape());
    shape.push_back(2);
    Value empty = tensor::EmptyOp::create(builder, loc, shape, narrow);
    SmallVector<utils::IteratorType> iterators(half + 1, utils::IteratorType::parallel);
    auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
      IRMapping mapping;
      for (auto [from, to] : llvm::zip(op.getRegionInputArgs(), arguments))
        mapping.map(from, to);
      for (Operation &inner : op.getBody()->without_terminator())
        b.clone(inner, mapping);
      Value shift = arguments[arguments.size() - 2];
      Value part = arith::ShRSIOp::create(b, l, mapping.lookup(extended), shift);
      linalg::YieldOp::create(b, l, part);
    };
    operand.set(linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty, maps,
                                          iterators, create)
                    .getResult(0));
  }
  kernel.setFunctionType(
      builder.getFunctionType(kernel.getFunctionType().getInputs(), results->getOperandTypes()));
}
