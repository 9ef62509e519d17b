//===- LowerMovement.cpp - operators that move or rename data -------------===//

#include "Indexing.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerReshape(Lowering &b) {
  b.setResult(b.reshape(b.getInput(0), b.getResultType().getShape()));
}

void npu::onnx_ir::lowerTranspose(Lowering &b) {
  b.setResult(b.transpose(b.getInput(0), *getPermutation(b.getNode())));
}

void npu::onnx_ir::lowerConcat(Lowering &b) {
  SmallVector<Value> parts;
  for (unsigned index = 0; index < b.getNode().getNumInputs(); ++index)
    if (b.getNode().getInputType(index).getNumElements() > 0)
      parts.push_back(b.getInput(index));
  if (parts.size() == 1)
    return b.setResult(parts.front());
  b.setResult(tensor::ConcatOp::create(b, b.getResultType(), getAxis(b.getNode(), 1), parts));
}

void npu::onnx_ir::lowerSplit(Lowering &b) {
  Split split = *getSplit(b.getNode());
  SmallVector<int64_t> offsets(b.getNode().getRank(0), 0), sizes(b.getNode().getShape(0));
  for (auto [index, size] : llvm::enumerate(split.sizes)) {
    sizes[split.axis] = size;
    // Parts without elements are constants already.
    if (b.hasResult(index) && size > 0)
      b.setResult(index, b.slice(b.getInput(0), offsets, sizes));
    offsets[split.axis] += size;
  }
}

void npu::onnx_ir::lowerSlice(Lowering &b) {
  Slice slice = *getSlice(b.getNode());
  // Forwards by a slice, and what is left by a map: upstream's slices do not go backwards.
  SmallVector<AffineExpr> coordinates;
  for (auto [dim, offset, size, step] : llvm::enumerate(slice.offsets, slice.sizes, slice.steps)) {
    coordinates.push_back(b.getAffineDimExpr(dim));
    if (step > 0)
      continue;
    coordinates.back() = size - 1 - coordinates.back();
    offset += (size - 1) * step;
    step = -step;
  }
  Value forwards = b.slice(b.getInput(0), slice.offsets, slice.sizes, slice.steps);
  AffineMap map = AffineMap::get(coordinates.size(), 0, coordinates, b.getContext());
  if (map.isIdentity())
    return b.setResult(forwards);
  Value init = b.empty(slice.sizes, b.getElementType(forwards));
  SmallVector<utils::IteratorType> iterators(slice.sizes.size(), utils::IteratorType::parallel);
  b.setResult(linalg::GenericOp::create(
                  b, init.getType(), forwards, init,
                  ArrayRef<AffineMap>{map, b.getMultiDimIdentityMap(slice.sizes.size())}, iterators,
                  [](OpBuilder &builder, Location loc, ValueRange x) {
                    linalg::YieldOp::create(builder, loc, x[0]);
                  })
                  .getResult(0));
}

void npu::onnx_ir::lowerExpand(Lowering &b) {
  b.setResult(b.broadcast(b.getInput(0), b.getResultType().getShape()));
}

void npu::onnx_ir::lowerTile(Lowering &b) {
  b.setResult(copy(b, b.getInput(0), *getRepeats(b.getNode())));
}

/// The element that index `i` reads, which may be outside of `extent` elements on both sides.
static int64_t getPaddedIndex(StringRef mode, int64_t i, int64_t extent) {
  if (mode == "edge" || extent == 1)
    return std::clamp<int64_t>(i, 0, extent - 1);
  int64_t period = mode == "wrap" ? extent : 2 * (extent - 1);
  int64_t index = ((i % period) + period) % period;
  return index < extent ? index : period - index;
}

/// Pads with the attribute `value`, or with input 2, which may be computed.
static Value padConstant(Lowering &b, Value input, const Pads &pads) {
  RankedTensorType type = b.getResultType();
  Value value = b.scalar(type.getElementType(), b.getNode().getFloat("value", 0));
  if (Value given = b.getInput(2)) {
    value = getConstantScalar(b, given);
    if (!value) {
      Value filled = b.broadcast(b.reshape(given, ArrayRef<int64_t>()), type.getShape());
      return insert(b, input, filled, pads.low);
    }
  }
  return b.pad(input, pads.low, pads.high, value);
}

void npu::onnx_ir::lowerPad(Lowering &b) {
  Node &node = b.getNode();
  Pads pads = *getPads(node);
  SmallVector<int64_t> offsets, sizes(node.getShape(0));
  for (auto [size, low, high] : llvm::zip(sizes, pads.low, pads.high)) {
    offsets.push_back(std::max<int64_t>(-low, 0));
    size += std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0);
    low = std::max<int64_t>(low, 0);
    high = std::max<int64_t>(high, 0);
  }
  bool isCropped = ArrayRef<int64_t>(sizes) != node.getShape(0);
  Value input = isCropped ? b.slice(b.getInput(0), offsets, sizes) : b.getInput(0);
  StringRef mode = node.getString("mode", "constant");
  if (mode == "constant")
    return b.setResult(padConstant(b, input, pads));
  SmallVector<SmallVector<int64_t>> tables(sizes.size());
  for (auto [dim, table] : llvm::enumerate(tables))
    if (pads.low[dim] != 0 || pads.high[dim] != 0)
      for (int64_t i = -pads.low[dim]; i < sizes[dim] + pads.high[dim]; ++i)
        table.push_back(getPaddedIndex(mode, i, sizes[dim]));
  b.setResult(take(b, input, tables));
}

void npu::onnx_ir::lowerDepthToSpace(Lowering &b) {
  ArrayRef<int64_t> input = b.getNode().getShape(0);
  int64_t block = b.getNode().getInt("blocksize", 1);
  int64_t channels = input[1] / (block * block);
  Value blocks;
  if (b.getNode().getString("mode", "DCR") == "DCR") {
    blocks = b.reshape(b.getInput(0), {input[0], block, block, channels, input[2], input[3]});
    blocks = b.transpose(blocks, {0, 3, 4, 1, 5, 2});
  } else {
    blocks = b.reshape(b.getInput(0), {input[0], channels, block, block, input[2], input[3]});
    blocks = b.transpose(blocks, {0, 1, 4, 2, 5, 3});
  }
  b.setResult(b.reshape(blocks, b.getResultType().getShape()));
}

void npu::onnx_ir::lowerSpaceToDepth(Lowering &b) {
  ArrayRef<int64_t> input = b.getNode().getShape(0);
  int64_t block = b.getNode().getInt("blocksize", 1);
  Value blocks = b.reshape(b.getInput(0),
                           {input[0], input[1], input[2] / block, block, input[3] / block, block});
  blocks = b.transpose(blocks, {0, 3, 5, 1, 2, 4});
  b.setResult(b.reshape(blocks, b.getResultType().getShape()));
}
