//===- PerfettoTrace.cpp - timelines as Perfetto's TrackEvents ------------===//

#include "TraceSink.h"

#include "NPU/Support/EscapeText.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <set>

#include "perfetto_trace.pb.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using namespace perfetto::protos;

namespace {
class PerfettoTrace : public TraceSink {
public:
  explicit PerfettoTrace(raw_ostream &os) : os(os) {
    TracePacket packet;
    packet.set_sequence_flags(TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
    write(packet);
  }

  void addTrack(TraceTrack track, StringRef process, StringRef name) override {
    if (!tracks.insert(track).second)
      return;
    TracePacket packet = makeTrack(track, process, name);
    ThreadDescriptor *thread = packet.mutable_track_descriptor()->mutable_thread();
    thread->set_pid(getPid(track.process));
    thread->set_tid(int32_t(getUuid(track)));
    thread->set_thread_name(escapeText(name));
    write(packet);
  }

  void addCounterTrack(TraceTrack track, StringRef process, StringRef name,
                       StringRef unit) override {
    if (!tracks.insert(track).second)
      return;
    TracePacket packet = makeTrack(track, process, name);
    packet.mutable_track_descriptor()->mutable_counter()->set_unit_name(unit.str());
    write(packet);
  }

  void addSlice(const TraceSlice &slice) override {
    TracePacket begin = makeEvent(slice.track, TrackEvent::TYPE_SLICE_BEGIN, slice.start);
    TrackEvent *event = begin.mutable_track_event();
    event->set_name(escapeText(slice.name));
    event->add_categories(slice.category.str());
    for (const auto &[name, value] : slice.arguments) {
      DebugAnnotation *annotation = event->add_debug_annotations();
      annotation->set_name(name.str());
      if (const int64_t *number = std::get_if<int64_t>(&value))
        annotation->set_int_value(*number);
      else
        annotation->set_string_value(escapeText(std::get<std::string>(value)));
    }
    for (uint64_t flow : slice.flowsFrom)
      event->add_flow_ids(flow);
    for (uint64_t flow : slice.flowsTo)
      event->add_terminating_flow_ids(flow);
    write(begin);
    TracePacket end = makeEvent(slice.track, TrackEvent::TYPE_SLICE_END, slice.end);
    write(end);
  }

  void addMark(TraceTrack track, StringRef name, StringRef detail, int64_t time) override {
    TracePacket packet = makeEvent(track, TrackEvent::TYPE_INSTANT, time);
    TrackEvent *event = packet.mutable_track_event();
    event->set_name(escapeText(name));
    event->add_categories("host");
    DebugAnnotation *annotation = event->add_debug_annotations();
    annotation->set_name("detail");
    annotation->set_string_value(escapeText(detail));
    write(packet);
  }

  bool isDetailed() const override { return true; }

  void addCounter(TraceTrack track, int64_t time, double value) override {
    TracePacket packet = makeEvent(track, TrackEvent::TYPE_COUNTER, time);
    packet.mutable_track_event()->set_double_counter_value(value);
    write(packet);
  }

private:
  // 0 is the kernel's. Perfetto knows threads by their number alone.
  static int32_t getPid(int64_t process) { return int32_t(process + 1); }
  static uint64_t getProcessUuid(int64_t process) { return uint64_t(getPid(process)) << 8; }
  static uint64_t getUuid(TraceTrack track) {
    return getProcessUuid(track.process) + uint64_t(track.number) + 1;
  }

  TracePacket makeTrack(TraceTrack track, StringRef process, StringRef name) {
    if (processes.insert(track.process).second) {
      TracePacket packet;
      TrackDescriptor *descriptor = packet.mutable_track_descriptor();
      descriptor->set_uuid(getProcessUuid(track.process));
      descriptor->mutable_process()->set_pid(getPid(track.process));
      descriptor->mutable_process()->set_process_name(escapeText(process));
      write(packet);
    }
    TracePacket packet;
    TrackDescriptor *descriptor = packet.mutable_track_descriptor();
    descriptor->set_uuid(getUuid(track));
    descriptor->set_parent_uuid(getProcessUuid(track.process));
    descriptor->set_name(escapeText(name));
    return packet;
  }

  static TracePacket makeEvent(TraceTrack track, TrackEvent::Type type, int64_t time) {
    constexpr int64_t nanosecondsPerCycle = 1000;
    TracePacket packet;
    packet.set_timestamp(uint64_t(time * nanosecondsPerCycle));
    packet.mutable_track_event()->set_type(type);
    packet.mutable_track_event()->set_track_uuid(getUuid(track));
    return packet;
  }

  /// Messages one after the other are one: a trace is written packet by packet.
  void write(TracePacket &packet) {
    packet.set_trusted_packet_sequence_id(1);
    perfetto::protos::Trace trace;
    *trace.add_packet() = std::move(packet);
    os << trace.SerializeAsString();
  }

  raw_ostream &os;
  std::set<int64_t> processes;
  std::set<TraceTrack> tracks;
};
} // namespace

std::unique_ptr<TraceSink> npu::runtime::createPerfettoTrace(raw_ostream &os) {
  return std::make_unique<PerfettoTrace>(os);
}
