//===- FoldTranspositions.cpp - transpositions as layouts -----------------===//
//
// The array reads any order of dimensions and every op writes any, so a transposition in front of
// the array or behind any op costs nothing.
//
//===----------------------------------------------------------------------===//

#include "Matching.h"
#include "Patterns.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace npu;

std::optional<SmallVector<int64_t>> npu::getPermutation(linalg::LinalgOp op) {
  if (isReduction(op) || isa<linalg::FillOp>(op.getOperation()) || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || !llvm::hasSingleElement(*op.getBlock()))
    return std::nullopt;
  if (op.getBlock()->getTerminator()->getOperand(0) != op.getBlock()->getArgument(0))
    return std::nullopt;
  AffineMap from = op.getIndexingMapsArray()[0], to = op.getIndexingMapsArray()[1];
  if (!from.isPermutation() || !to.isPermutation())
    return std::nullopt;
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : to.getResults())
    permutation.push_back(*from.getResultPosition(expr));
  return permutation;
}

static std::string permute(StringRef layout, ArrayRef<int64_t> permutation) {
  std::string result;
  for (int64_t position : permutation)
    result.push_back(layout[position]);
  return result;
}

void npu::foldTransposedOperand(ArrayOperand &operand) {
  while (auto op = operand.value.getDefiningOp<linalg::LinalgOp>()) {
    if (!operand.value.hasOneUse())
      return;
    std::optional<SmallVector<int64_t>> permutation = getPermutation(op);
    if (!permutation)
      return;
    operand.letters = permute(operand.letters, invertPermutationVector(*permutation));
    operand.value = op.getDpsInputs()[0];
  }
}

/// The layout or map of `op`'s destination, permuted.
static void permuteDestination(NPUComputeOpInterface op, ArrayRef<int64_t> permutation) {
  if (auto matmul = dyn_cast<MatmulOp>(op.getOperation()))
    return matmul.setLayoutC(permute(matmul.getLayoutC(), permutation));
  if (auto conv = dyn_cast<ConvOp>(op.getOperation()))
    return conv.setLayoutOutput(permute(conv.getLayoutOutput(), permutation));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  ArrayRef<AffineExpr> exprs = maps.back().getResults();
  SmallVector<AffineExpr> permuted = applyPermutation(exprs, permutation);
  maps.back() = AffineMap::get(maps.back().getNumDims(), 0, permuted, op.getContext());
  op->setAttr("indexing_maps", Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

Value npu::createPermuted(OpBuilder &builder, Value value, ArrayRef<int64_t> permutation) {
  auto op = value.getDefiningOp<NPUComputeOpInterface>();
  if (!op)
    return {};
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), permutation);
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), shape, type.getElementType());
  SmallVector<Value> operands = llvm::to_vector(op->getOperands());
  operands[op.getDestinationOperand().getOperandNumber()] = empty;
  Operation *clone = mlir::clone(builder, op, empty.getType(), operands);
  permuteDestination(cast<NPUComputeOpInterface>(clone), permutation);
  return clone->getResult(0);
}
