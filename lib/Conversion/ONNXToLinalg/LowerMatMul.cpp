//===- LowerMatMul.cpp - products of matrices and of tensors --------------===//

#include "Arithmetic.h"

#include "NPU/Dialect/ONNX/Specs/Einsum.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerMatMul(Lowering &b) {
  b.setResult(createMatMul(b, b.getInput(0), b.getInput(1), b.getResultType().getElementType()));
}

void npu::onnx_ir::lowerGemm(Lowering &b) {
  Node &node = b.getNode();
  Type type = b.getResultType().getElementType();
  enum { Row, Column, Inner };
  SmallVector<int64_t> left{Row, Inner}, right{Inner, Column};
  if (node.getInt("transA", 0))
    std::swap(left[0], left[1]);
  if (node.getInt("transB", 0))
    std::swap(right[0], right[1]);
  Value product = contract(b, b.getInput(0), left, b.getInput(1), right, {Row, Column}, type);
  double alpha = node.getFloat("alpha", 1), beta = node.getFloat("beta", 1);
  SmallVector<Value> operands{product};
  if (node.hasInput(2) && beta != 0)
    operands.push_back(b.getInput(2));
  if (operands.size() == 1 && alpha == 1)
    return b.setResult(product);
  // Several steps are rounded once.
  bool isNarrow = isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow && (alpha != 1 || beta != 1) ? Type(b.getF32Type()) : type;
  auto scale = [&](Lowering &b, Value element, double factor) {
    element = wide == type ? element : castFloat(b, element, wide);
    return factor == 1 ? element : multiply(b, element, b.scalar(wide, factor));
  };
  b.setResult(b.elementwise(b.getShape(product), type, operands, [&](Lowering &b, ValueRange x) {
    Value result = scale(b, x[0], alpha);
    if (x.size() > 1)
      result = add(b, result, scale(b, x[1], beta));
    return wide == type ? result : castFloat(b, result, type);
  }));
}

/// Elements of `operand` where dimensions of one name have one index, with every name in `output`;
/// the others are summed up.
static Value sumOut(Lowering &b, Value operand, ArrayRef<int64_t> names, ArrayRef<int64_t> output) {
  SmallVector<int64_t> loops(output), shape;
  for (int64_t name : names)
    if (!llvm::is_contained(loops, name))
      loops.push_back(name);
  SmallVector<unsigned> dims = llvm::map_to_vector(
      names, [&](int64_t name) -> unsigned { return llvm::find(loops, name) - loops.begin(); });
  for (int64_t name : output)
    shape.push_back(b.getShape(operand)[llvm::find(names, name) - names.begin()]);
  if (loops.size() == names.size() && output.size() == names.size())
    return b.transpose(operand, llvm::map_to_vector(output, [&](int64_t name) -> int64_t {
                         return llvm::find(names, name) - names.begin();
                       }));
  bool isSum = loops.size() != output.size();
  Type type = b.getElementType(operand);
  SmallVector<utils::IteratorType> iterators(output.size(), utils::IteratorType::parallel);
  iterators.resize(loops.size(), utils::IteratorType::reduction);
  Value init = isSum ? filled(b, shape, b.scalar(type, int64_t(0))) : b.empty(shape, type);
  SmallVector<unsigned> outputDims = llvm::to_vector(llvm::seq<unsigned>(0, output.size()));
  AffineMap outputMap =
      AffineMap::getMultiDimMapWithTargets(loops.size(), outputDims, b.getContext());
  return linalg::GenericOp::create(
             b, init.getType(), operand, init,
             ArrayRef<AffineMap>{
                 AffineMap::getMultiDimMapWithTargets(loops.size(), dims, b.getContext()),
                 outputMap},
             iterators,
             [&](OpBuilder &builder, Location, ValueRange x) {
               Lowering inner(b.getNode(), {}, builder);
               linalg::YieldOp::create(inner, isSum ? add(inner, x[0], x[1]) : x[0]);
             })
      .getResult(0);
}

void npu::onnx_ir::lowerEinsum(Lowering &b) {
  Node &node = b.getNode();
  EinsumEquation equation = *parseEinsum(node);
  auto squeeze = [&](unsigned index, SmallVector<int64_t> &names) {
    SmallVector<int64_t> shape;
    names.clear();
    for (auto [name, extent] : llvm::zip(equation.inputs[index], node.getShape(index)))
      if (extent == equation.extents[name]) {
        shape.push_back(extent);
        names.push_back(name);
      }
    return b.reshape(b.getInput(index), shape);
  };
  SmallVector<int64_t> names;
  Value result = squeeze(0, names);
  for (unsigned index = 1; index < equation.inputs.size(); ++index) {
    SmallVector<int64_t> otherNames;
    Value other = squeeze(index, otherNames);
    // What neither the other side nor what comes later has is summed up before.
    auto isUsedLater = [&](int64_t name) {
      return llvm::is_contained(equation.output, name) ||
             llvm::any_of(ArrayRef(equation.inputs).drop_front(index + 1),
                          [&](ArrayRef<int64_t> input) { return llvm::is_contained(input, name); });
    };
    auto prepare = [&](Value &operand, SmallVector<int64_t> &own, ArrayRef<int64_t> others) {
      SmallVector<int64_t> kept;
      for (int64_t name : own)
        if (!llvm::is_contained(kept, name) &&
            (llvm::is_contained(others, name) || isUsedLater(name)))
          kept.push_back(name);
      operand = sumOut(b, operand, own, kept);
      own = kept;
    };
    SmallVector<int64_t> leftNames = names;
    prepare(result, names, otherNames);
    prepare(other, otherNames, leftNames);
    SmallVector<int64_t> output;
    bool isLast = index + 1 == equation.inputs.size();
    if (isLast) {
      for (int64_t name : equation.output)
        if (llvm::is_contained(names, name) || llvm::is_contained(otherNames, name))
          output.push_back(name);
    } else {
      for (int64_t name : llvm::concat<int64_t>(names, otherNames))
        if (isUsedLater(name) && !llvm::is_contained(output, name))
          output.push_back(name);
    }
    result = contract(b, result, names, other, otherNames, output, b.getElementType(result));
    names = output;
  }
  SmallVector<int64_t> output = llvm::filter_to_vector(
      equation.output, [&](int64_t name) { return llvm::is_contained(names, name); });
  // What only unit dimensions are left of keeps its place.
  b.setResult(b.reshape(sumOut(b, result, names, output), b.getResultType().getShape()));
}
