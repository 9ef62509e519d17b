//===- CaptureDynamicDims.cpp - sizes become arguments of dispatches ------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::flow {
#define GEN_PASS_DEF_CAPTUREDYNAMICDIMS
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;
using npu::tensor_ext::DispatchTensorType;

/// The argument in the body that `size` is passed as; a new one if it was not passed.
static Value getSizeArgument(DispatchWorkgroupsOp dispatch, Value size) {
  Block &body = dispatch.getWorkgroupBody().front();
  for (auto [value, argument] : llvm::zip(dispatch.getArguments(), body.getArguments()))
    if (value == size)
      return argument;
  unsigned number = dispatch.getArguments().size();
  dispatch.getArgumentsMutable().append(size);
  return body.insertArgument(number, size.getType(), size.getLoc());
}

/// Ties `argument` of the body to `sizes`, which are values outside.
static void tieShape(DispatchWorkgroupsOp dispatch, OpBuilder &builder, BlockArgument argument,
                     ValueRange sizes) {
  if (llvm::all_of(argument.getUsers(), llvm::IsaPred<DispatchTieShapeOp>))
    return;
  SmallVector<Value> dims =
      llvm::map_to_vector(sizes, [&](Value size) { return getSizeArgument(dispatch, size); });
  auto tied =
      DispatchTieShapeOp::create(builder, argument.getLoc(), argument.getType(), argument, dims);
  argument.replaceAllUsesExcept(tied, tied);
}

static size_t getNumDynamicDims(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getNumDynamicDims() : 0;
}

/// Returns whether `dispatch` reads or writes anything of dynamic shape.
static bool captureDims(DispatchWorkgroupsOp dispatch) {
  bool anyDynamic = false;
  Block &body = dispatch.getWorkgroupBody().front();
  auto builder = OpBuilder::atBlockBegin(&body);
  // Sizes are appended to the arguments and so change none of the numbers before.
  SmallVector<Value> arguments(dispatch.getArguments()), sizes(dispatch.getArgumentDims());
  ArrayRef<Value> remaining = sizes;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    size_t count = getNumDynamicDims(argument.getType());
    if (count)
      tieShape(dispatch, builder, body.getArgument(number), remaining.take_front(count));
    anyDynamic |= count != 0;
    remaining = remaining.drop_front(count);
  }

  sizes = dispatch.getResultDims();
  remaining = sizes;
  SmallVector<int64_t> tied =
      getTiedOperandIndices(dispatch.getTiedOperandsAttr(), dispatch.getNumResults());
  size_t numUntied = 0;
  for (auto [type, index] : llvm::zip_equal(dispatch.getResultTypes(), tied)) {
    size_t count = getNumDynamicDims(type);
    if (index == kUntiedIndex) {
      unsigned number = dispatch.getArguments().size() + numUntied++;
      if (count)
        tieShape(dispatch, builder, body.getArgument(number), remaining.take_front(count));
    }
    anyDynamic |= count != 0;
    remaining = remaining.drop_front(count);
  }
  return anyDynamic;
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

/// One `tensor.dim` for each dynamic dimension of `values`.
static SmallVector<Value> askSizes(OpBuilder &builder, Location loc, ValueRange values) {
  SmallVector<Value> sizes;
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(tensor::DimOp::create(builder, loc, value, dim));
  return sizes;
}

/// Says at the builder that `values` have `sizes`, one for each dynamic dimension.
static void tieShapes(OpBuilder &builder, ValueRange values, ValueRange sizes) {
  for (Value value : values) {
    size_t count = getNumDynamicDims(value.getType());
    if (count == 0)
      continue;
    auto tied = TensorTieShapeOp::create(builder, value.getLoc(), value.getType(), value,
                                         sizes.take_front(count));
    value.replaceAllUsesExcept(tied, tied);
    sizes = sizes.drop_front(count);
  }
}

/// Adds `count` indices to the arguments of the only block of `region` and says that they are the
/// sizes of the arguments before.
static void addSizeArguments(OpBuilder &builder, Region &region, size_t count) {
  Block &block = region.front();
  unsigned numOld = block.getNumArguments();
  for (size_t i = 0; i < count; ++i)
    block.addArgument(builder.getIndexType(), region.getLoc());
  builder.setInsertionPointToStart(&block);
  tieShapes(builder, block.getArguments().take_front(numOld),
            block.getArguments().drop_front(numOld));
}

