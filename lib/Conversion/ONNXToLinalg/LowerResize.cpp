//===- LowerResize.cpp - Resize and Upsample ------------------------------===//

#include "Indexing.h"

#include "NPU/Dialect/ONNX/Specs/Resize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Replaces dimension `axis` by weighted sums of its elements.
static Value interpolate(Lowering &b, Value tensor, int64_t axis, const ResizedDimension &dim) {
  int64_t rank = b.getShape(tensor).size(), size = dim.end - dim.begin;
  auto type = cast<FloatType>(b.getElementType(tensor));
  SmallVector<int64_t> shape(b.getShape(tensor));
  shape[axis] = size;
  Value indices = createTensor(b, {size, dim.taps}, dim.indices);
  Value weights = createTensor(b, {size, dim.taps}, type, dim.weights);
  Value zeros = linalg::FillOp::create(b, b.scalar(type, 0.0), b.empty(shape, type)).getResult(0);
  AffineMap elements = AffineMap::getMultiDimIdentityMap(rank + 1, b.getContext()).dropResult(rank);
  AffineMap table = AffineMap::get(
      rank + 1, 0, {b.getAffineDimExpr(axis), b.getAffineDimExpr(rank)}, b.getContext());
  return accumulate(b, {indices, weights}, zeros, {table, table, elements},
                    [&](Lowering &b, ValueRange x) -> Value {
                      SmallVector<Value> position = getLoopIndices(b, rank);
                      position[axis] = arith::IndexCastOp::create(b, b.getIndexType(), x[0]);
                      Value element = extract(b, tensor, position);
                      return arith::AddFOp::create(b, x[2],
                                                   arith::MulFOp::create(b, element, x[1]));
                    });
}

static Value convertFloat(Lowering &b, Value tensor, Type type) {
  Type from = b.getElementType(tensor);
  if (from == type)
    return tensor;
  return b.elementwise(b.getShape(tensor), type, tensor, [&](Lowering &b, ValueRange x) -> Value {
    if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, type, x[0]);
    return arith::TruncFOp::create(b, type, x[0]);
  });
}

void npu::onnx_ir::lowerResize(Lowering &b) {
  SmallVector<ResizedDimension> dims = *getResize(b.getNode());
  RankedTensorType type = b.getResultType();
  Value outside = b.scalar(type.getElementType(), b.getNode().getFloat("extrapolation_value", 0));
  SmallVector<int64_t> low, high;
  for (const ResizedDimension &dim : dims) {
    if (dim.begin == dim.end)
      return b.setResult(b.splat(type.getShape(), outside));
    low.push_back(dim.begin);
    high.push_back(dim.extent - dim.end);
  }
  // All that is read as it is at once, the rest one dimension after the other, rounded once.
  SmallVector<SmallVector<int64_t>> tables;
  for (const ResizedDimension &dim : dims)
    tables.push_back(dim.taps == 1 ? dim.indices : SmallVector<int64_t>());
  Value result = take(b, b.getInput(0), tables);
  bool isNarrow = isa<FloatType>(type.getElementType()) && type.getElementTypeBitWidth() < 32;
  if (isNarrow)
    result = convertFloat(b, result, b.getF32Type());
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (dim.taps > 1)
      result = interpolate(b, result, axis, dim);
  b.setResult(b.pad(convertFloat(b, result, type.getElementType()), low, high, outside));
}
