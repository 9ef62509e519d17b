//===- RunProfile.h - what a run did, over time ------------------------------===//
//
// Collects, launch by launch, what a report shows beside sums: when engines were busy, what they
// waited for, and which bytes of on-chip memory were in use. Time on the chip does not depend on
// data, so a program that is launched again has the profile that it had.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_RUNREPORT_RUNPROFILE_H
#define NPU_RUNREPORT_RUNPROFILE_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Target/ISA/Program.h"

#include <map>

namespace npu::runtime {

/// Cycles [start, end) in which an engine had something under way, except for pauses: `busy`.
struct BusyInterval {
  int64_t start = 0, end = 0, busy = 0;
  /// The instruction that took longest, as an entry of ProgramProfile::instructions; the cycles
  /// that it took; and how many instructions the interval has.
  unsigned instruction = 0;
  int64_t longest = 0, count = 1;
};

/// Facts about an instruction that hold for all iterations of its loops.
struct InstructionNote {
  std::string mnemonic;
  std::string place;     ///< in the model
  std::string waits;     ///< for what, e.g. `dmai (s3)`; empty: it was never held up
  std::string touches;   ///< its bytes on the chip, e.g. `weights sram 0 to 4096`
  int64_t dramBytes = 0; ///< that it moves at most in an iteration
};

/// Joins neighbors, those with the shortest pauses first, until no more than `limit` are left, or
/// one. Expects intervals in order that do not overlap.
void joinIntervals(std::vector<BusyInterval> &intervals, size_t limit);

struct EngineTimeline {
  int64_t cluster = 0;
  isa::EngineKind engine = isa::EngineKind::Ctl;
  std::vector<BusyInterval> intervals; ///< in order
};

/// Bytes [begin, end) of an on-chip memory, in use during the cycles [start, stop): from the first
/// instruction that touches them to the last one, and before that since they were written.
struct MemoryUse {
  int64_t cluster = 0;
  isa::MemorySpace space = isa::MemorySpace::Sram;
  int64_t begin = 0, end = 0;
  int64_t start = 0, stop = 0;
  unsigned part = 0;      ///< of the launch
  std::string what;       ///< instruction and operand, e.g. `mxu.matmul weights`
  bool isWritten = false; ///< by the first of its instructions
  std::string place;      ///< of that instruction in the model; empty: unknown
};

/// The most bytes of one cluster's memory that are in use at once.
int64_t getPeakBytes(llvm::ArrayRef<MemoryUse> uses, isa::MemorySpace space);

/// Cycles that engines of a kind waited for another one.
struct Stall {
  isa::EngineKind waiting = isa::EngineKind::Ctl;
  std::string signaller; ///< engine that ended the wait, e.g. `dmai`; with a cluster if several
  int64_t cycles = 0;
  std::vector<int64_t> semaphores; ///< in order
};

/// What one dispatch of a launch did. Times count from the start of the launch.
struct PartProfile {
  int64_t start = 0, end = 0; ///< of all its instructions
  std::vector<EngineTimeline> timelines;
  std::vector<Stall> stalls; ///< by engine that waits, longest first
  int64_t sramPeak = 0, accPeak = 0;
};

struct ProgramProfile {
  std::string name;
  int64_t cycles = 0;
  std::vector<PartProfile> parts;
  std::vector<MemoryUse> memory;
  std::vector<InstructionNote> instructions; ///< those that timelines refer to
  int64_t sramPeak = 0, accPeak = 0;         ///< of all parts together
};

class RunProfile {
public:
  struct Launch {
    unsigned program = 0;     ///< entry of getPrograms
    unsigned firstRecord = 0; ///< in RunReport::dispatches, of its first part
    int64_t start = 0;        ///< cycles of the launches before it
  };

  /// To be called for every segment and every dispatch of a run, in order; its programs must stay
  /// where they are. Their statistics must have been recorded with Options::recordEvents.
  void addSegment(const SegmentEvent &event);
  /// `program` is null if the dispatch ran on the host or in a segment.
  void addDispatch(const DispatchRecord &record, const isa::Program *program);

  /// Leaves no more than about `limit` intervals, of all timelines together.
  void limitIntervals(size_t limit);

  llvm::ArrayRef<ProgramProfile> getPrograms() const { return programs; }
  llvm::ArrayRef<Launch> getLaunches() const { return launches; }
  /// What the dispatch of a record did; null if it did nothing on the NPU.
  const PartProfile *find(size_t record) const;

private:
  void addLaunch(const isa::Program &program, const sim::Result &statistics,
                 llvm::ArrayRef<unsigned> partOfSource, unsigned numParts);

  std::vector<ProgramProfile> programs;
  std::map<const isa::Program *, unsigned> known; ///< programs
  std::vector<Launch> launches;
  unsigned numRecords = 0;
  int64_t now = 0; ///< cycles of the launches so far
};

} // namespace npu::runtime

#endif // NPU_RUNREPORT_RUNPROFILE_H
