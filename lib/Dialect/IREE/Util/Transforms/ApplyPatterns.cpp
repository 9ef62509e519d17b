//===- ApplyPatterns.cpp - canonicalize, simplify block arguments ---------===//

#include "CanonicalizationPatterns.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/BitVector.h"

namespace npu::util {
#define GEN_PASS_DEF_APPLYPATTERNS
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"
} // namespace npu::util

using namespace mlir;
using namespace npu;

namespace {
/// An edge to a block from a branch of which all operands for the block are known.
struct Edge {
  BranchOpInterface branch;
  unsigned successor;

  SuccessorOperands getOperands() const {
    // Interfaces have no const methods.
    BranchOpInterface op = branch;
    return op.getSuccessorOperands(successor);
  }
  Value getOperand(unsigned argument) const { return getOperands()[argument]; }
};
} // namespace

/// All edges to `block`, or none if one of them passes values that are not operands.
static SmallVector<Edge> getEdges(Block &block) {
  SmallVector<Edge> edges;
  for (auto it = block.pred_begin(), end = block.pred_end(); it != end; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch ||
        branch.getSuccessorOperands(it.getSuccessorIndex()).getProducedOperandCount() != 0)
      return {};
    edges.push_back({branch, it.getSuccessorIndex()});
  }
  return edges;
}

/// The value that `argument` has on every edge, if that is one; an edge from the block itself may
/// pass the argument on.
static Value getCommonOperand(BlockArgument argument, ArrayRef<Edge> edges) {
  Value common;
  for (const Edge &edge : edges) {
    Value operand = edge.getOperand(argument.getArgNumber());
    if (operand == argument || operand == common)
      continue;
    if (common)
      return {};
    common = operand;
  }
  // A value of the block itself comes from a loop that nothing enters.
  return common && common.getParentBlock() != argument.getOwner() ? common : Value();
}

/// An argument before `argument` that has the same value on every edge.
static Value getEqualArgument(BlockArgument argument, ArrayRef<Edge> edges,
                              const BitVector &dropped) {
  for (BlockArgument other :
       argument.getOwner()->getArguments().take_front(argument.getArgNumber()))
    if (!dropped[other.getArgNumber()] && llvm::all_of(edges, [&](const Edge &edge) {
          return edge.getOperand(argument.getArgNumber()) == edge.getOperand(other.getArgNumber());
        }))
      return other;
  return {};
}

/// Drops the arguments of `block` that are another value.
static bool simplifyArguments(Block &block) {
  SmallVector<Edge> edges = getEdges(block);
  if (edges.empty())
    return false;
  BitVector dropped(block.getNumArguments());
  for (BlockArgument argument : block.getArguments()) {
    Value value = getCommonOperand(argument, edges);
    if (!value)
      value = getEqualArgument(argument, edges, dropped);
    if (!value)
      continue;
    argument.replaceAllUsesWith(value);
    dropped.set(argument.getArgNumber());
  }
  if (dropped.none())
    return false;
  SmallVector<unsigned> numbers = llvm::to_vector(dropped.set_bits());
  for (unsigned number : llvm::reverse(numbers))
    for (const Edge &edge : edges)
      edge.getOperands().erase(number);
  block.eraseArguments(dropped);
  return true;
}

namespace {
struct ApplyPatterns : npu::util::impl::ApplyPatternsBase<ApplyPatterns> {
  LogicalResult initialize(MLIRContext *context) override {
    patterns = util::getCanonicalizationPatterns(context);
    return success();
  }

  void runOnOperation() override {
    bool changed = false, hasNewArguments = true;
    while (hasNewArguments) {
      // Like canonicalization, this need not reach a fixed point to be of use.
      for (Region &region : getOperation()->getRegions()) {
        bool regionChanged = false;
        (void)applyPatternsGreedily(region, patterns, GreedyRewriteConfig(), &regionChanged);
        changed |= regionChanged;
      }
      hasNewArguments = false;
      getOperation()->walk([&](Block *block) {
        if (!block->isEntryBlock())
          hasNewArguments |= simplifyArguments(*block);
      });
      changed |= hasNewArguments;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
