//===- ReferenceModel.cpp - what a model computes, as it was given --------===//

#include "NPU/Pipelines/ReferenceModel.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/SourceOps.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

llvm::Expected<std::unique_ptr<HostModel>>
npu::runtime::createReferenceModel(ModuleOp module, StringRef name,
                                   const ParameterCallback &parameter, int64_t memoryLimit) {
  if (failed(verifyElementTypes(module)))
    return llvm::createStringError("the model has no reference on the host");
  PresentOps present(module);
  if (present.holdsAny<flow::ExecutableOp, flow::DispatchOp>())
    return nullptr;
  OwningOpRef<ModuleOp> model = module.clone();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (present.holdsAnyOf<onnx_ir::ONNXDialect>()) {
    pm.addPass(onnx_ir::createONNXInferShapes());
    pm.addPass(createConvertONNXToLinalg());
  }
  if (present.holdsAnyOf<ml_program::MLProgramDialect>())
    pm.addPass(input::createImportMLProgram());
  if (present.holdsAny<flow::DispatchWorkgroupsOp>()) {
    pm.addPass(flow::createOutlineDispatchRegions());
    pm.addPass(flow::createImportDispatches());
    pm.addPass(flow::createInlineDispatches());
  }
  if (failed(pm.run(*model)))
    return llvm::createStringError("the model cannot be imported for its reference on the host");
  // Ops of IREE's host programs are run by ours only, around what was given.
  if (PresentOps(*model).holdsAnyOf<flow::FlowDialect>())
    return nullptr;
  SourceOps sources(*model, llvm::IsaPred<tosa::TosaOp>);
  return HostModel::create(*model, name, parameter, memoryLimit);
}
