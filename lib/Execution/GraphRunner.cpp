//===- GraphRunner.cpp - runs a task graph on the simulator ---------------===//

#include "NPU/Execution/GraphRunner.h"

#include "NPU/Execution/GraphRecords.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/HostReference/HostObject.h"
#include "NPU/Support/HostMemory.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace npu;
using namespace npu::runtime;
using namespace npu::taskgraph;
using llvm::MutableArrayRef;
using llvm::StringRef;

namespace {
/// The bytes of one region.
class RegionMemory {
public:
  llvm::Error allocate(int64_t size) {
    llvm::Expected<LazyMemory> memory = LazyMemory::create(size);
    if (!memory)
      return memory.takeError();
    bytes = std::move(*memory);
    return llvm::Error::success();
  }
  uint8_t *get(int64_t offset) { return bytes.data() + offset; }

private:
  LazyMemory bytes; ///< starts at a page, so buffers are aligned
};

class GraphRunner {
public:
  GraphRunner(const TaskGraph &graph, const GraphRunOptions &options)
      : graph(graph), options(options) {}

  llvm::Expected<RunReport> run();

private:
  MutableArrayRef<uint8_t> getBytes(unsigned buffer) {
    const Buffer &info = graph.buffers[buffer];
    return {memory[unsigned(info.region)].get(info.offset), size_t(info.bytes)};
  }
  static HostTensorType getType(const Buffer &buffer) {
    return {buffer.dtype, llvm::SmallVector<int64_t>(llvm::ArrayRef(buffer.shape))};
  }

  llvm::Error allocateMemory();
  llvm::Error fillMemory();
  llvm::Error run(TaskRange block);
  llvm::Error run(unsigned number);
  llvm::Error prepare(const Task &task);
  llvm::Error launch(const Task &task);
  llvm::Error callHost(const Task &task);
  llvm::Error copy(unsigned number);
  void fill(const Task &task);
  int64_t readScalar(unsigned buffer);
  void compute(const Task &task);
  bool holds(const Task &task) { return readScalar(task.condition) != 0; }
  llvm::Expected<int64_t> getOffset(const CopySide &side, const Task &task, unsigned number);
  void addRecord(DispatchRecord record, const isa::Program *program);

  const TaskGraph &graph;
  const GraphRunOptions &options;
  std::array<RegionMemory, numMemoryRegions> memory;
  std::vector<isa::Program> programs;
  std::unique_ptr<HostObjectLoader> loader;
  std::vector<HostObjectLoader::Function> functions;
  /// Counts a task. Those of straight-line code end.
  bool isPastLimit() { return ++numRun > options.taskLimit + int64_t(graph.tasks.size()); }
  int64_t numRun = 0; ///< tasks
  RunReport report;
};
} // namespace

llvm::Error npu::runtime::checkMemory(const TaskGraph &graph, int64_t memoryLimit) {
  double bytes = 0; // cannot overflow, and is only compared
  for (int64_t size : graph.regionBytes)
    bytes += double(size);
  // Those have tensors of the caller as well.
  for (MemoryRegion region : {MemoryRegion::Inputs, MemoryRegion::Outputs})
    bytes += double(graph.getRegionBytes(region));
  if (bytes > double(memoryLimit))
    return llvm::createStringError(
        llvm::formatv("memory.regions: the task graph needs {0:F0} bytes of memory, more than the "
                      "limit of {1}; use smaller shapes or a larger --memory-limit",
                      bytes, memoryLimit));
  return llvm::Error::success();
}

llvm::Error GraphRunner::allocateMemory() {
  if (llvm::Error error = checkMemory(graph, options.simulator.memoryLimit))
    return error;
  for (unsigned region = 0; region < numMemoryRegions; ++region)
    if (llvm::Error error = memory[region].allocate(graph.regionBytes[region]))
      return error;
  return llvm::Error::success();
}

