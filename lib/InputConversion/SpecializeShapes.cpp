//===- SpecializeShapes.cpp - static shapes for arguments -----------------===//

#include "NPU/InputConversion/Passes.h"

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu::input {
#define GEN_PASS_DEF_SPECIALIZESHAPES
#include "NPU/InputConversion/Passes.h.inc"
} // namespace npu::input

using namespace mlir;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

static bool isTosa(Operation *op) { return isa_and_nonnull<tosa::TosaDialect>(op->getDialect()); }

/// Whether another pass infers the types of `op` from those of its operands.
static bool isInferred(Operation *op) {
  return isTosa(op) || isa_and_nonnull<npu::onnx_ir::ONNXDialect>(op->getDialect());
}

/// Returns `type` with the sizes that `text` names, as in `4x64`; nothing is the shape of a scalar.
static FailureOr<RankedTensorType> parseShape(func::FuncOp function, unsigned number,
                                              TensorType type, StringRef text) {
  auto emitMismatch = [&](StringRef expected) -> InFlightDiagnostic {
    return function.emitOpError("expected ") << expected << " for argument " << number
                                             << " of type " << type << ", found '" << text << "'";
  };
  SmallVector<StringRef> parts;
  text.split(parts, 'x', /*MaxSplit=*/-1, /*KeepEmpty=*/!text.empty());
  SmallVector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return emitMismatch("sizes such as 4x64");
    shape.push_back(size);
  }
  auto specialized = RankedTensorType::get(shape, type.getElementType());
  if (failed(verifyCompatibleShape(type, specialized)))
    return emitMismatch("a shape that fits");
  return specialized;
}

/// Checks that dimensions of one name get one size in all arguments of an ONNX model: `types` are
/// those that `function` is about to have.
static LogicalResult checkNames(func::FuncOp function, ArrayRef<Type> types) {
  auto unnamed = StringAttr::get(function.getContext(), "");
  llvm::DenseMap<Attribute, std::pair<int64_t, unsigned>> sizes; // and the argument it is from
  for (auto [number, before, after] : llvm::enumerate(function.getArgumentTypes(), types)) {
    auto names = function.getArgAttrOfType<ArrayAttr>(number, npu::onnx_ir::dimensionsAttrName);
    auto shaped = dyn_cast<RankedTensorType>(before);
    if (!names || !shaped || names.size() != size_t(shaped.getNumDynamicDims()))
      continue;
    const Attribute *nextName = names.begin();
    for (auto [dimension, size] : llvm::enumerate(shaped.getShape())) {
      if (!ShapedType::isDynamic(size))
        continue;
      Attribute name = *nextName++;
      int64_t found = cast<RankedTensorType>(after).getDimSize(dimension);
      auto [known, isNew] = sizes.try_emplace(name, found, number);
      if (name != unnamed && known->second.first != found)
        return function.emitError("expected dimension ")
               << name << " to be " << known->second.first << " in input " << number
               << ", as in input " << known->second.second << ", found " << found;
    }
  }
  return success();
}

namespace {
/// An elementwise op on tensors whose shapes are known makes one of that shape.
struct RefineElementwise : RewritePattern {
  explicit RefineElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 ||
        !isDynamic(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "not an elementwise op of dynamic shape");
    SmallVector<Value> operands;
    RankedTensorType refined;
    for (Value operand : op->getOperands()) {
      auto cast = operand.getDefiningOp<tensor::CastOp>();
      operands.push_back(cast ? cast.getSource() : operand);
      auto type = dyn_cast<RankedTensorType>(operands.back().getType());
      if (type && !type.hasStaticShape())
        return rewriter.notifyMatchFailure(op, "an operand is of dynamic shape");
      refined = type ? type : refined;
    }
    if (!refined)
      return rewriter.notifyMatchFailure(op, "no operand is a tensor");
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Operation *copy = rewriter.clone(*op);
    copy->setOperands(operands);
    copy->getResult(0).setType(type.clone(refined.getShape()));
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, copy->getResult(0));
    return success();
  }
};

/// A concatenation of tensors whose shapes are known.
struct RefineConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto cast = operand.get().getDefiningOp<tensor::CastOp>();
      if (!cast || isDynamic(cast.getSource().getType()))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(cast.getSource()); });
      changed = true;
    }
    // Upstream infers the result.
    return success(changed);
  }
};

/// A condition or switch that yields tensors of the same known shape on all ways.
template <typename OpTy>
struct RefineBranches : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      SmallVector<OpOperand *> yielded;
      llvm::SmallDenseSet<Type> known;
      for (Region &region : op->getRegions()) {
        Operation *yield = region.front().getTerminator();
        yielded.push_back(&yield->getOpOperand(result.getResultNumber()));
        auto cast = yielded.back()->get().template getDefiningOp<tensor::CastOp>();
        known.insert(cast ? cast.getSource().getType() : type);
      }
      if (!isDynamic(type) || known.size() != 1 || isDynamic(*known.begin()))
        continue;
      changed = true;
      rewriter.modifyOpInPlace(op, [&] { result.setType(*known.begin()); });
      for (OpOperand *operand : yielded)
        rewriter.modifyOpInPlace(operand->getOwner(), [&] {
          operand->set(operand->get().template getDefiningOp<tensor::CastOp>().getSource());
        });
      rewriter.setInsertionPointAfter(op);
      auto cast = tensor::CastOp::create(rewriter, op.getLoc(), type, result);
      rewriter.replaceAllUsesExcept(result, cast, cast);
    }
    return success(changed);
  }
};
} // namespace

