//===- Timelines.h - the timelines of a run -----------------------*- C++ -*-===//

#ifndef NPU_TRACE_TIMELINES_H
#define NPU_TRACE_TIMELINES_H

#include "NPU/Trace/Trace.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <limits>

namespace npu::runtime {

/// A timeline without end, as that of a loop with a million launches, is no part of a report.
inline constexpr size_t maxReportedInstructions = 250'000;

/// Writes a run as any number of timelines.
class Timelines {
public:
  /// Begins one, in the format that `path` ends with; `os` must outlive this. It ends when an
  /// engine has done more than `room` things.
  void open(llvm::raw_ostream &os, llvm::StringRef path,
            size_t room = std::numeric_limits<size_t>::max());
  bool empty() const { return timelines.empty(); }

  /// To be called for every segment and every dispatch of a run, in order. `program` is null if the
  /// dispatch ran on the host or in a segment.
  void add(const SegmentEvent &event);
  void add(const DispatchRecord &record, const isa::Program *program);
  void addHostWork(llvm::StringRef name, llvm::StringRef detail);
  /// Of a program that is run by itself.
  void addLaunch(const isa::Program &program, const sim::Result &statistics);

  void finish();

private:
  struct Timeline {
    std::unique_ptr<TraceWriter> writer;
    size_t room; ///< instructions that may still be added
  };

  /// Calls `add` with the writers that have room for what an engine did.
  void add(const sim::Result &statistics, llvm::function_ref<void(TraceWriter &)> add);

  llvm::SmallVector<Timeline, 2> timelines;
};

} // namespace npu::runtime

#endif // NPU_TRACE_TIMELINES_H
