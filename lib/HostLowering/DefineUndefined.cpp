//===- DefineUndefined.cpp - results for what the IR leaves undefined ----===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

namespace npu::host {
#define GEN_PASS_DEF_DEFINEUNDEFINED
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// A divisor for which the division of `op` cannot trap: 1 instead of 0, and of -1 where the
/// quotient overflows.
static Value makeSafeDivisor(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(divisor.getType(), value));
  };
  unsigned width = divisor.getType().isIndex() ? 64 : divisor.getType().getIntOrFloatBitWidth();
  auto equals = [&](Value lhs, const APInt &rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, constant(rhs));
  };
  Value traps = equals(divisor, APInt::getZero(width));
  if (!isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
    Value overflows = arith::AndIOp::create(builder, loc, equals(divisor, APInt::getAllOnes(width)),
                                            equals(dividend, APInt::getSignedMinValue(width)));
    traps = arith::OrIOp::create(builder, loc, traps, overflows);
  }
  return arith::SelectOp::create(builder, loc, traps, constant(APInt(width, 1)), divisor);
}

/// Makes the result of `op` 0 where `isZero`.
static void selectZero(OpBuilder &builder, Operation *op, Value isZero) {
  builder.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  Value zero =
      arith::ConstantOp::create(builder, op->getLoc(), builder.getIntegerAttr(result.getType(), 0));
  auto select = arith::SelectOp::create(builder, op->getLoc(), isZero, zero, result);
  result.replaceAllUsesExcept(select, select);
}

/// Makes the division of `op` by zero give 0, as the instruction set has it.
static void defineDivision(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value divisor = op->getOperand(1);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(divisor.getType(), 0));
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, divisor, zero);
  op->setOperand(1, makeSafeDivisor(builder, op));
  // A remainder of the division by one is 0 already.
  if (!isa<arith::RemSIOp, arith::RemUIOp>(op))
    selectZero(builder, op, isZero);
}

/// Makes shifts by the bit width or more what the instruction set says: everything is shifted out.
/// A negative amount counts as 0 for the arithmetic shift, and as too large for the others.
static void defineShift(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value amount = op->getOperand(1);
  unsigned width = amount.getType().isIndex() ? 64 : amount.getType().getIntOrFloatBitWidth();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(amount.getType(), APInt(width, value)));
  };
  if (isa<arith::ShRSIOp>(op)) {
    Value least = arith::MaxSIOp::create(builder, loc, amount, constant(0));
    op->setOperand(1, arith::MinSIOp::create(builder, loc, least, constant(width - 1)));
    return;
  }
  Value isOut =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, amount, constant(width - 1));
  op->setOperand(1, arith::SelectOp::create(builder, loc, isOut, constant(0), amount));
  selectZero(builder, op, isOut);
}

/// Makes a conversion to an integer saturate and NaN 0, as the instruction set has it.
static void defineConversion(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value input = op->getOperand(0), result = op->getResult(0);
  bool isSigned = isa<arith::FPToSIOp>(op);
  unsigned width = result.getType().getIntOrFloatBitWidth();
  // f32 has all powers of two that bound integers, f16 does not.
  if (input.getType().getIntOrFloatBitWidth() < 32)
    input = arith::ExtFOp::create(builder, loc, builder.getF32Type(), input);
  auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    Value constant =
        arith::ConstantOp::create(builder, loc, builder.getFloatAttr(input.getType(), bound));
    return arith::CmpFOp::create(builder, loc, predicate, input, constant);
  };
  auto integer = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(result.getType(), value));
  };
  // What rounds toward zero to an integer of the type lies between these; NaN does not.
  double high = std::ldexp(1.0, isSigned ? width - 1 : width), low = isSigned ? -high : 0.0;
  Value isHigh = compare(arith::CmpFPredicate::OGE, high);
  Value isLow = compare(arith::CmpFPredicate::OLT, low);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, input, input);
  Value isOut =
      arith::OrIOp::create(builder, loc, isNaN, arith::OrIOp::create(builder, loc, isHigh, isLow));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(input.getType(), 0.0));
  op->setOperand(0, arith::SelectOp::create(builder, loc, isOut, zero, input));

  builder.setInsertionPointAfter(op);
  APInt most = isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width);
  Value orLeast = arith::SelectOp::create(builder, loc, isLow, integer(least), result);
  Value defined = arith::SelectOp::create(builder, loc, isHigh, integer(most), orLeast);
  result.replaceAllUsesExcept(defined, orLeast.getDefiningOp());
}

