//===- IREEHookPass.cpp - the hook as a pass ------------------------------===//

#include "NPU/Codegen/Steps.h"
#include "NPU/Hook/IREEHook.h"
#include "NPU/Hook/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

namespace npu::hook {
#define GEN_PASS_DEF_IREEHOOK
#include "NPU/Hook/Passes.h.inc"
} // namespace npu::hook

using namespace mlir;
using namespace npu;
using namespace npu::hook;

namespace {
struct IREEHook : npu::hook::impl::IREEHookBase<IREEHook> {
  using Base::Base;

  // Executables may be compiled at the same time, when no dialect can be loaded any more.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager pipeline(ModuleOp::getOperationName());
    populateLegalization(pipeline, target);
    populateBackEnd(pipeline);
    pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    hal::ExecutableOp executable = getOperation();
    FailureOr<HookResult> result = compileExecutable(executable, {target, backend, driver});
    if (failed(result))
      return signalPassFailure();
    if (llvm::Error error = appendLog(logFile, result->log)) {
      executable.emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    if (strict && !result->unsupported.empty()) {
      executable.emitError(llvm::join(result->unsupported, "; "));
      return signalPassFailure();
    }
  }
};
} // namespace
