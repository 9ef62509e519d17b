//===- PassManagers.cpp - upstream's options for passes, in every tool ----===//

#include "NPU/Support/PassManagers.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace npu;

namespace {
struct Times {
  DefaultTimingManager manager;
  TimingScope root;
};
} // namespace

static std::optional<Times> times;

static llvm::cl::Option *findOption(StringRef name) {
  return llvm::cl::getRegisteredOptions().lookup(name);
}

static bool isGiven(StringRef name) {
  llvm::cl::Option *option = findOption(name);
  return option && option->getNumOccurrences() != 0;
}

PassManagerOptions::PassManagerOptions() {
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
}

PassManagerOptions::~PassManagerOptions() { times.reset(); }

void PassManagerOptions::begin() {
  times.emplace();
  applyDefaultTimingManagerCLOptions(times->manager);
  times->root = times->manager.getRootScope();
  // What passes print side by side cannot be read.
  for (const auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name.starts_with("mlir-print-ir-") && option->getNumOccurrences() != 0)
      static_cast<llvm::cl::opt<bool> *>(findOption("mlir-disable-threading"))->setValue(true);
}

void npu::applyPassManagerOptions(PassManager &pm, PassFailure failure) {
  if (!times)
    return;
  pm.enableTiming(times->root);
  bool writesReproducer = isGiven("mlir-pass-pipeline-crash-reproducer");
  if (failure == PassFailure::Error || !writesReproducer)
    (void)applyPassManagerCLOptions(pm); // who asks for IR of modules in threads gets an error
}

LogicalResult npu::runAndVerify(PassManager &pm, Operation *op) {
#ifdef NDEBUG
  pm.enableVerifier(false);
#endif
  return failure(failed(pm.run(op)) || failed(verify(op)));
}
