//===- ExpandAttention.cpp - attention in its many forms ------------------===//
//
// All are one computation: softmax(scale * Q K^T + bias) V per head, where several heads of Q may
// share one of K and V. The forms differ in how heads lie in memory, where keys of earlier steps
// come from, and in what says which keys a row sees.
//
//===----------------------------------------------------------------------===//

#include "OpSpecFunctions.h"

#include "llvm/ADT/Sequence.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

//===----------------------------------------------------------------------===//
// The common part
//===----------------------------------------------------------------------===//

namespace {
/// Q is batch x heads x rows x size, K batch x keyHeads x keys x size, V the same of valueSize.
struct Heads {
  int64_t batch = 0, heads = 0, rows = 0, size = 0, keyHeads = 0, keys = 0, valueSize = 0;

  Value q, k, v;
};

/// What is done to the products of Q and K, and to their softmax.
struct Scores {
  double scale = 0; ///< 0: one over the root of the size of a head
  double softcap = 0;
  SmallVector<Value> masks; ///< Booleans, broadcast to batch x heads x rows x keys: what is seen
  SmallVector<Value> biases;
  Type softmaxType; ///< null: of Q
  std::optional<int64_t> shown;
  Value output; ///< what is shown of them: 0 products, 1 with bias, 2 with softcap, 3 softmax
};
} // namespace

/// Batch x heads x rows x valueSize.
static Value attend(Expansion &b, const Heads &heads, Type type, Scores &scores) {
  int64_t group = heads.heads / heads.keyHeads;
  Value q = heads.q;
  // Heads that share keys are more rows.
  if (group > 1)
    q = b.reshape(q, {heads.batch, heads.keyHeads, group * heads.rows, heads.size});
  SmallVector<int64_t> all{heads.batch, heads.heads, heads.rows, heads.keys};
  Value s = b.op("MatMul", {q, b.transpose(heads.k, {0, 1, 3, 2})});
  if (group > 1)
    s = b.reshape(s, all);
  double scale = scores.scale != 0 ? scores.scale : 1 / std::sqrt(double(heads.size));
  if (scale != 1)
    s = b.op("Mul", {s, b.constant(type, {}, scale)});
  auto show = [&](int64_t stage) {
    if (scores.shown == stage)
      scores.output = s;
  };
  show(0);
  if (scores.softcap != 0) {
    Value cap = b.constant(type, {}, scores.softcap);
    s = b.op("Mul", {b.op("Tanh", {b.op("Div", {s, cap})}), cap});
  }
  show(1);
  for (Value bias : scores.biases)
    s = b.op("Add", {s, bias});
  // No row may see nothing but infinities.
  auto floatType = cast<FloatType>(type);
  double lowest =
      APFloat::getLargest(floatType.getFloatSemantics(), /*Negative=*/true).convertToDouble();
  for (Value mask : scores.masks)
    s = b.op("Where", {mask, s, b.constant(type, {}, lowest)});
  show(2);
  bool isCast = scores.softmaxType && scores.softmaxType != type;
  if (isCast)
    s = b.cast(s, scores.softmaxType);
  s = b.op("Softmax", {s}, {b.integer("axis", -1)});
  if (isCast)
    s = b.cast(s, type);
  show(3);
  if (group > 1)
    s = b.reshape(s, {heads.batch, heads.keyHeads, group * heads.rows, heads.keys});
  Value y = b.op("MatMul", {s, heads.v});
  if (group > 1)
    y = b.reshape(y, {heads.batch, heads.heads, heads.rows, heads.valueSize});
  return y;
}

/// Batch x rows x (heads * size) as batch x heads x rows x size, and back.
static Value splitHeads(Expansion &b, Value value, int64_t batch, int64_t rows, int64_t heads,
                        int64_t size) {
  return b.transpose(b.reshape(value, {batch, rows, heads, size}), {0, 2, 1, 3});
}
static Value joinHeads(Expansion &b, Value value, int64_t batch, int64_t rows, int64_t width) {
  return b.reshape(b.transpose(value, {0, 2, 1, 3}), {batch, rows, width});
}

static Value getPositions(Expansion &b, int64_t count, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, b.getI32Type());
  SmallVector<int32_t> values = llvm::to_vector(llvm::seq<int32_t>(0, count));
  return ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int32_t>(values)));
}

/// Row r sees keys up to r + offset.
static Value getCausalMask(Expansion &b, int64_t rows, int64_t keys, int64_t offset) {
  Value last =
      b.op("Add", {getPositions(b, rows, {1, 1, rows, 1}), b.constant(b.getI32Type(), {}, offset)});
  return b.op("LessOrEqual", {getPositions(b, keys, {1, 1, 1, keys}), last});
}

