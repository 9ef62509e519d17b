//===- SeparateEmpties.cpp - a tensor.empty for every use -----------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::host {
#define GEN_PASS_DEF_SEPARATEEMPTIES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct SeparateEmpties : npu::host::impl::SeparateEmptiesBase<SeparateEmpties> {
  void runOnOperation() override {
    getOperation()->walk([](tensor::EmptyOp op) {
      if (op->use_empty())
        return;
      OpBuilder builder(op);
      for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
        use.set(builder.clone(*op)->getResult(0));
    });
  }
};
} // namespace
