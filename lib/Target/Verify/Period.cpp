//===- Period.cpp - proof by repetition -----------------------------------===//
//
// The streams run their outermost loops in step. When the state at the start of iteration j equals
// that at the start of iteration i up to translation, and everything the loops do from i on is the
// translation of what they did p = j - i iterations before, then the next p iterations repeat the
// last p: nothing new can block or race. A translation adds to
//   - `i0`: p; to a stream's clock: its instances in p iterations, wherever the clock is known;
//   - a semaphore: its signals in p iterations;
//   - the footprint of an operand: p times its address's coefficient of `i0`.
// Whatever does not fit this makes the comparison fail, and the loop runs in full.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace llvm;
using namespace npu::isa;
using namespace npu::verify;

/// Comparisons of a loop before it is run in full.
static constexpr unsigned maxAttempts = 12;
/// Numbers a skip may have to write down for streams that wait behind the loop.
static constexpr int64_t maxHistory = int64_t(1) << 24;

/// Bytes a footprint moves per iteration of the outermost loop.
static int64_t getStep(const Access &access) {
  if (access.chip)
    return access.chip->base.coefficients[0];
  int64_t step = access.boxBase->coefficients[0];
  for (const BoxDim &dim : access.box)
    step += dim.dram_stride * dim.origin.coefficients[0];
  return step;
}

/// Narrows [first, end) to the iterations in which `coefficient * i0 + rest >= least`.
static void requireAtLeast(int64_t coefficient, Wide rest, Wide least, int64_t &first,
                           int64_t &end) {
  Wide missing = least - rest;
  if (coefficient > 0 && missing > 0)
    first = int64_t(
        std::max<Wide>(first, std::min<Wide>(end, (missing + coefficient - 1) / coefficient)));
  if (coefficient < 0)
    end = missing > 0
              ? first
              : int64_t(std::max<Wide>(first, std::min<Wide>(end, missing / coefficient + 1)));
}

/// Narrows [first, end) to the iterations of the outermost loop in which the site's extents do not
/// depend on it and no window cuts a dimension that it moves.
static void narrowToSteady(const Site &site, int64_t &first, int64_t &end) {
  Trips inner = site.trips;
  inner[0] = 1;
  for (const Extent *extent : site.extents)
    if (int64_t coefficient = extent->limit.coefficients[0])
      requireAtLeast(coefficient, getMin(extent->limit, inner), extent->full, first, end);
  for (const Access &access : site.accesses)
    for (const BoxDim &dim : access.box) {
      int64_t coefficient = dim.origin.coefficients[0];
      if (coefficient == 0)
        continue;
      requireAtLeast(coefficient, getMin(dim.origin, inner), dim.low, first, end);
      Wide last = getMax(dim.origin, inner) + dim.extent.full;
      if (dim.block)
        last += Wide(dim.block) * std::max<int64_t>(0, access.box[dim.outer].extent.full - 1);
      requireAtLeast(-coefficient, -last, -Wide(dim.high), first, end);
    }
}

bool PeriodProver::collect(const StreamState &stream, LoopInfo &info) const {
  const Step &loop = stream.steps[stream.loop];
  info = LoopInfo();
  info.instances = loop.perIteration;
  info.end = loop.trips;
  for (unsigned s = stream.loop + 1; s < loop.match; ++s) {
    const Step &step = stream.steps[s];
    if (step.kind != Step::Run)
      continue;
    const Site &site = machine.model.sites[step.site];
    Wide runs = 1;
    for (unsigned k = 1; k < site.depth; ++k) {
      runs *= site.trips[k];
      if (runs > int64_t(1) << 40)
        return false;
    }
    for (unsigned k = 0; k < 4; ++k) {
      if (step.semaphores[k] == none)
        continue;
      if (k < 2)
        info.waits.push_back(step.semaphores[k]);
      else
        info.signals[step.semaphores[k]] += int64_t(runs);
    }
    narrowToSteady(site, info.first, info.end);
    for (const Access &access : site.accesses) {
      if (!access.chip || access.chip->depth == 1)
        continue;
      int64_t depth = access.chip->depth;
      int64_t turn = std::abs(access.chip->position.coefficients[0] % depth);
      info.period = std::lcm(info.period, depth / std::gcd(depth, turn));
      if (info.period > loop.trips)
        return false;
    }
  }
  return info.instances < int64_t(1) << 40;
}

