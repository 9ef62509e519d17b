//===- ExpandAttention.cpp - attention of ONNX, and its buffer of keys ----===//

#include "Attention.h"

using namespace mlir;
using namespace npu::onnx_ir;

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
