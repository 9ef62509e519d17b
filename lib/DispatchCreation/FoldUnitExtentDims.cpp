//===- FoldUnitExtentDims.cpp - drop dimensions of size 1 -----------------===//

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_FOLDUNITEXTENTDIMS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether `expr`, what is left of a window without the loops that are dropped, still indexes a
/// dimension of `size` as an op may: a plain loop takes its extent from the dimension. A reduction
/// that skips elements is nothing that a matrix engine knows without a space to slide over.
static bool indexesWhole(AffineExpr expr, int64_t size, linalg::LinalgOp op) {
  if (isa<AffineConstantExpr>(expr))
    return size == 1;
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return ShapedType::isStatic(size) && op.getStaticLoopRanges()[loop.getPosition()] == size;
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  auto loop = product && product.getKind() == AffineExprKind::Mul
                  ? dyn_cast<AffineDimExpr>(product.getLHS())
                  : AffineDimExpr(nullptr);
  return !loop || op.getIteratorTypesArray()[loop.getPosition()] != utils::IteratorType::reduction;
}

/// Removes from `loops` those of windows that would not be windows without them: at a single
/// position, or of a single element, a window may be smaller than what it slides over, but the loop
/// that would be left has to be as long as the dimension it indexes.
static void keepLoopsOfWindows(linalg::LinalgOp op, SmallVectorImpl<unsigned> &loops) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineExpr> replacements;
  MLIRContext *context = op.getContext();
  for (unsigned loop = 0; loop < extents.size(); ++loop)
    replacements.push_back(extents[loop] == 1 && llvm::is_contained(loops, loop)
                               ? getAffineConstantExpr(0, context)
                               : getAffineDimExpr(loop, context));
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int64_t> shape = op.getShape(&operand);
    for (auto [expr, size] : llvm::zip(op.getMatchingIndexingMap(&operand).getResults(), shape)) {
      if (isa<AffineDimExpr, AffineConstantExpr>(expr) ||
          indexesWhole(expr.replaceDims(replacements), size, op))
        continue;
      llvm::erase_if(loops, [&, expr = expr](unsigned loop) { return expr.isFunctionOfDim(loop); });
    }
  }
}

/// All loops but those that a window needs and a convolution's only output channel: without it, it
/// would be no convolution that a matrix engine knows, unless each channel is a group of its own.
static SmallVector<unsigned> getFoldableLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  keepLoopsOfWindows(op, loops);
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputChannel.size() != 1)
    return loops;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto isUnit = [&](unsigned dim) { return extents[dim] == 1; };
  bool isDepthwise = !llvm::all_of(dims->depth, isUnit) && llvm::all_of(dims->inputChannel, isUnit);
  if (!isDepthwise)
    llvm::erase(loops, dims->outputChannel.front());
  return loops;
}

/// Whether `value` says where the data of a global come from, but does not hold them.
static bool isParameterOrUninitialized(TypedAttr value) {
  auto opaque = dyn_cast_if_present<OpaqueAttr>(value);
  if (!opaque)
    return false;
  StringRef dialect = opaque.getDialectNamespace().getValue();
  return (dialect == flow::FlowDialect::getDialectNamespace() &&
          opaque.getAttrData().starts_with("parameter.named<")) ||
         (dialect == util::UtilDialect::getDialectNamespace() &&
          opaque.getAttrData() == "uninitialized");
}

/// The type of `global` without dimensions of size 1; nothing if there are none, or if it cannot
/// change.
static RankedTensorType getSmallerType(util::GlobalOp global) {
  auto type = dyn_cast<RankedTensorType>(global.getType());
  if (!type || !type.hasStaticShape() || type.getEncoding() || !global.isPrivate() ||
      !isParameterOrUninitialized(global.getInitialValueAttr()))
    return {};
  auto isLarge = [](int64_t size) { return size != 1; };
  auto shape = llvm::to_vector(llvm::make_filter_range(type.getShape(), isLarge));
  if (shape.size() == type.getShape().size())
    return {};
  return RankedTensorType::get(shape, type.getElementType());
}

/// Gives `access` the type `smaller` of its global, with a reshape for what is around it.
static void shrinkAccess(Operation *access, RankedTensorType type, RankedTensorType smaller) {
  SmallVector<ReassociationIndices> groups = *getReassociationIndicesForReshape(type, smaller);
  OpBuilder builder(access);
  if (auto store = dyn_cast<util::GlobalStoreOp>(access)) {
    store.getValueMutable().assign(tensor::CollapseShapeOp::create(builder, store.getLoc(), smaller,
                                                                   store.getValue(), groups));
    return;
  }
  auto load = cast<util::GlobalLoadOp>(access);
  load.getResult().setType(smaller);
  builder.setInsertionPointAfter(load);
  auto expanded =
      tensor::ExpandShapeOp::create(builder, load.getLoc(), type, load.getResult(), groups);
  load.getResult().replaceAllUsesExcept(expanded.getResult(), expanded);
}

/// Drops dimensions of size 1 from globals; returns whether there are any.
static bool shrinkGlobals(ModuleOp module) {
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  bool changed = false;
  for (auto global : module.getOps<util::GlobalOp>()) {
    RankedTensorType smaller = getSmallerType(global);
    ArrayRef<Operation *> accesses = users.getUsers(global);
    if (!smaller || !llvm::all_of(accesses, llvm::IsaPred<util::GlobalLoadOp, util::GlobalStoreOp>))
      continue;
    for (Operation *access : accesses)
      shrinkAccess(access, cast<RankedTensorType>(global.getType()), smaller);
    auto value = cast<OpaqueAttr>(global.getInitialValueAttr());
    global.setInitialValueAttr(
        OpaqueAttr::get(value.getDialectNamespace(), value.getAttrData(), smaller));
    global.setType(smaller);
    changed = true;
  }
  return changed;
}

namespace {
struct FoldUnitExtentDims : dispatch_creation::impl::FoldUnitExtentDimsBase<FoldUnitExtentDims> {
  void runOnOperation() override {
    linalg::ControlDropUnitDims options;
    options.controlFn = [](Operation *op) -> SmallVector<unsigned> {
      if (isInDispatch(op))
        return {};
      auto generic = dyn_cast<linalg::GenericOp>(op);
      return generic ? getFoldableLoops(generic) : linalg::ControlDropUnitDims().controlFn(op);
    };
    ChangeListener listener;
    if (auto module = dyn_cast<ModuleOp>(getOperation()))
      listener.changed = shrinkGlobals(module);
    {
      // Upstream: not for the greedy driver.
      RewritePatternSet patterns(&getContext());
      linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
      linalg::populateMoveInitOperandsToInputPattern(patterns);
      walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    }
    // Those patterns are on what was rewritten, and on reshapes.
    if (!listener.changed && !getAnalysis<PresentOps>()
                                  .holdsAny<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                                            tensor::ExtractSliceOp, tensor::InsertSliceOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns, options);
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed && !listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
