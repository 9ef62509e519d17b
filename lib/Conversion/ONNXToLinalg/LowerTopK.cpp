//===- LowerTopK.cpp - the largest or smallest elements -------------------===//
//
// Merges sorted runs of indices, two by two, and keeps no more of each than the result has: n
// elements take log2(n) rounds, each of which halves the runs, and log2(k)^2 comparisons. Every
// element of a round finds its own position in the two runs, so the loops may run in any order.
//

#include "Indexing.h"
#include "Scalars.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Whether `lhs` is larger. NaN is larger than all other numbers, as where NumPy sorts it to, so
/// that there is an order of all elements.
static Value isLarger(Lowering &b, Value lhs, Value rhs) {
  if (!isa<FloatType>(lhs.getType()))
    return arith::CmpIOp::create(
        b, b.isUnsigned(0) ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, lhs, rhs);
  Value isAbove = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, lhs, rhs);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, rhs, rhs);
  return arith::AndIOp::create(b, isAbove, isNumber);
}

namespace {
/// The input as (outer, elements to choose from, inner), and the order that is asked for.
struct Selection {
  Value input;
  int64_t extent;
  bool isLargest;

  /// Whether the element at index `lhs` comes before that at `rhs`, which is another one: of equal
  /// elements the first one. Indices from `extent` on, which fill the last run, come last.
  Value comesBefore(Lowering &b, Value outer, Value inner, Value lhs, Value rhs) const;
};
} // namespace

Value Selection::comesBefore(Lowering &b, Value outer, Value inner, Value lhs, Value rhs) const {
  Value end = b.scalar(b.getIndexType(), extent), last = b.scalar(b.getIndexType(), extent - 1);
  auto read = [&](Value index) {
    return extract(b, input, {outer, minimum(b, index, last), inner});
  };
  Value left = read(lhs), right = read(rhs);
  Value isBetter = isLargest ? isLarger(b, left, right) : isLarger(b, right, left);
  Value isWorse = isLargest ? isLarger(b, right, left) : isLarger(b, left, right);
  Value isFirst = compare(b, arith::CmpIPredicate::slt, lhs, rhs);
  Value isNotWorse = arith::XOrIOp::create(b, isWorse, b.scalar(b.getI1Type(), int64_t(1)));
  Value result = arith::OrIOp::create(b, isBetter, arith::AndIOp::create(b, isNotWorse, isFirst));
  // Of two of which one is no element, the lower index is one.
  Value areElements = compare(b, arith::CmpIPredicate::slt, maximum(b, lhs, rhs), end);
  return arith::SelectOp::create(b, areElements, result, isFirst);
}

/// The first `kept` elements of runs 2 * r and 2 * r + 1 together, for each r. `runs` are (outer,
/// inner, run, place); null for runs of one element, their own number.
static Value mergeRuns(Lowering &b, const Selection &selection, Value runs, ArrayRef<int64_t> shape,
                       int64_t length) {
  Type i64 = b.getI64Type();
  return b.elementwise(shape, i64, {}, [&](Lowering &b, ValueRange) -> Value {
    auto number = [&](int64_t value) { return b.scalar(b.getIndexType(), value); };
    SmallVector<Value> at = getLoopIndices(b, 4);
    Value outer = at[0], inner = at[1], place = at[3];
    Value left = arith::MulIOp::create(b, at[2], number(2));
    Value right = add(b, left, number(1));
    auto read = [&](Value run, Value from) -> Value {
      if (!runs)
        return run;
      // A place behind the end is read, but not used.
      Value inside = minimum(b, maximum(b, from, number(0)), number(length - 1));
      Value index = extract(b, runs, {outer, inner, run, inside});
      return arith::IndexCastOp::create(b, b.getIndexType(), index);
    };
    // How many elements before `place` are of the left run: the least number of them such that the
    // next one of the left run comes after the last one of the right run.
    Value low = maximum(b, subtract(b, place, number(length)), number(0));
    Value high = minimum(b, place, number(length));
    for (int64_t rest = length; rest > 0; rest /= 2) {
      Value middle = arith::ShRUIOp::create(b, add(b, low, high), number(1));
      Value last = subtract(b, subtract(b, place, number(1)), middle);
      Value isAfter = selection.comesBefore(b, outer, inner, read(right, last), read(left, middle));
      Value isOpen = compare(b, arith::CmpIPredicate::slt, low, high);
      Value next = arith::SelectOp::create(b, isAfter, low, add(b, middle, number(1)));
      Value bound = arith::SelectOp::create(b, isAfter, middle, high);
      low = arith::SelectOp::create(b, isOpen, next, low);
      high = arith::SelectOp::create(b, isOpen, bound, high);
    }
    Value other = subtract(b, place, low);
    Value fromLeft = read(left, low), fromRight = read(right, other);
    Value isRightFirst = selection.comesBefore(b, outer, inner, fromRight, fromLeft);
    Value hasLeft = compare(b, arith::CmpIPredicate::slt, low, number(length));
    Value hasRight = compare(b, arith::CmpIPredicate::slt, other, number(length));
    Value takesRight = arith::AndIOp::create(b, hasRight, isRightFirst);
    takesRight = arith::SelectOp::create(b, hasLeft, takesRight, hasRight);
    Value index = arith::SelectOp::create(b, takesRight, fromRight, fromLeft);
    return arith::IndexCastOp::create(b, i64, index);
  });
}

void npu::onnx_ir::lowerTopK(Lowering &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> shape = node.getShape(0);
  int64_t axis = node.getInt("axis", -1);
  axis = axis < 0 ? axis + node.getRank(0) : axis;
  int64_t outer = ShapedType::getNumElements(shape.take_front(axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(axis + 1)), extent = shape[axis];
  unsigned some = b.hasResult(0) ? 0 : 1; // of the results
  int64_t kept = b.getResultType(some).getDimSize(axis);
  Selection selection{b.reshape(b.getInput(0), {outer, extent, inner}), extent,
                      node.getInt("largest", 1) != 0};
  Value runs;
  int64_t length = 1, count = llvm::PowerOf2Ceil(extent);
  if (count == 1)
    runs = b.splat({outer, inner, 1, 1}, b.scalar(b.getI64Type(), int64_t(0)));
  for (; count > 1; count /= 2) {
    int64_t merged = std::min(2 * length, kept);
    runs = mergeRuns(b, selection, runs, {outer, inner, count / 2, merged}, length);
    length = merged;
  }
  auto pick = [&](unsigned output, function_ref<Value(Lowering &, Value, Value, Value)> body) {
    if (!b.hasResult(output))
      return;
    RankedTensorType type = b.getResultType(output);
    Value picked = b.elementwise(
        {outer, kept, inner}, type.getElementType(), {}, [&](Lowering &b, ValueRange) {
          SmallVector<Value> at = getLoopIndices(b, 3);
          Value first = b.scalar(b.getIndexType(), int64_t(0));
          return body(b, extract(b, runs, {at[0], at[2], first, at[1]}), at[0], at[2]);
        });
    b.setResult(output, b.reshape(picked, type.getShape()));
  };
  pick(0, [&](Lowering &b, Value index, Value outer, Value inner) {
    Value place = arith::IndexCastOp::create(b, b.getIndexType(), index);
    return extract(b, selection.input, {outer, place, inner});
  });
  pick(1, [](Lowering &, Value index, Value, Value) { return index; });
}
