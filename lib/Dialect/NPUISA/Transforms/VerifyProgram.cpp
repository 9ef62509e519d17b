//===- VerifyProgram.cpp - prove that a program is safe on its target -----===//

#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/Target/Verify/Verify.h"

namespace npu::isa {
#define GEN_PASS_DEF_NPUVERIFYPROGRAM
#include "NPU/Dialect/NPUISA/Transforms/Passes.h.inc"
} // namespace npu::isa

using namespace mlir;
using namespace npu;

namespace {
struct VerifyProgram : public npu::isa::impl::NPUVerifyProgramBase<VerifyProgram> {
  void runOnOperation() override {
    isa::ProgramOp op = getOperation();
    markAllAnalysesPreserved();
    FailureOr<isa::Program> program = isa::toProgram(op);
    if (failed(program))
      return signalPassFailure();
    if (llvm::Error error = verifyProgram(*program)) {
      op.emitOpError("is not safe: ") << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
