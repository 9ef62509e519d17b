//===- Memory.cpp - memories and the order of accesses to them ------------===//

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

Memory Memory::tracked(std::string name, uint8_t *data, int64_t bytes, bool isOnChip) {
  Memory memory;
  memory.name = std::move(name);
  memory.data = data;
  memory.bytes = bytes;
  memory.isOnChip = isOnChip;
  memory.isTracked = true;
  memory.states = States(bytes, States::uninitialized);
  return memory;
}

Memory Memory::initialized(std::string name, uint8_t *data, int64_t bytes) {
  Memory memory = tracked(std::move(name), data, bytes, /*isOnChip=*/false);
  memory.states = States(bytes, States::initialized);
  return memory;
}

Memory Memory::readOnly(std::string name, const uint8_t *data, int64_t bytes) {
  Memory memory;
  memory.name = std::move(name);
  memory.data = const_cast<uint8_t *>(data); // write() refuses memories without states
  memory.bytes = bytes;
  return memory;
}

//===----------------------------------------------------------------------===//
// Boxes as rows
//===----------------------------------------------------------------------===//

Rows::Rows(const Box &box) : base(box.base), bytes(box.elementBytes) {
  SmallVector<Box::Dim, 6> sorted;
  for (auto [stride, count] : box.dims) {
    if (count == 1)
      continue;
    if (stride < 0) {
      base += stride * (count - 1);
      stride = -stride;
    }
    if (stride == 0)
      overlap = true;
    else
      sorted.push_back({stride, count});
  }
  llvm::sort(sorted, [](const Box::Dim &a, const Box::Dim &b) {
    return std::make_pair(a.stride, a.count) < std::make_pair(b.stride, b.count);
  });
  size_t inner = 0;
  for (; inner < sorted.size() && sorted[inner].stride <= bytes; ++inner) {
    overlap |= sorted[inner].stride < bytes;
    bytes += sorted[inner].stride * (sorted[inner].count - 1);
  }
  dims.append(sorted.rbegin(), sorted.rend() - inner);
}

