//===- ChooseTiles.cpp - tile sizes, loop order and residency -------------===//

#include "GroupProblem.h"
#include "ScheduleTree.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"

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

static void emitRemark(const StageGraph &graph, const GroupProblem &group,
                       const Schedule &schedule) {
  using remark::RemarkOpts;
  Footprint footprint = getFootprint(group.problem, schedule);
  KernelOp kernel = graph.kernel;
  remark::analysis(graph.stages[group.root ? *group.root : *group.tail].getRoot().op.getLoc(),
                   RemarkOpts::name("Tiled").category("npu-tile").function(kernel.getSymName()))
      << remark::metric("tile", printTiles(group.problem, schedule))
      << remark::metric("order", printOrder(group.problem, schedule))
      << remark::metric("clusters", schedule.clusterCount)
      << remark::metric("sramBytes", footprint.sramBytes)
      << remark::metric("accBytes", footprint.accBytes)
      << remark::metric("predictedCycles", static_cast<int64_t>(schedule.predictedCycles));
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

/// Equal problems have equal answers, and networks repeat their layers.
static std::string getKey(const StageGraph &graph, const GroupProblem &group) {
  return graph.target.name + group.problem.getKey();
}

namespace {
/// A kernel whose tiles are to be chosen.
struct Task {
  StageGraph graph;
  std::vector<GroupProblem> groups;
};

struct ChooseTiles : npu::impl::NPUChooseTilesBase<ChooseTiles> {
  void runOnOperation() override {
    bool hasFailed = false;
    std::vector<std::unique_ptr<Task>> tasks;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty())
        hasFailed |= failed(prepare(kernel, tasks));
      return WalkResult::skip();
    });
    search(tasks);
    for (const std::unique_ptr<Task> &task : tasks)
      hasFailed |= failed(choose(*task));
    if (hasFailed)
      signalPassFailure();
  }

  LogicalResult prepare(KernelOp kernel, std::vector<std::unique_ptr<Task>> &tasks) {
    if (failed(checkAddressable(kernel)))
      return failure();
    FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
    if (failed(graph))
      return failure();
    if (kernel.getScheduleAttr())
      return ScheduleTree::create(*graph, kernel.getScheduleAttr());
    auto task = std::make_unique<Task>(Task{std::move(*graph), {}});
    for (unsigned group = 0; group < task->graph.numGroups; ++group) {
      task->groups.push_back(makeProblem(task->graph, group));
      if (failed(checkSplit(task->graph, task->groups.back())))
        return failure();
    }
    tasks.push_back(std::move(task));
    return success();
  }

  /// Finds the schedules of all problems that are not known, each in a thread.
  void search(ArrayRef<std::unique_ptr<Task>> tasks) {
    struct Search {
      const StageGraph *graph;
      const GroupProblem *group;
      std::optional<Schedule> *schedule;
    };
    std::vector<Search> searches;
    for (const std::unique_ptr<Task> &task : tasks)
      for (const GroupProblem &group : task->groups)
        if (auto [entry, isNew] = known.try_emplace(getKey(task->graph, group)); isNew)
          searches.push_back({&task->graph, &group, &entry->second});
    parallelForEach(&getContext(), searches, [](const Search &search) {
      *search.schedule = searchTiles(search.group->problem, search.graph->target);
    });
  }

  LogicalResult choose(Task &task) {
    StageGraph &graph = task.graph;
    std::vector<Schedule> schedules;
    for (const GroupProblem &group : task.groups) {
      const std::optional<Schedule> &schedule = known.at(getKey(graph, group));
      if (!schedule)
        return reportDoesNotFit(graph, group, getSmallestSchedule(group.problem));
      schedules.push_back(*schedule);
      emitRemark(graph, group, schedules.back());
    }
    if (graph.numGroups > 1)
      graph.nameStages();
    KernelOp kernel = graph.kernel;
    kernel.setScheduleAttr(makeSchedule(graph, task.groups, schedules));
    return success();
  }

  /// By key; none where nothing fits.
  std::map<std::string, std::optional<Schedule>> known;
};
} // namespace
