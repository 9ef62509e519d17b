//===- RunProfile.cpp - what a run did, over time ---------------------------===//

#include "NPU/RunReport/RunProfile.h"

#include "NPU/Target/Verify/Footprints.h"
#include "NPU/Trace/Signallers.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

void npu::runtime::joinIntervals(std::vector<BusyInterval> &intervals, size_t limit) {
  limit = std::max<size_t>(limit, 1);
  if (intervals.size() <= limit)
    return;
  // Pauses by length, the earliest of equal ones first.
  std::vector<std::pair<int64_t, size_t>> pauses;
  for (size_t next = 1; next < intervals.size(); ++next)
    pauses.push_back({intervals[next].start - intervals[next - 1].end, next});
  size_t numJoined = intervals.size() - limit;
  std::nth_element(pauses.begin(), pauses.begin() + numJoined - 1, pauses.end());
  std::vector<bool> isJoined(intervals.size());
  for (auto [length, next] : ArrayRef(pauses).take_front(numJoined))
    isJoined[next] = true;
  std::vector<BusyInterval> joined;
  for (auto [number, interval] : llvm::enumerate(intervals)) {
    if (!isJoined[number]) {
      joined.push_back(interval);
      continue;
    }
    joined.back().end = interval.end;
    joined.back().busy += interval.busy;
    joined.back().count += interval.count;
    if (interval.longest > joined.back().longest) {
      joined.back().longest = interval.longest;
      joined.back().instruction = interval.instruction;
    }
  }
  intervals = std::move(joined);
}

int64_t npu::runtime::getPeakBytes(ArrayRef<MemoryUse> uses, isa::MemorySpace space) {
  struct Change {
    int64_t time;
    int change; ///< ends before starts
    const MemoryUse *use;
  };
  std::map<int64_t, std::vector<Change>> byCluster;
  for (const MemoryUse &use : uses)
    if (use.space == space) {
      byCluster[use.cluster].push_back({use.start, 1, &use});
      byCluster[use.cluster].push_back({use.stop, -1, &use});
    }
  int64_t peak = 0;
  for (auto &[cluster, changes] : byCluster) {
    llvm::sort(changes, [](const Change &a, const Change &b) {
      return std::pair(a.time, a.change) < std::pair(b.time, b.change);
    });
    // Between two bounds, bytes are in use or not together.
    std::vector<int64_t> bounds;
    for (const Change &change : changes)
      llvm::append_values(bounds, change.use->begin, change.use->end);
    llvm::sort(bounds);
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    std::vector<int64_t> numUses(bounds.size());
    int64_t bytes = 0;
    for (const Change &change : changes) {
      size_t cell = llvm::lower_bound(bounds, change.use->begin) - bounds.begin();
      for (; bounds[cell] < change.use->end; ++cell) {
        bool wasUsed = numUses[cell] > 0;
        numUses[cell] += change.change;
        bool isUsed = numUses[cell] > 0;
        bytes += (isUsed - wasUsed) * (bounds[cell + 1] - bounds[cell]);
      }
      peak = std::max(peak, bytes);
    }
  }
  return peak;
}

/// Which part of the launch the event belongs to; nullopt if to none.
static std::optional<unsigned> findPart(const sim::Event &event, ArrayRef<unsigned> partOfSource,
                                        unsigned numParts) {
  if (partOfSource.empty())
    return 0;
  if (event.source <= 0 || uint64_t(event.source) > partOfSource.size())
    return std::nullopt;
  unsigned part = partOfSource[event.source - 1];
  return part < numParts ? std::optional(part) : std::nullopt;
}

/// Where an instruction is from in the model, without the directory of a file; empty if unknown.
static std::string getPlace(const isa::Program &program, const sim::Event &event) {
  if (event.source <= 0 || uint64_t(event.source) > program.sources.size())
    return "";
  StringRef source = program.sources[event.source - 1];
  auto isNumber = [](StringRef text) { return !text.empty() && llvm::all_of(text, llvm::isDigit); };
  auto [rest, column] = source.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  bool isPlace = isNumber(column) && isNumber(line);
  return (isPlace ? source.drop_front(file.rfind('/') + 1) : source).str();
}

namespace {
/// Collects what is known of a program's instructions, each once.
class InstructionNotes {
public:
  InstructionNotes(std::vector<InstructionNote> &notes, const isa::Program &program,
                   ArrayRef<Footprint> footprints)
      : notes(notes), program(program), signallers(findSignallers(program)) {
    for (const Footprint &footprint : footprints)
      touched[{footprint.stream, footprint.instruction}] +=
          llvm::formatv("; {0} {1} {2} to {3}", footprint.operand, isa::toString(footprint.space),
                        footprint.begin, footprint.end);
  }

