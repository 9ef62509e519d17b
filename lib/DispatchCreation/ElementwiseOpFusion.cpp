//===- ElementwiseOpFusion.cpp - fuse elementwise generics ----------------===//

#include "FusionLog.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_ELEMENTWISEOPFUSION
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether `op` yields what it reads.
static bool isCopy(linalg::GenericOp op) {
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  return llvm::hasSingleElement(*op.getBody()) && op.getNumDpsInputs() == 1 &&
         yield.getOperand(0) == op.getBody()->getArgument(0);
}

static bool yieldsBooleans(linalg::GenericOp op) {
  return llvm::all_of(op.getResultTypes(), [](Type type) {
    return cast<ShapedType>(type).getElementType().isInteger(1);
  });
}

static bool hasTooManyOperands(linalg::GenericOp producer, linalg::GenericOp consumer) {
  llvm::SmallSetVector<Value, kMaxOperands> operands;
  operands.insert(producer->operand_begin(), producer->operand_end());
  operands.insert(consumer->operand_begin(), consumer->operand_end());
  operands.remove(producer.getResult(0));
  return operands.size() >= kMaxOperands;
}

/// Whether `op` could be computed where a contraction or convolution leaves its result.
static bool isTail(linalg::GenericOp op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && isArrayOp(producer) && operand.hasOneUse();
  });
}

/// What was fused is there until the end of the pass, without users.
static Operation *getOnlyUser(Value value) {
  Operation *only = nullptr;
  for (Operation *user : value.getUsers()) {
    if (isOpTriviallyDead(user))
      continue;
    if (only)
      return nullptr;
    only = user;
  }
  return only;
}

/// The first contraction or convolution of whose sums alone `op` is computed, by elementwise
/// generics that are of no other use; null without one. What is computed of `apart` does not count.
static Operation *findSums(linalg::GenericOp op, Operation *apart = nullptr) {
  Operation *first = nullptr;
  SmallVector<Value> open(op.getInputs());
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *source = value.getDefiningOp();
    if (!source || source == apart || !getOnlyUser(value) || source->getBlock() != op->getBlock())
      continue;
    if (isArrayOp(source) && (!first || source->isBeforeInBlock(first)))
      first = source;
    else if (auto generic = dyn_cast<linalg::GenericOp>(source); generic && isAllParallel(generic))
      llvm::append_range(open, generic.getInputs());
  }
  return first;
}

/// Whether what is computed of `tail`, by `consumer` and its only users, also is of sums that come
/// before those of `tail`. It is then in the dispatch of these.
static bool meetsEarlierSums(linalg::GenericOp tail, linalg::GenericOp consumer) {
  Operation *own = findSums(tail);
  while (own && consumer && consumer->getBlock() == own->getBlock() && isAllParallel(consumer)) {
    Operation *other = findSums(consumer, /*apart=*/tail);
    if (other && other->isBeforeInBlock(own))
      return true;
    consumer = dyn_cast_if_present<linalg::GenericOp>(getOnlyUser(consumer.getResult(0)));
  }
  return false;
}

static bool readsInit(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInitsMutable(),
                      [&](OpOperand &init) { return op.payloadUsesValueFromOperand(&init); });
}

/// Whether `op` makes wider elements of narrow ones that lie in memory already, one of each and
/// with arithmetic alone, as floats of bytes. A kernel computes that along the loops that it
/// depends on, in whichever body it is. What broadcasts would bring loops of its own into that.
static bool widens(linalg::GenericOp op) {
  auto countBits = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() && type.getElementType().isIntOrFloat()
               ? type.getNumElements() * int64_t(type.getElementTypeBitWidth())
               : int64_t(0);
  };
  int64_t read = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    int64_t bits = countBits(input->get());
    AffineMap map = op.getMatchingIndexingMap(input);
    Operation *producer = input->get().getDefiningOp();
    if (bits == 0 || (map.getNumResults() != 0 && !map.isPermutation()) ||
        (producer && isRootLike(producer)))
      return false;
    read += bits;
  }
  return isAllParallel(op) && op.getNumResults() == 1 && read < countBits(op.getResult(0)) &&
         llvm::all_of(
             op.getBody()->without_terminator(),
             [](Operation &nested) {
               return isa_and_nonnull<arith::ArithDialect>(nested.getDialect());
             });
}

