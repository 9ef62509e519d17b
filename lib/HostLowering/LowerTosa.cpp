//===- LowerTosa.cpp - tosa to linalg, arith and tensor ------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu::host {
#define GEN_PASS_DEF_LOWERTOSA
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct LowerTosa : npu::host::impl::LowerTosaBase<LowerTosa> {
  LowerTosa() : lowering(ModuleOp::getOperationName()) {
    lowering.addNestedPass<func::FuncOp>(createTosaToSCFPass());
    TosaToLinalgNamedOptions namedOptions;
    namedOptions.preferConv2DKernelLayoutHWCF = true;
    TosaToLinalgOptions options;
    options.disableTosaDecompositions = true;
    tosa::addTosaToLinalgPasses(lowering, options, namedOptions,
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
    if (!result.wasInterrupted())
      return;
    // The only one of upstream's decompositions that something needs. Another one fails where a
    // depthwise convolution with one weight per channel is padded.
    RewritePatternSet patterns(&getContext());
    tosa::populateTosaDecomposeTransposeConv(&getContext(), patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))) ||
        failed(runPipeline(lowering, getOperation())))
      signalPassFailure();
  }

  OpPassManager lowering;
};
} // namespace
