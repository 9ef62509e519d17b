//===- Attention.cpp - attention in its many forms ------------------------===//
//
// All are one computation: softmax(scale * Q K^T + bias) V per head, where several heads of Q may
// share one of K and V. The forms differ in how heads lie in memory, where keys of earlier steps
// come from, and in what says which keys a row sees.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "llvm/ADT/Sequence.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

/// The softmax of `scores`, of `type`, along the last dimension, with zeros for rows of nothing but
/// minus infinity: as their maximum is made a number and their sum positive, they are 0 / 0.5.
/// Other rows are as ever, as one of their exponentials is 1.
static Value softmaxOfSeen(Expansion &b, Value scores, Type type) {
  bool isNarrow = cast<FloatType>(type).getWidth() < 32;
  Type wide = isNarrow ? b.getF32Type() : type;
  if (isNarrow)
    scores = b.cast(scores, wide);
  Value last = b.ints({-1});
  double lowest = APFloat::getLargest(cast<FloatType>(wide).getFloatSemantics(), /*Negative=*/true)
                      .convertToDouble();
  Value maximum = b.op("Max", {b.op("ReduceMax", {scores, last}), b.constant(wide, {}, lowest)});
  Value exponentials = b.op("Exp", {b.op("Sub", {scores, maximum})});
  Value sum = b.op("Max", {b.op("ReduceSum", {exponentials, last}), b.constant(wide, {}, 0.5)});
  Value result = b.op("Div", {exponentials, sum});
  return isNarrow ? b.cast(result, type) : result;
}

Value npu::onnx_ir::repeatRows(Expansion &b, const Heads &heads, Value value, int64_t axis) {
  if (!heads.mergesRows())
    return value;
  SmallVector<Value> copies(heads.getGroup(), value);
  return b.concat(copies, axis);
}

/// `spread` as it is for the scores that attend() makes.
static Value arrange(Expansion &b, const Heads &heads, const Spread &spread) {
  int64_t group = heads.getGroup(), rank = spread.shape.size();
  SmallVector<int64_t> shape(spread.shape);
  if (group == 1 || rank > 4)
    return spread.value;
  bool hasRows = rank > 1 && shape[rank - 2] != 1;
  bool hasHeads = rank > 2 && shape[rank - 3] != 1;
  if (!heads.mergesRows()) {
    if (rank < 3)
      return spread.value;
    shape[rank - 3] = hasHeads ? heads.keyHeads : 1;
    shape.insert(shape.end() - 2, hasHeads ? group : 1);
    return b.reshape(spread.value, shape);
  }
  if (!hasHeads && (!hasRows || shape[rank - 2] == group * heads.rows))
    return spread.value;
  if (!hasHeads)
    return repeatRows(b, heads, spread.value, rank - 2);
  shape[rank - 2] = heads.rows;
  Value value = hasRows ? spread.value : b.op("Expand", {spread.value, b.ints(shape)});
  shape[rank - 3] = heads.keyHeads;
  shape[rank - 2] = group * heads.rows;
  return b.reshape(value, shape);
}

