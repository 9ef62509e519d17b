//===- OutlineOps.cpp - functions of one op each --------------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace npu::host {
#define GEN_PASS_DEF_OUTLINEOPS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// Functions of fewer ops are compiled fastest as they are.
static constexpr size_t minOps = 64;

namespace {
struct OutlineOps : npu::host::impl::OutlineOpsBase<OutlineOps> {
  void runOnOperation() override {
    functions.clear();
    for (func::FuncOp function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      outline(function);
  }

  void outline(func::FuncOp function) {
    if (function.isExternal())
      return;
    SmallVector<linalg::LinalgOp> ops;
    for (Block &block : function.getBody())
      llvm::append_range(ops, block.getOps<linalg::LinalgOp>());
    if (ops.size() < minOps)
      return;
    for (linalg::LinalgOp op : ops)
      if (op.hasPureBufferSemantics())
        outline(function, op);
  }

  void outline(func::FuncOp caller, linalg::LinalgOp op) {
    llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
    OpBuilder builder(caller);
    SmallVector<Type> types =
        llvm::map_to_vector(values, [](Value value) { return value.getType(); });
    auto function =
        func::FuncOp::create(builder, op.getLoc(), "", builder.getFunctionType(types, {}));
    function.setPrivate();
    // LLVM would put it back where it is called once.
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    mapping.map(values.getArrayRef(), function.getArguments());
    builder.clone(*op, mapping);
    func::ReturnOp::create(builder, op.getLoc());

    // Networks repeat their ops.
    std::string text;
    llvm::raw_string_ostream os(text);
    function->print(os, OpPrintingFlags().useLocalScope());
    func::FuncOp &known = functions[text];
    if (known) {
      function->erase();
    } else {
      known = function;
      function.setName("npu_op_" + std::to_string(functions.size() - 1));
    }
    builder.setInsertionPoint(op);
    func::CallOp::create(builder, op.getLoc(), known, values.getArrayRef());
    op->erase();
  }

  llvm::StringMap<func::FuncOp> functions;
};
} // namespace
