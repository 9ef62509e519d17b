//===- RunMain.cpp - the command line of npu-run --------------------------===//

#include "NPU/Runtime/RunMain.h"

#include "NPU/InitAll.h"
#include "NPU/Runtime/ModelRunner.h"
#include "NPU/Runtime/NPUExecutor.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Target/Binary/Binary.h"
#include "NPU/Target/Translate/Translate.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <unistd.h>

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

/// Bytes of memory that a run may take by default.
static int64_t getDefaultMemoryLimit() {
  int64_t limit = sim::Options().memoryLimit;
  int64_t pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0 ? std::min(limit, pages * pageBytes) : limit;
}

namespace {
enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2, Mismatch = 3, Trapped = 4 };

/// The options; constructed in runMain, after LLVM's own have been hidden.
struct CommandLine {
  cl::opt<std::string> file{cl::Positional, cl::Required, cl::desc("<model.mlir | program>")};
  cl::opt<std::string> target{"target",
                              cl::desc("Target to compile for, see npu-translate --list-targets"),
                              cl::value_desc("name[:parameter=value,...]"), cl::init("npu-v1")};
  cl::opt<std::string> function{"function", cl::desc("Function to run; default: the public one"),
                                cl::value_desc("name")};
  cl::list<std::string> inputs{
      "input",
      cl::desc("An input, in order: 4x4xf32=1, 2x2xi32=1 2 3 4, @f.npy, 2x2xf32=@f.bin; or one "
               "random(seed) or smallints(seed) for all. Default: random(0)"),
      cl::value_desc("tensor")};
  cl::list<std::string> outputs{
      "output",
      cl::desc("What to do with an output, in order: - prints it, @f.npy or @f.bin writes it"),
      cl::value_desc("destination")};
  cl::opt<Fallback> fallback{
      "npu-fallback", cl::desc("What becomes of dispatches that the target does not run"),
      cl::values(clEnumValN(Fallback::Host, "host", "they run on the host; the report says so"),
                 clEnumValN(Fallback::Error, "error", "all of them are listed and nothing runs")),
      cl::init(Fallback::Host)};
  cl::opt<std::string> placement{
      "npu-placement",
      cl::desc("Placements to keep to, as `npu-partition{write-placement=f.json}` writes them"),
      cl::value_desc("file.json")};
  cl::opt<bool> check{"check",
                      cl::desc("Compare every dispatch and every output with the host CPU")};
  cl::opt<int64_t> cycleLimit{"cycle-limit", cl::desc("Trap after this many simulated cycles"),
                              cl::init(sim::Options().cycleLimit)};
  cl::opt<int64_t> memoryLimit{
      "memory-limit",
      cl::desc("Refuse what needs more bytes for its tensors; default: 16 GiB, or all there is"),
      cl::value_desc("bytes"), cl::init(getDefaultMemoryLimit())};

  sim::Options getSimulatorOptions() const {
    sim::Options result;
    result.cycleLimit = cycleLimit;
    result.memoryLimit = memoryLimit;
    return result;
  }
};
} // namespace

static int fail(const Twine &message, int code = BadInput) {
  errs() << "npu-run: error: " << message << "\n";
  return code;
}

static int fail(Error error) {
  int code = error.isA<sim::Trap>() ? Trapped : error.isA<UsageError>() ? BadUsage : BadInput;
  return fail(toString(std::move(error)), code);
}

static Error writeOutput(const HostTensor &value, StringRef destination) {
  if (destination == "-") {
    constexpr int64_t limit = 1024;
    outs() << value.getTypeString() << "=";
    for (int64_t i = 0; i < std::min(limit, value.getNumElements()); ++i) {
      outs() << (i ? " " : "");
      if (isFloat(value.getElementType()))
        outs() << formatv("{0}", format("%.9g", value.getFloat(i)));
      else
        outs() << value.getInt(i);
    }
    outs() << (value.getNumElements() > limit ? " ...\n" : "\n");
    return Error::success();
  }
  if (!destination.consume_front("@"))
    return createStringError(inconvertibleErrorCode(),
                             "expected -, @file.npy or @file.bin for --output, found '" +
                                 destination + "'");
  return destination.ends_with(".npy") ? writeNpy(value, destination)
                                       : writeRaw(value, destination);
}

