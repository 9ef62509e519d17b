//===- NPUPositionOps.cpp - what indices decide ---------------------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;

LogicalResult IotaOp::verify() {
  auto type = cast<ShapedType>(getOutput().getType());
  Type element = type.getElementType();
  if (!element.isSignlessInteger() || element.isSignlessInteger(1))
    return emitOpError("expected elements of i8, i16 or i32 but found ") << element;
  auto isNarrow = [](int64_t value) { return llvm::isInt<32>(value); };
  if (int64_t(getSteps().size()) != type.getRank() || !llvm::all_of(getSteps(), isNarrow))
    return emitOpError("expected ")
           << type.getRank() << " steps of i32 but found " << getStepsAttr();
  if (!isNarrow(getStart()))
    return emitOpError("expected 'start' of i32 but found ") << int64_t(getStart());
  if (getOrigin() && !hasBufferForm())
    return emitOpError("expected no 'origin' on tensors; use 'start'");
  if (std::optional<ArrayRef<int64_t>> tile = getTile())
    if (int64_t(tile->size()) != type.getRank() ||
        llvm::any_of(*tile, [](int64_t size) { return size < 0; }))
      return emitOpError("expected ")
             << type.getRank() << " tile sizes that are not negative but found " << getTileAttr();
  return npu::detail::verifyComputeOp(*this);
}

void IotaOp::build(OpBuilder &builder, OperationState &state, Value output,
                   ArrayRef<int64_t> steps) {
  build(builder, state, getDestinationResultTypes(output), output, ValueRange(), Value(),
        builder.getDenseI64ArrayAttr(steps), builder.getI64IntegerAttr(0),
        /*tile=*/DenseI64ArrayAttr(),
        /*stage=*/StringAttr());
}

SmallVector<utils::IteratorType> IotaOp::getIteratorTypes() {
  return npu::detail::getElementwiseIteratorTypes(*this);
}
SmallVector<AffineMap> IotaOp::getIndexingMapsArray() {
  return {Builder(getContext()).getMultiDimIdentityMap(getSteps().size())};
}
Engine IotaOp::getEngine() { return Engine::Vpu; }
bool IotaOp::mayOverwriteOperand() { return false; }

SmallVector<int64_t> IotaOp::getTileSizes() {
  return npu::detail::getElementwiseTileSizes(*this, getTileAttr());
}
void IotaOp::setTileSizes(ArrayRef<int64_t> sizes) {
  setTileAttr(DenseI64ArrayAttr::get(getContext(), sizes));
}
SmallVector<tile::Dim> IotaOp::getTileDims(const TargetDesc &target) {
  return npu::detail::getElementwiseTileDims(*this, target);
}

TileWork IotaOp::getTileWork() {
  TileWork work;
  work.passes = isa::VpuIota::passes;
  return work;
}

Operation *IotaOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  ArrayRef<unsigned> domain = operands.dims.back();
  // Dimensions that no tile spans count, too.
  SmallVector<Value> offsets;
  AffineExpr sum = builder.getAffineConstantExpr(0);
  for (auto [dim, step] : llvm::enumerate(getSteps())) {
    if (step == 0)
      continue;
    sum = sum + builder.getAffineDimExpr(offsets.size()) * step;
    offsets.push_back(operands.getOffset(dim));
  }
  Value origin;
  if (!offsets.empty())
    origin = affine::AffineApplyOp::create(builder, getLoc(),
                                           AffineMap::get(offsets.size(), 0, sum), offsets);
  auto steps = llvm::map_to_vector(domain, [&](unsigned dim) { return getSteps()[dim]; });
  return IotaOp::create(builder, getLoc(), TypeRange(), operands.buffers.back(),
                        npu::detail::getTileExtents(operands, domain), origin,
                        builder.getDenseI64ArrayAttr(steps), getStartAttr(),
                        /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr());
}

LogicalResult IotaOp::verifyOnTile() { return npu::detail::verifyElementwiseOnTile(*this); }

void IotaOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  npu::detail::getComputeEffects(*this, effects);
}

/// A constant is loaded once, but is part of the program.
static constexpr int64_t kMaxConstant = 1 << 20;

Value npu::createPositions(OpBuilder &builder, Location loc, int64_t length, IntegerType type) {
  auto tensorType = RankedTensorType::get(length, type);
  if (length > kMaxConstant) {
    Value empty = tensor::EmptyOp::create(builder, loc, tensorType.getShape(), type);
    return IotaOp::create(builder, loc, empty, ArrayRef<int64_t>(1))->getResult(0);
  }
  SmallVector<APInt> positions;
  for (int64_t i = 0; i < length; ++i)
    positions.push_back(APInt(64, i).zextOrTrunc(type.getWidth()));
  return arith::ConstantOp::create(builder, loc, DenseIntElementsAttr::get(tensorType, positions));
}
