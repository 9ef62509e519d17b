//===- FormSegments.cpp - rows of dispatches that one program runs --------===//

#include "NPU/Partition/Segments.h"

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

namespace {
/// Collects ops of a block as far as one program can run them.
class SegmentBuilder {
public:
  SegmentBuilder(llvm::function_ref<bool(flow::DispatchOp)> mayJoin, SymbolTableCollection &symbols,
                 SmallVectorImpl<SegmentOp> &segments)
      : mayJoin(mayJoin), symbols(symbols), segments(segments) {}

  void run(Block &block);

private:
  bool tryAdd(Operation *op);
  bool needsMembers(Operation *op) const;
  unsigned countRegions(Operation *with) const;
  void close();

  llvm::function_ref<bool(flow::DispatchOp)> mayJoin;
  SymbolTableCollection &symbols;
  SmallVectorImpl<SegmentOp> &segments;
  llvm::SetVector<Operation *> members; ///< in order
};
} // namespace

static bool hasStaticTensors(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

/// Whether the function takes and gives what the dispatch says, in whatever shape.
static bool hasMatchingFunction(flow::DispatchOp dispatch, SymbolTableCollection &symbols) {
  func::FuncOp function = flow::findFunction(dispatch, symbols);
  auto areAlike = [](TypeRange a, TypeRange b) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
             auto from = cast<RankedTensorType>(std::get<0>(pair));
             auto to = dyn_cast<RankedTensorType>(std::get<1>(pair));
             return to && to.hasStaticShape() && from.getElementType() == to.getElementType() &&
                    from.getNumElements() == to.getNumElements();
           });
  };
  return function && areAlike(dispatch.getArguments().getTypes(), function.getArgumentTypes()) &&
         areAlike(dispatch.getResultTypes(), function.getResultTypes());
}

bool SegmentBuilder::needsMembers(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(
                   inner->getOperands(),
                   [&](Value operand) { return members.contains(operand.getDefiningOp()); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Regions of the program with another op: one for each value that a run may want to see, one for
/// constants, and one for what it keeps for itself.
unsigned SegmentBuilder::countRegions(Operation *with) const {
  llvm::SetVector<Value> values;
  auto add = [&](Operation *op) {
    values.insert_range(op->getOperands());
    values.insert_range(op->getResults());
  };
  llvm::for_each(members, add);
  add(with);
  return values.size() + 2;
}

/// Adds the op if it can be in the segment.
bool SegmentBuilder::tryAdd(Operation *op) {
  if (!hasStaticTensors(op))
    return false;
  if (auto dispatch = dyn_cast<flow::DispatchOp>(op)) {
    auto isTied = [](int64_t operand) { return operand != kUntiedIndex; };
    if (llvm::any_of(
            npu::getTiedOperandIndices(dispatch.getTiedOperandsAttr(), dispatch.getNumResults()),
            isTied) ||
        !hasMatchingFunction(dispatch, symbols) || !mayJoin(dispatch))
      return false;
    if (countRegions(op) > isa::maxRegions)
      close();
  } else if (!llvm::isa<flow::TensorReshapeOp>(op) || !needsMembers(op)) {
    return false;
  }
  members.insert(op);
  return true;
}

/// Makes a segment of the members where the last of them is. A reshape that others need comes
/// after it.
void SegmentBuilder::close() {
  SmallVector<Operation *> ops = members.takeVector();
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  auto isInside = [&](Operation *user) { return inside.contains(user); };
  auto isForMembers = [&](Operation *op) { return llvm::all_of(op->getUsers(), isInside); };
  // One that gives nothing has no program.
  if (llvm::count_if(ops, llvm::IsaPred<flow::DispatchOp>) < 2 || llvm::all_of(ops, isForMembers))
    return;
  SmallVector<Operation *> behind;
  for (Operation *op : llvm::reverse(ops)) {
    if (!llvm::isa<flow::TensorReshapeOp>(op))
      continue;
    if (llvm::none_of(op->getUsers(), isInside)) {
      inside.erase(op);
      behind.push_back(op);
    } else if (!llvm::all_of(op->getUsers(), isInside)) {
      behind.push_back(OpBuilder(op).clone(*op));
      op->replaceUsesWithIf(behind.back(),
                            [&](OpOperand &use) { return !inside.contains(use.getOwner()); });
    }
  }
  llvm::erase_if(ops, [&](Operation *op) { return !inside.contains(op); });
  OpBuilder builder(ops.back());
  SmallVector<Value> results;
  SmallVector<Type> types;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside)) {
        results.push_back(result);
        types.push_back(result.getType());
      }
  auto segment = SegmentOp::create(builder, ops.front()->getLoc(), types);
  Block *body = builder.createBlock(&segment.getBody());
  for (auto [inner, outer] : llvm::zip_equal(results, segment.getResults()))
    inner.replaceUsesWithIf(outer,
                            [&](OpOperand &use) { return !inside.contains(use.getOwner()); });
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, segment.getLoc(), results);
  Operation *last = segment;
  for (Operation *op : llvm::reverse(behind)) {
    op->moveAfter(last);
    last = op;
  }
  segments.push_back(segment);
}

void SegmentBuilder::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (tryAdd(&op))
      continue;
    // What does not need it stays in front of the segment.
    if (needsMembers(&op) || op.getNumRegions() > 0 || op.hasTrait<OpTrait::IsTerminator>())
      close();
  }
}

SmallVector<SegmentOp> npu::formSegments(ModuleOp module,
                                         llvm::function_ref<bool(flow::DispatchOp)> mayJoin) {
  llvm::SetVector<Block *> blocks;
  module.walk([&](flow::DispatchOp dispatch) {
    if (!llvm::isa<SegmentOp>(dispatch->getParentOp()))
      blocks.insert(dispatch->getBlock());
  });
  SmallVector<SegmentOp> segments;
  SymbolTableCollection symbols;
  for (Block *block : blocks)
    SegmentBuilder(mayJoin, symbols, segments).run(*block);
  return segments;
}
