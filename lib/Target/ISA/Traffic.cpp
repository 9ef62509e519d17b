//===- Traffic.cpp - what a program moves to and from DRAM ----------------===//

#include "NPU/Target/ISA/Traffic.h"

#include "NPU/Target/ISA/Timing.h"

using namespace npu;
using namespace npu::isa;

namespace {
/// Goes through a stream as its sequencer does.
class Counter {
public:
  Counter(const Stream &stream, int64_t beatBytes, llvm::ArrayRef<unsigned> partOfSource,
          std::vector<Traffic> &traffic)
      : code(stream.code), beatBytes(beatBytes), partOfSource(partOfSource), traffic(traffic) {}

  /// From instruction `next` to the end of the loop or stream around it; returns what follows.
  size_t count(size_t next, unsigned depth);

private:
  /// Bytes of a transfer at the current counters.
  int64_t getBytes(const DramSide &side, llvm::ArrayRef<BoxDim> dims,
                   const IndexStrides *chosen = nullptr) const;
  /// Adds to the part that the entry of the source table belongs to, if it belongs to one.
  void add(int64_t Traffic::*direction, int64_t source, int64_t bytes);

  llvm::ArrayRef<Instruction> code;
  int64_t beatBytes;
  llvm::ArrayRef<unsigned> partOfSource;
  std::vector<Traffic> &traffic;
  Counters counters = {};
};
} // namespace

int64_t Counter::getBytes(const DramSide &side, llvm::ArrayRef<BoxDim> dims,
                          const IndexStrides *chosen) const {
  llvm::SmallVector<BoxDimValue, maxDmaDims> values;
  for (const BoxDim &dim : dims) {
    int64_t extent = evaluate(dim.extent, counters);
    if (extent == 0)
      return 0;
    values.push_back({dim.dram_stride, dim.chip_stride, extent, dim.origin.evaluate(counters),
                      dim.low, dim.high, dim.block, unsigned(dim.outer)});
  }
  int64_t base = side.base.evaluate(counters), elementBytes = getByteSize(side.type);
  DmaCost cost = chosen ? getGatherCost(values, *chosen, base, elementBytes, beatBytes)
                        : getDmaCost(values, base, elementBytes, beatBytes);
  return cost.dramBytes;
}

void Counter::add(int64_t Traffic::*direction, int64_t source, int64_t bytes) {
  if (partOfSource.empty())
    traffic.front().*direction += bytes;
  else if (source != 0)
    traffic[partOfSource[source - 1]].*direction += bytes;
}

size_t Counter::count(size_t next, unsigned depth) {
  while (next < code.size()) {
    const Instruction &instruction = code[next++];
    if (auto *loop = std::get_if<Loop>(&instruction)) {
      size_t body = next;
      for (counters[depth] = 0; counters[depth] < loop->count.trips; ++counters[depth])
        next = count(body, depth + 1);
      counters[depth] = 0;
    } else if (std::holds_alternative<EndLoop>(instruction)) {
      return next;
    } else if (auto *load = std::get_if<DmaLoad>(&instruction)) {
      add(&Traffic::bytesRead, load->source, getBytes(load->from, load->dims));
    } else if (auto *gather = std::get_if<DmaGather>(&instruction)) {
      add(&Traffic::bytesRead, gather->source,
          getBytes(gather->from, gather->dims, &gather->chosen));
    } else if (auto *store = std::get_if<DmaStore>(&instruction)) {
      add(&Traffic::bytesWritten, store->source, getBytes(store->to, store->dims));
    }
  }
  return next;
}

std::vector<Traffic> npu::isa::countTraffic(const Program &program, const TargetDesc &target,
                                            llvm::ArrayRef<unsigned> partOfSource,
                                            unsigned numParts) {
  std::vector<Traffic> traffic(numParts);
  for (const Stream &stream : program.streams)
    if (stream.engine == EngineKind::Dmai || stream.engine == EngineKind::Dmao)
      Counter(stream, target.dramBytesPerCycle, partOfSource, traffic).count(0, 0);
  return traffic;
}
