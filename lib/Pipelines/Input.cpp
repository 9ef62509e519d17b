//===- Input.cpp - from models to host functions on linalg ----------------===//

#include "NPU/ABI/Passes.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Pipelines/Pipelines.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;

void npu::populateInputPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  // Upstream's validation refuses models that its lowerings can deal with.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(), TosaToLinalgNamedOptions(),
                              /*validationOptions=*/std::nullopt);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  // Shapes that were ops are attributes now.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(abi::createImportPublic());
  pm.addPass(input::createImportMLProgram());
  pm.addPass(input::createSanitizeModuleNames());
  pm.addPass(flow::createVerifyInputLegality());
}
