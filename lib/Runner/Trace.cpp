//===- Trace.cpp - a run as a timeline ------------------------------------===//

#include "NPU/Runner/Trace.h"

#include "Signallers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

/// The host comes first, then the clusters.
constexpr int64_t hostProcess = 0, dispatchTrack = 0, workTrack = 1;
static int64_t getProcess(int64_t cluster) { return cluster + 1; }

TraceWriter::TraceWriter(raw_ostream &os) : json(os) {
  json.objectBegin();
  json.attribute("displayTimeUnit", "ns");
  json.attributeObject("otherData", [&] { json.attribute("timeUnit", "1 us = 1 NPU cycle"); });
  json.attributeBegin("traceEvents");
  json.arrayBegin();
  nameTrack(hostProcess, "host", dispatchTrack, "dispatches");
  nameTrack(hostProcess, "host", workTrack, "host work");
}

void TraceWriter::finish() {
  json.arrayEnd();
  json.attributeEnd();
  json.objectEnd();
  json.flush();
}

void TraceWriter::nameTrack(int64_t process, StringRef processName, int64_t track,
                            StringRef trackName) {
  if (!namedTracks.insert({process, track}).second)
    return;
  for (auto [event, name] :
       {std::pair("process_name", processName), std::pair("thread_name", trackName)})
    json.object([&, event = event, name = name] {
      json.attribute("name", event);
      json.attribute("ph", "M");
      json.attribute("pid", process);
      json.attribute("tid", track);
      json.attributeObject("args", [&] { json.attribute("name", json::fixUTF8(name)); });
    });
}

void TraceWriter::addSlice(int64_t process, int64_t track, StringRef name, StringRef category,
                           int64_t start, int64_t end,
                           function_ref<void(json::OStream &)> addArguments) {
  json.object([&] {
    json.attribute("name", json::fixUTF8(name));
    json.attribute("cat", category);
    json.attribute("ph", "X");
    json.attribute("pid", process);
    json.attribute("tid", track);
    json.attribute("ts", now + start);
    json.attribute("dur", end - start);
    json.attributeObject("args", [&] { addArguments(json); });
  });
}

void TraceWriter::addHostWork(StringRef name, StringRef detail) {
  json.object([&] {
    json.attribute("name", json::fixUTF8(name));
    json.attribute("cat", "host");
    json.attribute("ph", "i");
    json.attribute("s", "t");
    json.attribute("pid", hostProcess);
    json.attribute("tid", workTrack);
    json.attribute("ts", now);
    json.attributeObject("args", [&] { json.attribute("detail", json::fixUTF8(detail)); });
  });
}

void TraceWriter::addLaunch(StringRef name, const isa::Program &program,
                            const sim::Result &statistics) {
  addSlice(hostProcess, dispatchTrack, name, "dispatch", 0, statistics.cycles,
           [&](json::OStream &args) {
             args.attribute("kernel", json::fixUTF8(program.name));
             args.attribute("cycles", statistics.cycles);
           });

  for (const isa::Stream &stream : program.streams)
    nameTrack(getProcess(stream.cluster), formatv("cluster {0}", stream.cluster).str(),
              int64_t(stream.engine), isa::toString(stream.engine));
  DenseMap<int64_t, const isa::Stream *> signallers = findSignallers(program);

  // On a track, slices do not overlap: an instruction that starts early is drawn behind.
  std::vector<int64_t> ends(program.streams.size());
  for (const sim::Event &event : statistics.events) {
    int64_t begin = std::max(event.start, ends[event.stream]);
    const isa::Stream &stream = program.streams[event.stream];
    int64_t process = getProcess(stream.cluster), track = int64_t(stream.engine);
    if (event.semaphore != 0) {
      const isa::Stream *signaller = signallers.lookup(event.semaphore);
      std::string reason = formatv("semaphore {0}, signalled by {1}", event.semaphore,
                                   signaller ? isa::describe(*signaller) : "nothing");
      addSlice(process, track, formatv("wait s{0}", event.semaphore).str(), "stall",
               std::max(event.issue, ends[event.stream]), begin,
               [&](json::OStream &args) { args.attribute("reason", reason); });
    }
    StringRef mnemonic = isa::getMnemonic(stream.code[event.instruction]);
    addSlice(process, track, mnemonic, isa::toString(stream.engine), begin, event.end,
             [&](json::OStream &args) {
               args.attribute("instruction", int64_t(event.instruction));
               if (event.source > 0 && uint64_t(event.source) <= program.sources.size())
                 args.attribute("source", json::fixUTF8(program.sources[event.source - 1]));
               if (event.contention != 0)
                 args.attribute("slowed down by other DMA, cycles", event.contention);
             });
    ends[event.stream] = event.end;
  }
  now += statistics.cycles;
}
