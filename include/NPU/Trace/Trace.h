//===- Trace.h - a run as a timeline --------------------------------------===//
//
// One process per cluster with one track per engine, and one for the host; as JSON of Chrome's
// trace viewer, or as Perfetto's TrackEvent protobuf, which has counters and flows as well. A
// microsecond of the timeline is a cycle of the NPU; while the host works between dispatches the
// NPU's clock stops, so host work has a position but no duration.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TRACE_TRACE_H
#define NPU_TRACE_TRACE_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Target/ISA/Program.h"

#include <memory>

namespace npu::runtime {

class TraceSink;

/// Whether a timeline of this name is one of Perfetto: `.pftrace` or `.perfetto-trace`.
bool isPerfettoTrace(llvm::StringRef path);

class TraceWriter {
public:
  /// Begins the trace, in the format that `path` ends with; `os` must outlive the writer.
  TraceWriter(llvm::raw_ostream &os, llvm::StringRef path);
  ~TraceWriter();

  /// A launch of `program`, after everything so far, with its instructions and stalls. `statistics`
  /// must have been recorded with Options::recordEvents.
  void addLaunch(llvm::StringRef name, const isa::Program &program, const sim::Result &statistics);

  /// The same for a segment, whose instructions name their dispatches.
  void addSegment(const SegmentEvent &segment);

  /// Work of the host, such as a copy between dispatches or a dispatch that the NPU does not run.
  void addHostWork(llvm::StringRef name, llvm::StringRef detail);

  /// Ends the trace.
  void finish();

private:
  struct Launch;
  void add(llvm::StringRef name, const Launch &launch);
  void addDispatches(const SegmentEvent &segment);
  void addInstructions(const Launch &launch);
  void addCounters(const Launch &launch);

  std::unique_ptr<TraceSink> sink;
  int64_t now = 0;       ///< cycles of the launches so far
  uint64_t lastFlow = 0; ///< number of the last flow
};

} // namespace npu::runtime

#endif // NPU_TRACE_TRACE_H
