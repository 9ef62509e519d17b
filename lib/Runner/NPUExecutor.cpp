//===- NPUExecutor.cpp - programs run on the simulator -===//

#include "NPU/Runner/NPUExecutor.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::Twine;
#include "llvm/ADT/STLExtras.h"

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
    return makeError(llvm::formatv("kernel '{0}' takes {1} inputs, but {2} were given",
                                   program.name, inputs.size() - restInputs.size(), inputs.size()));
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

std::vector<sim::Result> npu::runtime::splitByPart(const sim::Result &whole, unsigned numParts) {
  std::vector<sim::Result> shares(numParts);
  int64_t end = 0;
  for (auto [number, share] : llvm::enumerate(shares)) {
    if (number >= whole.parts.size())
      continue;
    const sim::PartResult &part = whole.parts[number];
    share.streams = part.streams;
    share.cycles = std::max<int64_t>(part.end - end, 0);
    end = std::max(end, part.end);
    share.dramBytesRead = part.dramBytesRead;
    share.dramBytesWritten = part.dramBytesWritten;
    share.dramChargedBytes = part.dramChargedBytes;
    share.macs = part.macs;
    share.vpuElements = part.vpuElements;
  }
  return shares;
}
