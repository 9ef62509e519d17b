//===- ConvertTensorToFlow.cpp - tensor ops between dispatches become flow ops -===//

#include "NPU/DispatchCreation/Passes.h"

#include "DynamicSizes.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_CONVERTTENSORTOFLOW
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

using tensor_ext::DispatchTensorLoadOp;
using tensor_ext::DispatchTensorStoreOp;

//===----------------------------------------------------------------------===//
// Between dispatches
//===----------------------------------------------------------------------===//

/// Whether a box of `sizes` of a tensor of `shape` is one piece of memory: from the outside,
/// dimensions of one element, then at most one partial dimension, then whole ones. Only the partial
/// dimension may be dynamic.
static bool isContiguous(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes,
                         ArrayRef<int64_t> strides) {
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    return false;
  size_t dim = 0;
  while (dim < sizes.size() && sizes[dim] == 1)
    ++dim;
  if (dim < sizes.size())
    ++dim;
  return sizes.drop_front(dim) == shape.drop_front(dim) &&
         !ShapedType::isDynamicShape(sizes.drop_front(dim));
}

static bool isRanked(Type type) { return isa<RankedTensorType>(type); }

static SmallVector<Value> getIndices(OpBuilder &builder, Location loc,
                                     ArrayRef<OpFoldResult> values) {
  return getValueOrCreateConstantIndexOp(builder, loc, values);
}

/// `dims` are the sizes of the dynamic dimensions of `type`.
static Value reshape(OpBuilder &builder, Location loc, Value source, RankedTensorType type,
                     ValueRange dims) {
  if (source.getType() == type)
    return source;
  return flow::TensorReshapeOp::create(builder, loc, type, source, getDynamicSizes(builder, source),
                                       dims);
}

static SmallVector<Value> getDynamicValues(ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> values;
  for (OpFoldResult size : sizes)
    if (auto value = dyn_cast<Value>(size))
      values.push_back(value);
  return values;
}

namespace {
template <typename ReshapeOp>
struct ConvertReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (isInDispatch(op) || !isRanked(op.getType()) || !isRanked(op.getSrc().getType()))
      return rewriter.notifyMatchFailure(op, "in a dispatch or of unknown rank");
    Value source = op.getSrc();
    // A reshape of a reshape is one.
    while (auto inner = source.getDefiningOp<flow::TensorReshapeOp>())
      source = inner.getSource();
    rewriter.replaceOp(op,
                       reshape(rewriter, op.getLoc(), source, cast<RankedTensorType>(op.getType()),
                               getResultSizes(rewriter, op)));
    return success();
  }
};

struct ConvertFill : OpRewritePattern<linalg::FillOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::FillOp op, PatternRewriter &rewriter) const override {
    if (isInDispatch(op) || op->getNumResults() != 1 || !isRanked(op.getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "in a dispatch or of unknown rank");
    rewriter.replaceOpWithNewOp<flow::TensorSplatOp>(op, op.getResult(0).getType(), op.value(),
                                                     getResultSizes(rewriter, op));
    return success();
  }
};

struct ConvertExtractSlice : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (isInDispatch(op) ||
        !isContiguous(op.getSourceType().getShape(), op.getStaticSizes(), op.getStaticStrides()))
      return rewriter.notifyMatchFailure(op, "in a dispatch or not one piece");
    Location loc = op.getLoc();
    auto type = RankedTensorType::get(op.getStaticSizes(), op.getType().getElementType());
    SmallVector<Value> dims = getDynamicValues(op.getMixedSizes());
    Value slice = flow::TensorSliceOp::create(rewriter, loc, type, op.getSource(),
                                              getDynamicSizes(rewriter, op.getSource()),
                                              getIndices(rewriter, loc, op.getMixedOffsets()),
                                              getIndices(rewriter, loc, op.getMixedSizes()), dims);
    rewriter.replaceOp(op, reshape(rewriter, loc, slice, op.getType(), dims));
    return success();
  }
};

struct ConvertInsertSlice : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (isInDispatch(op) ||
        !isContiguous(op.getDestType().getShape(), op.getStaticSizes(), op.getStaticStrides()))
      return rewriter.notifyMatchFailure(op, "in a dispatch or not one piece");
    Location loc = op.getLoc();
    auto type = RankedTensorType::get(op.getStaticSizes(), op.getType().getElementType());
    SmallVector<Value> dims = getDynamicValues(op.getMixedSizes());
    Value update = reshape(rewriter, loc, op.getSource(), type, dims);
    rewriter.replaceOpWithNewOp<flow::TensorUpdateOp>(
        op, op.getType(), op.getDest(), getDynamicSizes(rewriter, op.getDest()),
        getIndices(rewriter, loc, op.getMixedOffsets()), update, dims,
        /*tied_operands=*/nullptr);
    return success();
  }
};
} // namespace

