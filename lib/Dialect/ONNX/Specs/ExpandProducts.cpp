//===- ExpandProducts.cpp - fused and quantized products ------------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// `operand` as MatMul takes it: with `isBatch`, its first dimension goes behind the others but the
/// last; with `isTransposed`, the last two change places after that.
static Value arrange(Expansion &b, unsigned index, bool isTransposed, bool isBatch) {
  Value operand = b.input(index);
  int64_t rank = b.getNode().getRank(index);
  if (rank < 2 || (!isTransposed && !isBatch))
    return operand;
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (isBatch)
    std::rotate(permutation.begin(), permutation.begin() + 1, permutation.end() - 1);
  if (isTransposed)
    std::swap(permutation[rank - 1], permutation[rank - 2]);
  return b.transpose(operand, permutation);
}

LogicalResult npu::onnx_ir::expandFusedMatMul(Expansion &b) {
  Node &node = b.getNode();
  auto has = [&](StringRef name) { return node.getInt(name, 0) != 0; };
  Value product = b.op("MatMul", {arrange(b, 0, has("transA"), has("transBatchA")),
                                  arrange(b, 1, has("transB"), has("transBatchB"))});
  if (double alpha = node.getFloat("alpha", 1); alpha != 1)
    product = b.op("Mul", {product, b.constant(node.getElementType(0), {}, alpha)});
  b.setResult(0, product);
  return success();
}

/// A product of integers as f32: times both scales, plus a bias that may be left out.
static Value scaleProduct(Expansion &b, Value product, Value lhsScale, Value rhsScale, Value bias) {
  Value result = b.op("Mul", {b.cast(product, b.getF32Type()), b.op("Mul", {lhsScale, rhsScale})});
  return bias ? b.op("Add", {result, bias}) : result;
}

LogicalResult npu::onnx_ir::expandMatMulIntegerToFloat(Expansion &b) {
  Value product = b.op("MatMulInteger", {b.input(0), b.input(1), b.input(4), b.input(5)});
  b.setResult(0, scaleProduct(b, product, b.input(2), b.input(3), b.input(6)));
  return success();
}

LogicalResult npu::onnx_ir::expandDynamicQuantizeMatMul(Expansion &b) {
  ResultRange lhs = b.ops("DynamicQuantizeLinear", {b.input(0)}, 3);
  Value product = b.op("MatMulInteger", {lhs[0], b.input(1), lhs[2], b.input(3)});
  b.setResult(0, scaleProduct(b, product, lhs[1], b.input(2), b.input(4)));
  return success();
}

/// A, B and C with their scales and zero points; the sums are quantized if there is a scale for
/// them.
LogicalResult npu::onnx_ir::expandQGemm(Expansion &b) {
  Node &node = b.getNode();
  if (node.getRank(0) != 2 || node.getRank(3) != 2)
    return node.reject() << "expected two matrices, found " << node.getInputType(0) << " and "
                         << node.getInputType(3);
  bool isTransposed = node.getInt("transB", 0) != 0;
  Value lhs = arrange(b, 0, node.getInt("transA", 0) != 0, /*isBatch=*/false);
  Value rhs = arrange(b, 3, isTransposed, /*isBatch=*/false), lhsScale = b.input(1);
  Value bias = b.input(6);
  int64_t columns = node.getShape(3)[isTransposed ? 0 : 1];
  if (bias && node.getInputType(6).getNumElements() != columns)
    return node.reject() << "expected " << columns << " elements of C, one for each column, found "
                         << node.getInputType(6);
  if (bias && node.getRank(6) != 1)
    bias = b.reshape(bias, {columns});
  if (double alpha = node.getFloat("alpha", 1); alpha != 1)
    lhsScale = b.op("Mul", {lhsScale, b.constant(b.getF32Type(), {}, alpha)});
  if (!b.input(7)) {
    Value sums = b.op("MatMulInteger", {lhs, rhs, b.input(2), b.input(5)});
    if (bias)
      sums = b.op("Add", {sums, bias});
    b.setResult(0, scaleProduct(b, sums, lhsScale, b.input(4), {}));
    return success();
  }
  Value zero = b.input(8) ? b.input(8) : b.constant(node.getElementType(0), {}, 0);
  SmallVector<Value> operands{lhs,        lhsScale,   b.input(2), rhs,
                              b.input(4), b.input(5), b.input(7), zero};
  if (bias)
    operands.push_back(bias);
  Value result = b.op("QLinearMatMul", operands);
  if (bias)
    result.getDefiningOp()->setAttr(foldedBiasAttrName, b.getUnitAttr());
  b.setResult(0, result);
  return success();
}

