//===- ChooseTiles.cpp - tile sizes, loop order and residency -------------===//

#include "FoldBiases.h"
#include "GroupProblem.h"
#include "PlaySchedule.h"
#include "ScheduleTree.h"
#include "SplitCascades.h"
#include "Strips.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/ScheduleChoice.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

namespace npu {
#define GEN_PASS_DEF_NPUCHOOSETILES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

/// `m=64 n=64 k=256`.
static std::string printTiles(const Problem &problem, const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      llvm::zip(problem.dims, schedule.tiles), os,
      [&](auto pair) { os << std::get<0>(pair).name << '=' << std::get<1>(pair); }, " ");
  return text;
}

static std::string printOrder(const Problem &problem, const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(schedule.order, os, [&](unsigned dim) { os << problem.dims[dim].name; }, " ");
  return text;
}

static void emitRemark(const StageGraph &graph, unsigned stage, const Problem &problem,
                       const Schedule &schedule) {
  using remark::RemarkOpts;
  Footprint footprint = getFootprint(problem, schedule);
  KernelOp kernel = graph.kernel;
  remark::analysis(graph.stages[stage].getRoot().op.getLoc(),
                   RemarkOpts::name("Tiled").category("npu-tile").function(kernel.getSymName()))
      << remark::metric("tile", printTiles(problem, schedule))
      << remark::metric("order", printOrder(problem, schedule))
      << remark::metric("clusters", schedule.getClusters())
      << remark::metric("sramBytes", footprint.sramBytes)
      << remark::metric("accBytes", footprint.accBytes)
      << remark::metric("predictedCycles", static_cast<int64_t>(schedule.predictedCycles));
}

static void emitSplitRemark(KernelOp kernel, int64_t block) {
  using remark::RemarkOpts;
  remark::passed(
      kernel.getLoc(),
      RemarkOpts::name("SplitCascade").category("npu-tile").function(kernel.getSymName()))
      << remark::metric("block", block);
}

static void emitStripsRemark(KernelOp kernel, int64_t axis, int64_t size) {
  using remark::RemarkOpts;
  remark::passed(kernel.getLoc(),
                 RemarkOpts::name("Strips").category("npu-tile").function(kernel.getSymName()))
      << remark::metric("axis", axis) << remark::metric("size", size);
}

/// Drops what nobody needs: it has no place in a schedule.
static void eraseUnused(KernelOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  (void)runRegionDCE(rewriter, kernel->getRegions());
}

/// A schedule that is given is one of the kernel, as a whole or of its strips.
static LogicalResult checkSchedule(const StageGraph &graph, ScheduleAttr schedule) {
  if (ScheduleStripsAttr strips = getStrips(schedule)) {
    KernelOp kernel = graph.kernel;
    return forEachScheduledStrip(kernel, strips, [](EqualStrips &, const ScheduleTree &) {});
  }
  return ScheduleTree::create(graph, schedule);
}

/// The split by hand is of a dimension that can be split, over clusters that there are.
static LogicalResult checkSplit(const StageGraph &graph, const GroupProblem &group) {
  KernelOp kernel = graph.kernel;
  ClusterAttr cluster = kernel.getClusterAttr();
  if (!cluster || cluster.getCount() == 1)
    return success();
  if (graph.numGroups > 1)
    return kernel.emitOpError("expected no cluster split of a kernel of several groups of stages; "
                              "write it into a schedule");
  if (cluster.getDim() >= static_cast<int64_t>(group.problem.dims.size()) ||
      !isSplittable(group.problem, cluster.getDim()) || cluster.getCount() > graph.target.clusters)
    return kernel.emitOpError("expected a cluster split of a parallel dimension that every result "
                              "has over at most ")
           << graph.target.clusters << " clusters of target '" << graph.target.name
           << "' but found " << cluster;
  return success();
}

/// The target with the memory that what stays on chip around the kernel leaves it.
static TargetDesc getFreeTarget(const StageGraph &graph) {
  TargetDesc target = graph.target;
  if (ResidentAttr resident = KernelOp(graph.kernel).getResidentAttr())
    target.sramBytes -= resident.getBytes();
  target.sramBytes -= graph.keptBytes;
  return target;
}