static int runModelFile(const CommandLine &options, std::unique_ptr<MemoryBuffer> buffer) {
  if (buffer->getBuffer().contains('\0') && !mlir::isBytecode(*buffer))
    return fail(options.file + ": not an MLIR file");
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(std::move(buffer), SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sourceMgr, &context, errs());
  // An error that was located in the input is told once, there.
  bool hasReported = false;
  mlir::ScopedDiagnosticHandler observer(&context, [&](mlir::Diagnostic &diagnostic) {
    hasReported |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return mlir::failure();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sourceMgr, &context);
  if (!module)
    return BadInput;

  RunOptions runOptions;
  runOptions.target = options.target;
  runOptions.function = options.function;
  runOptions.inputs.assign(options.inputs.begin(), options.inputs.end());
  runOptions.check = options.check;
  runOptions.fallback = options.fallback;
  if (!options.placement.empty()) {
    Expected<PlacementMap> placements = readPlacements(options.placement);
    if (!placements)
      return fail(placements.takeError());
    runOptions.placements = std::move(*placements);
  }
  runOptions.simulator = options.getSimulatorOptions();
  Expected<RunReport> report = runModel(*module, runOptions);
  if (!report && hasReported) {
    consumeError(report.takeError());
    return BadInput;
  }
  if (!report)
    return fail(report.takeError());
  report->print(outs(), cantFail(parseTarget(options.target)));
  if (options.outputs.size() > report->outputs.size())
    return fail(formatv("the model has {0} outputs, but {1} --output were given",
                        report->outputs.size(), options.outputs.size()),
                BadUsage);
  for (auto [output, destination] : zip(report->outputs, options.outputs))
    if (Error error = writeOutput(output.value, destination))
      return fail(std::move(error));
  return report->hasPassed() ? Success : Mismatch;
}

static int runProgramFile(const CommandLine &options, MemoryBufferRef buffer) {
  if (options.check)
    return fail("--check needs a model: a program says what to do, not what it means", BadUsage);
  if (options.target.getNumOccurrences() != 0)
    return fail("--target needs a model: a program names its own target", BadUsage);
  Expected<isa::Program> program = readProgram(buffer);
  if (!program)
    return fail(program.takeError());
  const sim::Options simulator = options.getSimulatorOptions();
  if (Error error = sim::checkMemory(*program, simulator))
    return fail(std::move(error));
  SmallVector<HostTensorType> inputTypes;
  SmallVector<HostTensor> outputTypes;
  for (const isa::Region &region : program->regions) {
    HostTensorType bytes{runtime::ElementType::I8, {region.bytes}};
    if (isa::isOutput(region.kind))
      outputTypes.push_back(HostTensor(bytes.elementType, bytes.shape));
    if (isa::isInput(region.kind))
      inputTypes.push_back(std::move(bytes));
  }
  if (options.inputs.size() > inputTypes.size())
    return fail(formatv("the program has {0} inputs, but {1} --input were given", inputTypes.size(),
                        options.inputs.size()),
                BadUsage);
  SmallVector<HostTensor> inputs;
  if (options.inputs.empty()) {
    inputs = cantFail(makeInputs({}, inputTypes, simulator.memoryLimit));
  } else {
    // A region has no type; any tensor of its size will do.
    for (const std::string &specification : options.inputs) {
      Expected<HostTensor> input = parseTensor(specification);
      if (!input)
        return fail(input.takeError());
      inputs.push_back(std::move(*input));
    }
  }
  Expected<LaunchResult> result = launch(*program, inputs, outputTypes, simulator);
  if (!result)
    return fail(result.takeError());
  if (int64_t bytes = result->statistics.unwrittenOutputBytes)
    errs() << formatv("npu-run: warning: the program left {0} bytes of its outputs unwritten\n",
                      bytes);
  outs() << formatv("kernel {0} on {1}: {2} cycles, {3} MACs, {4} bytes read, {5} written\n",
                    program->name, program->target, result->statistics.cycles,
                    result->statistics.macs, result->statistics.dramBytesRead,
                    result->statistics.dramBytesWritten);
  for (const sim::StreamStats &stream : result->statistics.streams)
    outs() << formatv("  cluster {0} {1}: {2} instructions, busy {3}, issue {4}, waiting {5}\n",
                      stream.cluster, isa::toString(stream.engine), stream.instructions,
                      stream.busy, stream.issue, stream.getWaitCycles());
  if (options.outputs.size() > result->outputs.size())
    return fail(formatv("the program has {0} outputs, but {1} --output were given",
                        result->outputs.size(), options.outputs.size()),
                BadUsage);
  for (auto [output, destination] : zip(result->outputs, options.outputs))
    if (Error error = writeOutput(output, destination))
      return fail(std::move(error));
  return Success;
}

int npu::runtime::runMain(int argc, char **argv) {
  InitLLVM initLLVM(argc, argv);
  hideLLVMOptions();
  CommandLine options;
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Runs a model, or a compiled program, on the simulated NPU\n", &errs()))
    return BadUsage;
  if (Expected<TargetDesc> target = parseTarget(options.target); !target)
    return fail(target.takeError());
  if (options.cycleLimit <= 0 || options.memoryLimit <= 0)
    return fail(formatv("--{0} must be positive, found {1}",
                        options.cycleLimit <= 0 ? "cycle-limit" : "memory-limit",
                        options.cycleLimit <= 0 ? int64_t(options.cycleLimit)
                                                : int64_t(options.memoryLimit)),
                BadUsage);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(options.file, /*IsText=*/false);
  if (std::error_code error = buffer.getError())
    return fail(options.file + ": " + error.message());
  bool isProgram = StringRef(options.file).ends_with(".npuasm") ||
                   isa::isBinaryProgram(arrayRefFromStringRef((*buffer)->getBuffer()));
  return isProgram ? runProgramFile(options, **buffer) : runModelFile(options, std::move(*buffer));
}
