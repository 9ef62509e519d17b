//===- Codegen.cpp - from functions on tensors to programs ----------------===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
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
  LegalizeDispatchesOptions legalize;
  legalize.target = options.target;
  legalize.fallback = options.fallback;
  legalize.placement = options.placement;
  pm.addPass(createLegalizeDispatches(legalize));

  // Kernels may also be written by hand.
  pm.addPass(createNPUVerifyTensorForm());
  pm.addPass(createNPUCheckTarget());
  populateBackEnd(pm);
}

void npu::registerPipelines() {
  PassPipelineRegistration<CodegenPipelineOptions>("npu-codegen-pipeline",
                                                   "Compile functions on tensors to NPU programs",
                                                   populateCodegenPipeline);
  registerFrontHalfPipelines();
}
