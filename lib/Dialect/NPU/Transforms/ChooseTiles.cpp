//===- ChooseTiles.cpp - tile sizes, loop order and residency -------------===//

#include "KernelModel.h"

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

static void emitRemark(KernelModel &model, const Schedule &schedule) {
  using remark::RemarkOpts;
  Footprint footprint = getFootprint(model.problem, schedule);
  remark::analysis(
      model.root.getLoc(),
      RemarkOpts::name("Tiled").category("npu-tile").function(model.kernel.getSymName()))
      << remark::metric("tile", printTiles(model.problem, schedule))
      << remark::metric("order", printOrder(model.problem, schedule))
      << remark::metric("clusters", schedule.clusterCount)
      << remark::metric("sramBytes", footprint.sramBytes)
      << remark::metric("accBytes", footprint.accBytes)
      << remark::metric("predictedCycles", static_cast<int64_t>(schedule.predictedCycles))
      << remark::metric("rooflineCycles",
                        static_cast<int64_t>(getRooflineCycles(model.problem, model.target)));
}

namespace {
struct ChooseTiles : npu::impl::NPUChooseTilesBase<ChooseTiles> {
  void runOnOperation() override {
    // Equal problems have equal answers, and networks repeat their layers.
    std::map<std::string, Schedule> known;
    bool hasFailed = false;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty())
        hasFailed |= failed(chooseTiles(kernel, known));
      return WalkResult::skip();
    });
    if (hasFailed)
      signalPassFailure();
  }

  LogicalResult chooseTiles(KernelOp kernel, std::map<std::string, Schedule> &known) {
    if (failed(checkAddressable(kernel)))
      return failure();
    FailureOr<KernelModel> model = analyzeKernel(kernel);
    if (failed(model))
      return failure();
    FailureOr<std::optional<Schedule>> given = readSchedule(*model);
    if (failed(given))
      return failure();
    if (*given)
      return success();
    std::string key = (kernel.getTargetAttr().getName().getValue() + model->problem.getKey()).str();
    auto found = known.find(key);
    if (found == known.end()) {
      std::optional<Schedule> schedule = searchTiles(model->problem, model->target);
      if (!schedule)
        return reportDoesNotFit(*model, getSmallestSchedule(model->problem));
      found = known.emplace(std::move(key), std::move(*schedule)).first;
    }
    writeSchedule(*model, found->second);
    emitRemark(*model, found->second);
    return success();
  }
};
} // namespace
