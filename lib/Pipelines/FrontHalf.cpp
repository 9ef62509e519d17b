//===- FrontHalf.cpp - from models to dispatches --------------------------===//

#include "NPU/ABI/Passes.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Pipelines/Passes.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Preparation/Passes.h"
#include "Steps.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;

/// Runs `pipeline` on what holds one of the ops.
template <typename... OpTs>
static void addIfPresent(OpPassManager &pm, const OpPassManager &pipeline) {
  RunIfPresentOptions options;
  options.ops = {OpTs::getOperationName().str()...};
  options.pipelines.push_back(pipeline);
  pm.addPass(createRunIfPresent(std::move(options)));
}

void npu::addSymbolDCE(OpPassManager &pm) {
  RunIfPresentOptions options;
  options.privateSymbols = true;
  options.pipelines.emplace_back(ModuleOp::getOperationName()).addPass(createSymbolDCEPass());
  pm.addPass(createRunIfPresent(std::move(options)));
}

void npu::addCleanUp(OpPassManager &pm) {
  pm.addNestedPass<util::InitializerOp>(createCleanUp());
  pm.addNestedPass<util::FuncOp>(createCleanUp());
}

void npu::addGlobalSteps(OpPassManager &pm) {
  addCleanUp(pm);
  OpPassManager steps(ModuleOp::getOperationName());
  steps.addNestedPass<util::InitializerOp>(util::createSimplifyGlobalAccesses());
  steps.addNestedPass<util::FuncOp>(util::createSimplifyGlobalAccesses());
  steps.addPass(util::createApplyPatterns());
  steps.addPass(util::createFoldGlobals());
  steps.addPass(util::createFuseGlobals());
  addCleanUp(steps);
  // Without globals or branches, what is canonical has nothing to simplify.
  addIfPresent<util::GlobalOp, cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>(pm, steps);
}

void npu::addGlobalFolding(OpPassManager &pm) {
  OpPassManager steps(ModuleOp::getOperationName());
  steps.addPass(util::createFoldGlobals());
  addIfPresent<util::GlobalLoadOp>(pm, steps);
}

/// Upstream's pass visits every op, to rewrite those that ask for a size.
void npu::addSizeResolution(OpPassManager &host) {
  OpPassManager steps(*host.getOpName());
  steps.addPass(memref::createResolveShapedTypeResultDimsPass());
  addIfPresent<tensor::DimOp, memref::DimOp>(host, steps);
}

void npu::addTransformScript(OpPassManager &pm, StringRef filename) {
  if (filename.empty())
    return;
  transform::PreloadLibraryPassOptions options;
  options.transformLibraryPaths.push_back(filename.str());
  pm.addPass(transform::createPreloadLibraryPass(options));
  pm.addPass(transform::createInterpreterPass());
}

void npu::populateABIPipeline(OpPassManager &pm, const ABIOptions &options) {
  pm.addPass(abi::createImportPublic());
  pm.addPass(abi::createWrapEntryPoints({options.invocationModel}));
  pm.addPass(createInlinerPass(llvm::StringMap<OpPassManager>(), [](OpPassManager &) {}));
  addSymbolDCE(pm);
  addCleanUp(pm);
}

void npu::populateGlobalOptimizationPipeline(OpPassManager &pm,
                                             const GlobalOptimizationOptions &options) {
  pm.addPass(flow::createDropEncodings());
  OpPassManager &host = pm.nest<util::FuncOp>();
  if (options.mode == dispatch_creation::FusionMode::NPU)
    host.addPass(createNPUDecomposeTransposedConvs());
  host.addPass(global_opt::createQuantizedConvToConv());
  host.addPass(global_opt::createDetachElementwiseFromNamedOps());
  host.addPass(global_opt::createSimplifyDepthwiseConv());
  host.addPass(global_opt::createConvertElementwiseToLinalg());
  host.addPass(global_opt::createRaiseSpecialOps());
  host.addPass(global_opt::createQuantizedMatmulToMatmul());
  host.addPass(global_opt::createDecomposeConcat());
  host.addPass(global_opt::createPropagateLinalgTranspose());
  host.addPass(global_opt::createGeneralizeLinalgNamedOps());
  host.addPass(dispatch_creation::createFoldUnitExtentDims());
  host.addPass(global_opt::createConvertStridedContractionToContraction());
  addGlobalSteps(pm);
  pm.addNestedPass<util::FuncOp>(global_opt::createRaiseSpecialOps());
}

void npu::populateDispatchCreationPipeline(OpPassManager &pm,
                                           const DispatchCreationOptions &options) {
  pm.addPass(flow::createDropEncodings());
  bool isForNPU = options.mode == dispatch_creation::FusionMode::NPU;
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(dispatch_creation::createTensorPadToTensorInsertSlice({/*keepWindows=*/isForNPU}));
    if (isForNPU) {
      host.addPass(createNPURoundConstants());
      host.addPass(createNPUNarrowFloats());
      host.addPass(createNPUNarrowIndexArithmetic());
      // Here bytes still stand before a norm and behind it.
      if (options.keepIntegers)
        host.addPass(createNPUFitRows());
      host.addPass(dispatch_creation::createFoldTransposesIntoRoots());
    }
  }
  addGlobalSteps(pm);

  // Make the most of what elementwise ops can be fused with.
  auto addPreprocessing = [&](std::unique_ptr<Pass> pass) {
    pm.addNestedPass<util::FuncOp>(std::move(pass));
    addCleanUp(pm);
  };
  auto createFusion = [&] {
    return dispatch_creation::createElementwiseOpFusion(
        {/*keepTails=*/isForNPU, isForNPU && options.keepIntegers, /*keepNarrow=*/isForNPU});
  };
  addPreprocessing(createFusion());
  addPreprocessing(dispatch_creation::createBubbleUpExpandShapes());
  addPreprocessing(createFusion());
  addPreprocessing(dispatch_creation::createSinkReshapes());
  if (options.detensorize)
    pm.addPass(dispatch_creation::createDetensorize());
  pm.addNestedPass<util::FuncOp>(
      dispatch_creation::createSplitReductionOps({options.splitMatmulReduction}));
  addPreprocessing(dispatch_creation::createTransposeGenericOps());
  pm.addNestedPass<util::FuncOp>(dispatch_creation::createRemoveTensorBarriers());

  addTransformScript(pm, options.transformSpec);
  addFormation(pm, options);
  addCleanUp(pm);
}