/// Passes the sizes of what `terminator` passes on as well.
static void passSizes(OpBuilder &builder, Operation *terminator, ValueRange passed) {
  builder.setInsertionPoint(terminator);
  SmallVector<Value> sizes = askSizes(builder, terminator->getLoc(), passed);
  terminator->insertOperands(terminator->getNumOperands(), sizes);
}

/// Replaces `op` by `replacement`, which has the sizes of the results as further results.
static void replaceWithSizes(IRRewriter &rewriter, Operation *op, Operation *replacement) {
  ValueRange results = replacement->getResults();
  size_t numOld = op->getNumResults();
  rewriter.replaceOp(op, results.take_front(numOld));
  rewriter.setInsertionPointAfter(replacement);
  tieShapes(rewriter, results.take_front(numOld), results.drop_front(numOld));
}

static SmallVector<Type> addIndices(OpBuilder &builder, TypeRange types, size_t count) {
  SmallVector<Type> all(types);
  all.append(count, builder.getIndexType());
  return all;
}

static size_t getNumDynamicDims(TypeRange types) {
  size_t count = 0;
  for (Type type : types)
    count += getNumDynamicDims(type);
  return count;
}

static void captureDims(IRRewriter &rewriter, scf::ForOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inits(op.getInitArgs());
  SmallVector<Value> sizes = askSizes(rewriter, op.getLoc(), inits);
  llvm::append_range(inits, sizes);
  auto loop = scf::ForOp::create(rewriter, op.getLoc(), op.getLowerBound(), op.getUpperBound(),
                                 op.getStep(), inits, /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  loop.getRegion().takeBody(op.getRegion());
  addSizeArguments(rewriter, loop.getRegion(), sizes.size());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  passSizes(rewriter, yield, yield.getOperands());
  replaceWithSizes(rewriter, op, loop);
}

static void captureDims(IRRewriter &rewriter, scf::WhileOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inits(op.getInits());
  SmallVector<Value> sizes = askSizes(rewriter, op.getLoc(), inits);
  size_t numResultSizes = getNumDynamicDims(op.getResultTypes());
  llvm::append_range(inits, sizes);
  auto loop = scf::WhileOp::create(rewriter, op.getLoc(),
                                   addIndices(rewriter, op.getResultTypes(), numResultSizes), inits,
                                   /*beforeBuilder=*/nullptr, /*afterBuilder=*/nullptr);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  loop.getBefore().takeBody(op.getBefore());
  loop.getAfter().takeBody(op.getAfter());
  addSizeArguments(rewriter, loop.getBefore(), sizes.size());
  passSizes(rewriter, loop.getConditionOp(), loop.getConditionOp().getArgs());
  addSizeArguments(rewriter, loop.getAfter(), numResultSizes);
  passSizes(rewriter, loop.getYieldOp(), loop.getYieldOp().getOperands());
  replaceWithSizes(rewriter, op, loop);
}

static void captureDims(IRRewriter &rewriter, scf::IfOp op) {
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(
      rewriter, op.getLoc(),
      addIndices(rewriter, op.getResultTypes(), getNumDynamicDims(op.getResultTypes())),
      op.getCondition(), /*addThenBlock=*/false, /*addElseBlock=*/false);
  branch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), branch->getRegions())) {
    to.takeBody(from);
    auto yield = cast<scf::YieldOp>(to.front().getTerminator());
    passSizes(rewriter, yield, yield.getOperands());
  }
  replaceWithSizes(rewriter, op, branch);
}

/// Whether `op` passes on anything of dynamic shape.
static bool hasDynamicDims(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) &&
         getNumDynamicDims(op->getResultTypes()) + getNumDynamicDims(op->getOperandTypes()) > 0;
}

namespace {
struct CaptureDynamicDims : npu::flow::impl::CaptureDynamicDimsBase<CaptureDynamicDims> {
  void runOnOperation() override {
    bool changed = false;
    SmallVector<Operation *> control;
    getOperation()->walk([&](Operation *op) {
      if (auto dispatch = dyn_cast<DispatchWorkgroupsOp>(op))
        changed |= captureDims(dispatch);
      else if (hasDynamicDims(op) && !op->getParentOfType<DispatchWorkgroupsOp>())
        control.push_back(op);
    });
    changed |= !control.empty();
    IRRewriter rewriter(&getContext());
    for (Operation *op : control) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        captureDims(rewriter, loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        captureDims(rewriter, loop);
      else
        captureDims(rewriter, cast<scf::IfOp>(op));
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
