//===- CheckFit.cpp - whether kernels can be tiled for their target -------===//

#include "GroupProblem.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

namespace npu {
#define GEN_PASS_DEF_NPUCHECKFIT
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

static LogicalResult checkKernel(KernelOp kernel) {
  if (failed(checkAddressable(kernel)))
    return failure();
  FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
  if (failed(graph))
    return failure();
  for (unsigned group = 0; group < graph->numGroups; ++group) {
    GroupProblem problem = makeProblem(*graph, group);
    tile::Schedule smallest = tile::getSmallestSchedule(problem.problem);
    if (!tile::fits(problem.problem, smallest, graph->target))
      return reportDoesNotFit(*graph, problem, smallest);
  }
  return success();
}

namespace {
struct CheckFit : npu::impl::NPUCheckFitBase<CheckFit> {
  void runOnOperation() override {
    bool fits = true;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty()) // tensor form
        fits &= succeeded(checkKernel(kernel));
    });
    if (!fits)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
