//===- LowerTosa.cpp - tosa to linalg, arith and tensor -------------------===//

#include "NPU/Pipelines/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace npu {
#define GEN_PASS_DEF_LOWERTOSA
#include "NPU/Pipelines/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
struct LowerTosa : npu::impl::LowerTosaBase<LowerTosa> {
  LowerTosa() : lowering(ModuleOp::getOperationName()) {
    lowering.addNestedPass<func::FuncOp>(createTosaToSCFPass());
    // Upstream's validation refuses models that its lowerings can deal with.
    tosa::addTosaToLinalgPasses(lowering, TosaToLinalgOptions(), TosaToLinalgNamedOptions(),
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
    if (failed(runPipeline(lowering, getOperation())))
      signalPassFailure();
  }

  OpPassManager lowering;
};
} // namespace
