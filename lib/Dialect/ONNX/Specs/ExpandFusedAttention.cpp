//===- ExpandFusedAttention.cpp - attention of com.microsoft --------------===//

#include "Attention.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Row r sees keys up to r + offset.
static Spread getCausalMask(Expansion &b, int64_t rows, int64_t keys, int64_t offset) {
  Value last = getPositions(b, rows, {1, 1, rows, 1}, offset);
  return {b.op("LessOrEqual", {getPositions(b, keys, {1, 1, 1, keys}), last}), {1, 1, rows, keys}};
}

/// A scale of 0 stands for none.
static void setScale(Scores &scores, Node &node) {
  if (double scale = node.getFloat("scale", 0))
    scores.scale = scale;
}

/// Keys that padding does not hide: batch x keys, 0 where it does, or the number of each batch.
/// They get `filter` added, or are not seen if that is infinite.
static LogicalResult addPaddingMask(Expansion &b, unsigned input, const Heads &heads,
                                    Scores &scores) {
  Node &node = b.getNode();
  Type type = node.getElementType(0);
  ArrayRef<int64_t> shape = node.getShape(input);
  Value mask;
  if (shape == ArrayRef<int64_t>{heads.batch}) {
    mask =
        b.op("Less", {getPositions(b, heads.keys, {1, 1, 1, heads.keys}),
                      b.cast(b.reshape(b.input(input), {heads.batch, 1, 1, 1}), b.getI32Type())});
  } else if (shape.size() == 2 && shape[0] == heads.batch && shape[1] == heads.keys) {
    mask = b.cast(b.reshape(b.input(input), {heads.batch, 1, 1, heads.keys}), b.getI1Type());
  } else if (shape.size() == 3 && shape[0] == heads.batch && shape[2] == heads.keys) {
    mask = b.cast(b.reshape(b.input(input), {heads.batch, 1, shape[1], heads.keys}), b.getI1Type());
  } else {
    return node.reject() << "expected a mask for each batch and key, or a number of keys for each "
                            "batch, found "
                         << node.getInputType(input);
  }
  double filter = node.getFloat("mask_filter_value", -10000);
  scores.biases.push_back(
      {b.op("Where", {mask, b.constant(type, {}, 0), b.constant(type, {}, filter)}),
       {heads.batch, 1, shape.size() == 3 ? shape[1] : 1, heads.keys}});
  return success();
}

LogicalResult npu::onnx_ir::expandFusedAttention(Expansion &b) {
  Node &node = b.getNode();
  if (node.getInt("do_rotary", 0) || node.getInt("past_present_share_buffer", 0) || b.input(6))
    return node.reject() << "expected no rotation and no shared buffer, found one";
  if (failed(checkRank(node, 0, {3})) || failed(checkRank(node, 1, {2})))
    return failure();
  Type type = node.getElementType(0);
  Heads heads;
  heads.batch = node.getShape(0)[0], heads.rows = heads.keys = node.getShape(0)[1];
  heads.heads = heads.keyHeads = node.getInt("num_heads", 0);
  int64_t width = node.getShape(1)[1];
  SmallVector<int64_t> widths =
      node.getInts("qkv_hidden_sizes")
          .value_or(SmallVector<int64_t>{width / 3, width / 3, width / 3});
  if (heads.heads <= 0 || widths.size() != 3 ||
      llvm::any_of(widths, [&](int64_t part) { return part < 0 || part > width; }) ||
      widths[0] + widths[1] + widths[2] != width || widths[0] != widths[1] ||
      widths[0] % heads.heads != 0 || widths[2] % heads.heads != 0)
    return node.reject() << "expected " << heads.heads
                         << " heads to divide the parts of weights for Q, K and V, found "
                         << node.getInputType(1);
  heads.size = widths[0] / heads.heads, heads.valueSize = widths[2] / heads.heads;
  Value projected = b.op("MatMul", {b.input(0), b.input(1)});
  if (b.input(2))
    projected = b.op("Add", {projected, b.input(2)});
  auto part = [&](int64_t begin, int64_t size) {
    return splitHeads(b, b.slice(projected, 2, begin, begin + size), heads.batch, heads.rows,
                      heads.heads, size / heads.heads);
  };
  heads.q = part(0, widths[0]);
  heads.k = part(widths[0], widths[1]);
  heads.v = part(widths[0] + widths[1], widths[2]);
  int64_t past = 0;
  if (Value before = b.input(4)) {
    if (failed(checkRank(node, 4, {5})))
      return failure();
    past = node.getShape(4)[3];
    SmallVector<int64_t> shape(node.getShape(4).drop_front());
    heads.k = b.concat({b.reshape(b.slice(before, 0, 0, 1), shape), heads.k}, 2);
    heads.v = b.concat({b.reshape(b.slice(before, 0, 1, 2), shape), heads.v}, 2);
    heads.keys += past;
  }
  if (node.hasOutput(1)) {
    Value zero = b.ints({0});
    b.setResult(
        1, b.concat({b.op("Unsqueeze", {heads.k, zero}), b.op("Unsqueeze", {heads.v, zero})}, 0));
  }
  if (failed(checkHeads(node, heads)))
    return failure();
  Scores scores;
  setScale(scores, node);
  if (b.input(3) && failed(addPaddingMask(b, 3, heads, scores)))
    return failure();
  if (b.input(5))
    scores.biases.push_back({b.input(5), SmallVector<int64_t>(node.getShape(5))});
  if (node.getInt("unidirectional", 0))
    scores.masks.push_back(getCausalMask(b, heads.rows, heads.keys, past));
  b.setResult(0, joinHeads(b, attend(b, heads, type, scores), heads.batch, heads.rows, widths[2]));
  return success();
}