/// Whether to fuse the generic that makes `operand` into the generic that reads it.
static bool shouldFuse(OpOperand *operand, bool keepTails, bool keepIntegers, bool keepNarrow) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock() ||
      isInDispatch(consumer) || hasTooManyOperands(producer, consumer))
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  if (!isAllParallel(consumer) &&
      (!map.isPermutation() || linalg::isaContractionOpInterface(consumer) ||
       linalg::isaConvolutionOpInterface(consumer)))
    return false;
  if (keepTails && !isAllParallel(consumer) && isTail(producer))
    return false;
  // Sums become narrow where they are made: in the tail of another contraction they would go
  // through memory as they are.
  if (keepTails && isBitTruncate(producer) && meetsEarlierSums(producer, consumer))
    return false;
  // What the host has to compute must not become part of a tail, wherever in its chain it would be;
  // in dispatches of the host, both come together again.
  if (keepTails && !findHostType(producer) != !findHostType(consumer))
    return false;
  if (keepIntegers && !givesFloats(producer) && givesFloats(consumer))
    return false;
  // More loops than the producer's would update its init more than once.
  if (readsInit(producer) && !map.isPermutation())
    return false;
  if (yieldsBooleans(producer) || isCopy(producer))
    return true;
  if (producer.getNumDpsInputs() == 0 && isAllParallel(consumer))
    return true;
  if (!producer->hasOneUse())
    return false;
  if (isBitTruncate(producer) && !isBitTruncate(consumer) && consumer.getNumDpsInputs() != 1)
    return false;
  if (isBitExtend(consumer) && !consumer->hasOneUse())
    return false;
  if (keepNarrow && isAllParallel(consumer) && map.isProjectedPermutation() && widens(producer))
    return true;
  return map.isPermutation();
}

/// Ops in the two bodies that a fusion of the generic that makes `operand` into its reader clones.
static size_t countClonedOps(OpOperand *operand) {
  auto count = [](Operation *op) {
    return cast<linalg::GenericOp>(op).getBody()->getOperations().size();
  };
  return count(operand->get().getDefiningOp()) + count(operand->getOwner());
}

/// On the barriers that are gone after the pass.
static constexpr StringRef barrierMark = "protects_operand";

/// Puts a barrier between contractions and operands that have one value: with the value in its body
/// a contraction would be a sum, which the array cannot compute.
static void protectOperands(Operation *root) {
  root->walk([&](linalg::GenericOp op) {
    if (!linalg::isaContractionOpInterface(op) && !linalg::isaConvolutionOpInterface(op))
      return;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      SplatElementsAttr splat;
      if (!matchPattern(operand->get(), m_Constant(&splat)))
        continue;
      OpBuilder builder(op);
      auto barrier = tensor_ext::ComputeBarrierStartOp::create(
          builder, op.getLoc(), operand->get().getType(), operand->get(), ValueRange());
      barrier->setDiscardableAttr(barrierMark, builder.getUnitAttr());
      operand->set(barrier.getResult());
    }
  });
}

static void removeBarriers(Operation *root) {
  root->walk([](tensor_ext::ComputeBarrierStartOp barrier) {
    if (!barrier->hasAttr(barrierMark))
      return;
    barrier.getResult().replaceAllUsesWith(barrier.getValue());
    barrier.erase();
  });
}

/// Composed maps turn round what others turn round, which only their sums show to be nothing.
static void simplifyMaps(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<AffineMap> simple = llvm::map_to_vector(maps, [](AffineMap map) {
      return map.isProjectedPermutation() ? map : simplifyAffineMap(map);
    });
    if (simple != maps)
      op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(simple));
  });
}

namespace {
struct ElementwiseOpFusion : dispatch_creation::impl::ElementwiseOpFusionBase<ElementwiseOpFusion> {
  using ElementwiseOpFusionBase::ElementwiseOpFusionBase;

  void runOnOperation() override {
    protectOperands(getOperation());
    // Every fusion clones both bodies. In the order of a chain, they would have one op less than
    // the result each time, and n ops be cloned n times; those of alike length first, each op is
    // cloned once for every doubling. Shorter bodies are not worth another round.
    constexpr size_t maxClonedOpsAtFirst = 64;
    FailureOr<bool> changed = false;
    size_t maxClonedOps = maxClonedOpsAtFirst;
    for (bool isLimited = true; succeeded(changed) && isLimited; maxClonedOps *= 2) {
      isLimited = false;
      FailureOr<bool> changedNow = fuse(maxClonedOps, isLimited);
      changed = failed(changedNow) ? changedNow : FailureOr<bool>(*changed || *changedNow);
    }
    removeBarriers(getOperation());
    if (failed(changed))
      return signalPassFailure();
    if (!*changed)
      return markAllAnalysesPreserved();
    simplifyMaps(getOperation());
  }

  /// Fuses what clones at most `maxClonedOps` ops; `isLimited` if there is more to fuse.
  FailureOr<bool> fuse(size_t maxClonedOps, bool &isLimited) {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, [&](OpOperand *operand) {
      if (!shouldFuse(operand, keepTails, keepIntegers, keepNarrow))
        return false;
      if (countClonedOps(operand) > maxClonedOps) {
        isLimited = true;
        return false;
      }
      // What is not fused here may still share a dispatch, whose formation tells why not.
      emitFused(operand->get().getDefiningOp(), operand->getOwner(),
                "the producer is computed in the loops of the consumer");
      return true;
    });
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    return applyPatterns(getOperation(), std::move(patterns), config);
  }
};
} // namespace
