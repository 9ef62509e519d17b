//===- ExpandAttention.cpp - attention of ONNX, and its buffer of keys ----===//

#include "Attention.h"

#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

/// The type that numbers of ONNX's TensorProto.DataType name; null for none. No softmax needs to be
/// more precise than f32 for a result that is not.
static LogicalResult setSoftmaxType(Scores &scores, Node &node) {
  Type type = node.getElementType(0);
  MLIRContext *context = type.getContext();
  switch (int64_t precision = node.getInt("softmax_precision", 0)) {
  case 0:
    return success();
  case 1:
    scores.softmaxType = Float32Type::get(context);
    return success();
  case 10:
    scores.softmaxType = Float16Type::get(context);
    return success();
  case 11:
    scores.softmaxType = type.isF64() ? type : Float32Type::get(context);
    return success();
  case 16:
    scores.softmaxType = BFloat16Type::get(context);
    return success();
  default:
    return node.reject()
           << "expected a softmax_precision of 1, 10, 11 or 16, as TensorProto numbers "
              "floats, found "
           << precision;
  }
}

/// Adds input 3, which tells keys or is added to their scores.
static LogicalResult addMask(Expansion &b, Heads &heads, Scores &scores, bool isExternalCache) {
  Node &node = b.getNode();
  Value mask = b.input(3);
  SmallVector<int64_t> shape(node.getShape(3));
  if (shape.empty())
    return node.reject() << "expected a mask of at least 1 dimension, found "
                         << node.getInputType(3);
  Type type = node.getElementType(0);
  bool isBoolean = node.getElementType(3).isInteger(1);
  if (!isBoolean && node.getElementType(3) != type)
    mask = b.cast(mask, type);
  // Keys that the mask does not reach are not seen. Before opset 24 one column is for all keys.
  bool isBroadcast = shape.back() == 1 && node.getOpset() < 24;
  if (shape.back() < heads.keys && !isBroadcast) {
    SmallVector<int64_t> pads(2 * shape.size(), 0);
    pads.back() = heads.keys - shape.back();
    Value fill = isBoolean ? b.constant(b.getI1Type(), {}, 0)
                           : b.constant(type, {}, -std::numeric_limits<double>::infinity());
    mask = b.op("Pad", {mask, b.ints(pads), fill});
    shape.back() = heads.keys;
  }
  // Where keys are in a buffer, masks of three dimensions are of batches, otherwise of heads.
  if (isExternalCache && shape.size() == 3 && shape[0] == heads.batch) {
    shape.insert(shape.begin() + 1, 1);
    mask = b.reshape(mask, shape);
  }
  (isBoolean ? scores.masks : scores.biases).push_back({mask, shape});
  scores.mayHideRows = true;
  return success();
}

/// How many keys a row sees, counted back from its own; none for all of them. local_window_size
/// counts the row's own and implies is_causal, left_window_size counts those before it.
static FailureOr<std::optional<int64_t>> getWindow(Node &node) {
  int64_t window = node.getInt("local_window_size", -1), left = node.getInt("left_window_size", -1);
  if (window < 1 && window != -1)
    return node.reject() << "expected a local_window_size of at least 1, or -1 for none, found "
                         << window;
  if (left < -1 || left == std::numeric_limits<int64_t>::max())
    return node.reject() << "expected a left_window_size of at least 0, or -1 for none, found "
                         << left;
  if (window > 0 && left >= 0)
    return node.reject() << "expected local_window_size or left_window_size, found both";
  if (window < 0 && left < 0)
    return std::optional<int64_t>();
  return std::optional<int64_t>(left >= 0 ? left + 1 : window);
}

