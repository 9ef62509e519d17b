//===- Simulator.h - the strict functional and timed simulator ------------===//
//
// Runs a program once and yields its results, its cycles, and a proof for this run: no access
// outside its memory, no read of a byte that was not written, no two conflicting accesses without a
// semaphore between them. Anything else is a trap. See docs/simulator.md.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SIMULATOR_SIMULATOR_H
#define NPU_SIMULATOR_SIMULATOR_H

#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/Error.h"

#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace npu::sim {

/// Bytes that an instruction has written.
struct WrittenBytes {
  llvm::StringRef memory; ///< `cluster 0 sram`, `output region 'y'`
  int64_t begin;
  llvm::ArrayRef<uint8_t> bytes;
};

/// An instruction that has taken effect.
struct Execution {
  unsigned stream;      ///< index in Program::streams
  unsigned instruction; ///< index in its code
  const isa::Counters &counters;
  llvm::ArrayRef<WrittenBytes> writes;
};

struct Options {
  /// The run may take this many cycles.
  int64_t cycleLimit = 10'000'000'000;
  /// The sequencers may take this many steps: instructions executed, loops included.
  int64_t stepLimit = 1'000'000'000;
  /// The program's regions and what is recorded about their bytes may take this many bytes.
  int64_t memoryLimit = int64_t(16) << 30;
  /// Trap on data races and on instructions whose accesses overlap. Without it, only reads of
  /// uninitialized bytes are tracked.
  bool checkRaces = true;
  /// Fill Result::events.
  bool recordEvents = false;
  /// Called every now and then with the current cycle. May be null.
  std::function<void(int64_t cycle)> onProgress;
  /// The part of the program that each entry of its source table belongs to, from 0; empty: the
  /// program is not divided. Instructions of unknown source belong to no part.
  std::vector<unsigned> partOfSource;
  /// Called after every instruction of an engine, in the order in which they take effect; what it
  /// gets is valid during the call. May be null.
  std::function<void(const Execution &)> onExecution;
};

enum class TrapKind : uint8_t {
  OutOfBounds,       ///< an access outside its memory or region
  Misaligned,        ///< an on-chip element that is not naturally aligned
  UninitializedRead, ///< a byte that nothing wrote
  DataRace,          ///< conflicting accesses that no semaphore orders
  Overlap,           ///< an instruction that writes a byte twice, or over an operand it still reads
  ReadOnlyRegion,    ///< a write to an input or to constants
  UnsupportedType,   ///< an element type that the target lacks
  BadOperand,        ///< an operand the instruction does not allow
  SemaphoreConflict, ///< a semaphore that two streams signal
  Deadlock,          ///< every remaining stream waits
  CycleLimit,        ///< Options::cycleLimit
  StepLimit,         ///< Options::stepLimit
};

/// `data race` and the like.
llvm::StringRef toString(TrapKind kind);

/// Why a program was refused, and where.
class Trap : public llvm::ErrorInfo<Trap> {
public:
  static char ID;

  Trap(TrapKind kind, std::string detail) : kind(kind), detail(std::move(detail)) {}

  void log(llvm::raw_ostream &os) const override;
  /// `cluster 0 mxu, instruction 3 (mxu.matmul at i0 = 2)` and the source.
  void printPlace(llvm::raw_ostream &os) const;
  std::error_code convertToErrorCode() const override;

  TrapKind kind;
  std::string detail;          ///< what happened, with addresses
  std::string stream;          ///< `cluster 0 mxu`; empty when no single stream is at fault
  int64_t instruction = -1;    ///< index in the stream, -1 when none
  std::string mnemonic;        ///< of that instruction
  isa::Counters counters = {}; ///< loop counters at the trap
  unsigned depth = 0;          ///< how many of them are in use
  std::string source;          ///< entry of the source table, empty when unknown
};

