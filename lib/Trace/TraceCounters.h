//===- TraceCounters.h - memory and bandwidth in use over a launch --------===//

#ifndef NPU_LIB_TRACE_TRACECOUNTERS_H
#define NPU_LIB_TRACE_TRACECOUNTERS_H

#include "NPU/Simulator/Simulator.h"

#include <map>

namespace npu::runtime {

/// Values from a cycle on, until the next one.
using CounterValues = std::map<int64_t, int64_t>;

/// Bytes in use of every memory of a cluster that the program touches. A byte is in use from the
/// start of the instruction that writes it to the end of the last one that uses what it wrote.
using MemoryCounters = std::map<std::pair<int64_t, isa::MemorySpace>, CounterValues>;
MemoryCounters countMemoryUse(const isa::Program &program, llvm::ArrayRef<sim::Event> events);

/// DRAM traffic of all DMA engines in bytes per 1000 cycles: a transfer's bytes are spread over the
/// cycles that it takes.
CounterValues countDramTraffic(llvm::ArrayRef<sim::Event> events);

} // namespace npu::runtime

#endif // NPU_LIB_TRACE_TRACECOUNTERS_H
