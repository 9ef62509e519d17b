//===- Machine.cpp - the abstract run -------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu;
using namespace npu::isa;
using namespace npu::verify;

Machine::Machine(const Model &model, const Conflicts &conflicts, ArrayRef<unsigned> numbers,
                 const VerifyOptions &options, VerifyStats &stats, Mode mode)
    : model(model), options(options), stats(stats), mode(mode), layout(std::make_shared<Layout>()),
      streams(numbers.size()), clocks(numbers.size() * numbers.size(), 0),
      hashes(numbers.size(), 0), rows(numbers.size()),
      budget(options.maxInstances - stats.instances),
      parks(mode == Mode::CheckRaces && options.skipPeriods) {
  layout->steps.resize(numbers.size());
  layout->watchedOfSite.resize(model.sites.size());
  DenseMap<unsigned, unsigned> watchedIds; // by access number
  DenseMap<int64_t, unsigned> semaphoreIds;
  for (auto [local, number] : llvm::enumerate(numbers))
    addStream(number, unsigned(local), conflicts, watchedIds, semaphoreIds);
  for (Watched &entry : layout->watched)
    for (unsigned &partner : entry.partners)
      partner = watchedIds.lookup(partner);
  records.resize(layout->watched.size());
}

void Machine::addStream(unsigned number, unsigned local, const Conflicts &conflicts,
                        DenseMap<unsigned, unsigned> &watchedIds,
                        DenseMap<int64_t, unsigned> &semaphoreIds) {
  StreamState &stream = streams[local];
  stream.number = number;
  std::vector<Step> &steps = layout->steps[local];
  auto getSemaphore = [&](int64_t number) {
    auto [place, isNew] = semaphoreIds.try_emplace(number, unsigned(semaphores.size()));
    if (isNew)
      semaphores.emplace_back().number = number;
    return place->second;
  };
  const std::vector<Instruction> &code = model.program.streams[number].code;
  unsigned site = unsigned(
      llvm::partition_point(model.sites, [&](const Site &s) { return s.stream < number; }) -
      model.sites.begin());
  SmallVector<unsigned, maxLoopDepth> open;
  for (const Instruction &instruction : code) {
    Step step;
    unsigned index = unsigned(steps.size());
    if (auto *loop = std::get_if<Loop>(&instruction)) {
      step.kind = Step::Begin;
      step.trips = loop->count.trips;
      open.push_back(index);
    } else if (std::holds_alternative<EndLoop>(instruction)) {
      step.kind = Step::End;
      step.match = open.pop_back_val();
      Step &begin = steps[step.match];
      begin.match = index;
      if (!open.empty()) {
        int64_t &outer = steps[open.back()].perIteration;
        outer =
            int64_t(std::min(Wide(outer) + Wide(begin.perIteration) * begin.trips, Wide(1) << 60));
      }
    } else if (std::holds_alternative<Halt>(instruction)) {
      step.kind = Step::Halt;
      ++site;
    } else {
      step.kind = Step::Run;
      step.site = site++;
      if (!open.empty())
        ++steps[open.back()].perIteration;
      const Sync &sync = *getSync(instruction);
      int64_t numbers[] = {sync.wait0, sync.wait1, sync.signal0, sync.signal1};
      for (unsigned k = 0; k < 4; ++k) {
        if (!numbers[k])
          continue;
        step.semaphores[k] = getSemaphore(numbers[k]);
        Semaphore &semaphore = semaphores[step.semaphores[k]];
        if (k >= 2) {
          semaphore.signaller = local;
          continue;
        }
        auto waiter =
            llvm::find_if(semaphore.waiters, [&](const Waiter &w) { return w.stream == local; });
        step.waiters[k] = unsigned(waiter - semaphore.waiters.begin());
        if (waiter == semaphore.waiters.end())
          semaphore.waiters.push_back({local, index, 0});
        semaphore.waiters[step.waiters[k]].lastStep = index;
      }
      const Site &s = model.sites[step.site];
      for (unsigned a = 0; a < s.accesses.size() && mode == Mode::CheckRaces; ++a) {
        unsigned id = conflicts.firstAccess[step.site] + a;
        if (conflicts.partners[id].empty())
          continue;
        watchedIds[id] = unsigned(layout->watched.size());
        layout->watchedOfSite[step.site].push_back(unsigned(layout->watched.size()));
        Watched &entry = layout->watched.emplace_back();
        entry.site = &s;
        entry.access = &s.accesses[a];
        entry.stream = local;
        entry.step = index;
        entry.partners = conflicts.partners[id];
      }
    }
    steps.push_back(step);
  }
  stream.steps = steps;
}

