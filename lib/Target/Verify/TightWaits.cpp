//===- TightWaits.cpp - waits that are longer than they must be -----------===//
//
// A wait is longer than it must be if the program is as safe with a lower value. Nothing depends on
// the value before the stream first comes to the wait. So a copy of the machine that runs the
// program goes on from there with the lower value. The race that the wait is against is seldom far,
// and ends the copy soon.
//
// Many waits are not needed at all, for others imply them, and a copy without such a wait would run
// to the end of the program. So a copy stops after as many instances as nearly all races need to
// show, and the wait is dropped on trial. One run to the end proves a batch of trials. If that run
// fails, bisection finds the first trial that makes it fail: its wait is needed, what was decided
// behind it is decided again, and trials are longer from then on. The waits dropped are the same as
// with a run to the end for each of them.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace npu;
using namespace npu::verify;

/// Trials that one run to the end proves. Each keeps a copy of the machine.
static constexpr size_t maxTrials = 8;
/// Instances that the first trials run: 99 % of races in ResNet-50 on four clusters are nearer,
/// half of them within 7 instances.
static constexpr int64_t firstTrialInstances = 1024;

static isa::Affine &getValue(isa::Program &program, const SlackWait &wait) {
  isa::Sync &sync = *isa::getSync(program.streams[wait.stream].code[wait.instruction]);
  return wait.slot ? sync.value1 : sync.value0;
}

namespace {
/// Lowers the waits of the streams that a machine runs.
class WaitLowering {
public:
  WaitLowering(isa::Program &program, Machine start)
      : program(program), machine(std::make_unique<Machine>(std::move(start))) {}

  /// The waits that were lowered. Fails when the streams are not safe.
  Expected<std::vector<SlackWait>> run();

private:
  using Place = std::pair<unsigned, unsigned>; ///< number of a site, slot

  struct Decision {
    Place place;
    SlackWait wait;
    isa::Affine before;              ///< value of the wait before it was lowered
    std::unique_ptr<Machine> resume; ///< of a trial: the machine that comes to the wait next
  };

  void decide(Place place);
  void narrow(Decision &decision, const Machine &from);
  bool isSafe(const Machine &from, int64_t maxInstances = INT64_MAX);
  bool isSafeWith(const Decision &decision, const Machine &from, const isa::Affine &value,
                  int64_t maxInstances = INT64_MAX);
  bool isSafeWithout(size_t trial);
  void undo(size_t first);
  void goBack();
  void settle();

  isa::Program &program;
  std::unique_ptr<Machine> machine;
  std::vector<Decision> decisions;
  DenseSet<Place> known;
  std::vector<size_t> trials; ///< decisions that are not proven, by rising number
  int64_t trialInstances = firstTrialInstances;
};
} // namespace

Expected<std::vector<SlackWait>> WaitLowering::run() {
  for (;;) {
    machine->beforeWait = [this](const Step &step) {
      for (unsigned slot = 0; slot < 2 && trials.size() < maxTrials; ++slot)
        if (step.semaphores[slot] != none && known.insert({step.site, slot}).second)
          decide({step.site, slot});
      if (trials.size() == maxTrials)
        machine->pause();
    };
    if (Error error = machine->run()) {
      if (trials.empty())
        return std::move(error);
      consumeError(std::move(error));
      goBack();
    } else if (trials.size() < maxTrials) {
      break;
    } else if (isSafe(*machine)) {
      settle();
    } else {
      goBack();
    }
  }
  std::vector<SlackWait> lowered;
  for (const Decision &decision : decisions)
    if (!decision.wait.isNeeded || decision.wait.signals > 0)
      lowered.push_back(decision.wait);
  return lowered;
}

/// Whether the rest of the run is safe, as far as it is looked at.
bool WaitLowering::isSafe(const Machine &from, int64_t maxInstances) {
  Machine rest = from;
  rest.beforeWait = nullptr;
  return !errorToBool(rest.run(maxInstances));
}

