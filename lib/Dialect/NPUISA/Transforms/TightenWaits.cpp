//===- TightenWaits.cpp - no wait is longer than it must be ---------------===//

#include "ProgramOps.h"

#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace npu::isa {
#define GEN_PASS_DEF_NPUTIGHTENWAITS
#include "NPU/Dialect/NPUISA/Transforms/Passes.h.inc"
} // namespace npu::isa

using namespace mlir;
using namespace npu;

static void report(isa::ProgramOp op, Operation *instruction, const SlackWait &wait) {
  auto remark = remark::passed(instruction->getLoc(), remark::RemarkOpts::name("WaitTightened")
                                                          .category("npu-tighten-waits")
                                                          .function(op.getSymName()));
  if (wait.isNeeded)
    remark << remark::reason("waits for {0} fewer signals of semaphore {1}", wait.signals,
                             wait.semaphore);
  else
    remark << remark::reason("need not wait for semaphore {0}", wait.semaphore);
}

/// Whether the instruction does nothing, and is not all that there is in a loop.
static bool isIdle(ArrayRef<isa::Instruction> code, unsigned index) {
  auto *only = std::get_if<isa::Synchronize>(&code[index]);
  bool isAlone = index > 0 && std::holds_alternative<isa::Loop>(code[index - 1]) &&
                 std::holds_alternative<isa::EndLoop>(code[index + 1]);
  return only && only->sync == isa::Sync() && !isAlone;
}

namespace {
struct TightenWaits : public npu::isa::impl::NPUTightenWaitsBase<TightenWaits> {
  void runOnOperation() override {
    isa::ProgramOp op = getOperation();
    FailureOr<isa::Program> program = isa::toBorrowingProgram(op);
    if (failed(program))
      return signalPassFailure();
    std::vector<SlackWait> waits = tighten(*program);
    if (waits.empty())
      return markAllAnalysesPreserved();

    llvm::SmallSetVector<std::pair<unsigned, unsigned>, 4> places;
    for (const SlackWait &wait : waits) {
      report(op, isa::getInstruction(op, wait.stream, wait.instruction), wait);
      places.insert({wait.stream, wait.instruction});
    }
    // From the back, so that the numbers of what is in front stay.
    for (auto [stream, index] : llvm::reverse(places)) {
      Operation *old = isa::getInstruction(op, stream, index);
      const std::vector<isa::Instruction> &code = program->streams[stream].code;
      if (!isIdle(code, index)) {
        OpBuilder builder(old);
        isa::createInstruction(builder, old->getLoc(), code[index]);
      }
      old->erase();
    }
  }

private:
  /// Leaves an unsafe program as it is: npu-verify-program says why it is unsafe.
  static std::vector<SlackWait> tighten(isa::Program &program) {
    if (errorToBool(verifyRanges(program)))
      return {};
    llvm::Expected<std::vector<SlackWait>> waits = tightenWaits(program);
    if (waits)
      return std::move(*waits);
    llvm::consumeError(waits.takeError());
    return {};
  }
};
} // namespace
