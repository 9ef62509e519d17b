//===- PrintDispatches.cpp - one line for each dispatch -------------------===//

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Pipelines/FormDispatches.h"
#include "NPU/Report/Passes.h"
#include "NPU/Support/EscapeText.h"

#include "llvm/Support/raw_ostream.h"

namespace npu::report {
#define GEN_PASS_DEF_PRINTDISPATCHES
#include "NPU/Report/Passes.h.inc"
} // namespace npu::report

using namespace mlir;
using namespace npu;

namespace {
struct PrintDispatches : npu::report::impl::PrintDispatchesBase<PrintDispatches> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerFrontHalfDialects(registry);
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(print(getOperation())))
      signalPassFailure();
  }

  LogicalResult print(ModuleOp module) {
    DispatchCompiler compiler(target);
    FailureOr<OwningOpRef<ModuleOp>> formed =
        formDispatches(module, compiler, /*asTheyStand=*/true);
    if (failed(formed) || failed(checkDispatched(**formed)))
      return failure();
    SmallVector<flow::DispatchSite> sites = flow::collectDispatches(**formed);
    if (sites.empty())
      llvm::outs() << "no dispatches: nothing in the module computes on tensors\n";
    for (auto [number, site] : llvm::enumerate(sites))
      llvm::outs() << "Dispatch #" << number << ": "
                   << escapeText(extents ? flow::describeExtents(site)
                                         : flow::describeDispatch(site))
                   << "\n";
    return success();
  }
};
} // namespace
