//===- IdlePasses.cpp - passes that find nothing to work on ---------------===//

#include "NPU/InitAll/IdlePasses.h"

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mlir;
using namespace npu;

/// Passes on modules that look for kernels in there. Those on kernels are known by their op.
static constexpr llvm::StringLiteral kernelPasses[] = {
    "convert-linalg-to-npu", "convert-npu-to-npu-isa", "npu-check-fit",
    "npu-check-target",      "npu-choose-tiles",       "npu-expand-arg-reductions",
    "npu-link-kernels",      "npu-split-cascades",     "npu-verify-tensor-form"};

/// Those that make kernels of functions.
static constexpr llvm::StringLiteral kernelMakers[] = {"convert-func-to-kernel",
                                                       "npu-legalize-dispatches"};

static bool hasKernel(ModuleOp module) {
  return module.walk([](KernelOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

namespace {
class IdlePasses : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || module->getParentOp())
      return;
    constexpr llvm::StringLiteral makesKernels = "npu-legalize-dispatches makes kernels";
    if (llvm::is_contained(kernelPasses, pass->getArgument()))
      return check(hasKernel(module), module, KernelOp::getOperationName(), pass->getArgument(),
                   makesKernels);
    // What runs on ops inside is one pass, which has no name but prints as what it runs.
    if (!pass->getArgument().empty())
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    pass->printAsTextualPipeline(os);
    checkNested<KernelOp>(module, text, makesKernels);
    checkNested<isa::ProgramOp>(module, text, "npu-codegen-pipeline makes programs");
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (module && llvm::is_contained(kernelMakers, pass->getArgument()) && !hasKernel(module) &&
        !std::exchange(hasWarned, true))
      warn(module) << "'" << pass->getArgument() << "' makes no kernel: expected "
                   << "a function with linalg on tensors that the target runs, found "
                   << describe(module);
  }

private:
  template <typename Op>
  void checkNested(ModuleOp module, StringRef text, StringRef remedy) {
    std::string anchor = (Op::getOperationName() + "(").str();
    size_t begin = text.find(anchor);
    if (begin == StringRef::npos || (begin > 0 && text[begin - 1] != ','))
      return;
    StringRef pass = text.substr(begin + anchor.size()).take_until([](char c) {
      return StringRef(",){").contains(c);
    });
    check(!module.getOps<Op>().empty(), module, Op::getOperationName(), pass, remedy);
  }

  void check(bool hasWork, ModuleOp module, StringRef expected, StringRef pass, StringRef remedy) {
    // What follows has no work either.
    if (!std::exchange(hasWarned, !hasWork) && !hasWork)
      warn(module) << "'" << pass << "' finds nothing to work on: expected " << expected
                   << " in the module, found " << describe(module) << "; " << remedy
                   << " of functions with linalg on tensors that the target runs";
  }

  static InFlightDiagnostic warn(ModuleOp module) {
    auto functions = module.getOps<FunctionOpInterface>();
    return emitWarning(functions.empty() ? module.getLoc() : (*functions.begin()).getLoc());
  }

  static std::string describe(ModuleOp module) {
    auto functions = module.getOps<FunctionOpInterface>();
    if (functions.empty())
      return "neither that nor a function";
    FunctionOpInterface first = *functions.begin();
    return (first->getName().getStringRef() + " '" + SymbolTable::getSymbolName(first).getValue() +
            "'")
        .str();
  }

  bool hasWarned = false;
};
} // namespace

void npu::warnAboutIdlePasses(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<IdlePasses>());
}
