//===- Steps.cpp - the passes from functions on tensors to programs -------===//

#include "NPU/Codegen/Steps.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

void npu::populateLegalization(OpPassManager &pm, StringRef target) {
  // Whole models have these taken apart when dispatches are imported; here come single functions.
  linalg_ext::addDecomposition(pm);
  pm.addPass(createConvertLinalgExtToNPU());
  pm.addNestedPass<func::FuncOp>(global_opt::createQuantizedConvToConv());
  pm.addNestedPass<func::FuncOp>(global_opt::createQuantizedMatmulToMatmul());
  pm.addPass(createNPUSliceOperands());
  pm.addPass(createNPUDetachElementwiseFromWindows());
  pm.addPass(createNPURoundConstants());
  pm.addPass(createNPUNarrowIndexArithmetic());
  pm.addPass(createNPUTabulatePositions());
  pm.addPass(createNPUDecomposeAggregates());
  // Functions as the model has them: an expanded one may round otherwise.
  pm.addPass(createNPUTabulateFunctions());
  pm.addPass(createNPUFitSums());
  pm.addPass(createNPUExpandScalarOps());
  pm.addPass(createNPUWidenAccumulators());
  pm.addPass(createConvertFuncToKernel({target.str()}));
  pm.addPass(createConvertLinalgToNPU());
  pm.addNestedPass<KernelOp>(createNPUFoldStrides());
  pm.addPass(createNPUExpandArgReductions());
  pm.addPass(createNPUVerifyTensorForm());
  pm.addPass(createNPUCheckTarget());
  pm.addPass(createNPUCheckFit());
}

void npu::populateTileFormPipeline(OpPassManager &pm) {
  // Where data lives and when it moves.
  pm.addNestedPass<KernelOp>(createNPULowerToTiles());
  pm.addNestedPass<KernelOp>(createNPUVerifyTileForm());
}

void npu::populatePlannedFormPipeline(OpPassManager &pm) {
  // Order, synchronization, addresses.
  pm.addNestedPass<KernelOp>(createNPUDistributeClusters());
  pm.addNestedPass<KernelOp>(createNPUMaterializeScalars());
  pm.addNestedPass<KernelOp>(createNPUFitBuffers());
  pm.addNestedPass<KernelOp>(createNPUKeepResident());
  pm.addNestedPass<KernelOp>(createNPUOrderScratch());
  pm.addNestedPass<KernelOp>(createNPUSinkLoads());
  pm.addNestedPass<KernelOp>(createNPUSpreadLoads());
  pm.addNestedPass<KernelOp>(createNPUPrefetchOperands());
  pm.addNestedPass<KernelOp>(createNPUPlanMemory());
  pm.addNestedPass<KernelOp>(createNPUPipelineStreams());
  pm.addNestedPass<KernelOp>(createNPUSplitLastTiles());
  pm.addNestedPass<KernelOp>(createNPUDeferHalos());
  pm.addNestedPass<KernelOp>(createNPUSplitFirstTiles());
  pm.addNestedPass<KernelOp>(createNPUDropIdleLoads());
  pm.addNestedPass<KernelOp>(createNPUVerifyPlannedForm());
}

void npu::populateProgramPipeline(OpPassManager &pm) {
  pm.addPass(npu::createConvertNPUToNPUISA());
  pm.addNestedPass<npu::isa::ProgramOp>(npu::isa::createNPUTightenWaits());
  // No wait is longer than it must be; what remains to be proven is that none is too short.
  pm.addNestedPass<npu::isa::ProgramOp>(npu::isa::createNPUVerifyProgram({/*tightWaits=*/false}));
}

void npu::populateBackEndToTileForm(OpPassManager &pm) {
  pm.addPass(createNPUChooseTiles());
  populateTileFormPipeline(pm);
}

void npu::populateBackEndFromTileForm(OpPassManager &pm) {
  populatePlannedFormPipeline(pm);
  populateProgramPipeline(pm);
}

void npu::populateDraftFromTileForm(OpPassManager &pm) {
  populatePlannedFormPipeline(pm);
  pm.addPass(npu::createConvertNPUToNPUISA());
}

void npu::populateBackEnd(OpPassManager &pm) {
  populateBackEndToTileForm(pm);
  populateBackEndFromTileForm(pm);
}
