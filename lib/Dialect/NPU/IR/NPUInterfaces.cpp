//===- NPUInterfaces.cpp - what the compute ops share ---------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

using namespace mlir;
using namespace npu;

SmallVector<OpOperand *> npu::detail::getDataOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (llvm::isa<ShapedType>(operand.get().getType()))
      operands.push_back(&operand);
  return operands;
}

SmallVector<int64_t> npu::detail::getStaticLoopRanges(NPUComputeOpInterface op) {
  SmallVector<int64_t> ranges(op.getIteratorTypes().size(), ShapedType::kDynamic);
  // The destination decides where operands disagree; the verifier reports that they do.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<OpOperand *> operands = op.getDataOperands();
  for (auto [operand, map] : llvm::reverse(llvm::zip_equal(operands, maps))) {
    auto type = cast<ShapedType>(operand->get().getType());
    for (auto [size, coordinate] : llvm::zip(type.getShape(), map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
        if (ShapedType::isDynamic(ranges[dim.getPosition()]))
          ranges[dim.getPosition()] = size;
  }
  return ranges;
}

SmallVector<utils::IteratorType>
npu::detail::getElementwiseIteratorTypes(NPUComputeOpInterface op) {
  auto type = cast<ShapedType>(op.getDestinationOperand().get().getType());
  return SmallVector<utils::IteratorType>(type.getRank(), utils::IteratorType::parallel);
}

SmallVector<AffineMap> npu::detail::getElementwiseIndexingMaps(Operation *op, ArrayAttr maps) {
  if (maps)
    return llvm::to_vector(maps.getAsValueRange<AffineMapAttr>());
  SmallVector<OpOperand *> operands = getDataOperands(op);
  auto type = cast<ShapedType>(operands.back()->get().getType());
  SmallVector<AffineMap> defaults(
      operands.size(), AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext()));
  auto compute = cast<NPUComputeOpInterface>(op);
  for (auto [index, operand] : llvm::enumerate(operands))
    if (compute.readsWhole(index)) {
      unsigned rank = cast<ShapedType>(operand->get().getType()).getRank();
      SmallVector<AffineExpr> zeros(rank, getAffineConstantExpr(0, op->getContext()));
      defaults[index] = AffineMap::get(type.getRank(), /*symbolCount=*/0, zeros, op->getContext());
    }
  return defaults;
}

SmallVector<int64_t> npu::detail::getElementwiseTileSizes(NPUComputeOpInterface op,
                                                          DenseI64ArrayAttr sizes) {
  if (sizes)
    return llvm::to_vector(sizes.asArrayRef());
  return SmallVector<int64_t>(op.getIteratorTypes().size(), 0);
}

void npu::detail::getComputeEffects(
    NPUComputeOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (!op.hasBufferForm())
    return;
  OpOperand &destination = op.getDestinationOperand();
  for (OpOperand *operand : op.getDataOperands())
    if (operand != &destination || op.readsDestination())
      effects.emplace_back(MemoryEffects::Read::get(), operand,
                           SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &destination,
                       SideEffects::DefaultResource::get());
  if (OpOperand *scratch = op.getScratchOperand())
    effects.emplace_back(MemoryEffects::Write::get(), scratch, SideEffects::DefaultResource::get());
}

/// Tensors or memrefs, not both; extents only on memrefs.
static LogicalResult verifyForm(NPUComputeOpInterface op) {
  bool isBuffer = op.hasBufferForm();
  for (OpOperand *operand : op.getDataOperands())
    if (llvm::isa<MemRefType>(operand->get().getType()) != isBuffer)
      return op->emitOpError("expected all data operands to be ")
             << (isBuffer ? "memrefs" : "tensors") << " like the destination but operand "
             << operand->getOperandNumber() << " is " << operand->get().getType();
  OperandRange extents = op.getTileExtents();
  if (extents.empty())
    return success();
  if (!isBuffer)
    return op->emitOpError("expected no extents on tensors but found ")
           << extents.size() << "; slice the operands instead";
  size_t numDims = op.getIteratorTypes().size();
  if (extents.size() != numDims)
    return op->emitOpError("expected one extent per iteration dimension, that is ")
           << numDims << ", but found " << extents.size();
  return success();
}

/// How a dimension of the iteration domain is called in a message: its letter or its number.
static std::string describeDim(StringRef letters, unsigned dim) {
  if (dim < letters.size())
    return ("dimension '" + Twine(letters[dim]) + "'").str();
  return ("dimension d" + Twine(dim)).str();
}

/// Operands agree on the extent of each iteration dimension.
static LogicalResult verifyShapes(NPUComputeOpInterface op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::string letters = op.getDimLetters();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [number, operand, map] : llvm::enumerate(op.getDataOperands(), maps)) {
    auto type = cast<ShapedType>(operand->get().getType());
    if (type.getRank() != map.getNumResults())
      return op->emitOpError("expected operand ") << operand->getOperandNumber() << " of rank "
                                                  << map.getNumResults() << " but found " << type;
    if (op.mayReadOutside(number))
      continue;
    for (auto [index, coordinate] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(coordinate);
      if (!dim || type.isDynamicDim(index))
        continue;
      if (type.getDimSize(index) != ranges[dim.getPosition()])
        return op->emitOpError("expected ")
               << ranges[dim.getPosition()] << " elements in "
               << describeDim(letters, dim.getPosition()) << " of operand "
               << operand->getOperandNumber() << " but found " << type.getDimSize(index);
    }
  }
  return success();
}

LogicalResult npu::detail::verifyComputeOp(NPUComputeOpInterface op) {
  if (failed(verifyForm(op)))
    return failure();
  return verifyShapes(op);
}
