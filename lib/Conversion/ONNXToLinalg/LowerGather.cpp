//===- LowerGather.cpp - operators that read at indices -------------------===//

#include "Indexing.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerGather(Lowering &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> data = node.getShape(0);
  int64_t axis = getAxis(node, 0), rank = data.size(), indexRank = node.getRank(1);
  RankedTensorType type = b.getResultType();
  std::optional<SmallVector<int64_t>> constant = node.getConstantInts(1);
  if (constant && constant->size() == 1) {
    SmallVector<int64_t> offsets(rank, 0), sizes(data);
    offsets[axis] = constant->front() < 0 ? constant->front() + data[axis] : constant->front();
    sizes[axis] = 1;
    return b.setResult(b.reshape(b.slice(b.getInput(0), offsets, sizes), type.getShape()));
  }
  // The indices broadcast along the dimensions behind the axis.
  SmallVector<int64_t> indexShape(node.getShape(1));
  indexShape.append(rank - axis - 1, 1);
  Value input = b.getInput(0), indices = b.reshape(b.getInput(1), indexShape);
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), indices,
                            [&](Lowering &b, ValueRange x) {
                              SmallVector<Value> all = getLoopIndices(b, type.getRank());
                              SmallVector<Value> position(ArrayRef<Value>(all).take_front(axis));
                              position.push_back(createIndex(b, x[0], data[axis]));
                              position.append(all.begin() + axis + indexRank, all.end());
                              return extract(b, input, position);
                            }));
}

void npu::onnx_ir::lowerGatherElements(Lowering &b) {
  int64_t axis = getAxis(b.getNode(), 0);
  RankedTensorType type = b.getResultType();
  Value input = b.getInput(0);
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), b.getInput(1),
                            [&](Lowering &b, ValueRange x) {
                              SmallVector<Value> position = getLoopIndices(b, type.getRank());
                              position[axis] = createIndex(b, x[0], b.getShape(input)[axis]);
                              return extract(b, input, position);
                            }));
}

void npu::onnx_ir::lowerGatherND(Lowering &b) {
  Node &node = b.getNode();
  int64_t batches = node.getInt("batch_dims", 0), columns = node.getShape(1).back();
  RankedTensorType type = b.getResultType();
  Value input = b.getInput(0), indices = b.getInput(1);
  ArrayRef<int64_t> data = node.getShape(0);
  // One operand per column, which broadcasts along what the indices leave of the data.
  SmallVector<int64_t> offsets(node.getRank(1), 0), sizes(node.getShape(1));
  sizes.back() = 1;
  SmallVector<int64_t> shape(node.getShape(1).drop_back());
  shape.append(data.size() - batches - columns, 1);
  SmallVector<Value> operands;
  for (; offsets.back() < columns; ++offsets.back())
    operands.push_back(b.reshape(b.slice(indices, offsets, sizes), shape));
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), operands,
                            [&](Lowering &b, ValueRange x) {
                              SmallVector<Value> all = getLoopIndices(b, type.getRank());
                              SmallVector<Value> position(ArrayRef<Value>(all).take_front(batches));
                              for (auto [column, element] : llvm::enumerate(x))
                                position.push_back(createIndex(b, element, data[batches + column]));
                              position.append(all.begin() + node.getRank(1) - 1, all.end());
                              return extract(b, input, position);
                            }));
}

void npu::onnx_ir::lowerCompress(Lowering &b) {
  SmallVector<int64_t> kept;
  for (auto [index, isKept] : llvm::enumerate(*b.getNode().getConstantInts(1)))
    if (isKept)
      kept.push_back(index);
  Value input = b.getInput(0);
  if (!b.getNode().hasAttribute("axis"))
    input = b.reshape(input, b.getNode().getInputType(0).getNumElements());
  SmallVector<SmallVector<int64_t>> tables(b.getShape(input).size());
  tables[getAxis(b.getNode(), 0)] = kept;
  b.setResult(take(b, input, tables));
}

void npu::onnx_ir::lowerReverseSequence(Lowering &b) {
  int64_t timeAxis = b.getNode().getInt("time_axis", 0);
  RankedTensorType type = b.getResultType();
  Value input = b.getInput(0);
  SmallVector<int64_t> lengthShape(type.getRank(), 1);
  lengthShape[1 - timeAxis] = type.getDimSize(1 - timeAxis);
  Value lengths = b.reshape(b.getInput(1), lengthShape);
  b.setResult(b.elementwise(
      type.getShape(), type.getElementType(), lengths, [&](Lowering &b, ValueRange x) {
        SmallVector<Value> position = getLoopIndices(b, type.getRank());
        Value length = arith::IndexCastOp::create(b, b.getIndexType(), x[0]);
        Value last = arith::SubIOp::create(b, length, b.scalar(b.getIndexType(), int64_t(1)));
        Value &time = position[timeAxis];
        Value isReversed = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, time, length);
        time = arith::SelectOp::create(b, isReversed, arith::SubIOp::create(b, last, time), time);
        return extract(b, input, position);
      }));
}

void npu::onnx_ir::lowerOneHot(Lowering &b) {
  Node &node = b.getNode();
  RankedTensorType type = b.getResultType();
  int64_t axis = node.getInt("axis", -1);
  axis = axis < 0 ? axis + type.getRank() : axis;
  int64_t depth = type.getDimSize(axis);
  SmallVector<int64_t> shape(node.getShape(0));
  shape.insert(shape.begin() + axis, 1);
  Value indices = b.reshape(b.getInput(0), shape);
  Value off = b.slice(b.getInput(2), int64_t(0), int64_t(1));
  Value on = b.slice(b.getInput(2), int64_t(1), int64_t(1));
  bool isUnsigned = b.isUnsigned(0);
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), {indices, off, on},
                            [&](Lowering &b, ValueRange x) -> Value {
                              Value index = x[0];
                              Type wide = b.getI64Type();
                              if (isa<FloatType>(index.getType()))
                                index = arith::FPToSIOp::create(b, wide, index);
                              else if (index.getType() != wide && isUnsigned)
                                index = arith::ExtUIOp::create(b, wide, index);
                              else if (index.getType() != wide)
                                index = arith::ExtSIOp::create(b, wide, index);
                              Value isOn = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                                                 createIndex(b, index, depth),
                                                                 getLoopIndex(b, axis));
                              return arith::SelectOp::create(b, isOn, x[2], x[1]);
                            }));
}
