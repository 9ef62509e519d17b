//===- LowerConv.cpp - convolutions ---------------------------------------===//

#include "Arithmetic.h"
#include "Windows.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerConv(Lowering &b) {
  Node &node = b.getNode();
  Window window = *getWindow(node, node.getShape(0).drop_front(2), node.getShape(1).drop_front(2));
  RankedTensorType type = b.getResultType();
  Value zero = b.scalar(type.getElementType(), 0.0);
  Value filter = trimFilter(b, 1, window);
  b.setResult(createConvolution(b, padForWindow(b, b.getInput(0), window, zero), filter,
                                b.getInput(2), type.getShape(), type.getElementType(), window,
                                node.getInt("group", 1)));
}

/// What a transposed convolution's kernel is to the convolution that computes it: element (g, f, c,
/// k) is element (g, c, f, -1 - k) of `filter`, as (C, F / groups, kernel) comes in.
static AffineMap getTransposedFilterMap(MLIRContext *context, ArrayRef<int64_t> kernel) {
  SmallVector<AffineExpr> indices{getAffineDimExpr(0, context), getAffineDimExpr(2, context),
                                  getAffineDimExpr(1, context)};
  for (auto [d, extent] : llvm::enumerate(kernel))
    indices.push_back(extent - 1 - getAffineDimExpr(3 + d, context));
  return AffineMap::get(3 + kernel.size(), 0, indices, context);
}

/// Element strides of the loops of `map` over a constant of shape `from`, and the first element.
static std::pair<SmallVector<int64_t>, int64_t> getStrides(ArrayRef<int64_t> from, AffineMap map) {
  SmallVector<int64_t> strides(map.getNumDims());
  int64_t base = 0, stride = 1;
  for (unsigned dim = from.size(); dim-- > 0; stride *= from[dim]) {
    AffineExpr index = map.getResult(dim);
    bool isReversed = !isa<AffineDimExpr>(index);
    for (unsigned loop = 0; loop < strides.size(); ++loop)
      if (index.isFunctionOfDim(loop))
        strides[loop] = isReversed ? -stride : stride;
    base += isReversed ? (from[dim] - 1) * stride : 0;
  }
  return {strides, base};
}

/// The filter of a transposed convolution, as (F, C / groups, kernel) and turned round. Done now
/// for a constant.
static Value transposeFilter(Lowering &b, int64_t groups) {
  ArrayRef<int64_t> filter = b.getNode().getShape(1);
  SmallVector<int64_t> from{groups, filter[0] / groups, filter[1]};
  from.append(filter.begin() + 2, filter.end());
  SmallVector<int64_t> shape(from), result{groups * filter[1], filter[0] / groups};
  std::swap(shape[1], shape[2]);
  result.append(filter.begin() + 2, filter.end());
  AffineMap map = getTransposedFilterMap(b.getContext(), filter.drop_front(2));
  auto [strides, base] = getStrides(from, map);
  if (ElementsAttr value = b.getNode().getConstant(1))
    if (TypedAttr turned = gatherConstant(value, shape, strides, base))
      return b.reshape(arith::ConstantOp::create(b, turned), result);
  Value init = b.empty(shape, b.getElementType(b.getInput(1)));
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  Value turned = linalg::GenericOp::create(
                     b, init.getType(), b.reshape(b.getInput(1), from), init,
                     ArrayRef<AffineMap>{map, b.getMultiDimIdentityMap(shape.size())}, iterators,
                     [](OpBuilder &builder, Location loc, ValueRange x) {
                       linalg::YieldOp::create(builder, loc, x[0]);
                     })
                     .getResult(0);
  return b.reshape(turned, result);
}

/// `input` with its elements `strides` apart, `low` zeros in front (fewer elements if negative) and
/// as many behind that the space has `extents`.
static Value spread(Lowering &b, Value input, ArrayRef<int64_t> strides, ArrayRef<int64_t> low,
                    ArrayRef<int64_t> extents) {
  SmallVector<int64_t> offsets{0, 0}, starts{0, 0}, steps{1, 1};
  SmallVector<int64_t> sizes(b.getShape(input)), shape(b.getShape(input));
  for (auto [d, extent] : llvm::enumerate(extents)) {
    // The first element that is used, and where it goes.
    int64_t first = low[d] < 0 ? llvm::divideCeil(-low[d], strides[d]) : 0;
    int64_t start = low[d] + first * strides[d];
    int64_t count = start < extent ? (extent - 1 - start) / strides[d] + 1 : 0;
    offsets.push_back(first);
    starts.push_back(start);
    steps.push_back(strides[d]);
    sizes[2 + d] = std::min(count, sizes[2 + d] - first);
    shape[2 + d] = extent;
  }
  Value zero = b.scalar(b.getElementType(input), int64_t(0));
  if (llvm::any_of(sizes, [](int64_t size) { return size <= 0; }))
    return filled(b, shape, zero);
  if (sizes != b.getShape(input))
    input = b.slice(input, offsets, sizes);
  if (llvm::all_of(steps, [](int64_t step) { return step == 1; })) {
    SmallVector<int64_t> high(shape);
    for (auto [amount, size, start] : llvm::zip(high, sizes, starts))
      amount -= size + start;
    return b.pad(input, starts, high, zero);
  }
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(b.getContext(), values);
  };
  return tensor::InsertSliceOp::create(b, input, filled(b, shape, zero), attributes(starts),
                                       attributes(sizes), attributes(steps));
}

void npu::onnx_ir::lowerConvTranspose(Lowering &b) {
  Node &node = b.getNode();
  Window window =
      *getTransposedWindow(node, node.getShape(0).drop_front(2), node.getShape(1).drop_front(2));
  RankedTensorType type = b.getResultType();
  int64_t groups = node.getInt("group", 1);
  // Spread out, the input is convolved with the filter turned round.
  SmallVector<int64_t> low, extents;
  for (unsigned d = 0; d < window.getRank(); ++d) {
    int64_t reach = (window.kernel[d] - 1) * window.dilations[d];
    low.push_back(reach - window.padsBegin[d]);
    extents.push_back(window.output[d] + reach);
  }
  Value input = spread(b, b.getInput(0), window.strides, low, extents);
  window.strides.assign(window.getRank(), 1);
  b.setResult(createConvolution(b, input, transposeFilter(b, groups), b.getInput(2),
                                type.getShape(), type.getElementType(), window, groups));
}
