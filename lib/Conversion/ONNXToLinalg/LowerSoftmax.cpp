//===- LowerSoftmax.cpp - Softmax and its relatives -----------------------===//

#include "Arithmetic.h"

#include "NPU/Dialect/ONNX/Specs/Normalization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace npu::onnx_ir;

static Value getMaxima(Lowering &b, Value input, ArrayRef<int64_t> axes) {
  return reduceKept(b, input, axes, lowest(b, b.getElementType(input)),
                    [](Lowering &b, Value x, Value y) { return maximum(b, x, y); });
}

/// Input minus maximum along the axes; its exponentials; their sums.
struct Exponentials {
  Value differences, exponentials, sums;
};

static Exponentials computeExponentials(Lowering &b, Value input, ArrayRef<int64_t> axes) {
  Exponentials result;
  result.differences = combine(b, input, getMaxima(b, input, axes), subtract);
  result.exponentials = b.elementwise(
      b.getShape(input), b.getElementType(input), result.differences,
      [](Lowering &b, ValueRange x) -> Value { return math::ExpOp::create(b, x[0]); });
  result.sums = sum(b, result.exponentials, axes);
  return result;
}

void npu::onnx_ir::lowerSoftmax(Lowering &b) {
  Exponentials parts =
      computeExponentials(b, widenFloats(b, b.getInput(0)), *getSoftmaxAxes(b.getNode()));
  b.setResult(castFloats(b,
                         combine(b, parts.exponentials, parts.sums,
                                 [](Lowering &b, Value x, Value y) { return divide(b, x, y); }),
                         b.getResultType().getElementType()));
}

Value npu::onnx_ir::logSoftmax(Lowering &b, Value input, ArrayRef<int64_t> axes) {
  Exponentials parts = computeExponentials(b, input, axes);
  return combine(b, parts.differences, parts.sums, [](Lowering &b, Value difference, Value sum) {
    return subtract(b, difference, math::LogOp::create(b, sum));
  });
}

void npu::onnx_ir::lowerLogSoftmax(Lowering &b) {
  Value result = logSoftmax(b, widenFloats(b, b.getInput(0)), *getSoftmaxAxes(b.getNode()));
  b.setResult(castFloats(b, result, b.getResultType().getElementType()));
}

void npu::onnx_ir::lowerHardmax(Lowering &b) {
  // As (outer, elements to choose from, inner).
  ArrayRef<int64_t> shape = b.getNode().getShape(0);
  SmallVector<int64_t> axes = *getSoftmaxAxes(b.getNode());
  SmallVector<int64_t> flat{1, 1, 1};
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
    flat[dim < axes.front() ? 0 : dim <= axes.back() ? 1 : 2] *= shape[dim];
  Value input = b.reshape(b.getInput(0), flat);
  // Kernels have no wider integers.
  bool isNarrow = llvm::isInt<32>(flat[1]);
  Type type = b.getElementType(input), placeType = isNarrow ? b.getI32Type() : b.getI64Type();
  auto getPlace = [&](Lowering &b) -> Value {
    return arith::IndexCastOp::create(b, placeType, linalg::IndexOp::create(b, 1));
  };
  // Where the maxima are, and then the first of these places.
  Value none = b.scalar(placeType, flat[1]);
  Value places = b.elementwise(
      flat, placeType, {input, getMaxima(b, input, 1)}, [&](Lowering &b, ValueRange x) -> Value {
        // A NaN makes the maximum one.
        Value isMaximum = arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, x[0], x[1]);
        return arith::SelectOp::create(b, isMaximum, getPlace(b), none);
      });
  Value first = reduceKept(b, places, 1, none, [](Lowering &b, Value x, Value y) -> Value {
    return arith::MinSIOp::create(b, x, y);
  });
  Value result = b.elementwise(flat, type, first, [&](Lowering &b, ValueRange x) -> Value {
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x[0], getPlace(b));
    return arith::SelectOp::create(b, isFirst, b.scalar(type, 1.0), b.scalar(type, 0.0));
  });
  b.setResult(b.reshape(result, shape));
}
