//===- KernelForm.cpp - which form a kernel is in -------------------------===//

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "BufferUsage.h"

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
  return success();
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
  return failure(result.wasInterrupted());
}
