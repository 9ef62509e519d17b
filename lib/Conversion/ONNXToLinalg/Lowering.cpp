//===- Lowering.cpp - what lowerings of ONNX operators are written with ---===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

RankedTensorType npu::onnx_ir::getSignlessType(RankedTensorType type) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  if (!integer || integer.isSignless())
    return type;
  return type.clone(IntegerType::get(type.getContext(), integer.getWidth()));
}

RankedTensorType Lowering::getResultType(unsigned index) {
  return getSignlessType(node.getOutputType(index));
}

ArrayRef<int64_t> Lowering::getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

Type Lowering::getElementType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

Value Lowering::scalar(Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  return scalar(type, int64_t(value));
}

Value Lowering::scalar(Type type, int64_t value) {
  if (isa<FloatType>(type))
    return scalar(type, double(value));
  if (type.isIndex())
    return arith::ConstantIndexOp::create(*this, value);
  unsigned width = type.getIntOrFloatBitWidth();
  return arith::ConstantOp::create(
      *this, getIntegerAttr(type, APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true)));
}

Value Lowering::splat(ArrayRef<int64_t> shape, Value scalarConstant) {
  TypedAttr value = scalarConstant.getDefiningOp<arith::ConstantOp>().getValue();
  return arith::ConstantOp::create(
      *this, DenseElementsAttr::get(RankedTensorType::get(shape, value.getType()), value));
}

Value Lowering::empty(ArrayRef<int64_t> shape, Type elementType) {
  return tensor::EmptyOp::create(*this, shape, elementType);
}

Value Lowering::elementwise(ArrayRef<int64_t> shape, Type elementType, Values operands, Body body) {
  SmallVector<AffineMap> maps;
  for (Value operand : operands) {
    ArrayRef<int64_t> extents = getShape(operand);
    SmallVector<AffineExpr> indices;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      unsigned loop = shape.size() - extents.size() + dim;
      indices.push_back(extent == shape[loop] ? getAffineDimExpr(loop) : getAffineConstantExpr(0));
    }
    maps.push_back(AffineMap::get(shape.size(), 0, indices, getContext()));
  }
  maps.push_back(getMultiDimIdentityMap(shape.size()));
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  Value init = empty(shape, elementType);
  return linalg::GenericOp::create(*this, init.getType(), operands, init, maps, iterators,
                                   [&](OpBuilder &builder, Location, ValueRange elements) {
                                     Lowering inner(node, inputs, builder);
                                     linalg::YieldOp::create(inner,
                                                             body(inner, elements.drop_back()));
                                   })
      .getResult(0);
}

Value Lowering::reduce(Value operand, ArrayRef<int64_t> axes, Value initial, Combiner combine) {
  SmallVector<int64_t> shape;
  for (auto [axis, extent] : llvm::enumerate(getShape(operand)))
    if (!llvm::is_contained(axes, int64_t(axis)))
      shape.push_back(extent);
  SmallVector<int64_t> sorted(axes);
  llvm::sort(sorted);
  Value init = linalg::FillOp::create(*this, initial, empty(shape, initial.getType())).getResult(0);
  return linalg::ReduceOp::create(*this, operand, init, sorted,
                                  [&](OpBuilder &builder, Location, ValueRange elements) {
                                    Lowering inner(node, inputs, builder);
                                    linalg::YieldOp::create(
                                        inner, combine(inner, elements[0], elements[1]));
                                  })
      .getResult(0);
}

Value Lowering::reshape(Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  RankedTensorType resultType = type.clone(shape);
  if (type == resultType)
    return tensor;
  std::optional<SmallVector<ReassociationIndices>> reassociation =
      getReassociationIndicesForReshape(type, resultType);
  if (reassociation && type.getRank() > resultType.getRank())
    return tensor::CollapseShapeOp::create(*this, resultType, tensor, *reassociation);
  if (reassociation && type.getRank() < resultType.getRank())
    return tensor::ExpandShapeOp::create(*this, resultType, tensor, *reassociation);
  // Through one dimension. Tensors without elements cannot be expanded from it.
  if (resultType.getNumElements() == 0)
    return empty(shape, type.getElementType());
  RankedTensorType flat = type.clone({type.getNumElements()});
  return reshape(reshape(tensor, flat.getShape()), shape);
}

Value Lowering::transpose(Value tensor, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return tensor;
  SmallVector<int64_t> shape =
      llvm::map_to_vector(permutation, [&](int64_t dim) { return getShape(tensor)[dim]; });
  Value init = empty(shape, getElementType(tensor));
  return linalg::TransposeOp::create(*this, tensor, init, permutation).getResult()[0];
}

Value Lowering::broadcast(Value tensor, ArrayRef<int64_t> shape) {
  if (getShape(tensor) == shape)
    return tensor;
  return elementwise(shape, getElementType(tensor), tensor,
                     [](Lowering &, ValueRange elements) { return elements[0]; });
}

Value Lowering::pad(Value tensor, ArrayRef<int64_t> low, ArrayRef<int64_t> high, Value value) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return tensor;
  SmallVector<int64_t> shape(getShape(tensor));
  for (auto [extent, before, behind] : llvm::zip(shape, low, high))
    extent += before + behind;
  SmallVector<OpFoldResult> lowAttrs = getAsIndexOpFoldResult(getContext(), low);
  SmallVector<OpFoldResult> highAttrs = getAsIndexOpFoldResult(getContext(), high);
  if (isa<RankedTensorType>(value.getType())) {
    SmallVector<OpFoldResult> ones(shape.size(), getIndexAttr(1));
    return tensor::InsertSliceOp::create(*this, tensor, broadcast(value, shape), lowAttrs,
                                         getAsIndexOpFoldResult(getContext(), getShape(tensor)),
                                         ones);
  }
  return tensor::PadOp::create(*this, RankedTensorType::get(shape, getElementType(tensor)), tensor,
                               lowAttrs, highAttrs, value);
}

Value Lowering::slice(Value tensor, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                      ArrayRef<int64_t> strides) {
  SmallVector<int64_t> steps(strides);
  if (steps.empty())
    steps.assign(sizes.size(), 1);
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(getContext(), values);
  };
  return tensor::ExtractSliceOp::create(*this, tensor, attributes(offsets), attributes(sizes),
                                        attributes(steps));
}
