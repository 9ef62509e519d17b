//===- LowerTopK.cpp - the largest or smallest elements -------------------===//

#include "Indexing.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Whether `lhs` is larger. NaN is larger than all other numbers, as where NumPy sorts it to, so
/// that there is an order of all elements.
static Value isLarger(Lowering &b, Value lhs, Value rhs) {
  if (!isa<FloatType>(lhs.getType()))
    return arith::CmpIOp::create(
        b, b.isUnsigned(0) ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, lhs, rhs);
  Value isAbove = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, lhs, rhs);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, rhs, rhs);
  return arith::AndIOp::create(b, isAbove, isNumber);
}

static Value createFilled(Lowering &b, ArrayRef<int64_t> shape, Type type) {
  Value zero = b.scalar(type, int64_t(0));
  return linalg::FillOp::create(b, zero, b.empty(shape, type)).getResult(0);
}

/// Counts, for each element, those that come before it; then each place of the result picks the
/// element of its rank. Equal elements keep their order.
void npu::onnx_ir::lowerTopK(Lowering &b) {
  Node &node = b.getNode();
  Value input = b.getInput(0);
  int64_t rank = node.getRank(0), axis = node.getInt("axis", -1);
  axis = axis < 0 ? axis + rank : axis;
  bool isLargest = node.getInt("largest", 1) != 0;
  Type i64 = b.getI64Type();
  // The last loop runs along the axis of the input, beside the loop of the result.
  AffineMap here = AffineMap::getMultiDimIdentityMap(rank + 1, b.getContext()).dropResult(rank);
  SmallVector<AffineExpr> dims(here.getResults());
  dims[axis] = b.getAffineDimExpr(rank);
  AffineMap there = AffineMap::get(rank + 1, 0, dims, b.getContext());
  auto comesBefore = [&](Lowering &b, Value lhs, Value rhs) {
    return isLargest ? isLarger(b, lhs, rhs) : isLarger(b, rhs, lhs);
  };
  Value ranks = accumulate(
      b, {input, input}, createFilled(b, node.getShape(0), i64), {here, there, here},
      [&](Lowering &b, ValueRange x) -> Value {
        Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, getLoopIndex(b, rank),
                                              getLoopIndex(b, axis));
        // Equal elements: the first one.
        Value isBefore =
            arith::SelectOp::create(b, isFirst,
                                    arith::XOrIOp::create(b, comesBefore(b, x[0], x[1]),
                                                          b.scalar(b.getI1Type(), int64_t(1))),
                                    comesBefore(b, x[1], x[0]));
        return arith::AddIOp::create(b, x[2], arith::ExtUIOp::create(b, i64, isBefore));
      });
  auto pick = [&](unsigned output, function_ref<Value(Lowering &, Value)> getPicked) {
    if (!b.hasResult(output))
      return;
    RankedTensorType type = b.getResultType(output);
    b.setResult(
        output,
        accumulate(b, {input, ranks}, createFilled(b, type.getShape(), type.getElementType()),
                   {there, there, here}, [&](Lowering &b, ValueRange x) -> Value {
                     Value place = arith::IndexCastOp::create(b, i64, getLoopIndex(b, axis));
                     Value isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x[1], place);
                     return arith::SelectOp::create(b, isHere, getPicked(b, x[0]), x[2]);
                   }));
  };
  pick(0, [](Lowering &, Value element) { return element; });
  pick(1, [&](Lowering &b, Value) -> Value {
    return arith::IndexCastOp::create(b, i64, getLoopIndex(b, rank));
  });
}
