//===- KernelForm.cpp - which form a kernel is in -------------------------===//

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "BufferUsage.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace npu;

/// The first op on tensors, or the kernel itself when its signature has tensors; null otherwise.
static Operation *findTensors(KernelOp kernel) {
  if (llvm::any_of(kernel.getArgumentTypes(), llvm::IsaPred<TensorType>) ||
      llvm::any_of(kernel.getResultTypes(), llvm::IsaPred<TensorType>))
    return kernel;
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    if (!llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
        !llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

static LogicalResult expectBuffers(KernelOp kernel, StringRef expected) {
  Operation *op = findTensors(kernel);
  if (!op)
    return success();
  return op->emitOpError("works on tensors, expected a kernel in ")
         << expected << "; run npu-choose-tiles and npu-lower-to-tiles first";
}

LogicalResult npu::expectTileForm(KernelOp kernel) {
  if (failed(expectBuffers(kernel, "tile form")))
    return failure();
  for (StreamOp stream : kernel.getBody().getOps<StreamOp>())
    return stream.emitOpError("is planned already, expected a kernel in tile form");
  return verifyTileOps(kernel);
}

LogicalResult npu::expectPlannedForm(KernelOp kernel) {
  if (failed(expectBuffers(kernel, "planned form")))
    return failure();
  WalkResult result = kernel.walk([](Operation *op) {
    if (!getExecutingEngine(op) || op->getParentOfType<StreamOp>())
      return WalkResult::advance();
    op->emitOpError("stands outside the streams, expected a kernel in planned form; run "
                    "npu-plan-memory and npu-pipeline-streams first");
    return WalkResult::interrupt();
  });
  return result.wasInterrupted() ? failure() : verifyPlannedOps(kernel);
}

/// Like getConstantIntValue, which takes more time because it folds. Passes read trip counts often.
static std::optional<int64_t> getConstant(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantIndexOp>())
    return constant.value();
  return getConstantIntValue(value);
}

std::optional<int64_t> npu::getTripCount(scf::ForOp loop) {
  std::optional<int64_t> trips = getConstant(loop.getUpperBound());
  if (getConstant(loop.getLowerBound()) != 0 || getConstant(loop.getStep()) != 1 || !trips ||
      *trips < 1 || loop.getNumResults() != 0)
    return std::nullopt;
  return trips;
}

FailureOr<int64_t> npu::expectTripCount(scf::ForOp loop) {
  if (std::optional<int64_t> trips = getTripCount(loop))
    return *trips;
  auto describe = [](Value value) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    return constant ? std::to_string(*constant) : std::string("a variable");
  };
  return loop.emitOpError("expected a loop from 0 in steps of 1 to a positive constant, without "
                          "results, but found one from ")
         << describe(loop.getLowerBound()) << " in steps of " << describe(loop.getStep()) << " to "
         << describe(loop.getUpperBound()) << ", with " << loop.getNumResults() << " results";
}
