//===- VerifyProgram.cpp - prove that a program is safe on its target -----===//

#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/Target/Verify/Verify.h"

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

namespace {
struct VerifyProgram : public npu::isa::impl::NPUVerifyProgramBase<VerifyProgram> {
  void runOnOperation() override {
    isa::ProgramOp op = getOperation();
    markAllAnalysesPreserved();
    FailureOr<isa::Program> program = isa::toProgram(op);
    if (failed(program))
      return signalPassFailure();
    llvm::Error error = llvm::handleErrors(verifyProgram(*program), [&](const VerifyError &fault) {
      getInstruction(op, fault.stream, fault.instruction)->emitOpError("makes the program '")
          << op.getSymName() << "' unsafe: " << fault.message;
      signalPassFailure();
    });
    if (error) {
      op.emitOpError("is not safe: ") << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
