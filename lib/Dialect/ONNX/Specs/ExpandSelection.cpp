//===- ExpandSelection.cpp - results whose length data decide -------------===//
//
// What may be selected is computed for all candidates, and brought to the front; a scalar says how
// many there are. Shapes stay static: the result is as long as it can be, and `onnx.prefix` says
// which part of it counts.
//
//===----------------------------------------------------------------------===//

#include "OpSpecFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

/// 0, 1 and so on, of i32, as `shape`.
static Value countUp(Expansion &b, ArrayRef<int64_t> shape) {
  std::vector<double> values(ShapedType::getNumElements(shape));
  for (auto [index, value] : llvm::enumerate(values))
    value = index;
  return b.numbers(b.getI32Type(), shape, values);
}

/// Moves row i of `rows` (`count` x `width`) to row `places`[i] where `isKept`[i], a Boolean; the
/// rows behind the last one are zero.
static Value moveRows(Expansion &b, Value rows, int64_t count, int64_t width, Value places,
                      Value isKept, Type type) {
  // What is not kept goes to a row behind all others.
  Value target = b.op("Where", {isKept, places, b.constant(b.getI32Type(), {}, count)});
  Value indices = b.op("Expand", {b.reshape(target, {count, 1}), b.ints({count, width})});
  Value moved = b.op("ScatterElements", {b.constant(type, {count + 1, width}, 0), indices, rows},
                     {b.integer("axis", 0)});
  return b.slice(moved, 0, 0, count);
}

namespace {
/// Booleans of `count` rows, and what follows from them.
struct Kept {
  Value isKept; ///< Booleans
  Value before; ///< i32: how many are kept in front of each
  Value number; ///< i64, a scalar: how many in all

