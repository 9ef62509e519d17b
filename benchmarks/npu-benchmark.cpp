//===- npu-benchmark.cpp - the figures of docs/benchmarks.md --------------===//
//
// Prints, as the tables of docs/benchmarks.md: how long compiling and verifying takes whatever the
// size, what double buffering gives, and what clusters give. Cycles are the simulator's.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkKernels.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Roofline/DispatchNodes.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Target/Translate/Translate.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>

using namespace mlir;
using namespace npu;
using namespace npu::benchmarks;
using namespace npu::runtime;

namespace {

/// Times are the least of this many runs.
constexpr unsigned timedRuns = 5;

enum class Buffering { Chosen, Single };

/// A compiled benchmark and what it cost.
struct Compiled {
  isa::Program program;
  Limit limit;
  int64_t peakMacRate = 0;
  double compileSeconds, verifySeconds;
};

} // namespace

static llvm::ExitOnError exitOnError("npu-benchmark: error: ");

/// Replaces the depths of the chosen schedule by one: nothing is loaded while its buffer is in use.
static void makeSingleBuffered(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](ScheduleLoadAttr load) {
    return ScheduleLoadAttr::get(load.getContext(), load.getOperand(), /*depth=*/1);
  });
  replacer.addReplacement([](ScheduleValueAttr value) {
    return ScheduleValueAttr::get(value.getContext(), value.getStage(), value.getSpace(),
                                  /*depth=*/1);
  });
  replacer.addReplacement([](ScheduleStageAttr stage) {
    return ScheduleStageAttr::get(stage.getContext(), stage.getStage(), stage.getSpace(),
                                  /*depth=*/1, stage.getSkew());
  });
  module.walk([&](KernelOp kernel) {
    kernel.setScheduleAttr(cast<ScheduleAttr>(replacer.replace(kernel.getScheduleAttr())));
  });
}

