//===- ImportMLProgram.cpp - globals become those of the host program -----===//

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"

namespace npu::input {
#define GEN_PASS_DEF_IMPORTMLPROGRAM
#include "NPU/InputConversion/Passes.h.inc"
} // namespace npu::input

using namespace mlir;
using namespace npu;

static LogicalResult importGlobal(ml_program::GlobalOp global) {
  TypedAttr value;
  if (std::optional<Attribute> attr = global.getValue()) {
    if (isa<ml_program::ExternAttr>(*attr))
      return global.emitOpError("expected a value, found one that comes from outside; write a "
                                "util.global with #flow.parameter.named to have it loaded");
    value = dyn_cast<TypedAttr>(*attr);
    if (!value || value.getType() != global.getType())
      return global.emitOpError("expected a value of type ")
             << global.getType() << ", found " << *attr;
  }
  OpBuilder builder(global);
  auto host = util::GlobalOp::create(builder, global.getLoc(), global.getSymVisibilityAttr(),
                                     global.getSymNameAttr(), global.getTypeAttr(),
                                     global.getIsMutableAttr(), value,
                                     /*inlining_policy=*/Attribute());
  host->setDiscardableAttrs(llvm::to_vector(global->getDiscardableAttrs()));
  global.erase();
  return success();
}

/// The global that `op` accesses, which must be one of the module itself.
static FailureOr<FlatSymbolRefAttr> getGlobal(Operation *op, SymbolRefAttr symbol) {
  if (auto flat = dyn_cast<FlatSymbolRefAttr>(symbol))
    return flat;
  return op->emitOpError("expected a global of the same module, found ") << symbol, failure();
}

static LogicalResult importLoad(Operation *op, SymbolRefAttr symbol, bool isImmutable) {
  FailureOr<FlatSymbolRefAttr> global = getGlobal(op, symbol);
  if (failed(global))
    return failure();
  OpBuilder builder(op);
  auto load = util::GlobalLoadOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                         isImmutable ? builder.getUnitAttr() : nullptr, *global);
  op->replaceAllUsesWith(load);
  op->erase();
  return success();
}

static LogicalResult importOp(Operation *op) {
  if (auto global = dyn_cast<ml_program::GlobalOp>(op))
    return importGlobal(global);
  if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
    return importLoad(load, load.getGlobal(), /*isImmutable=*/false);
  if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
    return importLoad(load, load.getGlobal(), /*isImmutable=*/true);
  auto store = dyn_cast<ml_program::GlobalStoreOp>(op);
  if (!store)
    return success();
  FailureOr<FlatSymbolRefAttr> global = getGlobal(store, store.getGlobal());
  if (failed(global))
    return failure();
  OpBuilder builder(store);
  util::GlobalStoreOp::create(builder, store.getLoc(), store.getValue(), *global);
  store.erase();
  return success();
}

namespace {
struct ImportMLProgram : npu::input::impl::ImportMLProgramBase<ImportMLProgram> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAnyOf<ml_program::MLProgramDialect>())
      return markAllAnalysesPreserved();
    WalkResult result = getOperation().walk([](Operation *op) { return WalkResult(importOp(op)); });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
