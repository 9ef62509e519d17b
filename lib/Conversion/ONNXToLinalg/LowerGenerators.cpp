//===- LowerGenerators.cpp - elements that follow from their indices ------===//

#include "Arithmetic.h"
#include "Indexing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerRange(Lowering &b) {
  RankedTensorType type = b.getResultType();
  Type element = type.getElementType();
  Value start = getConstantScalar(b, b.getInput(0));
  Value delta = getConstantScalar(b, b.getInput(2));
  b.setResult(b.elementwise(type.getShape(), element, {}, [&](Lowering &b, ValueRange) -> Value {
    Value index = arith::IndexCastOp::create(b, b.getI64Type(), getLoopIndex(b, 0));
    if (isa<FloatType>(element)) {
      // Halves do not hold the indices.
      Type wide = element.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : element;
      Value factor = arith::SIToFPOp::create(b, wide, index);
      Value distance = arith::MulFOp::create(b, factor, castFloat(b, delta, wide));
      return castFloat(b, arith::AddFOp::create(b, castFloat(b, start, wide), distance), element);
    }
    if (!element.isInteger(64))
      index = arith::TruncIOp::create(b, element, index);
    return arith::AddIOp::create(b, start, arith::MulIOp::create(b, index, delta));
  }));
}

void npu::onnx_ir::lowerEyeLike(Lowering &b) {
  RankedTensorType type = b.getResultType();
  // Diagonals outside of the matrix are all alike.
  int64_t diagonal =
      std::clamp(b.getNode().getInt("k", 0), -type.getDimSize(0), type.getDimSize(1));
  Value offset = b.scalar(b.getIndexType(), diagonal);
  Value one = b.scalar(type.getElementType(), int64_t(1));
  Value zero = b.scalar(type.getElementType(), int64_t(0));
  b.setResult(b.elementwise(
      type.getShape(), type.getElementType(), {}, [&](Lowering &b, ValueRange) -> Value {
        Value column = arith::AddIOp::create(b, getLoopIndex(b, 0), offset);
        Value isOn = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, column, getLoopIndex(b, 1));
        return arith::SelectOp::create(b, isOn, one, zero);
      }));
}

void npu::onnx_ir::lowerTrilu(Lowering &b) {
  RankedTensorType type = b.getResultType();
  int64_t rank = type.getRank();
  bool isUpper = b.getNode().getInt("upper", 1) != 0;
  Value zero = b.scalar(type.getElementType(), int64_t(0));
  Value diagonal = b.getInput(1) ? b.reshape(b.getInput(1), ArrayRef<int64_t>())
                                 : b.splat({}, b.scalar(b.getI64Type(), int64_t(0)));
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), {b.getInput(0), diagonal},
                            [&](Lowering &b, ValueRange x) -> Value {
                              Value distance = arith::SubIOp::create(b, getLoopIndex(b, rank - 1),
                                                                     getLoopIndex(b, rank - 2));
                              Value isKept = arith::CmpIOp::create(
                                  b,
                                  isUpper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle,
                                  arith::IndexCastOp::create(b, b.getI64Type(), distance), x[1]);
                              return arith::SelectOp::create(b, isKept, x[0], zero);
                            }));
}
