//===- Codegen.cpp - from functions on tensors to programs ----------------===//

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Partition/Passes.h"
#include "NPU/Pipelines/Pipelines.h"
#include "Steps.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void npu::populateCodegenPipeline(OpPassManager &pm, const CodegenPipelineOptions &options) {
  // Flow executables, if there are any, become functions on tensors.
  pm.addPass(flow::createImportDispatches());

  // What a function reads from a global that nobody changes is a constant of its own.
  pm.addPass(input::createImportMLProgram());
  addGlobalFolding(pm);

  // What the NPU does not compute goes to the host, or nowhere.
  PartitionDispatchesOptions partition;
  partition.target = options.target;
  partition.fallback = options.fallback;
  partition.placement = options.placement;
  pm.addPass(createPartitionDispatches(partition));

  // Tensor form: what the NPU computes.
  pm.addPass(createNPUWidenAccumulators());
  pm.addPass(createNPUSumsToProducts());
  pm.addPass(createConvertFuncToKernel({options.target}));
  pm.addPass(createConvertLinalgToNPU());
  pm.addPass(createNPUVerifyTensorForm());
  pm.addPass(createNPUCheckTarget());

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

void npu::registerPipelines() {
  PassPipelineRegistration<CodegenPipelineOptions>("npu-codegen-pipeline",
                                                   "Compile functions on tensors to NPU programs",
                                                   populateCodegenPipeline);
  registerFrontHalfPipelines();
}
