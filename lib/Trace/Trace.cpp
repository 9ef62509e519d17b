//===- Trace.cpp - a run as a timeline ------------------------------------===//

#include "NPU/Trace/Trace.h"

#include "NPU/Trace/Signallers.h"
#include "TraceCounters.h"
#include "TraceSink.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

// The host comes first, then the clusters, and the DRAM after all of them.
constexpr TraceTrack launchTrack{0, 0}, workTrack{0, 1}, dispatchTrack{0, 2}, dramTrack{1 << 20, 0};
static TraceTrack getTrack(const isa::Stream &stream) {
  return {stream.cluster + 1, int64_t(stream.engine)};
}
static TraceTrack getTrack(int64_t cluster, isa::MemorySpace space) {
  return {cluster + 1, int64_t(isa::EngineKind::Ctl) + 1 + int64_t(space)};
}
static std::string getClusterName(int64_t cluster) { return llvm::formatv("cluster {0}", cluster); }

bool npu::runtime::isPerfettoTrace(StringRef path) {
  return path.ends_with(".pftrace") || path.ends_with(".perfetto-trace");
}

/// What has been launched.
struct TraceWriter::Launch {
  const isa::Program &program;
  const sim::Result &statistics;
  /// The dispatch of every entry of the source table; none if the launch is one dispatch.
  SmallVector<unsigned> dispatchOfSource;

  /// `#3 `, where instructions of several dispatches are mixed.
  std::string getDispatch(const sim::Event &event) const {
    if (event.source == 0 || uint64_t(event.source) > dispatchOfSource.size())
      return "";
    return llvm::formatv("#{0} ", dispatchOfSource[event.source - 1]);
  }
  StringRef getSource(const sim::Event &event) const {
    if (event.source == 0 || uint64_t(event.source) > program.sources.size())
      return "";
    return program.sources[event.source - 1];
  }
};

TraceWriter::TraceWriter(raw_ostream &os, StringRef path)
    : sink(isPerfettoTrace(path) ? createPerfettoTrace(os) : createJSONTrace(os)) {
  sink->addTrack(launchTrack, "host", "dispatches");
  sink->addTrack(workTrack, "host", "host work");
}

TraceWriter::~TraceWriter() = default;

void TraceWriter::finish() { sink->finish(); }

void TraceWriter::addHostWork(StringRef name, StringRef detail) {
  sink->addMark(workTrack, name, detail, now);
}

/// The loops around every instruction of a stream that run more than once, by their depth.
static std::vector<SmallVector<unsigned, 4>> findTileLoops(const isa::Stream &stream) {
  std::vector<SmallVector<unsigned, 4>> result;
  SmallVector<unsigned, 4> loops;
  SmallVector<bool> isTile;
  for (const isa::Instruction &instruction : stream.code) {
    if (auto *loop = std::get_if<isa::Loop>(&instruction)) {
      isTile.push_back(loop->count.trips > 1);
      if (isTile.back())
        loops.push_back(isTile.size() - 1);
    } else if (std::holds_alternative<isa::EndLoop>(instruction)) {
      if (isTile.pop_back_val())
        loops.pop_back();
    }
    result.push_back(loops);
  }
  return result;
}

/// `Conv_3`, or of a place in a file the file's name and the line.
static StringRef shorten(StringRef source) {
  return source.contains(":") ? llvm::sys::path::filename(source) : source;
}

namespace {
/// Which instructions signalled for which.
struct Flows {
  std::vector<SmallVector<uint64_t, 2>> from, to; ///< by event
};
} // namespace

/// Finds, for every wait, the event whose signal made it hold. Flows are numbered from `first`.
static Flows findFlows(const isa::Program &program, ArrayRef<sim::Event> events, uint64_t first) {
  auto getSync = [&](const sim::Event &event) {
    return isa::getSync(program.streams[event.stream].code[event.instruction]);
  };
  // A semaphore is signalled by one stream, whose events end in their order.
  DenseMap<int64_t, std::vector<size_t>> signals;
  for (auto [number, event] : enumerate(events))
    for (int64_t semaphore : {getSync(event)->signal0, getSync(event)->signal1})
      if (semaphore != 0)
        signals[semaphore].push_back(number);
  Flows flows;
  flows.from.resize(events.size());
  flows.to.resize(events.size());
  for (auto [number, event] : enumerate(events)) {
    const isa::Sync &sync = *getSync(event);
    for (auto [semaphore, value] :
         {std::pair(sync.wait0, &sync.value0), std::pair(sync.wait1, &sync.value1)}) {
      if (semaphore == 0)
        continue;
      int64_t count = value->evaluate(event.counters);
      const std::vector<size_t> &signallers = signals[semaphore];
      if (count < 1 || uint64_t(count) > signallers.size())
        continue;
      flows.from[signallers[count - 1]].push_back(first);
      flows.to[number].push_back(first++);
    }
  }
  return flows;
}

