//===- CompileFunctions.cpp - the code of a task graph's tasks ------------===//

#include "CompileFunctions.h"

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Pipelines/HostDispatches.h"
#include "NPU/Roofline/DispatchNodes.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Binary/Binary.h"

#include "mlir/IR/Threading.h"
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
  func::FuncOp source = compiled.functions.front()->function;
  runtime::HostReferenceOptions options = runtime::getHostDispatchOptions();
  options.memoryLimit = memoryLimit;
  llvm::Expected<runtime::HostObject> object =
      runtime::compileHostObject(source, compiled.symbol, options);
  if (object)
    compiled.object = std::move(*object);
  else
    compiled.error = llvm::toString(object.takeError());
}

llvm::Error FunctionCompiler::compile(llvm::ArrayRef<const PartitionedFunction *> functions,
                                      llvm::ArrayRef<Segment> segments) {
  SmallVector<func::FuncOp> forNPU;
  for (const PartitionedFunction *function : functions)
    if (function->placement == Placement::NPU)
      forNPU.push_back(function->function);
  SmallVector<SegmentOp> segmentOps =
      llvm::map_to_vector(segments, [](const Segment &segment) { return segment.op; });
  if (failed(compiler.compile(forNPU)) || failed(compiler.compile(segmentOps)))
    return llvm::createStringError("the model's dispatches were not compiled");

  llvm::DenseMap<const CompiledProgram *, Compiled *> programs;
  auto addResult = [&](Compiled *&known, ArrayRef<const PartitionedFunction *> of,
                       const CompiledProgram *program) {
    if (known)
      return known;
    known = results.emplace_back(std::make_unique<Compiled>()).get();
    known->functions.assign(of.begin(), of.end());
    known->program = program;
    return known;
  };
  llvm::StringMap<Compiled *> hostFunctions;
  for (const PartitionedFunction *function : functions) {
    Compiled *&result = resultOf[function->function];
    if (result)
      continue;
    if (function->placement == Placement::NPU) {
      const CompiledProgram *program = *compiler.getProgram(function->function);
      result = addResult(programs[program], function, program);
      continue;
    }
    Compiled *&known = hostFunctions[getKey(function->function)];
    result = addResult(known, function, nullptr);
    if (known->symbol.empty())
      known->symbol = "npu_host_" + std::to_string(hostFunctions.size() - 1);
  }
  for (const Segment &segment : segments) {
    const CompiledProgram *program = &compiler.getProgram(segment.op);
    Compiled *result = addResult(programs[program], segment.functions, program);
    if (!result->segment)
      result->segment = segment.op;
    resultOf[segment.op] = result;
  }
  if (results.empty())
    return llvm::Error::success();
  func::FuncOp first = results.front()->functions.front()->function;
  parallelForEach(first.getContext(), results,
                  [&](const std::unique_ptr<Compiled> &result) { finish(*result); });
  for (const std::unique_ptr<Compiled> &result : results)
    if (!result->error.empty())
      return llvm::createStringError(result->error);
  return llvm::Error::success();
}

unsigned FunctionCompiler::getProgram(const PartitionedFunction &function) {
  return addProgram(*resultOf.at(function.function));
}

unsigned FunctionCompiler::getProgram(SegmentOp segment) {
  return addProgram(*resultOf.at(segment));
}

std::vector<runtime::LimitNode> FunctionCompiler::makeNodes(const Compiled &compiled) const {
  std::vector<runtime::Roofline> alone;
  for (const PartitionedFunction *function : compiled.functions)
    alone.push_back(runtime::computeRoofline(function->function, target));
  if (!compiled.segment)
    return {runtime::makeLimitNode(alone.front())};
  SegmentOp segment = compiled.segment;
  auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
  return runtime::collectLimitNodes(
      dispatches, [&](flow::DispatchOp dispatch) -> const runtime::Roofline & {
        return alone[llvm::find(dispatches, dispatch) - dispatches.begin()];
      });
}

