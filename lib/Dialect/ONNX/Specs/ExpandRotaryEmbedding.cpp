//===- ExpandRotaryEmbedding.cpp - positions as rotations -----------------===//

#include "Attention.h"

using namespace mlir;
using namespace npu::onnx_ir;

Value npu::onnx_ir::rotate(Expansion &b, Value value, ArrayRef<int64_t> shape, Value cosine,
                           Value sine, int64_t half, bool isInterleaved) {
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
