//===- SegmentTimes.cpp - what segments take ------------------------------===//

#include "SegmentTimes.h"

#include "SegmentPrograms.h"

#include "NPU/Simulator/Simulator.h"

using namespace mlir;
using namespace npu;

/// Segments that take longer to time are left as they are.
static constexpr int64_t kMaxSteps = 10'000'000;

std::optional<SegmentTimes> npu::measureSegments(ArrayRef<SegmentOp> segments,
                                                 ArrayRef<SegmentSchedule> schedules) {
  FailureOr<SegmentPrograms> built =
      buildSegmentPrograms(segments, SegmentOutputs::Results, schedules, /*isDraft=*/true);
  if (failed(built))
    return std::nullopt;
  std::vector<sim::Result> results;
  for (const std::unique_ptr<CompiledProgram> &program : built->programs) {
    sim::Options options;
    options.stepLimit = kMaxSteps;
    options.partOfSource = program->dispatchOfSource;
    llvm::Expected<sim::Result> result = sim::measure(program->code, options);
    if (!result) {
      llvm::consumeError(result.takeError());
      return std::nullopt;
    }
    results.push_back(std::move(*result));
  }
  SegmentTimes times;
  for (auto [schedule, program] : llvm::zip_equal(schedules, built->programOfSegment)) {
    const sim::Result &result = results[program];
    times.total += result.cycles;
    times.ofWindow.emplace_back();
    int64_t end = 0;
    size_t part = 0;
    for (const KernelWindow &window : schedule.windows) {
      int64_t begin = end;
      for (size_t last = part + window.dispatches.size(); part < last; ++part)
        if (part < result.parts.size())
          end = std::max(end, result.parts[part].end);
      times.ofWindow.back().push_back(end - begin);
    }
  }
  return times;
}