  unsigned add(const sim::Event &event) {
    auto [place, isNew] =
        known.try_emplace({event.stream, event.instruction}, unsigned(notes.size()));
    if (isNew) {
      InstructionNote &note = notes.emplace_back();
      note.mnemonic = isa::getMnemonic(program.streams[event.stream].code[event.instruction]).str();
      note.place = getPlace(program, event);
      note.touches = StringRef(touched[{event.stream, event.instruction}]).ltrim("; ").str();
    }
    InstructionNote &note = notes[place->second];
    note.dramBytes = std::max(note.dramBytes, event.dramBytes);
    if (event.semaphore != 0 && note.waits.empty()) {
      const isa::Stream *signaller = signallers.lookup(event.semaphore);
      note.waits = llvm::formatv("{0} (s{1})", signaller ? isa::describe(*signaller) : "nothing",
                                 event.semaphore);
    }
    return place->second;
  }

private:
  std::vector<InstructionNote> &notes;
  const isa::Program &program;
  DenseMap<int64_t, const isa::Stream *> signallers;
  DenseMap<std::pair<unsigned, unsigned>, unsigned> known; ///< by stream and instruction
  DenseMap<std::pair<unsigned, unsigned>, std::string> touched;
};
} // namespace

static void addTimelines(ProgramProfile &profile, const isa::Program &program,
                         ArrayRef<Footprint> footprints, const sim::Result &statistics,
                         ArrayRef<unsigned> partOfSource) {
  // What a timeline of one dispatch may have is more than can be seen.
  constexpr size_t maxIntervals = 256;
  std::map<std::pair<unsigned, unsigned>, std::vector<BusyInterval>> intervals;
  InstructionNotes notes(profile.instructions, program, footprints);
  for (const sim::Event &event : statistics.events) {
    std::optional<unsigned> part = findPart(event, partOfSource, profile.parts.size());
    if (!part)
      continue;
    std::vector<BusyInterval> &timeline = intervals[{*part, event.stream}];
    int64_t length = event.end - event.start;
    unsigned note = notes.add(event);
    if (timeline.empty() || timeline.back().end < event.start) {
      timeline.push_back({event.start, event.end, length, note, length});
    } else {
      BusyInterval &last = timeline.back();
      ++last.count;
      if (length > last.longest) {
        last.longest = length;
        last.instruction = note;
      }
      last.busy += std::max<int64_t>(event.end - last.end, 0);
      last.end = std::max(last.end, event.end);
    }
  }
  for (auto &[key, timeline] : intervals) {
    PartProfile &part = profile.parts[key.first];
    const isa::Stream &stream = program.streams[key.second];
    part.start = part.timelines.empty() ? timeline.front().start
                                        : std::min(part.start, timeline.front().start);
    part.end = std::max(part.end, timeline.back().end);
    joinIntervals(timeline, maxIntervals);
    part.timelines.push_back({stream.cluster, stream.engine, std::move(timeline)});
  }
}

/// What was written before the part that reads it has been in use since.
static void addHandedOn(std::vector<MemoryUse> &uses) {
  for (MemoryUse &use : uses) {
    if (use.isWritten)
      continue;
    int64_t written = -1;
    for (const MemoryUse &writer : uses)
      if (writer.isWritten && writer.cluster == use.cluster && writer.space == use.space &&
          writer.begin < use.end && use.begin < writer.end && writer.start < use.start)
        written = std::max(written, writer.stop);
    if (written >= 0)
      use.start = std::min(use.start, written);
  }
}

static bool contains(const MemoryUse &outer, const MemoryUse &inner) {
  return outer.cluster == inner.cluster && outer.space == inner.space && outer.part == inner.part &&
         outer.begin <= inner.begin && inner.end <= outer.end && outer.start <= inner.start &&
         inner.stop <= outer.stop;
}

static void addMemory(ProgramProfile &profile, const isa::Program &program,
                      ArrayRef<Footprint> footprints, const sim::Result &statistics,
                      ArrayRef<unsigned> partOfSource) {
  std::map<std::pair<unsigned, unsigned>, std::vector<const Footprint *>> byInstruction;
  for (const Footprint &footprint : footprints)
    byInstruction[{footprint.stream, footprint.instruction}].push_back(&footprint);

  // The same bytes are one use, whatever touches them.
  std::map<std::tuple<unsigned, int64_t, isa::MemorySpace, int64_t, int64_t>, MemoryUse> found;
  for (const sim::Event &event : statistics.events) {
    std::optional<unsigned> part = findPart(event, partOfSource, profile.parts.size());
    auto touched = byInstruction.find({event.stream, event.instruction});
    if (!part || touched == byInstruction.end())
      continue;
    StringRef mnemonic = isa::getMnemonic(program.streams[event.stream].code[event.instruction]);
    for (const Footprint *footprint : touched->second) {
      auto [place, isNew] = found.try_emplace(
          {*part, footprint->cluster, footprint->space, footprint->begin, footprint->end});
      MemoryUse &use = place->second;
      use.stop = std::max(use.stop, event.end);
      if (!isNew && use.start <= event.start)
        continue;
      use = {footprint->cluster,
             footprint->space,
             footprint->begin,
             footprint->end,
             event.start,
             use.stop,
             *part,
             (mnemonic + " " + footprint->operand).str(),
             footprint->writes,
             getPlace(program, event)};
    }
  }
  std::vector<MemoryUse> uses;
  for (auto &[key, use] : found)
    uses.push_back(std::move(use));
  addHandedOn(uses);
  // Uses are in order of their parts.
  for (auto first = uses.begin(); first != uses.end();) {
    auto end = std::find_if(first, uses.end(),
                            [&](const MemoryUse &use) { return use.part != first->part; });
    PartProfile &part = profile.parts[first->part];
    ArrayRef<MemoryUse> ofPart(&*first, end - first);
    part.sramPeak = getPeakBytes(ofPart, isa::MemorySpace::Sram);
    part.accPeak = getPeakBytes(ofPart, isa::MemorySpace::Acc);
    for (const MemoryUse &use : ofPart)
      if (none_of(ofPart, [&](const MemoryUse &other) {
            // Of two that are the same, the first stays.
            return &other != &use && contains(other, use) &&
                   (!contains(use, other) || &other < &use);
          }))
        profile.memory.push_back(use);
    first = end;
  }
  profile.sramPeak = getPeakBytes(profile.memory, isa::MemorySpace::Sram);
  profile.accPeak = getPeakBytes(profile.memory, isa::MemorySpace::Acc);
}

