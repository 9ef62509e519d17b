//===- ONNXToLinalg.cpp - ONNX graphs to functions on tensors -------------===//

#include "ControlFlow.h"
#include "Lowering.h"

#include "NPU/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Transforms/DialectConversion.h"

namespace npu {
#define GEN_PASS_DEF_CONVERTONNXTOLINALG
#include "NPU/Conversion/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu::onnx_ir;

using LowerFn = void (*)(Lowering &);

static LowerFn getLowering(StringRef name) {
#define ONNX_OP(NAME, SINCE, MIN, MAX, OUTPUTS, ATTRIBUTES, CONSTANTS, INFER, FOLD, LOWER, RUNS,   \
                LIMITS)                                                                            \
  {#NAME, lower##LOWER},
  static const llvm::StringMap<LowerFn> lowerings{
#include "NPU/Dialect/ONNX/Specs/OpSpecs.def"
  };
#undef ONNX_OP
  return lowerings.lookup(name);
}

namespace {
/// Integers of all signs become signless ones.
struct SignlessTypes : TypeConverter {
  SignlessTypes() {
    addConversion([](Type type) { return type; });
    addConversion([](RankedTensorType type) { return getSignlessType(type); });
  }
};

struct ConvertNode : OpConversionPattern<NodeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(NodeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const OpSpec *spec = lookupOpSpec(op);
    if (!spec || spec->expand || !op.getGraphs().empty())
      return rewriter.notifyMatchFailure(op, "the operator is not lowered by itself");
    for (Type type : llvm::concat<Type>(SmallVector<Type>(op.getOperandTypes()),
                                        SmallVector<Type>(op.getResultTypes())))
      if (!isa<NoneType>(type) &&
          !(isa<RankedTensorType>(type) && cast<RankedTensorType>(type).hasStaticShape()))
        return rewriter.notifyMatchFailure(op, "types are not inferred");
    Node node(op, getOpset(op));
    Lowering builder(node, adaptor.getInputs(), rewriter);
    getLowering(spec->name)(builder);
    SmallVector<Value> results(builder.getResults());
    for (auto [index, result] : llvm::enumerate(results))
      if (!result && op.getResult(index).use_empty())
        result = NoneOp::create(builder, rewriter.getNoneType());
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertConstant : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ElementsAttr value = op.getValue();
    RankedTensorType type = getSignlessType(cast<RankedTensorType>(value.getType()));
    if (type != value.getType()) {
      if (auto dense = dyn_cast<DenseElementsAttr>(value))
        value = dense.bitcast(type.getElementType());
      else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
        value = DenseResourceElementsAttr::get(type, resource.getRawHandle());
      else
        return rewriter.notifyMatchFailure(op, "expected dense elements or a resource");
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, type, cast<TypedAttr>(value));
    return success();
  }
};

/// Results of which only a part counts become all of it, and the counts results of their own.
void returnWholes(func::FuncOp function) {
  auto returned = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
  if (!returned)
    return;
  SmallVector<Value> results(returned.getOperands());
  SmallVector<DictionaryAttr> attributes;
  function.getAllResultAttrs(attributes);
  attributes.resize(results.size(), DictionaryAttr::get(function.getContext()));
  SmallVector<PrefixOp> prefixes;
  for (unsigned index = 0, count = results.size(); index < count; ++index) {
    auto prefix = results[index].getDefiningOp<PrefixOp>();
    if (!prefix)
      continue;
    prefixes.push_back(prefix);
    results[index] = prefix.getSource();
    auto begin = results.begin() + count;
    int64_t number = std::find(begin, results.end(), prefix.getCount()) - results.begin();
    NamedAttrList own(attributes[index]);
    Builder builder(function.getContext());
    own.set(lengthAttrName,
            builder.getDenseI64ArrayAttr({static_cast<int64_t>(prefix.getAxis()), number}));
    attributes[index] = own.getDictionary(function.getContext());
    if (number < static_cast<int64_t>(results.size()))
      continue;
    results.push_back(prefix.getCount());
    NamedAttrList ofCount;
    if (auto name = dyn_cast_or_null<StringAttr>(own.get(nameAttrName)))
      ofCount.set(nameAttrName, builder.getStringAttr(name.getValue() + ".length"));
    attributes.push_back(ofCount.getDictionary(function.getContext()));
  }
  if (prefixes.empty())
    return;
  returned.getOperandsMutable().assign(results);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     ValueRange(results).getTypes()));
  function.setAllResultAttrs(attributes);
  for (PrefixOp prefix : prefixes)
    if (prefix.use_empty())
      prefix.erase();
}

struct ConvertONNXToLinalg : npu::impl::ConvertONNXToLinalgBase<ConvertONNXToLinalg> {
  using ConvertONNXToLinalgBase::ConvertONNXToLinalgBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto holdsNodes = [](func::FuncOp function) {
      return function
          .walk([](Operation *op) {
            return isa_and_nonnull<ONNXDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
          })
          .wasInterrupted();
    };
    if (llvm::none_of(module.getOps<func::FuncOp>(), holdsNodes))
      return;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function.isExternal())
        returnWholes(function);
      lowerControlFlow(function);
    }
    SignlessTypes types;
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalDialect<ONNXDialect>();
    target.addLegalOp<NoneOp>();
    target.addDynamicallyLegalOp<func::FuncOp>(
        [&](func::FuncOp op) { return types.isSignatureLegal(op.getFunctionType()); });
    target.addDynamicallyLegalOp<func::ReturnOp>(
        [&](func::ReturnOp op) { return types.isLegal(op.getOperandTypes()); });
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertNode, ConvertConstant>(types, &getContext());
    populateControlFlowConversion(patterns, types, target);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
    populateReturnOpTypeConversionPattern(patterns, types);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    module.walk([](NoneOp op) {
      if (op.use_empty())
        op.erase();
    });
    // What the file says of itself is done with.
    for (auto function : module.getOps<func::FuncOp>())
      for (unsigned index = 0; index < function.getNumResults(); ++index)
        function.removeResultAttr(index, StringAttr::get(&getContext(), typeAttrName));
  }
};
} // namespace
