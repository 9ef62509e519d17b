//===- VerifyInputLegality.cpp - report what was not lowered --------------===//

#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace npu::flow {
#define GEN_PASS_DEF_VERIFYINPUTLEGALITY
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;

namespace {
struct VerifyInputLegality : npu::flow::impl::VerifyInputLegalityBase<VerifyInputLegality> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (!getAnalysis<PresentOps>().holdsAnyOf<tosa::TosaDialect, ml_program::MLProgramDialect>())
      return;
    bool isLegal = true;
    getOperation()->walk([&](Operation *op) {
      // Rescaling is arithmetic on scalars that devices may have as it is.
      if (!isa_and_nonnull<tosa::TosaDialect, ml_program::MLProgramDialect>(op->getDialect()) ||
          isa<tosa::ApplyScaleOp>(op))
        return;
      op->emitOpError("expected to be lowered by now; the input phase (--npu-input-pipeline) has "
                      "no lowering for it as it stands");
      isLegal = false;
    });
    if (!isLegal)
      signalPassFailure();
  }
};
} // namespace
