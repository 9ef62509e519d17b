//===- DispatchFolders.cpp - canonical forms of dispatches ----------------===//
//
// flow.dispatch is pure, so an unused one goes by itself. What stands here makes the operands and
// results of dispatches with a body few and distinct.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npu;
using namespace npu::flow;
using namespace npu::tensor_ext;

/// The number of sizes that belong to a value of type `type`.
static int64_t getNumDims(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
}

/// Returns those of `dims` that belong to the values of `types` that `keep` says.
static SmallVector<Value> filterDims(TypeRange types, ValueRange dims, const BitVector &keep) {
  SmallVector<Value> kept;
  for (auto [index, type] : llvm::enumerate(types)) {
    int64_t count = getNumDims(type);
    if (keep[index])
      llvm::append_range(kept, dims.take_front(count));
    dims = dims.drop_front(count);
  }
  return kept;
}

//===----------------------------------------------------------------------===//
// DispatchWorkgroupsOp
//===----------------------------------------------------------------------===//

namespace {
/// The signature of a dispatch: which arguments are tied, which block argument a result has.
struct WorkgroupsSignature {
  explicit WorkgroupsSignature(DispatchWorkgroupsOp op)
      : tied(getTiedOperandIndices(op.getTiedOperandsAttr(), op.getNumResults())) {
    Block &body = op.getWorkgroupBody().front();
    unsigned next = op.getArguments().size();
    for (int64_t index : tied)
      resultArguments.push_back(body.getArgument(index == kUntiedIndex ? next++ : index));
  }

  bool isTied(int64_t argument) const { return llvm::is_contained(tied, argument); }

  SmallVector<int64_t> tied;
  SmallVector<BlockArgument> resultArguments;
};

/// Collects the stores to `argument`, directly or through shape ties. Fails on any other use.
LogicalResult collectStores(Value argument, SmallVectorImpl<Operation *> &users) {
  for (OpOperand &use : argument.getUses()) {
    Operation *user = use.getOwner();
    auto tie = dyn_cast<DispatchTieShapeOp>(user);
    if (tie && failed(collectStores(tie.getResult(), users)))
      return failure();
    if (!tie && !isa<DispatchTensorStoreOp>(user))
      return failure();
    users.push_back(user);
  }
  return success();
}

/// Drops unused results and the arguments that the body does not use.
struct DropUnusedOperandsAndResults : OpRewritePattern<DispatchWorkgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DispatchWorkgroupsOp op, PatternRewriter &rewriter) const override {
    WorkgroupsSignature signature(op);
    Block &body = op.getWorkgroupBody().front();
    unsigned numArguments = op.getArguments().size();
    BitVector keepResults(op->getNumResults(), true);
    BitVector keepArguments(numArguments, true);
    BitVector eraseInner(body.getNumArguments());
    SmallVector<Operation *> deadStores;
    for (auto [index, result] : llvm::enumerate(op.getResults())) {
      SmallVector<Operation *> stores;
      BlockArgument inner = signature.resultArguments[index];
      // A tied result is an update of something else, which may be seen there.
      if (!result.use_empty() || signature.tied[index] != kUntiedIndex ||
          failed(collectStores(inner, stores)))
        continue;
      keepResults.reset(index);
      eraseInner.set(inner.getArgNumber());
      llvm::append_range(deadStores, stores);
    }
    for (unsigned index = 0; index < numArguments; ++index)
      if (body.getArgument(index).use_empty() && !signature.isTied(index)) {
        keepArguments.reset(index);
        eraseInner.set(index);
      }
    if (eraseInner.none())
      return rewriter.notifyMatchFailure(op, "every argument and every result is used");