static LogicalResult checkHeads(Node &node, Heads &heads) {
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

static LogicalResult checkRank(Node &node, unsigned input, ArrayRef<int64_t> ranks) {
  if (llvm::is_contained(ranks, node.getRank(input)))
    return success();
  InFlightDiagnostic error = node.reject() << "expected input " << input << " to have ";
  llvm::interleave(ranks, [&](int64_t rank) { error << rank; }, [&] { error << " or "; });
  return error << " dimensions, found " << node.getInputType(input);
}

static LogicalResult checkWidth(Node &node, unsigned input, int64_t parts) {
  int64_t width = node.getShape(input).back();
  if (parts > 0 && width % parts == 0)
    return success();
  return node.reject() << "expected a number of heads that divides the last dimension of input "
                       << input << ", found " << parts << " and " << width;
}

//===----------------------------------------------------------------------===//
// Attention of ONNX
//===----------------------------------------------------------------------===//

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
  int64_t past = 0;
  if (b.input(4) && b.input(5)) {
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
  scores.scale = node.getFloat("scale", 0);
  scores.softcap = node.getFloat("softcap", 0);
  if (int64_t precision = node.getInt("softmax_precision", 0))
    if (precision == 1)
      scores.softmaxType = b.getF32Type();
  if (node.getInt("is_causal", 0))
    scores.masks.push_back(getCausalMask(b, heads.rows, heads.keys, past));
  if (Value mask = b.input(3)) {
    ArrayRef<int64_t> shape = node.getShape(3);
    if (shape.empty())
      return node.reject() << "expected a mask of at least 1 dimension, found "
                           << node.getInputType(3);
    bool isBoolean = node.getElementType(3).isInteger(1);
    // Keys that the mask does not reach are not seen.
    if (shape.back() < heads.keys && shape.back() != 1) {
      SmallVector<int64_t> pads(2 * shape.size(), 0);
      pads.back() = heads.keys - shape.back();
      Value fill = b.constant(node.getElementType(3), {}, 0);
      if (!isBoolean)
        fill = b.constant(node.getElementType(3), {}, -std::numeric_limits<float>::infinity());
      mask = b.op("Pad", {mask, b.ints(pads), fill});
    }
    (isBoolean ? scores.masks : scores.biases).push_back(mask);
  }
  if (Value lengths = b.input(6)) {
    Value limit = b.cast(b.reshape(lengths, {heads.batch, 1, 1, 1}), b.getI32Type());
    scores.masks.push_back(
        b.op("Less", {getPositions(b, heads.keys, {1, 1, 1, heads.keys}), limit}));
  }
  if (node.hasOutput(3)) {
    scores.shown = node.getInt("qk_matmul_output_mode", 0);
    if (*scores.shown < 0 || *scores.shown > 3)
      return node.reject() << "expected a qk_matmul_output_mode from 0 to 3, found "
                           << *scores.shown;
  }
  Value y = attend(b, heads, type, scores);
  b.setResult(0,
              isFlat ? joinHeads(b, y, heads.batch, heads.rows, heads.heads * heads.valueSize) : y);
  if (node.hasOutput(3))
    b.setResult(3, scores.output);
  return success();
}

//===----------------------------------------------------------------------===//
// Attention of com.microsoft
//===----------------------------------------------------------------------===//

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
      b.op("Where", {mask, b.constant(type, {}, 0), b.constant(type, {}, filter)}));
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
  scores.scale = node.getFloat("scale", 0);
  if (b.input(3) && failed(addPaddingMask(b, 3, heads, scores)))
    return failure();
  if (b.input(5))
    scores.biases.push_back(b.input(5));
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
  scores.scale = node.getFloat("scale", 0);
  if (b.input(4) && failed(addPaddingMask(b, 4, heads, scores)))
    return failure();
  if (b.input(5))
    scores.biases.push_back(b.input(5));
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
// Rotary embeddings
//===----------------------------------------------------------------------===//

/// Rotates pairs of the first 2 * `half` of the last dimension of `value`, of `shape`, by angles
/// whose cosines and sines are broadcast to it with `half` as last dimension. Pairs are neighbours
/// if `isInterleaved`, otherwise one half and the other.
static Value rotate(Expansion &b, Value value, ArrayRef<int64_t> shape, Value cosine, Value sine,
                    int64_t half, bool isInterleaved) {
  int64_t last = shape.size() - 1, size = shape[last];
  Value rotated = size == 2 * half ? value : b.slice(value, last, 0, 2 * half);
  Value first, second;
  SmallVector<int64_t> pairs(shape), halves(shape), column(shape);
  pairs[last] = half, pairs.push_back(2);
  halves[last] = half;
  column[last] = half, column.push_back(1);
  if (isInterleaved) {
    Value split = b.reshape(rotated, pairs);
    first = b.reshape(b.slice(split, last + 1, 0, 1), halves);
    second = b.reshape(b.slice(split, last + 1, 1, 2), halves);
  } else {
    first = b.slice(rotated, last, 0, half);
    second = b.slice(rotated, last, half, 2 * half);
  }
  Value real = b.op("Sub", {b.op("Mul", {first, cosine}), b.op("Mul", {second, sine})});
  Value imaginary = b.op("Add", {b.op("Mul", {first, sine}), b.op("Mul", {second, cosine})});
  if (isInterleaved) {
    SmallVector<int64_t> whole(shape);
    whole[last] = 2 * half;
    rotated = b.reshape(b.concat({b.reshape(real, column), b.reshape(imaginary, column)}, last + 1),
                        whole);
  } else {
    rotated = b.concat({real, imaginary}, last);
  }
  return size == 2 * half ? rotated
                          : b.concat({rotated, b.slice(value, last, 2 * half, size)}, last);
}