/// Equal problems have equal answers, and networks repeat their layers.
static std::string getKey(const StageGraph &graph, const GroupProblem &group) {
  return llvm::formatv("{0} {1} {2}", getTargetSpecification(graph.target),
                       getFreeTarget(graph).sramBytes, group.problem.getKey());
}

/// By key; none where nothing fits.
class npu::TileMemo : public std::map<std::string, std::optional<Schedule>> {
public:
  OnScheduleChoice onChoice; ///< may be null
};

std::shared_ptr<TileMemo> npu::createTileMemo() { return std::make_shared<TileMemo>(); }

std::shared_ptr<TileMemo> npu::createTileMemo(OnScheduleChoice onChoice) {
  std::shared_ptr<TileMemo> memo = createTileMemo();
  memo->onChoice = std::move(onChoice);
  return memo;
}

namespace {
/// A kernel whose tiles are to be chosen, its ops in groups in one of the ways that they can be.
struct Task {
  StageGraph graph;
  std::vector<GroupProblem> groups;
  std::vector<GroupProblem> pairs;          ///< groups with what makes an operand for them
  std::vector<NestOfGroups> nests;          ///< groups that could share loops
  std::vector<std::optional<Nest>> choices; ///< per nest
  /// The kernel of the graph, if it is a rewritten one.
  std::shared_ptr<OwningOpRef<KernelOp>> rewritten;
  Rewriting rewriting = {};
  bool isSearched = false;
};

/// The groups of a kernel as they were chosen, and what they take together.
struct Division {
  Estimate estimate;
  std::vector<ScheduledGroups> parts;
};

/// What was chosen of a kernel's ways.
struct Choice {
  Task *task = nullptr;
  Division division;
};

/// The ways of one kernel, the preferred one first.
using Alternatives = std::vector<std::unique_ptr<Task>>;

/// A kernel strip by strip.
struct StripPlan {
  int64_t axis, size;
  std::vector<EqualStrips> strips;
  std::vector<Alternatives> kinds; ///< the ways of each of `strips`; none where they are not wanted
};

/// A kernel whose schedule is to be chosen.
struct KernelTask {
  Alternatives whole;
  Task *cut = nullptr;           ///< the way of it that strips are cut from
  std::vector<StripPlan> strips; ///< by size; in the end the best one, if there is any
};

struct ChooseTiles : npu::impl::NPUChooseTilesBase<ChooseTiles> {
  explicit ChooseTiles(std::shared_ptr<TileMemo> memo = createTileMemo()) : memo(std::move(memo)) {}

