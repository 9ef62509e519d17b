//===- Harness.cpp - compiles and runs functions for integration tests ----===//

#include "Harness.h"

#include "NPU/InitAll/InitAll.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

Harness::Harness() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostics += "\n  " + diagnostic.str();
    return success();
  });
}

llvm::Error Harness::withDiagnostics(llvm::Error error) {
  std::string text = llvm::toString(std::move(error)) + takeDiagnostics();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

OwningOpRef<ModuleOp> Harness::parse(StringRef text) {
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_TRUE(module) << diagnostics << "\n" << text.str();
  diagnostics.clear();
  return module;
}

static llvm::Expected<const isa::Program *> compileVerified(DispatchCompiler &compiler,
                                                            func::FuncOp function) {
  FailureOr<const CompiledProgram *> program = compiler.getProgram(function);
  if (failed(program))
    return llvm::createStringError("'" + function.getSymName() + "' was not compiled");
  if (llvm::Error error = verifyProgram((*program)->code))
    return std::move(error);
  return &(*program)->code;
}

static llvm::Error makeParseError() {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "the test's IR does not parse");
}

llvm::Expected<isa::Program> Harness::compile(StringRef text, StringRef target) {
  OwningOpRef<ModuleOp> module = parse(text);
  if (!module)
    return makeParseError();
  DispatchCompiler compiler(target);
  llvm::Expected<const isa::Program *> program =
      compileVerified(compiler, *module->getOps<func::FuncOp>().begin());
  if (!program)
    return withDiagnostics(program.takeError());
  return **program;
}

llvm::Expected<KernelRun> Harness::run(StringRef text, StringRef target,
                                       ArrayRef<HostTensor> inputs,
                                       ArrayRef<HostTensor> outputTypes) {
  OwningOpRef<ModuleOp> module = parse(text);
  llvm::Expected<TargetDesc> desc = parseTarget(target);
  if (!module || !desc)
    return desc ? makeParseError() : desc.takeError();
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  DispatchCompiler compiler(target);
  llvm::Expected<const isa::Program *> program = compileVerified(compiler, function);
  if (!program)
    return withDiagnostics(program.takeError());
  llvm::Expected<LaunchResult> result = launch(**program, inputs, outputTypes);
  if (!result)
    return withDiagnostics(result.takeError());
  llvm::Expected<sim::Result> measured = sim::measure(**program);
  if (!measured)
    return measured.takeError();
  if (measured->cycles != result->statistics.cycles)
    return llvm::createStringError(
        llvm::formatv("measured {0} cycles, ran {1}", measured->cycles, result->statistics.cycles));
  return KernelRun{std::move(result->outputs), std::move(result->statistics),
                   computeRoofline(function, *desc)};
}

std::string Harness::takeDiagnostics() { return std::exchange(diagnostics, ""); }

llvm::Expected<RunReport> Harness::runModule(ModuleOp module, StringRef target) {
  RunOptions options;
  options.target = target.str();
  options.check = true;
  llvm::Expected<RunReport> report = runModel(module, options);
  if (!report)
    return withDiagnostics(report.takeError());
  return report;
}

llvm::Expected<RunReport> Harness::runModelFile(StringRef path, StringRef target) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module)
    return withDiagnostics(
        llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot read '" + path + "'"));
  return runModule(*module, target);
}

std::string npu::integration::makeRandomTarget(Random &random, const ChipRange &range) {
  int64_t rows = random.in(range.minArray, range.maxArray);
  int64_t cols = random.in(range.minArray, range.maxArray);
  int64_t halfPasses = random.of({1, 2, 4}), floatPasses = halfPasses * random.of({1, 2, 4});
  auto getRate = [&](int64_t passes) { return std::max<int64_t>(1, rows * cols / passes); };
  auto getBytes = [&](int64_t minLog2, int64_t maxLog2) {
    int64_t power = int64_t(1) << random.in(minLog2, maxLog2 - 1);
    return power + random.in(0, power) / 64 * 64; // not only powers of two
  };
  int64_t sramBytes = getBytes(range.minSramLog2, range.maxSramLog2);
  int64_t accBytes = getBytes(range.minAccLog2, range.maxAccLog2);
  int64_t dramBytesPerCycle = random.in(4, 128), vpuLanes = random.in(4, 128);
  return llvm::formatv("npu-v1:macRows={0},macCols={1},macsPerCycleI8={2},macsPerCycleI16I8={3},"
                       "macsPerCycleF16={4},macsPerCycleF32={5},sramBytes={6},accBytes={7},"
                       "dramBytesPerCycle={8},vpuLanes={9},clusters={10}",
                       rows, cols, getRate(1), getRate(2), getRate(halfPasses),
                       getRate(floatPasses), sramBytes, accBytes, dramBytesPerCycle, vpuLanes,
                       random.in(1, 8));
}

std::string npu::integration::findBrokenBound(const sim::Result &statistics,
                                              const Roofline &limit) {
  if (statistics.cycles < limit.getCycles())
    return llvm::formatv("{0} cycles are fewer than the limit of {1}", statistics.cycles,
                         limit.getCycles());
  int64_t moved = statistics.dramBytesRead + statistics.dramBytesWritten;
  if (moved < limit.dramBytes)
    return llvm::formatv("{0} bytes of DRAM traffic are fewer than the limit of {1}", moved,
                         limit.dramBytes);
  if (statistics.unwrittenOutputBytes != 0)
    return llvm::formatv("{0} bytes of output were not written", statistics.unwrittenOutputBytes);
  return "";
}

std::string npu::integration::findDifference(const HostTensor &expected, const HostTensor &actual) {
  if (expected == actual)
    return "";
  if (expected.getTypeString() != actual.getTypeString())
    return "expected " + expected.getTypeString() + ", found " + actual.getTypeString();
  unsigned size = getElementByteSize(expected.getElementType());
  int64_t count = 0, first = -1;
  for (int64_t i = 0; i < expected.getNumElements(); ++i)
    if (expected.getBytes().slice(i * size, size) != actual.getBytes().slice(i * size, size)) {
      first = count++ == 0 ? i : first;
    }
  std::string place;
  for (int64_t coordinate : expected.getCoordinates(first))
    place += (place.empty() ? "" : ", ") + std::to_string(coordinate);
  return llvm::formatv("{0} of {1} elements differ, first at [{2}]: expected {3}, found {4}", count,
                       expected.getNumElements(), place, expected.getFloat(first),
                       actual.getFloat(first));
}

std::string npu::integration::getTypeString(ArrayRef<int64_t> shape, StringRef element) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str();
}
