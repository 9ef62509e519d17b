//===- CaptureDynamicDims.cpp - sizes become arguments of dispatches ------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

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

namespace {
struct CaptureDynamicDims : npu::flow::impl::CaptureDynamicDimsBase<CaptureDynamicDims> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](DispatchWorkgroupsOp dispatch) { changed |= captureDims(dispatch); });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
