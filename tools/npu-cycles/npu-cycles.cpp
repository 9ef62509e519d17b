//===- npu-cycles.cpp - simulated cycles of models, without their data ----===//
//
// Prints one line of CSV per function that the NPU runs: the file, the target, the function, how
// many dispatches run it, and of one run the simulated cycles, the bytes to and from DRAM, and the
// cycles that the cost model predicted. Nothing here depends on the machine or on data, so equal
// compilers print equal lines.
//
//===----------------------------------------------------------------------===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/InitAll/ModelFile.h"
#include "NPU/Partition/Segments.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <map>

using namespace mlir;
using namespace npu;
namespace cl = llvm::cl;

static cl::OptionCategory category("npu-cycles");
static cl::list<TargetName> targets("target",
                                    cl::desc("A chip to time the models on; may be repeated"),
                                    cl::value_desc("specification"), cl::OneOrMore,
                                    cl::cat(category));
static cl::opt<bool> segments("segments", cl::desc("Time segments of dispatches as well"),
                              cl::cat(category));
static cl::list<std::string> paths(cl::Positional, cl::desc("<models>"), cl::OneOrMore,
                                   cl::cat(category));

static llvm::ExitOnError exitOnError("npu-cycles: error: ");

static void check(bool isGood, const Twine &message) {
  if (!isGood)
    exitOnError(llvm::createStringError(message));
}

namespace {
struct Figures {
  int64_t cycles = 0, dramBytes = 0, predictedCycles = 0;
};

/// Measures functions for one target; equal ones once.
class Meter {
public:
  explicit Meter(DispatchCompiler &compiler) : compiler(compiler) {}

  const Figures &measure(func::FuncOp function);

private:
  DispatchCompiler &compiler;
  std::map<const CompiledProgram *, Figures> known;
};
} // namespace

const Figures &Meter::measure(func::FuncOp function) {
  FailureOr<const CompiledProgram *> compiled = compiler.getProgram(function);
  check(succeeded(compiled), "'" + function.getSymName() + "' was not compiled");
  const CompiledProgram *program = *compiled;
  auto [entry, isNew] = known.try_emplace(program);
  if (!isNew)
    return entry->second;
  sim::Result result = exitOnError(sim::measure(program->code));
  isa::ProgramOp op = program->op;
  entry->second = {result.cycles, result.dramBytesRead + result.dramBytesWritten,
                   op.getPlanAttr().getCycles()};
  return entry->second;
}

static void printModel(StringRef path, StringRef target) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  check(bool(buffer), "cannot read '" + path + "': " + buffer.getError().message());
  const bool isONNX = isONNXFile(path, recognizeFile((*buffer)->getBuffer()));
  std::unique_ptr<ModelFile> file =
      exitOnError(ModelFile::read(path, std::move(*buffer), ONNXImportOptions()));
  check(bool(file), "'" + path + "' is no model");
  PartitionOptions options;
  options.fallback = Fallback::Host;
  // A file of kernels stays what it is: one function, one dispatch. ONNX has no kernels.
  DispatchCompiler compiler(target);
  FailureOr<Partition> partition =
      runtime::placeModel(file->getModule(), options, compiler, /*formsDispatches=*/isONNX);
  check(succeeded(partition) && !partition->getFunctions().empty(),
        "'" + path + "' has no dispatches; npu-opt --npu-front-half forms them");
  if (segments) {
    SymbolTableCollection symbols;
    auto mayJoin = [&](flow::DispatchOp dispatch) {
      func::FuncOp function = flow::findFunction(dispatch, symbols);
      return function && llvm::any_of(partition->getFunctions(), [&](const auto &placed) {
               return placed.function == function && placed.placement == Placement::NPU;
             });
    };
    SmallVector<SegmentOp> formed = formSegments(file->getModule(), mayJoin);
    check(succeeded(compiler.compile(formed)), "the segments of '" + path + "' were not compiled");
    for (auto [number, segment] : llvm::enumerate(formed)) {
      sim::Result result = exitOnError(sim::measure(compiler.getProgram(segment).code));
      llvm::outs() << llvm::formatv("{0},{1},segment {2},{3},{4},{5},0\n", makeCSVField(path),
                                    makeCSVField(getTargetName(target)), number,
                                    llvm::range_size(segment.getBody().getOps<flow::DispatchOp>()),
                                    result.cycles, result.dramBytesRead + result.dramBytesWritten);
    }
  }
  Meter meter(compiler);
  for (const PartitionedFunction &function : partition->getFunctions()) {
    if (function.placement != Placement::NPU)
      continue;
    const Figures &figures = meter.measure(function.function);
    llvm::outs() << llvm::formatv("{0},{1},{2},{3},{4},{5},{6}\n", makeCSVField(path),
                                  makeCSVField(getTargetName(target)), makeCSVField(function.name),
                                  function.numbers.size(), figures.cycles, figures.dramBytes,
                                  figures.predictedCycles);
  }
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::HideUnrelatedOptions(category);
  registerVersion();
  registerContextOptions();
  registerCompilerPasses();
  PassManagerOptions passOptions;
  cl::ParseCommandLineOptions(argc, argv,
                              "Print the simulated cycles of models as CSV, without their data\n");
  passOptions.begin();
  for (const TargetName &target : targets)
    exitOnError(parseTarget(target).takeError());
  llvm::outs() << "file,target,function,dispatches,cycles,dram_bytes,predicted_cycles\n";
  for (const std::string &path : paths)
    for (const TargetName &target : targets)
      printModel(path, target);
  return 0;
}
