//===- HostPipeline.cpp - the passes from tensors to the LLVM dialect -----===//

#include "NPU/HostLowering/HostPipeline.h"

#include "NPU/HostLowering/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;

void host::addGeneralization(OpPassManager &pm) {
  pm.addPass(createLowerTosa());
  pm.addPass(createConvertElementwiseToLinalgPass());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createLowerPacks());
  functions.addPass(createDecomposeAggregates());
  functions.addPass(createDecomposeConcat());
  functions.addPass(createGeneralizeOps());
}

/// linalg on tensors, as the loops are to be.
static void addLinalgLevel(OpPassManager &pm) {
  // Without the canonicalization that upstream's pass runs on what it inlines: see RoundOnce.cpp.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  host::addGeneralization(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // Before divisions are defined: maps divide, too.
  functions.addPass(createLowerAffinePass());
  functions.addPass(host::createDefineUndefined());
  functions.addPass(host::createKeepInBounds());
  functions.addPass(host::createRoundOnce());
  functions.addPass(host::createWidenSums());
  functions.addPass(host::createOrderLoops());
  functions.addPass(host::createSplitSlices());
  pm.addPass(createCSEPass());
  // Before both analyses of aliases below.
  pm.addNestedPass<func::FuncOp>(host::createSeparateEmpties());
  pm.addPass(host::createEliminateEmpties());
}

/// linalg on memrefs. The results of public functions become arguments.
static void addBufferLevel(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(host::createMarkEntries());

  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.bufferAlignment = host::bufferAlignment;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));

  pm.addNestedPass<func::FuncOp>(host::createCopyRepeatedResults());
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  pm.addNestedPass<func::FuncOp>(host::createReplaceCopies());
  pm.addNestedPass<func::FuncOp>(host::createReuseBuffers());
  pm.addNestedPass<func::FuncOp>(host::createCheckShapes());
  pm.addPass(host::createOutlineOps());
}

/// Loops around loads and stores.
static void addLoopLevel(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(host::createTileLoops());
  pm.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addNestedPass<func::FuncOp>(host::createCheckAllocations());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Blocks and branches.
static void addBranchLevel(OpPassManager &pm) {
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createSCFToControlFlowPass());
  // Integer powers become functions with loops of their own.
  pm.addPass(createConvertMathToFuncs());
}

/// The LLVM dialect.
static void addLLVMLevel(OpPassManager &pm) {
  // Intrinsics, which LLVM vectorizes or expands inline, where they are exact; the C library for
  // the rest.
  pm.addPass(host::createCallLibm());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void host::populateHostPipeline(OpPassManager &pm, const HostPipelineOptions &options) {
  constexpr std::pair<Level, void (*)(OpPassManager &)> levels[] = {
      {Level::Linalg, addLinalgLevel}, {Level::Buffers, addBufferLevel},
      {Level::Loops, addLoopLevel},    {Level::CF, addBranchLevel},
      {Level::LLVM, addLLVMLevel},
  };
  for (auto [level, addPasses] : levels)
    if (level <= options.level)
      addPasses(pm);
}

void host::registerHostPipeline() {
  registerHostLoweringPasses();
  // Upstream's, so that a printed pipeline can be run as it is, and cut.
  registerCanonicalizerPass();
  registerCSEPass();
  registerInlinerPass();
  registerSymbolDCEPass();
  registerConvertElementwiseToLinalgPass();
  registerConvertLinalgToLoopsPass();
  arith::registerArithExpandOpsPass();
  bufferization::registerBufferizationPasses();
  memref::registerExpandReallocPass();
  memref::registerExpandStridedMetadataPass();
  registerConvertBufferizationToMemRefPass();
  registerConvertMathToFuncs();
  registerConvertMathToLLVMPass();
  registerConvertMathToLibmPass();
  registerConvertToLLVMPass();
  registerLowerAffinePass();
  registerReconcileUnrealizedCastsPass();
  registerSCFToControlFlowPass();
  PassPipelineRegistration<HostPipelineOptions>(
      "npu-host-pipeline", "Lower functions on tensors to the LLVM dialect, for the host's CPU",
      populateHostPipeline);
}
