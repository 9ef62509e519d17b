//===- CountKernels.cpp - a pass that is not in the tree ------------------===//
//
//   npu-opt --load-pass-plugin=build/CountKernels.so --count-kernels model.mlir
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {
/// Remarks what every npu.kernel is for.
struct CountKernels : PassWrapper<CountKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountKernels)

  StringRef getArgument() const override { return "count-kernels"; }
  StringRef getDescription() const override { return "Count the kernels of a module"; }

  void runOnOperation() override {
    unsigned count = 0;
    getOperation().walk([&](npu::KernelOp kernel) {
      kernel.emitRemark("kernel '") << kernel.getSymName() << "' is number " << ++count;
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "CountKernels", "1", [] { PassRegistration<CountKernels>(); }};
}
