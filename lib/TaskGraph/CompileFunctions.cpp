//===- CompileFunctions.cpp - the code of a task graph's tasks ------------===//

#include "CompileFunctions.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Runtime/HostObject.h"
#include "NPU/Runtime/Roofline.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Binary/Binary.h"
#include "NPU/Target/Translate/Translate.h"

#include "mlir/Pass/PassManager.h"
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
static void describeTiling(isa::ProgramOp op, const isa::Program &code, Program &program) {
  if (auto tiling = op->getAttrOfType<DictionaryAttr>(kTilingAttrName)) {
    for (auto [dim, size] :
         llvm::zip_equal(tiling.getAs<ArrayAttr>("dims").getAsRange<StringAttr>(),
                         tiling.getAs<DenseI64ArrayAttr>("sizes").asArrayRef()))
      program.tile.push_back({dim.str(), size});
    program.expectedCycles = tiling.getAs<IntegerAttr>("predicted_cycles").getInt();
  }
  // Better than a prediction, unless it takes long.
  sim::Options options;
  options.stepLimit = 1'000'000;
  if (llvm::Expected<sim::Result> measured = sim::measure(code, options))
    program.expectedCycles = measured->cycles;
  else
    llvm::consumeError(measured.takeError());
  if (auto planned = op->getAttrOfType<DictionaryAttr>(kPlannedBytesAttrName)) {
    program.sramBytes = planned.getAs<IntegerAttr>("sram").getInt();
    program.accBytes = planned.getAs<IntegerAttr>("acc").getInt();
  }
}

llvm::Expected<unsigned> FunctionCompiler::getProgram(const PartitionedFunction &function) {
  auto [known, isNew] = programs.try_emplace(getKey(function.function), graph.programs.size());
  if (!isNew)
    return known->second;

  func::FuncOp source = function.function;
  OwningOpRef<ModuleOp> module = ModuleOp::create(source.getLoc());
  OpBuilder::atBlockEnd(module->getBody()).clone(*source);
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  CodegenPipelineOptions options;
  options.target = target.name;
  populateCodegenPipeline(pm, options);
  FailureOr<isa::Program> code = failure();
  if (succeeded(pm.run(*module)))
    code = npu::getProgram(*module);
  if (failed(code))
    return llvm::createStringError("'" + function.name + "' was not compiled");
  llvm::Expected<std::vector<uint8_t>> bytes = isa::encodeBinary(*code);
  if (!bytes)
    return bytes.takeError();

  Program &program = graph.programs.emplace_back();
  program.name = code->name;
  program.code = graph.addToFile(*bytes);
  program.macs = function.macs;
  describeTiling(*module->getOps<isa::ProgramOp>().begin(), *code, program);
  runtime::Roofline limit = runtime::computeRoofline(source, target);
  program.limits = {limit.peakMacRate, limit.computeCycles, limit.dramBytes, limit.dramCycles};
  constants.emplace_back();
  for (const isa::Region &region : code->regions) {
    program.regions.push_back({region.name, region.kind, region.bytes});
    if (region.kind == isa::RegionKind::Constants)
      constants.back().push_back(
          addConstant(program.name + "." + region.name,
                      cantFail(runtime::HostTensor::create(runtime::ElementType::I8, {region.bytes},
                                                           region.data))));
  }
  for (const isa::Stream &stream : code->streams)
    program.streams.push_back({stream.cluster, stream.engine, int64_t(stream.code.size())});
  return known->second;
}

llvm::Expected<unsigned> FunctionCompiler::getHostFunction(const PartitionedFunction &function) {
  auto [known, isNew] =
      hostFunctions.try_emplace(getKey(function.function), graph.hostFunctions.size());
  if (!isNew)
    return known->second;
  runtime::HostReferenceOptions options;
  // Sums of f16 are defined as widened, wherever they are computed.
  options.prepare = [](OpPassManager &pm) { pm.addPass(createNPUWidenAccumulators()); };
  std::string symbol = "npu_host_" + std::to_string(known->second);
  func::FuncOp source = function.function;
  llvm::Expected<runtime::HostObject> object = runtime::compileHostObject(source, symbol, options);
  if (!object)
    return object.takeError();
  HostFunction &result = graph.hostFunctions.emplace_back();
  result.name = source.getSymName().str();
  result.triple = object->triple;
  result.symbol = symbol;
  result.code = graph.addToFile(object->code);
  result.macs = function.macs;
  result.numReads = source.getNumArguments();
  result.numWrites = source.getNumResults();
  for (const RejectedOp &reason : function.reasons)
    llvm::raw_string_ostream(result.reasons.emplace_back()) << reason.rejection;
  if (result.reasons.empty())
    result.reasons.push_back("placed there by the user");
  return known->second;
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
