//===- Machine.h - the abstract run ---------------------------------------===//
//
// Runs the streams without data and time. Vector clocks say which instances are ordered, records
// keep the footprints that something may still race with.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_TARGET_VERIFY_MACHINE_H
#define NPU_LIB_TARGET_VERIFY_MACHINE_H

#include "Conflicts.h"

#include "NPU/Target/Verify/Verify.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <memory>

namespace npu::verify {

inline constexpr unsigned none = ~0u;

/// One step of a stream.
struct Step {
  enum Kind : uint8_t { Begin, End, Run, Halt } kind;
  unsigned site = none;     ///< of Run
  unsigned match = none;    ///< the other end of a loop
  int64_t trips = 0;        ///< of Begin
  int64_t perIteration = 0; ///< of Begin: instances in one iteration, saturating
  unsigned semaphores[4] = {none, none, none, none}; ///< of Run: two waits, two signals
  unsigned waiters[2] = {none, none};                ///< of Run: entries of Semaphore::waiters
};

/// How far a stream has come.
struct Position {
  unsigned pc = 0;
  unsigned depth = 0;
  isa::Counters counters{};
  int64_t clock = 0;     ///< instances run
  unsigned loop = none;  ///< step of the open outermost loop
  int64_t loopStart = 0; ///< clock when it was entered
  bool isParked = false; ///< at the start of an iteration of the outermost loop
  bool isFinished = false;
};

struct StreamState : Position {
  unsigned number = 0; ///< in the program
  llvm::ArrayRef<Step> steps;

  /// Whether the step runs again or for the first time.
  bool mayStillRun(unsigned step) const {
    return !isFinished && (step >= pc || (loop != none && step > loop && step < steps[loop].match));
  }
  /// Whether the step belongs to the open outermost loop.
  bool isInLoop(unsigned step) const {
    return loop != none && step > loop && step < steps[loop].match;
  }
};

struct Waiter {
  unsigned stream = 0;
  unsigned lastStep = 0; ///< last step that waits
  int64_t joined = 0;    ///< signals whose clocks the stream has
};

struct Semaphore {
  int64_t number = 0;
  unsigned signaller = none;
  int64_t value = 0;
  llvm::SmallVector<Waiter, 2> waiters;
  /// Clock rows of the signals `dropped + 1` to `value`; kept only when somebody waits.
  std::vector<int64_t> history;
  int64_t dropped = 0;
  int64_t pruneAt = 64;
};

/// An access that another stream may not know of yet.
struct Record {
  int64_t begin; ///< lowest byte
  int64_t clock; ///< of the instance in its stream
  unsigned shape;

  bool operator==(const Record &other) const {
    return begin == other.begin && clock == other.clock && shape == other.shape;
  }
};

/// An access with partners.
struct Watched {
  const Site *site = nullptr;
  const Access *access = nullptr;
  unsigned stream = 0, step = 0;
  llvm::SmallVector<unsigned, 4> partners;
  std::vector<StridedShape> shapes;
  std::vector<RawBox> rawShapes; ///< what each shape was made of
  unsigned lastShape = 0;
};

/// The accesses of a watched one.
struct Records {
  std::vector<Record> list; ///< by rising clock
  size_t pruneAt = 16;
};

/// What the streams of a machine are. Copies of the machine share it; shapes are only added to it.
struct Layout {
  std::vector<std::vector<Step>> steps; ///< by stream
  std::vector<Watched> watched;
  std::vector<llvm::SmallVector<unsigned, 3>> watchedOfSite; ///< by site
};

/// A copy goes on from where the machine is, by itself.
class Machine {
public:
  enum class Mode { CheckRaces, HashClocks, KeepClocks };

  /// A machine for the streams given, which share no semaphore and no conflict with others.
  Machine(const Model &model, const Conflicts &conflicts, llvm::ArrayRef<unsigned> streams,
          const VerifyOptions &options, VerifyStats &stats, Mode mode);

  /// Runs to the end, or until `maxInstances` more instances have run. Fails on a deadlock, on a
  /// race, or past the budget.
  llvm::Error run(int64_t maxInstances = INT64_MAX);
  /// Lets run() return before the next instance; called by `beforeWait`.
  void pause() { remaining = 0; }

  unsigned getNumStreams() const { return unsigned(streams.size()); }
  int64_t *getClocks(unsigned stream) { return clocks.data() + size_t(stream) * streams.size(); }
  int64_t *getSignal(Semaphore &semaphore, int64_t value) {
    return semaphore.history.data() + size_t(value - 1 - semaphore.dropped) * streams.size();
  }
  /// Drops the records of a watched access that every partner knows.
  void pruneRecords(unsigned watched);
  /// Drops the signals that every waiter has joined.
  void prune(Semaphore &semaphore);

