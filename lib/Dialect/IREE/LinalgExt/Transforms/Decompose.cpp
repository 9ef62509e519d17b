//===- Decompose.cpp - every op of iree_linalg_ext as upstream's ----------===//

#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

void npu::linalg_ext::addDecomposition(mlir::OpPassManager &pm) {
  pm.addPass(createDecomposeAttention());
  pm.addPass(createGeneralizeOps());
  pm.addPass(createCountRanks());
  pm.addPass(createLowerToLoops());
}
