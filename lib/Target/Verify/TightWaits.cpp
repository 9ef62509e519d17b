//===- TightWaits.cpp - waits that are longer than they must be -----------===//
//
// A wait is longer than it must be if the program is as safe with a lower value. Nothing depends on
// the value before the stream first comes to the wait. So a copy of the machine that runs the
// program goes on from there with the lower value. The race that the wait is against is seldom far,
// and ends the copy soon.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace npu;
using namespace npu::verify;

static isa::Affine &getValue(isa::Program &program, const SlackWait &wait) {
  isa::Sync &sync = *isa::getSync(program.streams[wait.stream].code[wait.instruction]);
  return wait.slot ? sync.value1 : sync.value0;
}

namespace {
/// Lowers the waits of the streams that a machine runs.
class WaitLowering {
public:
  WaitLowering(isa::Program &program, Machine &machine, std::vector<SlackWait> &lowered)
      : program(program), machine(machine), lowered(lowered) {}

  /// Fails when the streams are not safe.
  Error run();

private:
  void lower(const Site &site, unsigned slot);
  bool isSafe(const SlackWait &wait, const isa::Affine &value);

  isa::Program &program;
  Machine &machine;
  std::vector<SlackWait> &lowered;
  DenseSet<const Step *> known;
};
} // namespace

Error WaitLowering::run() {
  machine.beforeWait = [this](const Step &step) {
    if (known.insert(&step).second)
      for (unsigned slot = 0; slot < 2; ++slot)
        if (step.semaphores[slot] != none)
          lower(machine.model.sites[step.site], slot);
  };
  return machine.run();
}

/// Whether the rest of the run is safe when the wait asks for this value.
bool WaitLowering::isSafe(const SlackWait &wait, const isa::Affine &value) {
  getValue(program, wait) = value;
  if (errorToBool(isa::checkInstruction(program.streams[wait.stream].code[wait.instruction])))
    return false;
  Machine rest = machine;
  rest.beforeWait = nullptr;
  return !errorToBool(rest.run());
}

void WaitLowering::lower(const Site &site, unsigned slot) {
  SlackWait wait{site.stream,   site.index,       slot, slot ? site.sync->wait1 : site.sync->wait0,
                 /*signals=*/0, /*isNeeded=*/true};
  isa::Affine before = getValue(program, wait);
  auto lessBy = [&](int64_t signals) {
    isa::Affine value = before;
    value.base -= signals;
    return value;
  };
  // Most waits that are too long are not needed at all, for others imply them.
  int64_t most = int64_t(std::min<Wide>(getMax(before, site.trips), int64_t(1) << 40));
  if (most <= 0 || isSafe(wait, isa::Affine())) {
    wait.signals = std::max<int64_t>(most, 0);
    wait.isNeeded = false;
    getValue(program, wait) = isa::Affine();
  } else {
    int64_t unsafe = most;
    for (int64_t less = 1; wait.signals + 1 < unsafe; less = (wait.signals + unsafe) / 2)
      (isSafe(wait, lessBy(less)) ? wait.signals : unsafe) = less;
    getValue(program, wait) = lessBy(wait.signals);
    if (wait.signals == 0)
      return;
  }
  lowered.push_back(wait);
}

/// Removes a wait from its instruction, whose second one then is its first.
static void drop(isa::Program &program, const SlackWait &wait) {
  isa::Sync &sync = *isa::getSync(program.streams[wait.stream].code[wait.instruction]);
  if (wait.slot == 0) {
    sync.wait0 = sync.wait1;
    sync.value0 = sync.value1;
  }
  sync.wait1 = 0;
  sync.value1 = isa::Affine();
}

Expected<std::vector<SlackWait>> npu::tightenWaits(isa::Program &program) {
  isa::Program lowered = program;
  Expected<Model> model = Model::build(lowered);
  if (!model)
    return model.takeError();
  Conflicts conflicts = Conflicts::find(*model);
  Expected<std::vector<SmallVector<unsigned>>> groups = groupStreams(*model, conflicts);
  if (!groups)
    return groups.takeError();
  VerifyStats stats;
  VerifyOptions options;
  options.describesRaces = false;
  std::vector<SlackWait> waits;
  for (ArrayRef<unsigned> streams : *groups) {
    Machine machine(*model, conflicts, streams, options, stats, Machine::Mode::CheckRaces);
    if (Error error = WaitLowering(lowered, machine, waits).run())
      return std::move(error);
  }
  llvm::sort(waits, [](const SlackWait &a, const SlackWait &b) {
    return std::tie(a.stream, a.instruction, a.slot) < std::tie(b.stream, b.instruction, b.slot);
  });
  for (const SlackWait &wait : llvm::reverse(waits))
    if (!wait.isNeeded)
      drop(lowered, wait);
  program = std::move(lowered);
  return waits;
}

Error npu::verifyTightWaits(const isa::Program &program) {
  isa::Program tight = program;
  Expected<std::vector<SlackWait>> waits = tightenWaits(tight);
  if (!waits)
    return waits.takeError();
  if (waits->empty())
    return Error::success();
  Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  const SlackWait &wait = waits->front();
  const Site &site = *llvm::find_if(model->sites, [&](const Site &each) {
    return each.stream == wait.stream && each.index == wait.instruction;
  });
  if (!wait.isNeeded)
    return makeError(site, "slack",
                     "{0} waits for semaphore {1}, which no access needs; drop the wait",
                     model->describe(site), wait.semaphore);
  return makeError(
      site, "slack",
      "{0} waits for {1} of semaphore {2} more than any access needs; lower the value by {3}",
      model->describe(site),
      wait.signals == 1 ? "one signal" : formatv("{0} signals", wait.signals).str(), wait.semaphore,
      wait.signals);
}
