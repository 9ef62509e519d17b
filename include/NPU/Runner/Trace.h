//===- Trace.h - a run as a timeline --------------------------------------===//
//
// The JSON of Chrome's trace viewer, which Perfetto reads: one process per cluster with one track
// per engine, and one for the host. A microsecond of the timeline is a cycle of the NPU; while the
// host works between dispatches the NPU's clock stops, so host work has a position but no duration.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_RUNNER_TRACE_H
#define NPU_RUNNER_TRACE_H

#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/JSON.h"
#include <set>

namespace npu::runtime {

class TraceWriter {
public:
  /// Begins the trace; `os` must outlive the writer.
  explicit TraceWriter(llvm::raw_ostream &os);

  /// A launch of `program`, after everything so far, with its instructions and stalls. `statistics`
  /// must have been recorded with Options::recordEvents.
  void addLaunch(llvm::StringRef name, const isa::Program &program, const sim::Result &statistics);

  /// Work of the host, such as a copy between dispatches or a dispatch that the NPU does not run.
  void addHostWork(llvm::StringRef name, llvm::StringRef detail);

  /// Ends the trace.
  void finish();

private:
  void nameTrack(int64_t process, llvm::StringRef processName, int64_t track,
                 llvm::StringRef trackName);
  void addSlice(int64_t process, int64_t track, llvm::StringRef name, llvm::StringRef category,
                int64_t start, int64_t end,
                llvm::function_ref<void(llvm::json::OStream &)> addArguments);

  llvm::json::OStream json;
  int64_t now = 0; ///< cycles of the launches so far
  std::set<std::pair<int64_t, int64_t>> namedTracks;
};

} // namespace npu::runtime

#endif // NPU_RUNNER_TRACE_H
