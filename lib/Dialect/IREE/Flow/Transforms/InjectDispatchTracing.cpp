//===- InjectDispatchTracing.cpp - trace what dispatches read and write ---===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"

namespace npu::flow {
#define GEN_PASS_DEF_INJECTDISPATCHTRACING
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// Traces the tensors among `values`, whose dynamic sizes are `dims`.
static void trace(OpBuilder &builder, Location loc, const Twine &key, ValueRange values,
                  ValueRange dims) {
  SmallVector<Value> tensors = llvm::filter_to_vector(
      values, [](Value value) { return isa<RankedTensorType>(value.getType()); });
  if (!tensors.empty())
    TensorTraceOp::create(builder, loc, builder.getStringAttr(key), tensors, dims);
}

namespace {
struct InjectDispatchTracing : npu::flow::impl::InjectDispatchTracingBase<InjectDispatchTracing> {
  void runOnOperation() override {
    for (auto dispatch : getOperation().getFunctionBody().getOps<DispatchOp>()) {
      auto entryPoint = cast<SymbolRefAttr>(dispatch.getEntryPoints()[0]);
      std::string name = entryPoint.getRootReference().str();
      for (FlatSymbolRefAttr nested : entryPoint.getNestedReferences())
        name += ("::" + nested.getValue()).str();
      OpBuilder builder(dispatch);
      trace(builder, dispatch.getLoc(), name + " inputs", dispatch.getArguments(),
            dispatch.getArgumentDims());
      builder.setInsertionPointAfter(dispatch);
      trace(builder, dispatch.getLoc(), name + " outputs", dispatch.getResults(),
            dispatch.getResultDims());
    }
  }
};
} // namespace