/// Looks at the loops the streams have just entered; whether a repetition is worth looking for.
bool PeriodProver::prepare() {
  infos.assign(machine.streams.size(), LoopInfo());
  candidate.reset();
  reference = none;
  attempts = 0;
  period = 1;
  lastIteration = -1;
  for (auto [index, stream] : llvm::enumerate(machine.streams)) {
    if (stream.loop == none)
      continue;
    if (!collect(stream, infos[index]))
      return false;
    period = std::lcm(period, infos[index].period);
    if (period > stream.steps[stream.loop].trips / 2)
      return false;
    if (reference == none && stream.isParked)
      reference = unsigned(index);
  }
  return reference != none;
}

void PeriodProver::atBoundary(int64_t iteration) {
  std::vector<unsigned> current;
  for (const StreamState &stream : machine.streams)
    current.push_back(stream.loop);
  if (current != loops) {
    loops = std::move(current);
    isUsable = prepare();
  }
  if (!isUsable)
    return;
  const StreamState &stream = machine.streams[reference];
  if (!stream.isParked || stream.counters[0] != iteration || iteration == lastIteration)
    return;
  lastIteration = iteration;
  if (candidate && iteration < candidate->iteration + period)
    return;
  Snapshot now = takeSnapshot();
  if (candidate && iteration == candidate->iteration + period && matches(*candidate, now)) {
    int64_t periods = INT64_MAX;
    for (unsigned s = 0; s < machine.streams.size(); ++s)
      if (isMoved[s])
        periods = std::min(periods, (infos[s].end - 1 - now.streams[s].counters[0]) / period);
    if (periods > 0)
      skip(periods);
    isUsable = false;
    return;
  }
  isUsable = !candidate || ++attempts < maxAttempts;
  candidate = std::move(now);
}

bool PeriodProver::waitsInLoop(const Waiter &waiter, unsigned semaphore) const {
  return loops[waiter.stream] != none && llvm::is_contained(infos[waiter.stream].waits, semaphore);
}

PeriodProver::Snapshot PeriodProver::takeSnapshot() {
  Snapshot snapshot;
  size_t width = machine.streams.size();
  snapshot.iteration = lastIteration;
  snapshot.earlyWaits = machine.earlyWaits;
  snapshot.streams.assign(machine.streams.begin(), machine.streams.end());
  snapshot.clocks = machine.clocks;
  for (auto [index, semaphore] : llvm::enumerate(machine.semaphores)) {
    machine.prune(semaphore);
    Snapshot::Signals signals{semaphore.value, {}, {}};
    int64_t joined = semaphore.value;
    for (const Waiter &waiter : semaphore.waiters) {
      signals.joined.push_back(waiter.joined);
      if (waitsInLoop(waiter, unsigned(index)))
        joined = std::min(joined, waiter.joined);
    }
    signals.clocks.assign(semaphore.history.end() - (semaphore.value - joined) * int64_t(width),
                          semaphore.history.end());
    snapshot.semaphores.push_back(std::move(signals));
  }
  for (auto [id, records] : llvm::enumerate(machine.records)) {
    machine.pruneRecords(id);
    snapshot.records.push_back(records.list);
  }
  return snapshot;
}

/// Signals in one iteration of the loops that move.
int64_t PeriodProver::getSignals(const Semaphore &semaphore, unsigned index) const {
  if (semaphore.signaller == none || !isMoved[semaphore.signaller])
    return 0;
  return infos[semaphore.signaller].signals.lookup(index);
}

