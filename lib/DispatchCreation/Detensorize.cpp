//===- Detensorize.cpp - tensors of one element become scalars ------------===//

#include "NPU/DispatchCreation/Passes.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_DETENSORIZE
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;

/// Moves the code of one function to another of the other kind.
template <typename FromReturn, typename ToReturn>
static void moveBody(Region &from, Region &to) {
  to.takeBody(from);
  for (Block &block : to) {
    auto terminator = dyn_cast<FromReturn>(block.getTerminator());
    if (!terminator)
      continue;
    OpBuilder builder(terminator);
    ToReturn::create(builder, terminator.getLoc(), terminator.getOperands());
    terminator.erase();
  }
}

namespace {
struct Detensorize : npu::dispatch_creation::impl::DetensorizeBase<Detensorize> {
  using DetensorizeBase::DetensorizeBase;

  void runOnOperation() override {
    OpPassManager pm(func::FuncOp::getOperationName());
    LinalgDetensorizePassOptions options;
    options.aggressiveMode = aggressiveMode;
    pm.addPass(createLinalgDetensorizePass(options));
    // Upstream's pass knows the functions of the func dialect only.
    for (auto host : llvm::to_vector(getOperation().getOps<util::FuncOp>())) {
      if (host.isExternal())
        continue;
      OpBuilder builder(host);
      auto func =
          func::FuncOp::create(builder, host.getLoc(), host.getSymName(), host.getFunctionType());
      moveBody<util::ReturnOp, func::ReturnOp>(host.getBody(), func.getBody());
      bool succeeds = succeeded(runPipeline(pm, func));
      moveBody<func::ReturnOp, util::ReturnOp>(func.getBody(), host.getBody());
      func.erase();
      if (!succeeds)
        return signalPassFailure();
    }
  }
};
} // namespace
