//===- FrontHalf.cpp - from models to dispatches --------------------------===//

#include "NPU/ABI/Passes.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Pipelines/Pipelines.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;

static void cleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void npu::populateABIPipeline(OpPassManager &pm) {
  pm.addPass(abi::createImportPublic());
  pm.addPass(abi::createWrapEntryPoints());
  pm.addPass(createInlinerPass());
  cleanUp(pm);
  pm.addPass(createSymbolDCEPass());
}

void npu::populateGlobalOptimizationPipeline(OpPassManager &pm) {
  OpPassManager &host = pm.nest<util::FuncOp>();
  host.addPass(global_opt::createDetachElementwiseFromNamedOps());
  host.addPass(createSimplifyDepthwiseConvPass());
  host.addPass(createConvertElementwiseToLinalgPass());
  host.addPass(global_opt::createQuantizedMatmulToMatmul());
  host.addPass(global_opt::createDecomposeConcat());
  host.addPass(global_opt::createPropagateLinalgTranspose());
  host.addPass(global_opt::createGeneralizeLinalgNamedOps());
  host.addPass(dispatch_creation::createFoldUnitExtentDims());
  host.addPass(global_opt::createConvertStridedContractionToContraction());
  cleanUp(pm);
}

void npu::populateDispatchCreationPipeline(OpPassManager &pm,
                                           const DispatchCreationOptions &options) {
  bool isForNPU = options.mode == dispatch_creation::FusionMode::NPU;
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(dispatch_creation::createTensorPadToTensorInsertSlice({/*keepWindows=*/isForNPU}));
    if (isForNPU)
      host.addPass(dispatch_creation::createFoldTransposesIntoRoots());
  }
  cleanUp(pm);

  // Make the most of what elementwise ops can be fused with.
  auto addPreprocessing = [&](std::unique_ptr<Pass> pass) {
    pm.addNestedPass<util::FuncOp>(std::move(pass));
    cleanUp(pm);
  };
  addPreprocessing(dispatch_creation::createElementwiseOpFusion());
  addPreprocessing(dispatch_creation::createBubbleUpExpandShapes());
  addPreprocessing(dispatch_creation::createElementwiseOpFusion());
  addPreprocessing(dispatch_creation::createSinkReshapes());
  addPreprocessing(dispatch_creation::createTransposeGenericOps());

  // Dispatches.
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(
        dispatch_creation::createFormDispatchRegions({options.mode, options.horizontalFusion}));
    host.addPass(dispatch_creation::createCloneProducersIntoDispatchRegions());
    host.addPass(dispatch_creation::createCollapseDimensions());
    // The last pass may have left constants and fills of the new shapes outside.
    host.addPass(dispatch_creation::createCloneProducersIntoDispatchRegions());
    host.addPass(dispatch_creation::createConvertDispatchRegionsToWorkgroups());
    host.addPass(dispatch_creation::createConvertTensorToFlow());
    host.addPass(dispatch_creation::createMaterializeDefaultWorkgroupCountRegion());
  }
  cleanUp(pm);
}

void npu::populateFlowPipeline(OpPassManager &pm) {
  pm.addNestedPass<util::FuncOp>(flow::createInitializeEmptyTensors());
  cleanUp(pm);
  pm.addPass(flow::createOutlineDispatchRegions());
  pm.addPass(flow::createAnnotateDispatches());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(flow::createDeduplicateExecutables());
  cleanUp(pm);
  pm.addPass(createSymbolDCEPass());
}

void npu::populateFrontHalfPipeline(OpPassManager &pm, const DispatchCreationOptions &options) {
  // Models in tosa are lowered by upstream's passes; other models are not changed by them.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(), TosaToLinalgNamedOptions(),
                              /*validationOptions=*/std::nullopt);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  populateABIPipeline(pm);
  populateGlobalOptimizationPipeline(pm);
  populateDispatchCreationPipeline(pm, options);
  populateFlowPipeline(pm);
}

void npu::registerFrontHalfPipelines() {
  PassPipelineRegistration<>("npu-abi-pipeline",
                             "Give a model the calling convention on buffer views",
                             populateABIPipeline);
  PassPipelineRegistration<>("npu-global-optimization-pipeline",
                             "Bring a model into the form that dispatches are made of",
                             populateGlobalOptimizationPipeline);
  PassPipelineRegistration<DispatchCreationOptions>("npu-dispatch-creation-pipeline",
                                                    "Form the dispatches of a model",
                                                    populateDispatchCreationPipeline);
  PassPipelineRegistration<>("npu-flow-pipeline", "Outline dispatches into executables",
                             populateFlowPipeline);
  PassPipelineRegistration<DispatchCreationOptions>(
      "npu-front-half", "From a model in linalg or tosa to a program of dispatches",
      populateFrontHalfPipeline);
}
