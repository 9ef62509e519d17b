//===- LevelTrace.cpp - what a kernel does, step by step ------------------===//

#include "LevelTrace.h"

#include "NPU/Execution/NPUExecutor.h"
#include "NPU/Target/Assembly/Assembly.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

uint64_t npu::runtime::getDigest(StringRef memory, int64_t offset, ArrayRef<uint8_t> bytes) {
  uint64_t digest = llvm::xxh3_64bits(bytes);
  for (uint64_t part : {uint64_t(offset), uint64_t(llvm::xxh3_64bits(memory))}) {
    digest = (digest ^ part) * 0x9e3779b97f4a7c15;
    digest ^= digest >> 29;
  }
  return digest;
}

static std::string printValue(ElementType type, ArrayRef<uint8_t> bytes) {
  llvm::Expected<HostTensor> tensor = HostTensor::create(type, {}, bytes.vec());
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return "0x" + llvm::toHex(bytes);
  }
  return isFloat(type) ? formatv("{0}", llvm::format("%.9g", tensor->getFloat(0))).str()
                       : std::to_string(tensor->getInt(0));
}

template <typename Numbers>
static std::string printList(const Numbers &numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(numbers, os);
  os << ']';
  return text;
}

template <typename Numbers>
static std::string describeLoops(const Numbers &counters) {
  return counters.empty() ? "" : "in iteration " + printList(counters) + " of the loops around it";
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static std::string printLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  else
    os << "an unknown place";
  return text;
}

std::string npu::runtime::printOp(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.skipRegions().useLocalScope().elideLargeElementsAttrs(16);
  op->print(os, flags);
  return text;
}

static uint32_t getLane(StreamOp stream) {
  return stream ? (uint32_t(stream.getCluster()) << 8 | uint32_t(stream.getEngine())) : 0;
}

Step npu::runtime::describeWrite(const interpreter::Write &write) {
  Step step;
  step.text = printOp(write.op);
  step.place = printLocation(write.op->getLoc());
  if (StreamOp stream = write.stream)
    step.place += formatv(", stream {0} of cluster {1}", stringifyEngine(stream.getEngine()),
                          stream.getCluster());
  step.loops = describeLoops(write.counters);
  const interpreter::View &view = write.destination;
  std::string shape;
  llvm::raw_string_ostream os(shape);
  for (int64_t size : view.shape)
    os << size << 'x';
  os << view.elementType;
  int64_t bytes = getElementBytes(view.elementType);
  ElementType type = interpreter::getHostType(view.elementType).value_or(ElementType::I8);
  for (int64_t offset : write.offsets)
    step.written[{view.memory->name, offset}] = {
        printValue(type, ArrayRef(view.memory->bytes).slice(offset, bytes)),
        formatv("element {0} of {1}, {2}", printList(view.getCoordinates(offset)), shape,
                view.memory->name)};
  return step;
}

static Trace traceForm(KernelOp kernel, ArrayRef<HostTensor> inputs, const sim::Options &simulator,
                       std::optional<StepId> wanted) {
  Trace result;
  std::map<uint32_t, uint32_t> ordinals;
  interpreter::Options options;
  options.memoryLimit = simulator.memoryLimit;
  options.opLimit = simulator.stepLimit;
  options.onWrite = [&](const interpreter::Write &write) {
    uint32_t lane = getLane(write.stream);
    StepId id{lane, ordinals[lane]++};
    const interpreter::View &view = write.destination;
    int64_t bytes = getElementBytes(view.elementType);
    uint64_t digest = 0;
    for (int64_t offset : write.offsets) {
      ArrayRef<uint8_t> element = ArrayRef(view.memory->bytes).slice(offset, bytes);
      digest += getDigest(view.memory->name, offset, element);
      for (const std::shared_ptr<interpreter::Memory> &copy : write.copies)
        digest += getDigest(copy->name, offset, element);
    }
    result.steps.push_back({id, digest});
    if (wanted && !(id < *wanted) && !(*wanted < id))
      result.wanted = describeWrite(write);
  };
  llvm::Expected<SmallVector<HostTensor>> outputs = interpreter::interpret(kernel, inputs, options);
  if (outputs)
    result.outputs = std::move(*outputs);
  else
    result.failure = llvm::toString(outputs.takeError());
  return result;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// The type of the elements that an instruction writes.
struct WrittenType {
  isa::ElementType operator()(const isa::DmaLoad &load) const { return load.from.type; }
  isa::ElementType operator()(const isa::DmaGather &gather) const { return gather.from.type; }
  isa::ElementType operator()(const isa::DmaCopy &copy) const { return copy.from.type; }
  isa::ElementType operator()(const isa::DmaStore &store) const { return store.to.type; }
  isa::ElementType operator()(const isa::MxuMatmul &op) const { return get(op.accumulate); }
  isa::ElementType operator()(const isa::MxuConv &op) const { return get(op.accumulate); }
  isa::ElementType operator()(const isa::MxuDepthwise &op) const { return get(op.accumulate); }
  isa::ElementType operator()(const isa::Loop &) const { return isa::ElementType::I8; }
  isa::ElementType operator()(const isa::EndLoop &) const { return isa::ElementType::I8; }
  isa::ElementType operator()(const isa::Synchronize &) const { return isa::ElementType::I8; }
  isa::ElementType operator()(const isa::Halt &) const { return isa::ElementType::I8; }
  template <typename Vector>
  isa::ElementType operator()(const Vector &vector) const {
    return vector.dst.type;
  }

private:
  static isa::ElementType get(const isa::Accumulate &accumulate) {
    bool isInteger = isa::toString(accumulate.type).starts_with("i");
    return isInteger ? isa::ElementType::I32 : isa::ElementType::F32;
  }
};
} // namespace

