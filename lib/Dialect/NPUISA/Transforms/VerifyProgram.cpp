//===- VerifyProgram.cpp - check that a program is safe on its target -----===//

#include "ProgramOps.h"

#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/Target/Verify/Verify.h"

namespace npu::isa {
#define GEN_PASS_DEF_NPUVERIFYPROGRAM
#include "NPU/Dialect/NPUISA/Transforms/Passes.h.inc"
} // namespace npu::isa

using namespace mlir;
using namespace npu;

/// Reports an error of the verifier at the instruction it names.
static LogicalResult report(isa::ProgramOp op, llvm::Error error) {
  bool isSafe = !error;
  // The structure is right, or there would be no program: every error is one of an instruction.
  llvm::handleAllErrors(std::move(error), [&](const VerifyError &fault) {
    isa::getInstruction(op, fault.stream, fault.instruction)
            ->emitOpError("is at fault in program '")
        << op.getSymName() << "': " << fault.message;
  });
  return success(isSafe);
}

namespace {
struct VerifyProgram : public npu::isa::impl::NPUVerifyProgramBase<VerifyProgram> {
  using NPUVerifyProgramBase::NPUVerifyProgramBase;

  void runOnOperation() override {
    isa::ProgramOp op = getOperation();
    markAllAnalysesPreserved();
    FailureOr<isa::Program> program = isa::toBorrowingProgram(op);
    if (failed(program) || failed(report(op, verifyProgram(*program))))
      return signalPassFailure();
    if (tightWaits && failed(report(op, verifyTightWaits(*program))))
      signalPassFailure();
  }
};
} // namespace
