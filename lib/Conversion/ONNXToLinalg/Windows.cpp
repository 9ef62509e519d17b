//===- Windows.cpp - lowerings with sliding windows -----------------------===//

#include "Windows.h"

#include "Arithmetic.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

Value npu::onnx_ir::padForWindow(Lowering &b, Value input, const Window &window, Value value,
                                 bool withOverhang) {
  SmallVector<int64_t> low{0, 0}, high{0, 0}, shape(b.getShape(input));
  low.append(window.padsBegin);
  high.append(window.padsEnd);
  SmallVector<int64_t> sizes(shape), padded(shape);
  for (unsigned d = 0; d < window.getRank(); ++d) {
    int64_t &behind = high[2 + d];
    behind += withOverhang ? window.overhang[d] : 0;
    // What no window reaches is left out of the padding, and of the input where a single window
    // would have to be as large as all of it.
    int64_t reach = (window.output[d] - 1) * window.strides[d] +
                    (window.kernel[d] - 1) * window.dilations[d] + 1;
    int64_t excess = shape[2 + d] + low[2 + d] + behind - reach;
    behind = std::max<int64_t>(0, behind - std::max<int64_t>(0, excess));
    padded[2 + d] = reach;
    if (window.output[d] == 1)
      sizes[2 + d] = std::min(shape[2 + d], reach - low[2 + d]);
  }
  if (sizes != shape && llvm::any_of(sizes, [](int64_t size) { return size < 1; }))
    return isa<RankedTensorType>(value.getType()) ? b.broadcast(value, padded)
                                                  : filled(b, padded, value);
  if (sizes != shape)
    input = b.slice(input, SmallVector<int64_t>(shape.size(), 0), sizes);
  return b.pad(input, low, high, value);
}

Value npu::onnx_ir::trimFilter(Lowering &b, unsigned index, Window &window) {
  Node &node = b.getNode();
  ArrayRef<int64_t> shape = node.getShape(index);
  SmallVector<int64_t> offsets{0, 0}, sizes(shape), strides = computeSuffixProduct(shape);
  for (unsigned d = 0; d < window.getRank(); ++d) {
    int64_t step = window.dilations[d], input = node.getShape(0)[2 + d];
    int64_t lastStart = (window.output[d] - 1) * window.strides[d] - window.padsBegin[d];
    // Where the last window is in front of the input, and the first one behind it.
    int64_t low = lastStart < 0 ? llvm::divideCeil(-lastStart, step) : 0;
    int64_t end = (input + window.padsBegin[d] - 1) / step + 1;
    int64_t high = std::max<int64_t>(0, window.kernel[d] - end);
    if (input == 0 || window.output[d] == 0 || low + high >= window.kernel[d] ||
        low * step > window.padsBegin[d] || high * step > window.padsEnd[d])
      low = high = 0;
    offsets.push_back(low);
    sizes[2 + d] = window.kernel[d] -= low + high;
    window.padsBegin[d] -= low * step;
    window.padsEnd[d] -= high * step;
  }
  if (sizes == shape)
    return b.getInput(index);
  if (ElementsAttr value = node.getConstant(index))
    if (TypedAttr trimmed = gatherConstant(value, sizes, strides, linearize(offsets, strides)))
      return arith::ConstantOp::create(b, trimmed);
  return b.slice(b.getInput(index), offsets, sizes);
}

/// Convolution with the channels of input (N, G, C, space), filter (G, F, C, kernel) and result (N,
/// G, F, space) split into groups.
static Value createGroupedConvolution(Lowering &b, Value input, Value filter, Value init,
                                      const Window &window) {
  unsigned rank = window.getRank();
  // Loops: batch, group, output channel, space; input channel, kernel.
  auto loop = [&](unsigned position) { return getAffineDimExpr(position, b.getContext()); };
  unsigned numParallel = 3 + rank, numLoops = numParallel + 1 + rank;
  SmallVector<AffineExpr> inputIndices{loop(0), loop(1), loop(numParallel)};
  SmallVector<AffineExpr> filterIndices{loop(1), loop(2), loop(numParallel)};
  for (unsigned d = 0; d < rank; ++d) {
    AffineExpr space = loop(3 + d), kernel = loop(numParallel + 1 + d);
    inputIndices.push_back(space * window.strides[d] + kernel * window.dilations[d]);
    filterIndices.push_back(kernel);
  }
  AffineMap outputMap =
      AffineMap::getMultiDimIdentityMap(numLoops, b.getContext()).getMajorSubMap(numParallel);
  SmallVector<utils::IteratorType> iterators(numParallel, utils::IteratorType::parallel);
  iterators.resize(numLoops, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, init.getType(), ValueRange{input, filter}, init,
             ArrayRef<AffineMap>{AffineMap::get(numLoops, 0, inputIndices, b.getContext()),
                                 AffineMap::get(numLoops, 0, filterIndices, b.getContext()),
                                 outputMap},
             iterators,
             [&](OpBuilder &builder, Location, ValueRange x) {
               Lowering inner(b.getNode(), {}, builder);
               linalg::YieldOp::create(inner, multiplyAdd(inner, x[0], x[1], x[2]));
             })
      .getResult(0);
}

