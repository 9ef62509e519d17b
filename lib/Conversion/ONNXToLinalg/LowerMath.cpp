//===- LowerMath.cpp - functions of one element ---------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

/// One op on floats for one operator.
template <typename Op>
static void lowerTo(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value { return Op::create(b, x[0]); });
}

void npu::onnx_ir::lowerAcos(Lowering &b) { lowerTo<math::AcosOp>(b); }
void npu::onnx_ir::lowerAcosh(Lowering &b) { lowerTo<math::AcoshOp>(b); }
void npu::onnx_ir::lowerAsin(Lowering &b) { lowerTo<math::AsinOp>(b); }
void npu::onnx_ir::lowerAsinh(Lowering &b) { lowerTo<math::AsinhOp>(b); }
void npu::onnx_ir::lowerAtan(Lowering &b) { lowerTo<math::AtanOp>(b); }
void npu::onnx_ir::lowerAtanh(Lowering &b) { lowerTo<math::AtanhOp>(b); }
void npu::onnx_ir::lowerCeil(Lowering &b) { lowerTo<math::CeilOp>(b); }
void npu::onnx_ir::lowerCos(Lowering &b) { lowerTo<math::CosOp>(b); }
void npu::onnx_ir::lowerCosh(Lowering &b) { lowerTo<math::CoshOp>(b); }
void npu::onnx_ir::lowerErf(Lowering &b) { lowerTo<math::ErfOp>(b); }
void npu::onnx_ir::lowerExp(Lowering &b) { lowerTo<math::ExpOp>(b); }
void npu::onnx_ir::lowerFloor(Lowering &b) { lowerTo<math::FloorOp>(b); }
void npu::onnx_ir::lowerLog(Lowering &b) { lowerTo<math::LogOp>(b); }
void npu::onnx_ir::lowerRound(Lowering &b) { lowerTo<math::RoundEvenOp>(b); }
void npu::onnx_ir::lowerSin(Lowering &b) { lowerTo<math::SinOp>(b); }
void npu::onnx_ir::lowerSinh(Lowering &b) { lowerTo<math::SinhOp>(b); }
void npu::onnx_ir::lowerSqrt(Lowering &b) { lowerTo<math::SqrtOp>(b); }
void npu::onnx_ir::lowerTan(Lowering &b) { lowerTo<math::TanOp>(b); }
void npu::onnx_ir::lowerTanh(Lowering &b) { lowerTo<math::TanhOp>(b); }

void npu::onnx_ir::lowerAbs(Lowering &b) {
  if (b.isUnsigned(0))
    return b.setResult(b.getInput(0));
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    if (isa<FloatType>(x[0].getType()))
      return math::AbsFOp::create(b, x[0]);
    return math::AbsIOp::create(b, x[0]);
  });
}

void npu::onnx_ir::lowerNeg(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    if (isa<FloatType>(x[0].getType()))
      return arith::NegFOp::create(b, x[0]);
    return subtract(b, b.scalar(x[0].getType(), int64_t(0)), x[0]);
  });
}

/// Zeros and NaN are their own sign.
void npu::onnx_ir::lowerSign(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    Type type = x[0].getType();
    Value zero = b.scalar(type, int64_t(0)), one = b.scalar(type, int64_t(1));
    if (b.isUnsigned(0))
      return minimum(b, x[0], one, /*isUnsigned=*/true);
    Value isNegative = compare(b, arith::CmpIPredicate::slt, x[0], zero);
    Value isPositive = compare(b, arith::CmpIPredicate::sgt, x[0], zero);
    Value rest = arith::SelectOp::create(b, isNegative, b.scalar(type, int64_t(-1)), x[0]);
    return arith::SelectOp::create(b, isPositive, one, rest);
  });
}

void npu::onnx_ir::lowerReciprocal(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    return divide(b, b.scalar(x[0].getType(), 1.0), x[0]);
  });
}

void npu::onnx_ir::lowerNot(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    return arith::XOrIOp::create(b, x[0], b.scalar(x[0].getType(), int64_t(-1)));
  });
}

void npu::onnx_ir::lowerIsNaN(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    return compare(b, arith::CmpIPredicate::ne, x[0], x[0]);
  });
}

void npu::onnx_ir::lowerIsInf(Lowering &b) {
  bool detectsPositive = b.getNode().getInt("detect_positive", 1) != 0;
  bool detectsNegative = b.getNode().getInt("detect_negative", 1) != 0;
  lowerElementwise(b, [&](Lowering &b, ValueRange x) -> Value {
    if (!detectsPositive && !detectsNegative)
      return b.scalar(b.getI1Type(), int64_t(0));
    double infinity = std::numeric_limits<double>::infinity();
    Value found = x[0];
    if (detectsPositive && detectsNegative)
      found = math::AbsFOp::create(b, found);
    Value sought = b.scalar(x[0].getType(), detectsPositive ? infinity : -infinity);
    return compare(b, arith::CmpIPredicate::eq, found, sought);
  });
}