    // What uses a shape tie stands before it in the list.
    for (Operation *store : deadStores)
      rewriter.eraseOp(store);
    SmallVector<int64_t> newIndices(numArguments, kUntiedIndex);
    SmallVector<Value> arguments;
    for (unsigned index : keepArguments.set_bits()) {
      newIndices[index] = arguments.size();
      arguments.push_back(op.getArguments()[index]);
    }
    SmallVector<Type> resultTypes;
    SmallVector<int64_t> tied;
    for (unsigned index : keepResults.set_bits()) {
      resultTypes.push_back(op.getResult(index).getType());
      int64_t operand = signature.tied[index];
      tied.push_back(operand == kUntiedIndex ? kUntiedIndex : newIndices[operand]);
    }
    auto newOp = DispatchWorkgroupsOp::create(
        rewriter, op.getLoc(), resultTypes, op.getWorkload(), arguments,
        filterDims(op.getArguments().getTypes(), op.getArgumentDims(), keepArguments),
        filterDims(op.getResultTypes(), op.getResultDims(), keepResults),
        tied.empty() ? ArrayAttr() : rewriter.getIndexArrayAttr(tied));
    newOp->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.modifyOpInPlace(op, [&] { body.eraseArguments(eraseInner); });
    rewriter.inlineRegionBefore(op.getWorkgroupBody(), newOp.getWorkgroupBody(),
                                newOp.getWorkgroupBody().begin());
    rewriter.inlineRegionBefore(op.getWorkgroupCount(), newOp.getWorkgroupCount(),
                                newOp.getWorkgroupCount().begin());
    unsigned next = 0;
    for (unsigned index : keepResults.set_bits())
      rewriter.replaceAllUsesWith(op.getResult(index), newOp.getResult(next++));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Lets the body see one argument only for a value that is passed several times to be read.
struct MergeDuplicateOperands : OpRewritePattern<DispatchWorkgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DispatchWorkgroupsOp op, PatternRewriter &rewriter) const override {
    WorkgroupsSignature signature(op);
    Block &body = op.getWorkgroupBody().front();
    llvm::SmallDenseMap<std::pair<Value, Type>, BlockArgument> seen;
    bool changed = false;
    for (auto [index, value] : llvm::enumerate(op.getArguments())) {
      BlockArgument inner = body.getArgument(index);
      auto type = dyn_cast<DispatchTensorType>(inner.getType());
      if (signature.isTied(index) || (type && type.isWritable()))
        continue;
      BlockArgument first = seen.try_emplace({value, inner.getType()}, inner).first->second;
      if (first == inner || inner.use_empty())
        continue;
      rewriter.replaceAllUsesWith(inner, first);
      changed = true;
    }
    return success(changed);
  }
};

/// Brings scalar constants into the body. Tensors stay outside: they are data.
struct InlineScalarConstants : OpRewritePattern<DispatchWorkgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DispatchWorkgroupsOp op, PatternRewriter &rewriter) const override {
    Block &body = op.getWorkgroupBody().front();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&body);
    bool changed = false;
    for (auto [index, value] : llvm::enumerate(op.getArguments())) {
      BlockArgument inner = body.getArgument(index);
      Operation *constant = value.getDefiningOp();
      if (inner.use_empty() || !value.getType().isIntOrIndexOrFloat() || !constant ||
          !constant->hasTrait<OpTrait::ConstantLike>())
        continue;
      rewriter.replaceAllUsesWith(inner, rewriter.clone(*constant)->getResult(0));
      changed = true;
    }
    return success(changed);
  }
};
} // namespace

void DispatchWorkgroupsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                       MLIRContext *context) {
  patterns.add<DropUnusedOperandsAndResults, InlineScalarConstants, MergeDuplicateOperands>(
      context);
}

//===----------------------------------------------------------------------===//
// DispatchRegionOp
//===----------------------------------------------------------------------===//

namespace {
/// Drops unused results, and those that are the same value as an earlier one.
struct DropUnusedRegionResults : OpRewritePattern<DispatchRegionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DispatchRegionOp op, PatternRewriter &rewriter) const override {
    if (!op.getBody().hasOneBlock())
      return rewriter.notifyMatchFailure(op, "the body has several blocks");
    auto terminator = cast<flow::ReturnOp>(op.getBody().front().getTerminator());
    llvm::SmallDenseMap<Value, unsigned> first;
    BitVector keep(op->getNumResults(), true);
    bool changed = false;
    for (auto [index, value] : llvm::enumerate(terminator.getOperands())) {
      Value result = op.getResult(index);
      if (!result.use_empty()) {
        unsigned earlier = first.try_emplace(value, index).first->second;
        if (earlier == index)
          continue;
        rewriter.replaceAllUsesWith(result, op.getResult(earlier));
      }
      keep.reset(index);
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "every result is used and distinct");

    SmallVector<Type> types;
    SmallVector<Value> values;
    for (unsigned index : keep.set_bits()) {
      types.push_back(op.getResult(index).getType());
      values.push_back(terminator.getOperand(index));
    }
    rewriter.modifyOpInPlace(terminator, [&] { terminator.getOperandsMutable().assign(values); });
    auto newOp = DispatchRegionOp::create(rewriter, op.getLoc(), types,
                                          filterDims(op.getResultTypes(), op.getResultDims(), keep),
                                          op.getWorkload());
    newOp->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getBody(), newOp.getBody(), newOp.getBody().begin());
    rewriter.inlineRegionBefore(op.getWorkgroupCount(), newOp.getWorkgroupCount(),
                                newOp.getWorkgroupCount().begin());
    unsigned next = 0;
    for (unsigned index : keep.set_bits())
      rewriter.replaceAllUsesWith(op.getResult(index), newOp.getResult(next++));
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void DispatchRegionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<DropUnusedRegionResults>(context);
}