  const Model &model;
  const VerifyOptions &options;
  VerifyStats &stats;
  const Mode mode;
  const std::shared_ptr<Layout> layout;
  /// Called with the next step of a stream whenever that step waits.
  std::function<void(const Step &)> beforeWait;
  std::vector<StreamState> streams;
  std::vector<int64_t> clocks; ///< row s: instances of each stream that precede the next of s
  std::vector<Semaphore> semaphores;
  std::vector<Records> records; ///< by number of the watched access
  /// Waits that hold because their value is not positive although it depends on `i0`.
  int64_t earlyWaits = 0;
  std::vector<uint64_t> hashes; ///< per stream, of every instance's clocks; of HashClocks
  /// Per stream the clocks of every instance, one after the other; of KeepClocks.
  std::vector<std::vector<int64_t>> rows;

private:
  void addStream(unsigned number, unsigned local, const Conflicts &conflicts,
                 llvm::DenseMap<unsigned, unsigned> &watchedIds,
                 llvm::DenseMap<int64_t, unsigned> &semaphoreIds);
  /// Runs until the stream parks, blocks, ends or fails; whether it moved.
  bool advance(unsigned stream);
  bool issue(unsigned stream, const Step &step);
  void checkAccess(unsigned stream, unsigned watched);
  void addRecord(unsigned watched, int64_t begin, unsigned shape, int64_t clock);
  unsigned getShape(Watched &watched, const RawBox &box);
  llvm::Error makeDeadlockError();
  VerifyError describeRace(const Watched &earlier, const Record &record, const Watched &later,
                           int64_t begin, unsigned shape);
  isa::Counters getCounters(const StreamState &stream, int64_t clock) const;

  llvm::SmallVector<RawBox, 1> boxes;
  std::optional<VerifyError> failure;
  int64_t budget;
  int64_t remaining = INT64_MAX; ///< instances before run() returns
  bool parks;
};

/// The streams that share a semaphore or may race, in groups: those of different groups run apart.
/// Fails when two streams signal one semaphore.
llvm::Expected<std::vector<llvm::SmallVector<unsigned>>> groupStreams(const Model &model,
                                                                      const Conflicts &conflicts);

/// Finds outermost loops whose state repeats and skips their proven iterations.
class PeriodProver {
public:
  explicit PeriodProver(Machine &machine) : machine(machine) {}

  /// Called when nothing can move but the parked streams, before those at iteration `iteration`
  /// are released.
  void atBoundary(int64_t iteration);

private:
  /// What one iteration of a stream's open outermost loop does.
  struct LoopInfo {
    int64_t instances = 0;
    int64_t period = 1;         ///< iterations after which every ring is at the same slot
    int64_t first = 0, end = 0; ///< iterations with the same extents and no window cutting
    llvm::DenseMap<unsigned, int64_t> signals; ///< by semaphore
    llvm::SmallVector<unsigned, 4> waits;      ///< semaphores waited for
  };
  struct Snapshot {
    int64_t iteration = 0;
    std::vector<Position> streams;
    std::vector<int64_t> clocks;
    struct Signals {
      int64_t value;
      llvm::SmallVector<int64_t, 2> joined;
      std::vector<int64_t> clocks; ///< of the signals a loop may still wait for
    };
    std::vector<Signals> semaphores;
    std::vector<std::vector<Record>> records;
    int64_t earlyWaits = 0;
  };

  bool prepare();
  bool collect(const StreamState &stream, LoopInfo &info) const;
  Snapshot takeSnapshot();
  bool matches(const Snapshot &before, const Snapshot &now);
  bool isInvariant(const Snapshot &now) const;
  bool areClocksShifted(const int64_t *before, const int64_t *now) const;
  bool areRowsShifted(const Snapshot &before, const Snapshot &now) const;
  bool areSemaphoresShifted(const Snapshot &before, const Snapshot &now) const;
  bool areRecordsShifted(const Snapshot &before, const Snapshot &now) const;
  int64_t getSignals(const Semaphore &semaphore, unsigned index) const;
  bool waitsInLoop(const Waiter &waiter, unsigned semaphore) const;
  bool needsHistory(const Semaphore &semaphore, unsigned index) const;
  void shiftClocks(int64_t *row, int64_t periods) const;
  void skip(int64_t periods);

  Machine &machine;
  std::vector<unsigned> loops; ///< the open outermost loop of every stream
  std::vector<LoopInfo> infos; ///< per stream
  std::vector<bool> isMoved;   ///< per stream, between the snapshots compared
  bool isUsable = false;
  unsigned reference = none;
  unsigned attempts = 0;
  int64_t period = 1;
  int64_t lastIteration = -1;
  std::optional<Snapshot> candidate;
};

} // namespace npu::verify

#endif // NPU_LIB_TARGET_VERIFY_MACHINE_H
