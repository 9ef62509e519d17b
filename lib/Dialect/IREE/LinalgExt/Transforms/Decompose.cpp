//===- Decompose.cpp - ops of iree_linalg_ext as linalg -------------------===//

#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

void npu::linalg_ext::addDecomposition(mlir::OpPassManager &pm) {
  pm.addPass(createDecomposeAttention());
  pm.addPass(createGeneralizeOps());
}
