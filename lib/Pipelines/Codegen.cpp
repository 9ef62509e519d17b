//===- Codegen.cpp - from functions on tensors to programs ----------------===//

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Partition/Passes.h"
#include "NPU/Pipelines/Pipelines.h"
#include "Steps.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void npu::populateTensorFormPipeline(OpPassManager &pm, const CodegenPipelineOptions &options) {
  // Flow executables, if there are any, become functions on tensors.
  pm.addPass(flow::createImportDispatches());

  // What a function reads from a global that does not change is a constant of its own.
  pm.addPass(input::createImportMLProgram());
  addGlobalFolding(pm);

  // What the NPU does not compute goes to the host, or nowhere.
  LegalizeDispatchesOptions legalize;
  legalize.target = options.target;
  legalize.fallback = options.fallback;
  legalize.placement = options.placement;
  pm.addPass(createLegalizeDispatches(legalize));

  // Kernels may also be written by hand.
  pm.addPass(createNPUVerifyTensorForm());
  pm.addPass(createNPUCheckTarget());
  pm.addPass(createNPUChooseTiles());
}

void npu::populateCodegenPipeline(OpPassManager &pm, const CodegenPipelineOptions &options) {
  populateTensorFormPipeline(pm, options);
  populateTileFormPipeline(pm);
  populatePlannedFormPipeline(pm);
  populateProgramPipeline(pm);
}

void npu::registerPipelines() {
  PassPipelineRegistration<CodegenPipelineOptions>("npu-codegen-pipeline",
                                                   "Compile functions on tensors to NPU programs",
                                                   populateCodegenPipeline);
  PassPipelineRegistration<CodegenPipelineOptions>(
      "npu-tensor-form-pipeline", "Bring functions on tensors to kernels in tensor form, scheduled",
      populateTensorFormPipeline);
  PassPipelineRegistration<>("npu-tile-form-pipeline",
                             "Bring kernels from tensor form with a schedule to tile form",
                             populateTileFormPipeline);
  PassPipelineRegistration<>("npu-planned-form-pipeline",
                             "Bring kernels from tile form to planned form",
                             populatePlannedFormPipeline);
  PassPipelineRegistration<>("npu-program-pipeline",
                             "Bring kernels from planned form to programs, and verify these",
                             populateProgramPipeline);
  registerFrontHalfPipelines();
}
