//===- MathErrors.cpp - allowed differences of elementary functions -------===//

#include "MathErrors.h"

#include "NPU/HostReference/HostReference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace npu::runtime;

/// ULPs in f32 between the instruction set's function (docs/isa-math.md) and glibc's, each within
/// its own error of the exact result; 0 for ops that both sides round correctly.
static double getMathUlps(Operation *op) {
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case([](math::ExpOp) { return 0.99 + 1; })
      .Case([](math::LogOp) { return 0.83 + 1; })
      .Case([](math::TanhOp) { return 1.34 + 2; })
      .Case([](math::ErfOp) { return 1.19 + 1; })
      .Case([](math::RsqrtOp) { return 0.51 + 1.50; })
      .Case([](math::Exp2Op) { return 0.99 + 1; })
      .Case<math::SinOp, math::CosOp>([](auto) { return 1.03 + 1; })
      // Of several steps, npu-expand-scalar-ops.
      .Case<math::Log1pOp, math::ExpM1Op, math::TanOp, math::AtanOp, math::AsinOp, math::AcosOp>(
          [](auto) { return 3.00 + 1; })
      .Case<math::Log2Op, math::Log10Op>([](auto) { return 3.00 + 1; })
      .Case([](math::ErfcOp) { return 10.00 + 1; })
      // As products, each of which rounds, on both sides.
      .Case([](math::FPowIOp power) {
        APInt exponent;
        bool isKnown = matchPattern(power.getRhs(), m_ConstantInt(&exponent));
        return isKnown ? std::abs(exponent.roundToDouble(/*isSigned=*/true)) : 0.0;
      })
      .Case<math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp, math::AtanhOp>(
          [](auto) { return 3.00 + 2; })
      // By a constant: two products, or a root, or a quotient.
      .Case([](math::PowFOp) { return 2.00 + 1; })
      .Default(0.0);
}

bool npu::runtime::hasMathErrors(func::FuncOp func) {
  // linalg's named aggregates have no body; the softmax is made of exponentials.
  return func
      .walk([](Operation *op) {
        bool hasError = getMathUlps(op) != 0 || isa<linalg::SoftmaxOp>(op);
        return hasError ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool npu::runtime::isInexact(func::FuncOp func) {
  auto addsFloats = [](linalg::LinalgOp op) {
    bool isReduction =
        op.getNumReductionLoops() > 0 && llvm::any_of(op->getOperandTypes(), [](Type type) {
          return isa<FloatType>(getElementTypeOrSelf(type));
        });
    return isReduction ? WalkResult::interrupt() : WalkResult::advance();
  };
  return hasMathErrors(func) || func.walk(addsFloats).wasInterrupted();
}

/// Largest difference between the two results of `op`, relative to them.
static double getRelativeError(Operation *op) {
  auto type = cast<FloatType>(op->getResult(0).getType());
  double ulp = std::ldexp(1.0, 1 - int(type.getFPMantissaWidth()));
  // A narrow result is that of f32 rounded once more, where neighbors may be reached; the host
  // rounds rsqrt's square root to the narrow type too.
  bool isNarrow = type.getWidth() < 32;
  return ulp * (isNarrow ? (isa<math::RsqrtOp>(op) ? 2 : 1) : getMathUlps(op));
}

/// Moves the result of `op` by `amount` times its magnitude.
static void moveResult(Operation *op, Value amount) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : result.getUses())
    uses.push_back(&use);
  auto type = cast<FloatType>(result.getType());
  Type f64 = b.getF64Type();
  auto constant = [&](const APFloat &number) -> Value {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(number.convertToDouble()));
  };
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  Value wide = type.isF64() ? result : Value(arith::ExtFOp::create(b, loc, f64, result));
  Value magnitude = math::AbsFOp::create(b, loc, wide);
  magnitude = arith::MaxNumFOp::create(b, loc, magnitude,
                                       constant(APFloat::getSmallestNormalized(semantics)));
  // An infinite result stays where it is, also when the amount is 0.
  magnitude = arith::MinNumFOp::create(b, loc, magnitude, constant(APFloat::getLargest(semantics)));
  Value distance = arith::MulFOp::create(b, loc, amount, magnitude);
  Value moved = arith::AddFOp::create(b, loc, wide, distance);
  if (!type.isF64())
    moved = arith::TruncFOp::create(b, loc, type, moved);
  for (OpOperand *use : uses)
    use->set(moved);
}

/// Perturbs the elementary functions in one body; every one is an input more.
static void perturbBody(func::FuncOp func, linalg::GenericOp op, ArrayRef<Operation *> functions,
                        SmallVectorImpl<MathError> &errors) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // One number per iteration, unless a reduction makes them too many.
  double numIterations = 1;
  for (int64_t range : ranges)
    numIterations *= double(range);
  constexpr double maxIterations = 1 << 27;
  bool isPerIteration = numIterations <= maxIterations;
  SmallVector<int64_t> shape = isPerIteration ? ranges : SmallVector<int64_t>();
  AffineMap map = isPerIteration ? builder.getMultiDimIdentityMap(ranges.size())
                                 : AffineMap::get(ranges.size(), 0, builder.getContext());

  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Type type = RankedTensorType::get(shape, builder.getF64Type());
  for (Operation *function : functions) {
    unsigned position = inputs.size();
    inputs.push_back(func.getBody().addArgument(type, loc));
    maps.insert(maps.begin() + position, map);
    Value amount = op.getBody()->insertArgument(position, builder.getF64Type(), loc);
    moveResult(function, amount);
    errors.push_back({shape, getRelativeError(function)});
  }
  auto moved = linalg::GenericOp::create(builder, loc, op.getResultTypes(), inputs, op.getOutputs(),
                                         maps, op.getIteratorTypesArray());
  moved.getRegion().takeBody(op.getRegion());
  op.replaceAllUsesWith(moved.getResults());
  op.erase();
}

llvm::SmallVector<MathError> npu::runtime::perturbMath(func::FuncOp func) {
  SmallVector<MathError> errors;
  for (auto op : llvm::to_vector(func.getOps<linalg::GenericOp>())) {
    SmallVector<Operation *> functions;
    for (Operation &inner : op.getBody()->without_terminator())
      if (auto type = dyn_cast_if_present<FloatType>(
              getMathUlps(&inner) != 0 ? inner.getResult(0).getType() : Type());
          type && type.getWidth() <= 64) // as errors are computed in f64
        functions.push_back(&inner);
    if (!functions.empty() && llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic))
      perturbBody(func, op, functions, errors);
  }
  return errors;
}
