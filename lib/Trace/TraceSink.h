//===- TraceSink.h - what the formats of timelines have in common ---------===//

#ifndef NPU_LIB_TRACE_TRACESINK_H
#define NPU_LIB_TRACE_TRACESINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <variant>

namespace npu::runtime {

/// A line of the timeline. Processes and the tracks of one are numbered from 0.
struct TraceTrack {
  int64_t process, number;

  bool operator<(const TraceTrack &other) const {
    return std::pair(process, number) < std::pair(other.process, other.number);
  }
};

using TraceArguments =
    llvm::SmallVector<std::pair<llvm::StringRef, std::variant<int64_t, std::string>>, 6>;

/// Something with a duration. Those of a track do not overlap.
struct TraceSlice {
  TraceTrack track;
  std::string name;
  llvm::StringRef category;
  int64_t start, end; ///< cycles
  TraceArguments arguments;
  llvm::ArrayRef<uint64_t> flowsFrom = {}, flowsTo = {}; ///< that begin and that end here
};

/// A format. Texts may be anything; times are cycles.
class TraceSink {
public:
  virtual ~TraceSink() = default;

  /// Names a track. May be called again for one that has a name.
  virtual void addTrack(TraceTrack track, llvm::StringRef process, llvm::StringRef name) = 0;
  virtual void addSlice(const TraceSlice &slice) = 0;
  /// Something without a duration.
  virtual void addMark(TraceTrack track, llvm::StringRef name, llvm::StringRef detail,
                       int64_t time) = 0;
  virtual void finish() {}

  /// Whether counters and flows are kept. Without, the functions below are not called.
  virtual bool isDetailed() const { return false; }
  /// A track that has values instead of slices.
  virtual void addCounterTrack(TraceTrack track, llvm::StringRef process, llvm::StringRef name,
                               llvm::StringRef unit) {}
  virtual void addCounter(TraceTrack track, int64_t time, double value) {}
};

std::unique_ptr<TraceSink> createJSONTrace(llvm::raw_ostream &os);
std::unique_ptr<TraceSink> createPerfettoTrace(llvm::raw_ostream &os);

} // namespace npu::runtime

#endif // NPU_LIB_TRACE_TRACESINK_H