/// What the caller and the side file give.
llvm::Error GraphRunner::fillMemory() {
  llvm::copy(graph.getFile(graph.constants), memory[unsigned(MemoryRegion::Constants)].get(0));
  llvm::copy(graph.getFile(graph.state), memory[unsigned(MemoryRegion::State)].get(0));
  for (const Port &parameter : graph.parameters) {
    const Buffer &buffer = graph.buffers[parameter.buffer];
    std::string name =
        parameter.scope.empty() ? parameter.name : parameter.scope + "::" + parameter.name;
    if (!options.parameter)
      return llvm::createStringError("the task graph needs parameter '" + name +
                                     "' but no parameters were given");
    llvm::Expected<HostTensor> value =
        options.parameter(parameter.scope, parameter.name, getType(buffer));
    if (!value)
      return llvm::createStringError("cannot load parameter '" + name +
                                     "': " + toString(value.takeError()));
    if (!getType(buffer).matches(*value))
      return llvm::createStringError("expected a " + getType(buffer).str() + " as parameter '" +
                                     name + "' but found a " + value->getTypeString());
    llvm::copy(value->getBytes(), getBytes(parameter.buffer).begin());
  }
  llvm::SmallVector<HostTensorType> types;
  for (const Port &input : graph.inputs)
    types.push_back(getType(graph.buffers[input.buffer]));
  llvm::SmallVector<HostTensor> made;
  if (!options.inputValues)
    if (llvm::Error error =
            makeInputs(options.inputs, types, options.simulator.memoryLimit).moveInto(made))
      return error;
  for (auto [port, value] : llvm::zip_equal(graph.inputs, options.inputValues.value_or(made)))
    llvm::copy(value.getBytes(), getBytes(port.buffer).begin());
  return llvm::Error::success();
}

void GraphRunner::addRecord(DispatchRecord record, const isa::Program *program) {
  if (options.onDispatch)
    options.onDispatch(record, program);
  record.statistics.events.clear();
  report.dispatches.push_back(std::move(record));
}

llvm::Error GraphRunner::prepare(const Task &task) {
  programs.resize(graph.programs.size());
  return decodeProgram(graph, task.code).moveInto(programs[task.code]);
}

llvm::Error GraphRunner::launch(const Task &task) {
  const Program &info = graph.programs[task.code];
  llvm::SmallVector<MutableArrayRef<uint8_t>> regions;
  for (unsigned buffer : task.bindings)
    regions.push_back(getBytes(buffer));
  bool isSegment = info.kernels.size() > 1;
  sim::Options simulator = options.simulator;
  simulator.partOfSource = getKernelOfSource(info);
  llvm::Expected<sim::Result> result = sim::simulate(programs[task.code], regions, simulator);
  if (!result)
    return result.takeError();
  if (int64_t bytes = result->unwrittenOutputBytes)
    return llvm::createStringError(llvm::formatv(
        "dispatch #{0} left {1} bytes of its outputs unwritten", task.dispatches.back(), bytes));
  if (options.progress)
    options.progress->finishPart(result->cycles);
  if (isSegment && options.onSegment)
    options.onSegment({task.dispatches, simulator.partOfSource, programs[task.code], *result});
  for (DispatchRecord &record : makeLaunchRecords(task, info, std::move(*result)))
    addRecord(std::move(record), isSegment ? nullptr : &programs[task.code]);
  return llvm::Error::success();
}

llvm::Error GraphRunner::callHost(const Task &task) {
  const HostFunction &info = graph.hostFunctions[task.code];
  functions.resize(graph.hostFunctions.size());
  HostObjectLoader::Function &function = functions[task.code];
  if (!function) {
    if (!loader) {
      llvm::Expected<std::unique_ptr<HostObjectLoader>> created = HostObjectLoader::create();
      if (!created)
        return created.takeError();
      loader = std::move(*created);
    }
    if (info.triple != HostObjectLoader::getTriple())
      return llvm::createStringError("host function '" + info.name + "' is for " + info.triple +
                                     ", but this host is " + HostObjectLoader::getTriple() +
                                     "; compile the model on this host");
    llvm::Expected<HostObjectLoader::Function> loaded =
        loader->load(graph.getFile(info.code), info.symbol);
    if (!loaded)
      return llvm::createStringError("host function '" + info.name +
                                     "': " + toString(loaded.takeError()));
    function = *loaded;
  }
  llvm::SmallVector<void *> addresses;
  for (unsigned buffer : llvm::concat<const unsigned>(task.reads, task.writes))
    addresses.push_back(getBytes(buffer).data());
  if (llvm::Error error =
          HostObjectLoader::call(function, addresses.data(), options.simulator.memoryLimit))
    return llvm::createStringError("host function '" + info.name +
                                   "': " + toString(std::move(error)));
  addRecord(makeHostRecord(task, info), nullptr);
  return llvm::Error::success();
}

