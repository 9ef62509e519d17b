//===- LinalgToNPU.cpp - linalg on tensors to the npu dialect -------------===//

#include "NPU/Conversion/LinalgToNPU/LinalgToNPU.h"

#include "Matching.h"
#include "Patterns.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"
#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/DialectConversion.h"

namespace npu {
#define GEN_PASS_DEF_CONVERTLINALGTONPU
#include "NPU/Conversion/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// What converts
//===----------------------------------------------------------------------===//

LogicalResult npu::matchShapesAndTypes(Operation *op, Rejection &reason) {
  StringRef name = op->getName().getStringRef();
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    std::string operand = "operand " + std::to_string(index) + " of " + name.str();
    if (shaped && !isa<RankedTensorType>(type))
      return reject(reason, RejectionKind::NotATensor, debugString(type) + ", " + operand);
    if (shaped && !shaped.hasStaticShape()) {
      auto dim = llvm::find_if(shaped.getShape(), ShapedType::isDynamic);
      return reject(reason, RejectionKind::DynamicShape,
                    "dimension " + Twine(dim - shaped.getShape().begin()) + " of " + operand);
    }
    if (shaped && shaped.getNumElements() == 0)
      return reject(reason, RejectionKind::NoElements, operand);
    if (Type elementType = getElementTypeOrSelf(type); !isElementType(elementType))
      return reject(reason, RejectionKind::ElementType,
                    debugString(elementType) + " of " + operand);
  }
  return success();
}

/// Why `op` cannot run if it reads a tensor that nothing has written.
static std::optional<Rejection> getUninitializedFailure(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getDefiningOp<tensor::EmptyOp>() && op.payloadUsesValueFromOperand(&operand))
      return Rejection(RejectionKind::NoContents, "operand " + Twine(operand.getOperandNumber()) +
                                                      " of " + op->getName().getStringRef());
  return std::nullopt;
}

/// Accumulators and element-wise ops read the constant, not the tensor.
static bool readsConstant(OpOperand &use) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op && (!isReduction(op) || op.isDpsInit(&use));
}

static std::optional<Rejection> getFillFailure(linalg::FillOp fill) {
  if (getSplatConstant(fill->getResult(0)) && llvm::all_of(fill->getUses(), readsConstant))
    return std::nullopt;
  return Rejection(RejectionKind::Fill, getSplatConstant(fill->getResult(0))
                                            ? "another op reads it"
                                            : "of a value that is not constant");
}

/// A pad becomes part of the convolutions and windows that read it, or else a copy.
static std::optional<Rejection> getPadFailure(tensor::PadOp pad) {
  if (!mayPadAtLoads(pad))
    return Rejection(RejectionKind::Pad, "of a slice");
  if (pad.getSource().getDefiningOp<tensor::EmptyOp>())
    return Rejection(RejectionKind::NoContents, "operand 0 of tensor.pad");
  Rejection reason;
  if (failed(matchShapesAndTypes(pad, reason)))
    return reason;
  if (getConstantPadding(pad))
    return std::nullopt;
  return Rejection(RejectionKind::Pad,
                   debugString(pad.getSourceType()) + " to " + debugString(pad.getResultType()));
}