LogicalResult npu::onnx_ir::expandMultiHeadAttention(Expansion &b) {
  Node &node = b.getNode();
  Type type = node.getElementType(0);
  Heads heads;
  heads.heads = heads.keyHeads = node.getInt("num_heads", 0);
  if (heads.heads <= 0)
    return node.reject() << "expected a positive number of heads, found " << heads.heads;
  for (unsigned input : {8, 9})
    if (b.input(input))
      return node.reject() << "expected no input " << input << ", which belongs to shared buffers";
  if (failed(checkRank(node, 0, {3, 5})))
    return failure();
  heads.batch = node.getShape(0)[0], heads.rows = node.getShape(0)[1];
  Value q = b.input(0), k = b.input(1), v = b.input(2);
  // As batch x rows x heads x size, or, of keys that are ready, batch x heads x rows x size.
  bool isReady = false;
  auto pick = [&](Value packed, ArrayRef<int64_t> shape, int64_t index) {
    return b.reshape(b.slice(packed, 3, index, index + 1),
                     {shape[0], shape[1], shape[2] * shape[4]});
  };
  if (node.getRank(0) == 5) { // heads of Q, K and V one after the other
    ArrayRef<int64_t> shape = node.getShape(0);
    heads.keys = heads.rows;
    heads.size = heads.valueSize = shape[4];
    Value packed = q;
    q = pick(packed, shape, 0), k = pick(packed, shape, 1), v = pick(packed, shape, 2);
  } else {
    if (!k || failed(checkWidth(node, 0, heads.heads)))
      return k ? failure() : LogicalResult(node.reject() << "expected input 1, found none");
    heads.size = node.getShape(0)[2] / heads.heads;
    if (failed(checkRank(node, 1, {3, 4, 5})))
      return failure();
    ArrayRef<int64_t> shape = node.getShape(1);
    if (shape.size() == 5) { // heads of K and V one after the other
      heads.keys = shape[1], heads.valueSize = shape[4];
      Value packed = k;
      k = pick(packed, shape, 0), v = pick(packed, shape, 1);
    } else {
      if (!v || failed(checkRank(node, 2, {static_cast<int64_t>(shape.size())})))
        return v ? failure() : LogicalResult(node.reject() << "expected input 2, found none");
      isReady = shape.size() == 4;
      heads.keys = isReady ? shape[2] : shape[1];
      if (!isReady && failed(checkWidth(node, 2, heads.heads)))
        return failure();
      heads.valueSize = isReady ? node.getShape(2)[3] : node.getShape(2)[2] / heads.heads;
    }
  }
  if (Value bias = b.input(3)) {
    int64_t width = heads.heads * heads.size, valueWidth = heads.heads * heads.valueSize;
    q = b.op("Add", {q, b.slice(bias, 0, 0, width)});
    if (!isReady) {
      k = b.op("Add", {k, b.slice(bias, 0, width, 2 * width)});
      v = b.op("Add", {v, b.slice(bias, 0, 2 * width, 2 * width + valueWidth)});
    }
  }
  heads.q = splitHeads(b, q, heads.batch, heads.rows, heads.heads, heads.size);
  heads.k = isReady ? k : splitHeads(b, k, heads.batch, heads.keys, heads.heads, heads.size);
  heads.v = isReady ? v : splitHeads(b, v, heads.batch, heads.keys, heads.heads, heads.valueSize);
  if (b.input(6) && b.input(7)) {
    if (failed(checkRank(node, 6, {4})) || failed(checkRank(node, 7, {4})))
      return failure();
    heads.keys += node.getShape(6)[2];
    heads.k = b.concat({b.input(6), heads.k}, 2);
    heads.v = b.concat({b.input(7), heads.v}, 2);
  }
  if (node.hasOutput(1))
    b.setResult(1, heads.k);
  if (node.hasOutput(2))
    b.setResult(2, heads.v);
  if (failed(checkHeads(node, heads)))
    return failure();
  Scores scores;
  setScale(scores, node);
  if (b.input(4) && failed(addPaddingMask(b, 4, heads, scores)))
    return failure();
  if (b.input(5))
    scores.biases.push_back({b.input(5), SmallVector<int64_t>(node.getShape(5))});
  if (node.getInt("unidirectional", 0))
    scores.masks.push_back(getCausalMask(b, heads.rows, heads.keys, heads.keys - heads.rows));
  if (node.hasOutput(3))
    scores.shown = 0;
  Value y = attend(b, heads, type, scores);
  b.setResult(0, joinHeads(b, y, heads.batch, heads.rows, heads.heads * heads.valueSize));
  if (node.hasOutput(3))
    b.setResult(3, scores.output);
  return success();
}