/// Sign-extended, but for one bit, which is 0 or 1.
int64_t GraphRunner::readScalar(unsigned buffer) {
  MutableArrayRef<uint8_t> bytes = getBytes(buffer);
  uint64_t bits = 0;
  for (auto [index, byte] : llvm::enumerate(bytes))
    bits |= uint64_t(byte) << (8 * index);
  if (graph.buffers[buffer].dtype == ElementType::I1)
    return bits & 1;
  return llvm::SignExtend64(bits, 8 * bytes.size());
}

void GraphRunner::compute(const Task &task) {
  llvm::SmallVector<int64_t, 3> x;
  for (unsigned operand : task.operands)
    x.push_back(readScalar(operand));
  auto evaluate = [&]() -> uint64_t {
    switch (task.scalarOp) {
    case ScalarOp::Add:
      return uint64_t(x[0]) + uint64_t(x[1]);
    case ScalarOp::Sub:
      return uint64_t(x[0]) - uint64_t(x[1]);
    case ScalarOp::Mul:
      return uint64_t(x[0]) * uint64_t(x[1]);
    case ScalarOp::And:
      return x[0] & x[1];
    case ScalarOp::Or:
      return x[0] | x[1];
    case ScalarOp::Xor:
      return x[0] ^ x[1];
    case ScalarOp::Min:
      return std::min(x[0], x[1]);
    case ScalarOp::Max:
      return std::max(x[0], x[1]);
    case ScalarOp::Equal:
      return x[0] == x[1];
    case ScalarOp::NotEqual:
      return x[0] != x[1];
    case ScalarOp::Less:
      return x[0] < x[1];
    case ScalarOp::LessEqual:
      return x[0] <= x[1];
    case ScalarOp::Select:
      return x[0] != 0 ? x[1] : x[2];
    case ScalarOp::Convert:
      return x[0];
    }
    llvm_unreachable("all ops are handled");
  };
  uint64_t bits = evaluate();
  if (graph.buffers[task.result].dtype == ElementType::I1)
    bits &= 1;
  for (uint8_t &byte : getBytes(task.result)) {
    byte = uint8_t(bits);
    bits >>= 8;
  }
}

/// The offset of a copy's side. What data adds to it must leave the box in the buffer.
llvm::Expected<int64_t> GraphRunner::getOffset(const CopySide &side, const Task &task,
                                               unsigned number) {
  __int128 offset = side.offset;
  for (const OffsetTerm &term : side.terms)
    offset += __int128(readScalar(term.buffer)) * term.stride;
  // The box at the offset that the file gives lies in the buffer, as the verifier has found.
  __int128 size = 1;
  for (auto [extent, stride] : llvm::zip_equal(task.extents, side.strides))
    size += __int128(extent - 1) * stride;
  if (offset < 0 || offset + size > graph.buffers[side.buffer].bytes)
    return llvm::createStringError(
        llvm::formatv("tasks[{0}]: expected a box inside of the {1} bytes of "
                      "buffers[{2}], found another one, which data gives",
                      number, graph.buffers[side.buffer].bytes, side.buffer));
  return int64_t(offset);
}

llvm::Error GraphRunner::copy(unsigned number) {
  const Task &task = graph.tasks[number];
  if (llvm::is_contained(task.extents, 0))
    return llvm::Error::success();
  llvm::Expected<int64_t> source = getOffset(task.source, task, number);
  if (!source)
    return source.takeError();
  llvm::Expected<int64_t> target = getOffset(task.target, task, number);
  if (!target)
    return target.takeError();
  llvm::SmallVector<int64_t> index(task.extents.size(), 0);
  int64_t rowBytes = task.extents.back();
  for (bool isDone = false; !isDone;) {
    int64_t from = *source, to = *target;
    for (size_t dim = 0; dim + 1 < index.size(); ++dim) {
      from += index[dim] * task.source.strides[dim];
      to += index[dim] * task.target.strides[dim];
    }
    std::memmove(getBytes(task.target.buffer).data() + to,
                 getBytes(task.source.buffer).data() + from, rowBytes);
    isDone = true;
    for (size_t dim = index.size() - 1; dim-- > 0 && isDone;) {
      isDone = ++index[dim] == task.extents[dim];
      if (isDone)
        index[dim] = 0;
    }
  }
  return llvm::Error::success();
}

