//===- MatchIndexing.cpp - loop counters and gathers in bodies ------------===//

#include "Matching.h"

#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace npu;

bool npu::isInDram(Value source) {
  while (Operation *op = source.getDefiningOp()) {
    if (matchPattern(op, m_Constant()))
      return true;
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return false;
    source = op->getOperand(0);
  }
  return true;
}

static FailureOr<ElementwiseStep> matchGather(tensor::ExtractOp extract, Rejection &reason) {
  Value source = extract.getTensor();
  RankedTensorType type = extract.getTensor().getType();
  auto fail = [&](const Twine &what) { return reject(reason, RejectionKind::Gather, what); };
  if (!type.hasStaticShape())
    return fail("of " + debugString(type));
  if (!isInDram(source))
    return fail("of a tensor that the dispatch computes, or of a slice");
  auto loops = extract->getParentOfType<linalg::LinalgOp>();
  ElementwiseStep step{ElementwiseStep::Gather, extract.getResult(), {}};
  step.source = source;
  SmallVector<AffineExpr> coordinates;
  for (auto [dim, coordinate] : llvm::enumerate(extract.getIndices())) {
    if (auto index = coordinate.getDefiningOp<linalg::IndexOp>()) {
      // The whole dimension: a loop over a part of it reads a slice.
      if (loops.getStaticLoopRanges()[index.getDim()] != type.getDimSize(dim))
        return fail("a loop over a part of dimension " + Twine(dim));
      coordinates.push_back(getAffineDimExpr(index.getDim(), extract.getContext()));
      continue;
    }
    coordinates.push_back(getAffineConstantExpr(0, extract.getContext()));
    if (type.getDimSize(dim) == 1 && matchPattern(coordinate, m_Zero()))
      continue;
    auto cast = coordinate.getDefiningOp<arith::IndexCastOp>();
    if (!cast)
      return fail("coordinate " + Twine(dim) + " by " +
                  (coordinate.getDefiningOp() ? coordinate.getDefiningOp()->getName().getStringRef()
                                              : StringRef("an argument")));
    if (!cast.getIn().getType().isInteger(32))
      return fail("coordinate " + Twine(dim) + " of " + debugString(cast.getIn().getType()));
    if (!step.operands.empty())
      return fail("several coordinates that are computed");
    step.operands.push_back(cast.getIn());
    step.dimension = dim;
  }
  if (step.operands.empty())
    return fail("no coordinate that is computed");
  step.sourceMap =
      AffineMap::get(loops.getNumLoops(), /*symbolCount=*/0, coordinates, extract.getContext());
  if (!hasPlainCoordinates(step.sourceMap))
    return fail("two coordinates by one loop");
  return step;
}

FailureOr<std::optional<ElementwiseStep>> npu::matchIndexing(Operation *bodyOp, Rejection &reason) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(bodyOp)) {
    FailureOr<ElementwiseStep> step = matchGather(extract, reason);
    if (failed(step))
      return failure();
    return std::optional(*step);
  }
  auto cast = dyn_cast<arith::IndexCastOp>(bodyOp);
  auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : linalg::IndexOp();
  if (!index || !isa<IntegerType>(cast.getType()) || cast.getType().isInteger(1))
    return std::optional<ElementwiseStep>();
  ElementwiseStep step{ElementwiseStep::Positions, cast.getResult(), {}};
  step.loop = index.getDim();
  return std::optional(step);
}
