//===- Classic.cpp - the steps in the order of 2023 -----------------------===//
//
// In 2023, IREE had one pipeline between the calling convention and the flow level:
// buildGlobalOptimizationPassPipeline and what followed it. Where one step of that time is several
// passes today, these are next to each other.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Pipelines/Passes.h"
#include "NPU/Pipelines/Pipelines.h"
#include "Steps.h"

#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;

void npu::populateClassicPipeline(OpPassManager &pm, const FrontHalfOptions &options) {
  populateInputPipeline(pm);

  // WrapEntryPoints, Inliner, Canonicalizer, CSE, SymbolDCE.
  ABIOptions abiOptions;
  abiOptions.invocationModel = options.invocationModel.getValue();
  populateABIPipeline(pm, abiOptions);

  addGlobalSteps(pm);
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(dispatch_creation::createTensorPadToTensorInsertSlice());
    // What frontends then wrote as insertions is one op now.
    host.addPass(global_opt::createDecomposeConcat());
    host.addPass(global_opt::createConvertElementwiseToLinalg());
    // LinalgFoldUnitExtentDims.
    host.addPass(dispatch_creation::createFoldUnitExtentDims());
    // InterchangeGenericOps.
    host.addPass(dispatch_creation::createTransposeGenericOps());
    host.addPass(memref::createResolveShapedTypeResultDimsPass());
  }
  addCleanUp(pm);
  // FusionOfTensorOps.
  pm.addNestedPass<util::FuncOp>(dispatch_creation::createElementwiseOpFusion());
  if (options.detensorize)
    pm.addPass(dispatch_creation::createDetensorize());
  addCleanUp(pm);
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(dispatch_creation::createSplitReductionOps({options.splitMatmulReduction}));
    // InterchangeTransposeGenericOps.
    host.addPass(dispatch_creation::createTransposeGenericOps());
  }

  // DispatchWithTransformDialect, FormDispatchRegions, CollapseDimensions, FormDispatchWorkgroups.
  addTransformScript(pm, options.transformSpec);
  addFormation(pm, options);
  // The size of a cast becomes that of what is cast, which can be resolved.
  addCleanUp(pm);
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    // CaptureDispatchDynamicDims.
    host.addPass(flow::createCaptureDynamicDims());
    // Sizes that formation asked for.
    addSizeResolution(host);
  }
  addCleanUp(pm);
  pm.addNestedPass<util::FuncOp>(
      flow::createInitializeEmptyTensors({options.zeroFillEmptyTensors}));
  addOutlining(pm, options.traceDispatchTensors);
  pm.addPass(flow::createOutlineConstants());
  pm.addNestedPass<util::FuncOp>(flow::createCleanupTensorShapes());
  addCleanUp(pm);
  addSymbolDCE(pm);
}
