//===- Memory.h - memories and the order of accesses to them --------------===//
//
// Every tracked byte has a state: who wrote it last, and who read it since. States are shared by
// all bytes with the same history, so an access to a row costs a scan and a fill of few numbers,
// and a state is compared with the stream's vector clock once per instruction, not once per byte.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_SIMULATOR_MEMORY_H
#define NPU_LIB_SIMULATOR_MEMORY_H

#include "States.h"

#include "NPU/Simulator/Simulator.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace npu::sim {

/// Products of strides and extents do not fit 64 bits.
__extension__ typedef __int128 Int128;

/// A trap without a place; the machine adds the instruction.
llvm::Error makeTrap(TrapKind kind, const llvm::Twine &detail);

struct Memory {

  /// A memory that is written; its bytes start uninitialized.
  static Memory tracked(std::string name, uint8_t *data, int64_t bytes, bool isOnChip);
  /// A memory that is written; its bytes have values.
  static Memory initialized(std::string name, uint8_t *data, int64_t bytes);
  /// A memory that is only read.
  static Memory readOnly(std::string name, const uint8_t *data, int64_t bytes);

  /// The byte at `offset`; null without data.
  uint8_t *at(int64_t offset) const { return data ? data + offset : nullptr; }

  std::string name;
  uint8_t *data = nullptr;
  int64_t bytes = 0;
  bool isOnChip = false, isTracked = false;
  States states; ///< none when read-only
};

/// Elements of `elementBytes` bytes at `base + sum(j_d * stride_d)`, `0 <= j_d < count_d`.
struct Box {
  struct Dim {
    int64_t stride, count;
  };
  int64_t base = 0, elementBytes = 1;
  llvm::SmallVector<Dim, 6> dims;
};

/// Fails with a trap unless the box lies in the memory, aligned when that is on chip.
llvm::Error checkBounds(const Memory &memory, const Box &box);

/// A box as contiguous rows: positive strides, the largest first.
struct Rows {
  explicit Rows(const Box &box);

  int64_t base, bytes;
  llvm::SmallVector<Box::Dim, 6> dims;
  bool overlap = false; ///< elements of a row overlap
};

/// Calls `body(begin)` for each of the `rows.bytes` long rows until it returns an error.
template <typename Body>
llvm::Error forEachRow(const Rows &rows, Body body) {
  llvm::SmallVector<int64_t, 6> index(rows.dims.size(), 0);
  for (int64_t address = rows.base;;) {
    if (llvm::Error error = body(address))
      return error;
    size_t d = index.size();
    for (; d > 0; --d) {
      address += rows.dims[d - 1].stride;
      if (++index[d - 1] < rows.dims[d - 1].count)
        break;
      address -= rows.dims[d - 1].stride * rows.dims[d - 1].count;
      index[d - 1] = 0;
    }
    if (d == 0)
      return llvm::Error::success();
  }
}

/// One executed instruction: the `epoch`-th of its stream.
struct Access {
  uint32_t stream = 0, instruction = 0;
  uint64_t epoch = 0;

  bool operator==(const Access &other) const {
    return stream == other.stream && epoch == other.epoch;
  }
};

/// What a tracker checks.
enum class Checks {
  None,
  Values, ///< bounds, alignment, initialization
  Order,  ///< and order
};

/// Checks every access.
class Tracker {
public:
  Tracker(const isa::Program &program, Checks checks);

  /// The following accesses belong to this instruction, which has seen what `clock` says: the
  /// epochs of every stream that happened before it. `clock` must live until end().
  void begin(const Access &access, llvm::ArrayRef<uint64_t> clock);
  void end();

  /// An operand. With `isOverwritten` the same instruction writes the same bytes, element by
  /// element.
  llvm::Error read(Memory &memory, const Box &box, bool isOverwritten = false);
  llvm::Error write(Memory &memory, const Box &box);

  /// Where accesses note what they write; null: nowhere.
  struct Range {
    const Memory *memory;
    int64_t begin, bytes;
  };
  void record(std::vector<Range> *ranges) { writtenRanges = ranges; }

private:
  struct State {
    Access writer;
    llvm::SmallVector<Access, 2> readers;
    int64_t bytes = 0; ///< how many bytes are in this state
    bool isPending = false;
  };
  enum class Mode { Read, ReadOverwritten, Write };

  llvm::Error check(Memory &memory, const Box &box, Mode mode);
  llvm::Error touch(Memory &memory, int64_t begin, int64_t bytes, Mode mode);
  llvm::Expected<uint32_t> moveOn(uint32_t old, const Memory &memory, int64_t address, Mode mode);
  llvm::Error makeRace(const Memory &memory, int64_t address, Mode mode, const Access &other,
                       llvm::StringRef verb);
  bool isBefore(const Access &other) const { return other.epoch <= clock[other.stream]; }
  uint32_t allocate();
  void release(uint32_t state);

  static constexpr uint32_t uninitialized = States::uninitialized,
                            initialized = States::initialized, none = ~0u;

  const isa::Program &program;
  Checks checks;
  Access current;
  llvm::ArrayRef<uint64_t> clock;
  std::vector<State> states;
  llvm::SmallVector<uint32_t, 0> freeStates, pendingStates;
  llvm::DenseMap<uint32_t, uint32_t> readMoves, writeMoves; ///< old state to new, this instruction
  std::vector<Range> *writtenRanges = nullptr;
  uint32_t written = none; ///< the state of the bytes this instruction writes
};

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_MEMORY_H