/// The named op for a convolution of `input` (NCHW) with `filter` (FCHW), whose result starts as
/// `init`.
static Value createConv(Lowering &b, Value input, Value filter, Value init, const Window &window,
                        int64_t groups) {
  auto strides = b.getI64TensorAttr(window.strides);
  auto dilations = b.getI64TensorAttr(window.dilations);
  ArrayRef<int64_t> filterShape = b.getShape(filter);
  int64_t outputs = filterShape[0];
  if (groups == 1 && window.getRank() == 3)
    return linalg::Conv3DNcdhwFcdhwOp::create(b, init.getType(), ValueRange{input, filter}, init,
                                              strides, dilations)
        .getResult(0);
  if (groups == 1)
    return linalg::Conv2DNchwFchwOp::create(b, init.getType(), ValueRange{input, filter}, init,
                                            strides, dilations)
        .getResult(0);
  // Each channel on its own.
  if (filterShape[1] == 1 && outputs == groups && window.getRank() == 2) {
    Value kernel = b.reshape(filter, {outputs, filterShape[2], filterShape[3]});
    return linalg::DepthwiseConv2DNchwChwOp::create(b, init.getType(), ValueRange{input, kernel},
                                                    init, strides, dilations)
        .getResult(0);
  }
  // Splits dimension `dim` of a tensor into the groups and the rest.
  auto split = [&](Value tensor, unsigned dim) {
    SmallVector<int64_t> shape(b.getShape(tensor));
    shape[dim] /= groups;
    shape.insert(shape.begin() + dim, groups);
    return b.reshape(tensor, shape);
  };
  Value result =
      createGroupedConvolution(b, split(input, 1), split(filter, 0), split(init, 1), window);
  return b.reshape(result, b.getShape(init));
}

/// Adds the bias, if there is one, to the channels of `result`.
static Value addBias(Lowering &b, Value result, Value bias) {
  if (!bias)
    return result;
  SmallVector<int64_t> extents(b.getShape(result).size() - 1, 1);
  extents[0] = b.getShape(bias)[0];
  return combine(b, result, b.reshape(bias, extents), add);
}

Value npu::onnx_ir::createConvolution(Lowering &b, Value input, Value filter, Value bias,
                                      ArrayRef<int64_t> shape, Type accumulator,
                                      const Window &window, int64_t groups) {
  Value zero = b.scalar(accumulator, int64_t(0));
  if (window.getRank() != 1)
    return addBias(b, createConv(b, input, filter, filled(b, shape, zero), window, groups), bias);
  // One spatial dimension becomes two.
  auto addUnit = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> extents(shape);
    extents.insert(extents.begin() + 2, 1);
    return extents;
  };
  Window wide = window;
  for (SmallVector<int64_t> *list : {&wide.kernel, &wide.strides, &wide.dilations})
    list->insert(list->begin(), 1);
  Value result = createConv(b, b.reshape(input, addUnit(b.getShape(input))),
                            b.reshape(filter, addUnit(b.getShape(filter))),
                            filled(b, addUnit(shape), zero), wide, groups);
  return b.reshape(addBias(b, result, bias), shape);
}

WindowLoops npu::onnx_ir::getWindowLoops(Lowering &b, Value input, unsigned firstDim,
                                         const Window &window) {
  MLIRContext *context = b.getContext();
  WindowLoops loops;
  loops.outputShape.assign(b.getShape(input).begin(), b.getShape(input).end());
  unsigned inputRank = loops.outputShape.size(), numLoops = inputRank + window.getRank();
  SmallVector<AffineExpr> indices, kernelIndices;
  for (unsigned dim = 0; dim < inputRank; ++dim)
    indices.push_back(getAffineDimExpr(dim, context));
  for (unsigned d = 0; d < window.getRank(); ++d) {
    AffineExpr kernel = getAffineDimExpr(inputRank + d, context);
    AffineExpr &index = indices[firstDim + d];
    index = index * window.strides[d] + kernel * window.dilations[d];
    kernelIndices.push_back(kernel);
    loops.outputShape[firstDim + d] = window.output[d];
  }
  loops.inputMap = AffineMap::get(numLoops, 0, indices, context);
  loops.kernelMap = AffineMap::get(numLoops, 0, kernelIndices, context);
  loops.outputMap = AffineMap::getMultiDimIdentityMap(numLoops, context).getMajorSubMap(inputRank);
  loops.iterators.assign(inputRank, utils::IteratorType::parallel);
  loops.iterators.resize(numLoops, utils::IteratorType::reduction);
  return loops;
}

Value npu::onnx_ir::reduceWindows(Lowering &b, Value input, unsigned firstDim, const Window &window,
                                  Value initial, Lowering::Combiner combine) {
  WindowLoops loops = getWindowLoops(b, input, firstDim, window);
  // Only says how large the windows are.
  Value kernel = b.empty(window.kernel, b.getElementType(input));
  Value init = filled(b, loops.outputShape, initial);
  return linalg::GenericOp::create(
             b, init.getType(), ValueRange{input, kernel}, init,
             ArrayRef<AffineMap>{loops.inputMap, loops.kernelMap, loops.outputMap}, loops.iterators,
             [&](OpBuilder &builder, Location, ValueRange x) {
               Lowering inner(b.getNode(), {}, builder);
               linalg::YieldOp::create(inner, combine(inner, x[0], x[2]));
             })
      .getResult(0);
}
