//===- AssumeType.cpp - a model of floats as if it were quantized ---------===//

#include "NPU/Pipelines/AssumeType.h"

#include "NPU/Dialect/ONNX/Transforms/Passes.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;

LogicalResult npu::assumeType(ModuleOp module) {
  if (!PresentOps(module).holdsAnyOf<onnx_ir::ONNXDialect>())
    return module.emitError("expected an ONNX model, found another; give that one");
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  pm.addPass(onnx_ir::createONNXInferShapes());
  pm.addPass(onnx_ir::createONNXAssumeType());
  applyPassManagerOptions(pm);
  return runAndVerify(pm, module);
}
