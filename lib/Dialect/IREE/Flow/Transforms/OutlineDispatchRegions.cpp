//===- OutlineDispatchRegions.cpp - dispatches become executables ---------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace npu::flow {
#define GEN_PASS_DEF_OUTLINEDISPATCHREGIONS
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// Builds the executable of `workgroups` before `position` and returns the name of its function.
static SymbolRefAttr outline(DispatchWorkgroupsOp workgroups, StringRef name, Operation *position,
                             SymbolTable &symbols) {
  OpBuilder builder(position);
  Location loc = workgroups.getLoc();
  auto executable = ExecutableOp::create(builder, loc, builder.getStringAttr("private"),
                                         builder.getStringAttr(name));
  // The symbol table makes the name unique.
  symbols.insert(executable, Block::iterator(position));
  StringAttr uniqueName = executable.getSymNameAttr();

  Block &body = executable.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  auto exportOp = ExecutableExportOp::create(builder, loc, /*sym_visibility=*/StringAttr(),
                                             uniqueName, FlatSymbolRefAttr::get(uniqueName));
  exportOp->setDiscardableAttrs(llvm::to_vector(workgroups->getDiscardableAttrs()));
  exportOp.getWorkgroupCount().takeBody(workgroups.getWorkgroupCount());
  auto module = ModuleOp::create(builder, loc);
  ExecutableEndOp::create(builder, loc);

  builder.setInsertionPointToStart(module.getBody());
  auto func = func::FuncOp::create(
      builder, loc, uniqueName,
      builder.getFunctionType(workgroups.getWorkgroupBody().getArgumentTypes(), {}));
  func.getBody().takeBody(workgroups.getWorkgroupBody());
  for (Block &block : func.getBody()) {
    auto terminator = dyn_cast<ReturnOp>(block.getTerminator());
    if (!terminator)
      continue;
    builder.setInsertionPoint(terminator);
    func::ReturnOp::create(builder, terminator.getLoc());
    terminator.erase();
  }
  return SymbolRefAttr::get(uniqueName, {FlatSymbolRefAttr::get(uniqueName)});
}

static void replaceByDispatch(DispatchWorkgroupsOp workgroups, SymbolRefAttr entryPoint,
                              Location loc) {
  OpBuilder builder(workgroups);
  auto dispatch = DispatchOp::create(builder, loc, workgroups.getResultTypes(),
                                     workgroups.getWorkload(), builder.getArrayAttr(entryPoint),
                                     workgroups.getArguments(), workgroups.getArgumentDims(),
                                     workgroups.getResultDims(), workgroups.getTiedOperandsAttr());
  dispatch->setDiscardableAttrs(llvm::to_vector(workgroups->getDiscardableAttrs()));
  workgroups.replaceAllUsesWith(dispatch.getResults());
  workgroups.erase();
}

namespace {
struct OutlineDispatchRegions
    : npu::flow::impl::OutlineDispatchRegionsBase<OutlineDispatchRegions> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    unsigned numInitializers = 0;
    for (Operation &holder : llvm::make_early_inc_range(getOperation().getOps())) {
      std::string prefix;
      if (isa<util::InitializerOp>(holder))
        prefix = "_initializer_" + std::to_string(numInitializers++);
      else if (auto func = dyn_cast<FunctionOpInterface>(holder))
        prefix = func.getName();
      else
        continue;
      SmallVector<DispatchWorkgroupsOp> dispatches;
      holder.walk([&](DispatchWorkgroupsOp op) { dispatches.push_back(op); });
      for (auto [number, dispatch] : llvm::enumerate(dispatches)) {
        std::string name = prefix + "_dispatch_" + std::to_string(number);
        // Equal executables become one, so that only the dispatch can tell what it is of.
        Location loc = getSourceLocation({dispatch, &dispatch.getWorkgroupBody()});
        replaceByDispatch(dispatch, outline(dispatch, name, &holder, symbols), loc);
      }
    }
  }
};
} // namespace
