//===- Real.h - scalar f32 arithmetic that creates ops --------------------===//

#ifndef NPU_LIB_PREPARATION_REAL_H
#define NPU_LIB_PREPARATION_REAL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

namespace npu {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// An f32 value with operators that create ops.
class Real {
public:
  Real(mlir::OpBuilder &builder, mlir::Value value) : builder(&builder), value(value) {}

  operator mlir::Value() const { return value; }
  Real get(float number) const {
    return make<mlir::arith::ConstantOp>(builder->getF32FloatAttr(number));
  }
  template <typename Op, typename... Args>
  Real make(Args... args) const {
    return {*builder, Op::create(*builder, value.getLoc(), args...)};
  }
  /// `this` where the comparison with `limit` holds, `other` elsewhere.
  Real where(mlir::arith::CmpFPredicate predicate, Real operand, Real limit, Real other) const {
    mlir::Value condition = mlir::arith::CmpFOp::create(*builder, value.getLoc(), predicate,
                                                        operand.value, limit.value);
    return make<mlir::arith::SelectOp>(condition, value, other.value);
  }
  Real whereLess(Real operand, Real limit, Real other) const {
    return where(mlir::arith::CmpFPredicate::OLT, operand, limit, other);
  }
  Real whereEqual(Real operand, float number, Real other) const {
    return where(mlir::arith::CmpFPredicate::OEQ, operand, get(number), other);
  }

  friend Real operator+(Real a, Real b) { return a.make<mlir::arith::AddFOp>(a.value, b.value); }
  friend Real operator-(Real a, Real b) { return a.make<mlir::arith::SubFOp>(a.value, b.value); }
  friend Real operator*(Real a, Real b) { return a.make<mlir::arith::MulFOp>(a.value, b.value); }
  friend Real operator/(Real a, Real b) { return a.make<mlir::arith::DivFOp>(a.value, b.value); }
  friend Real operator+(Real a, float b) { return a + a.get(b); }
  friend Real operator-(Real a, float b) { return a - a.get(b); }
  friend Real operator*(Real a, float b) { return a * a.get(b); }
  friend Real operator+(float a, Real b) { return b.get(a) + b; }
  friend Real operator-(float a, Real b) { return b.get(a) - b; }
  friend Real operator/(float a, Real b) { return b.get(a) / b; }

private:
  mlir::OpBuilder *builder;
  mlir::Value value;
};

inline Real createExp(Real x) { return x.make<mlir::math::ExpOp>(mlir::Value(x)); }
inline Real createLog(Real x) { return x.make<mlir::math::LogOp>(mlir::Value(x)); }
inline Real createSqrt(Real x) { return x.make<mlir::math::SqrtOp>(mlir::Value(x)); }
inline Real createAbs(Real x) { return x.make<mlir::math::AbsFOp>(mlir::Value(x)); }

} // namespace npu

#endif // NPU_LIB_PREPARATION_REAL_H
