//===- Progress.cpp - how far a long run has come -------------------------===//

#include "NPU/Execution/Progress.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu::runtime;
using std::chrono::milliseconds;

/// Short work shows nothing.
constexpr milliseconds delay(1000);
constexpr milliseconds interval(200);

static milliseconds readClock() {
  return std::chrono::duration_cast<milliseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

Progress::Progress(llvm::raw_ostream &os, Clock clock)
    : os(os), clock(clock ? std::move(clock) : readClock), start(this->clock()), phaseStart(start) {
}

void Progress::show(llvm::StringRef text) {
  os << "\r" << escapeText(text) << "\033[K";
  os.flush();
  isVisible = true;
}

void Progress::clear() {
  if (!isVisible)
    return;
  os << "\r\033[K";
  os.flush();
  isVisible = false;
}

void Progress::beginPhase(llvm::StringRef phase) {
  what = phase.str();
  total = finished = 0;
  phaseStart = clock();
  show(what);
}

void Progress::begin(llvm::StringRef phase, int64_t units) {
  what = phase.str();
  total = units;
  finished = 0;
  phaseStart = clock();
}

static std::string describeTime(milliseconds time) {
  int64_t seconds = (time.count() + 999) / 1000;
  if (seconds < 120)
    return llvm::formatv("{0} s", seconds);
  if (seconds < 120 * 60)
    return llvm::formatv("{0} min", (seconds + 59) / 60);
  return llvm::formatv("{0} h", (seconds + 3599) / 3600);
}

void Progress::advance(int64_t units) {
  milliseconds now = clock();
  if (now - start < delay || now - shown < interval)
    return;
  shown = now;
  int64_t done = finished + units;
  // What runs more often than was known has no end in sight.
  if (done <= 0 || done > total)
    return show(llvm::formatv("{0}, {1} so far", what, describeTime(now - phaseStart)).str());
  double share = double(done) / total;
  milliseconds passed = now - phaseStart;
  milliseconds left(int64_t(passed.count() * (1 - share) / share));
  show(llvm::formatv("{0}: {1} %, about {2} left", what, int64_t(100 * share), describeTime(left))
           .str());
}

void Progress::finishPart(int64_t units) { finished += units; }
