//===- OutlineDispatchExterns.cpp - external code becomes executables -----===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace npu::flow {
#define GEN_PASS_DEF_OUTLINEDISPATCHEXTERNS
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// Returns the target's format as a name that needs no quotes.
static std::string getVariantName(hal::ExecutableTargetAttr target) {
  std::string name = target.getFormat().getValue().lower();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

/// Builds the variant of the `number`-th target of `dispatch` at the builder and returns its name
/// and the name of its entry point.
static SmallVector<FlatSymbolRefAttr> buildVariant(OpBuilder &builder,
                                                   hal::DispatchExternOp dispatch, size_t number,
                                                   SymbolTable &variants) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = dispatch.getLoc();
  StringAttr isPublic = builder.getStringAttr("public");
  auto target = cast<hal::ExecutableTargetAttr>(dispatch.getTargets()[number]);
  auto variant = hal::ExecutableVariantOp::create(
      builder, loc, isPublic, builder.getStringAttr(getVariantName(target)), target,
      cast<ArrayAttr>(dispatch.getTargetObjects()[number]), /*sources=*/DictionaryAttr());
  // Targets that differ in their conditions only have the same format: the table renames.
  variants.insert(variant);

  builder.createBlock(&variant.getBody());
  if (Region &condition = dispatch.getTargetRegions()[number]; !condition.empty()) {
    auto type = builder.getFunctionType(condition.getArgumentTypes(), builder.getI1Type());
    auto conditionOp = hal::ExecutableConditionOp::create(
        builder, loc, type, /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
    conditionOp.getBody().takeBody(condition);
  }
  auto exportOp = hal::ExecutableExportOp::create(
      builder, loc, isPublic, dispatch.getExportNameAttr(),
      cast<IntegerAttr>(dispatch.getTargetOrdinals()[number]), dispatch.getLayoutAttr(),
      /*condition_fallback=*/FlatSymbolRefAttr(), dispatch.getWorkgroupSizeAttr(),
      dispatch.getSubgroupSizeAttr(), dispatch.getWorkgroupLocalMemoryAttr(),
      /*source_locs=*/DictionaryAttr());
  exportOp->setDiscardableAttrs(llvm::to_vector(dispatch->getDiscardableAttrs()));
  IRMapping mapping;
  dispatch.getWorkgroupCount().cloneInto(&exportOp.getWorkgroupCount(), mapping);
  hal::ExecutableVariantEndOp::create(builder, loc);
  return {FlatSymbolRefAttr::get(variant.getSymNameAttr()),
          FlatSymbolRefAttr::get(exportOp.getSymNameAttr())};
}

/// Builds the executable of `dispatch` before `position` and returns its entry points.
static ArrayAttr outline(hal::DispatchExternOp dispatch, Operation *position,
                         SymbolTable &symbols) {
  OpBuilder builder(position);
  Location loc = dispatch.getLoc();
  auto executable =
      hal::ExecutableOp::create(builder, loc, builder.getStringAttr("private"),
                                /*lazy=*/UnitAttr(), builder.getStringAttr("extern_dispatch"));
  symbols.insert(executable, Block::iterator(position));

  builder.createBlock(&executable.getBody());
  hal::ExecutableEndOp end = hal::ExecutableEndOp::create(builder, loc);
  SymbolTable variants(executable);
  builder.setInsertionPoint(end);
  SmallVector<Attribute> entryPoints;
  for (size_t number = 0; number < dispatch.getTargets().size(); ++number)
    entryPoints.push_back(SymbolRefAttr::get(executable.getSymNameAttr(),
                                             buildVariant(builder, dispatch, number, variants)));
  return builder.getArrayAttr(entryPoints);
}

namespace {
struct OutlineDispatchExterns
    : npu::flow::impl::OutlineDispatchExternsBase<OutlineDispatchExterns> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (Operation &holder : llvm::make_early_inc_range(getOperation().getOps())) {
      WalkResult result = holder.walk([&](hal::DispatchExternOp dispatch) {
        if (dispatch.getTargets().empty()) {
          dispatch.emitOpError("expected at least one target to have code for, found none; add one "
                               "to its 'objects'");
          return WalkResult::interrupt();
        }
        OpBuilder builder(dispatch);
        auto replacement = DispatchOp::create(
            builder, dispatch.getLoc(), dispatch.getResultTypes(), dispatch.getWorkload(),
            outline(dispatch, &holder, symbols), dispatch.getArguments(),
            dispatch.getArgumentDims(), dispatch.getResultDims(), dispatch.getTiedOperandsAttr());
        replacement->setDiscardableAttrs(llvm::to_vector(dispatch->getDiscardableAttrs()));
        dispatch.replaceAllUsesWith(replacement.getResults());
        dispatch.erase();
        return WalkResult::advance();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
