//===- StripDebugOps.cpp - erase assertions -------------------------------===//

#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace npu::util {
#define GEN_PASS_DEF_STRIPDEBUGOPS
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"
} // namespace npu::util

using namespace mlir;

namespace {
struct StripDebugOps : npu::util::impl::StripDebugOpsBase<StripDebugOps> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](cf::AssertOp op) {
      op.erase();
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