void GraphRunner::fill(const Task &task) {
  MutableArrayRef<uint8_t> bytes = getBytes(task.filled);
  for (size_t offset = 0; offset < bytes.size(); offset += task.pattern.size())
    llvm::copy(task.pattern, bytes.begin() + offset);
}

llvm::Error GraphRunner::run(unsigned number) {
  const Task &task = graph.tasks[number];
  if (isPastLimit())
    return llvm::createStringError(llvm::formatv("tasks[{0}] is past the limit of {1} tasks; raise "
                                                 "--host-op-limit if the graph is not endless",
                                                 number, options.taskLimit));
  auto [first, second] = getBlocks(graph, number);
  switch (task.kind) {
  case TaskKind::Prepare:
    return prepare(task);
  case TaskKind::Launch:
    return launch(task);
  case TaskKind::Host:
    return callHost(task);
  case TaskKind::Copy:
    return copy(number);
  case TaskKind::Fill:
    fill(task);
    return llvm::Error::success();
  case TaskKind::Compute:
    compute(task);
    return llvm::Error::success();
  case TaskKind::Branch:
    return run(holds(task) ? first : second);
  case TaskKind::Loop:
    while (true) {
      if (llvm::Error error = run(first))
        return error;
      if (!holds(task))
        return llvm::Error::success();
      if (isPastLimit())
        return run(number); // says so
      if (llvm::Error error = run(second))
        return error;
    }
  }
  llvm_unreachable("all kinds are handled");
}

llvm::Error GraphRunner::run(TaskRange block) {
  for (unsigned number = block.first; number < block.end; number = getEnd(graph, number))
    if (llvm::Error error = run(number))
      return error;
  return llvm::Error::success();
}

llvm::Expected<RunReport> GraphRunner::run() {
  if (llvm::Error error = allocateMemory())
    return std::move(error);
  if (llvm::Error error = fillMemory())
    return std::move(error);
  llvm::SmallVector<HostTensorType> types;
  for (const Port &output : graph.outputs)
    types.push_back(getType(graph.buffers[output.buffer]));
  llvm::Expected<llvm::SmallVector<std::optional<HostTensor>>> expected =
      readExpectedOutputs(options.expectedOutputs, types);
  if (!expected)
    return expected.takeError();
  if (options.progress) {
    int64_t cycles = 0;
    for (const Task &task : graph.tasks)
      if (task.kind == TaskKind::Launch)
        cycles += graph.programs[task.code].expectedCycles.value_or(0);
    options.progress->begin("running", cycles);
  }
  if (llvm::Error error = run(getAllBlocks(graph).front()))
    return std::move(error);
  for (const Port &output : graph.outputs) {
    const Buffer &buffer = graph.buffers[output.buffer];
    HostTensor value(buffer.dtype, buffer.shape);
    llvm::copy(getBytes(output.buffer), value.getMutableBytes().begin());
    report.outputs.push_back({output.name, std::move(value), std::nullopt, std::nullopt});
  }
  if (llvm::Error error = compareWithExpected(report, *expected, options.tolerance))
    return std::move(error);
  report.limit = getLimit(graph, report.dispatches);
  return std::move(report);
}

llvm::Error npu::runtime::refuseHostCode(const TaskGraph &graph) {
  for (auto [number, task] : llvm::enumerate(graph.tasks))
    if (task.kind == TaskKind::Host)
      return llvm::createStringError(llvm::formatv(
          "tasks[{0}]: expected no host function without --allow-host-code, found '{1}', native "
          "code that can do whatever you can; add --allow-host-code if you trust who made the "
          "graph",
          number, graph.hostFunctions[task.code].name));
  return llvm::Error::success();
}

llvm::Expected<RunReport> npu::runtime::runTaskGraph(const TaskGraph &graph,
                                                     const GraphRunOptions &options) {
  if (!options.allowHostCode)
    if (llvm::Error error = refuseHostCode(graph))
      return std::move(error);
  return GraphRunner(graph, options).run();
}
