//===- CheckFit.cpp - whether kernels can be tiled for their target -------===//

#include "GroupProblem.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"
#include "NPU/Target/ISA/Instructions.h"

namespace npu {
#define GEN_PASS_DEF_NPUCHECKFIT
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// Whether some index along an axis is outside of the tensor.
static bool leavesTensor(const tile::Problem &problem, const tile::Axis &axis) {
  int64_t first = axis.offset, last = axis.offset;
  for (const tile::Term &term : axis.terms)
    (term.coefficient < 0 ? first : last) += term.coefficient * (problem.dims[term.dim].extent - 1);
  return first < 0 || last >= axis.extent;
}

/// A load has a dimension for each that its buffer has, and for each other one along which it has
/// to know where the tensor ends. Contractions and convolutions have few.
static LogicalResult checkLoads(const StageGraph &graph, const GroupProblem &group) {
  const tile::Problem &problem = group.problem;
  if (problem.array)
    return success();
  for (auto [buffer, owner] : llvm::zip_equal(problem.buffers, group.owners)) {
    if (!buffer.isLoaded())
      continue;
    size_t count = buffer.order.size();
    for (auto [index, axis] : llvm::enumerate(buffer.axes))
      count += !llvm::is_contained(buffer.order, index) && leavesTensor(problem, axis);
    NPUComputeOpInterface op = graph.stages[owner.stage].getRoot().op;
    if (count > isa::maxDmaDims)
      return emitRejection(op, {RejectionKind::DimensionCount,
                                Twine(count) + " that a load has, " + op->getName().getStringRef(),
                                "at most " + Twine(isa::maxDmaDims)});
  }
  return success();
}

LogicalResult npu::checkFit(KernelOp kernel) {
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
    if (failed(checkLoads(*graph, problem)))
      return failure();
  }
  return success();
}

namespace {
struct CheckFit : npu::impl::NPUCheckFitBase<CheckFit> {
  void runOnOperation() override {
    bool fits = true;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty()) // tensor form
        fits &= succeeded(checkFit(kernel));
    });
    if (!fits)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