Error Machine::run(int64_t maxInstances) {
  PeriodProver prover(*this);
  remaining = maxInstances;
  for (;;) {
    bool moved = false;
    for (unsigned s = 0; s < streams.size(); ++s)
      if (!streams[s].isParked && !streams[s].isFinished) {
        moved |= advance(s);
        if (failure)
          return make_error<VerifyError>(*failure);
        if (remaining <= 0)
          return Error::success();
      }
    if (moved)
      continue;
    // Nothing moves but the parked streams; those furthest behind go on.
    int64_t iteration = INT64_MAX;
    for (const StreamState &stream : streams)
      if (stream.isParked)
        iteration = std::min(iteration, stream.counters[0]);
    if (iteration == INT64_MAX)
      break;
    if (maxInstances == INT64_MAX) // fewer are run in less time than they are compared
      prover.atBoundary(iteration);
    iteration = INT64_MAX; // a skip has moved them
    for (const StreamState &stream : streams)
      if (stream.isParked)
        iteration = std::min(iteration, stream.counters[0]);
    for (StreamState &stream : streams)
      if (stream.isParked && stream.counters[0] == iteration)
        stream.isParked = false;
  }
  if (llvm::all_of(streams, [](const StreamState &stream) { return stream.isFinished; }))
    return Error::success();
  return makeDeadlockError();
}

bool Machine::advance(unsigned index) {
  StreamState &stream = streams[index];
  for (bool moved = false;; moved = true) {
    const Step &step = stream.steps[stream.pc];
    switch (step.kind) {
    case Step::Begin:
      if (step.perIteration == 0) { // nothing inside, however often
        stream.pc = step.match + 1;
        break;
      }
      ++stream.pc;
      if (stream.depth++ == 0) {
        stream.loop = stream.pc - 1;
        stream.loopStart = stream.clock;
        if (parks) {
          stream.isParked = true;
          return true;
        }
      }
      break;
    case Step::End: {
      int64_t &counter = stream.counters[stream.depth - 1];
      if (++counter < stream.steps[step.match].trips) {
        stream.pc = step.match + 1;
        if (stream.depth == 1 && parks) {
          stream.isParked = true;
          return true;
        }
        break;
      }
      counter = 0;
      ++stream.pc;
      if (--stream.depth == 0)
        stream.loop = none;
      break;
    }
    case Step::Run:
      if (beforeWait && (step.semaphores[0] != none || step.semaphores[1] != none))
        beforeWait(step);
      if (remaining <= 0)
        return true;
      if (!issue(index, step))
        return moved;
      ++stream.pc;
      --remaining;
      if (failure)
        return true;
      break;
    case Step::Halt:
      stream.isFinished = true;
      return true;
    }
  }
}

