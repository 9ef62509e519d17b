//===- LinalgToNPU.cpp - linalg on tensors to the npu dialect -------------===//

#include "NPU/Conversion/LinalgToNPU/LinalgToNPU.h"

#include "Matching.h"
#include "Patterns.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

static bool isElementType(Type type) {
  return type.isSignlessInteger(1) || type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isF16() || type.isBF16() || type.isF32();
}

LogicalResult npu::matchShapesAndTypes(Operation *op, std::string &reason) {
  llvm::raw_string_ostream os(reason);
  StringRef name = op->getName().getStringRef();
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !isa<RankedTensorType>(type)) {
      reason.clear();
      os << "operand " << index << " of " << name << " is " << type << ", not a ranked tensor; "
         << "convert before bufferization";
      return failure();
    }
    if (shaped && !shaped.hasStaticShape()) {
      auto dim = llvm::find_if(shaped.getShape(), ShapedType::isDynamic);
      reason.clear();
      os << "dynamic shape (dimension " << dim - shaped.getShape().begin() << " of operand "
         << index << " of " << name << "); compile with static shapes";
      return failure();
    }
    if (shaped && shaped.getNumElements() == 0) {
      reason.clear();
      os << "operand " << index << " of " << name << " has no elements; remove the op first";
      return failure();
    }
    if (Type elementType = getElementTypeOrSelf(type); !isElementType(elementType)) {
      reason.clear();
      os << "element type " << elementType << " of operand " << index << " of " << name
         << " has no npu equivalent; use i8, i16, i32, f16, bf16 or f32";
      return failure();
    }
  }
  return success();
}

/// Why `op` cannot run if it reads a tensor that nothing has written.
static std::optional<std::string> getUninitialisedFailure(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getDefiningOp<tensor::EmptyOp>() && op.payloadUsesValueFromOperand(&operand))
      return ("operand " + Twine(operand.getOperandNumber()) +
              " is read but is a tensor.empty, which has no contents; fill it first")
          .str();
  return std::nullopt;
}

/// Accumulators and element-wise ops read the constant, not the tensor.
static bool readsConstant(OpOperand &use) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op && (!isReduction(op) || op.isDpsInit(&use));
}

static std::optional<std::string> getFillFailure(linalg::FillOp fill) {
  if (getSplatConstant(fill->getResult(0)) && llvm::all_of(fill->getUses(), readsConstant))
    return std::nullopt;
  return "a fill has an npu equivalent only with a constant value, as an accumulator or as an "
         "operand of an element-wise op; run this dispatch on the host";
}

/// A pad becomes part of the convolutions that read it.
static std::optional<std::string> getPadFailure(tensor::PadOp pad) {
  if (pad.getSource().getDefiningOp<tensor::EmptyOp>())
    return "its source is a tensor.empty, which has no contents; fill it first";
  std::string reason;
  bool isFolded = llvm::all_of(pad->getUsers(), [&](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || !isReduction(op))
      return false;
    FailureOr<ArrayOp> match = matchArrayOp(op, reason);
    return succeeded(match) && match->padding && match->rhs.value != pad.getResult();
  });
  if (isFolded)
    return std::nullopt;
  return "a pad has an npu equivalent only in front of a convolution, along its spatial "
         "dimensions, with static amounts and a constant value; run this dispatch on the host";
}

/// A reshape of an argument or of a result becomes part of the kernel's signature.
static std::optional<std::string> getReshapeFailure(Operation *op) {
  bool isStatic = cast<ShapedType>(op->getOperand(0).getType()).hasStaticShape() &&
                  cast<ShapedType>(op->getResult(0).getType()).hasStaticShape();
  Value source = op->getOperand(0);
  bool isArgument = isa<BlockArgument>(source) && source.hasOneUse();
  bool isResult = llvm::all_of(
      op->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
  if (isStatic && (isArgument || isResult))
    return std::nullopt;
  return "a reshape has an npu equivalent only with static shapes, as the only use of an argument "
         "or directly before the return; run this dispatch on the host";
}

std::optional<std::string> npu::getConversionFailure(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return getFillFailure(fill);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return getPadFailure(pad);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return getReshapeFailure(op);
  if (isa<NPUComputeOpInterface, tensor::EmptyOp, arith::ConstantOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return "it has no npu equivalent; run this dispatch on the host";
  std::string reason;
  if (failed(matchShapesAndTypes(op, reason)))
    return reason;
  if (std::optional<std::string> failure = getUninitialisedFailure(linalgOp))
    return failure;
  if (!isReduction(linalgOp)) {
    if (succeeded(matchElementwise(linalgOp, reason)))
      return std::nullopt;
    return reason;
  }
  FailureOr<ArrayOp> match = matchArrayOp(linalgOp, reason);
  if (succeeded(match) && succeeded(matchReshapes(*match, reason)))
    return std::nullopt;
  return reason;
}

void npu::populateLinalgToNPUPatterns(RewritePatternSet &patterns) {
  populateArrayPatterns(patterns);
  populateElementwisePatterns(patterns);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Reports the first op that does not convert.
static LogicalResult checkKernel(KernelOp kernel) {
  for (Operation &op : kernel.getBody().getOps()) {
    if (std::optional<std::string> reason = getConversionFailure(&op))
      return op.emitError("cannot convert ") << op.getName().getStringRef() << ": " << *reason;
  }
  return success();
}

/// Erases what nothing reads any more, users before producers.
static void eraseDeadOps(KernelOp kernel) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Moves reshapes of arguments and results into the signature: a kernel's buffers are bytes in
/// row-major order, whatever their shape.
static void foldReshapes(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    // A reshape may read a reshape.
    while (argument.hasOneUse() &&
           isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(*argument.user_begin())) {
      Operation *reshape = *argument.user_begin();
      argument.setType(reshape->getResult(0).getType());
      reshape->getResult(0).replaceAllUsesWith(argument);
      reshape->erase();
    }
  }
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

static LogicalResult convertKernel(KernelOp kernel, const FrozenRewritePatternSet &patterns) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("cannot convert a kernel with control flow; run it on the host");
  eraseDeadOps(kernel);
  if (failed(checkKernel(kernel)))
    return failure();
  ConversionTarget target(*kernel.getContext());
  // Constants are read through fills; what is left of them is dead afterwards.
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return !isa<linalg::LinalgOp>(op) || isa<linalg::FillOp>(op); });
  if (failed(applyPartialConversion(kernel, target, patterns)))
    return failure();
  eraseDeadOps(kernel);
  foldReshapes(kernel);
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