  void runOnOperation() override {
    bool hasFailed = false;
    std::vector<KernelTask> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty())
        hasFailed |= failed(prepare(kernel, kernels));
      return WalkResult::skip();
    });
    search(kernels);
    for (KernelTask &kernel : kernels) {
      addSplitCascades(kernel.whole);
      addSplits(kernel.whole);
    }
    search(kernels);
    for (KernelTask &kernel : kernels)
      addStrips(kernel);
    search(kernels);
    for (KernelTask &kernel : kernels)
      completeStrips(kernel);
    search(kernels);
    for (const KernelTask &kernel : kernels)
      hasFailed |= failed(choose(kernel));
    if (hasFailed)
      signalPassFailure();
  }

  LogicalResult prepare(KernelOp kernel, std::vector<KernelTask> &kernels) {
    eraseUnused(kernel);
    if (failed(checkAddressable(kernel)))
      return failure();
    FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
    if (failed(graph))
      return failure();
    if (ScheduleAttr schedule = kernel.getScheduleAttr())
      return checkSchedule(*graph, schedule);
    Alternatives alternatives;
    // Whole rows behind a contraction may leave its tiles too few of them.
    bool hasWholeRows = llvm::any_of(graph->stages, [&](const Stage &tail) {
      return !tail.wholeDims.empty() && llvm::any_of(graph->stages, [&](const Stage &stage) {
        return stage.isArray && stage.group == tail.group;
      });
    });
    alternatives.push_back(makeTask(std::move(*graph)));
    if (hasWholeRows)
      if (FailureOr<StageGraph> split = StageGraph::analyzeSplit(kernel); succeeded(split)) {
        alternatives.push_back(makeTask(std::move(*split)));
        alternatives.back()->rewriting.kind = Rewriting::Kind::SplitReductions;
      }
    addFoldedBiases(alternatives);
    for (const GroupProblem &group : alternatives.front()->groups)
      if (failed(checkSplit(alternatives.front()->graph, group)))
        return failure();
    kernels.push_back({std::move(alternatives), nullptr, {}});
    return success();
  }

  static std::unique_ptr<Task> makeTask(StageGraph graph) {
    auto task = std::make_unique<Task>(Task{std::move(graph), {}, {}, {}, {}, {}});
    for (unsigned group = 0; group < task->graph.numGroups; ++group) {
      task->groups.push_back(makeProblem(task->graph, group));
      if (std::optional<GroupProblem> pair = makeProblemWithMaker(task->graph, group))
        task->pairs.push_back(std::move(*pair));
    }
    collectNests(*task);
    return task;
  }

  /// Every row of groups, up to a length that bounds the time.
  static void collectNests(Task &task) {
    constexpr unsigned longest = 6;
    for (unsigned first = 0; first < task.graph.numGroups; ++first)
      for (unsigned end = first + 2; end <= std::min(first + longest, task.graph.numGroups); ++end)
        if (std::optional<NestOfGroups> nest = makeNest(task.graph, first, end))
          task.nests.push_back(std::move(*nest));
    task.choices.resize(task.nests.size());
  }

  /// Appends the graph of a rewritten kernel. What is no kernel is no alternative.
  void addRewritten(Alternatives &alternatives, OwningOpRef<KernelOp> kernel, Rewriting rewriting) {
    ScopedDiagnosticHandler ignored(&getContext(), [](Diagnostic &) { return success(); });
    FailureOr<StageGraph> graph = StageGraph::analyze(*kernel);
    if (failed(checkAddressable(*kernel)) || failed(graph))
      return;
    alternatives.push_back(makeTask(std::move(*graph)));
    alternatives.back()->rewritten = std::make_shared<OwningOpRef<KernelOp>>(std::move(kernel));
    alternatives.back()->rewriting = rewriting;
  }

  /// A bias in the array costs the vector unit nothing, but has to be there before the first
  /// product. What is chosen by hand is about the kernel as it is.
  void addFoldedBiases(Alternatives &alternatives) {
    KernelOp kernel = alternatives.front()->graph.kernel;
    if (kernel.getClusterAttr())
      return;
    if (OwningOpRef<KernelOp> folded = foldBiases(kernel))
      addRewritten(alternatives, std::move(folded), {Rewriting::Kind::FoldBiases});
  }

  /// Bytes of all that the kernel takes and gives.
  static int64_t getTensorBytes(const StageGraph &graph) {
    int64_t bytes = 0;
    KernelOp kernel = graph.kernel;
    for (TypeRange types :
         {TypeRange(kernel.getArgumentTypes()), TypeRange(kernel.getResultTypes())})
      for (Type type : types)
        bytes += getByteSize(cast<ShapedType>(type));
    return bytes;
  }

  /// Where not all of a kernel stays on chip, its reductions block by block may. That saves at most
  /// the time that the array waits and what moves more than once, and is not tried for little of
  /// them. Of long rows a tile has few, which leave lanes without work where a lane adds up a row;
  /// of blocks it has more.
  void addSplitCascades(Alternatives &alternatives) {
    const StageGraph &graph = alternatives.front()->graph;
    Division division = findBest(alternatives).division;
    double arrayCycles = 0;
    for (const GroupProblem &group : alternatives.front()->groups)
      arrayCycles += getLeastArrayCycles(group.problem, graph.target);
    bool waitsForMemory =
        division.estimate.cycles * graph.target.dramBytesPerCycle < 2 * division.estimate.dramBytes;
    if (division.parts.size() == 1 && (arrayCycles > 0 || waitsForMemory))
      return;
    if (arrayCycles > 0.75 * division.estimate.cycles &&
        division.estimate.dramBytes < 2 * getTensorBytes(graph))
      return;
    std::optional<unsigned> dim = findCascade(graph);
    if (!dim)
      return;
    for (int64_t block : getBlockCandidates(graph.dims[*dim].extent))
      addRewritten(alternatives, splitCascade(graph, *dim, block),
                   {Rewriting::Kind::SplitCascades, block});
  }

  /// Whether it is the only dimension along which clusters share what stays on chip, if that is
  /// given.
  static bool mayShare(const StageGraph &graph, unsigned dim) {
    ResidentAttr resident = KernelOp(graph.kernel).getResidentAttr();
    if (!resident || resident.getDims().empty())
      return true;
    ArrayRef<Axis> axes = graph.results.front().axes;
    ArrayRef<int64_t> shared = resident.getDims();
    return shared.size() == 1 && shared.front() < int64_t(axes.size()) &&
           llvm::any_of(
               axes[shared.front()].terms, [&](const Term &term) { return term.dim == dim; });
  }

  /// Clusters can share what tiles never span in every group, or each group or nest by itself.
  static void addSplits(Alternatives &alternatives) {
    unsigned count = alternatives.size();
    auto add = [&](const Task &task, StageGraph graph) {
      alternatives.push_back(makeTask(std::move(graph)));
      alternatives.back()->rewritten = task.rewritten;
      alternatives.back()->rewriting = task.rewriting;
    };
    for (unsigned number = 0; number < count; ++number) {
      const Task &task = *alternatives[number];
      if (task.graph.numGroups == 1 || task.graph.kernel.getClusterAttr() ||
          task.graph.target.clusters == 1)
        continue;
      StageGraph exchanged = task.graph;
      exchanged.isExchanged = true;
      if (std::optional<ClusterSplit> shared = task.graph.findSharedDim();
          shared && mayShare(task.graph, shared->dim)) {
        StageGraph graph = task.graph;
        graph.sharedDim = shared;
        add(task, std::move(graph));
      }
      add(*alternatives[number], std::move(exchanged));
    }
  }

  /// Where the windows of a later stage read more than fits on chip, that of strips may fit. One
  /// strip of the middle shows what strips of a size take, for a few sizes.
  void addStrips(KernelTask &kernel) {
    Choice whole = findBest(kernel.whole);
    const StageGraph &graph = kernel.whole.front()->graph;
    // What is on chip between groups is one cluster's.
    if (graph.numGroups == 1 || graph.target.clusters > 1)
      return;
    // The way that is best as a whole, if its ops are those of the kernel but for biases.
    for (const std::unique_ptr<Task> &task : kernel.whole) {
      Rewriting::Kind kind = task->rewriting.kind;
      bool isCut = kind == Rewriting::Kind::None || kind == Rewriting::Kind::FoldBiases;
      if (isCut && (!whole.task || !kernel.cut || task.get() == whole.task))
        kernel.cut = task.get();
    }
    int64_t capacity = getFreeTarget(graph).sramBytes;
    KernelOp cut = kernel.cut->graph.kernel;
    std::optional<int64_t> axis = findStripAxis(cut);
    if (!axis)
      return;
    int64_t extent = cast<ShapedType>(cut.getResultTypes().front()).getDimSize(*axis);
    int64_t bytes = getWindowedBytes(cut, *axis, extent).value_or(0);
    // What fits, or goes to DRAM and back for little more than the rest, needs no strips.
    if (2 * bytes < capacity ||
        (whole.task && whole.division.estimate.dramBytes < getTensorBytes(graph) + bytes))
      return;
    int64_t last = extent;
    for (double part : {0.6, 0.4, 0.2}) {
      int64_t size = last;
      auto fits = [&] {
        std::optional<int64_t> ofStrip = getWindowedBytes(cut, *axis, size);
        return ofStrip && *ofStrip <= part * capacity;
      };
      while (size > 0 && !fits())
        --size;
      if (size == 0)
        return;
      // Strips of the same size are one kernel.
      int64_t divisor = size;
      while (extent % divisor != 0)
        --divisor;
      size = 10 * divisor >= 7 * size ? divisor
                                      : llvm::divideCeil(extent, llvm::divideCeil(extent, size));
      if (size == last)
        continue;
      last = size;
      std::optional<std::vector<EqualStrips>> strips = cutIntoStrips(cut, *axis, size);
      if (!strips)
        return;
      StripPlan &plan = kernel.strips.emplace_back();
      plan.axis = *axis;
      plan.size = size;
      plan.strips = std::move(*strips);
      plan.kinds.resize(plan.strips.size());
      addKind(plan, getMiddle(plan));
    }
  }

  /// Which of the strips most are like.
  static size_t getMiddle(const StripPlan &plan) {
    return llvm::max_element(
               plan.strips,
               [](const EqualStrips &a, const EqualStrips &b) { return a.size() < b.size(); }) -
           plan.strips.begin();
  }

  void addKind(StripPlan &plan, size_t kind) {
    if (!plan.kinds[kind].empty())
      return;
    ScopedDiagnosticHandler ignored(&getContext(), [](Diagnostic &) { return success(); });
    KernelOp strip = *plan.strips[kind].front().kernel;
    FailureOr<StageGraph> graph = StageGraph::analyze(strip);
    if (failed(checkAddressable(strip)) || failed(graph))
      return;
    if (keepWindowed(*graph))
      plan.kinds[kind].push_back(makeTask(std::move(*graph)));
  }

  /// Keeps the size that promises the most, if it is better than the whole kernel, with all of its
  /// strips.
  void completeStrips(KernelTask &kernel) {
    std::optional<size_t> best;
    std::optional<Estimate> least;
    if (Choice whole = findBest(kernel.whole); whole.task)
      least = whole.division.estimate;
    for (auto [number, plan] : llvm::enumerate(kernel.strips)) {
      Choice middle = findBest(plan.kinds[getMiddle(plan)]);
      if (!middle.task || !makeSchedule(middle.task->graph, middle.division.parts))
        continue;
      Estimate estimate;
      for (const EqualStrips &strips : plan.strips)
        estimate = estimate + strips.size() * middle.division.estimate;
      if (least && !estimate.isBetterThan(*least))
        continue;
      least = estimate;
      best = number;
    }
    if (best && *best > 0)
      std::swap(kernel.strips.front(), kernel.strips[*best]);
    kernel.strips.resize(best ? 1 : 0);
    for (StripPlan &plan : kernel.strips)
      for (size_t kind = 0; kind < plan.kinds.size(); ++kind)
        addKind(plan, kind);
  }

  /// What all strips take; nothing where one does not fit.
  std::optional<Estimate> getEstimate(const StripPlan &plan) {
    Estimate sum;
    for (auto [strips, kind] : llvm::zip_equal(plan.strips, plan.kinds)) {
      Choice choice = findBest(kind);
      if (!choice.task)
        return std::nullopt;
      sum = sum + strips.size() * choice.division.estimate;
    }
    return sum;
  }

  /// Finds the schedules of all problems that are not known, each in a thread.
  void search(ArrayRef<KernelTask> kernels) {
    SmallVector<Task *> tasks;
    auto add = [&](const Alternatives &alternatives) {
      for (const std::unique_ptr<Task> &task : alternatives)
        if (!std::exchange(task->isSearched, true))
          tasks.push_back(task.get());
    };
    for (const KernelTask &kernel : kernels) {
      add(kernel.whole);
      for (const StripPlan &plan : kernel.strips)
        llvm::for_each(plan.kinds, add);
    }
    struct Search {
      const StageGraph *graph;
      const GroupProblem *group;
      std::optional<Schedule> *schedule;
    };
    std::vector<Search> searches;
    for (const Task *task : tasks)
      for (ArrayRef<GroupProblem> groups : {ArrayRef(task->groups), ArrayRef(task->pairs)})
        for (const GroupProblem &group : groups)
          if (auto [entry, isNew] = memo->try_emplace(getKey(task->graph, group)); isNew)
            searches.push_back({&task->graph, &group, &entry->second});
    parallelForEach(&getContext(), searches, [](const Search &search) {
      *search.schedule = searchTiles(search.group->problem, getFreeTarget(*search.graph));
    });
    struct NestTask {
      const StageGraph *graph;
      const NestOfGroups *groups;
      std::optional<Nest> *choice;
    };
    std::vector<NestTask> nests;
    for (Task *task : tasks)
      for (auto [groups, choice] : llvm::zip_equal(task->nests, task->choices))
        nests.push_back({&task->graph, &groups, &choice});
    parallelForEach(&getContext(), nests, [](const NestTask &task) {
      *task.choice = searchNest(task.groups->problem, getFreeTarget(*task.graph));
    });
  }

  /// Reports the first group for which no tiles fit.
  LogicalResult reportDoesNotFit(const Task &task) {
    for (const GroupProblem &group : task.groups)
      if (!memo->at(getKey(task.graph, group)))
        return npu::reportDoesNotFit(task.graph, group, getSmallestSchedule(group.problem));
    llvm_unreachable("all groups have tiles that fit");
  }

  /// The best of the alternatives, and how its groups are divided; none where nothing fits.
  Choice findBest(const Alternatives &alternatives) {
    Task *chosen = nullptr;
    Division division;
    for (const std::unique_ptr<Task> &task : alternatives) {
      std::vector<Schedule> schedules;
      for (const GroupProblem &group : task->groups)
        if (const std::optional<Schedule> &schedule = memo->at(getKey(task->graph, group)))
          schedules.push_back(*schedule);
      if (schedules.size() < task->groups.size())
        continue;
      Division own = divide(*task, schedules);
      if (chosen && !own.estimate.isBetterThan(division.estimate))
        continue;
      chosen = task.get();
      division = std::move(own);
    }
    return {chosen, std::move(division)};
  }

  static void emitRemarks(const Choice &choice) {
    const StageGraph &graph = choice.task->graph;
    for (const ScheduledGroups &part : choice.division.parts) {
      if (part.nest)
        emitRemark(graph, part.nest->stages.front(), part.nest->problem.problem,
                   part.shared.schedule);
      else
        emitRemark(graph, part.group->root ? *part.group->root : *part.group->tail,
                   part.group->problem, part.schedule);
    }
  }

  /// Null where what windows read does not stay on chip in every strip.
  ScheduleAttr makeStripsSchedule(const StripPlan &plan, double cycles) {
    SmallVector<ArrayAttr> bodies;
    for (const Alternatives &kind : plan.kinds) {
      Choice choice = findBest(kind);
      ScheduleAttr schedule = makeSchedule(choice.task->graph, choice.division.parts);
      if (!schedule)
        return {};
      bodies.push_back(ArrayAttr::get(&getContext(), schedule.getBody()));
    }
    Attribute strips = ScheduleStripsAttr::get(&getContext(), plan.axis, plan.size, bodies);
    return ScheduleAttr::get(&getContext(), strips, std::llround(cycles));
  }

  LogicalResult choose(const KernelTask &task) {
    const Alternatives &alternatives = task.whole;
    Choice whole = findBest(alternatives);
    Task *chosen = whole.task;
    ScheduleAttr schedule;
    for (const StripPlan &plan : task.strips) {
      std::optional<Estimate> estimate = getEstimate(plan);
      if (!estimate || (chosen && !estimate->isBetterThan(whole.division.estimate)))
        continue;
      schedule = makeStripsSchedule(plan, estimate->cycles);
      if (!schedule)
        continue;
      chosen = task.cut;
      for (const Alternatives &kind : plan.kinds)
        emitRemarks(findBest(kind));
      emitStripsRemark(chosen->graph.kernel, plan.axis, plan.size);
    }
    if (!chosen)
      return reportDoesNotFit(*alternatives.front());
    const StageGraph &graph = chosen->graph;
    if (!schedule) {
      emitRemarks(whole);
      schedule = makeSchedule(graph, whole.division.parts);
    }
    KernelOp kernel = graph.kernel;
    KernelOp original = alternatives.front()->graph.kernel;
    if (memo->onChoice)
      memo->onChoice(original, chosen->rewriting, schedule);
    kernel.setScheduleAttr(schedule);
    kernel.removeResidentAttr();
    if (graph.numGroups > 1)
      graph.nameStages();
    if (chosen->rewritten) {
      if (chosen->rewriting.block > 0)
        emitSplitRemark(original, chosen->rewriting.block);
      original->getBlock()->getOperations().insert(original->getIterator(),
                                                   chosen->rewritten->release());
      original.erase();
    }
    return success();
  }

  /// Divides the groups of a kernel into nests, pairs and groups of their own.
  Division divide(const Task &task, ArrayRef<Schedule> schedules) const {
    unsigned count = task.groups.size();
    struct Best {
      Estimate estimate;            ///< of all groups before
      std::optional<unsigned> nest; ///< that ends here
      const GroupProblem *pair = nullptr;
    };
    SmallVector<Best> best(count + 1);
    auto getEstimate = [&](const GroupProblem &group, const Schedule &schedule) -> Estimate {
      return {schedule.predictedCycles,
              predictDramBytes(group.problem, schedule, task.graph.target),
              !canPlay(group.problem)};
    };
    for (unsigned end = 1; end <= count; ++end) {
      const Schedule &schedule = schedules[end - 1];
      best[end].estimate = best[end - 1].estimate + getEstimate(task.groups[end - 1], schedule);
      for (const GroupProblem &pair : task.pairs) {
        const std::optional<Schedule> &shared = memo->at(getKey(task.graph, pair));
        if (task.graph.stages[*pair.root].group + 1 != end || !shared)
          continue;
        Estimate estimate = best[end - 2].estimate + getEstimate(pair, *shared);
        if (estimate.isBetterThan(best[end].estimate))
          best[end] = {estimate, std::nullopt, &pair};
      }
      for (auto [number, groups] : llvm::enumerate(task.nests)) {
        if (groups.endGroup != end || !task.choices[number])
          continue;
        Estimate estimate = best[groups.firstGroup].estimate + task.choices[number]->getEstimate();
        if (estimate.isBetterThan(best[end].estimate))
          best[end] = {estimate, number, nullptr};
      }
    }
    Division division = {best.back().estimate, {}};
    for (unsigned end = count; end > 0;) {
      ScheduledGroups &part = division.parts.emplace_back();
      if (std::optional<unsigned> nest = best[end].nest) {
        part.nest = &task.nests[*nest];
        part.shared = *task.choices[*nest];
        end = part.nest->firstGroup;
        continue;
      }
      if (const GroupProblem *pair = best[end].pair) {
        part.group = pair;
        part.schedule = *memo->at(getKey(task.graph, *pair));
        end -= 2;
        continue;
      }
      --end;
      part.group = &task.groups[end];
      part.schedule = schedules[end];
    }
    std::reverse(division.parts.begin(), division.parts.end());
    return division;
  }

  std::shared_ptr<TileMemo> memo;
};
} // namespace

