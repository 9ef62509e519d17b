//===- RaiseSpecialOps.cpp - recognize ops in their parts -----------------===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_RAISESPECIALOPS
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

/// The op in the body of `generic`, if it is the only one and what it computes is the result.
static Operation *getOnlyOp(linalg::GenericOp generic) {
  Block *body = generic.getBody();
  if (generic->getNumResults() != 1 || !llvm::hasNItems(*body, 2))
    return nullptr;
  Operation *op = &body->front();
  Value yielded = body->getTerminator()->getOperand(0);
  return yielded.getDefiningOp() == op ? op : nullptr;
}

/// The generic that computes `value` by one `OpTy` on its block arguments `operands`.
template <typename... OpTy>
static linalg::GenericOp getGeneric(Value value, ArrayRef<unsigned> operands) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  Operation *op = generic ? getOnlyOp(generic) : nullptr;
  if (!isa_and_nonnull<OpTy...>(op) || op->getNumOperands() != operands.size())
    return {};
  for (auto [operand, number] : llvm::zip_equal(op->getOperands(), operands))
    if (operand != generic.getBody()->getArgument(number))
      return {};
  return generic;
}

static bool isElementwise(linalg::GenericOp generic) {
  return generic.getNumLoops() == generic.getNumParallelLoops() &&
         generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)).isIdentity();
}

static AffineMap getInputMap(linalg::GenericOp generic, unsigned number) {
  return generic.getMatchingIndexingMap(generic.getDpsInputOperand(number));
}

/// The reduction of `source` by `OpTy` over one dimension that computes `value`; it must start from
/// what `isNeutral` accepts.
template <typename... OpTy>
static linalg::GenericOp getReduction(Value value, Value source,
                                      function_ref<bool(const APFloat &)> isNeutral) {
  linalg::GenericOp generic = getGeneric<OpTy...>(value, {0, 1});
  if (!generic)
    generic = getGeneric<OpTy...>(value, {1, 0});
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getDpsInputs()[0] != source ||
      generic.getNumReductionLoops() != 1 || !getInputMap(generic, 0).isIdentity())
    return {};
  auto fill = generic.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  APFloat start(0.0f);
  if (!fill || !matchPattern(fill.getInputs()[0], m_ConstantFloat(&start)) || !isNeutral(start))
    return {};
  return generic;
}

/// What `value` is the reciprocal of, element by element.
static Value getReciprocalOperand(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  auto division = generic ? dyn_cast_if_present<arith::DivFOp>(getOnlyOp(generic)) : nullptr;
  if (!division || generic.getNumDpsInputs() != 1 || !isElementwise(generic) ||
      !getInputMap(generic, 0).isIdentity() || !matchPattern(division.getLhs(), m_OneFloat()) ||
      division.getRhs() != generic.getBody()->getArgument(0))
    return {};
  return generic.getDpsInputs()[0];
}

namespace {
struct Softmax {
  Value source;
  unsigned dimension;
};
} // namespace

/// Matches exp(x - max(x)) / sum(exp(x - max(x))), one op each; the division may be a
/// multiplication by the reciprocal.
static std::optional<Softmax> matchSoftmax(linalg::GenericOp root) {
  if (root->getNumResults() != 1 || root.getNumDpsInputs() != 2 || !isElementwise(root) ||
      !getInputMap(root, 0).isIdentity())
    return std::nullopt;
  Value result = root.getResult(0), sumValue;
  if (getGeneric<arith::DivFOp>(result, {0, 1}) == root)
    sumValue = root.getDpsInputs()[1];
  else if (getGeneric<arith::MulFOp>(result, {0, 1}) == root)
    sumValue = getReciprocalOperand(root.getDpsInputs()[1]);
  if (!sumValue)
    return std::nullopt;

  Value expValue = root.getDpsInputs()[0];
  linalg::GenericOp exp = getGeneric<math::ExpOp>(expValue, {0});
  if (!exp || exp.getNumDpsInputs() != 1 || !isElementwise(exp) ||
      !getInputMap(exp, 0).isIdentity())
    return std::nullopt;
  linalg::GenericOp sub = getGeneric<arith::SubFOp>(exp.getDpsInputs()[0], {0, 1});
  if (!sub || sub.getNumDpsInputs() != 2 || !isElementwise(sub) ||
      !getInputMap(sub, 0).isIdentity())
    return std::nullopt;

  Value source = sub.getDpsInputs()[0];
  linalg::GenericOp max = getReduction<arith::MaximumFOp, arith::MaxNumFOp>(
      sub.getDpsInputs()[1], source, [](const APFloat &start) {
        return start.isNegative() && (start.isInfinity() || start.isLargest());
      });
  linalg::GenericOp sum = getReduction<arith::AddFOp>(
      sumValue, expValue, [](const APFloat &start) { return start.isZero(); });
  if (!max || !sum)
    return std::nullopt;
  // All of them leave out the same dimension.
  AffineMap rows = max.getMatchingIndexingMap(max.getDpsInitOperand(0));
  if (rows != sum.getMatchingIndexingMap(sum.getDpsInitOperand(0)) || rows != getInputMap(sub, 1) ||
      rows != getInputMap(root, 1))
    return std::nullopt;
  SmallVector<unsigned> reduced;
  max.getReductionDims(reduced);
  return Softmax{source, reduced.front()};
}

static void raise(linalg::GenericOp root, Softmax softmax) {
  OpBuilder builder(root);
  Location loc = root.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, softmax.source);
  auto type = cast<RankedTensorType>(root.getResultTypes()[0]);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  auto raised =
      linalg::SoftmaxOp::create(builder, loc, type, softmax.source, empty, softmax.dimension);
  root.replaceAllUsesWith(raised.getResult());
  root.erase();
}

namespace {
struct RaiseSpecialOps : npu::global_opt::impl::RaiseSpecialOpsBase<RaiseSpecialOps> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAny<math::ExpOp>())
      return markAllAnalysesPreserved();
    SmallVector<std::pair<linalg::GenericOp, Softmax>> matches;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (std::optional<Softmax> softmax = matchSoftmax(op))
        matches.push_back({op, *softmax});
    });
    if (matches.empty())
      return markAllAnalysesPreserved();
    // What a match reads may be what another one replaces: from the last to the first.
    for (auto [root, softmax] : llvm::reverse(matches))
      raise(root, softmax);
  }
};
} // namespace