/// Fields of `bits` bits of the bytes `value`, whose last dimension has `bytes` of them, lowest
/// first, along the last dimension.
static Value unpack(Expansion &b, Value value, ArrayRef<int64_t> shape, int64_t bits) {
  if (bits == 8)
    return value;
  int64_t perByte = 8 / bits;
  auto byte = IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  SmallVector<int64_t> wide(shape), flat(shape);
  wide.push_back(1);
  flat.back() *= perByte;
  SmallVector<double> amounts;
  for (int64_t field = 0; field < perByte; ++field)
    amounts.push_back(field * bits);
  // Each byte is shifted by all amounts, in one op.
  Value shifted = b.op("BitShift", {b.reshape(value, wide), b.numbers(byte, {perByte}, amounts)},
                       {b.string("direction", "RIGHT")});
  Value fields = b.op("BitwiseAnd", {shifted, b.constant(byte, {}, (1 << bits) - 1)});
  return b.reshape(fields, flat);
}

/// Rows of numbers of `bits` bits in input `index`, of bytes. Constants become bytes here, which
/// are few beside what they are the zero points of: fields would be one more op in the kernel's
/// loops.
static Value unpackRows(Expansion &b, unsigned index, ArrayRef<int64_t> shape, int64_t bits) {
  Node &node = b.getNode();
  if (bits == 8)
    return b.reshape(b.input(index), shape);
  auto type = RankedTensorType::get(shape, node.getElementType(index));
  if (ElementsAttr packed = node.getConstant(index))
    if (ElementsAttr bytes = unpackConstant(packed, type, shape[0], bits))
      return ConstantOp::create(b, bytes);
  SmallVector<int64_t> packedShape{shape[0], int64_t(llvm::divideCeil(shape[1] * bits, 8))};
  Value fields = unpack(b, b.reshape(b.input(index), packedShape), packedShape, bits);
  return b.slice(fields, 1, 0, shape[1]);
}

/// `value` as numbers of type `type`; constants keep the bytes that they have.
static Value castOnChip(Expansion &b, Value value, Type type) {
  Value numbers = b.cast(value, type);
  numbers.getDefiningOp()->setAttr(keptAttrName, b.getUnitAttr());
  return numbers;
}

/// The weights are rows of blocks, each of which has a scale and may have a zero point.
LogicalResult npu::onnx_ir::expandMatMulNBits(Expansion &b) {
  Node &node = b.getNode();
  int64_t k = node.getInt("K", 0), n = node.getInt("N", 0), bits = node.getInt("bits", 4);
  int64_t block = node.getInt("block_size", 0);
  constexpr int64_t most = int64_t(1) << 31; // so that no product of two overflows
  if (k <= 0 || n <= 0 || block <= 0 || k > most || n > most || block > most ||
      !llvm::is_contained({2, 4, 8}, bits))
    return node.reject() << "expected positive K, N and block_size and 2, 4 or 8 bits, found " << k
                         << ", " << n << ", " << block << " and " << bits;
  int64_t blocks = llvm::divideCeil(k, block), bytes = llvm::divideCeil(block * bits, 8);
  auto byte = IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  if (node.getInputType(1).getNumElements() != n * blocks * bytes || node.getElementType(1) != byte)
    return node.reject() << "expected weights of " << n << "x" << blocks << "x" << bytes
                         << " bytes, found " << node.getInputType(1);
  if (node.getInputType(2).getNumElements() != n * blocks)
    return node.reject() << "expected " << n << "x" << blocks << " scales, found "
                         << node.getInputType(2);
  if (b.input(4))
    return node.reject() << "expected no input 4: weights in another order are not supported";
  Type type = node.getElementType(0);
  Value weights = unpack(b, b.reshape(b.input(1), {n, blocks, bytes}), {n, blocks, bytes}, bits);
  Value zeroPoint = b.constant(type, {}, int64_t(1) << (bits - 1));
  if (Value zeros = b.input(3)) {
    if (node.getElementType(3) == byte) {
      int64_t perRow = llvm::divideCeil(blocks * bits, 8);
      if (node.getInputType(3).getNumElements() != n * perRow)
        return node.reject() << "expected zero points of " << n << "x" << perRow << " bytes, found "
                             << node.getInputType(3);
      zeros = castOnChip(b, unpackRows(b, 3, {n, blocks}, bits), type);
    }
    zeroPoint = b.reshape(zeros, {n, blocks, 1});
  }
  weights = b.op("Mul", {b.op("Sub", {castOnChip(b, weights, type), zeroPoint}),
                         b.cast(b.reshape(b.input(2), {n, blocks, 1}), type)});
  weights = b.slice(b.reshape(weights, {n, blocks * block}), 1, 0, k);
  Value product = b.op("MatMul", {b.input(0), b.transpose(weights, {1, 0})});
  b.setResult(0, b.input(5) ? b.op("Add", {product, b.input(5)}) : product);
  return success();
}
