//===- VerifyProgram.cpp - check that a program is safe on its target -----===//

#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/IR/Remarks.h"

namespace npu::isa {
#define GEN_PASS_DEF_NPUVERIFYPROGRAM
#include "NPU/Dialect/NPUISA/Transforms/Passes.h.inc"
} // namespace npu::isa

using namespace mlir;
using namespace npu;

/// The operation of an instruction.
static Operation *getInstruction(isa::ProgramOp op, unsigned stream, unsigned instruction) {
  Operation &streamOp = *std::next(op.getBody().front().begin(), stream);
  return &*std::next(streamOp.getRegion(0).front().begin(), instruction);
}

/// Reports an error of the verifier at the instruction it names.
static LogicalResult report(isa::ProgramOp op, llvm::Error error) {
  bool isSafe = !error;
  // The structure is right, or there would be no program: every error is one of an instruction.
  llvm::handleAllErrors(std::move(error), [&](const VerifyError &fault) {
    getInstruction(op, fault.stream, fault.instruction)->emitOpError("is at fault in program '")
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
    FailureOr<isa::Program> program = isa::toProgram(op);
    if (failed(program) || failed(report(op, verifyProgram(*program))))
      return signalPassFailure();
    if (!tightWaits || op.getLoose())
      return;
    llvm::Error error = verifyTightWaits(*program);
    if (!slackRemarks) {
      if (failed(report(op, std::move(error))))
        signalPassFailure();
      return;
    }
    llvm::handleAllErrors(std::move(error), [&](const VerifyError &fault) {
      remark::missed(getInstruction(op, fault.stream, fault.instruction)->getLoc(),
                     remark::RemarkOpts::name("Slack")
                         .category("npu-verify-program")
                         .function(op.getSymName()))
          << remark::reason("{0}", fault.message);
    });
  }
};
} // namespace
