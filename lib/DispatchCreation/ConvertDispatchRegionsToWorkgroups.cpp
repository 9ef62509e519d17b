//===- ConvertDispatchRegionsToWorkgroups.cpp - isolate dispatches --------===//

#include "NPU/DispatchCreation/Passes.h"

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

static Value loadWhole(OpBuilder &builder, Location loc, Value source) {
  RankedTensorType type = cast<DispatchTensorType>(source.getType()).getTensorType();
  WholeTensor whole(type);
  return tensor_ext::DispatchTensorLoadOp::create(builder, loc, type, source,
                                                  /*source_dims=*/ValueRange(), ValueRange(),
                                                  ValueRange(), ValueRange(), whole.offsets,
                                                  whole.sizes, whole.strides);
}

static void storeWhole(OpBuilder &builder, Location loc, Value value, Value target) {
  WholeTensor whole(cast<RankedTensorType>(value.getType()));
  tensor_ext::DispatchTensorStoreOp::create(builder, loc, value, target,
                                            /*target_dims=*/ValueRange(), ValueRange(),
                                            ValueRange(), ValueRange(), whole.offsets, whole.sizes,
                                            whole.strides);
}

static LogicalResult convertRegion(flow::DispatchRegionOp region) {
  if (!region.getBody().hasOneBlock())
    return region.emitOpError("expected one block to isolate, found ")
           << region.getBody().getBlocks().size();
  auto terminator = cast<flow::ReturnOp>(region.getBody().front().getTerminator());
  CapturedUses captured = getCapturedUses(region.getBody());
  auto arguments = llvm::to_vector(llvm::make_first_range(captured));
  for (Value value : llvm::concat<Value>(arguments, llvm::to_vector(region.getResults())))
    if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && !type.hasStaticShape())
      return region.emitOpError("expected static shapes, found ") << type;

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
  bool anyTied = llvm::any_of(tied, [](int64_t index) { return index != kUntiedIndex; });
  auto workgroups = flow::DispatchWorkgroupsOp::create(
      builder, loc, region.getResultTypes(), region.getWorkload(), arguments,
      /*argument_dims=*/ValueRange(), region.getResultDims(),
      anyTied ? builder.getIndexArrayAttr(tied) : ArrayAttr());
  workgroups->setDiscardableAttrs(llvm::to_vector(region->getDiscardableAttrs()));
  workgroups.getWorkgroupBody().takeBody(region.getBody());
  workgroups.getWorkgroupCount().takeBody(region.getWorkgroupCount());

  Region &body = workgroups.getWorkgroupBody();
  builder.setInsertionPointToStart(&body.front());
  for (auto [index, value] : llvm::enumerate(arguments)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    TensorAccess access = llvm::is_contained(tied, static_cast<int64_t>(index))
                              ? TensorAccess::ReadWrite
                              : TensorAccess::ReadOnly;
    Type inner = type ? DispatchTensorType::get(type.getContext(), access, type) : value.getType();
    BlockArgument argument = body.addArgument(inner, value.getLoc());
    Value replacement = type ? loadWhole(builder, loc, argument) : argument;
    for (OpOperand *use : captured[value])
      use->set(replacement);
  }
  builder.setInsertionPoint(terminator);
  for (auto [result, target] : llvm::zip_equal(terminator.getOperands(), tied)) {
    auto type = cast<RankedTensorType>(result.getType());
    Value argument = target != kUntiedIndex
                         ? body.getArgument(target)
                         : body.addArgument(DispatchTensorType::get(type.getContext(),
                                                                    TensorAccess::WriteOnly, type),
                                            result.getLoc());
    storeWhole(builder, loc, result, argument);
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
