//===- SegmentTimes.cpp - what segments take ------------------------------===//

#include "SegmentTimes.h"

#include "SegmentLauncher.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Simulator/Simulator.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;

/// Segments that take longer to time are left as they are.
static constexpr int64_t kMaxSteps = 10'000'000;

SegmentTimer::SegmentTimer(ArrayRef<SegmentOp> segments)
    : segments(segments),
      kernels(ModuleOp::create(UnknownLoc::get(segments.front()->getContext()))),
      symbols(*kernels) {}

LogicalResult SegmentTimer::addTileForms(ArrayRef<SegmentSchedule> schedules) {
  OwningOpRef<ModuleOp> batch = ModuleOp::create(kernels->getLoc());
  SymbolTable names(*batch);
  llvm::MapVector<Operation *, StringAttr> added;
  for (const SegmentSchedule &schedule : schedules)
    for (const KernelWindow &window : schedule.windows)
      if (Operation *kernel = window.kernel; !tileForms.contains(kernel) && !added.count(kernel)) {
        KernelOp copy = KernelOp(window.kernel).clone();
        copy.setPrivate();
        added[kernel] = names.insert(copy);
      }
  if (added.empty())
    return success();
  PassManager pm(kernels->getContext(), ModuleOp::getOperationName());
  pm.enableVerifier(false);
  populateLaunchedForm(pm);
  if (failed(pm.run(*batch)))
    return failure();
  SymbolTable tiled(*batch);
  for (auto [source, name] : added) {
    auto kernel = tiled.lookup<KernelOp>(name);
    kernel->remove();
    symbols.insert(kernel);
    tileForms[source] = kernel;
  }
  return success();
}

/// Times the program of each launcher, and notes it under its key in `known`.
LogicalResult
SegmentTimer::timePrograms(const SmallVectorImpl<std::pair<std::string, KernelOp>> &launchers) {
  OwningOpRef<ModuleOp> batch = ModuleOp::create(kernels->getLoc());
  SymbolTable inBatch(*batch);
  // Kernels keep their names, which launches have; launchers may get others, so they come last.
  for (const auto &[key, launcher] : launchers)
    KernelOp(launcher).walk([&](LaunchOp launch) {
      if (!inBatch.lookup(launch.getCallee()))
        inBatch.insert(symbols.lookup(launch.getCallee())->clone());
    });
  SmallVector<StringAttr> names;
  for (const auto &[key, launcher] : launchers)
    names.push_back(inBatch.insert(launcher));
  PassManager pm(kernels->getContext(), ModuleOp::getOperationName());
  pm.enableVerifier(false);
  pm.addPass(createNPULinkKernels());
  populateDraftFromTileForm(pm);
  if (failed(pm.run(*batch)))
    return failure();
  SymbolTable programs(*batch);
  for (auto [name, launcher] : llvm::zip_equal(names, launchers)) {
    sim::Options options;
    options.stepLimit = kMaxSteps;
    FailureOr<isa::Program> code =
        isa::toBorrowingProgram(programs.lookup<isa::ProgramOp>(name), &options.partOfSource);
    if (failed(code))
      return failure();
    llvm::Expected<sim::Result> result = sim::measure(*code, options);
    if (!result) {
      llvm::consumeError(result.takeError());
      return failure();
    }
    ProgramTimes &times = known[launcher.first];
    times.cycles = result->cycles;
    for (const sim::PartResult &part : result->parts)
      times.ends.push_back(part.end);
  }
  return success();
}

std::optional<SegmentTimes> SegmentTimer::measure(ArrayRef<SegmentSchedule> schedules) {
  if (failed(addTileForms(schedules)))
    return std::nullopt;
  SmallVector<std::string> keys; // by segment
  SmallVector<std::pair<std::string, KernelOp>> unknown;
  llvm::StringSet<> found;
  for (auto [segment, schedule] : llvm::zip_equal(segments, schedules)) {
    SegmentSchedule launched = schedule;
    for (KernelWindow &window : launched.windows)
      window.kernel = tileForms.lookup(window.kernel);
    OwningOpRef<KernelOp> launcher = createLauncher(segment, SegmentOutputs::Results, launched);
    keys.push_back(getLauncherKey(*launcher));
    if (!known.contains(keys.back()) && found.insert(keys.back()).second)
      unknown.push_back({keys.back(), launcher.release()});
  }
  if (!unknown.empty() && failed(timePrograms(unknown)))
    return std::nullopt;
  SegmentTimes times;
  for (auto [schedule, key] : llvm::zip_equal(schedules, keys)) {
    const ProgramTimes &program = known.find(key)->second;
    times.total += program.cycles;
    times.ofWindow.emplace_back();
    int64_t end = 0;
    size_t part = 0;
    for (const KernelWindow &window : schedule.windows) {
      int64_t begin = end;
      for (size_t last = part + window.dispatches.size(); part < last; ++part)
        if (part < program.ends.size())
          end = std::max(end, program.ends[part]);
      times.ofWindow.back().push_back(end - begin);
    }
  }
  return times;
}
