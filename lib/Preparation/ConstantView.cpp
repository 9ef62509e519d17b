//===- ConstantView.cpp - constants that ops move the elements of ---------===//

#include "ConstantView.h"

#include "Linear.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

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
  SmallVector<AffineExpr> indices;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    AffineExpr expr = getCounterExpr(index);
    std::optional<Linear> linear = expr ? getLinear(expr, op.getNumLoops()) : std::nullopt;
    // What extracts from elsewhere says nothing of elements.
    if (!linear ||
        !isInside(*linear, op.getStaticLoopRanges(), extract.getTensor().getType().getDimSize(dim)))
      return std::nullopt;
    indices.push_back(expr);
  }
  return Move{extract.getTensor(), AffineMap::get(op.getNumLoops(), 0, indices, op->getContext())};
}

std::optional<ConstantView> ConstantView::compose(AffineMap from) const {
  std::optional<SmallVector<Linear>> coordinates = getLinear(from);
  if (!coordinates)
    return std::nullopt;
  ConstantView view = *this;
  view.strides.assign(from.getNumDims(), 0);
  for (auto [coordinate, stride] : llvm::zip_equal(*coordinates, strides)) {
    for (auto [total, coefficient] : llvm::zip_equal(view.strides, coordinate.coefficients))
      total += coefficient * stride;
    view.base += coordinate.constant * stride;
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
