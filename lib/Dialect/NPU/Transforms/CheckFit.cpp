//===- CheckFit.cpp - whether kernels can be tiled for their target -------===//

#include "KernelModel.h"

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
  FailureOr<KernelModel> model = analyzeKernel(kernel);
  if (failed(model))
    return failure();
  tile::Schedule smallest = tile::getSmallestSchedule(model->problem);
  if (!tile::fits(model->problem, smallest, model->target))
    return reportDoesNotFit(*model, smallest);
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
