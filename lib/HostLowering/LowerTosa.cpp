//===- LowerTosa.cpp - tosa to linalg, arith and tensor ------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace npu::host {
#define GEN_PASS_DEF_LOWERTOSA
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct LowerTosa : npu::host::impl::LowerTosaBase<LowerTosa> {
  LowerTosa() : lowering(ModuleOp::getOperationName()) {
    TosaToLinalgNamedOptions namedOptions;
    namedOptions.preferConv2DKernelLayoutHWCF = true;
    tosa::addTosaToLinalgPasses(lowering, TosaToLinalgOptions(), namedOptions,
                                /*validationOptions=*/std::nullopt);
    TosaToArithPassOptions arithOptions;
    arithOptions.includeApplyRescale = true;
    lowering.addNestedPass<func::FuncOp>(createTosaToArithPass(arithOptions));
    lowering.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    lowering.getDependentDialects(registry);
  }

  void runOnOperation() override {
    auto result = getOperation().walk([](Operation *op) {
      return isa<tosa::TosaOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted() && failed(runPipeline(lowering, getOperation())))
      signalPassFailure();
  }

  OpPassManager lowering;
};
} // namespace
