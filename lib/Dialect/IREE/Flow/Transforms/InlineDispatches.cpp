//===- InlineDispatches.cpp - dispatches become plain ops again -----------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace npu::flow {
#define GEN_PASS_DEF_INLINEDISPATCHES
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// Clones the code of `func` to where `dispatch` stands.
static void inlineDispatch(DispatchOp dispatch, func::FuncOp func) {
  OpBuilder builder(dispatch);
  Block &body = func.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), dispatch.getArguments());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(dispatch.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  dispatch.erase();
}

/// Which dimensions of the tensor of higher rank are one dimension of the other, if that follows
/// from the types and from values that are sizes of both: sizes of one dynamic dimension are equal
/// because the number of elements is.
static std::optional<SmallVector<ReassociationIndices>>
getReassociation(ArrayRef<OpFoldResult> from, RankedTensorType fromType, ArrayRef<OpFoldResult> to,
                 RankedTensorType toType) {
  if (from.size() == to.size())
    return std::nullopt;
  auto groups = getReassociationIndicesForReshape(fromType, toType);
  if (!groups || (fromType.getNumDynamicDims() == 1 && toType.getNumDynamicDims() == 1))
    return groups;
  bool isCollapse = from.size() > to.size();
  ArrayRef<OpFoldResult> many = isCollapse ? from : to, few = isCollapse ? to : from;
  for (auto [size, group] : llvm::zip_equal(few, *groups))
    if (isa<Value>(size) && (group.size() != 1 || many[group.front()] != size))
      return std::nullopt;
  return groups;
}

/// Reshapes by one reshape if there is one, else by way of one dimension.
static Value convertReshape(OpBuilder &builder, TensorReshapeOp op) {
  Location loc = op.getLoc();
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  SmallVector<OpFoldResult> fromSizes =
      getMixedValues(from.getShape(), op.getSourceDims(), builder);
  SmallVector<OpFoldResult> toSizes = getMixedValues(to.getShape(), op.getResultDims(), builder);
  Value source = op.getSource();
  if (from == to && fromSizes == toSizes)
    return source;
  if (auto groups = getReassociation(fromSizes, from, toSizes, to)) {
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, to, source, *groups);
    return tensor::ExpandShapeOp::create(builder, loc, to, source, *groups, toSizes);
  }

  auto getFlatType = [](RankedTensorType type) {
    int64_t size = type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
    return RankedTensorType::get({size}, type.getElementType());
  };
  // One group of all dimensions; no group for rank 0.
  auto getGroups = [](RankedTensorType type) {
    SmallVector<ReassociationIndices> groups;
    if (type.getRank() > 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    return groups;
  };
  if (from.getRank() == 0)
    source =
        tensor::ExpandShapeOp::create(builder, loc, getFlatType(from), source, getGroups(from));
  else if (from.getRank() > 1)
    source =
        tensor::CollapseShapeOp::create(builder, loc, getFlatType(from), source, getGroups(from));
  if (getFlatType(from) != getFlatType(to))
    source = tensor::CastOp::create(builder, loc, getFlatType(to), source);
  if (to.getRank() == 0)
    source = tensor::CollapseShapeOp::create(builder, loc, to, source, getGroups(to));
  else if (to.getRank() > 1)
    source = tensor::ExpandShapeOp::create(builder, loc, to, source, getGroups(to), toSizes);
  return source;
}

/// What a flow op between dispatches is in upstream's dialects; null if it is another op.
static Value convertOp(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  auto strides = [&](size_t rank) {
    return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1));
  };
  auto getMixedSizes = [&](Type type, ValueRange dims) {
    return getMixedValues(cast<RankedTensorType>(type).getShape(), dims, builder);
  };
  if (auto reshape = dyn_cast<TensorReshapeOp>(op))
    return convertReshape(builder, reshape);
  if (auto empty = dyn_cast<TensorEmptyOp>(op))
    return tensor::EmptyOp::create(builder, loc, empty.getResult().getType(),
                                   empty.getResultDims());
  if (auto splat = dyn_cast<TensorSplatOp>(op))
    return tensor::SplatOp::create(builder, loc, splat.getValue(), splat.getResult().getType(),
                                   splat.getResultDims());
  if (auto slice = dyn_cast<TensorSliceOp>(op))
    return tensor::ExtractSliceOp::create(
        builder, loc, cast<RankedTensorType>(slice.getResult().getType()), slice.getSource(),
        getAsOpFoldResult(slice.getStartIndices()),
        getMixedSizes(slice.getResult().getType(), slice.getResultDims()),
        strides(slice.getStartIndices().size()));
  if (auto update = dyn_cast<TensorUpdateOp>(op))
    return tensor::InsertSliceOp::create(
        builder, loc, update.getUpdate(), update.getTarget(),
        getAsOpFoldResult(update.getStartIndices()),
        getMixedSizes(update.getUpdate().getType(), update.getUpdateDims()),
        strides(update.getStartIndices().size()));
  return {};
}

namespace {
struct InlineDispatches : npu::flow::impl::InlineDispatchesBase<InlineDispatches> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    SmallVector<DispatchOp> dispatches;
    SmallVector<Operation *> others;
    getOperation().walk([&](Operation *op) {
      if (auto dispatch = dyn_cast<DispatchOp>(op))
        dispatches.push_back(dispatch);
      else if (isa_and_nonnull<FlowDialect>(op->getDialect()))
        others.push_back(op);
    });
    for (DispatchOp dispatch : dispatches) {
      auto entryPoint = cast<SymbolRefAttr>(dispatch.getEntryPoints()[0]);
      auto exportOp = symbols.lookupNearestSymbolFrom<ExecutableExportOp>(dispatch, entryPoint);
      auto func = exportOp
                      ? dyn_cast_if_present<func::FuncOp>(exportOp.getFunction().getOperation())
                      : func::FuncOp();
      if (!func || !func.getBody().hasOneBlock() ||
          TypeRange(func.getArgumentTypes()) != TypeRange(dispatch.getArguments()) ||
          TypeRange(func.getResultTypes()) != TypeRange(dispatch.getResults())) {
        dispatch.emitOpError("expected ")
            << entryPoint << " to be a function on the tensors of the dispatch; run "
            << "npu-import-dispatches before";
        return signalPassFailure();
      }
      inlineDispatch(dispatch, func);
    }
    for (Operation *op : others) {
      if (op->getNumResults() != 1)
        continue;
      OpBuilder builder(op);
      if (Value value = convertOp(builder, op)) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    }
    for (auto executable : llvm::make_early_inc_range(getOperation().getOps<ExecutableOp>()))
      executable.erase();
  }
};
} // namespace