/// Adds what is_causal, a window and input 6, the number of keys of each batch, say.
static LogicalResult addFrontiers(Expansion &b, Heads &heads, Scores &scores, int64_t past,
                                  bool hasPast) {
  Node &node = b.getNode();
  int64_t rows = heads.rows, keys = heads.keys;
  FailureOr<std::optional<int64_t>> window = getWindow(node);
  if (failed(window))
    return failure();
  bool isCausal = node.getInt("is_causal", 0) || node.getInt("local_window_size", -1) > 0;
  Type i32 = b.getI32Type();
  Value lengths = b.input(6), positions = getPositions(b, keys, {1, 1, 1, keys});
  if (lengths) {
    lengths = b.cast(b.reshape(lengths, {heads.batch, 1, 1, 1}), i32);
    scores.mayHideRows = true;
    // Anything may stand behind the keys of a buffer, and zero times that may be no number.
    Value isThere = b.op("Less", {getPositions(b, keys, {1, 1, keys, 1}), lengths});
    heads.v = b.op("Where", {isThere, heads.v, b.constant(node.getElementType(2), {}, 0)});
  }
  // The last key that each row sees: those of this step are the last of all.
  Value last = getPositions(b, rows, {1, 1, rows, 1}, past);
  bool isOfBatch = lengths && !hasPast;
  if (isOfBatch)
    last = b.op("Add", {getPositions(b, rows, {1, 1, rows, 1}, -rows), lengths});
  last = repeatRows(b, heads, last, 2);
  SmallVector<int64_t> ofRows{isOfBatch ? heads.batch : 1, 1, heads.getScoreRows(), keys};
  // Of a batch's keys the last row sees all.
  bool endsWithKeys = isCausal && isOfBatch;
  if (isCausal && !(endsWithKeys && rows == 1))
    scores.masks.push_back({b.op("LessOrEqual", {positions, last}), ofRows});
  if (lengths && !(endsWithKeys && rows > 1))
    scores.masks.push_back({b.op("Less", {positions, lengths}), {heads.batch, 1, 1, keys}});
  // One that reaches back to the first key hides nothing.
  if (*window && **window < std::max(keys, past + rows)) {
    Value size = b.constant(i32, {}, **window);
    scores.masks.push_back({b.op("Greater", {positions, b.op("Sub", {last, size})}), ofRows});
    scores.mayHideRows |= past + rows - **window >= keys;
  }
  return success();
}

