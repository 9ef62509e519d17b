//===- Harness.cpp - compiles and runs functions for integration tests ----===//

#include "Harness.h"

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
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
                   computeLimit(makeLimitNode(computeRoofline(function, *desc)), *desc)};
}

static std::string findDifference(ArrayRef<HostTensor> expected, ArrayRef<HostTensor> actual) {
  for (auto [index, tensors] : llvm::enumerate(llvm::zip_equal(expected, actual))) {
    auto [wanted, found] = tensors;
    if (std::string difference = findDifference(wanted, found); !difference.empty())
      return llvm::formatv("result {0}: {1}", index, difference);
  }
  return "";
}

std::string Harness::findFault(StringRef text, StringRef target, ArrayRef<HostTensor> inputs,
                               ArrayRef<HostTensor> expected) {
  llvm::Expected<KernelRun> run = this->run(text, target, inputs, expected);
  if (!run)
    return llvm::toString(run.takeError());
  std::string difference = ::findDifference(expected, run->outputs);
  return difference.empty() ? findBrokenBound(run->statistics, run->limit) : difference;
}

llvm::Expected<Tensors> Harness::runOnHost(StringRef text, ArrayRef<HostTensor> inputs) {
  OwningOpRef<ModuleOp> module = parse(text);
  if (!module)
    return makeParseError();
  HostReferenceOptions options;
  options.optLevel = fastOptLevel;
  // Sums of f16 are defined as those of f32.
  options.prepare = [](OpPassManager &pm) {
    linalg_ext::addDecomposition(pm);
    pm.addPass(linalg_ext::createLowerToLoops());
    pm.addPass(createNPUWidenAccumulators());
  };
  options.registerDialects = [](DialectRegistry &registry) {
    registry.insert<linalg_ext::LinalgExtDialect>();
  };
  llvm::Expected<std::unique_ptr<HostReference>> reference =
      HostReference::create(*module->getOps<func::FuncOp>().begin(), options);
  if (!reference)
    return withDiagnostics(reference.takeError());
  return (*reference)->run(inputs);
}

std::string Harness::findHostFault(StringRef text, ArrayRef<HostTensor> inputs,
                                   ArrayRef<HostTensor> expected) {
  llvm::Expected<Tensors> outputs = runOnHost(text, inputs);
  if (!outputs)
    return llvm::toString(outputs.takeError());
  return ::findDifference(expected, *outputs);
}

void Harness::expectExact(uint64_t seed, StringRef target, StringRef text,
                          ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> expected) {
  EXPECT_EQ(findFault(text, target, inputs, expected), "") << describeCase(seed, target, text);
  EXPECT_EQ(findHostFault(text, inputs, expected), "")
      << "on the host, " << describeCase(seed, target, text);
}

std::string Harness::takeDiagnostics() { return std::exchange(diagnostics, ""); }

/// As `parseTensor` reads it, every digit.
static std::string getSpecification(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << tensor.getTypeString() << "=";
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    os << llvm::format("%.17g ", tensor.getFloat(i));
  return text;
}

llvm::Expected<RunReport> Harness::runModule(ModuleOp module, StringRef target,
                                             ArrayRef<HostTensor> inputs, unsigned hostOptLevel) {
  RunOptions options;
  options.target = target.str();
  options.check = true;
  options.hostOptLevel = hostOptLevel;
  for (const HostTensor &input : inputs)
    options.inputs.push_back(getSpecification(input));
  llvm::Expected<RunReport> report = runModel(module, options);
  if (!report)
    return withDiagnostics(report.takeError());
  return report;
}

Tensors Harness::expectHostResults(uint64_t seed, StringRef target, StringRef text,
                                   ArrayRef<HostTensor> inputs, Placements &placements) {
  SCOPED_TRACE(describeCase(seed, target, text));
  OwningOpRef<ModuleOp> module = parse(text);
  if (!module)
    return {};
  llvm::Expected<RunReport> report = runModule(*module, target, inputs);
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return {};
  }
  placements.add(*report);
  EXPECT_EQ(npu::integration::findDifference(*report), "");
  Tensors outputs;
  for (OutputRecord &output : report->outputs) {
    EXPECT_EQ(output.check->numMismatches, 0) << output.name << ": " << output.check->getReason();
    outputs.push_back(std::move(output.value));
  }
  return outputs;
}