isa::ElementType npu::runtime::getWrittenType(const isa::Instruction &instruction) {
  return std::visit(WrittenType(), instruction);
}

Step npu::runtime::describeExecution(const isa::Program &program, const sim::Execution &execution) {
  const isa::Stream &stream = program.streams[execution.stream];
  const isa::Instruction &instruction = stream.code[execution.instruction];
  Step step;
  llvm::raw_string_ostream os(step.text);
  isa::printInstruction(instruction, os);
  // Those with boxes are several lines.
  std::string joined;
  for (StringRef rest = step.text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    joined += (joined.empty() ? "" : " ") + line.trim().str();
  }
  step.text = std::move(joined);
  step.place = formatv("instruction {0} of {1}", execution.instruction, isa::describe(stream));
  int64_t source = std::visit([](const auto &held) { return int64_t(held.source); }, instruction);
  if (source != 0)
    step.place += ", of " + program.sources[source - 1];
  SmallVector<int64_t> counters;
  for (const isa::Instruction &before : ArrayRef(stream.code).take_front(execution.instruction)) {
    if (std::holds_alternative<isa::Loop>(before))
      counters.push_back(execution.counters[counters.size()]);
    else if (std::holds_alternative<isa::EndLoop>(before))
      counters.pop_back();
  }
  step.loops = describeLoops(counters);
  isa::ElementType type = getWrittenType(instruction);
  int64_t bytes = isa::getByteSize(type);
  ElementType hostType = *parseElementType(isa::toString(type));
  for (const sim::WrittenBytes &write : execution.writes)
    for (int64_t at = 0; at + bytes <= int64_t(write.bytes.size()); at += bytes)
      step.written[{write.memory.str(), write.begin + at}] = {
          printValue(hostType, write.bytes.slice(at, bytes)),
          formatv("the {0} at byte {1} of {2}", isa::toString(type), write.begin + at,
                  write.memory)};
  return step;
}

static Trace traceProgram(const isa::Program &program, ArrayRef<HostTensor> inputs,
                          const sim::Options &simulator, std::optional<StepId> wanted) {
  Trace result;
  std::map<uint32_t, uint32_t> ordinals;
  sim::Options options = simulator;
  options.recordEvents = false;
  options.partOfSource.clear();
  options.onExecution = [&](const sim::Execution &execution) {
    if (execution.writes.empty())
      return;
    const isa::Stream &stream = program.streams[execution.stream];
    uint32_t lane = uint32_t(stream.cluster) << 8 | uint32_t(stream.engine);
    StepId id{lane, ordinals[lane]++};
    uint64_t digest = 0;
    for (const sim::WrittenBytes &write : execution.writes)
      digest += getDigest(write.memory, write.begin, write.bytes);
    result.steps.push_back({id, digest});
    if (wanted && !(id < *wanted) && !(*wanted < id))
      result.wanted = describeExecution(program, execution);
  };
  SmallVector<HostTensor> types;
  for (const isa::Region &region : program.regions)
    if (isa::isOutput(region.kind))
      types.push_back(HostTensor(ElementType::I8, {region.bytes}));
  llvm::Expected<LaunchResult> launched = launch(program, inputs, types, options);
  if (!launched)
    result.failure = llvm::toString(launched.takeError());
  else if (int64_t missing = launched->statistics.unwrittenOutputBytes)
    result.failure = formatv("the program leaves {0} bytes of its outputs unwritten", missing);
  else
    result.outputs = std::move(launched->outputs);
  return result;
}

Trace npu::runtime::trace(const KernelLevels &kernel, Level level, ArrayRef<HostTensor> inputs,
                          const sim::Options &simulator, std::optional<StepId> wanted) {
  if (level == Level::Program)
    return traceProgram(kernel.getProgram(), inputs, simulator, wanted);
  return traceForm(kernel.getKernel(level), inputs, simulator, wanted);
}