Value npu::onnx_ir::attend(Expansion &b, const Heads &heads, Type type, Scores &scores) {
  // All from the first product to the last has the same loops, with batches and heads apart, so
  // that it is one kernel whatever masks are the same for. The array takes four beside the sum:
  // of heads that share keys and their rows, several batches leave one.
  int64_t group = heads.getGroup();
  bool merges = heads.mergesRows();
  StringRef left = group > 1 && !merges ? "bhgr" : "bhr";
  auto multiply = [&](Value x, const Twine &ofX, Value y, StringRef ofY, const Twine &result) {
    return b.op("Einsum", {x, y}, {b.string("equation", (ofX + "," + ofY + "->" + result).str())});
  };
  Value q = heads.q;
  if (merges)
    q = b.reshape(q, {heads.batch, heads.keyHeads, group * heads.rows, heads.size});
  else if (group > 1)
    q = b.reshape(q, {heads.batch, heads.keyHeads, group, heads.rows, heads.size});
  double scale = scores.scale.value_or(1 / std::sqrt(double(heads.size)));
  // Products of f16 could overflow before they are scaled.
  bool scalesFirst = type.isF16() && scale != 1;
  if (scalesFirst)
    q = b.op("Mul", {q, b.constant(type, {}, scale)});
  Value s = multiply(q, left + Twine("d"), heads.k, "bhkd", left + Twine("k"));
  if (scale != 1 && !scalesFirst)
    s = b.op("Mul", {s, b.constant(type, {}, scale)});
  SmallVector<int64_t> all{heads.batch, heads.heads, heads.rows, heads.keys};
  auto show = [&](int64_t stage) {
    if (scores.shown == stage)
      scores.output = group > 1 ? b.reshape(s, all) : s;
  };
  show(0);
  if (scores.softcap > 0) {
    Value cap = b.constant(type, {}, scores.softcap);
    s = b.op("Mul", {b.op("Tanh", {b.op("Div", {s, cap})}), cap});
  }
  show(1);
  for (const Spread &bias : scores.biases)
    s = b.op("Add", {s, arrange(b, heads, bias)});
  double hidden = -std::numeric_limits<double>::infinity();
  if (!scores.hidesByInfinity)
    hidden = APFloat::getLargest(cast<FloatType>(type).getFloatSemantics(), /*Negative=*/true)
                 .convertToDouble();
  for (const Spread &mask : scores.masks)
    s = b.op("Where", {arrange(b, heads, mask), s, b.constant(type, {}, hidden)});
  show(2);
  bool isCast = scores.softmaxType && scores.softmaxType != type;
  Type softmaxType = isCast ? scores.softmaxType : type;
  if (isCast)
    s = b.cast(s, softmaxType);
  s = scores.mayHideRows ? softmaxOfSeen(b, s, softmaxType)
                         : b.op("Softmax", {s}, {b.integer("axis", -1)});
  if (isCast)
    s = b.cast(s, type);
  show(3);
  Value y = multiply(s, left + Twine("k"), heads.v, "bhkd", left + Twine("d"));
  return group > 1 ? b.reshape(y, {heads.batch, heads.heads, heads.rows, heads.valueSize}) : y;
}

Value npu::onnx_ir::splitHeads(Expansion &b, Value value, int64_t batch, int64_t rows,
                               int64_t heads, int64_t size) {
  return b.transpose(b.reshape(value, {batch, rows, heads, size}), {0, 2, 1, 3});
}
Value npu::onnx_ir::joinHeads(Expansion &b, Value value, int64_t batch, int64_t rows,
                              int64_t width) {
  return b.reshape(b.transpose(value, {0, 2, 1, 3}), {batch, rows, width});
}

Value npu::onnx_ir::getPositions(Expansion &b, int64_t count, ArrayRef<int64_t> shape,
                                 int64_t first) {
  auto type = RankedTensorType::get(shape, b.getI32Type());
  SmallVector<int32_t> values = llvm::to_vector(llvm::seq<int32_t>(first, first + count));
  return ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int32_t>(values)));
}

LogicalResult npu::onnx_ir::checkHeads(Node &node, Heads &heads) {
  if (!isa<FloatType>(node.getElementType(0)))
    return node.reject() << "expected floats, found " << node.getElementType(0);
  // Positions of both are written down.
  if (failed(node.spendOrReject(heads.rows)) || failed(node.spendOrReject(heads.keys)))
    return failure();
  if (heads.heads > 0 && heads.keyHeads > 0 && heads.heads % heads.keyHeads == 0 && heads.size > 0)
    return success();
  return node.reject() << "expected heads that the heads of keys divide, found " << heads.heads
                       << " and " << heads.keyHeads;
}

LogicalResult npu::onnx_ir::checkRank(Node &node, unsigned input, ArrayRef<int64_t> ranks) {
  if (llvm::is_contained(ranks, node.getRank(input)))
    return success();
  InFlightDiagnostic error = node.reject() << "expected input " << input << " to have ";
  llvm::interleave(ranks, [&](int64_t rank) { error << rank; }, [&] { error << " or "; });
  return error << " dimensions, found " << node.getInputType(input);
}

LogicalResult npu::onnx_ir::checkWidth(Node &node, unsigned input, int64_t parts) {
  int64_t width = node.getShape(input).back();
  if (parts > 0 && width % parts == 0)
    return success();
  return node.reject() << "expected a number of heads that divides the last dimension of input "
                       << input << ", found " << parts << " and " << width;
}