static double measure(llvm::function_ref<void()> work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static Compiled compile(MLIRContext &context, StringRef text, StringRef target,
                        Buffering buffering = Buffering::Chosen) {
  auto check = [](bool isGood, const Twine &message) {
    if (!isGood)
      exitOnError(llvm::createStringError(llvm::inconvertibleErrorCode(), message));
  };
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  check(bool(module), "the benchmark does not parse");
  Compiled result;
  auto function = *module->getOps<func::FuncOp>().begin();
  TargetDesc desc = exitOnError(parseTarget(target));
  Roofline alone = computeRoofline(function, desc);
  result.limit = computeLimit(makeLimitNode(alone), desc);
  result.peakMacRate = alone.peakMacRate;

  CodegenPipelineOptions options;
  options.target = target.str();
  if (buffering == Buffering::Single) {
    PassManager choose(&context, ModuleOp::getOperationName());
    choose.addPass(createNPUWidenAccumulators());
    choose.addPass(createConvertFuncToKernel({options.target}));
    choose.addPass(createConvertLinalgToNPU());
    choose.addPass(createNPUChooseTiles());
    check(succeeded(choose.run(*module)), "the tiles were not chosen");
    makeSingleBuffered(*module);
  }
  result.compileSeconds = measure([&] {
    PassManager pm(&context, ModuleOp::getOperationName());
    populateCodegenPipeline(pm, options);
    check(succeeded(pm.run(*module)), "the benchmark was not compiled");
    FailureOr<isa::Program> program = getProgram(*module);
    check(succeeded(program), "the benchmark has no program");
    result.program = std::move(*program);
  });
  result.verifySeconds = measure([&] { exitOnError(verifyProgram(result.program)); });
  return result;
}

static int64_t countInstructions(const isa::Program &program) {
  int64_t count = 0;
  for (const isa::Stream &stream : program.streams)
    count += stream.code.size();
  return count;
}

static sim::Result simulate(const Compiled &compiled) {
  SmallVector<HostTensor> inputs, outputs;
  for (const isa::Region &region : compiled.program.regions) {
    HostTensor tensor(ElementType::I8, {region.bytes});
    (region.kind == isa::RegionKind::Output ? outputs : inputs).push_back(std::move(tensor));
  }
  return exitOnError(launch(compiled.program, inputs, outputs)).statistics;
}

static void printCompileTimes(MLIRContext &context) {
  llvm::outs()
      << "| kernel | target | compile ms | verify ms | instructions |\n|---|---|---|---|---|\n";
  auto print = [&](StringRef name, StringRef text, StringRef target) {
    Compiled result = compile(context, text, target);
    for (unsigned run = 1; run < timedRuns; ++run) {
      Compiled again = compile(context, text, target);
      result.compileSeconds = std::min(result.compileSeconds, again.compileSeconds);
      result.verifySeconds = std::min(result.verifySeconds, again.verifySeconds);
    }
    llvm::outs() << llvm::formatv("| {0} | {1} | {2:F1} | {3:F2} | {4} |\n", name, target,
                                  1000 * result.compileSeconds, 1000 * result.verifySeconds,
                                  countInstructions(result.program));
  };
  for (int64_t size : {256, 4096}) {
    std::string name = llvm::formatv("matmul {0}^3 ", size);
    print(name + "f16", makeMatmul(size, "f16", "f32"), "npu-v1");
    print(name + "i8", makeMatmul(size, "i8", "i32"), "npu-v1");
    print(name + "i8", makeMatmul(size, "i8", "i32"), "npu-tiny");
  }
  for (StringRef target : {"npu-v1", "npu-tiny"})
    print("conv 3x3, 512 to 512 channels, 112x112, i8", bigConv, target);
  for (int64_t count : {100, 1000})
    print(llvm::formatv("chain of {0} element-wise ops, f32", count).str(), makeChain(count),
          "npu-v1");
}

static void printOverlap(MLIRContext &context) {
  llvm::outs() << "\n| matmul 1024^3 f16, npu-v1 | cycles | MAC/cycle | of 1024 | of the limit |\n"
                  "|---|---|---|---|---|\n";
  std::string text = makeMatmul(1024, "f16", "f32");
  for (Buffering buffering : {Buffering::Chosen, Buffering::Single}) {
    Compiled compiled = compile(context, text, "npu-v1", buffering);
    sim::Result result = simulate(compiled);
    double rate = double(result.macs) / result.cycles;
    llvm::outs() << llvm::formatv("| {0} | {1} | {2:F0} | {3:F1} % | {4:F1} % |\n",
                                  buffering == Buffering::Chosen ? "as chosen"
                                                                 : "one instance of each buffer",
                                  result.cycles, rate, 100 * rate / compiled.peakMacRate,
                                  100.0 * compiled.limit.getCycles() / result.cycles);
  }
}

static void printClusters(MLIRContext &context) {
  llvm::outs() << "\n| matmul 1024^3 i8 | clusters | cycles | speed-up | of the limit |\n"
                  "|---|---|---|---|---|\n";
  std::string text = makeMatmul(1024, "i8", "i32");
  int64_t single = 0;
  for (int64_t clusters : {1, 2, 4, 8}) {
    std::string target = llvm::formatv("npu-v1:clusters={0}", clusters);
    Compiled compiled = compile(context, text, target);
    sim::Result result = simulate(compiled);
    if (clusters == 1)
      single = result.cycles;
    llvm::outs() << llvm::formatv("| {0} | {1} | {2} | {3:F2} | {4:F1} % |\n", target, clusters,
                                  result.cycles, double(single) / result.cycles,
                                  100.0 * compiled.limit.getCycles() / result.cycles);
  }
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  hideLLVMOptions();
  llvm::cl::ParseCommandLineOptions(argc, argv, "measures the figures of docs/benchmarks.md\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The first use of a context loads dialects; that is not what is measured.
  compile(context, makeMatmul(64, "i8", "i32"), "npu-v1");
  printCompileTimes(context);
  printOverlap(context);
  printClusters(context);
  return 0;
}
