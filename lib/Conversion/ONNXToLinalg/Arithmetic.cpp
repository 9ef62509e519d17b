//===- Arithmetic.cpp - arithmetic on tensors, and sums of products -------===//

#include "Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

Value npu::onnx_ir::castFloat(Lowering &b, Value element, Type type) {
  unsigned from = element.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(b, type, element);
  if (from > to)
    return arith::TruncFOp::create(b, type, element);
  if (element.getType() == type)
    return element;
  // f16 and bf16 are both exact in f32.
  return arith::TruncFOp::create(b, type, arith::ExtFOp::create(b, b.getF32Type(), element));
}

Value npu::onnx_ir::castFloats(Lowering &b, Value tensor, Type type) {
  if (b.getElementType(tensor) == type)
    return tensor;
  return b.elementwise(b.getShape(tensor), type, tensor,
                       [&](Lowering &b, ValueRange x) { return castFloat(b, x[0], type); });
}

Value npu::onnx_ir::lowest(Lowering &b, Type type, bool isUnsigned) {
  if (isa<FloatType>(type))
    return b.scalar(type, -std::numeric_limits<double>::infinity());
  if (isUnsigned)
    return b.scalar(type, int64_t(0));
  return b.scalar(type, llvm::minIntN(type.getIntOrFloatBitWidth()));
}

Value npu::onnx_ir::filled(Lowering &b, ArrayRef<int64_t> shape, Value scalar) {
  return linalg::FillOp::create(b, scalar, b.empty(shape, scalar.getType())).getResult(0);
}

Value npu::onnx_ir::reduceKept(Lowering &b, Value operand, ArrayRef<int64_t> axes, Value initial,
                               Lowering::Combiner combine) {
  SmallVector<int64_t> shape(b.getShape(operand));
  for (int64_t axis : axes)
    shape[axis] = 1;
  return b.reshape(b.reduce(operand, axes, initial, combine), shape);
}

/// Sums along `axes`, which stay with extent 1; in f32 for narrower floats.
static Value sumWide(Lowering &b, Value operand, ArrayRef<int64_t> axes) {
  Type type = b.getElementType(operand);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32) {
    type = b.getF32Type();
    operand = castFloats(b, operand, type);
  }
  return axes.empty() ? operand : reduceKept(b, operand, axes, b.scalar(type, int64_t(0)), add);
}

Value npu::onnx_ir::sum(Lowering &b, Value operand, ArrayRef<int64_t> axes) {
  Value sums = sumWide(b, operand, axes);
  Type type = b.getElementType(operand);
  return isa<FloatType>(type) ? castFloats(b, sums, type) : sums;
}

Value npu::onnx_ir::mean(Lowering &b, Value operand, ArrayRef<int64_t> axes) {
  double count = 1;
  for (int64_t axis : axes)
    count *= b.getShape(operand)[axis];
  Value sums = sumWide(b, operand, axes);
  Type type = b.getElementType(operand);
  return b.elementwise(b.getShape(sums), type, sums, [&](Lowering &b, ValueRange x) {
    return castFloat(b, divide(b, x[0], b.scalar(x[0].getType(), count)), type);
  });
}

Value npu::onnx_ir::variance(Lowering &b, Value operand, Value mean, ArrayRef<int64_t> axes) {
  Value squares = combine(b, operand, mean, [](Lowering &b, Value x, Value mean) {
    Value difference = subtract(b, x, mean);
    return multiply(b, difference, difference);
  });
  return npu::onnx_ir::mean(b, squares, axes);
}

Value npu::onnx_ir::combine(Lowering &b, Value lhs, Value rhs,
                            llvm::function_ref<Value(Lowering &, Value, Value)> body) {
  return b.elementwise(b.getShape(lhs), b.getElementType(lhs), {lhs, rhs},
                       [&](Lowering &b, ValueRange x) { return body(b, x[0], x[1]); });
}

Value npu::onnx_ir::multiplyAdd(Lowering &b, Value lhs, Value rhs, Value sum) {
  auto extend = [&](Value value) -> Value {
    if (value.getType() == sum.getType())
      return value;
    if (isa<FloatType>(sum.getType()))
      return arith::ExtFOp::create(b, sum.getType(), value);
    return arith::ExtSIOp::create(b, sum.getType(), value);
  };
  Value left = extend(lhs);
  return add(b, sum, multiply(b, left, extend(rhs)));
}

