//===- LowerElementwise.cpp - element-wise operators of several inputs ----===//

#include "Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerIdentity(Lowering &b) { b.setResult(b.getInput(0)); }

/// For what is folded whatever its inputs are.
void npu::onnx_ir::lowerNothing(Lowering &) {}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void npu::onnx_ir::lowerAdd(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) { return add(b, x[0], x[1]); });
}

void npu::onnx_ir::lowerSub(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) { return subtract(b, x[0], x[1]); });
}

void npu::onnx_ir::lowerMul(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) { return multiply(b, x[0], x[1]); });
}

void npu::onnx_ir::lowerDiv(Lowering &b) {
  lowerElementwise(
      b, [](Lowering &b, ValueRange x) { return divide(b, x[0], x[1], b.isUnsigned(0)); });
}

/// Combines two elements.
using Step = llvm::function_ref<Value(Lowering &b, Value sofar, Value element)>;

/// Combines the elements of all inputs from left to right, in `type`, and rounds once. A model may
/// list thousands; as many are one op as a dispatch can bind with its result.
static void lowerList(Lowering &b, Type type, Step step, Lowering::Body finish = {}) {
  constexpr unsigned maxOperands = 15;
  RankedTensorType resultType = b.getResultType();
  unsigned count = b.getNode().getNumInputs();
  Value result;
  for (unsigned next = 0; next < count;) {
    SmallVector<Value> operands;
    if (result)
      operands.push_back(result);
    while (operands.size() < maxOperands && next < count)
      operands.push_back(b.getInput(next++));
    bool isLast = next == count;
    Type elementType = isLast ? resultType.getElementType() : type;
    result = b.elementwise(resultType.getShape(), elementType, operands,
                           [&](Lowering &b, ValueRange x) -> Value {
                             Value combined = convert(b, x[0], /*isUnsigned=*/false, type);
                             for (Value element : x.drop_front())
                               combined = step(b, combined, convert(b, element, false, type));
                             if (isLast && finish)
                               combined = finish(b, combined);
                             return convert(b, combined, /*isUnsigned=*/false, elementType);
                           });
  }
  b.setResult(result);
}

/// The type of sums: f32 for narrower floats.
static Type getSumType(Lowering &b) {
  Type type = b.getResultType().getElementType();
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : type;
}

void npu::onnx_ir::lowerSum(Lowering &b) { lowerList(b, getSumType(b), add); }

void npu::onnx_ir::lowerMean(Lowering &b) {
  int64_t count = b.getNode().getNumInputs();
  lowerList(b, getSumType(b), add, [&](Lowering &b, ValueRange sum) {
    return divide(b, sum[0], b.scalar(sum[0].getType(), count));
  });
}

void npu::onnx_ir::lowerMax(Lowering &b) {
  lowerList(b, b.getResultType().getElementType(), [](Lowering &b, Value lhs, Value rhs) {
    return maximum(b, lhs, rhs, b.isUnsigned(0));
  });
}

void npu::onnx_ir::lowerMin(Lowering &b) {
  lowerList(b, b.getResultType().getElementType(), [](Lowering &b, Value lhs, Value rhs) {
    return minimum(b, lhs, rhs, b.isUnsigned(0));
  });
}

/// The remainder has the sign of the dividend with fmod, of the divisor without.
void npu::onnx_ir::lowerMod(Lowering &b) {
  bool followsDividend = b.getNode().getInt("fmod", 0) != 0;
  lowerElementwise(b, [&](Lowering &b, ValueRange x) -> Value {
    if (isa<FloatType>(x[0].getType()))
      return arith::RemFOp::create(b, x[0], x[1]);
    if (b.isUnsigned(0))
      return arith::RemUIOp::create(b, x[0], x[1]);
    Value remainder = arith::RemSIOp::create(b, x[0], x[1]);
    if (followsDividend)
      return remainder;
    Value zero = b.scalar(x[0].getType(), int64_t(0));
    Value isRest = compare(b, arith::CmpIPredicate::ne, remainder, zero);
    Value signs = arith::XOrIOp::create(b, remainder, x[1]);
    Value differs = compare(b, arith::CmpIPredicate::slt, signs, zero);
    return arith::SelectOp::create(b, arith::AndIOp::create(b, isRest, differs),
                                   add(b, remainder, x[1]), remainder);
  });
}

/// The exponent if all elements have the same, which is known.
static std::optional<double> getExponent(Node &node) {
  if (!node.getConstant(1))
    return std::nullopt;
  std::optional<SmallVector<double>> floats = node.getConstantFloats(1);
  if (floats && !floats->empty() && llvm::all_equal(*floats))
    return floats->front();
  std::optional<SmallVector<int64_t>> ints = node.getConstantInts(1);
  if (ints && !ints->empty() && llvm::all_equal(*ints))
    return double(ints->front());
  return std::nullopt;
}