//===----------------------------------------------------------------------===//
// Keys of earlier steps
//===----------------------------------------------------------------------===//

/// `past`, of batch x heads x length x size, with the rows of `update` from row `first`, a number
/// for each batch, on, and zeros behind them; the result has `keys` rows.
static Value writeRows(Expansion &b, Value past, Value update, Value first, int64_t batch,
                       int64_t heads, int64_t length, int64_t rows, int64_t keys, int64_t size) {
  if (length < keys) {
    Type type = b.getNode().getElementType(0);
    Value rest = b.constant(type, {batch, heads, keys - length, size}, 0);
    past = past ? b.concat({past, rest}, 2) : rest;
  }
  Type i32 = b.getI32Type();
  Value relative = b.op("Sub", {getPositions(b, keys, {1, keys}), b.reshape(first, {batch, 1})});
  Value isNew = b.op("And", {b.op("GreaterOrEqual", {relative, b.constant(i32, {}, 0)}),
                             b.op("Less", {relative, b.constant(i32, {}, rows)})});
  Value index = b.op("Clip", {relative, b.constant(i32, {}, 0), b.constant(i32, {}, rows - 1)});
  Value moved;
  if (rows == 1)
    moved = update;
  else if (batch == 1)
    moved = b.op("Gather", {update, b.reshape(index, {keys})}, {b.integer("axis", 2)});
  else
    moved = b.op("GatherElements",
                 {update, b.op("Expand", {b.reshape(index, {batch, 1, keys, 1}),
                                          b.ints({batch, heads, keys, size})})},
                 {b.integer("axis", 2)});
  Value isPast = b.op("Less", {relative, b.constant(i32, {}, 0)});
  Value zero = b.constant(b.getNode().getElementType(0), {}, 0);
  past = b.op("Where", {b.reshape(isPast, {batch, 1, keys, 1}), past, zero});
  return b.op("Where", {b.reshape(isNew, {batch, 1, keys, 1}), moved, past});
}

