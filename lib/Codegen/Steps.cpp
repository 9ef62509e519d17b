//===- Steps.cpp - the passes from functions on tensors to programs -------===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/Transforms/Passes.h"

using namespace mlir;

void npu::populateLegalization(OpPassManager &pm, StringRef target) {
  // Tensor form: what the NPU computes.
  pm.addPass(createNPUWidenAccumulators());
  pm.addPass(createNPUSumsToProducts());
  pm.addPass(createConvertFuncToKernel({target.str()}));
  pm.addPass(createConvertLinalgToNPU());
  pm.addPass(createNPUVerifyTensorForm());
  pm.addPass(createNPUCheckTarget());
  pm.addPass(createNPUCheckFit());
}

void npu::populateBackEnd(OpPassManager &pm) {
  // Tile form: where data lives and when it moves.
  pm.addPass(createNPUChooseTiles());
  pm.addNestedPass<KernelOp>(createNPULowerToTiles());
  pm.addNestedPass<KernelOp>(createNPUVerifyTileForm());

  // Planned form: order, synchronisation, addresses.
  pm.addNestedPass<KernelOp>(createNPUDistributeClusters());
  pm.addNestedPass<KernelOp>(createNPUMaterializeScalars());
  pm.addNestedPass<KernelOp>(createNPUFitBuffers());
  pm.addNestedPass<KernelOp>(createNPUPlanMemory());
  pm.addNestedPass<KernelOp>(createNPUPipelineStreams());
  pm.addNestedPass<KernelOp>(createNPUVerifyPlannedForm());

  // The program.
  pm.addPass(createConvertNPUToNPUISA());
  pm.addNestedPass<isa::ProgramOp>(isa::createNPUVerifyProgram());
}