void TraceWriter::addInstructions(const Launch &launch) {
  const isa::Program &program = launch.program;
  DenseMap<int64_t, const isa::Stream *> signallers = findSignallers(program);
  std::vector<std::vector<SmallVector<unsigned, 4>>> tileLoops;
  for (const isa::Stream &stream : program.streams) {
    sink->addTrack(getTrack(stream), getClusterName(stream.cluster), isa::toString(stream.engine));
    tileLoops.push_back(findTileLoops(stream));
  }
  ArrayRef<sim::Event> events = launch.statistics.events;
  Flows flows;
  if (sink->isDetailed()) {
    flows = findFlows(program, events, lastFlow + 1);
    for (ArrayRef<uint64_t> from : flows.from)
      lastFlow += from.size();
  }

  // On a track, slices do not overlap: an instruction that starts early is drawn behind.
  std::vector<int64_t> ends(program.streams.size());
  for (auto [number, event] : enumerate(events)) {
    int64_t begin = std::max(event.start, ends[event.stream]);
    const isa::Stream &stream = program.streams[event.stream];
    if (event.semaphore != 0) {
      const isa::Stream *signaller = signallers.lookup(event.semaphore);
      std::string reason = llvm::formatv("semaphore {0}, signalled by {1}", event.semaphore,
                                         signaller ? isa::describe(*signaller) : "nothing");
      sink->addSlice({getTrack(stream),
                      llvm::formatv("wait s{0}", event.semaphore),
                      "stall",
                      now + std::max(event.issue, ends[event.stream]),
                      now + begin,
                      {{"reason", reason}}});
    }
    StringRef mnemonic = isa::getMnemonic(stream.code[event.instruction]);
    StringRef source = launch.getSource(event);
    std::string name = launch.getDispatch(event) + mnemonic.str();
    if (!source.empty())
      name += formatv(" {0}", shorten(source));
    ArrayRef<unsigned> loops = tileLoops[event.stream][event.instruction];
    std::string tile;
    for (unsigned loop : loops)
      tile += (tile.empty() ? "" : ",") + std::to_string(event.counters[loop]);
    TraceArguments arguments = {{"instruction", int64_t(event.instruction)}};
    if (!tile.empty()) {
      name += " tile " + tile;
      arguments.push_back({"tile", tile});
    }
    if (!source.empty())
      arguments.push_back({"source", source.str()});
    if (event.dramBytes != 0)
      arguments.push_back({"DRAM bytes", event.dramBytes});
    if (event.contention != 0)
      arguments.push_back({"slowed down by other DMA, cycles", event.contention});
    TraceSlice slice{
        getTrack(stream),    name, isa::toString(stream.engine), now + begin, now + event.end,
        std::move(arguments)};
    if (sink->isDetailed()) {
      slice.flowsFrom = flows.from[number];
      slice.flowsTo = flows.to[number];
    }
    sink->addSlice(slice);
    ends[event.stream] = event.end;
  }
}

void TraceWriter::addCounters(const Launch &launch) {
  ArrayRef<sim::Event> events = launch.statistics.events;
  for (const auto &[memory, values] : countMemoryUse(launch.program, events)) {
    auto [cluster, space] = memory;
    TraceTrack track = getTrack(cluster, space);
    sink->addCounterTrack(track, getClusterName(cluster),
                          formatv("{0} in use", isa::toString(space)).str(), "bytes");
    for (auto [time, value] : values)
      sink->addCounter(track, now + time, value);
  }
  sink->addCounterTrack(dramTrack, "DRAM", "DRAM traffic", "bytes/cycle");
  for (auto [time, value] : countDramTraffic(events))
    sink->addCounter(dramTrack, now + time, value / 1000.0);
}

void TraceWriter::add(StringRef name, const Launch &launch) {
  int64_t cycles = launch.statistics.cycles;
  sink->addSlice({launchTrack,
                  name.str(),
                  "dispatch",
                  now,
                  now + cycles,
                  {{"kernel", launch.program.name}, {"cycles", cycles}}});
  addInstructions(launch);
  if (sink->isDetailed())
    addCounters(launch);
  now += cycles;
}

void TraceWriter::addLaunch(StringRef name, const isa::Program &program,
                            const sim::Result &statistics) {
  add(name, {program, statistics, {}});
}

/// The time by which each dispatch of a segment came to an end later than all before it.
void TraceWriter::addDispatches(const SegmentEvent &segment) {
  sink->addTrack(dispatchTrack, "host", "dispatches of segments");
  int64_t end = 0;
  for (auto [dispatch, part] : zip(segment.dispatches, segment.statistics.parts)) {
    int64_t begin = end;
    end = std::max(end, part.end);
    sink->addSlice({dispatchTrack,
                    llvm::formatv("#{0}", dispatch),
                    "dispatch",
                    now + begin,
                    now + end,
                    {{"cycles", end - begin}}});
  }
}

void TraceWriter::addSegment(const SegmentEvent &segment) {
  addDispatches(segment);
  Launch launch{segment.program, segment.statistics, {}};
  for (unsigned position : segment.dispatchOfSource)
    launch.dispatchOfSource.push_back(segment.dispatches[position]);
  add(llvm::formatv("segment of dispatches #{0} to #{1}", segment.dispatches.front(),
                    segment.dispatches.back())
          .str(),
      launch);
}
