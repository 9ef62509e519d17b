//===- MaterializeDefaultWorkgroupCountRegion.cpp - say what the workgroup count depends on -===//

#include "NPU/DispatchCreation/Passes.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_MATERIALIZEDEFAULTWORKGROUPCOUNTREGION
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

static void materialize(flow::DispatchWorkgroupsOp workgroups) {
  // The workload: every index that the body sees.
  SmallVector<Value> workload;
  Block &body = workgroups.getWorkgroupBody().front();
  auto builder = OpBuilder::atBlockBegin(&body);
  Location loc = workgroups.getLoc();
  for (auto [value, argument] : llvm::zip(workgroups.getArguments(), body.getArguments())) {
    if (!isa<IndexType>(value.getType()))
      continue;
    auto ordinal = tensor_ext::DispatchWorkloadOrdinalOp::create(
        builder, loc, argument, builder.getIndexAttr(workload.size()));
    argument.replaceAllUsesExcept(ordinal.getResult(), ordinal);
    workload.push_back(value);
  }
  workgroups.getWorkloadMutable().assign(workload);

  Block &count = workgroups.getWorkgroupCount().emplaceBlock();
  builder.setInsertionPointToStart(&count);
  for (Value value : workload)
    count.addArgument(value.getType(), value.getLoc());
  Type index = builder.getIndexType();
  auto slice = tensor_ext::DispatchWorkgroupCountFromSliceOp::create(builder, loc, index, index,
                                                                     index, count.getArguments());
  flow::ReturnOp::create(builder, loc, slice.getResults());
}

namespace {
struct MaterializeDefaultWorkgroupCountRegion
    : dispatch_creation::impl::MaterializeDefaultWorkgroupCountRegionBase<
          MaterializeDefaultWorkgroupCountRegion> {
  void runOnOperation() override {
    getOperation()->walk([](flow::DispatchWorkgroupsOp workgroups) {
      if (workgroups.getWorkgroupCount().empty())
        materialize(workgroups);
    });
  }
};
} // namespace
