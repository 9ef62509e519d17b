//===- Input.cpp - from models to host functions on linalg ----------------===//

#include "NPU/ABI/Passes.h"
#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Pipelines/Passes.h"
#include "NPU/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;

void npu::populateONNXPipeline(OpPassManager &pm) {
  pm.addPass(onnx_ir::createONNXInferShapes());
  pm.addPass(onnx_ir::createONNXFoldQDQ());
  pm.addPass(onnx_ir::createONNXFoldDequantize());
  pm.addPass(createConvertONNXToLinalg());
}

void npu::populateInputPipeline(OpPassManager &pm) {
  populateONNXPipeline(pm);
  pm.addPass(createLowerTosa());
  pm.addPass(abi::createImportPublic());
  pm.addPass(input::createImportMLProgram());
  pm.addPass(input::createSanitizeModuleNames());
  pm.addPass(flow::createVerifyInputLegality());
}