/// `x` to a power that takes few steps, or null.
static Value expandPower(Lowering &b, Value x, double exponent) {
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return multiply(b, x, x);
  if (exponent == 3)
    return multiply(b, multiply(b, x, x), x);
  if (!isa<FloatType>(x.getType()))
    return {};
  if (exponent == -1)
    return divide(b, b.scalar(x.getType(), 1.0), x);
  if (exponent != 0.5)
    return {};
  // A root, except for negative infinity and zero.
  Value infinity = b.scalar(x.getType(), std::numeric_limits<double>::infinity());
  Value isLowest = compare(b, arith::CmpIPredicate::eq, x, arith::NegFOp::create(b, infinity));
  Value root = math::AbsFOp::create(b, math::SqrtOp::create(b, x));
  return arith::SelectOp::create(b, isLowest, infinity, root);
}

/// Two integers: modulo 2^64, which every narrower power agrees with.
static Value raiseInteger(Lowering &b, Value base, Value exponent) {
  bool isUnsigned = b.isUnsigned(1);
  Type wide = b.getI64Type();
  Value wideBase = convert(b, base, b.isUnsigned(0), wide);
  Value wideExponent = convert(b, exponent, isUnsigned, wide);
  if (isUnsigned)
    wideExponent =
        minimum(b, wideExponent, b.scalar(wide, std::numeric_limits<int64_t>::max()), true);
  return convert(b, math::IPowIOp::create(b, wideBase, wideExponent), false, base.getType());
}

void npu::onnx_ir::lowerPow(Lowering &b) {
  std::optional<double> known = getExponent(b.getNode());
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Type type = x[0].getType(), exponentType = x[1].getType();
    if (known)
      if (Value power = expandPower(b, x[0], *known))
        return power;
    if (!isa<FloatType>(type) && !isa<FloatType>(exponentType))
      return raiseInteger(b, x[0], x[1]);
    // Integers of 32 bits and more are not exact in f32.
    Type wide = type == exponentType ? type : Type(b.getF64Type());
    Value power = math::PowFOp::create(b, convert(b, x[0], b.isUnsigned(0), wide),
                                       convert(b, x[1], b.isUnsigned(1), wide));
    return convert(b, power, /*isUnsigned=*/false, type, b.isUnsigned(0));
  });
}

//===----------------------------------------------------------------------===//
// Bits and comparisons
//===----------------------------------------------------------------------===//

template <typename Op>
static void lowerTo(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value { return Op::create(b, x[0], x[1]); });
}

void npu::onnx_ir::lowerAnd(Lowering &b) { lowerTo<arith::AndIOp>(b); }
void npu::onnx_ir::lowerOr(Lowering &b) { lowerTo<arith::OrIOp>(b); }
void npu::onnx_ir::lowerXor(Lowering &b) { lowerTo<arith::XOrIOp>(b); }

void npu::onnx_ir::lowerBitShift(Lowering &b) {
  if (b.getNode().getString("direction", "") == "LEFT")
    lowerTo<arith::ShLIOp>(b);
  else
    lowerTo<arith::ShRUIOp>(b);
}

static void lowerComparison(Lowering &b, arith::CmpIPredicate predicate) {
  lowerElementwise(b, [&](Lowering &b, ValueRange x) {
    return compare(b, predicate, x[0], x[1], b.isUnsigned(0));
  });
}

void npu::onnx_ir::lowerEqual(Lowering &b) { lowerComparison(b, arith::CmpIPredicate::eq); }
void npu::onnx_ir::lowerGreater(Lowering &b) { lowerComparison(b, arith::CmpIPredicate::sgt); }
void npu::onnx_ir::lowerGreaterOrEqual(Lowering &b) {
  lowerComparison(b, arith::CmpIPredicate::sge);
}
void npu::onnx_ir::lowerLess(Lowering &b) { lowerComparison(b, arith::CmpIPredicate::slt); }
void npu::onnx_ir::lowerLessOrEqual(Lowering &b) { lowerComparison(b, arith::CmpIPredicate::sle); }

void npu::onnx_ir::lowerWhere(Lowering &b) {
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    return arith::SelectOp::create(b, x[0], x[1], x[2]);
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

void npu::onnx_ir::lowerCast(Lowering &b) {
  RankedTensorType type = b.getResultType();
  bool isUnsigned = b.isUnsigned(0);
  bool toUnsigned = b.getNode().getOutputType(0).getElementType().isUnsignedInteger();
  if (type == b.getInput(0).getType())
    return b.setResult(b.getInput(0));
  b.setResult(b.elementwise(
      type.getShape(), type.getElementType(), b.getInput(0), [&](Lowering &b, ValueRange x) {
        return convert(b, x[0], isUnsigned, type.getElementType(), toUnsigned);
      }));
}

/// The same bits, read as another type of their width.
void npu::onnx_ir::lowerBitCast(Lowering &b) {
  RankedTensorType type = b.getResultType();
  if (type == b.getInput(0).getType())
    return b.setResult(b.getInput(0));
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), b.getInput(0),
                            [&](Lowering &b, ValueRange x) -> Value {
                              return arith::BitcastOp::create(b, type.getElementType(), x[0]);
                            }));
}
