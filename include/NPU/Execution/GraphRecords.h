//===- GraphRecords.h - what tasks of a graph are in a report -----*- C++ -*-===//

#ifndef NPU_EXECUTION_GRAPHRECORDS_H
#define NPU_EXECUTION_GRAPHRECORDS_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/TaskGraph/TaskGraph.h"

namespace npu::runtime {

/// Program `number` of the graph. Fails if it is not what the graph says of it.
llvm::Expected<isa::Program> decodeProgram(const taskgraph::TaskGraph &graph, unsigned number);

/// Which kernel each entry of the source table belongs to; the number of kernels: to none. Empty
/// where there is one kernel.
std::vector<unsigned> getKernelOfSource(const taskgraph::Program &program);

/// Of a launch, a record per kernel; `result` was recorded by getKernelOfSource.
std::vector<DispatchRecord> makeLaunchRecords(const taskgraph::Task &task,
                                              const taskgraph::Program &program,
                                              sim::Result result);

/// Of a call of a host function.
/// The limit of a report's launches: the graph's, or else the sum of their kernels'.
Limit getLimit(const taskgraph::TaskGraph &graph, llvm::ArrayRef<DispatchRecord> records);

DispatchRecord makeHostRecord(const taskgraph::Task &task, const taskgraph::HostFunction &function);

} // namespace npu::runtime

#endif // NPU_EXECUTION_GRAPHRECORDS_H