/// Whether `op` works on scalars and its second operand may be one for which it is undefined.
static bool mayBeUndefined(Operation *op) {
  if (isa<ShapedType>(op->getResult(0).getType()))
    return false;
  APInt amount;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&amount)))
    return true;
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return amount.uge(amount.getBitWidth());
  return amount.isZero() || amount.isAllOnes();
}

/// Makes 0 to a negative power, which is a quotient by zero, 0.
static void definePower(OpBuilder &builder, math::IPowIOp op) {
  Location loc = op.getLoc();
  Value base = op.getLhs(), exponent = op.getRhs();
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, base,
                                       constant(base.getType(), 0));
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, exponent,
                                           constant(exponent.getType(), 0));
  Value divides = arith::AndIOp::create(builder, loc, isZero, isNegative);
  op.getRhsMutable().assign(
      arith::SelectOp::create(builder, loc, divides, constant(exponent.getType(), 0), exponent));
  selectZero(builder, op, divides);
}

/// Replaces an op of the index dialect by the same op of arith.
template <typename Arith>
static Operation *replaceByArith(Operation *op) {
  OpBuilder builder(op);
  auto same = Arith::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1));
  op->replaceAllUsesWith(same);
  op->erase();
  return same;
}

static Operation *replaceByArith(Operation *op) {
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case([](index::DivSOp op) { return replaceByArith<arith::DivSIOp>(op); })
      .Case([](index::DivUOp op) { return replaceByArith<arith::DivUIOp>(op); })
      .Case([](index::CeilDivSOp op) { return replaceByArith<arith::CeilDivSIOp>(op); })
      .Case([](index::CeilDivUOp op) { return replaceByArith<arith::CeilDivUIOp>(op); })
      .Case([](index::FloorDivSOp op) { return replaceByArith<arith::FloorDivSIOp>(op); })
      .Case([](index::RemSOp op) { return replaceByArith<arith::RemSIOp>(op); })
      .Case([](index::RemUOp op) { return replaceByArith<arith::RemUIOp>(op); })
      .Case([](index::ShlOp op) { return replaceByArith<arith::ShLIOp>(op); })
      .Case([](index::ShrSOp op) { return replaceByArith<arith::ShRSIOp>(op); })
      .Case([](index::ShrUOp op) { return replaceByArith<arith::ShRUIOp>(op); })
      .Default(op);
}

/// Drops what `op` promises of its operands, and permissions to round otherwise.
static void dropFlags(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(context, arith::IntegerOverflowFlags::none));
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(flags.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto op) { op.setIsExact(false); });
}

namespace {
struct DefineUndefined : npu::host::impl::DefineUndefinedBase<DefineUndefined> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      op = replaceByArith(op);
      dropFlags(op);
      OpBuilder builder(op);
      if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp,
              arith::CeilDivSIOp, arith::CeilDivUIOp>(op)) {
        if (mayBeUndefined(op))
          defineDivision(builder, op);
      } else if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
        if (mayBeUndefined(op))
          defineShift(builder, op);
      } else if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
        if (!isa<ShapedType>(op->getResult(0).getType()))
          defineConversion(builder, op);
      } else if (auto power = dyn_cast<math::IPowIOp>(op)) {
        if (!isa<ShapedType>(power.getType()))
          definePower(builder, power);
      }
    });
  }
};
} // namespace