Error npu::sim::checkBounds(const Memory &memory, const Box &box) {
  Int128 low = box.base, high = Int128(box.base) + box.elementBytes;
  bool isAligned = box.base % box.elementBytes == 0;
  for (const Box::Dim &dim : box.dims) {
    Int128 reach = Int128(dim.stride) * (dim.count - 1);
    (reach < 0 ? low : high) += reach;
    isAligned &= dim.count == 1 || dim.stride % box.elementBytes == 0;
  }
  if (low < 0 || high > memory.bytes) {
    auto clip = [](Int128 value) {
      return int64_t(std::clamp<Int128>(value, INT64_MIN, INT64_MAX));
    };
    return makeTrap(TrapKind::OutOfBounds,
                    formatv("accesses bytes {0} to {1} of {2}, which has {3}", clip(low),
                            clip(high - 1), memory.name, memory.bytes));
  }
  if (!isAligned && memory.isOnChip)
    return makeTrap(TrapKind::Misaligned,
                    formatv("accesses {0}-byte elements of {1} at byte {2} with a base or stride "
                            "that is no multiple of {0}",
                            box.elementBytes, memory.name, box.base));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

Tracker::Tracker(const isa::Program &program, Checks checks)
    : program(program), checks(checks), states(2) {}

void Tracker::begin(const Access &access, ArrayRef<uint64_t> seen) {
  current = access;
  clock = seen;
}

void Tracker::end() {
  if (written != none)
    release(written);
  for (uint32_t state : pendingStates) {
    states[state].isPending = false;
    if (states[state].bytes != 0)
      continue;
    states[state].readers.clear();
    freeStates.push_back(state);
  }
  pendingStates.clear();
  readMoves.clear();
  writeMoves.clear();
  written = none;
}

/// Numbers are reused only after the instruction: its tables name the old ones.
void Tracker::release(uint32_t state) {
  if (state <= initialized || states[state].bytes != 0 || states[state].isPending)
    return;
  states[state].isPending = true;
  pendingStates.push_back(state);
}

uint32_t Tracker::allocate() {
  if (!freeStates.empty())
    return freeStates.pop_back_val();
  states.emplace_back();
  return states.size() - 1;
}

Error Tracker::makeRace(const Memory &memory, int64_t address, Mode mode, const Access &other,
                        StringRef verb) {
  const isa::Stream &stream = program.streams[other.stream];
  return makeTrap(
      TrapKind::DataRace,
      formatv("{0} byte {1} of {2} without waiting for {3}, instruction {4} ({5}), which {6} it",
              mode == Mode::Write ? "writes" : "reads", address, memory.name, describe(stream),
              other.instruction, getMnemonic(stream.code[other.instruction]), verb));
}

Expected<uint32_t> Tracker::moveOn(uint32_t old, const Memory &memory, int64_t address, Mode mode) {
  if (mode != Mode::Write && old == uninitialized)
    return makeTrap(
        TrapKind::UninitializedRead,
        formatv("reads byte {0} of {1}, which nothing has written", address, memory.name));
  if (checks != Checks::Order)
    return mode == Mode::Write ? initialized : old;

  const State &state = states[old];
  if (mode == Mode::Write && (old == written || is_contained(state.readers, current)))
    return makeTrap(
        TrapKind::Overlap,
        formatv("writes byte {0} of {1}, which it also {2}", address, memory.name,
                old == written ? "writes for another element" : "reads for another element"));
  if (old != uninitialized && !isBefore(state.writer))
    return makeRace(memory, address, mode, state.writer, "writes");

  if (mode == Mode::Write) {
    for (const Access &reader : state.readers)
      if (!isBefore(reader))
        return makeRace(memory, address, mode, reader, "reads");
    if (written == none) {
      written = allocate();
      states[written].writer = current;
    }
    return written;
  }

  if (mode == Mode::ReadOverwritten || is_contained(state.readers, current))
    return old;
  // What is ordered after this read is ordered after the reads that it is ordered after.
  Access writer = state.writer;
  SmallVector<Access, 2> readers;
  copy_if(state.readers, std::back_inserter(readers),
          [&](const Access &reader) { return !isBefore(reader); });
  readers.push_back(current);
  uint32_t moved = allocate();
  states[moved].writer = writer;
  states[moved].readers = std::move(readers);
  release(moved); // in case no byte stays in it
  return moved;
}

Error Tracker::touch(Memory &memory, int64_t begin, int64_t bytes, Mode mode) {
  DenseMap<uint32_t, uint32_t> &moves = mode == Mode::Write ? writeMoves : readMoves;
  return memory.states.update(
      begin, bytes,
      [&](uint32_t old, int64_t address) -> Expected<uint32_t> {
        // What an operand moved on to depends on its mode; overwritten operands are rare.
        if (mode == Mode::ReadOverwritten)
          return moveOn(old, memory, address, mode);
        if (auto known = moves.find(old); known != moves.end() && old != written)
          return known->second;
        Expected<uint32_t> moved = moveOn(old, memory, address, mode);
        if (moved)
          moves[old] = *moved;
        return moved;
      },
      [&](uint32_t from, uint32_t to, int64_t count) {
        states[to].bytes += count;
        states[from].bytes -= count;
        release(from);
      });
}

Error Tracker::check(Memory &memory, const Box &box, Mode mode) {
  if (checks == Checks::None)
    return Error::success();
  if (any_of(box.dims, [](const Box::Dim &dim) { return dim.count == 0; }))
    return Error::success();
  if (Error error = checkBounds(memory, box))
    return error;
  if (!memory.states)
    return Error::success();
  Rows rows(box);
  if (mode == Mode::Write && checks == Checks::Order && rows.overlap)
    return makeTrap(TrapKind::Overlap, formatv("writes elements of {0} at byte {1} that overlap",
                                               memory.name, rows.base));
  return forEachRow(rows, [&](int64_t begin) {
    if (mode == Mode::Write && writtenRanges)
      writtenRanges->push_back({&memory, begin, rows.bytes});
    return touch(memory, begin, rows.bytes, mode);
  });
}

Error Tracker::read(Memory &memory, const Box &box, bool isOverwritten) {
  return check(memory, box, isOverwritten ? Mode::ReadOverwritten : Mode::Read);
}

Error Tracker::write(Memory &memory, const Box &box) {
  if (!memory.states && checks != Checks::None)
    return makeTrap(TrapKind::ReadOnlyRegion, "writes " + memory.name + ", which is read-only");
  return check(memory, box, Mode::Write);
}