LogicalResult npu::onnx_ir::expandAttention(Expansion &b) {
  Node &node = b.getNode();
  for (unsigned input : {0, 1, 2})
    if (failed(checkRank(node, input, {node.getRank(0) == 3 ? 3 : 4})))
      return failure();
  Type type = node.getElementType(0);
  Heads heads;
  heads.batch = node.getShape(0)[0];
  heads.q = b.input(0), heads.k = b.input(1), heads.v = b.input(2);
  bool isFlat = node.getRank(0) == 3;
  if (isFlat) {
    heads.heads = node.getInt("q_num_heads", 0), heads.keyHeads = node.getInt("kv_num_heads", 0);
    heads.rows = node.getShape(0)[1], heads.keys = node.getShape(1)[1];
    if (failed(checkWidth(node, 0, heads.heads)) || failed(checkWidth(node, 1, heads.keyHeads)) ||
        failed(checkWidth(node, 2, heads.keyHeads)))
      return failure();
    heads.size = node.getShape(0)[2] / heads.heads;
    heads.valueSize = node.getShape(2)[2] / heads.keyHeads;
    heads.q = splitHeads(b, heads.q, heads.batch, heads.rows, heads.heads, heads.size);
    heads.k = splitHeads(b, heads.k, heads.batch, heads.keys, heads.keyHeads, heads.size);
    heads.v = splitHeads(b, heads.v, heads.batch, heads.keys, heads.keyHeads, heads.valueSize);
  } else {
    heads.heads = node.getShape(0)[1], heads.keyHeads = node.getShape(1)[1];
    heads.rows = node.getShape(0)[2], heads.keys = node.getShape(1)[2];
    heads.size = node.getShape(0)[3], heads.valueSize = node.getShape(2)[3];
  }
  if (failed(checkHeads(node, heads)))
    return failure();
  bool hasPast = bool(b.input(4));
  if (hasPast != bool(b.input(5)))
    return node.reject() << "expected past keys and past values, found one of them";
  int64_t past = 0;
  if (hasPast) {
    if (failed(checkRank(node, 4, {4})) || failed(checkRank(node, 5, {4})))
      return failure();
    past = node.getShape(4)[2];
    heads.keys += past;
    heads.k = b.concat({b.input(4), heads.k}, 2);
    heads.v = b.concat({b.input(5), heads.v}, 2);
  }
  if (node.hasOutput(1))
    b.setResult(1, heads.k);
  if (node.hasOutput(2))
    b.setResult(2, heads.v);

  Scores scores;
  scores.hidesByInfinity = true;
  if (node.hasAttribute("scale"))
    scores.scale = node.getFloat("scale", 0);
  scores.softcap = node.getFloat("softcap", 0);
  if (failed(setSoftmaxType(scores, node)))
    return failure();
  bool isExternalCache = b.input(6) && !hasPast;
  if ((b.input(3) && failed(addMask(b, heads, scores, isExternalCache))) ||
      failed(addFrontiers(b, heads, scores, past, hasPast)))
    return failure();
  if (node.hasOutput(3)) {
    scores.shown = node.getInt("qk_matmul_output_mode", 0);
    if (*scores.shown < 0 || *scores.shown > 3)
      return node.reject() << "expected a qk_matmul_output_mode from 0 to 3, found "
                           << *scores.shown;
  }
  if (node.getElementType(2) != type)
    heads.v = b.cast(heads.v, type);
  Value y = attend(b, heads, type, scores);
  b.setResult(0,
              isFlat ? joinHeads(b, y, heads.batch, heads.rows, heads.heads * heads.valueSize) : y);
  if (node.hasOutput(3))
    b.setResult(3, scores.output);
  return success();
}

/// Writes along one axis, from a place on that each batch gives.
LogicalResult npu::onnx_ir::expandTensorScatter(Expansion &b) {
  Node &node = b.getNode();
  int64_t rank = node.getRank(0);
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", -2), rank);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0)), update(node.getShape(1));
  bool fits = *axis != 0 && update.size() == shape.size() && update[*axis] >= 1 &&
              update[*axis] <= shape[*axis];
  for (int64_t dim = 0; fits && dim < rank; ++dim)
    fits = dim == *axis || update[dim] == shape[dim];
  if (!fits)
    return node.reject() << "expected an update of the same sizes, smaller along one dimension "
                            "behind the first, found "
                         << node.getInputType(1) << " along " << *axis;
  if (failed(node.spendOrReject(shape[*axis])))
    return failure();
  int64_t batch = shape[0], length = shape[*axis], rows = node.getShape(1)[*axis];
  bool isCircular = node.getString("mode", "linear") == "circular";
  Type i32 = b.getI32Type();
  Value first =
      b.input(2) ? b.cast(b.reshape(b.input(2), {batch, 1}), i32) : b.constant(i32, {batch, 1}, 0);
  Value relative = b.op("Sub", {getPositions(b, length, {1, length}), first});
  if (isCircular)
    relative = b.op("Mod", {relative, b.constant(i32, {}, length)});
  Value isNew = b.op("And", {b.op("GreaterOrEqual", {relative, b.constant(i32, {}, 0)}),
                             b.op("Less", {relative, b.constant(i32, {}, rows)})});
  Value index = b.op("Clip", {relative, b.constant(i32, {}, 0), b.constant(i32, {}, rows - 1)});
  SmallVector<int64_t> column(rank, 1), whole(shape);
  column[0] = batch, column[*axis] = length;
  Value moved = b.op("GatherElements",
                     {b.input(1), b.op("Expand", {b.reshape(index, column), b.ints(whole)})},
                     {b.integer("axis", *axis)});
  b.setResult(0, b.op("Where", {b.reshape(isNew, column), moved, b.input(0)}));
  return success();
}
