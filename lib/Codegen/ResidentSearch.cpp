//===- ResidentSearch.cpp - schedules of kernels among others -------------===//

#include "ResidentSearch.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace npu;

/// Groups of kernels whose policy is changed alone in the end, the most promising ones.
static constexpr unsigned kNumPolicyChanges = 6;

namespace {
/// What is assumed of the tensors between kernels.
struct Policy {
  bool isResident = true;     ///< what a kernel takes is on chip
  bool keepsResults = true;   ///< and so is what it gives
  std::optional<int64_t> dim; ///< that clusters share, counted from the end where it is negative
  bool sharesWindows = false; ///< clusters share both dimensions along which windows move
  int64_t hidden = 0;         ///< percent of the wait for first operands

  /// Whether tensors between two kernels lie where both expect them.
  bool isLike(const Policy &other) const {
    return isResident == other.isResident && keepsResults == other.keepsResults &&
           dim == other.dim && sharesWindows == other.sharesWindows;
  }
};
} // namespace

/// The first is that of the search for kernels by themselves. Which dimension is a row and which a
/// channel depends on the model.
static const Policy kPolicies[] = {
    {/*isResident=*/false, /*keepsResults=*/false, std::nullopt},
    {/*isResident=*/true, /*keepsResults=*/false, std::nullopt},
    {/*isResident=*/true, /*keepsResults=*/true, 0},
    {/*isResident=*/true, /*keepsResults=*/true, 1},
    {/*isResident=*/true, /*keepsResults=*/true, -1},
    {/*isResident=*/true, /*keepsResults=*/true, std::nullopt, /*sharesWindows=*/true},
    {/*isResident=*/true, /*keepsResults=*/true, std::nullopt, /*sharesWindows=*/true,
     /*hidden=*/30},
    {/*isResident=*/true, /*keepsResults=*/true, std::nullopt, /*sharesWindows=*/true,
     /*hidden=*/60},
};

//===----------------------------------------------------------------------===//
// Alternatives
//===----------------------------------------------------------------------===//

void ResidentSearch::collectKernels() {
  llvm::StringMap<unsigned> groups; // by what a schedule file knows them by
  llvm::MapVector<Operation *, SmallVector<KernelWindow *>> windowsOf;
  for (SegmentSchedule &schedule : schedules)
    for (KernelWindow &window : schedule.windows)
      windowsOf[window.kernel].push_back(&window);
  for (auto &[kernelOp, ofKernel] : windowsOf) {
    auto chosen = cast<KernelOp>(kernelOp);
    ArrayRef<flow::DispatchOp> dispatches = ofKernel.front()->dispatches;
    for (KernelWindow *window : ofKernel)
      kernelOf[window] = kernels.size();
    Kernel &kernel = kernels.emplace_back();
    kernel.plain = dispatches.size() == 1 ? OwningOpRef<KernelOp>(getKernel(dispatches[0]).clone())
                                          : WindowSearch::merge(dispatches, getKernel);
    kernel.group = kernels.size() - 1;
    if (kernel.plain)
      kernel.group =
          groups.try_emplace(ScheduleFile::getKey(*kernel.plain), kernel.group).first->second;
    kernel.windows = std::move(ofKernel);
    kernel.alternatives.push_back({chosen, {}, chosen.getScheduleAttr()});
  }
}

/// The dimensions of results along which the windows of convolutions move, by the first of them
/// that moves along two; none without one.
SmallVector<int64_t, 2> ResidentSearch::findWindowDims() const {
  SmallVector<int64_t, 2> dims;
  auto find = [&](ConvOp conv) {
    StringRef layout = conv.getLayoutOutput();
    if (!layout.contains('h') || !layout.contains('w'))
      return WalkResult::advance();
    ArrayRef<int64_t> shape = cast<ShapedType>(conv->getResultTypes().front()).getShape();
    dims.assign({int64_t(layout.find('h')), int64_t(layout.find('w'))});
    llvm::sort(dims);
    if (llvm::all_of(dims, [&](int64_t dim) { return shape[dim] > 1; }))
      return WalkResult::interrupt();
    dims.clear();
    return WalkResult::advance();
  };
  for (const Kernel &kernel : kernels)
    if (kernel.plain && KernelOp(*kernel.plain)->walk(find).wasInterrupted())
      break;
  return dims;
}

