//===- RoundTripTest.cpp - programs as operations and as text -------------===//

#include "../../Target/RandomProgram.h"

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu::isa;

namespace {

std::string print(ModuleOp module, const OpPrintingFlags &flags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, flags);
  return text;
}

/// The streams without what leads back to the source, whose table is in the order of use.
std::vector<Stream> getStreams(Program program) {
  for (Stream &stream : program.streams)
    for (Instruction &instruction : stream.code)
      std::visit([](auto &held) { held.source = 0; }, instruction);
  return program.streams;
}

/// Random programs have every instruction, every field, every enumeration.
TEST(ExitDialect, RandomProgramsSurviveOperationsAndText) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    MLIRContext context;
    context.loadDialect<NPUISADialect>();
    Program program = makeRandomProgram(random, 200);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    FailureOr<Program> same = toProgram(fromProgram(builder, program));
    ASSERT_TRUE(succeeded(same));
    Program expected = *same;
    ASSERT_TRUE(expected.regions == program.regions);
    ASSERT_TRUE(getStreams(expected) == getStreams(program));

    OpPrintingFlags flags;
    flags.enableDebugInfo();
    for (bool isGeneric : {false, true}) {
      std::string text = print(*module, isGeneric ? flags.printGenericOpForm() : flags);
      OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
      ASSERT_TRUE(bool(parsed)) << text;
      FailureOr<Program> again = toProgram(*parsed->getOps<ProgramOp>().begin());
      ASSERT_TRUE(succeeded(again)) << text;
      ASSERT_TRUE(*again == expected) << text;
    }
  }
}

} // namespace