  Kept(Expansion &b, Value isKept) : isKept(isKept) {
    Value ones = b.cast(isKept, b.getI32Type());
    before = b.op("CumSum", {ones, b.ints({0})}, {b.integer("exclusive", 1)});
    Value sum = b.op("ReduceSum", {ones, b.ints({0})}, {b.integer("keepdims", 0)});
    number = b.cast(sum, b.getI64Type());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// NonMaxSuppression
//===----------------------------------------------------------------------===//

namespace {
/// Lower and upper edges of boxes, batch x 1 x boxes each.
struct Boxes {
  Value low[2], high[2];
};
} // namespace

/// Corners come in any order.
static Boxes readBoxes(Expansion &b, int64_t batch, int64_t count) {
  bool hasCenters = b.getNode().getInt("center_point_box", 0) != 0;
  auto get = [&](int64_t column) {
    return b.reshape(b.slice(b.input(0), 2, column, column + 1), {batch, 1, count});
  };
  Boxes boxes;
  for (int64_t dim : {0, 1}) {
    Value first = get(dim), second = get(dim + 2);
    if (hasCenters) {
      Value half = b.op("Div", {second, b.constant(b.getF32Type(), {}, 2)});
      boxes.low[dim] = b.op("Sub", {first, half});
      boxes.high[dim] = b.op("Add", {first, half});
    } else {
      boxes.low[dim] = b.op("Min", {first, second});
      boxes.high[dim] = b.op("Max", {first, second});
    }
  }
  return boxes;
}

static Value getArea(Expansion &b, const Boxes &boxes) {
  return b.op("Mul", {b.op("Sub", {boxes.high[0], boxes.low[0]}),
                      b.op("Sub", {boxes.high[1], boxes.low[1]})});
}

/// Whether each box has more than `threshold` in common with that of `best`, which broadcasts.
static Value overlaps(Expansion &b, const Boxes &boxes, const Boxes &best, Value threshold) {
  Value zero = b.constant(b.getF32Type(), {}, 0);
  Boxes common;
  for (int64_t dim : {0, 1}) {
    common.low[dim] = b.op("Max", {boxes.low[dim], best.low[dim]});
    common.high[dim] = b.op("Max", {b.op("Min", {boxes.high[dim], best.high[dim]}),
                                    common.low[dim]}); // none has a negative extent
  }
  Value shared = getArea(b, common), area = getArea(b, boxes), bestArea = getArea(b, best);
  Value all = b.op("Sub", {b.op("Add", {area, bestArea}), shared});
  Value result = b.op("Greater", {b.op("Div", {shared, all}), threshold});
  for (Value extent : {shared, area, bestArea, all})
    result = b.op("And", {result, b.op("Greater", {extent, zero})});
  return result;
}

/// In each step, every class of every batch selects the box of its largest score, and drops those
/// that overlap it.
LogicalResult npu::onnx_ir::expandNonMaxSuppression(Expansion &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> boxShape = node.getShape(0), scoreShape = node.getShape(1);
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  bool fits = boxShape.size() == 3 && boxShape[2] == 4 && scoreShape.size() == 3 &&
              scoreShape[0] == boxShape[0] && scoreShape[2] == boxShape[1] &&
              node.getElementType(0) == f32 && node.getElementType(1) == f32;
  if (!fits)
    return node.reject() << "expected boxes of batches x boxes x 4 and scores of batches x classes "
                            "x boxes in f32, found "
                         << node.getInputType(0) << " and " << node.getInputType(1);
  for (unsigned input : {3, 4})
    if (b.input(input) &&
        (node.getInputType(input).getNumElements() != 1 || node.getElementType(input) != f32))
      return node.reject() << "expected a threshold of one f32 as input " << input << ", found "
                           << node.getInputType(input);
  int64_t batch = scoreShape[0], classes = scoreShape[1], count = scoreShape[2], most = 0;
  if (b.input(2)) {
    std::optional<SmallVector<int64_t>> given = node.getConstantInts(2);
    if (!given || given->size() != 1)
      return node.reject() << "expected one number of boxes for each class, found "
                           << node.getInputType(2);
    most = std::clamp<int64_t>(given->front(), 0, count);
  }
  int64_t rows = batch * classes * most;
  if (rows == 0 || batch * classes * count == 0) {
    b.setResult(0, b.numbers(b.getI64Type(), {0, 3}, {}));
    return success();
  }
  if (failed(node.spendOrReject({batch, classes, most, 3})) || failed(node.spendOrReject(count)))
    return failure();
  Value lowest = b.constant(f32, {}, std::numeric_limits<float>::lowest());
  Value gone = b.constant(f32, {}, -std::numeric_limits<double>::infinity());
  Value scores = b.op("Max", {b.input(1), lowest});
  if (b.input(4))
    scores =
        b.op("Where", {b.op("Greater", {b.input(1), b.reshape(b.input(4), {})}), scores, gone});
  Value threshold = b.input(3) ? b.reshape(b.input(3), {}) : b.constant(f32, {}, 0);
  Boxes boxes = readBoxes(b, batch, count);
  Value numbers = countUp(b, {1, 1, count});
  auto along = [&](StringRef reduction, Value value) {
    return b.op(reduction, {value, b.ints({2})}, {b.integer("keepdims", 1)});
  };
  SmallVector<Value> steps =
      b.loop(most, {scores}, 2, [&](Value, ValueRange states) -> SmallVector<Value> {
        Value left = states[0];
        Value best = b.cast(b.op("ArgMax", {left}, {b.integer("axis", 2)}), i32);
        Value isThere = b.op("Greater", {along("ReduceMax", left), gone});
        Value isBest = b.op("Equal", {numbers, best});
        Boxes chosen;
        auto pick = [&](Value edge) {
          return along("ReduceSum", b.op("Where", {isBest, edge, b.constant(f32, {}, 0)}));
        };
        for (int64_t dim : {0, 1}) {
          chosen.low[dim] = pick(boxes.low[dim]);
          chosen.high[dim] = pick(boxes.high[dim]);
        }
        Value isDropped = b.op("Or", {isBest, overlaps(b, boxes, chosen, threshold)});
        return {b.op("Where", {isDropped, gone, left}), best, isThere};
      });
  // Steps x batch x class x 1 become rows in the order of batches, classes and steps.
  auto order = [&](Value value) { return b.transpose(value, {1, 2, 0, 3}); };
  Value best = b.cast(b.reshape(order(steps[1]), {rows, 1}), b.getI64Type());
  Kept kept(b, b.reshape(order(steps[2]), {rows}));
  std::vector<double> places;
  for (int64_t row = 0; row < rows; ++row) {
    places.push_back(row / (classes * most));
    places.push_back(row / most % classes);
  }
  Value all = b.concat({b.numbers(b.getI64Type(), {rows, 2}, places), best}, 1);
  Value moved = moveRows(b, all, rows, 3, kept.before, kept.isKept, b.getI64Type());
  b.setResult(0, b.prefix(moved, kept.number, 0));
  return success();
}

//===----------------------------------------------------------------------===//
// Unique
//===----------------------------------------------------------------------===//

/// Whether row i equals row j, and whether row j is in front of row i, count x count, for `rows`,
/// count x width.
static std::pair<Value, Value> compareRows(Expansion &b, Value rows, int64_t count, int64_t width,
                                           bool hasNaN) {
  Type i1 = b.getI1Type();
  // From the last column to the first, which decides.
  Value columns = b.transpose(b.takeEvery(rows, 1, -1), {1, 0});
  SmallVector<Value> results =
      b.loop(width, {b.constant(i1, {count, count}, 1), b.constant(i1, {count, count}, 0)}, 0,
             [&](Value step, ValueRange states) -> SmallVector<Value> {
               Value column = b.op("Gather", {columns, step}, {b.integer("axis", 0)});
               Value own = b.reshape(column, {count, 1}), other = b.reshape(column, {1, count});
               Value equal = b.op("Equal", {own, other}), less = b.op("Less", {other, own});
               if (hasNaN) {
                 // NaN is equal to itself here, and behind all numbers.
                 Value isOwnNaN = b.op("IsNaN", {own}), isOtherNaN = b.op("IsNaN", {other});
                 equal = b.op("Or", {equal, b.op("And", {isOwnNaN, isOtherNaN})});
                 less = b.op("Or", {less, isOwnNaN});
               }
               return {b.op("And", {states[0], equal}), b.op("Where", {equal, states[1], less})};
             });
  return {results[0], results[1]};
}

/// Rows are the parts of the input along an axis, or its elements. Each is compared to each.
LogicalResult npu::onnx_ir::expandUnique(Expansion &b) {
  Node &node = b.getNode();
  SmallVector<int64_t> shape(node.getShape(0));
  Value input = b.input(0);
  int64_t axis = 0;
  if (node.hasAttribute("axis")) {
    FailureOr<int64_t> normalized = node.normalizeAxis(node.getInt("axis", 0), shape.size());
    if (failed(normalized))
      return failure();
    axis = *normalized;
  } else {
    shape.assign(1, node.getInputType(0).getNumElements());
    input = b.reshape(input, shape);
  }
  Type type = node.getElementType(0), i32 = b.getI32Type(), i64 = b.getI64Type();
  int64_t count = shape[axis], width = node.getInputType(0).getNumElements();
  if (count == 0 || width == 0 || type.isInteger(1))
    return node.reject() << "expected at least one element, of numbers, found "
                         << node.getInputType(0);
  width /= count;
  if (failed(node.spendOrReject({count, count})))
    return failure();
  SmallVector<int64_t> toFront{axis}, moved{count};
  for (auto [dim, size] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != axis) {
      toFront.push_back(dim);
      moved.push_back(size);
    }
  SmallVector<int64_t> back(toFront.size());
  for (auto [index, dim] : llvm::enumerate(toFront))
    back[dim] = index;
  Value rows = b.reshape(b.transpose(input, toFront), {count, width});
  auto [equal, isLess] = compareRows(b, rows, count, width, isa<FloatType>(type));
  // The first of those that are equal stands for them.
  Value numbers = countUp(b, {1, count});
  auto along = [&](StringRef reduction, Value value) {
    return b.op(reduction, {value, b.ints({1})}, {b.integer("keepdims", 0)});
  };
  Value first = along("ReduceMin", b.op("Where", {equal, numbers, b.constant(i32, {}, count)}));
  Kept kept(b, b.op("Equal", {first, b.reshape(numbers, {count})}));
  Value places = kept.before;
  if (node.getInt("sorted", 1) != 0) {
    Value isFirstLess = b.op("And", {isLess, b.reshape(kept.isKept, {1, count})});
    places = along("ReduceSum", b.cast(isFirstLess, i32));
  }
  Value unique = b.reshape(moveRows(b, rows, count, width, places, kept.isKept, type), moved);
  b.setResult(0, b.prefix(b.transpose(unique, back), kept.number, axis));
  auto setColumn = [&](unsigned output, Value column) {
    Value placed =
        moveRows(b, b.cast(b.reshape(column, {count, 1}), i64), count, 1, places, kept.isKept, i64);
    b.setResult(output, b.prefix(b.reshape(placed, {count}), kept.number, 0));
  };
  if (node.hasOutput(1))
    setColumn(1, numbers);
  if (node.hasOutput(2))
    b.setResult(2, b.cast(b.op("Gather", {places, first}), i64));
  if (node.hasOutput(3))
    setColumn(3, along("ReduceSum", b.cast(equal, i32)));
  return success();
}