static std::vector<Stall> findStalls(const isa::Program &program,
                                     ArrayRef<sim::StreamStats> streams) {
  auto signallers = findSignallers(program);
  bool hasClusters =
      llvm::any_of(program.streams, [](const isa::Stream &s) { return s.cluster != 0; });
  std::map<std::pair<isa::EngineKind, std::string>, std::pair<int64_t, std::set<int64_t>>> found;
  for (const sim::StreamStats &stream : streams)
    for (auto [semaphore, cycles] : stream.waits) {
      const isa::Stream *signaller = signallers.lookup(semaphore);
      std::string name = !signaller    ? "nothing"
                         : hasClusters ? isa::describe(*signaller)
                                       : isa::toString(signaller->engine).str();
      auto &[sum, semaphores] = found[{stream.engine, name}];
      sum += cycles;
      semaphores.insert(semaphore);
    }
  std::vector<Stall> stalls;
  for (const auto &[key, value] : found)
    stalls.push_back({key.first, key.second, value.first,
                      std::vector<int64_t>(value.second.begin(), value.second.end())});
  llvm::sort(stalls, [](const Stall &a, const Stall &b) {
    return std::tuple(a.waiting, -a.cycles, a.signaller) <
           std::tuple(b.waiting, -b.cycles, b.signaller);
  });
  return stalls;
}

void RunProfile::addLaunch(const isa::Program &program, const sim::Result &statistics,
                           ArrayRef<unsigned> partOfSource, unsigned numParts) {
  auto [place, isNew] = known.try_emplace(&program, unsigned(programs.size()));
  launches.push_back({place->second, numRecords, now});
  numRecords += numParts;
  now += statistics.cycles;
  if (!isNew)
    return;
  ProgramProfile &profile = programs.emplace_back();
  profile.name = program.name;
  profile.cycles = statistics.cycles;
  profile.parts.resize(numParts);
  std::vector<Footprint> footprints = cantFail(collectFootprints(program)); // it has run
  addTimelines(profile, program, footprints, statistics, partOfSource);
  addMemory(profile, program, footprints, statistics, partOfSource);
  if (partOfSource.empty())
    profile.parts.front().stalls = findStalls(program, statistics.streams);
  else
    for (auto [part, result] : llvm::zip(profile.parts, statistics.parts))
      part.stalls = findStalls(program, result.streams);
}

void RunProfile::addSegment(const SegmentEvent &event) {
  addLaunch(event.program, event.statistics, event.dispatchOfSource, event.dispatches.size());
}

void RunProfile::addDispatch(const DispatchRecord &record, const isa::Program *program) {
  if (program)
    addLaunch(*program, record.statistics, {}, 1);
  else if (record.placement == Placement::Host)
    ++numRecords;
}

void RunProfile::limitIntervals(size_t limit) {
  // The longest timelines give first.
  std::vector<size_t> lengths;
  for (const ProgramProfile &program : programs)
    for (const PartProfile &part : program.parts)
      for (const EngineTimeline &timeline : part.timelines)
        lengths.push_back(timeline.intervals.size());
  llvm::sort(lengths);
  size_t bound = lengths.empty() ? 0 : lengths.back(), rest = limit;
  for (auto [number, length] : llvm::enumerate(lengths)) {
    size_t share = rest / (lengths.size() - number);
    if (length > share) {
      bound = share;
      break;
    }
    rest -= length;
  }
  for (ProgramProfile &program : programs)
    for (PartProfile &part : program.parts)
      for (EngineTimeline &timeline : part.timelines)
        joinIntervals(timeline.intervals, bound);
}

const PartProfile *RunProfile::find(size_t record) const {
  auto next = llvm::upper_bound(launches, record, [](size_t record, const Launch &launch) {
    return record < launch.firstRecord;
  });
  if (next == launches.begin())
    return nullptr;
  const Launch &launch = *std::prev(next);
  const std::vector<PartProfile> &parts = programs[launch.program].parts;
  size_t part = record - launch.firstRecord;
  return part < parts.size() ? &parts[part] : nullptr;
}
