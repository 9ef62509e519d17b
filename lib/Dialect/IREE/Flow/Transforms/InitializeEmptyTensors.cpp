//===- InitializeEmptyTensors.cpp - allocate uninitialized tensors --------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::flow {
#define GEN_PASS_DEF_INITIALIZEEMPTYTENSORS
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// What takes the place of `op`.
static Value createInitialized(OpBuilder &builder, tensor::EmptyOp op, bool zeroFill) {
  Type type = op.getType().getElementType();
  if (!zeroFill || !isa<IntegerType, FloatType>(type))
    return TensorEmptyOp::create(builder, op.getLoc(), op.getType(), op.getDynamicSizes());
  Value zero = arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(type));
  return TensorSplatOp::create(builder, op.getLoc(), op.getType(), zero, op.getDynamicSizes());
}

namespace {
struct InitializeEmptyTensors
    : npu::flow::impl::InitializeEmptyTensorsBase<InitializeEmptyTensors> {
  using InitializeEmptyTensorsBase::InitializeEmptyTensorsBase;

  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAny<tensor::EmptyOp>())
      return markAllAnalysesPreserved();
    SmallVector<tensor::EmptyOp> ops;
    getOperation()->walk([&](tensor::EmptyOp op) {
      bool isHost =
          !op->getParentOfType<DispatchWorkgroupsOp>() && !op->getParentOfType<DispatchRegionOp>();
      if (isHost && !llvm::all_of(op->getUsers(), llvm::IsaPred<linalg::LinalgOp>))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    for (tensor::EmptyOp op : ops) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(createInitialized(builder, op, zeroFill));
      op.erase();
    }
  }
};
} // namespace
