//===- Hazards.cpp - which tasks must keep their order --------------------===//

#include "Hazards.h"

#include "llvm/ADT/STLExtras.h"

using namespace npu::taskgraph;

//===----------------------------------------------------------------------===//
// Hazards
//===----------------------------------------------------------------------===//

void ByteHistory::collect(int64_t begin, int64_t end, bool isWrite,
                          llvm::SmallVectorImpl<unsigned> &earlier) const {
  auto range = ranges.upper_bound(begin);
  if (range != ranges.begin() && std::prev(range)->second.end > begin)
    --range;
  for (int64_t known = none; range != ranges.end() && range->first < end; ++range) {
    if (range->second.writer != none)
      earlier.push_back(range->second.writer);
    // Neighbors often have the same readers.
    if (!isWrite || range->second.readers == known)
      continue;
    known = range->second.readers;
    for (int64_t reader = known; reader != none; reader = readers[reader].next)
      earlier.push_back(readers[reader].task);
  }
}

/// Makes no range reach across a byte.
void ByteHistory::split(int64_t at) {
  auto after = ranges.upper_bound(at);
  if (after == ranges.begin())
    return;
  auto range = std::prev(after);
  if (range->first == at || range->second.end <= at)
    return;
  Range second = range->second;
  range->second.end = at;
  ranges.emplace_hint(after, at, second);
}

void ByteHistory::read(int64_t begin, int64_t end, unsigned task) {
  split(begin);
  split(end);
  auto range = ranges.lower_bound(begin);
  int64_t known = none, extended = none;
  while (begin < end) {
    if (range == ranges.end() || range->first > begin) {
      // Nothing has touched these bytes yet.
      int64_t next = range == ranges.end() ? end : std::min(end, range->first);
      range = ranges.emplace_hint(range, begin, Range{next});
    }
    int64_t &newest = range->second.readers;
    if (newest == none || readers[newest].task != task) {
      if (extended == none || known != newest) {
        known = newest;
        extended = readers.size();
        readers.push_back({task, newest});
      }
      newest = extended;
    }
    begin = range->second.end;
    ++range;
  }
}

void ByteHistory::write(int64_t begin, int64_t end, unsigned task) {
  split(begin);
  split(end);
  auto after = ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
  ranges.emplace_hint(after, begin, Range{end, task});
}

llvm::ArrayRef<unsigned> Hazards::next() {
  unsigned number = tasks[position];
  const Task &next = graph.tasks[number];
  earlier.clear();
  if (next.kind == TaskKind::Prepare)
    preparations[next.code].push_back(position);
  for (unsigned inner = number; inner < getEnd(graph, number); ++inner)
    if (graph.tasks[inner].kind == TaskKind::Launch)
      llvm::append_range(earlier, preparations[graph.tasks[inner].code]);
  // What a task both reads and writes is no hazard for itself.
  std::vector<Access> accesses = getAccesses(graph, next);
  auto forEach = [&](auto function) {
    for (const Access &access : accesses)
      if (const Buffer &buffer = graph.buffers[access.buffer]; buffer.bytes > 0)
        function(access.isWrite, regions[unsigned(buffer.region)], buffer.offset,
                 buffer.offset + buffer.bytes);
  };
  forEach([&](bool isWrite, const ByteHistory &history, int64_t begin, int64_t end) {
    history.collect(begin, end, isWrite, earlier);
  });
  forEach([&](bool isWrite, ByteHistory &history, int64_t begin, int64_t end) {
    if (!isWrite)
      history.read(begin, end, position);
  });
  forEach([&](bool isWrite, ByteHistory &history, int64_t begin, int64_t end) {
    if (isWrite)
      history.write(begin, end, position);
  });
  llvm::sort(earlier);
  earlier.erase(llvm::unique(earlier), earlier.end());
  ++position;
  return earlier;
}

//===----------------------------------------------------------------------===//
// FinishedTasks
//===----------------------------------------------------------------------===//

FinishedTasks::FinishedTasks(const TaskGraph &graph, llvm::ArrayRef<unsigned> tasks,
                             std::vector<unsigned> lastUsers)
    : positions(tasks.size()), lastUsers(std::move(lastUsers)), sets(tasks.size()) {
  llvm::DenseMap<unsigned, std::vector<unsigned>> preparations;
  unsigned position = 0;
  for (auto [number, index] : llvm::enumerate(tasks)) {
    const Task &task = graph.tasks[index];
    if (task.kind == TaskKind::Prepare) {
      preparations[task.code].push_back(number);
      continue;
    }
    if (task.kind == TaskKind::Launch)
      for (unsigned preparation : std::exchange(preparations[task.code], {}))
        positions[preparation] = position++;
    positions[number] = position++;
  }
  // Those of programs that are never launched.
  for (const auto &[program, numbers] : preparations)
    for (unsigned number : numbers)
      positions[number] = position++;
}

/// Makes everything below 64 * `full` part of the set.
void FinishedTasks::Set::dropUntil(size_t full) {
  words.erase(words.begin(), words.begin() + std::min(full - numFull, words.size()));
  numFull = full;
}

void FinishedTasks::wait(unsigned earlier) {
  const Set &other = sets[earlier];
  Set &set = sets[current];
  if (other.numFull > set.numFull)
    set.dropUntil(other.numFull);
  size_t word = positions[earlier] / 64, otherEnd = other.numFull + other.words.size();
  size_t end = std::max(word + 1, otherEnd);
  if (end > set.numFull + set.words.size())
    set.words.resize(end - set.numFull);
  for (size_t i = set.numFull; i < otherEnd; ++i)
    set.words[i - set.numFull] |= other.words[i - other.numFull];
  if (word >= set.numFull)
    set.words[word - set.numFull] |= uint64_t(1) << positions[earlier] % 64;
  size_t numFull = set.numFull;
  for (uint64_t bits : set.words) {
    if (bits != ~uint64_t(0))
      break;
    ++numFull;
  }
  set.dropUntil(numFull);
}

bool FinishedTasks::contains(unsigned earlier) const {
  const Set &set = sets[current];
  size_t word = positions[earlier] / 64;
  if (word < set.numFull)
    return true;
  return word < set.numFull + set.words.size() &&
         (set.words[word - set.numFull] >> positions[earlier] % 64 & 1) != 0;
}

void FinishedTasks::advance(llvm::ArrayRef<unsigned> used) {
  for (unsigned earlier : used)
    if (lastUsers[earlier] == current)
      sets[earlier] = {};
  if (lastUsers[current] <= current)
    sets[current] = {};
  ++current;
}
