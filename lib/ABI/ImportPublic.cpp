//===- ImportPublic.cpp - functions become host functions -----------------===//

#include "NPU/ABI/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace npu::abi {
#define GEN_PASS_DEF_IMPORTPUBLIC
#include "NPU/ABI/Passes.h.inc"
} // namespace npu::abi

using namespace mlir;
using namespace npu;

static void importFunction(func::FuncOp func) {
  OpBuilder builder(func);
  auto host = util::FuncOp::create(builder, func.getLoc(), func.getSymNameAttr(),
                                   func.getFunctionTypeAttr(), /*tied_operands=*/ArrayAttr(),
                                   func.getSymVisibilityAttr(), func.getArgAttrsAttr(),
                                   func.getResAttrsAttr(), /*inlining_policy=*/Attribute());
  host->setDiscardableAttrs(llvm::to_vector(func->getDiscardableAttrs()));
  host.getBody().takeBody(func.getBody());
  func.erase();
}

/// Returns whether `op` was one to import.
static bool importOp(Operation *op) {
  OpBuilder builder(op);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto host = util::CallOp::create(
        builder, call.getLoc(), call.getResultTypes(), call.getCalleeAttr(), call.getOperands(),
        /*tied_operands=*/ArrayAttr(), call.getArgAttrsAttr(), call.getResAttrsAttr());
    call.replaceAllUsesWith(host.getResults());
    call.erase();
    return true;
  }
  if (isa<func::ReturnOp>(op)) {
    util::ReturnOp::create(builder, op->getLoc(), op->getOperands());
    op->erase();
    return true;
  }
  return false;
}

namespace {
struct ImportPublic : npu::abi::impl::ImportPublicBase<ImportPublic> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAnyOf<func::FuncDialect>())
      return markAllAnalysesPreserved();
    bool changed = false;
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      importFunction(func);
      changed = true;
    }
    for (auto func : getOperation().getOps<util::FuncOp>())
      func.walk([&](Operation *op) { changed |= importOp(op); });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