void FunctionCompiler::addLimits(Program &program, const Compiled &compiled) const {
  std::vector<runtime::LimitNode> nodes = makeNodes(compiled);
  SmallVector<unsigned> numDispatches = llvm::map_to_vector(
      compiled.program->kernels, [](const PlannedKernel &kernel) { return kernel.numDispatches; });
  unsigned first = 0;
  for (auto [count, limit] :
       llvm::zip_equal(numDispatches, runtime::computeKernelLimits(nodes, numDispatches, target))) {
    ProgramKernel &kernel = program.kernels[first];
    kernel.limits = toLimits(limit);
    for (unsigned number = first; number < first + count; ++number) {
      program.kernels[number].kernel = first;
      kernel.peakMacRate = std::max(kernel.peakMacRate, nodes[number].alone.peakMacRate);
    }
    first += count;
  }
}

unsigned FunctionCompiler::addProgram(Compiled &compiled) {
  if (compiled.index)
    return *compiled.index;
  compiled.index = graph.programs.size();
  isa::ProgramOp op = compiled.program->op;
  const isa::Program &code = compiled.program->code;
  Program &program = graph.programs.emplace_back();
  program.name = code.name;
  program.code = graph.addToFile(compiled.bytes);
  if (isa::PlanAttr plan = op.getPlanAttr()) {
    program.expectedCycles = plan.getCycles();
    program.sramBytes = plan.getSram();
    program.accBytes = plan.getAcc();
  }
  // Better than a prediction.
  if (compiled.cycles)
    program.expectedCycles = compiled.cycles;
  SmallVector<TilingAttr> tilings; // of each dispatch
  for (const PlannedKernel &kernel : compiled.program->kernels)
    tilings.append(kernel.numDispatches, kernel.tiling);
  for (auto [function, tiling] : llvm::zip_equal(compiled.functions, tilings)) {
    ProgramKernel &kernel = program.kernels.emplace_back();
    kernel.name = function->description;
    kernel.macs = function->macs;
    if (tiling)
      for (auto [dim, size] : llvm::zip_equal(tiling.getDims(), tiling.getSizes()))
        kernel.tile.push_back({dim.str(), size});
  }
  addLimits(program, compiled);
  for (auto [source, kernel] : llvm::enumerate(compiled.program->dispatchOfSource))
    program.kernels[kernel].sources.push_back(source + 1);
  constants.emplace_back();
  for (const isa::Region &region : code.regions) {
    program.regions.push_back({region.name, region.kind, region.bytes});
    if (region.kind == isa::RegionKind::Constants)
      constants.back().push_back(
          addConstant(program.name + "." + region.name,
                      cantFail(runtime::HostTensor::create(runtime::ElementType::I8, {region.bytes},
                                                           ArrayRef<uint8_t>(region.data).vec()))));
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

unsigned FunctionCompiler::addToImage(std::vector<uint8_t> &image, MemoryRegion region,
                                      std::string name, const runtime::HostTensor &value) {
  llvm::ArrayRef<uint8_t> bytes = value.getBytes();
  llvm::append_range(image, bytes);
  image.resize(llvm::alignTo(image.size(), bufferAlignment));
  Buffer &buffer = graph.buffers.emplace_back();
  buffer.name = std::move(name);
  buffer.dtype = value.getElementType();
  buffer.shape = value.getShape();
  buffer.bytes = bytes.size();
  buffer.region = region;
  return graph.buffers.size() - 1;
}

unsigned FunctionCompiler::addConstant(std::string name, const runtime::HostTensor &value) {
  return addToImage(constantImage, MemoryRegion::Constants, std::move(name), value);
}

unsigned FunctionCompiler::addState(std::string name, const runtime::HostTensor &value) {
  return addToImage(stateImage, MemoryRegion::State, std::move(name), value);
}

void FunctionCompiler::finish() {
  graph.constants = graph.addToFile(constantImage);
  graph.state = graph.addToFile(stateImage);
}