/// A reshape of an argument or of a result becomes part of the kernel's signature.
static std::optional<Rejection> getReshapeFailure(Operation *op) {
  bool isStatic = cast<ShapedType>(op->getOperand(0).getType()).hasStaticShape() &&
                  cast<ShapedType>(op->getResult(0).getType()).hasStaticShape();
  Value source = op->getOperand(0);
  bool isArgument = isa<BlockArgument>(source) && source.hasOneUse();
  bool isResult = llvm::all_of(
      op->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
  if (isStatic && (isArgument || isResult))
    return std::nullopt;
  return Rejection(RejectionKind::Reshape, debugString(op->getOperand(0).getType()) + " to " +
                                               debugString(op->getResult(0).getType()));
}

std::optional<Rejection> npu::getConversionFailure(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return getFillFailure(fill);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return getPadFailure(pad);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return getReshapeFailure(op);
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op)) {
    if (isMovableSlice(op, /*isOfComputed=*/false))
      return std::nullopt;
    return Rejection(RejectionKind::Slice, op->getName().getStringRef());
  }
  if (isa<NPUComputeOpInterface, tensor::EmptyOp, arith::ConstantOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return Rejection(RejectionKind::Op, op->getName().getStringRef());
  Rejection reason;
  if (failed(matchShapesAndTypes(op, reason)))
    return reason;
  if (std::optional<Rejection> failure = getUninitializedFailure(linalgOp))
    return failure;
  if (!isReduction(linalgOp)) {
    if (succeeded(matchElementwise(linalgOp, reason)))
      return std::nullopt;
    return reason;
  }
  FailureOr<ArrayOp> match = matchArrayOp(linalgOp, reason);
  if (succeeded(match) && succeeded(matchReshapes(*match, reason)))
    return std::nullopt;
  Rejection ofVectorUnit;
  if (failed(match) && succeeded(matchReduction(linalgOp, ofVectorUnit)))
    return std::nullopt;
  // Of what adds up products the array is what was meant.
  bool isForArray =
      reason.kind != RejectionKind::Reduction && reason.kind != RejectionKind::SeveralResults;
  return isForArray ? reason : ofVectorUnit;
}

void npu::populateLinalgToNPUPatterns(RewritePatternSet &patterns) {
  populateArrayPatterns(patterns);
  populateElementwisePatterns(patterns);
  populateReductionPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Slices, reshapes and constants convert whatever they are of: what is left to check is what the
/// kernel exchanges.
static LogicalResult checkSignature(KernelOp kernel, TypeRange types, StringRef what) {
  for (auto [index, type] : llvm::enumerate(types)) {
    std::string name = (what + " " + Twine(index)).str();
    if (cast<RankedTensorType>(type).hasStaticShape() &&
        cast<RankedTensorType>(type).getNumElements() == 0)
      return emitRejection(kernel, {RejectionKind::NoElements, name});
    if (Type elementType = getElementTypeOrSelf(type); !isElementType(elementType))
      return emitRejection(kernel,
                           {RejectionKind::ElementType, debugString(elementType) + " of " + name});
  }
  return success();
}

/// Reports the first op that does not convert.
static LogicalResult checkKernel(KernelOp kernel) {
  for (Operation &op : kernel.getBody().getOps()) {
    if (std::optional<Rejection> reason = getConversionFailure(&op))
      return emitRejection(&op, *reason, "cannot convert " + op.getName().getStringRef() + ": ");
  }
  if (failed(checkSignature(kernel, kernel.getArgumentTypes(), "argument")))
    return failure();
  return checkSignature(kernel, kernel.getResultTypes(), "result");
}

/// Erases what nothing reads any more, users before producers.
static void eraseDeadOps(KernelOp kernel) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Folds what the conversion would fold, as a transposition that changes nothing: what is checked
/// is what is converted.
static void foldOps(KernelOp kernel) {
  for (auto op : kernel.getBody().front().getOps<linalg::LinalgOp>()) {
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(results)) || results.size() != op->getNumResults())
      continue;
    for (auto [result, folded] : llvm::zip_equal(op->getResults(), results))
      if (auto value = dyn_cast<Value>(folded); value && value.getType() == result.getType())
        result.replaceAllUsesWith(value);
  }
}

static void foldReshapes(BlockArgument argument) {
  // A reshape may read a reshape.
  while (argument.hasOneUse() &&
         isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(*argument.user_begin())) {
    Operation *reshape = *argument.user_begin();
    argument.setType(reshape->getResult(0).getType());
    reshape->getResult(0).replaceAllUsesWith(argument);
    reshape->erase();
  }
}

/// Those of arguments that the kernel takes as halves of numbers, which it reads by themselves.
static void foldReshapesOfIndices(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments())
    if (getElementTypeOrSelf(argument.getType()).isSignlessInteger(64))
      foldReshapes(argument);
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), body.getArgumentTypes(),
                                           kernel.getFunctionType().getResults()));
}