LogicalResult npu::onnx_ir::expandGroupQueryAttention(Expansion &b) {
  Node &node = b.getNode();
  if (node.getInt("smooth_softmax", 0) > 0 || b.input(11))
    return node.reject() << "expected a plain softmax, found a smooth one";
  if (!b.input(5) || !b.input(6))
    return node.reject() << "expected the numbers of keys as inputs 5 and 6, found none";
  if (failed(checkRank(node, 0, {3})))
    return failure();
  Type type = node.getElementType(0), i32 = b.getI32Type();
  Heads heads;
  heads.heads = node.getInt("num_heads", 0), heads.keyHeads = node.getInt("kv_num_heads", 0);
  heads.batch = node.getShape(0)[0], heads.rows = node.getShape(0)[1];
  bool isPacked = !b.input(1);
  int64_t most = node.getShape(0)[2];
  int64_t parts = 0;
  if (heads.heads > 0 && heads.heads <= most && heads.keyHeads > 0 && heads.keyHeads <= most)
    parts = isPacked ? heads.heads + 2 * heads.keyHeads : heads.heads;
  if (parts == 0 || most % parts != 0)
    return node.reject() << "expected numbers of heads that divide the last dimension, found "
                         << heads.heads << " and " << heads.keyHeads;
  heads.size = heads.valueSize = most / parts;
  Value q = b.input(0), k = b.input(1), v = b.input(2);
  int64_t width = heads.heads * heads.size, keyWidth = heads.keyHeads * heads.size;
  if (isPacked) {
    k = b.slice(q, 2, width, width + keyWidth);
    v = b.slice(q, 2, width + keyWidth, width + 2 * keyWidth);
    q = b.slice(q, 2, 0, width);
  }
  int64_t past = 0;
  if (b.input(3)) {
    if (failed(checkRank(node, 3, {4})))
      return failure();
    past = node.getShape(3)[2];
  }
  std::optional<SmallVector<int64_t>> total = node.getConstantInts(6);
  if (total && (total->size() != 1 || total->front() < heads.rows || !isAddressable(*total)))
    return node.reject() << "expected a number of all keys of at least " << heads.rows
                         << ", found another";
  heads.keys = total ? std::max(past, total->front()) : past + heads.rows;
  if (failed(checkHeads(node, heads)))
    return failure();

  // Before the rows of this step, each batch has so many keys.
  Value first = b.op("Sub", {b.cast(b.reshape(b.input(5), {heads.batch}), i32),
                             b.constant(i32, {}, heads.rows - 1)});
  bool isFirstStep = past == 0 || (total && total->front() == heads.rows);
  if (isFirstStep)
    first = b.constant(i32, {heads.batch}, 0);
  Value rowPositions = b.op(
      "Add", {b.reshape(first, {heads.batch, 1}), getPositions(b, heads.rows, {1, heads.rows})});
  SmallVector<int64_t> split{heads.batch, heads.rows, heads.heads, heads.size};
  SmallVector<int64_t> keySplit{heads.batch, heads.rows, heads.keyHeads, heads.size};
  q = b.reshape(q, split), k = b.reshape(k, keySplit);
  if (node.getInt("do_rotary", 0)) {
    if (!b.input(7) || !b.input(8) || failed(checkRank(node, 7, {2})))
      return node.reject() << "expected cosines and sines for the rotation";
    int64_t half = node.getShape(7)[1];
    Value positions = b.input(9) ? b.input(9) : rowPositions;
    auto getAngles = [&](unsigned input) {
      return b.reshape(b.op("Gather", {b.input(input), positions}),
                       {heads.batch, heads.rows, 1, half});
    };
    Value cosine = getAngles(7), sine = getAngles(8);
    bool isInterleaved = node.getInt("rotary_interleaved", 0) != 0;
    q = rotate(b, q, split, cosine, sine, half, isInterleaved);
    k = rotate(b, k, keySplit, cosine, sine, half, isInterleaved);
  }
  heads.q = b.transpose(q, {0, 2, 1, 3});
  heads.k = b.transpose(k, {0, 2, 1, 3});
  heads.v = splitHeads(b, v, heads.batch, heads.rows, heads.keyHeads, heads.size);
  if (!(isFirstStep && heads.keys == heads.rows)) {
    auto write = [&](unsigned input, Value update) {
      return writeRows(b, past > 0 ? b.input(input) : Value(), update, first, heads.batch,
                       heads.keyHeads, past, heads.rows, heads.keys, heads.size);
    };
    heads.k = write(3, heads.k);
    heads.v = write(4, heads.v);
  }
  if (node.hasOutput(1))
    b.setResult(1, heads.k);
  if (node.hasOutput(2))
    b.setResult(2, heads.v);

  Scores scores;
  setScale(scores, node);
  scores.softcap = node.getFloat("softcap", 0);
  if (b.input(10))
    scores.biases.push_back({b.input(10), SmallVector<int64_t>(node.getShape(10))});
  Value last = b.reshape(rowPositions, {heads.batch, 1, heads.rows, 1});
  Value keys = getPositions(b, heads.keys, {1, 1, 1, heads.keys});
  last = repeatRows(b, heads, last, 2);
  SmallVector<int64_t> ofRows{heads.batch, 1, heads.getScoreRows(), heads.keys};
  scores.masks.push_back({b.op("LessOrEqual", {keys, last}), ofRows});
  if (int64_t window = node.getInt("local_window_size", -1); window > 0)
    scores.masks.push_back(
        {b.op("Greater", {keys, b.op("Sub", {last, b.constant(i32, {}, window)})}), ofRows});
  if (node.hasOutput(3))
    scores.shown = node.getInt("qk_output", 0) == 2 ? 3 : 0;
  Value y = attend(b, heads, type, scores);
  b.setResult(0, joinHeads(b, y, heads.batch, heads.rows, width));
  if (node.hasOutput(3))
    b.setResult(3, scores.output);
  return success();
}
