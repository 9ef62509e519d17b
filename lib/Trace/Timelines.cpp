//===- Timelines.cpp - the timelines of a run -----------------------------===//

#include "NPU/Trace/Timelines.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

void Timelines::open(raw_ostream &os, StringRef path, size_t room) {
  timelines.push_back({std::make_unique<TraceWriter>(os, path), room});
}

void Timelines::add(const sim::Result &statistics, function_ref<void(TraceWriter &)> add) {
  for (Timeline &timeline : timelines) {
    if (statistics.events.size() <= timeline.room) {
      timeline.room -= statistics.events.size();
      add(*timeline.writer);
      continue;
    }
    if (timeline.room != 0)
      timeline.writer->addHostWork("the timeline ends here", "--trace=file.pftrace has all of it");
    timeline.room = 0;
  }
}

void Timelines::add(const SegmentEvent &event) {
  add(event.statistics, [&](TraceWriter &writer) { writer.addSegment(event); });
}

void Timelines::add(const DispatchRecord &record, const isa::Program *program) {
  std::string name = llvm::formatv("#{0} {1}", record.index, record.description);
  if (program)
    add(record.statistics,
        [&](TraceWriter &writer) { writer.addLaunch(name, *program, record.statistics); });
  else if (record.placement == Placement::Host)
    addHostWork(name, llvm::join(record.reasons, "; "));
}

void Timelines::addHostWork(StringRef name, StringRef detail) {
  for (Timeline &timeline : timelines)
    if (timeline.room != 0) {
      --timeline.room;
      timeline.writer->addHostWork(name, detail);
    }
}

void Timelines::addLaunch(const isa::Program &program, const sim::Result &statistics) {
  add(statistics,
      [&](TraceWriter &writer) { writer.addLaunch(program.name, program, statistics); });
}

void Timelines::finish() {
  for (Timeline &timeline : timelines)
    timeline.writer->finish();
}
