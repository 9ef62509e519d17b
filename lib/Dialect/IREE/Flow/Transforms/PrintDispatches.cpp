//===- PrintDispatches.cpp - one line for each dispatch -------------------===//

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"

#include "llvm/Support/raw_ostream.h"

namespace npu::flow {
#define GEN_PASS_DEF_PRINTDISPATCHES
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;

namespace {
struct PrintDispatches : npu::flow::impl::PrintDispatchesBase<PrintDispatches> {
  using PrintDispatchesBase::PrintDispatchesBase;

  void runOnOperation() override {
    for (auto [number, site] : llvm::enumerate(npu::flow::collectDispatches(getOperation())))
      llvm::outs() << "Dispatch #" << number << ": "
                   << (extents ? npu::flow::describeExtents(site)
                               : npu::flow::describeDispatch(site))
                   << "\n";
    markAllAnalysesPreserved();
  }
};
} // namespace
