//===- Synchronization.cpp - signallers, deadlocks, races -----------------===//

#include "Machine.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace npu;
using namespace npu::isa;
using namespace npu::verify;

/// Joins what a semaphore connects; fails when two streams signal one.
static Error connectSemaphores(const Model &model, IntEqClasses &classes) {
  DenseMap<int64_t, const Site *> signallers;
  DenseMap<int64_t, unsigned> users;
  for (const Site &site : model.sites) {
    if (!site.sync)
      continue;
    for (int64_t number : {site.sync->signal0, site.sync->signal1}) {
      if (!number)
        continue;
      const Site *first = signallers.try_emplace(number, &site).first->second;
      if (first->stream != site.stream)
        return makeError(site, "semaphore",
                         "{0} signals semaphore {1}, which {2} signals as well; one stream may "
                         "signal a semaphore",
                         model.describe(site), number, model.describe(*first));
    }
    for (int64_t number :
         {site.sync->wait0, site.sync->wait1, site.sync->signal0, site.sync->signal1})
      if (number)
        classes.join(users.try_emplace(number, site.stream).first->second, site.stream);
  }
  return Error::success();
}

Expected<std::vector<SmallVector<unsigned>>> verify::groupStreams(const Model &model,
                                                                  const Conflicts &conflicts) {
  unsigned numStreams = unsigned(model.program.streams.size());
  IntEqClasses classes(numStreams);
  if (Error error = connectSemaphores(model, classes))
    return std::move(error);
  std::vector<unsigned> streamOfAccess;
  for (const Site &site : model.sites)
    streamOfAccess.resize(streamOfAccess.size() + site.accesses.size(), site.stream);
  for (auto [access, partners] : llvm::enumerate(conflicts.partners))
    for (unsigned partner : partners)
      classes.join(streamOfAccess[access], streamOfAccess[partner]);
  classes.compress();
  std::vector<SmallVector<unsigned>> groups(classes.getNumClasses());
  for (unsigned stream = 0; stream < numStreams; ++stream)
    groups[classes[stream]].push_back(stream);
  return groups;
}

Error npu::verifySynchronization(const Program &program, VerifyStats *stats,
                                 const VerifyOptions &options) {
  Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  VerifyStats ownStats;
  VerifyStats &total = stats ? *stats : ownStats;
  total = VerifyStats();

  Conflicts conflicts = Conflicts::find(*model);
  total.conflictPairs = conflicts.pairs;
  // Streams that share nothing run apart: their loops need not keep step.
  Expected<std::vector<SmallVector<unsigned>>> groups = groupStreams(*model, conflicts);
  if (!groups)
    return groups.takeError();
  for (ArrayRef<unsigned> streams : *groups) {
    Machine machine(*model, conflicts, streams, options, total, Machine::Mode::CheckRaces);
    if (Error error = machine.run())
      return error;
  }
  return Error::success();
}

char VerifyError::ID;

void VerifyError::log(raw_ostream &os) const { os << message; }

std::error_code VerifyError::convertToErrorCode() const { return inconvertibleErrorCode(); }

Error npu::verifyProgram(const Program &program, VerifyStats *stats, const VerifyOptions &options) {
  if (Error error = verifyRanges(program))
    return error;
  return verifySynchronization(program, stats, options);
}

namespace {
/// How a program ran and in which order.
struct Trace {
  std::vector<uint64_t> hashes;
  std::vector<int64_t> clocks;
  std::vector<std::vector<int64_t>> rows;
};
} // namespace

static std::optional<Trace> run(const Program &program, Machine::Mode mode) {
  Expected<Model> model = Model::build(program);
  if (!model) {
    consumeError(model.takeError());
    return std::nullopt;
  }
  IntEqClasses classes(unsigned(program.streams.size()));
  if (Error error = connectSemaphores(*model, classes)) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  SmallVector<unsigned> streams =
      llvm::to_vector(llvm::seq<unsigned>(0, unsigned(program.streams.size())));
  VerifyStats stats;
  VerifyOptions options;
  Machine machine(*model, Conflicts(), streams, options, stats, mode);
  // A deadlock is an order like any other; it shows in the clocks reached.
  consumeError(machine.run());
  if (stats.instances > options.maxInstances)
    return std::nullopt;
  Trace trace{std::move(machine.hashes), {}, std::move(machine.rows)};
  for (const StreamState &stream : machine.streams)
    trace.clocks.push_back(stream.clock);
  return trace;
}

static bool haveSameInstructions(const Program &a, const Program &b) {
  if (a.target != b.target || a.regions != b.regions || a.streams.size() != b.streams.size())
    return false;
  for (auto [left, right] : llvm::zip_equal(a.streams, b.streams)) {
    if (left.cluster != right.cluster || left.engine != right.engine ||
        left.code.size() != right.code.size())
      return false;
    for (auto [first, second] : llvm::zip_equal(left.code, right.code)) {
      Instruction x = first, y = second;
      for (Instruction *instruction : {&x, &y})
        if (Sync *sync = getSync(*instruction))
          *sync = Sync();
      if (!(x == y))
        return false;
    }
  }
  return true;
}

bool npu::sameHappensBefore(const Program &a, const Program &b) {
  if (!haveSameInstructions(a, b))
    return false;
  std::optional<Trace> first = run(a, Machine::Mode::HashClocks);
  std::optional<Trace> second = run(b, Machine::Mode::HashClocks);
  return first && second && first->hashes == second->hashes && first->clocks == second->clocks;
}

bool npu::containsHappensBefore(const Program &a, const Program &b) {
  if (!haveSameInstructions(a, b))
    return false;
  std::optional<Trace> first = run(a, Machine::Mode::KeepClocks);
  std::optional<Trace> second = run(b, Machine::Mode::KeepClocks);
  if (!first || !second || first->clocks != second->clocks)
    return false;
  for (auto [left, right] : llvm::zip_equal(first->rows, second->rows))
    for (auto [known, required] : llvm::zip_equal(left, right))
      if (known < required)
        return false;
  return true;
}