void npu::addFormation(OpPassManager &pm, const DispatchCreationOptions &options) {
  OpPassManager &host = pm.nest<util::FuncOp>();
  addSizeResolution(host);
  host.addPass(dispatch_creation::createFormDispatchRegions(
      {options.mode, options.horizontalFusion, options.fuseAttention, options.keepIntegers}));
  addFormationOfRegions(pm, options.mode);
}

void npu::addFormationOfRegions(OpPassManager &pm, dispatch_creation::FusionMode mode) {
  OpPassManager &host = pm.nest<util::FuncOp>();
  host.addPass(dispatch_creation::createCloneProducersIntoDispatchRegions());
  host.addPass(dispatch_creation::createCollapseDimensions(
      {/*keepImages=*/mode == dispatch_creation::FusionMode::NPU}));
  // The last pass may have left constants and fills of the new shapes outside.
  host.addPass(dispatch_creation::createCloneProducersIntoDispatchRegions());
  host.addPass(dispatch_creation::createConvertDispatchRegionsToWorkgroups());
  host.addPass(dispatch_creation::createConvertTensorToFlow());
  host.addPass(dispatch_creation::createMaterializeDefaultWorkgroupCountRegion());
}

void npu::populateFlowPipeline(OpPassManager &pm, const FlowOptions &options) {
  pm.addPass(flow::createDropEncodings());
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(flow::createInitializeEmptyTensors({options.zeroFillEmptyTensors}));
    host.addPass(flow::createCaptureDynamicDims());
    addSizeResolution(host);
  }
  addCleanUp(pm);
  pm.addPass(flow::createVerifyInputLegality());
  addOutlining(pm, options.traceDispatchTensors);
  pm.addNestedPass<util::FuncOp>(flow::createCleanupTensorShapes());
  pm.addPass(flow::createOutlineConstants());
  addGlobalSteps(pm);
  addSymbolDCE(pm);
}

void npu::addOutlining(OpPassManager &pm, bool traceDispatchTensors) {
  pm.addPass(flow::createOutlineDispatchExterns());
  pm.addPass(flow::createOutlineDispatchRegions());
  // What is equal already need not be named and cleaned up.
  pm.addPass(flow::createDeduplicateExecutables());
  pm.addPass(flow::createAnnotateDispatches());
  {
    OpPassManager &executables = pm.nest<flow::ExecutableOp>();
    executables.addPass(util::createStripDebugOps());
    executables.addPass(createCleanUp());
  }
  pm.addPass(flow::createDeduplicateExecutables());
  {
    OpPassManager &host = pm.nest<util::FuncOp>();
    host.addPass(createCleanUp());
    if (traceDispatchTensors)
      host.addPass(flow::createInjectDispatchTracing());
  }
}

void npu::populateFrontHalfPipeline(OpPassManager &pm, const FrontHalfOptions &options) {
  ABIOptions abiOptions;
  abiOptions.invocationModel = options.invocationModel.getValue();
  GlobalOptimizationOptions globalOptions;
  globalOptions.mode = options.mode.getValue();
  FlowOptions flowOptions;
  flowOptions.traceDispatchTensors = options.traceDispatchTensors.getValue();
  flowOptions.zeroFillEmptyTensors = options.zeroFillEmptyTensors.getValue();
  populateInputPipeline(pm);
  populateABIPipeline(pm, abiOptions);
  populateGlobalOptimizationPipeline(pm, globalOptions);
  populateDispatchCreationPipeline(pm, options);
  populateFlowPipeline(pm, flowOptions);
}

void npu::registerFrontHalfPipelines() {
  PassPipelineRegistration<>("npu-onnx-pipeline", "Turn ONNX graphs into functions on tensors",
                             populateONNXPipeline);
  PassPipelineRegistration<>("npu-input-pipeline",
                             "Bring a model in onnx, tosa or linalg into host functions on linalg",
                             populateInputPipeline);
  PassPipelineRegistration<ABIOptions>("npu-abi-pipeline",
                                       "Give a model the calling convention on buffer views",
                                       populateABIPipeline);
  PassPipelineRegistration<GlobalOptimizationOptions>(
      "npu-global-optimization-pipeline", "Bring a model into the form that dispatches are made of",
      populateGlobalOptimizationPipeline);
  PassPipelineRegistration<DispatchCreationOptions>("npu-dispatch-creation-pipeline",
                                                    "Form the dispatches of a model",
                                                    populateDispatchCreationPipeline);
  PassPipelineRegistration<FlowOptions>("npu-flow-pipeline", "Outline dispatches into executables",
                                        populateFlowPipeline);
  PassPipelineRegistration<FrontHalfOptions>(
      "npu-front-half", "From a model in linalg or tosa to a program of dispatches",
      populateFrontHalfPipeline);
  PassPipelineRegistration<FrontHalfOptions>(
      "npu-classic-pipeline", "The steps of the front half in the order that IREE had in 2023",
      populateClassicPipeline);
}
