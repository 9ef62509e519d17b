//===- GraphRecords.cpp - what tasks of a graph are in a report -------------===//

#include "NPU/Execution/GraphRecords.h"

#include "NPU/Execution/NPUExecutor.h"
#include "NPU/Target/Binary/Binary.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::runtime;
using namespace npu::taskgraph;

llvm::Expected<isa::Program> npu::runtime::decodeProgram(const TaskGraph &graph, unsigned number) {
  auto fail = [](const llvm::Twine &message) { return llvm::createStringError(message); };
  const Program &info = graph.programs[number];
  llvm::Expected<isa::Program> program = isa::decodeBinary(graph.getFile(info.code), info.name);
  if (!program)
    return program.takeError();
  bool isSame = program->regions.size() == info.regions.size();
  if (isSame)
    for (auto [region, expected] : llvm::zip_equal(program->regions, info.regions))
      isSame &= region.kind == expected.kind && region.bytes == expected.bytes;
  if (!isSame)
    return fail("program '" + info.name + "' has other regions than programs[" +
                llvm::Twine(number) + "] says");
  if (!areCompatibleTargets(program->target, graph.target))
    return fail("program '" + info.name + "' is for target '" + program->target +
                "', but the task graph is for '" + graph.target + "'");
  for (auto [place, kernel] : llvm::enumerate(info.kernels))
    for (unsigned source : kernel.sources)
      if (source == 0 || source > program->sources.size())
        return fail(llvm::formatv(
            "programs[{0}].kernels[{1}].sources: expected entries of the source table of program "
            "'{2}', 1 to {3}, found {4}",
            number, place, info.name, program->sources.size(), source));
  return program;
}

std::vector<unsigned> npu::runtime::getKernelOfSource(const Program &program) {
  std::vector<unsigned> kernelOfSource;
  if (program.kernels.size() == 1)
    return kernelOfSource;
  for (auto [number, kernel] : llvm::enumerate(program.kernels))
    for (unsigned source : kernel.sources) {
      if (source > kernelOfSource.size())
        kernelOfSource.resize(source, program.kernels.size());
      kernelOfSource[source - 1] = number;
    }
  return kernelOfSource;
}

static Limit toLimit(const Limits &limits) {
  return {limits.computeCycles, limits.dramBytes, limits.dramCycles, limits.cutCycles};
}

static DispatchRecord makeRecord(unsigned dispatch, llvm::StringRef description, const Task &task) {
  DispatchRecord record;
  record.index = dispatch;
  record.description = description.str();
  // Of a segment it is that of its first dispatch.
  if (task.dispatches.size() == 1 && !task.location.empty()) {
    record.layer = task.location;
    record.sources.push_back(task.location);
  }
  return record;
}

std::vector<DispatchRecord>
npu::runtime::makeLaunchRecords(const Task &task, const Program &program, sim::Result result) {
  std::vector<DispatchRecord> records;
  llvm::SmallVector<unsigned> numParts; // of each kernel
  for (auto [number, dispatch, kernel] : llvm::enumerate(task.dispatches, program.kernels)) {
    DispatchRecord &record = records.emplace_back(makeRecord(dispatch, kernel.name, task));
    record.macs = kernel.macs;
    record.peakMacRate = kernel.peakMacRate;
    record.limit = toLimit(kernel.limits);
    record.plan.kernel = task.dispatches[kernel.kernel];
    for (const TileSize &size : kernel.tile)
      record.plan.tile +=
          llvm::formatv("{0}{1} = {2}", record.plan.tile.empty() ? "" : ", ", size.dim, size.size);
    if (kernel.kernel == number)
      numParts.push_back(0);
    ++numParts.back();
  }
  if (records.size() == 1) {
    records.front().statistics = std::move(result);
    return records;
  }
  auto record = records.begin();
  for (auto [count, share] : llvm::zip_equal(numParts, splitByKernel(result, numParts))) {
    record->statistics = std::move(share);
    if (numParts.size() > 1)
      record->programCycles = result.cycles;
    record += count;
  }
  return records;
}

Limit npu::runtime::getLimit(const TaskGraph &graph, llvm::ArrayRef<DispatchRecord> records) {
  if (graph.limits)
    return toLimit(*graph.limits);
  Limit sum;
  for (const DispatchRecord &record : records) {
    sum.computeCycles += record.limit.computeCycles;
    sum.dramBytes += record.limit.dramBytes;
    sum.dramCycles += record.limit.dramCycles;
    sum.cutCycles += record.limit.cutCycles;
  }
  return sum;
}

DispatchRecord npu::runtime::makeHostRecord(const Task &task, const HostFunction &function) {
  DispatchRecord record = makeRecord(task.dispatches.front(), task.name, task);
  record.placement = Placement::Host;
  record.macs = function.macs;
  record.reasons = function.reasons;
  return record;
}