llvm::Expected<RunReport> Harness::runModelFile(StringRef path, StringRef target) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module)
    return withDiagnostics(
        llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot read '" + path + "'"));
  return runModule(*module, target, /*inputs=*/{}, HostReferenceOptions().optLevel);
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
  int64_t clusters = random.in(1, 8), dmaOutstanding = random.in(1, 4);
  return llvm::formatv("npu-v1:macRows={0},macCols={1},macsPerCycleI8={2},macsPerCycleI16I8={3},"
                       "macsPerCycleF16={4},macsPerCycleF32={5},sramBytes={6},accBytes={7},"
                       "dramBytesPerCycle={8},vpuLanes={9},clusters={10},dmaOutstanding={11},"
                       "macPipelined={12}",
                       rows, cols, getRate(1), getRate(2), getRate(halfPasses),
                       getRate(floatPasses), sramBytes, accBytes, dramBytesPerCycle, vpuLanes,
                       clusters, dmaOutstanding, random.in(0, 1));
}

std::string npu::integration::findBrokenBound(const sim::Result &statistics, const Limit &limit) {
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

std::string npu::integration::findDistance(const HostTensor &expected, const HostTensor &bound,
                                           const HostTensor &actual) {
  llvm::Expected<CompareReport> report =
      compare(expected, actual, Tolerance::fromBound(bound, /*ulps=*/1));
  if (!report)
    return llvm::toString(report.takeError());
  return report->numMismatches == 0 ? "" : report->getReason();
}

std::string npu::integration::findDifference(const RunReport &report) {
  for (const DispatchRecord &record : report.dispatches)
    for (const CompareReport &check : record.checks)
      if (check.numMismatches != 0)
        return record.description + " differs from the host: " + check.getReason();
  return "";
}

void Placements::add(const RunReport &report) {
  auto isOnNPU = [](const DispatchRecord &record) { return record.placement == Placement::NPU; };
  ++models;
  modelsOnNPU += !report.dispatches.empty() && llvm::all_of(report.dispatches, isOnNPU);
  for (const DispatchRecord &record : report.dispatches) {
    ++(isOnNPU(record) ? onNPU : onHost);
    for (StringRef reason : record.reasons)
      ++reasons[reason.split(" (").first.str()];
  }
}

void Placements::print() const {
  llvm::outs() << llvm::formatv("{0} of {1} models on the NPU, {2} dispatches; {3} on the host\n",
                                modelsOnNPU, models, onNPU, onHost);
  for (const auto &[reason, count] : reasons)
    llvm::outs() << llvm::formatv("{0,6} {1}\n", count, reason);
}

void Placements::expectOnNPU(int64_t percent) const {
  print();
  EXPECT_GE(100 * modelsOnNPU, percent * models);
}

std::string npu::integration::getTypeString(ArrayRef<int64_t> shape, StringRef element) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str();
}

std::string npu::integration::describeCase(uint64_t seed, StringRef target, StringRef text) {
  return llvm::formatv("seed {0}, --target={1}\n{2}", seed, target, text);
}

void npu::integration::forEachPosition(ArrayRef<int64_t> extents,
                                       llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(extents, 0))
    return;
  Position position(extents.size());
  while (true) {
    visit(position);
    size_t loop = extents.size();
    while (loop > 0 && ++position[loop - 1] == extents[loop - 1])
      position[--loop] = 0;
    if (loop == 0)
      return;
  }
}

Position npu::integration::select(ArrayRef<int64_t> values, ArrayRef<int> loops) {
  Position selected;
  for (int loop : loops)
    selected.push_back(values[loop]);
  return selected;
}

int64_t npu::integration::getOffset(ArrayRef<int64_t> shape, ArrayRef<int64_t> position) {
  int64_t offset = 0;
  for (auto [size, at] : llvm::zip_equal(shape, position))
    offset = offset * size + at;
  return offset;
}

int64_t npu::integration::combine(StringRef op, int64_t a, int64_t b, ElementType type) {
  unsigned bits = 8 * getElementByteSize(type);
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t ua = uint64_t(a) & mask, ub = uint64_t(b) & mask;
  if (op.starts_with("arith.add"))
    return int64_t(uint64_t(a) + uint64_t(b));
  if (op == "arith.muli")
    return int64_t(uint64_t(a) * uint64_t(b));
  if (op == "arith.maxui" || op == "arith.minui")
    return (ua > ub) == (op == "arith.maxui") ? a : b;
  if (op.starts_with("arith.max"))
    return std::max(a, b);
  if (op.starts_with("arith.min"))
    return std::min(a, b);
  if (op == "arith.andi")
    return a & b;
  return op == "arith.ori" ? a | b : a ^ b;
}
