//===- ConvertDispatchRegionsToWorkgroups.cpp - isolate dispatches --------===//

#include "NPU/DispatchCreation/Passes.h"

#include "DynamicSizes.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_CONVERTDISPATCHREGIONSTOWORKGROUPS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

using tensor_ext::DispatchTensorType;
using tensor_ext::TensorAccess;

/// The tensor from outside of `region` that `value` is an update of; null if it is a new tensor.
static Value getUpdatedTensor(Value value, Region &region) {
  while (Operation *op = value.getDefiningOp()) {
    if (!region.isAncestor(op->getParentRegion()))
      return value;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      value = destination.getTiedOpOperand(cast<OpResult>(value))->get();
    else
      return {};
  }
  auto argument = cast<BlockArgument>(value);
  return region.isAncestor(argument.getParentRegion()) ? Value() : value;
}

/// Offsets, sizes and strides of a whole tensor.
struct WholeTensor {
  explicit WholeTensor(RankedTensorType type)
      : offsets(type.getRank(), 0), sizes(type.getShape()), strides(type.getRank(), 1) {}

  SmallVector<int64_t> offsets, sizes, strides;
};

/// `dims` are the sizes of the dynamic dimensions.
static Value loadWhole(OpBuilder &builder, Location loc, Value source, ValueRange dims) {
  RankedTensorType type = cast<DispatchTensorType>(source.getType()).getTensorType();
  WholeTensor whole(type);
  return tensor_ext::DispatchTensorLoadOp::create(
      builder, loc, type, source, dims, /*offsets=*/ValueRange(), /*sizes=*/dims,
      /*strides=*/ValueRange(), whole.offsets, whole.sizes, whole.strides);
}

static void storeWhole(OpBuilder &builder, Location loc, Value value, Value target,
                       ValueRange dims) {
  WholeTensor whole(cast<RankedTensorType>(value.getType()));
  tensor_ext::DispatchTensorStoreOp::create(
      builder, loc, value, target, dims, /*offsets=*/ValueRange(), /*sizes=*/dims,
      /*strides=*/ValueRange(), whole.offsets, whole.sizes, whole.strides);
}

/// Takes the sizes of a value of `type` off the front of `sizes`.
static ValueRange takeSizes(Type type, ValueRange &sizes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  size_t count = tensor ? tensor.getNumDynamicDims() : 0;
  ValueRange own = sizes.take_front(count);
  sizes = sizes.drop_front(count);
  return own;
}

static LogicalResult convertRegion(flow::DispatchRegionOp region) {
  if (!region.getBody().hasOneBlock())
    return region.emitOpError("expected one block to isolate, found ")
           << region.getBody().getBlocks().size();
  auto terminator = cast<flow::ReturnOp>(region.getBody().front().getTerminator());
  CapturedUses captured = getCapturedUses(region.getBody());
  auto arguments = llvm::to_vector(llvm::make_first_range(captured));
  // At most one result per argument can be in its place.
  SmallVector<int64_t> tied;
  for (Value result : terminator.getOperands()) {
    Value target = getUpdatedTensor(result, region.getBody());
    auto *it = llvm::find(arguments, target);
    bool isTied = target && it != arguments.end() && target.getType() == result.getType() &&
                  !llvm::is_contained(tied, it - arguments.begin());
    tied.push_back(isTied ? it - arguments.begin() : kUntiedIndex);
  }

  OpBuilder builder(region);
  Location loc = region.getLoc();
  // The sizes come last, except for those that the body uses anyway.
  SmallVector<Value> argumentDims = getDynamicSizes(builder, arguments);
  SmallVector<Value> resultDims(region.getResultDims());
  for (Value size : llvm::concat<Value>(argumentDims, resultDims))
    if (!llvm::is_contained(arguments, size))
      arguments.push_back(size);

  // What the count region uses is part of the workload, unless it can be computed again.
  IRRewriter rewriter(builder);
  SmallVector<Value> workload(region.getWorkload());
  if (!region.getWorkgroupCount().empty())
    llvm::append_range(workload, makeRegionIsolatedFromAbove(
                                     rewriter, region.getWorkgroupCount(), [](Operation *op) {
                                       return op->hasTrait<OpTrait::ConstantLike>();
                                     }));

  bool anyTied = llvm::any_of(tied, [](int64_t index) { return index != kUntiedIndex; });
  auto workgroups = flow::DispatchWorkgroupsOp::create(
      builder, loc, region.getResultTypes(), workload, arguments, argumentDims, resultDims,
      anyTied ? builder.getIndexArrayAttr(tied) : ArrayAttr());
  workgroups->setDiscardableAttrs(llvm::to_vector(region->getDiscardableAttrs()));
  workgroups.getWorkgroupBody().takeBody(region.getBody());
  workgroups.getWorkgroupCount().takeBody(region.getWorkgroupCount());

  Region &body = workgroups.getWorkgroupBody();
  IRMapping inside;
  for (auto [index, value] : llvm::enumerate(arguments)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    TensorAccess access = llvm::is_contained(tied, static_cast<int64_t>(index))
                              ? TensorAccess::ReadWrite
                              : TensorAccess::ReadOnly;
    Type inner = type ? DispatchTensorType::get(type.getContext(), access, type) : value.getType();
    inside.map(value, body.addArgument(inner, value.getLoc()));
  }
  auto getSizesInside = [&](Type type, ValueRange &sizes) {
    return llvm::map_to_vector(takeSizes(type, sizes),
                               [&](Value size) { return inside.lookup(size); });
  };
  builder.setInsertionPointToStart(&body.front());
  ValueRange sizes = argumentDims;
  for (Value value : arguments) {
    Value replacement = inside.lookup(value);
    if (isa<RankedTensorType>(value.getType()))
      replacement = loadWhole(builder, loc, replacement, getSizesInside(value.getType(), sizes));
    auto *uses = captured.find(value); // none of a size that the body does not use
    for (OpOperand *use : uses == captured.end() ? ArrayRef<OpOperand *>() : uses->second)
      use->set(replacement);
  }
  builder.setInsertionPoint(terminator);
  sizes = resultDims;
  for (auto [result, target] : llvm::zip_equal(terminator.getOperands(), tied)) {
    auto type = cast<RankedTensorType>(result.getType());
    Value argument = target != kUntiedIndex
                         ? body.getArgument(target)
                         : body.addArgument(DispatchTensorType::get(type.getContext(),
                                                                    TensorAccess::WriteOnly, type),
                                            result.getLoc());
    storeWhole(builder, loc, result, argument, getSizesInside(type, sizes));
  }
  flow::ReturnOp::create(builder, loc, ValueRange());
  terminator.erase();
  region.replaceAllUsesWith(workgroups.getResults());
  region.erase();
  return success();
}

namespace {
struct ConvertDispatchRegionsToWorkgroups
    : dispatch_creation::impl::ConvertDispatchRegionsToWorkgroupsBase<
          ConvertDispatchRegionsToWorkgroups> {
  void runOnOperation() override {
    SmallVector<flow::DispatchRegionOp> regions;
    getOperation()->walk([&](flow::DispatchRegionOp region) { regions.push_back(region); });
    for (flow::DispatchRegionOp region : regions)
      if (failed(convertRegion(region)))
        return signalPassFailure();
  }
};
} // namespace
