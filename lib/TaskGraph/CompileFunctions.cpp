//===- CompileFunctions.cpp - the code of a task graph's tasks ------------===//

#include "CompileFunctions.h"

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Roofline/Roofline.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Binary/Binary.h"

#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;

/// The IR of `function` without names and locations.
static std::string getKey(func::FuncOp function) {
  OwningOpRef<func::FuncOp> clone = function.clone();
  clone->setSymName("kernel");
  std::string key;
  llvm::raw_string_ostream os(key);
  clone->print(os, OpPrintingFlags().useLocalScope());
  return key;
}

/// What the compiler noted about the tiles on its way, and what they take.
static void describeTiling(isa::ProgramOp op, Program &program) {
  if (isa::PlanAttr plan = op.getPlanAttr()) {
    for (auto [dim, size] : llvm::zip_equal(plan.getDims(), plan.getSizes()))
      program.tile.push_back({dim.str(), size});
    program.expectedCycles = plan.getCycles();
    program.sramBytes = plan.getSram();
    program.accBytes = plan.getAcc();
  }
}

void FunctionCompiler::finish(Compiled &compiled) const {
  if (compiled.program) {
    llvm::Expected<std::vector<uint8_t>> bytes = isa::encodeBinary(compiled.program->code);
    if (!bytes) {
      compiled.error = llvm::toString(bytes.takeError());
      return;
    }
    compiled.bytes = std::move(*bytes);
    sim::Options options;
    options.stepLimit = 1'000'000;
    if (llvm::Expected<sim::Result> measured = sim::measure(compiled.program->code, options))
      compiled.cycles = measured->cycles;
    else
      llvm::consumeError(measured.takeError());
    return;
  }
  runtime::HostReferenceOptions options;
  // Sums of f16 are defined as widened, wherever they are computed.
  options.prepare = [](OpPassManager &pm) {
    pm.addPass(linalg_ext::createLowerToLoops());
    pm.addPass(createNPUWidenAccumulators());
  };
  options.registerDialects = [](DialectRegistry &registry) {
    registry.insert<linalg_ext::LinalgExtDialect>();
  };
  func::FuncOp source = compiled.function->function;
  llvm::Expected<runtime::HostObject> object =
      runtime::compileHostObject(source, compiled.symbol, options);
  if (object)
    compiled.object = std::move(*object);
  else
    compiled.error = llvm::toString(object.takeError());
}

llvm::Error FunctionCompiler::compile(llvm::ArrayRef<const PartitionedFunction *> functions) {
  SmallVector<func::FuncOp> forNPU;
  for (const PartitionedFunction *function : functions)
    if (function->placement == Placement::NPU)
      forNPU.push_back(function->function);
  if (failed(compiler.compile(forNPU)))
    return llvm::createStringError("the model's dispatches were not compiled");

  llvm::DenseMap<const CompiledProgram *, Compiled *> programs;
  llvm::StringMap<Compiled *> hostFunctions;
  for (const PartitionedFunction *function : functions) {
    Compiled *&result = resultOf[function->function];
    if (result)
      continue;
    const CompiledProgram *program = nullptr;
    if (function->placement == Placement::NPU)
      program = *compiler.getProgram(function->function);
    Compiled *&known = program ? programs[program] : hostFunctions[getKey(function->function)];
    if (!known) {
      known = results.emplace_back(std::make_unique<Compiled>()).get();
      known->function = function;
      known->program = program;
      if (!program)
        known->symbol = "npu_host_" + std::to_string(hostFunctions.size() - 1);
    }
    result = known;
  }
  if (functions.empty())
    return llvm::Error::success();
  func::FuncOp first = functions.front()->function;
  parallelForEach(first.getContext(), results,
                  [&](const std::unique_ptr<Compiled> &result) { finish(*result); });
  for (const std::unique_ptr<Compiled> &result : results)
    if (!result->error.empty())
      return llvm::createStringError(result->error);
  return llvm::Error::success();
}

unsigned FunctionCompiler::getProgram(const PartitionedFunction &function) {
  Compiled &compiled = *resultOf.at(function.function);
  if (compiled.index)
    return *compiled.index;
  compiled.index = graph.programs.size();
  const isa::Program &code = compiled.program->code;
  Program &program = graph.programs.emplace_back();
  program.name = code.name;
  program.code = graph.addToFile(compiled.bytes);
  program.macs = function.macs;
  describeTiling(compiled.program->op, program);
  // Better than a prediction.
  if (compiled.cycles)
    program.expectedCycles = compiled.cycles;
  runtime::Roofline limit = runtime::computeRoofline(function.function, target);
  program.limits = {limit.peakMacRate, limit.computeCycles, limit.dramBytes, limit.dramCycles};
  constants.emplace_back();
  for (const isa::Region &region : code.regions) {
    program.regions.push_back({region.name, region.kind, region.bytes});
    if (region.kind == isa::RegionKind::Constants)
      constants.back().push_back(
          addConstant(program.name + "." + region.name,
                      cantFail(runtime::HostTensor::create(runtime::ElementType::I8, {region.bytes},
                                                           region.data))));
  }
  for (const isa::Stream &stream : code.streams)
    program.streams.push_back({stream.cluster, stream.engine, int64_t(stream.code.size())});
  return *compiled.index;
}

unsigned FunctionCompiler::getHostFunction(const PartitionedFunction &function) {
  Compiled &compiled = *resultOf.at(function.function);
  if (compiled.index)
    return *compiled.index;
  compiled.index = graph.hostFunctions.size();
  func::FuncOp source = function.function;
  HostFunction &result = graph.hostFunctions.emplace_back();
  result.name = source.getSymName().str();
  result.triple = compiled.object.triple;
  result.symbol = compiled.symbol;
  result.code = graph.addToFile(compiled.object.code);
  result.macs = function.macs;
  result.numReads = source.getNumArguments();
  result.numWrites = source.getNumResults();
  for (const RejectedOp &reason : function.reasons)
    llvm::raw_string_ostream(result.reasons.emplace_back()) << reason.rejection;
  if (result.reasons.empty())
    result.reasons.push_back("placed there by the user");
  return *compiled.index;
}

unsigned FunctionCompiler::addConstant(std::string name, const runtime::HostTensor &value) {
  llvm::ArrayRef<uint8_t> bytes = value.getBytes();
  llvm::append_range(constantImage, bytes);
  constantImage.resize(llvm::alignTo(constantImage.size(), bufferAlignment));
  Buffer &buffer = graph.buffers.emplace_back();
  buffer.name = std::move(name);
  buffer.dtype = value.getElementType();
  buffer.shape = value.getShape();
  buffer.bytes = bytes.size();
  buffer.region = MemoryRegion::Constants;
  return graph.buffers.size() - 1;
}

void FunctionCompiler::finish() { graph.constants = graph.addToFile(constantImage); }
