//===- FusionUtils.cpp - what ops are to the formation of dispatches ------===//

#include "FusionUtils.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Preparation/TableLookup.h"
#include "NPU/Support/ElementBits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace npu;

/// Larger constants are operands: each clone would be one more copy in the code.
static constexpr int64_t kMaxConstantBytes = 256;

bool dispatch_creation::isAllParallel(linalg::LinalgOp op) {
  return op.getNumLoops() == op.getNumParallelLoops();
}

bool dispatch_creation::isInDispatch(Operation *op) {
  return op->getParentOfType<flow::DispatchRegionOp>() ||
         op->getParentOfType<flow::DispatchWorkgroupsOp>();
}

dispatch_creation::CapturedUses dispatch_creation::getCapturedUses(Region &region) {
  CapturedUses captured;
  visitUsedValuesDefinedAbove(region, region,
                              [&](OpOperand *use) { captured[use->get()].push_back(use); });
  return captured;
}

static bool isCloneableConstant(arith::ConstantOp op) {
  auto type = dyn_cast<ShapedType>(op.getType());
  if (!type || isa<SplatElementsAttr>(op.getValue()))
    return true;
  if (!type.getElementType().isIntOrFloat() || !type.hasStaticShape())
    return false;
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return llvm::divideCeil(bits, 8) <= kMaxConstantBytes;
}

bool dispatch_creation::isCloneable(Operation *op) {
  if (isa<affine::AffineApplyOp, arith::IndexCastOp, linalg::FillOp, tensor::EmptyOp,
          tensor::ExtractOp, tensor::ExtractSliceOp, complex::CreateOp>(op))
    return true;
  if (isBitExtend(op))
    return true;
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return static_cast<bool>(pad.getConstantPaddingValue());
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isCloneableConstant(constant);
  if (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return false;
  auto isScalar = [](Type type) { return type.isIntOrFloat(); };
  return llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

/// The element widths of the widest input of maximal rank and of the result of an elementwise
/// generic, and both ranks.
struct Widths {
  unsigned input, output;
  int64_t inputRank, outputRank;
};

static std::optional<Widths> getWidths(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInits() != 1 || !dispatch_creation::isAllParallel(generic))
    return std::nullopt;
  auto result = dyn_cast<RankedTensorType>(generic.getDpsInits().front().getType());
  if (!result || !result.getElementType().isIntOrFloat())
    return std::nullopt;
  Widths widths = {0, result.getElementTypeBitWidth(), -1, result.getRank()};
  for (Value input : generic.getInputs()) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type)
      continue;
    if (!type.getElementType().isIntOrFloat())
      return std::nullopt;
    if (type.getRank() < widths.inputRank)
      continue;
    if (type.getRank() > widths.inputRank)
      widths.input = 0;
    widths.inputRank = type.getRank();
    widths.input = std::max(widths.input, type.getElementTypeBitWidth());
  }
  if (widths.inputRank < 0)
    return std::nullopt;
  return widths;
}

bool dispatch_creation::isBitExtend(Operation *op) {
  std::optional<Widths> widths = getWidths(op);
  if (!widths || widths->input >= widths->output)
    return false;
  return llvm::none_of(op->getRegion(0).getOps(), [](Operation &nested) {
    return isa_and_nonnull<math::MathDialect>(nested.getDialect());
  });
}

bool dispatch_creation::isBitTruncate(Operation *op) {
  std::optional<Widths> widths = getWidths(op);
  return widths && widths->input > widths->output && widths->inputRank == widths->outputRank;
}

bool dispatch_creation::isRootLike(Operation *op) {
  if (isa<linalg::SoftmaxOp>(op) ||
      (isa_and_nonnull<linalg_ext::LinalgExtDialect>(op->getDialect()) &&
       !op->hasTrait<OpTrait::IsTerminator>()))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || isa<linalg::FillOp>(op))
    return false;
  return !isa<linalg::GenericOp>(op) || !isAllParallel(linalgOp);
}

bool dispatch_creation::isArrayOp(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         (linalg::isaContractionOpInterface(linalgOp) || flow::isConvolution(linalgOp));
}

bool dispatch_creation::isKernelRoot(Operation *op) {
  return isArrayOp(op) && !findHostType(op) &&
         llvm::all_of(cast<linalg::LinalgOp>(op).getDpsInputs(), [](Value input) {
           Type element = getElementTypeOrSelf(input.getType());
           return isa<FloatType>(element) || findElementBits(element).value_or(64) <= 16;
         });
}

/// The reads of tables that are one function of a number to a kernel.
static DenseSet<Operation *> findTableReads(Operation *op) {
  DenseSet<Operation *> reads;
  op->walk([&](Operation *nested) {
    if (std::optional<TableLookup> lookup = matchTableLookup(nested))
      reads.insert_range(lookup->reads);
  });
  return reads;
}

/// Whether `value` is only there to make indices of `reads`.
static bool isIndexOf(Value value, const DenseSet<Operation *> &reads) {
  return value.getType().isIndex() && llvm::all_of(value.getUsers(), [&](Operation *user) {
           if (reads.contains(user))
             return true;
           return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::AddIOp>(user) &&
                  isIndexOf(user->getResult(0), reads);
         });
}

Type dispatch_creation::findHostType(Operation *op) {
  Type found;
  DenseSet<Operation *> tableReads = findTableReads(op);
  op->walk([&](Operation *nested) {
    // A counter that is only cast to what a vector unit has is a constant of the kernel.
    auto isCounter = [](Value value) {
      return value.getDefiningOp<linalg::IndexOp>() &&
             llvm::all_of(value.getUsers(), [](Operation *user) {
               return isa<arith::IndexCastOp>(user) &&
                      findElementBits(user->getResult(0).getType()).value_or(64) <= 32;
             });
    };
    if ((isa<linalg::IndexOp>(nested) && isCounter(nested->getResult(0))) ||
        (isa<arith::IndexCastOp>(nested) && isCounter(nested->getOperand(0))))
      return WalkResult::advance();
    bool isIndex = nested->getNumResults() == 1 && isIndexOf(nested->getResult(0), tableReads);
    if (tableReads.contains(nested) || isIndex)
      return WalkResult::advance();
    for (Type type : llvm::concat<Type>(SmallVector<Type>(nested->getOperandTypes()),
                                        SmallVector<Type>(nested->getResultTypes()))) {
      Type element = getElementTypeOrSelf(type);
      if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 32)
        continue;
      found = element;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

bool dispatch_creation::givesFloats(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInits(), [](Value init) {
    return isa<FloatType>(getElementTypeOrSelf(init.getType()));
  });
}

bool dispatch_creation::readsWindows(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaConvolutionOpInterface(linalgOp);
}