/// Whether there is anything to convert, which takes a look at what is between the dispatches only.
static bool hasTensorOpsOutside(Operation *root) {
  auto visit = [](Operation *op) {
    if (isa<flow::DispatchRegionOp, flow::DispatchWorkgroupsOp>(op))
      return WalkResult::skip();
    return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::FillOp,
               tensor::ExtractSliceOp, tensor::InsertSliceOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return root->walk<WalkOrder::PreOrder>(visit).wasInterrupted();
}

/// Makes a region of `op`, a slice that is not one piece.
static void wrapSlice(Operation *op) {
  OpBuilder builder(op);
  auto region = flow::DispatchRegionOp::create(builder, op->getLoc(), op->getResultTypes(),
                                               getResultSizes(builder, op),
                                               /*workload=*/ValueRange());
  op->replaceAllUsesWith(region.getResults());
  Block &body = region.getBody().emplaceBlock();
  op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  flow::ReturnOp::create(builder, op->getLoc(), op->getResults());
}

//===----------------------------------------------------------------------===//
// In dispatches
//===----------------------------------------------------------------------===//

/// Stores what is inserted, if it is inserted into what the target held before. Returns whether it
/// is.
static bool foldInsertion(DispatchTensorStoreOp store) {
  auto insert = store.getValue().getDefiningOp<tensor::InsertSliceOp>();
  auto load =
      insert ? insert.getDest().getDefiningOp<DispatchTensorLoadOp>() : DispatchTensorLoadOp();
  if (!load || load.getSource() != store.getTarget() || !load.isFullLoad() ||
      !store.isFullStore() || !insert->hasOneUse())
    return false;
  OpBuilder builder(store);
  DispatchTensorStoreOp::create(builder, store.getLoc(), insert.getSource(), store.getTarget(),
                                store.getTargetDims(), insert.getOffsets(), insert.getSizes(),
                                insert.getStrides(), insert.getStaticOffsets(),
                                insert.getStaticSizes(), insert.getStaticStrides());
  store.erase();
  insert.erase();
  if (load.use_empty())
    load.erase();
  return true;
}

/// Loads the slice alone, if it is one of what is loaded. Returns whether it is.
static bool foldExtraction(tensor::ExtractSliceOp slice) {
  auto load = slice.getSource().getDefiningOp<DispatchTensorLoadOp>();
  if (!load || !load.isFullLoad())
    return false;
  OpBuilder builder(slice);
  Value piece = DispatchTensorLoadOp::create(
      builder, slice.getLoc(), slice.getType(), load.getSource(), load.getSourceDims(),
      slice.getOffsets(), slice.getSizes(), slice.getStrides(), slice.getStaticOffsets(),
      slice.getStaticSizes(), slice.getStaticStrides());
  slice.replaceAllUsesWith(piece);
  slice.erase();
  if (load.use_empty())
    load.erase();
  return true;
}

namespace {
struct ConvertTensorToFlow : dispatch_creation::impl::ConvertTensorToFlowBase<ConvertTensorToFlow> {
  /// Converts what is between the dispatches; returns whether there was anything to convert.
  FailureOr<bool> convertOutside() {
    if (!hasTensorOpsOutside(getOperation()))
      return false;
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertReshape<tensor::CollapseShapeOp>, ConvertReshape<tensor::ExpandShapeOp>,
                 ConvertFill, ConvertExtractSlice, ConvertInsertSlice>(&getContext());
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);

    SmallVector<Operation *> slices;
    getOperation()->walk([&](Operation *op) {
      if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op) && !isInDispatch(op))
        slices.push_back(op);
    });
    llvm::for_each(slices, wrapSlice);
    if (!slices.empty()) {
      OpPassManager pm(getOperation()->getName());
      pm.addPass(createConvertDispatchRegionsToWorkgroups());
      if (failed(runPipeline(pm, getOperation())))
        return failure();
    }
    return listener.changed || !slices.empty();
  }

  void runOnOperation() override {
    FailureOr<bool> outside = convertOutside();
    if (failed(outside))
      return signalPassFailure();
    bool changed = *outside;
    getOperation()->walk([&](Operation *op) {
      if (auto store = dyn_cast<DispatchTensorStoreOp>(op))
        changed |= foldInsertion(store);
      else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op); slice && isInDispatch(slice))
        changed |= foldExtraction(slice);
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