bool PeriodProver::matches(const Snapshot &before, const Snapshot &now) {
  isMoved.assign(machine.streams.size(), false);
  for (unsigned s = 0; s < machine.streams.size(); ++s) {
    const Position &from = before.streams[s], &to = now.streams[s];
    if (from.clock == to.clock && from.counters == to.counters && from.pc == to.pc &&
        from.isFinished == to.isFinished)
      continue;
    isMoved[s] = true;
    Counters shifted = from.counters;
    shifted[0] += period;
    if (to.loop == none || to.counters != shifted || from.pc != to.pc ||
        from.isParked != to.isParked || to.clock != from.clock + period * infos[s].instances ||
        from.counters[0] < infos[s].first)
      return false;
  }
  // A wait that held only because its value was not positive yet will become a real one.
  return before.earlyWaits == now.earlyWaits && isInvariant(now) && areRowsShifted(before, now) &&
         areSemaphoresShifted(before, now) && areRecordsShifted(before, now);
}

/// Whether what the loops wait for and touch moves with their counters: waits as their semaphores,
/// and footprints that are compared alike.
bool PeriodProver::isInvariant(const Snapshot &now) const {
  for (unsigned s = 0; s < machine.streams.size(); ++s) {
    if (!isMoved[s])
      continue;
    const StreamState &stream = machine.streams[s];
    for (unsigned at = stream.loop + 1; at < stream.steps[stream.loop].match; ++at) {
      const Step &step = stream.steps[at];
      if (step.kind != Step::Run)
        continue;
      const Sync &sync = *machine.model.sites[step.site].sync;
      for (unsigned k = 0; k < 2; ++k)
        if (step.semaphores[k] != none &&
            (k ? sync.value1 : sync.value0).coefficients[0] !=
                getSignals(machine.semaphores[step.semaphores[k]], step.semaphores[k]))
          return false;
      for (unsigned id : machine.layout->watchedOfSite[step.site]) {
        int64_t move = getStep(*machine.layout->watched[id].access);
        for (unsigned p : machine.layout->watched[id].partners) {
          const Watched &partner = machine.layout->watched[p];
          bool movesToo =
              isMoved[partner.stream] && machine.streams[partner.stream].isInLoop(partner.step);
          if (movesToo ? move != getStep(*partner.access) : move != 0 && !now.records[p].empty())
            return false;
        }
      }
    }
  }
  return true;
}

/// Clocks of instances inside the loops are shifted, older ones equal.
bool PeriodProver::areClocksShifted(const int64_t *before, const int64_t *now) const {
  for (unsigned t = 0; t < machine.streams.size(); ++t) {
    bool isNew = isMoved[t] && before[t] > machine.streams[t].loopStart;
    if (now[t] != before[t] + (isNew ? period * infos[t].instances : 0))
      return false;
  }
  return true;
}

bool PeriodProver::areRowsShifted(const Snapshot &before, const Snapshot &now) const {
  size_t width = machine.streams.size();
  for (size_t s = 0; s < width; ++s)
    if (isMoved[s] &&
        !areClocksShifted(before.clocks.data() + s * width, now.clocks.data() + s * width))
      return false;
  return true;
}

bool PeriodProver::areSemaphoresShifted(const Snapshot &before, const Snapshot &now) const {
  size_t width = machine.streams.size();
  for (auto [index, semaphore] : llvm::enumerate(machine.semaphores)) {
    const Snapshot::Signals &from = before.semaphores[index], &to = now.semaphores[index];
    int64_t signals = period * getSignals(semaphore, unsigned(index));
    if (to.value != from.value + signals || to.clocks.size() != from.clocks.size())
      return false;
    for (auto [w, waiter] : llvm::enumerate(semaphore.waiters))
      if (isMoved[waiter.stream] && waitsInLoop(waiter, unsigned(index)) &&
          to.joined[w] != from.joined[w] + signals)
        return false;
    for (size_t row = 0; row < to.clocks.size(); row += width)
      if (!areClocksShifted(from.clocks.data() + row, to.clocks.data() + row))
        return false;
  }
  return true;
}