/// Replaces transpositions that change nothing by their operands. Upstream folds them, too, but to
/// an operand of another type when one of operand and result is known better already.
static void dropIdentityTranspositions(func::FuncOp function) {
  function.walk([](linalg::TransposeOp op) {
    if (!op.hasPureTensorSemantics() || !isIdentityPermutation(op.getPermutation()))
      return;
    OpBuilder builder(op);
    Type type = op.getResult().front().getType();
    Value same = op.getInput();
    if (same.getType() != type)
      same = tensor::CastOp::create(builder, op.getLoc(), type, same);
    op->replaceAllUsesWith(ValueRange(same));
    op.erase();
  });
}

/// Lets types and sizes follow from those of the arguments: sizes become constants, which become
/// static types, of which more sizes are known.
static LogicalResult propagate(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  patterns.add<RefineConcat, RefineElementwise, RefineBranches<scf::IfOp>,
               RefineBranches<scf::IndexSwitchOp>>(context);
  return applyPatternsGreedily(function, std::move(patterns));
}

/// Returns what was cast to a less static type right before it is returned.
static void refineResults(func::FuncOp function) {
  SmallVector<func::ReturnOp> returns;
  function.walk([&](func::ReturnOp op) { returns.push_back(op); });
  if (returns.size() != 1)
    return;
  for (OpOperand &operand : returns.front()->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<tensor::CastOp>();
    if (!cast || !isDynamic(cast.getType()) || isDynamic(cast.getSource().getType()))
      continue;
    operand.set(cast.getSource());
    if (cast.use_empty())
      cast.erase();
  }
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     returns.front().getOperandTypes()));
}

namespace {
struct SpecializeShapes : npu::input::impl::SpecializeShapesBase<SpecializeShapes> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp entry = findFunction();
    if (!entry || failed(specialize(entry)))
      signalPassFailure();
  }

private:
  func::FuncOp findFunction() {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> found;
    for (auto candidate : module.getOps<func::FuncOp>())
      if (function.empty() ? candidate.isPublic() : candidate.getSymName() == function)
        found.push_back(candidate);
    if (found.size() == 1 && !found.front().isExternal())
      return found.front();
    if (!function.empty())
      module.emitError("expected a function '") << function << "' with a body, found none";
    else
      module.emitError("expected one public function with a body, found ")
          << found.size() << "; name one by function=";
    return {};
  }

  LogicalResult specialize(func::FuncOp entry) {
    if (!SymbolTable::symbolKnownUseEmpty(entry, getOperation()))
      return entry.emitOpError("expected a function that nothing calls; inline it first");
    SmallVector<unsigned> numbers;
    for (auto [number, type] : llvm::enumerate(entry.getArgumentTypes()))
      if (isDynamic(type))
        numbers.push_back(number);
    if (shapes.size() != numbers.size())
      return entry.emitOpError("expected ")
             << numbers.size() << " shapes, one for each argument of dynamic shape, found "
             << shapes.size();

    SmallVector<Type> types(entry.getArgumentTypes());
    for (auto [number, text] : llvm::zip_equal(numbers, shapes)) {
      FailureOr<RankedTensorType> type =
          parseShape(entry, number, cast<TensorType>(types[number]), text);
      if (failed(type))
        return failure();
      types[number] = *type;
    }
    if (numbers.empty())
      return success();
    if (failed(checkNames(entry, types)))
      return failure();
    dropIdentityTranspositions(entry);
    auto builder = OpBuilder::atBlockBegin(&entry.getBody().front());
    for (unsigned number : numbers) {
      BlockArgument argument = entry.getArgument(number);
      Type old = argument.getType();
      argument.setType(types[number]);
      auto cast = tensor::CastOp::create(builder, argument.getLoc(), old, argument);
      argument.replaceUsesWithIf(cast, [&](OpOperand &use) {
        return use.getOwner() != cast && !isInferred(use.getOwner());
      });
      entry.removeArgAttr(number, npu::onnx_ir::dimensionsAttrName);
    }
    entry.setType(FunctionType::get(&getContext(), types, entry.getResultTypes()));

    // Tosa's shape inference starts from the arguments themselves.
    bool hasTosa =
        entry.walk([](Operation *op) { return WalkResult(failure(isTosa(op))); }).wasInterrupted();
    OpPassManager pm(func::FuncOp::getOperationName());
    pm.addPass(tosa::createTosaInferShapesPass());
    if (hasTosa && failed(runPipeline(pm, entry)))
      return failure();
    if (failed(propagate(entry)))
      return failure();
    refineResults(entry);
    return success();
  }
};
} // namespace
