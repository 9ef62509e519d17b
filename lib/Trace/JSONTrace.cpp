//===- JSONTrace.cpp - timelines as JSON of Chrome's trace viewer ---------===//

#include "TraceSink.h"

#include "NPU/Support/EscapeText.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
class JSONTrace : public TraceSink {
public:
  explicit JSONTrace(raw_ostream &os) : json(os) {
    json.objectBegin();
    json.attribute("displayTimeUnit", "ns");
    json.attributeObject("otherData", [&] { json.attribute("timeUnit", "1 us = 1 NPU cycle"); });
    json.attributeBegin("traceEvents");
    json.arrayBegin();
  }

  void addTrack(TraceTrack track, StringRef process, StringRef name) override {
    if (!named.insert(track).second)
      return;
    for (auto [event, text] : {std::pair("process_name", process), std::pair("thread_name", name)})
      json.object([&, event = event, text = text] {
        addHead(event, "", "M", track);
        json.attributeObject("args", [&] { json.attribute("name", escapeText(text)); });
      });
  }

  void addSlice(const TraceSlice &slice) override {
    json.object([&] {
      addHead(slice.name, slice.category, "X", slice.track);
      json.attribute("ts", slice.start);
      json.attribute("dur", slice.end - slice.start);
      json.attributeObject("args", [&] {
        for (const auto &[name, value] : slice.arguments)
          if (const int64_t *number = std::get_if<int64_t>(&value))
            json.attribute(name, *number);
          else
            json.attribute(name, escapeText(std::get<std::string>(value)));
      });
    });
  }

  void addMark(TraceTrack track, StringRef name, StringRef detail, int64_t time) override {
    json.object([&] {
      addHead(name, "host", "i", track);
      json.attribute("s", "t");
      json.attribute("ts", time);
      json.attributeObject("args", [&] { json.attribute("detail", escapeText(detail)); });
    });
  }

  void finish() override {
    json.arrayEnd();
    json.attributeEnd();
    json.objectEnd();
    json.flush();
  }

private:
  void addHead(StringRef name, StringRef category, StringRef kind, TraceTrack track) {
    json.attribute("name", escapeText(name));
    if (!category.empty())
      json.attribute("cat", category);
    json.attribute("ph", kind);
    json.attribute("pid", track.process);
    json.attribute("tid", track.number);
  }

  llvm::json::OStream json;
  std::set<TraceTrack> named;
};
} // namespace

std::unique_ptr<TraceSink> npu::runtime::createJSONTrace(raw_ostream &os) {
  return std::make_unique<JSONTrace>(os);
}
