//===- LowerTosa.cpp - tosa to linalg, arith and tensor -------------------===//

#include "NPU/Pipelines/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/SourceOps.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu {
#define GEN_PASS_DEF_LOWERTOSA
#include "NPU/Pipelines/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// Emits an error at ops with zero points that the model gives at run time: their lowerings need
/// numbers.
static LogicalResult verifyZeroPoints(ModuleOp module) {
  auto verify = [](Operation *op, ValueRange zeroPoints) -> WalkResult {
    for (Value zeroPoint : zeroPoints) {
      if (matchPattern(zeroPoint, m_Constant()))
        continue;
      InFlightDiagnostic diagnostic =
          op->emitOpError("expected its zero points to be constants; make them tosa.const, or "
                          "compute with integers of which the zero point is taken off before");
      diagnostic.attachNote(zeroPoint.getLoc()) << "found one that is known at run time";
      return diagnostic;
    }
    return WalkResult::advance();
  };
  return failure(module
                     ->walk([&](Operation *op) {
                       return llvm::TypeSwitch<Operation *, WalkResult>(op)
                           .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
                                 tosa::TransposeConv2DOp>([&](auto conv) {
                             return verify(op, {conv.getInputZp(), conv.getWeightZp()});
                           })
                           .Case([&](tosa::MatMulOp matmul) {
                             return verify(op, {matmul.getAZp(), matmul.getBZp()});
                           })
                           .Case([&](tosa::AvgPool2dOp pool) {
                             return verify(op, {pool.getInputZp(), pool.getOutputZp()});
                           })
                           .Default(WalkResult::advance());
                     })
                     .wasInterrupted());
}

/// Of upstream's decompositions, the one without which convolutions have no lowering. The other one
/// makes depthwise convolutions with one weight per channel products of tensors, and fails where
/// these are padded.
static LogicalResult decomposeTransposedConvs(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  tosa::populateTosaDecomposeTransposeConv(module.getContext(), patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

namespace {
struct LowerTosa : npu::impl::LowerTosaBase<LowerTosa> {
  LowerTosa() : lowering(ModuleOp::getOperationName()) {
    lowering.addNestedPass<func::FuncOp>(createTosaToSCFPass());
    TosaToLinalgOptions options;
    options.disableTosaDecompositions = true;
    // Upstream's validation refuses models that its lowerings can deal with.
    tosa::addTosaToLinalgPasses(lowering, options, TosaToLinalgNamedOptions(),
                                /*validationOptions=*/std::nullopt);
    OpPassManager &functions = lowering.nest<func::FuncOp>();
    functions.addPass(createTosaToArithPass());
    functions.addPass(createTosaToTensorPass());
    // Shapes that were ops are attributes now.
    lowering.addPass(createCanonicalizerPass());
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    lowering.getDependentDialects(registry);
  }

  void runOnOperation() override {
    // A dozen passes would look at every op of the module in vain.
    if (!getAnalysis<PresentOps>().holdsAnyOf<tosa::TosaDialect>())
      return markAllAnalysesPreserved();
    if (failed(verifyZeroPoints(getOperation())))
      return signalPassFailure();
    SourceOps sources(getOperation(), llvm::IsaPred<tosa::TosaOp>);
    if (failed(decomposeTransposedConvs(getOperation())) ||
        failed(runPipeline(lowering, getOperation())) ||
        // Upstream's lowerings may write invalid ops; the pass manager may verify much later.
        failed(verify(getOperation())))
      signalPassFailure();
  }

  OpPassManager lowering;
};
} // namespace