/// The windows of the kernels of its group.
std::vector<const KernelWindow *> ResidentSearch::getWindowsLike(const Kernel &kernel) const {
  std::vector<const KernelWindow *> windows;
  for (const Kernel &other : kernels)
    if (other.group == kernel.group)
      windows.insert(windows.end(), other.windows.begin(), other.windows.end());
  return windows;
}

/// Null where nothing that the kernel takes or gives can be on chip in all of the windows of its
/// group.
ResidentAttr ResidentSearch::getResident(const Kernel &kernel, unsigned number) const {
  const Policy &policy = kPolicies[number];
  const std::vector<const KernelWindow *> windows = getWindowsLike(kernel);
  KernelOp op = *kernel.plain;
  int64_t bytes = 0;
  // What kernels themselves need has to fit as well. With half or two thirds, networks took up to
  // 5 % or 1 % longer.
  auto take = [&](Type type) {
    int64_t share = llvm::divideCeil(getByteSize(cast<ShapedType>(type)), target.clusters);
    if (bytes + share > target.sramBytes * 3 / 5)
      return false;
    bytes += share;
    return true;
  };
  auto isMadeInside = [](const KernelWindow *window, Value value) {
    auto maker = value.getDefiningOp<flow::DispatchOp>();
    return maker && maker->getBlock() == window->dispatches.front()->getBlock();
  };
  auto staysInside = [](const KernelWindow *window, Value value) {
    Operation *yield = window->dispatches.front()->getBlock()->getTerminator();
    return !llvm::is_contained(yield->getOperands(), value);
  };
  // Nobody needs it when the window is over: a result may lie in its place.
  auto endsHere = [](const KernelWindow *window, Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user->getBlock() == window->dispatches.back()->getBlock() &&
             !window->dispatches.back()->isBeforeInBlock(user);
    });
  };
  SmallVector<int64_t> arguments, results;
  for (size_t index = 0; index < op.getArgumentTypes().size(); ++index)
    if (llvm::all_of(windows,
                     [&](auto *window) { return isMadeInside(window, window->inputs[index]); }) &&
        take(op.getArgumentTypes()[index]))
      arguments.push_back(index);
  SmallVector<int64_t> places = arguments; // that results may take
  auto takePlace = [&](Type type) {
    auto place = llvm::find_if(places, [&](int64_t index) {
      return op.getArgumentTypes()[index] == type && llvm::all_of(windows, [&](auto *window) {
               return endsHere(window, window->inputs[index]);
             });
    });
    if (place == places.end())
      return false;
    places.erase(place);
    return true;
  };
  for (size_t index = 0; policy.keepsResults && index < op.getResultTypes().size(); ++index) {
    Type type = op.getResultTypes()[index];
    if (llvm::all_of(windows,
                     [&](auto *window) { return staysInside(window, window->outputs[index]); }) &&
        (takePlace(type) || take(type)))
      results.push_back(index);
  }
  if (arguments.empty() && results.empty())
    return {};
  int64_t rank = cast<ShapedType>(op.getResultTypes().front()).getRank();
  SmallVector<int64_t, 2> dims;
  if (std::optional<int64_t> dim = policy.dim)
    dims.push_back(std::max<int64_t>(0, *dim < 0 ? rank + *dim : std::min(*dim, rank - 1)));
  if (policy.sharesWindows && !windowDims.empty() && windowDims.back() < rank)
    dims = windowDims;
  return ResidentAttr::get(op.getContext(), arguments, results, bytes, dims, policy.hidden);
}

