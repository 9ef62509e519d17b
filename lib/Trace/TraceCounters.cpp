//===- TraceCounters.cpp - memory and bandwidth in use over a launch ------===//

#include "TraceCounters.h"

#include "NPU/Target/Verify/InstructionFootprints.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// From changes to values.
static void sumUp(CounterValues &changes) {
  int64_t sum = 0;
  for (auto it = changes.begin(); it != changes.end();) {
    if (it->second == 0) {
      it = changes.erase(it);
      continue;
    }
    it->second = sum += it->second;
    ++it;
  }
}

namespace {
/// What a memory holds: ranges of bytes, each with the time of its first write and of its last use.
class Lives {
public:
  explicit Lives(CounterValues &changes) : changes(changes) {}

  void use(int64_t begin, int64_t end, const sim::Event &event, bool reads, bool writes) {
    split(begin);
    split(end);
    auto it = lives.lower_bound(begin);
    while (it != lives.end() && it->first < end) {
      Life &life = it->second;
      if (reads || life.lastUse > event.start) {
        life.lastUse = std::max(life.lastUse, event.end);
        ++it;
      } else if (writes) {
        close(it->first, life);
        it = lives.erase(it);
      } else {
        ++it;
      }
    }
    if (!writes)
      return;
    // What nothing holds begins to be in use.
    int64_t at = begin;
    for (it = lives.lower_bound(begin); at < end; at = it->second.end, ++it) {
      if (it == lives.end() || it->first >= end) {
        lives.insert({at, {end, event.start, event.end}});
        break;
      }
      if (it->first > at)
        lives.insert({at, {it->first, event.start, event.end}});
    }
  }

  void closeAll() {
    for (auto &[begin, life] : lives)
      close(begin, life);
  }

private:
  struct Life {
    int64_t end; ///< of the bytes
    int64_t start, lastUse;
  };

  void split(int64_t at) {
    auto it = lives.lower_bound(at);
    if (it == lives.begin() || std::prev(it)->second.end <= at)
      return;
    Life &before = std::prev(it)->second;
    lives.insert({at, before});
    before.end = at;
  }

  void close(int64_t begin, const Life &life) {
    changes[life.start] += life.end - begin;
    changes[life.lastUse] -= life.end - begin;
  }

  std::map<int64_t, Life> lives; ///< by their first byte
  CounterValues &changes;
};
} // namespace

MemoryCounters npu::runtime::countMemoryUse(const isa::Program &program,
                                            ArrayRef<sim::Event> events) {
  MemoryCounters result;
  llvm::Expected<verify::Footprints> footprints = verify::Footprints::create(program);
  if (!footprints) {
    // It ran, so it is well formed.
    consumeError(footprints.takeError());
    return result;
  }
  std::vector<const sim::Event *> order;
  for (const sim::Event &event : events)
    order.push_back(&event);
  // They lie in the order of their end.
  llvm::sort(order, [](const sim::Event *a, const sim::Event *b) {
    return std::pair(a->start, a) < std::pair(b->start, b);
  });
  std::map<std::pair<int64_t, isa::MemorySpace>, Lives> memories;
  for (const sim::Event *event : order) {
    auto touched = footprints->get(event->stream, event->instruction, event->counters);
    // What an instruction reads it does before it writes.
    for (bool writes : {false, true})
      for (const verify::InstructionFootprint &footprint : touched)
        if (footprint.writes == writes) {
          std::pair key(footprint.cluster, footprint.space);
          memories.try_emplace(key, result[key])
              .first->second.use(footprint.begin, footprint.end, *event, footprint.reads, writes);
        }
  }
  for (auto &[key, lives] : memories)
    lives.closeAll();
  for (auto &[key, changes] : result)
    sumUp(changes);
  return result;
}

CounterValues npu::runtime::countDramTraffic(ArrayRef<sim::Event> events) {
  CounterValues changes;
  for (const sim::Event &event : events) {
    if (event.dramBytes == 0 || event.end == event.start)
      continue;
    int64_t rate = event.dramBytes * 1000 / (event.end - event.start);
    changes[event.start] += rate;
    changes[event.end] -= rate;
  }
  sumUp(changes);
  return changes;
}
