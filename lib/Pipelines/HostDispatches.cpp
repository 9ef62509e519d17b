//===- HostDispatches.cpp - how dispatches run on the host ----------------===//

#include "NPU/Pipelines/HostDispatches.h"

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/HostLowering/Passes.h"
#include "NPU/Preparation/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;

runtime::HostReferenceOptions npu::runtime::getHostDispatchOptions() {
  HostReferenceOptions options;
  options.prepare = [](OpPassManager &pm) {
    // Attention is decomposed already in dispatches, but not in models as they were given.
    linalg_ext::addDecomposition(pm);
    pm.addPass(linalg_ext::createLowerToLoops());
    // What is widened must be linalg.
    pm.addPass(host::createLowerTosa());
    pm.addPass(createNPUWidenAccumulators());
  };
  options.registerDialects = [](DialectRegistry &registry) {
    registry.insert<linalg_ext::LinalgExtDialect>();
  };
  return options;
}
