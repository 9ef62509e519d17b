//===- NPUExecutor.cpp - programs run on the simulator -===//

#include "NPU/Execution/NPUExecutor.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::Twine;
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <utility>

using namespace npu;
using namespace npu::runtime;

llvm::Expected<LaunchResult> npu::runtime::launch(const isa::Program &program,
                                                  ArrayRef<HostTensor> inputs,
                                                  ArrayRef<HostTensor> outputTypes,
                                                  const sim::Options &options) {
  auto makeError = [](const Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  if (llvm::Error error = sim::checkMemory(program, options))
    return std::move(error);
  // What is read only is where the caller has it, and what is not touched takes no memory.
  std::vector<HostTensor> memory;
  SmallVector<MutableArrayRef<uint8_t>> regions;
  ArrayRef<HostTensor> restInputs = inputs;
  size_t outputs = 0;
  for (const isa::Region &region : program.regions) {
    outputs += isa::isOutput(region.kind);
    if (isa::isInput(region.kind)) {
      if (restInputs.empty())
        return makeError(llvm::formatv("kernel '{0}' needs an input for region '{1}', but only {2} "
                                       "inputs were given",
                                       program.name, region.name, inputs.size()));
      const HostTensor &input = memory.emplace_back(restInputs.front());
      ArrayRef<uint8_t> bytes = input.getBytes();
      if (int64_t(bytes.size()) != region.bytes)
        return makeError(llvm::formatv("input region '{0}' of kernel '{1}' has {2} bytes, but its "
                                       "input {3} has {4}",
                                       region.name, program.name, region.bytes,
                                       restInputs.front().getTypeString(), bytes.size()));
      restInputs = restInputs.drop_front();
      // The simulator writes to no region of that kind.
      regions.push_back(region.kind == isa::RegionKind::Input
                            ? MutableArrayRef(const_cast<uint8_t *>(bytes.data()), bytes.size())
                            : memory.back().getMutableBytes());
    } else {
      bool isGiven = region.kind == isa::RegionKind::Constants;
      memory.emplace_back(ElementType::I8, ArrayRef<int64_t>(isGiven ? 0 : region.bytes));
      regions.push_back(memory.back().getMutableBytes());
    }
  }
  if (!restInputs.empty())
    return makeError(llvm::formatv("expected {1} inputs of kernel '{0}', found {2}", program.name,
                                   inputs.size() - restInputs.size(), inputs.size()));
  if (outputs != outputTypes.size())
    return makeError(llvm::formatv("kernel '{0}' has {1} outputs, but {2} were expected",
                                   program.name, outputs, outputTypes.size()));

  llvm::Expected<sim::Result> statistics = sim::simulate(program, regions, options);
  if (!statistics)
    return statistics.takeError();

  LaunchResult result{{}, std::move(*statistics)};
  for (auto [number, region] : llvm::enumerate(program.regions)) {
    if (!isa::isOutput(region.kind))
      continue;
    const HostTensor &type = outputTypes[result.outputs.size()];
    ArrayRef<uint8_t> bytes = memory[number].getBytes();
    if (type.getElementType() != ElementType::I1 && type.getBytes().size() == bytes.size()) {
      result.outputs.push_back(memory[number].bitcast(type.getElementType(), type.getShape()));
      continue;
    }
    llvm::Expected<HostTensor> output =
        HostTensor::create(type.getElementType(), type.getShape(), bytes.vec());
    if (!output)
      return output.takeError();
    result.outputs.push_back(std::move(*output));
  }
  return result;
}

/// Adds what a part did to what its kernel did.
static void addPart(sim::Result &kernel, const sim::PartResult &part) {
  kernel.streams.resize(part.streams.size());
  for (auto [sum, stream] : llvm::zip_equal(kernel.streams, part.streams)) {
    sum.cluster = stream.cluster;
    sum.engine = stream.engine;
    sum.instructions += stream.instructions;
    sum.busy += stream.busy;
    sum.issue += stream.issue;
    sum.contention += stream.contention;
    for (auto [semaphore, cycles] : stream.waits)
      sum.waits[semaphore] += cycles;
    sum.end = std::max(sum.end, stream.end);
  }
  kernel.dramBytesRead += part.dramBytesRead;
  kernel.dramBytesWritten += part.dramBytesWritten;
  kernel.dramChargedBytes += part.dramChargedBytes;
  kernel.macs += part.macs;
  for (auto [sum, count] : llvm::zip_equal(kernel.macsOfType, part.macsOfType))
    sum += count;
  kernel.vpuElements += part.vpuElements;
}

namespace {
/// When a kernel works on a cluster.
struct ClusterWork {
  int64_t end = 0;                      ///< of all its engines
  int64_t arrayEnd = 0, arrayStart = 0; ///< the latest start that its busy cycles leave
  bool hasArray = false;
};
} // namespace

static ClusterWork getWork(const sim::Result &kernel, int64_t cluster) {
  ClusterWork work;
  for (const sim::StreamStats &stream : kernel.streams) {
    if (stream.cluster != cluster || stream.instructions == 0)
      continue;
    work.end = std::max(work.end, stream.end);
    if (stream.engine != isa::EngineKind::Mxu)
      continue;
    work.hasArray = true;
    work.arrayEnd = stream.end;
    work.arrayStart = stream.end - stream.busy;
  }
  return work;
}

std::vector<sim::Result> npu::runtime::splitByKernel(const sim::Result &whole,
                                                     ArrayRef<unsigned> numParts) {
  std::vector<sim::Result> kernels(numParts.size());
  size_t next = 0;
  for (auto [kernel, count] : llvm::zip_equal(kernels, numParts))
    for (unsigned part = 0; part < count; ++part, ++next)
      if (next < whole.parts.size())
        addPart(kernel, whole.parts[next]);

  llvm::SmallSetVector<int64_t, 8> clusters;
  for (const sim::StreamStats &stream : whole.streams)
    clusters.insert(stream.cluster);
  std::vector<int64_t> ends(kernels.size(), 0); // summed over clusters
  for (int64_t cluster : clusters) {
    std::vector<ClusterWork> works;
    for (const sim::Result &kernel : kernels)
      works.push_back(getWork(kernel, cluster));
    // How long a kernel without work on the array may last.
    std::vector<int64_t> latest(kernels.size(), whole.cycles);
    for (size_t kernel = kernels.size(); kernel-- > 1;)
      latest[kernel - 1] = works[kernel].hasArray
                               ? std::min(works[kernel].arrayStart, latest[kernel])
                               : latest[kernel];
    int64_t end = 0;
    for (auto [kernel, work] : llvm::enumerate(works)) {
      int64_t own = work.hasArray ? work.arrayEnd : std::min(work.end, latest[kernel]);
      end = kernel + 1 == kernels.size() ? whole.cycles : std::max(end, own);
      ends[kernel] += end;
    }
  }
  int64_t before = 0;
  for (auto [kernel, sum] : llvm::zip_equal(kernels, ends)) {
    int64_t end = sum / std::max<int64_t>(clusters.size(), 1);
    kernel.cycles = end - std::exchange(before, end);
  }
  return kernels;
}