/// Batch x rows x half as what is broadcast to heads, before rows or behind them.
static Value spreadOverHeads(Expansion &b, Value angles, int64_t batch, int64_t rows, int64_t half,
                             bool headsFirst) {
  return headsFirst ? b.reshape(angles, {batch, 1, rows, half})
                    : b.reshape(angles, {batch, rows, 1, half});
}

/// `value` is input 0, of batch x heads x rows x size or of batch x rows x (heads * size).
static Value rotateHeads(Expansion &b, int64_t heads, Value cosine, Value sine, int64_t angleBatch,
                         int64_t half, bool isInterleaved) {
  Node &node = b.getNode();
  SmallVector<int64_t> shape(node.getShape(0));
  bool headsFirst = shape.size() == 4;
  int64_t rows = shape[headsFirst ? 2 : 1];
  SmallVector<int64_t> split(shape);
  if (!headsFirst)
    split = {shape[0], rows, heads, shape[2] / heads};
  auto spread = [&](Value angles) {
    return spreadOverHeads(b, angles, angleBatch, rows, half, headsFirst);
  };
  Value x = headsFirst ? b.input(0) : b.reshape(b.input(0), split);
  Value y = rotate(b, x, split, spread(cosine), spread(sine), half, isInterleaved);
  return headsFirst ? y : b.reshape(y, shape);
}

LogicalResult npu::onnx_ir::expandRotaryEmbedding(Expansion &b) {
  Node &node = b.getNode();
  if (failed(checkRank(node, 0, {3, 4})) || failed(checkRank(node, 1, {b.input(3) ? 2 : 3})))
    return failure();
  int64_t heads = node.getRank(0) == 4 ? node.getShape(0)[1] : node.getInt("num_heads", 0);
  if (node.getRank(0) == 3 && failed(checkWidth(node, 0, heads)))
    return failure();
  int64_t half = node.getShape(1).back();
  Value cosine = b.input(1), sine = b.input(2);
  if (b.input(3)) {
    cosine = b.op("Gather", {cosine, b.input(3)});
    sine = b.op("Gather", {sine, b.input(3)});
  }
  b.setResult(0, rotateHeads(b, heads, cosine, sine, node.getShape(0)[0], half,
                             node.getInt("interleaved", 0) != 0));
  return success();
}

LogicalResult npu::onnx_ir::expandFusedRotaryEmbedding(Expansion &b) {
  Node &node = b.getNode();
  if (node.getInt("is_packed_batching", 0))
    return node.reject() << "expected no packed batches, found them";
  if (failed(checkRank(node, 0, {3, 4})) || failed(checkRank(node, 1, {1, 2})) ||
      failed(checkRank(node, 2, {2})))
    return failure();
  int64_t half = node.getShape(2)[1], heads = node.getInt("num_heads", 0);
  if (half < 1)
    return node.reject() << "expected cosines of some angles, found " << node.getInputType(2);
  int64_t batch = node.getShape(0)[0], rows = node.getShape(0)[node.getRank(0) == 4 ? 2 : 1];
  if (node.getRank(0) == 4)
    heads = node.getShape(0)[1];
  else if (heads == 0)
    heads = node.getShape(0)[2] / (2 * half);
  if (node.getRank(0) == 3 && failed(checkWidth(node, 0, heads)))
    return failure();
  // One position is that of the first row of all batches.
  Value positions = b.input(1);
  bool isOne = node.getRank(1) == 1;
  if (isOne && failed(node.spendOrReject(rows)))
    return failure();
  if (isOne)
    positions = b.op(
        "Add", {b.cast(b.reshape(positions, {1}), b.getI32Type()), getPositions(b, rows, {rows})});
  b.setResult(0, rotateHeads(b, heads, b.op("Gather", {b.input(2), positions}),
                             b.op("Gather", {b.input(3), positions}), isOne ? 1 : batch, half,
                             node.getInt("interleaved", 0) != 0));
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
  scores.scale = node.getFloat("scale", 0);
  scores.softcap = node.getFloat("softcap", 0);
  if (b.input(10))
    scores.biases.push_back(b.input(10));
  Value last = b.reshape(rowPositions, {heads.batch, 1, heads.rows, 1});
  Value keys = getPositions(b, heads.keys, {1, 1, 1, heads.keys});
  scores.masks.push_back(b.op("LessOrEqual", {keys, last}));
  if (int64_t window = node.getInt("local_window_size", -1); window > 0)
    scores.masks.push_back(
        b.op("Greater", {keys, b.op("Sub", {last, b.constant(i32, {}, window)})}));
  if (node.hasOutput(3))
    scores.shown = node.getInt("qk_output", 0) == 2 ? 3 : 0;
  Value y = attend(b, heads, type, scores);
  b.setResult(0, joinHeads(b, y, heads.batch, heads.rows, width));
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
