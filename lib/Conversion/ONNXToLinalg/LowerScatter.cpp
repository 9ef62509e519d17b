//===- LowerScatter.cpp - operators that write at indices -----------------===//
//
// Every element of the result goes through all updates that may apply to it, in order. So several
// updates of one element combine as in a loop over the updates, but nothing is written at a
// data-dependent index.
//
//===----------------------------------------------------------------------===//

#include "Indexing.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// An element that `update` is meant for.
static Value combineUpdates(Lowering &b, Value element, Value update) {
  StringRef reduction = b.getNode().getString("reduction", "none");
  bool isFloat = isa<FloatType>(element.getType()), isUnsigned = b.isUnsigned(0);
  if (reduction == "add")
    return isFloat ? Value(arith::AddFOp::create(b, element, update))
                   : Value(arith::AddIOp::create(b, element, update));
  if (reduction == "mul")
    return isFloat ? Value(arith::MulFOp::create(b, element, update))
                   : Value(arith::MulIOp::create(b, element, update));
  if (reduction == "max")
    return isFloat      ? Value(arith::MaximumFOp::create(b, element, update))
           : isUnsigned ? Value(arith::MaxUIOp::create(b, element, update))
                        : Value(arith::MaxSIOp::create(b, element, update));
  if (reduction == "min")
    return isFloat      ? Value(arith::MinimumFOp::create(b, element, update))
           : isUnsigned ? Value(arith::MinUIOp::create(b, element, update))
                        : Value(arith::MinSIOp::create(b, element, update));
  return update;
}

static Value isAt(Lowering &b, Value index, int64_t extent, int64_t dim) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, createIndex(b, index, extent),
                               getLoopIndex(b, dim));
}

void npu::onnx_ir::lowerScatterElements(Lowering &b) {
  Node &node = b.getNode();
  int64_t axis = getAxis(node, 0), rank = node.getRank(0);
  ArrayRef<int64_t> data = node.getShape(0);
  if (node.getInputType(1).getNumElements() == 0)
    return b.setResult(b.getInput(0));
  // The updates reach only as far as the indices do in the other dimensions.
  SmallVector<int64_t> offsets(rank, 0), sizes(node.getShape(1));
  sizes[axis] = data[axis];
  bool isPart = ArrayRef<int64_t>(sizes) != data;
  Value init = isPart ? b.slice(b.getInput(0), offsets, sizes) : b.getInput(0);
  AffineMap elements = AffineMap::getMultiDimIdentityMap(rank + 1, b.getContext()).dropResult(rank);
  SmallVector<AffineExpr> dims(elements.getResults());
  dims[axis] = b.getAffineDimExpr(rank);
  AffineMap updates = AffineMap::get(rank + 1, 0, dims, b.getContext());
  Value result = accumulate(b, {b.getInput(1), b.getInput(2)}, init, {updates, updates, elements},
                            [&](Lowering &b, ValueRange x) -> Value {
                              return arith::SelectOp::create(b, isAt(b, x[0], data[axis], axis),
                                                             combineUpdates(b, x[2], x[1]), x[2]);
                            });
  if (isPart)
    result = insert(b, result, b.getInput(0), offsets);
  b.setResult(result);
}

void npu::onnx_ir::lowerScatterND(Lowering &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> data = node.getShape(0);
  int64_t rank = data.size(), columns = node.getShape(1).back();
  int64_t rows = node.getInputType(1).getNumElements() / columns;
  if (rows == 0)
    return b.setResult(b.getInput(0));
  Value indices = b.reshape(b.getInput(1), {rows, columns});
  AffineMap elements = AffineMap::getMultiDimIdentityMap(rank + 1, b.getContext()).dropResult(rank);
  AffineMap ofRow = AffineMap::get(rank + 1, 0, b.getAffineDimExpr(rank), b.getContext());
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps(columns, ofRow);
  for (int64_t column = 0; column < columns; ++column)
    operands.push_back(b.reshape(b.slice(indices, {0, column}, {rows, 1}), rows));
  SmallVector<int64_t> shape(data.drop_front(columns));
  SmallVector<AffineExpr> dims(elements.getResults().drop_front(columns));
  shape.insert(shape.begin(), rows);
  dims.insert(dims.begin(), b.getAffineDimExpr(rank));
  operands.push_back(b.reshape(b.getInput(2), shape));
  maps.append({AffineMap::get(rank + 1, 0, dims, b.getContext()), elements});
  b.setResult(accumulate(b, operands, b.getInput(0), maps, [&](Lowering &b, ValueRange x) -> Value {
    Value element = x[columns + 1];
    Value isMeant = isAt(b, x[0], data[0], 0);
    for (int64_t column = 1; column < columns; ++column)
      isMeant = arith::AndIOp::create(b, isMeant, isAt(b, x[column], data[column], column));
    return arith::SelectOp::create(b, isMeant, combineUpdates(b, element, x[columns]), element);
  }));
}