Value npu::onnx_ir::contract(Lowering &b, Value lhs, ArrayRef<int64_t> lhsNames, Value rhs,
                             ArrayRef<int64_t> rhsNames, ArrayRef<int64_t> output,
                             Type accumulator) {
  // Loops in the order of the output, then the sums.
  SmallVector<int64_t> loops(output);
  for (int64_t name : llvm::concat<const int64_t>(lhsNames, rhsNames))
    if (!llvm::is_contained(loops, name))
      loops.push_back(name);
  auto getMap = [&](ArrayRef<int64_t> names) {
    SmallVector<unsigned> dims = llvm::map_to_vector(
        names, [&](int64_t name) -> unsigned { return llvm::find(loops, name) - loops.begin(); });
    return AffineMap::getMultiDimMapWithTargets(loops.size(), dims, b.getContext());
  };
  SmallVector<int64_t> shape;
  for (int64_t name : output) {
    const int64_t *place = llvm::find(lhsNames, name);
    shape.push_back(place != lhsNames.end()
                        ? b.getShape(lhs)[place - lhsNames.begin()]
                        : b.getShape(rhs)[llvm::find(rhsNames, name) - rhsNames.begin()]);
  }
  SmallVector<utils::IteratorType> iterators(output.size(), utils::IteratorType::parallel);
  iterators.resize(loops.size(), utils::IteratorType::reduction);
  Value init = filled(b, shape, b.scalar(accumulator, int64_t(0)));
  return linalg::GenericOp::create(
             b, init.getType(), ValueRange{lhs, rhs}, init,
             ArrayRef<AffineMap>{getMap(lhsNames), getMap(rhsNames), getMap(output)}, iterators,
             [&](OpBuilder &builder, Location, ValueRange x) {
               Lowering inner(b.getNode(), {}, builder);
               linalg::YieldOp::create(inner, multiplyAdd(inner, x[0], x[1], x[2]));
             })
      .getResult(0);
}

Value npu::onnx_ir::createMatMul(Lowering &b, Value lhs, Value rhs, Type accumulator) {
  SmallVector<int64_t> left(b.getShape(lhs)), right(b.getShape(rhs));
  bool isLeftVector = left.size() == 1, isRightVector = right.size() == 1;
  if (isLeftVector)
    left.insert(left.begin(), 1);
  if (isRightVector)
    right.push_back(1);
  int64_t rows = left[left.size() - 2], inner = left.back(), columns = right.back();
  ArrayRef<int64_t> leftBatches = ArrayRef(left).drop_back(2);
  ArrayRef<int64_t> rightBatches = ArrayRef(right).drop_back(2);
  SmallVector<int64_t> shape = *broadcastShapes(leftBatches, rightBatches);
  // Dimensions of the result that are side by side and in the same operands become one.
  struct Run {
    bool isLeft, isRight;
    int64_t extent;
  };
  SmallVector<Run> runs;
  auto append = [&](bool isLeft, bool isRight, int64_t extent) {
    if (!runs.empty() && runs.back().isLeft == isLeft && runs.back().isRight == isRight)
      runs.back().extent *= extent;
    else
      runs.push_back({isLeft, isRight, extent});
  };
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    auto has = [&](ArrayRef<int64_t> batches) {
      size_t missing = shape.size() - batches.size();
      return dim >= missing && batches[dim - missing] == shape[dim];
    };
    if (shape[dim] != 1)
      append(has(leftBatches), has(rightBatches), shape[dim]);
  }
  append(true, false, rows);
  append(false, true, columns);
  int64_t innerName = runs.size();
  SmallVector<int64_t> leftNames, rightNames, outputNames, leftShape, rightShape;
  for (auto [name, run] : llvm::enumerate(runs)) {
    outputNames.push_back(name);
    if (run.isLeft) {
      leftNames.push_back(name);
      leftShape.push_back(run.extent);
    }
    if (name + 1 == runs.size()) {
      rightNames.push_back(innerName);
      rightShape.push_back(inner);
    }
    if (run.isRight) {
      rightNames.push_back(name);
      rightShape.push_back(run.extent);
    }
  }
  leftNames.push_back(innerName);
  leftShape.push_back(inner);
  Value product = contract(b, b.reshape(lhs, leftShape), leftNames, b.reshape(rhs, rightShape),
                           rightNames, outputNames, accumulator);
  if (!isLeftVector)
    shape.push_back(rows);
  if (!isRightVector)
    shape.push_back(columns);
  return b.reshape(product, shape);
}
