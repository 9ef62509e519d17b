//===- Scalars.cpp - arithmetic on elements of tensors --------------------===//

#include "Scalars.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace npu::onnx_ir;

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

/// `FloatOp` of floats, `IntOp` of integers.
template <typename FloatOp, typename IntOp>
static Value createBinary(Lowering &b, Value lhs, Value rhs) {
  if (isFloat(lhs))
    return FloatOp::create(b, lhs, rhs);
  return IntOp::create(b, lhs, rhs);
}

Value npu::onnx_ir::add(Lowering &b, Value lhs, Value rhs) {
  return createBinary<arith::AddFOp, arith::AddIOp>(b, lhs, rhs);
}

Value npu::onnx_ir::subtract(Lowering &b, Value lhs, Value rhs) {
  return createBinary<arith::SubFOp, arith::SubIOp>(b, lhs, rhs);
}

Value npu::onnx_ir::multiply(Lowering &b, Value lhs, Value rhs) {
  return createBinary<arith::MulFOp, arith::MulIOp>(b, lhs, rhs);
}

Value npu::onnx_ir::divide(Lowering &b, Value lhs, Value rhs, bool isUnsigned) {
  return isUnsigned ? createBinary<arith::DivFOp, arith::DivUIOp>(b, lhs, rhs)
                    : createBinary<arith::DivFOp, arith::DivSIOp>(b, lhs, rhs);
}

Value npu::onnx_ir::maximum(Lowering &b, Value lhs, Value rhs, bool isUnsigned) {
  return isUnsigned ? createBinary<arith::MaximumFOp, arith::MaxUIOp>(b, lhs, rhs)
                    : createBinary<arith::MaximumFOp, arith::MaxSIOp>(b, lhs, rhs);
}

Value npu::onnx_ir::minimum(Lowering &b, Value lhs, Value rhs, bool isUnsigned) {
  return isUnsigned ? createBinary<arith::MinimumFOp, arith::MinUIOp>(b, lhs, rhs)
                    : createBinary<arith::MinimumFOp, arith::MinSIOp>(b, lhs, rhs);
}

static arith::CmpFPredicate getFloatPredicate(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return arith::CmpFPredicate::OEQ;
  case arith::CmpIPredicate::ne:
    return arith::CmpFPredicate::UNE;
  case arith::CmpIPredicate::slt:
    return arith::CmpFPredicate::OLT;
  case arith::CmpIPredicate::sle:
    return arith::CmpFPredicate::OLE;
  case arith::CmpIPredicate::sgt:
    return arith::CmpFPredicate::OGT;
  case arith::CmpIPredicate::sge:
    return arith::CmpFPredicate::OGE;
  default:
    llvm_unreachable("comparisons are named by their signed predicates");
  }
}

static arith::CmpIPredicate getUnsignedPredicate(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::ult;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::ule;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::ugt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::uge;
  default:
    return predicate;
  }
}

Value npu::onnx_ir::compare(Lowering &b, arith::CmpIPredicate predicate, Value lhs, Value rhs,
                            bool isUnsigned) {
  if (isFloat(lhs))
    return arith::CmpFOp::create(b, getFloatPredicate(predicate), lhs, rhs);
  return arith::CmpIOp::create(b, isUnsigned ? getUnsignedPredicate(predicate) : predicate, lhs,
                               rhs);
}

static Value convertFloat(Lowering &b, Value value, FloatType type) {
  auto source = cast<FloatType>(value.getType());
  if (source.getWidth() < type.getWidth())
    return arith::ExtFOp::create(b, type, value);
  if (source.getWidth() > type.getWidth())
    return arith::TruncFOp::create(b, type, value);
  // f16 and bf16 are part of f32.
  return arith::TruncFOp::create(b, type, arith::ExtFOp::create(b, b.getF32Type(), value));
}

static Value convertToInteger(Lowering &b, Value value, IntegerType type, bool toUnsigned) {
  if (!toUnsigned)
    return arith::FPToSIOp::create(b, type, value);
  // Narrow ones fit a signed type that the vector unit has.
  if (type.getWidth() < 32)
    return arith::TruncIOp::create(b, type,
                                   arith::FPToSIOp::create(b, b.getIntegerType(32), value));
  return arith::FPToUIOp::create(b, type, value);
}

static Value convertInteger(Lowering &b, Value value, bool isUnsigned, IntegerType type) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width > type.getWidth())
    return arith::TruncIOp::create(b, type, value);
  if (width == type.getWidth())
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, type, value);
  return arith::ExtSIOp::create(b, type, value);
}

Value npu::onnx_ir::convert(Lowering &b, Value value, bool isUnsigned, Type type, bool toUnsigned) {
  Type source = value.getType();
  if (source == type)
    return value;
  isUnsigned = isUnsigned || source.isInteger(1);
  if (type.isInteger(1))
    return compare(b, arith::CmpIPredicate::ne, value, b.scalar(source, int64_t(0)));
  if (auto integer = dyn_cast<IntegerType>(type))
    return isFloat(value) ? convertToInteger(b, value, integer, toUnsigned)
                          : convertInteger(b, value, isUnsigned, integer);
  if (isFloat(value))
    return convertFloat(b, value, cast<FloatType>(type));
  if (isUnsigned)
    return arith::UIToFPOp::create(b, type, value);
  return arith::SIToFPOp::create(b, type, value);
}

void npu::onnx_ir::lowerComposed(Lowering &b, Lowering::Body body) {
  Type type = b.getResultType().getElementType();
  lowerElementwise(b, [&](Lowering &b, ValueRange x) {
    SmallVector<Value> wide = llvm::map_to_vector(x, [&](Value element) {
      bool isNarrow = isFloat(element) && element.getType().getIntOrFloatBitWidth() < 32;
      return isNarrow ? convertFloat(b, element, cast<FloatType>(b.getF32Type())) : element;
    });
    return convert(b, body(b, wide), /*isUnsigned=*/false, type);
  });
}

void npu::onnx_ir::lowerElementwise(Lowering &b, Lowering::Body body) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < b.getNode().getNumInputs(); ++i)
    operands.push_back(b.getInput(i));
  RankedTensorType type = b.getResultType();
  if (b.getNode().hasAttribute("axis")) {
    int64_t axis = b.getNode().getInt("axis", 0);
    axis = axis < 0 ? axis + type.getRank() : axis;
    SmallVector<int64_t> shape(b.getShape(operands[1]));
    shape.append(type.getRank() - axis - shape.size(), 1);
    operands[1] = b.reshape(operands[1], shape);
  }
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), operands, body));
}
