//===- Semaphores.cpp - counters that carry vector clocks -----------------===//

#include "Semaphores.h"

#include "Memory.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

Expected<Semaphores> Semaphores::create(const isa::Program &program) {
  Semaphores result;
  result.streams = program.streams.size();
  for (auto [index, stream] : llvm::enumerate(program.streams))
    for (const isa::Instruction &instruction : stream.code) {
      const isa::Sync *sync = isa::getSync(instruction);
      if (!sync)
        continue;
      for (int64_t semaphore : {sync->signal0, sync->signal1}) {
        if (semaphore == 0)
          continue;
        auto [entry, isNew] = result.semaphores.try_emplace(semaphore);
        if (isNew)
          entry->second.signaller = index;
        if (entry->second.signaller != index)
          return makeTrap(TrapKind::SemaphoreConflict,
                          formatv("semaphore {0} is signalled by {1} and by {2}, but only one "
                                  "stream may signal it",
                                  semaphore, describe(program.streams[entry->second.signaller]),
                                  describe(stream)));
      }
    }
  return result;
}

int64_t Semaphores::getCount(int64_t semaphore) const {
  auto entry = semaphores.find(semaphore);
  return entry == semaphores.end() ? 0 : entry->second.count;
}

std::optional<unsigned> Semaphores::getSignaller(int64_t semaphore) const {
  auto entry = semaphores.find(semaphore);
  if (entry == semaphores.end())
    return std::nullopt;
  return entry->second.signaller;
}

void Semaphores::signal(int64_t semaphore, const Clock &clock) {
  Semaphore &entry = semaphores.find(semaphore)->second;
  ++entry.count;
  entry.clocks.insert(entry.clocks.end(), clock.begin(), clock.end());
  stored += streams;
}

void Semaphores::join(int64_t semaphore, int64_t value, Clock &clock) const {
  auto entry = semaphores.find(semaphore);
  if (value <= 0 || entry == semaphores.end() || value <= entry->second.firstKept)
    return;
  const uint64_t *carried =
      entry->second.clocks.data() + (value - 1 - entry->second.firstKept) * streams;
  for (size_t s = 0; s < streams; ++s)
    clock[s] = std::max(clock[s], carried[s]);
}

void Semaphores::prune(ArrayRef<Clock *> running) {
  Clock seen(streams, UINT64_MAX);
  for (const Clock *clock : running)
    for (size_t s = 0; s < streams; ++s)
      seen[s] = std::min(seen[s], (*clock)[s]);
  stored = 0;
  for (auto &numbered : semaphores) {
    Semaphore &entry = numbered.second;
    size_t known = 0, kept = entry.clocks.size() / streams;
    auto isKnown = [&](size_t signal) {
      for (size_t s = 0; s < streams; ++s)
        if (entry.clocks[signal * streams + s] > seen[s])
          return false;
      return true;
    };
    while (known < kept && isKnown(known))
      ++known;
    entry.clocks.erase(entry.clocks.begin(), entry.clocks.begin() + known * streams);
    entry.firstKept += known;
    stored += entry.clocks.size();
  }
  pruneAt = std::max<size_t>(1 << 20, stored * 2);
}