std::unique_ptr<Pass> npu::createNPUChooseTiles(std::shared_ptr<TileMemo> memo) {
  return std::make_unique<ChooseTiles>(std::move(memo));
}

//===----------------------------------------------------------------------===//
// Choices that are given
//===----------------------------------------------------------------------===//

/// A copy of the kernel with its cascade of reductions in blocks.
static FailureOr<OwningOpRef<KernelOp>> splitInBlocks(KernelOp kernel, int64_t block) {
  FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
  if (failed(graph))
    return failure();
  std::optional<unsigned> dim = findCascade(*graph);
  if (!dim)
    return kernel.emitOpError("expected reductions of what another one of the same rows gives, "
                              "which is what can be split into blocks, found none; leave the "
                              "kernel as it is");
  const Dim &description = graph->dims[*dim];
  if (block < 1 || block >= description.extent || description.extent % block != 0)
    return kernel.emitOpError("expected blocks that divide the ")
           << description.extent << " elements of dimension '" << description.name << "', found "
           << block;
  return splitCascade(*graph, *dim, block);
}

static FailureOr<OwningOpRef<KernelOp>> rewrite(KernelOp kernel, Rewriting rewriting) {
  switch (rewriting.kind) {
  case Rewriting::Kind::FoldBiases: {
    OwningOpRef<KernelOp> folded = foldBiases(kernel);
    if (!folded)
      return kernel.emitOpError("expected a bias that its contraction can start from, found none; "
                                "leave the kernel as it is");
    return folded;
  }
  case Rewriting::Kind::SplitCascades:
    return splitInBlocks(kernel, rewriting.block);
  case Rewriting::Kind::None:
  case Rewriting::Kind::SplitReductions:
    return OwningOpRef<KernelOp>(kernel.clone());
  }
  llvm_unreachable("unknown rewriting");
}

FailureOr<OwningOpRef<KernelOp>> npu::applySchedule(KernelOp kernel, Rewriting rewriting,
                                                    ScheduleAttr schedule) {
  FailureOr<OwningOpRef<KernelOp>> rewritten = rewrite(kernel, rewriting);
  if (failed(rewritten))
    return failure();
  eraseUnused(**rewritten);
  if (failed(checkAddressable(**rewritten)))
    return failure();
  FailureOr<StageGraph> graph = rewriting.kind == Rewriting::Kind::SplitReductions
                                    ? StageGraph::analyzeSplit(**rewritten)
                                    : StageGraph::analyze(**rewritten);
  if (failed(graph) || failed(checkSchedule(*graph, schedule)))
    return failure();
  (*rewritten)->setScheduleAttr(schedule);
  // As the search does: who reads the schedule finds the stages by these names.
  if (graph->numGroups > 1)
    graph->nameStages();
  return rewritten;
}