bool PeriodProver::areRecordsShifted(const Snapshot &before, const Snapshot &now) const {
  for (auto [index, entry] : llvm::enumerate(machine.layout->watched)) {
    const std::vector<Record> &from = before.records[index], &to = now.records[index];
    if (from.size() != to.size())
      return false;
    bool moves = isMoved[entry.stream] && machine.streams[entry.stream].isInLoop(entry.step);
    int64_t bytes = moves ? period * getStep(*entry.access) : 0;
    int64_t instances = moves ? period * infos[entry.stream].instances : 0;
    for (auto [first, second] : llvm::zip_equal(from, to))
      if (!(second == Record{first.begin + bytes, first.clock + instances, first.shape}))
        return false;
  }
  return true;
}

void PeriodProver::shiftClocks(int64_t *row, int64_t periods) const {
  for (unsigned t = 0; t < machine.streams.size(); ++t)
    if (isMoved[t] && row[t] > machine.streams[t].loopStart)
      row[t] += periods * period * infos[t].instances;
}

/// Whether a stream outside the moving loops may still wait for the signals skipped.
bool PeriodProver::needsHistory(const Semaphore &semaphore, unsigned index) const {
  return llvm::any_of(semaphore.waiters, [&](const Waiter &waiter) {
    return machine.streams[waiter.stream].mayStillRun(waiter.lastStep) &&
           !(isMoved[waiter.stream] && waitsInLoop(waiter, index));
  });
}

void PeriodProver::skip(int64_t periods) {
  int64_t width = int64_t(machine.streams.size());
  for (auto [index, semaphore] : llvm::enumerate(machine.semaphores)) {
    int64_t signals = periods * period * getSignals(semaphore, unsigned(index));
    if (signals > maxHistory / width && needsHistory(semaphore, unsigned(index)))
      return; // running the loop costs less memory
  }
  for (auto [id, entry] : llvm::enumerate(machine.layout->watched))
    if (isMoved[entry.stream] && machine.streams[entry.stream].isInLoop(entry.step))
      for (Record &record : machine.records[id].list) {
        record.begin += periods * period * getStep(*entry.access);
        record.clock += periods * period * infos[entry.stream].instances;
      }

  for (auto [number, semaphore] : llvm::enumerate(machine.semaphores)) {
    unsigned index = unsigned(number);
    int64_t once = period * getSignals(semaphore, index);
    if (once == 0)
      continue;
    if (needsHistory(semaphore, index)) {
      // The signals of one period repeat, shifted.
      size_t length = size_t(once * width);
      for (int64_t p = 0; p < periods; ++p)
        for (size_t row = 0; row < length; row += size_t(width)) {
          size_t from = semaphore.history.size() - length, to = semaphore.history.size();
          semaphore.history.resize(to + size_t(width));
          std::copy_n(semaphore.history.begin() + int64_t(from), width,
                      semaphore.history.begin() + int64_t(to));
          shiftClocks(semaphore.history.data() + to, 1);
        }
    } else {
      for (size_t row = 0; row < semaphore.history.size(); row += size_t(width))
        shiftClocks(semaphore.history.data() + row, periods);
      semaphore.dropped += periods * once;
    }
    semaphore.value += periods * once;
    for (Waiter &waiter : semaphore.waiters)
      if (isMoved[waiter.stream] && waitsInLoop(waiter, index))
        waiter.joined += periods * once;
  }

  for (unsigned s = 0; s < machine.streams.size(); ++s) {
    if (!isMoved[s])
      continue;
    shiftClocks(machine.getClocks(s), periods);
    StreamState &stream = machine.streams[s];
    stream.counters[0] += periods * period;
    stream.clock += periods * period * infos[s].instances;
    machine.stats.skipped += periods * period * infos[s].instances;
  }
}