bool Machine::issue(unsigned index, const Step &step) {
  StreamState &stream = streams[index];
  const Sync &sync = *model.sites[step.site].sync;
  int64_t values[2] = {0, 0};
  for (unsigned k = 0; k < 2; ++k) {
    if (step.semaphores[k] == none)
      continue;
    values[k] = (k ? sync.value1 : sync.value0).evaluate(stream.counters);
    if (semaphores[step.semaphores[k]].value < values[k])
      return false;
  }

  int64_t *row = getClocks(index);
  size_t width = streams.size();
  for (unsigned k = 0; k < 2; ++k) {
    if (step.semaphores[k] == none)
      continue;
    if (values[k] <= 0) {
      earlyWaits += (k ? sync.value1 : sync.value0).coefficients[0] != 0;
      continue;
    }
    Semaphore &semaphore = semaphores[step.semaphores[k]];
    Waiter &waiter = semaphore.waiters[step.waiters[k]];
    if (values[k] <= waiter.joined)
      continue; // clocks of one semaphore's signals only grow
    waiter.joined = values[k];
    const int64_t *signal = getSignal(semaphore, values[k]);
    for (size_t t = 0; t < width; ++t)
      row[t] = std::max(row[t], signal[t]);
  }
  row[index] = ++stream.clock;
  ++stats.instances;
  if (--budget < 0) {
    failure = makeFault(model.sites[step.site], "budget",
                        "the program has more than {0} instruction instances that must be run; "
                        "split the kernel",
                        options.maxInstances);
    return true;
  }

  if (mode == Mode::HashClocks)
    hashes[index] = hash_combine(hashes[index], hash_combine_range(row, row + width));
  if (mode == Mode::KeepClocks)
    rows[index].insert(rows[index].end(), row, row + width);
  if (ArrayRef<unsigned> watched = layout->watchedOfSite[step.site]; !watched.empty()) {
    const Site &site = model.sites[step.site];
    ExtentValues extents = evaluateExtents(site, stream.counters);
    for (unsigned entry : watched) {
      const Access &access = *layout->watched[entry].access;
      if (!isOpen(access, extents))
        continue;
      if (!evaluateAccess(access, extents, stream.counters, boxes))
        ++stats.assumedOverlaps;
      checkAccess(index, entry);
      if (failure)
        return true;
    }
  }

  for (unsigned k = 2; k < 4; ++k) {
    if (step.semaphores[k] == none)
      continue;
    Semaphore &semaphore = semaphores[step.semaphores[k]];
    ++semaphore.value;
    if (semaphore.waiters.empty())
      continue;
    semaphore.history.insert(semaphore.history.end(), row, row + width);
    if (semaphore.value - semaphore.dropped >= semaphore.pruneAt) {
      prune(semaphore);
      semaphore.pruneAt = std::max<int64_t>(64, 2 * (semaphore.value - semaphore.dropped));
    }
  }
  return true;
}

void Machine::prune(Semaphore &semaphore) {
  if (semaphore.waiters.empty()) {
    semaphore.dropped = semaphore.value; // nothing is kept
    return;
  }
  int64_t joined = semaphore.value;
  for (const Waiter &waiter : semaphore.waiters)
    if (streams[waiter.stream].mayStillRun(waiter.lastStep))
      joined = std::min(joined, waiter.joined);
  if (joined <= semaphore.dropped)
    return;
  semaphore.history.erase(semaphore.history.begin(),
                          semaphore.history.begin() +
                              (joined - semaphore.dropped) * int64_t(streams.size()));
  semaphore.dropped = joined;
}

void Machine::pruneRecords(unsigned id) {
  std::vector<Record> &list = records[id].list;
  if (list.empty())
    return;
  const Watched &entry = layout->watched[id];
  int64_t known = INT64_MAX;
  for (unsigned p : entry.partners) {
    const Watched &partner = layout->watched[p];
    if (streams[partner.stream].mayStillRun(partner.step))
      known = std::min(known, getClocks(partner.stream)[entry.stream]);
  }
  auto keep =
      llvm::partition_point(list, [&](const Record &record) { return record.clock <= known; });
  list.erase(list.begin(), keep);
}

unsigned Machine::getShape(Watched &entry, const RawBox &box) {
  auto isAlike = [&](unsigned shape) { return entry.rawShapes[shape].dims == box.dims; };
  if (!entry.shapes.empty() && isAlike(entry.lastShape))
    return entry.lastShape;
  size_t count = entry.shapes.size();
  for (size_t k = count; k > 0 && count - k < 64; --k)
    if (isAlike(unsigned(k - 1)))
      return entry.lastShape = unsigned(k - 1);
  entry.shapes.push_back(makeShape(box.dims, box.run));
  entry.rawShapes.push_back(box);
  return entry.lastShape = unsigned(count);
}

void Machine::checkAccess(unsigned index, unsigned id) {
  Watched &entry = layout->watched[id];
  const int64_t *row = getClocks(index);
  for (const RawBox &box : boxes) {
    unsigned number = getShape(entry, box);
    const StridedShape &shape = entry.shapes[number];
    int64_t begin = box.base + shape.offset, end = begin + shape.span;
    for (unsigned p : entry.partners) {
      const Watched &partner = layout->watched[p];
      int64_t known = row[partner.stream];
      for (const Record &record : llvm::reverse(records[p].list)) {
        if (record.clock <= known)
          break;
        ++stats.pairsChecked;
        const StridedShape &other = partner.shapes[record.shape];
        if (record.begin >= end || record.begin + other.span <= begin)
          continue;
        std::optional<bool> meets = overlap(other, shape, begin - record.begin);
        stats.assumedOverlaps += !meets;
        if (!meets.value_or(true))
          continue;
        failure = describeRace(partner, record, entry, begin, number);
        return;
      }
    }
    addRecord(id, begin, number, streams[index].clock);
  }
}

