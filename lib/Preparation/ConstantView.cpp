//===- ConstantView.cpp - constants that ops move the elements of ---------===//

#include "ConstantView.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

/// What a body computes of counters, as torch-mlir writes places to extract from; null where it is
/// not linear.
static AffineExpr getCounterExpr(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), value.getContext());
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(op))
    return getAffineDimExpr(index.getDim(), value.getContext());
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return {};
  AffineExpr lhs = getCounterExpr(op->getOperand(0)), rhs = getCounterExpr(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  return isa<arith::AddIOp>(op) ? lhs + rhs : lhs - rhs;
}

std::optional<Move> npu::matchMove(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
      !op.getIndexingMapsArray().back().isIdentity())
    return std::nullopt;
  Value element = op.getBlock()->getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(element)) {
    OpOperand *input = op.getMatchingOpOperand(argument);
    if (!op.isDpsInput(input) || !isa<RankedTensorType>(input->get().getType()))
      return std::nullopt;
    return Move{input->get(), op.getMatchingIndexingMap(input)};
  }
  auto extract = element.getDefiningOp<tensor::ExtractOp>();
  if (!extract)
    return std::nullopt;
  SmallVector<AffineExpr> indices = llvm::map_to_vector(extract.getIndices(), getCounterExpr);
  if (llvm::is_contained(indices, nullptr))
    return std::nullopt;
  return Move{extract.getTensor(), AffineMap::get(op.getNumLoops(), 0, indices, op->getContext())};
}

std::optional<ConstantView> ConstantView::compose(AffineMap from) const {
  unsigned numDims = from.getNumDims();
  ConstantView view = *this;
  view.strides.assign(numDims, 0);
  for (auto [index, stride] : llvm::zip_equal(from.getResults(), strides)) {
    SmallVector<int64_t> terms;
    if (failed(getFlattenedAffineExpr(index, numDims, /*numSymbols=*/0, &terms)) ||
        terms.size() != numDims + 1)
      return std::nullopt;
    for (unsigned dim = 0; dim < numDims; ++dim)
      view.strides[dim] += terms[dim] * stride;
    view.base += terms.back() * stride;
  }
  return view;
}

static std::optional<ConstantView> viewConstant(ElementsAttr constant) {
  ConstantView view;
  view.elementType = constant.getElementType();
  view.strides = computeStrides(constant.getShapedType().getShape());
  if (!view.elementType.isIntOrFloat() || view.elementType.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  view.width = view.elementType.getIntOrFloatBitWidth() / 8;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant)) {
    view.bytes = dense.getRawData();
    view.isSplat = dense.isSplat();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    // None if the file with the model does not have it.
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      view.bytes = blob->getData();
  }
  int64_t numElements = view.isSplat ? 1 : constant.getNumElements();
  return int64_t(view.bytes.size()) == numElements * view.width ? std::optional(view)
                                                                : std::nullopt;
}

std::optional<ConstantView> npu::findConstantView(Value tensor) {
  ElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    return viewConstant(constant);
  std::optional<Move> move = matchMove(tensor);
  std::optional<ConstantView> view = move ? findConstantView(move->source) : std::nullopt;
  return view ? view->compose(move->from) : std::nullopt;
}
