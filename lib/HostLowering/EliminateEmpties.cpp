//===- EliminateEmpties.cpp - compute slices where they are inserted ------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

namespace npu::host {
#define GEN_PASS_DEF_ELIMINATEEMPTIES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct EliminateEmpties : npu::host::impl::EliminateEmptiesBase<EliminateEmpties> {
  EliminateEmpties() : elimination(ModuleOp::getOperationName()) {
    elimination.addPass(bufferization::createEmptyTensorEliminationPass());
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    elimination.getDependentDialects(registry);
  }

  void runOnOperation() override {
    auto result = getOperation().walk([](Operation *op) {
      return isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp,
                 bufferization::MaterializeInDestinationOp>(op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted() && failed(runPipeline(elimination, getOperation())))
      signalPassFailure();
  }

  OpPassManager elimination;
};
} // namespace
