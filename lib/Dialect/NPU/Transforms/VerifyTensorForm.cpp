//===- VerifyTensorForm.cpp - the contract after legalization -------------===//

#include "BufferUsage.h"
#include "StageGraph.h"

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu {
#define GEN_PASS_DEF_NPUVERIFYTENSORFORM
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

LogicalResult npu::verifyTensorOps(KernelOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitOpError("expected one block but found control flow");
  bool isValid = true;
  for (Operation &op : kernel.getBody().getOps()) {
    auto compute = dyn_cast<NPUComputeOpInterface>(op);
    if (llvm::isa<ReturnOp, tensor::EmptyOp, arith::ConstantOp>(op) || isMovableSlice(&op) ||
        (compute && !compute.hasBufferForm()))
      continue;
    op.emitOpError(
        "is not part of the tensor form, which has npu compute ops on tensors, slices of "
        "arguments, tensor.empty, arith.constant and npu.return only");
    isValid = false;
  }
  return success(isValid);
}

/// What is wrong with the type of a value called `what`; reports it at `op`.
static LogicalResult verifyType(Operation *op, const Twine &what, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return op->emitOpError("expected a ranked tensor as ") << what << " but found " << type;
  for (auto [index, size] : llvm::enumerate(tensor.getShape()))
    if (ShapedType::isDynamic(size))
      return op->emitOpError("expected static shapes but dimension ")
             << index << " of " << what << " is dynamic; compile with static shapes";
  if (!isElementType(tensor.getElementType()))
    return op->emitOpError("expected element type i1, i8, i16, i32, f16, bf16 or f32 of ")
           << what << " but found " << tensor.getElementType();
  return success();
}

static LogicalResult verifyTensorSignature(KernelOp kernel) {
  if (!kernel.getTarget())
    return kernel.emitOpError("expected a target but found none; run convert-func-to-kernel or "
                              "add the attribute 'target'");
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (failed(verifyType(kernel, "argument " + Twine(index), type)))
      return failure();
  for (auto [index, type] : llvm::enumerate(kernel.getResultTypes()))
    if (failed(verifyType(kernel, "result " + Twine(index), type)))
      return failure();
  return success();
}

static LogicalResult verifyTypes(Operation *op) {
  if (llvm::isa<ReturnOp>(op))
    return success();
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(verifyType(op, "operand " + Twine(index), type)))
      return failure();
  if (auto compute = dyn_cast<NPUComputeOpInterface>(op))
    if (failed(checkContents(compute)))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyType(op, "result " + Twine(index), type)))
      return failure();
  return success();
}

namespace {
struct VerifyTensorForm : npu::impl::NPUVerifyTensorFormBase<VerifyTensorForm> {
  void runOnOperation() override {
    bool isValid = true;
    getOperation()->walk([&](KernelOp kernel) {
      isValid &= succeeded(verifyTensorSignature(kernel));
      if (failed(verifyTensorOps(kernel))) {
        isValid = false;
        return;
      }
      for (Operation &op : kernel.getBody().getOps())
        isValid &= succeeded(verifyTypes(&op));
    });
    if (!isValid)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