void Machine::addRecord(unsigned id, int64_t begin, unsigned shape, int64_t clock) {
  // A stream that knows the later of two equal accesses knows the earlier.
  auto &[list, pruneAt] = records[id];
  size_t count = list.size();
  for (size_t k = count; k > 0 && count - k < 8; --k)
    if (list[k - 1].begin == begin && list[k - 1].shape == shape) {
      list.erase(list.begin() + int64_t(k - 1));
      break;
    }
  list.push_back({begin, clock, shape});
  if (list.size() >= pruneAt) {
    pruneRecords(id);
    pruneAt = std::max<size_t>(16, 2 * list.size());
  }
}

Counters Machine::getCounters(const StreamState &stream, int64_t clock) const {
  Counters counters{};
  unsigned depth = 0;
  int64_t rest = clock - 1;
  for (unsigned pc = 0; pc < stream.steps.size();) {
    const Step &step = stream.steps[pc];
    if (step.kind == Step::Run && rest-- == 0)
      break;
    if (step.kind != Step::Begin) {
      ++pc;
      continue;
    }
    if (step.perIteration == 0 || rest / step.perIteration >= step.trips) {
      rest -= step.perIteration * step.trips;
      pc = step.match + 1;
      continue;
    }
    counters[depth++] = rest / step.perIteration;
    rest %= step.perIteration;
    ++pc;
  }
  return counters;
}

VerifyError Machine::describeRace(const Watched &earlier, const Record &record,
                                  const Watched &later, int64_t begin, unsigned shape) {
  if (!options.describesRaces)
    return makeFault(*later.site, "data race", "not described");
  ByteRange range =
      findOverlap(earlier.shapes[record.shape], later.shapes[shape], begin - record.begin);
  Counters first = getCounters(streams[earlier.stream], record.clock);
  const StreamState &stream = streams[later.stream];
  auto verb = [](const Watched &entry) { return entry.access->writes ? "writes" : "reads"; };
  return makeFault(
      *later.site, "data race",
      "bytes [{0}, {1}) of {2}: {3} {4} '{5}', and {6} {7} '{8}'; no wait of stream {9} "
      "or of stream {10} orders them",
      record.begin + range.begin, record.begin + range.end,
      model.describeMemory(later.access->memory), model.describe(*earlier.site, &first),
      verb(earlier), earlier.access->operand, model.describe(*later.site, &stream.counters),
      verb(later), later.access->operand,
      describe(model.program.streams[streams[earlier.stream].number]),
      describe(model.program.streams[stream.number]));
}

Error Machine::makeDeadlockError() {
  std::string text;
  const Site *cause = nullptr; // a wait that nothing can end rather than one of a cycle
  bool causeIsHopeless = false;
  for (const StreamState &stream : streams) {
    if (stream.isFinished)
      continue;
    const Step &step = stream.steps[stream.pc];
    const Site &site = model.sites[step.site];
    for (unsigned k = 0; k < 2; ++k) {
      if (step.semaphores[k] == none)
        continue;
      const Semaphore &semaphore = semaphores[step.semaphores[k]];
      int64_t value = (k ? site.sync->value1 : site.sync->value0).evaluate(stream.counters);
      if (semaphore.value >= value)
        continue;
      if (!text.empty())
        text += "; ";
      bool isHopeless = semaphore.signaller == none || streams[semaphore.signaller].isFinished;
      if (!cause || (isHopeless && !causeIsHopeless)) {
        cause = &site;
        causeIsHopeless = isHopeless;
      }
      text +=
          formatv("{0} waits for semaphore {1} >= {2}, which stays at {3}: ",
                  model.describe(site, &stream.counters), semaphore.number, value, semaphore.value);
      if (semaphore.signaller == none) {
        text += "no stream signals it";
        continue;
      }
      const StreamState &signaller = streams[semaphore.signaller];
      text += formatv("its signaller, stream {0}, {1}",
                      describe(model.program.streams[signaller.number]),
                      signaller.isFinished ? "has ended" : "waits itself");
    }
  }
  return makeError(*cause, "deadlock", "{0}", text);
}