/// The same when the wait asks for this value, which stays.
bool WaitLowering::isSafeWith(const Decision &decision, const Machine &from,
                              const isa::Affine &value, int64_t maxInstances) {
  const SlackWait &wait = decision.wait;
  getValue(program, wait) = value;
  return !errorToBool(isa::checkInstruction(program.streams[wait.stream].code[wait.instruction])) &&
         isSafe(from, maxInstances);
}

void WaitLowering::decide(Place place) {
  const Site &site = machine->model.sites[place.first];
  unsigned slot = place.second;
  SlackWait wait{site.stream,   site.index,        slot, slot ? site.sync->wait1 : site.sync->wait0,
                 /*signals=*/0, /*isNeeded=*/false};
  Decision decision{place, wait, getValue(program, wait), nullptr};
  int64_t most = int64_t(std::min<Wide>(getMax(decision.before, site.trips), int64_t(1) << 40));
  decision.wait.signals = std::max<int64_t>(most, 0);
  if (most <= 0) {
    getValue(program, wait) = isa::Affine();
  } else if (isSafeWith(decision, *machine, isa::Affine(), trialInstances)) {
    decision.resume = std::make_unique<Machine>(*machine);
    trials.push_back(decisions.size());
  } else {
    narrow(decision, *machine);
  }
  decisions.push_back(std::move(decision));
}

/// Lowers a wait that is needed by as many signals as possible.
void WaitLowering::narrow(Decision &decision, const Machine &from) {
  auto lessBy = [&](int64_t signals) {
    isa::Affine value = decision.before;
    value.base -= signals;
    return value;
  };
  int64_t safe = 0, unsafe = decision.wait.signals;
  for (int64_t less = 1; safe + 1 < unsafe; less = (safe + unsafe) / 2)
    (isSafeWith(decision, from, lessBy(less)) ? safe : unsafe) = less;
  decision.wait.signals = safe;
  decision.wait.isNeeded = true;
  getValue(program, decision.wait) = lessBy(safe);
}

/// Gives the waits of the decisions from `first` on the values that they had.
void WaitLowering::undo(size_t first) {
  for (const Decision &decision : llvm::drop_begin(decisions, first))
    getValue(program, decision.wait) = decision.before;
}

/// Whether the program is safe with the trials before this one. Undoes what was decided from it on.
bool WaitLowering::isSafeWithout(size_t trial) {
  SmallVector<isa::Affine> values;
  for (const Decision &decision : decisions)
    values.push_back(getValue(program, decision.wait));
  undo(trials[trial]);
  bool result = isSafe(*decisions[trials[trial]].resume);
  for (auto [decision, value] : llvm::zip_equal(decisions, values))
    getValue(program, decision.wait) = value;
  return result;
}

/// Finds the first trial that makes the program unsafe, takes it back, and goes on from there.
void WaitLowering::goBack() {
  trialInstances *= 2;
  // Safe without any trial, unsafe with all of them.
  size_t safe = 0, unsafe = trials.size();
  while (safe + 1 < unsafe) {
    size_t middle = (safe + unsafe) / 2;
    (isSafeWithout(middle) ? safe : unsafe) = middle;
  }
  size_t first = trials[safe];
  undo(first);
  machine = std::move(decisions[first].resume);
  Decision culprit = std::move(decisions[first]);
  for (const Decision &decision : llvm::drop_begin(decisions, first + 1))
    known.erase(decision.place);
  decisions.resize(first);
  trials.resize(safe);
  narrow(culprit, *machine);
  decisions.push_back(std::move(culprit));
}

/// The trials are proven.
void WaitLowering::settle() {
  for (size_t trial : trials)
    decisions[trial].resume.reset();
  trials.clear();
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
    Expected<std::vector<SlackWait>> ofGroup = WaitLowering(lowered, std::move(machine)).run();
    if (!ofGroup)
      return ofGroup.takeError();
    llvm::append_range(waits, *ofGroup);
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
