//===- OutlineConstants.cpp - constants become globals --------------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/SymbolNames.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace npu::flow {
#define GEN_PASS_DEF_OUTLINECONSTANTS
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// The text of a parameter (`"scope"::"key"`); empty if `value` is none.
static StringRef getParameter(Attribute value) {
  auto opaque = dyn_cast<OpaqueAttr>(value);
  if (!opaque || opaque.getDialectNamespace() != FlowDialect::getDialectNamespace())
    return {};
  StringRef text = opaque.getAttrData();
  return text.consume_front("parameter.named<") && text.consume_back(">") ? text : StringRef();
}

/// The value of a constant that is worth a global.
static TypedAttr getOutlinedValue(Operation *op) {
  if (!isa<arith::ConstantOp, TensorConstantOp>(op))
    return {};
  auto value = op->getAttrOfType<TypedAttr>("value");
  if (!isa<RankedTensorType>(value.getType()))
    return {};
  auto elements = dyn_cast<ElementsAttr>(value);
  bool isOutlined = elements ? !elements.isSplat() : !getParameter(value).empty();
  return isOutlined ? value : TypedAttr();
}

/// `__constant_tensor_4xi8` or `__parameter_scope_key_tensor_4xi8`.
static std::string getName(TypedAttr value) {
  StringRef parameter = getParameter(value);
  return util::getSymbolName(parameter.empty() ? "__constant" : "__parameter", value.getType(),
                             parameter);
}

/// Replaces the constant `op` by a load of a new global before `holder`.
static void outline(Operation *op, TypedAttr value, Operation *holder, Attribute inlineNever,
                    SymbolTable &symbols) {
  OpBuilder builder(holder);
  auto global =
      util::GlobalOp::create(builder, op->getLoc(), builder.getStringAttr("private"),
                             builder.getStringAttr(getName(value)), TypeAttr::get(value.getType()),
                             /*is_mutable=*/UnitAttr(), value, inlineNever);
  global->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
  // The symbol table makes the name unique.
  symbols.insert(global, Block::iterator(holder));
  builder.setInsertionPoint(op);
  auto load = util::GlobalLoadOp::create(builder, op->getLoc(), value.getType(),
                                         /*is_immutable=*/builder.getUnitAttr(),
                                         FlatSymbolRefAttr::get(global));
  op->replaceAllUsesWith(load);
  op->erase();
}

namespace {
struct OutlineConstants : npu::flow::impl::OutlineConstantsBase<OutlineConstants> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    // The attribute is IREE's and kept as text by the dialect.
    Attribute inlineNever = parseAttribute("#util.inline.never", &getContext());
    for (Operation &holder : llvm::make_early_inc_range(getOperation().getOps())) {
      if (!isa<CallableOpInterface>(holder))
        continue;
      SmallVector<Operation *> constants;
      holder.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<DispatchWorkgroupsOp, DispatchRegionOp>(op))
          return WalkResult::skip();
        if (getOutlinedValue(op))
          constants.push_back(op);
        return WalkResult::advance();
      });
      for (Operation *op : constants)
        outline(op, getOutlinedValue(op), &holder, inlineNever, symbols);
    }
  }
};
} // namespace
