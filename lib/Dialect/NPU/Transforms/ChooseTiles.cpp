//===- ChooseTiles.cpp - tile sizes, loop order and residency -------------===//

#include "GroupProblem.h"
#include "ScheduleTree.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

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
  remark::analysis(graph.stages[group.array ? *group.array : *group.tail].getRoot().op.getLoc(),
                   RemarkOpts::name("Tiled").category("npu-tile").function(kernel.getSymName()))
      << remark::metric("tile", printTiles(group.problem, schedule))
      << remark::metric("order", printOrder(group.problem, schedule))
      << remark::metric("clusters", schedule.clusterCount)
      << remark::metric("sramBytes", footprint.sramBytes)
      << remark::metric("accBytes", footprint.accBytes)
      << remark::metric("predictedCycles", static_cast<int64_t>(schedule.predictedCycles))
      << remark::metric("rooflineCycles",
                        static_cast<int64_t>(getRooflineCycles(group.problem, graph.target)));
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

namespace {
struct ChooseTiles : npu::impl::NPUChooseTilesBase<ChooseTiles> {
  void runOnOperation() override {
    bool hasFailed = false;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty())
        hasFailed |= failed(chooseTiles(kernel));
      return WalkResult::skip();
    });
    if (hasFailed)
      signalPassFailure();
  }

  LogicalResult chooseTiles(KernelOp kernel) {
    if (failed(checkAddressable(kernel)))
      return failure();
    FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
    if (failed(graph))
      return failure();
    if (kernel.getScheduleAttr())
      return ScheduleTree::create(*graph, kernel.getScheduleAttr());
    std::vector<GroupProblem> problems;
    std::vector<Schedule> schedules;
    for (unsigned group = 0; group < graph->numGroups; ++group) {
      const GroupProblem &problem = problems.emplace_back(makeProblem(*graph, group));
      if (failed(checkSplit(*graph, problem)))
        return failure();
      FailureOr<Schedule> schedule = search(*graph, problem);
      if (failed(schedule))
        return failure();
      schedules.push_back(std::move(*schedule));
      emitRemark(*graph, problem, schedules.back());
    }
    if (graph->numGroups > 1)
      graph->nameStages();
    kernel.setScheduleAttr(makeSchedule(*graph, problems, schedules));
    return success();
  }

  FailureOr<Schedule> search(const StageGraph &graph, const GroupProblem &group) {
    std::string key = (graph.target.name + group.problem.getKey());
    auto found = known.find(key);
    if (found == known.end()) {
      std::optional<Schedule> schedule = searchTiles(group.problem, graph.target);
      if (!schedule)
        return reportDoesNotFit(graph, group, getSmallestSchedule(group.problem));
      found = known.emplace(std::move(key), std::move(*schedule)).first;
    }
    return found->second;
  }

  /// Equal problems have equal answers, and networks repeat their layers.
  std::map<std::string, Schedule> known;
};
} // namespace
