//===- Indexing.cpp - elements at computed indices ------------------------===//

#include "Indexing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

Value npu::onnx_ir::getLoopIndex(Lowering &b, int64_t dim) {
  return linalg::IndexOp::create(b, dim);
}

SmallVector<Value> npu::onnx_ir::getLoopIndices(Lowering &b, int64_t rank) {
  return llvm::map_to_vector(llvm::seq(rank), [&](int64_t dim) { return getLoopIndex(b, dim); });
}

Value npu::onnx_ir::createIndex(Lowering &b, Value element, int64_t extent) {
  Value zero = b.scalar(element.getType(), int64_t(0));
  Value fromEnd = arith::AddIOp::create(b, element, b.scalar(element.getType(), extent));
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, element, zero);
  Value wrapped = arith::SelectOp::create(b, isNegative, fromEnd, element);
  return arith::IndexCastOp::create(b, b.getIndexType(), wrapped);
}

Value npu::onnx_ir::extract(Lowering &b, Value tensor, ValueRange indices) {
  return tensor::ExtractOp::create(b, tensor, indices);
}

Value npu::onnx_ir::createTensor(Lowering &b, ArrayRef<int64_t> shape, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(shape, b.getI64Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

Value npu::onnx_ir::createTensor(Lowering &b, ArrayRef<int64_t> shape, FloatType type,
                                 ArrayRef<double> values) {
  SmallVector<APFloat> elements = llvm::map_to_vector(values, [&](double value) {
    APFloat element(value);
    bool losesInfo;
    element.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return element;
  });
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get(shape, type), elements));
}

Value npu::onnx_ir::copy(Lowering &b, Value tensor, ArrayRef<int64_t> counts, bool ofElements) {
  if (llvm::all_of(counts, [](int64_t count) { return count == 1; }))
    return tensor;
  // Copies are a dimension of their own beside the one that they are of.
  SmallVector<int64_t> units, copies, shape;
  for (auto [extent, count] : llvm::zip(b.getShape(tensor), counts)) {
    units.append({ofElements ? extent : 1, ofElements ? 1 : extent});
    copies.append({ofElements ? extent : count, ofElements ? count : extent});
    shape.push_back(extent * count);
  }
  return b.reshape(b.broadcast(b.reshape(tensor, units), copies), shape);
}

/// Whether indices rise by the same step, at least 1, from the first one on.
static bool isSlice(ArrayRef<int64_t> table) {
  int64_t step = table.size() > 1 ? table[1] - table[0] : 1;
  for (auto [i, index] : llvm::enumerate(table))
    if (step < 1 || index != table[0] + int64_t(i) * step)
      return false;
  return true;
}

/// Whether each of `extent` elements is there equally often, in its order.
static bool isCopies(ArrayRef<int64_t> table, int64_t extent) {
  int64_t count = table.size() / extent;
  for (auto [i, index] : llvm::enumerate(table))
    if (count == 0 || index != int64_t(i) / count)
      return false;
  return true;
}

/// Takes the dimensions that need indices.
static Value gather(Lowering &b, Value tensor, ArrayRef<SmallVector<int64_t>> tables) {
  int64_t rank = tables.size();
  SmallVector<int64_t> shape(b.getShape(tensor));
  SmallVector<Value> operands;
  for (auto [dim, table] : llvm::enumerate(tables)) {
    if (table.empty())
      continue;
    shape[dim] = table.size();
    // Broadcasts along the dimensions behind.
    SmallVector<int64_t> extents(rank - dim, 1);
    extents[0] = table.size();
    operands.push_back(createTensor(b, extents, table));
  }
  if (operands.empty())
    return tensor;
  return b.elementwise(
      shape, b.getElementType(tensor), operands, [&](Lowering &b, ValueRange elements) {
        SmallVector<Value> indices = getLoopIndices(b, rank);
        for (auto [dim, table] : llvm::enumerate(tables))
          if (!table.empty()) {
            indices[dim] = arith::IndexCastOp::create(b, b.getIndexType(), elements.front());
            elements = elements.drop_front();
          }
        return extract(b, tensor, indices);
      });
}

Value npu::onnx_ir::take(Lowering &b, Value tensor, ArrayRef<SmallVector<int64_t>> tables) {
  SmallVector<int64_t> offsets(tables.size(), 0), sizes(b.getShape(tensor));
  SmallVector<int64_t> steps(tables.size(), 1), counts(tables.size(), 1);
  SmallVector<SmallVector<int64_t>> others(tables);
  for (auto [dim, table] : llvm::enumerate(others)) {
    if (table.empty())
      continue;
    if (isSlice(table)) {
      offsets[dim] = table[0];
      steps[dim] = table.size() > 1 ? table[1] - table[0] : 1;
      sizes[dim] = table.size();
      table.clear();
    } else if (isCopies(table, sizes[dim])) {
      counts[dim] = table.size() / sizes[dim];
      table.clear();
    }
  }
  bool isWhole = ArrayRef<int64_t>(sizes) == b.getShape(tensor);
  Value sliced = isWhole ? tensor : b.slice(tensor, offsets, sizes, steps);
  return gather(b, copy(b, sliced, counts, /*ofElements=*/true), others);
}

Value npu::onnx_ir::getConstantScalar(Lowering &b, Value tensor) {
  DenseElementsAttr value;
  if (!matchPattern(tensor, m_Constant(&value)))
    return {};
  return arith::ConstantOp::create(b, *value.value_begin<TypedAttr>());
}

Value npu::onnx_ir::insert(Lowering &b, Value tensor, Value into, ArrayRef<int64_t> offsets) {
  ArrayRef<int64_t> sizes = b.getShape(tensor);
  SmallVector<OpFoldResult> steps(sizes.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, tensor, into,
                                       getAsIndexOpFoldResult(b.getContext(), offsets),
                                       getAsIndexOpFoldResult(b.getContext(), sizes), steps);
}

Value npu::onnx_ir::accumulate(Lowering &b, Lowering::Values operands, Value init,
                               ArrayRef<AffineMap> maps, Lowering::Body body) {
  SmallVector<utils::IteratorType> iterators(maps.back().getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr index : maps.back().getResults())
    iterators[cast<AffineDimExpr>(index).getPosition()] = utils::IteratorType::parallel;
  return linalg::GenericOp::create(b, init.getType(), operands, init, maps, iterators,
                                   [&](OpBuilder &builder, Location, ValueRange elements) {
                                     Lowering inner(b.getNode(), {}, builder);
                                     linalg::YieldOp::create(inner, body(inner, elements));
                                   })
      .getResult(0);
}