/// Gives kernels an alternative by the policy, if it is another one.
void ResidentSearch::schedule(unsigned policy) {
  MLIRContext *context = segments.front()->getContext();
  ModuleOp batch = *batches.emplace_back(ModuleOp::create(UnknownLoc::get(context)));
  SymbolTable symbols(batch);
  if (!tiles)
    tiles = createTileMemo([this](KernelOp kernel, Rewriting rewriting, ScheduleAttr schedule) {
      choices[kernel.getSymName().str()] = {rewriting, schedule};
    });
  choices.clear();
  std::vector<StringAttr> names;
  for (const Kernel &kernel : kernels) {
    names.emplace_back();
    ResidentAttr resident = kernel.plain ? getResident(kernel, policy) : ResidentAttr();
    if (!resident)
      continue;
    KernelOp copy = KernelOp(*kernel.plain).clone();
    copy.setResidentAttr(resident);
    copy.setPrivate();
    names.back() = symbols.insert(copy);
  }
  PassManager pm(context, ModuleOp::getOperationName());
  pm.addPass(createNPUChooseTiles(tiles));
  // One that does not fit leaves the others their schedules.
  (void)pm.run(batch);
  SymbolTable scheduled(batch);
  for (auto [kernel, name] : llvm::zip_equal(kernels, names)) {
    Alternative &alternative = kernel.alternatives.emplace_back();
    auto choice = name ? choices.find(name.str()) : choices.end();
    if (choice == choices.end())
      continue;
    std::tie(alternative.rewriting, alternative.schedule) = choice->second;
    if (alternative.schedule.getBody() != kernel.alternatives.front().schedule.getBody())
      alternative.kernel = scheduled.lookup<KernelOp>(name);
  }
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

void ResidentSearch::assign(const Assignment &assignment) {
  for (auto [kernel, policy] : llvm::zip_equal(kernels, assignment))
    for (KernelWindow *window : kernel.windows)
      window->kernel = kernel.alternatives[policy].kernel;
}

/// Measures, unless that was done, and keeps the best.
std::optional<SegmentTimes> ResidentSearch::tryOut(const Assignment &assignment) {
  if (!measured.insert(assignment).second)
    return std::nullopt;
  assign(assignment);
  std::optional<SegmentTimes> times = timer.measure(schedules);
  if (times && (best.empty() || times->total < least.total)) {
    best = assignment;
    least = *times;
  }
  return times;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// About what it takes if the next kernel has another policy: what both have in common goes through
/// DRAM.
double ResidentSearch::getChangeCycles(const KernelWindow &window) const {
  double bytes = 0;
  for (Value value : window.outputs)
    bytes += getByteSize(cast<ShapedType>(value.getType()));
  return 2 * (bytes / target.dramBytesPerCycle + target.dramLatencyCycles);
}

/// A policy for each window of a segment, such that they take the fewest cycles, as far as each
/// takes what it took where all had its policy, and changes between them so many times what they
/// may take. (Shortest path, first window to last.)
std::vector<unsigned> ResidentSearch::choosePolicies(unsigned segment, double weight,
                                                     size_t numPolicies) const {
  ArrayRef<KernelWindow> ofSegment = schedules[segment].windows;
  size_t count = ofSegment.size();
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> cycles(count, std::vector<double>(numPolicies, never));
  std::vector<std::vector<unsigned>> from(count, std::vector<unsigned>(numPolicies, 0));
  for (size_t place = 0; place < count; ++place)
    for (unsigned policy = 0; policy < numPolicies; ++policy) {
      if (!timesOfPolicy[policy])
        continue;
      double fewest = place == 0 ? 0 : never;
      for (unsigned before = 0; place > 0 && before < numPolicies; ++before) {
        double sum = cycles[place - 1][before];
        if (!kPolicies[before].isLike(kPolicies[policy]))
          sum += weight * getChangeCycles(ofSegment[place - 1]);
        if (sum < fewest) {
          fewest = sum;
          from[place][policy] = before;
        }
      }
      cycles[place][policy] = fewest + timesOfPolicy[policy]->ofWindow[segment][place];
    }
  std::vector<unsigned> policies(count);
  unsigned policy = llvm::min_element(cycles.back()) - cycles.back().begin();
  for (size_t place = count; place-- > 0;) {
    policies[place] = policy;
    policy = from[place][policy];
  }
  return policies;
}

/// Of each group of kernels the policy, of the first ones, that most of its windows would have.
ResidentSearch::Assignment ResidentSearch::mix(double weight, size_t numPolicies) const {
  std::vector<std::vector<unsigned>> votes(kernels.size(), std::vector<unsigned>(numPolicies, 0));
  for (unsigned segment = 0; segment < segments.size(); ++segment)
    for (auto [window, policy] :
         llvm::zip_equal(schedules[segment].windows, choosePolicies(segment, weight, numPolicies)))
      ++votes[kernels[kernelOf.lookup(&window)].group][policy];
  Assignment mixed;
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    ArrayRef<unsigned> ofGroup = votes[kernel.group];
    unsigned policy = llvm::max_element(ofGroup) - ofGroup.begin();
    mixed.push_back(hasAlternative(number, policy) ? policy : 0);
  }
  return mixed;
}

/// Cycles by which the group's windows were faster where all kernels had the policy.
int64_t ResidentSearch::getGain(unsigned group, unsigned policy) const {
  int64_t gain = 0;
  for (auto [segment, schedule] : llvm::enumerate(schedules))
    for (auto [place, window] : llvm::enumerate(schedule.windows))
      if (kernels[kernelOf.lookup(&window)].group == group)
        gain += least.ofWindow[segment][place] - timesOfPolicy[policy]->ofWindow[segment][place];
  return gain;
}

/// Changes the policy of the group that promises the most and was not tried; false without one.
bool ResidentSearch::improveOne(std::set<std::pair<unsigned, unsigned>> &tried) {
  int64_t most = 0;
  std::pair<unsigned, unsigned> change;
  for (unsigned kernel = 0; kernel < kernels.size(); ++kernel)
    for (unsigned policy = 0; policy < timesOfPolicy.size(); ++policy)
      if (kernels[kernel].group == kernel && policy != best[kernel] &&
          hasAlternative(kernel, policy) && !tried.count({kernel, policy}))
        if (int64_t gain = getGain(kernel, policy); gain > most) {
          most = gain;
          change = {kernel, policy};
        }
  if (most == 0)
    return false;
  tried.insert(change);
  Assignment assignment = best;
  for (auto [policy, kernel] : llvm::zip_equal(assignment, kernels))
    if (kernel.group == change.first)
      policy = change.second;
  tryOut(assignment);
  return true;
}

bool ResidentSearch::run() {
  collectKernels();
  windowDims = findWindowDims();
  Assignment asChosen(kernels.size(), 0);
  timesOfPolicy.push_back(tryOut(asChosen));
  if (best.empty()) {
    assign(asChosen);
    return false;
  }
  for (unsigned policy = 1; policy < std::size(kPolicies); ++policy) {
    // Two dimensions take two clusters each.
    if (kPolicies[policy].sharesWindows && (windowDims.empty() || target.clusters < 4))
      continue;
    schedule(policy);
    Assignment all;
    for (const Kernel &kernel : kernels)
      all.push_back(kernel.alternatives[policy].kernel ? policy : 0);
    timesOfPolicy.push_back(tryOut(all));
  }
  // What each kernel takes depends on those before it, and the more of them change, the more. So
  // all the policies are not always better than some.
  size_t numPlain = llvm::count_if(kPolicies, [](const Policy &policy) { return !policy.hidden; });
  for (size_t numPolicies : {std::min(numPlain, timesOfPolicy.size()), timesOfPolicy.size()})
    for (double weight : {0.0, 1.0})
      tryOut(mix(weight, numPolicies));
  std::set<std::pair<unsigned, unsigned>> tried;
  for (unsigned i = 0; i < kNumPolicyChanges && improveOne(tried); ++i)
    ;
  assign(best);
  return true;
}

void ResidentSearch::note(ScheduleFile &file, bool withSingles) const {
  for (auto [kernel, policy] : llvm::zip_equal(kernels, best))
    if (policy > 0 && (withSingles || kernel.windows.front()->dispatches.size() > 1))
      file.note(*kernel.plain, kernel.alternatives[policy].rewriting,
                kernel.alternatives[policy].schedule);
}
