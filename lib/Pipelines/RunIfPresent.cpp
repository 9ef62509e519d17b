//===- RunIfPresent.cpp - run a pipeline on what holds certain ops --------===//

#include "NPU/Pipelines/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

namespace npu {
#define GEN_PASS_DEF_RUNIFPRESENT
#include "NPU/Pipelines/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
struct RunIfPresent : npu::impl::RunIfPresentBase<RunIfPresent> {
  using RunIfPresentBase::RunIfPresentBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const OpPassManager &pipeline : pipelines)
      pipeline.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    for (StringRef name : ops)
      names.emplace_back(name, context);
    return success();
  }

  bool hasPrivateSymbols() {
    return llvm::any_of(getOperation()->getRegions(), [](Region &region) {
      return llvm::any_of(region.getOps<SymbolOpInterface>(),
                          [](SymbolOpInterface symbol) { return !symbol.isPublic(); });
    });
  }

  bool hasOps() {
    if (names.empty())
      return false;
    auto &present = getAnalysis<PresentOps>();
    return llvm::any_of(names, [&](OperationName name) { return present.contains(name); });
  }

  void runOnOperation() override {
    if (!(privateSymbols && hasPrivateSymbols()) && !hasOps())
      return markAllAnalysesPreserved();
    for (OpPassManager &pipeline : pipelines) {
      // Upstream would run it all the same.
      if (std::optional<StringRef> anchor = pipeline.getOpName();
          anchor && *anchor != getOperation()->getName().getStringRef()) {
        getOperation()->emitOpError("expected pipelines to run on it, found one for '")
            << *anchor << "'; nest that in a pipeline for this op";
        return signalPassFailure();
      }
      if (failed(runPipeline(pipeline, getOperation())))
        return signalPassFailure();
    }
  }

  SmallVector<OperationName> names;
};
} // namespace