/// Moves reshapes of arguments and results into the signature: a kernel's buffers are bytes in
/// row-major order, whatever their shape.
static void foldReshapes(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments())
    foldReshapes(argument);
  Operation *results = body.getTerminator();
  for (OpOperand &operand : results->getOpOperands()) {
    Operation *reshape = operand.get().getDefiningOp();
    while (reshape && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape)) {
      operand.set(reshape->getOperand(0));
      reshape = operand.get().getDefiningOp();
    }
  }
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), body.getArgumentTypes(), results->getOperandTypes()));
}

/// The most elements of a fill that become a constant: it is part of the program.
static constexpr int64_t kMaxFilled = 1 << 16;

/// What contractions and other reductions read is a tensor, as the state that a recurrent network
/// begins with: a fill is a constant there.
static void makeConstantsOfFills(KernelOp kernel) {
  kernel.walk([](linalg::FillOp fill) {
    auto type = dyn_cast<RankedTensorType>(fill.getResultTypes().front());
    TypedAttr constant = type ? getSplatConstant(fill->getResult(0)) : TypedAttr();
    if (!constant || !type.hasStaticShape() || type.getNumElements() > kMaxFilled)
      return;
    OpBuilder builder(fill);
    Value filled;
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      if (!isa<linalg::LinalgOp>(use.getOwner()) || readsConstant(use))
        continue;
      if (!filled)
        filled = arith::ConstantOp::create(builder, fill.getLoc(),
                                           DenseElementsAttr::get(type, Attribute(constant)));
      use.set(filled);
    }
  });
}

/// Copies what the kernel returns, or inserts, as it came.
static void copyResults(KernelOp kernel) {
  Operation *results = kernel.getBody().front().getTerminator();
  OpBuilder builder(results);
  for (OpOperand &result : results->getOpOperands()) {
    auto insertion = result.get().getDefiningOp<tensor::InsertSliceOp>();
    OpOperand &stored = insertion ? insertion.getSourceMutable() : result;
    Value value = stored.get();
    auto type = cast<RankedTensorType>(value.getType());
    if (value.getDefiningOp<NPUComputeOpInterface>() || value.getDefiningOp<tensor::EmptyOp>())
      continue;
    builder.setInsertionPoint(stored.getOwner());
    Location loc = insertion ? insertion.getLoc() : results->getLoc();
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    stored.set(CopyOp::create(builder, loc, value, empty)->getResult(0));
  }
}

static LogicalResult convertKernel(KernelOp kernel, const FrozenRewritePatternSet &patterns) {
  if (!kernel.getBody().hasOneBlock())
    return emitRejection(kernel, {RejectionKind::ControlFlow,
                                  Twine(llvm::range_size(kernel.getBody())) + " blocks"});
  foldOps(kernel);
  eraseDeadOps(kernel);
  foldReshapesOfIndices(kernel);
  narrowIndices(kernel);
  linearizeGathers(kernel);
  narrowResults(kernel);
  convertPositions(kernel);
  makeConstantsOfFills(kernel);
  eraseDeadOps(kernel);
  if (failed(checkKernel(kernel)))
    return failure();
  ConversionTarget target(*kernel.getContext());
  // Constants are read through fills; what is left of them is dead afterwards.
  target.markUnknownOpDynamicallyLegal([](Operation *op) {
    return !isa<linalg::LinalgOp, tensor::PadOp>(op) || isa<linalg::FillOp>(op);
  });
  if (failed(applyPartialConversion(kernel, target, patterns)))
    return failure();
  eraseDeadOps(kernel);
  foldReshapes(kernel);
  copyResults(kernel);
  eraseDeadOps(kernel);
  return success();
}

namespace {
struct ConvertLinalgToNPU : npu::impl::ConvertLinalgToNPUBase<ConvertLinalgToNPU> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateLinalgToNPUPatterns(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    bool isConverted = true;
    getOperation()->walk(
        [&](KernelOp kernel) { isConverted &= succeeded(convertKernel(kernel, patterns)); });
    if (!isConverted)
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
