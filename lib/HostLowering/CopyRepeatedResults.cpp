//===- CopyRepeatedResults.cpp - every returned buffer is a value of its own ===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npu::host {
#define GEN_PASS_DEF_COPYREPEATEDRESULTS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct CopyRepeatedResults : npu::host::impl::CopyRepeatedResultsBase<CopyRepeatedResults> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!op->hasTrait<OpTrait::ReturnLike>() || op->getParentOp() != getOperation())
        return;
      OpBuilder builder(op);
      llvm::SmallDenseSet<Value> seen;
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        if (!type || seen.insert(operand.get()).second)
          continue;
        Value copy = memref::AllocOp::create(builder, op->getLoc(), type);
        memref::CopyOp::create(builder, op->getLoc(), operand.get(), copy);
        operand.set(copy);
      }
    });
  }
};
} // namespace