/// What one stream did. `busy + issue + contention + the waits` is `end`; all in cycles. While an
/// instruction is under way, the issue and the waits of the next one do not count.
struct StreamStats {
  int64_t cluster = 0;
  isa::EngineKind engine = isa::EngineKind::Ctl;
  int64_t instructions = 0;         ///< executed, loops and `halt` not counted
  int64_t busy = 0;                 ///< executing
  int64_t issue = 0;                ///< issue overhead
  int64_t contention = 0;           ///< DMA slowed down by other DMA engines
  std::map<int64_t, int64_t> waits; ///< blocked, by the last semaphore that held the stream up
  int64_t end = 0;                  ///< cycle at which the stream halted

  int64_t getWaitCycles() const;
};

/// One executed instruction, for traces.
struct Event {
  unsigned stream = 0;      ///< index in Program::streams
  unsigned instruction = 0; ///< index in its code
  int64_t issue = 0;        ///< cycle at which the issue began
  int64_t start = 0;        ///< cycle at which the waits held and execution began
  int64_t end = 0;          ///< cycle at which its writes were visible and its signals fired
  int64_t source = 0;       ///< entry of the source table, 0 when unknown
  int64_t semaphore = 0;    ///< what held it up, 0 when nothing did
  int64_t contention = 0;   ///< cycles of `end - start` owed to other DMA engines
  int64_t dramBytes = 0;    ///< bytes that it moved from or to the DRAM
  isa::Counters counters{}; ///< of the loops around it
};

/// Multiply-accumulate operations by their isa::MacType.
using MacCounts = std::array<int64_t, std::size(isa::EnumTraits<isa::MacType>::cases)>;

/// What the instructions of one part of a program did.
struct PartResult {
  int64_t end = 0;                  ///< cycle at which the last of them was through
  std::vector<StreamStats> streams; ///< in the program's order
  int64_t dramBytesRead = 0;        ///< bytes that moved
  int64_t dramBytesWritten = 0;     ///< bytes that moved
  int64_t dramChargedBytes = 0;     ///< both, in whole beats
  int64_t macs = 0;                 ///< as in Result
  MacCounts macsOfType{};           ///< as in Result
  int64_t vpuElements = 0;          ///< as in Result
};

struct Result {
  int64_t cycles = 0;               ///< until the last stream halted
  std::vector<StreamStats> streams; ///< in the program's order
  int64_t dramBytesRead = 0;        ///< bytes that moved
  int64_t dramBytesWritten = 0;     ///< bytes that moved
  int64_t dramChargedBytes = 0;     ///< both, in whole beats; see isa::getDmaCost
  int64_t macs = 0;                 ///< multiply-accumulate operations, padding of tiles excluded
  MacCounts macsOfType{};           ///< the same by operand types
  int64_t vpuElements = 0;          ///< elements that vector instructions processed
  int64_t unwrittenOutputBytes = 0; ///< bytes of output regions that nothing wrote
  std::vector<Event> events;        ///< with Options::recordEvents, in order of their end
  std::vector<PartResult> parts;    ///< with Options::partOfSource
};

/// Fails when the regions need more memory than Options::memoryLimit: one byte per byte, and four
/// more for each that can be written. simulate() checks it; call it before allocating regions.
llvm::Error checkMemory(const isa::Program &program, const Options &options);

/// Runs the program on the target it names. `regions` has one entry per region of the program, of
/// its size; entries of constants are ignored (their contents come from the program) and may be
/// empty. Fails with a Trap, or with another error when the program is malformed or a region has
/// the wrong size.
llvm::Expected<Result> simulate(const isa::Program &program,
                                llvm::ArrayRef<llvm::MutableArrayRef<uint8_t>> regions,
                                const Options &options = {});

/// What simulate() reports of such a program, whatever its data: no data is read or computed and no
/// access is checked, only time passes. For programs that have been verified.
llvm::Expected<Result> measure(const isa::Program &program, const Options &options = {});

} // namespace npu::sim

#endif // NPU_SIMULATOR_SIMULATOR_H
