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
  /// Whether one program can run the segment.
  bool canRun(SegmentOp segment);

private:
  bool canJoin(Operation *op);
  bool tryAdd(Operation *op);
  bool needsMembers(Operation *op) const;
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

/// Regions of a program of these ops: one for each value that a run may want to see, one for
/// constants, and one for what it keeps for itself.
template <typename Range>
static unsigned countRegions(const Range &ops) {
  llvm::SetVector<Value> values;
  for (Operation *op : ops) {
    values.insert_range(op->getOperands());
    values.insert_range(op->getResults());
  }
  return values.size() + 2;
}

/// Whether the op can be in a segment.
bool SegmentBuilder::canJoin(Operation *op) {
  if (!hasStaticTensors(op))
    return false;
  auto dispatch = dyn_cast<flow::DispatchOp>(op);
  if (!dispatch)
    return llvm::isa<flow::TensorReshapeOp>(op);
  auto isTied = [](int64_t operand) { return operand != kUntiedIndex; };
  return llvm::none_of(
             npu::getTiedOperandIndices(dispatch.getTiedOperandsAttr(), dispatch.getNumResults()),
             isTied) &&
         hasMatchingFunction(dispatch, symbols) && mayJoin(dispatch);
}

bool SegmentBuilder::canRun(SegmentOp segment) {
  auto ops = llvm::make_pointer_range(segment.getBody().front().without_terminator());
  // One that gives nothing has no program.
  return segment.getNumResults() > 0 && llvm::any_of(ops, llvm::IsaPred<flow::DispatchOp>) &&
         llvm::all_of(ops, [&](Operation *op) { return canJoin(op); }) &&
         countRegions(ops) <= isa::maxRegions;
}

/// Adds the op if it can be in the segment.
bool SegmentBuilder::tryAdd(Operation *op) {
  bool isDispatch = llvm::isa<flow::DispatchOp>(op);
  if (!canJoin(op) || (!isDispatch && !needsMembers(op)))
    return false;
  if (isDispatch &&
      countRegions(llvm::concat<Operation *const>(members, ArrayRef(op))) > isa::maxRegions)
    close();
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

/// Puts the ops of a segment in its place.
static void dissolve(SegmentOp segment) {
  Block &body = segment.getBody().front();
  Operation *yield = body.getTerminator();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    op.moveBefore(segment);
  segment.replaceAllUsesWith(yield->getOperands());
  segment.erase();
}

void npu::dissolveSegments(ModuleOp module) {
  module.walk([](SegmentOp segment) { dissolve(segment); });
}

SmallVector<SegmentOp> npu::formSegments(ModuleOp module,
                                         llvm::function_ref<bool(flow::DispatchOp)> mayJoin) {
  SymbolTableCollection symbols;
  SmallVector<SegmentOp> segments;
  module.walk([&](SegmentOp segment) {
    if (SegmentBuilder(mayJoin, symbols, segments).canRun(segment))
      segments.push_back(segment);
    else
      dissolve(segment);
  });
  llvm::SetVector<Block *> blocks;
  module.walk([&](flow::DispatchOp dispatch) {
    if (!llvm::isa<SegmentOp>(dispatch->getParentOp()))
      blocks.insert(dispatch->getBlock());
  });
  for (Block *block : blocks)
    SegmentBuilder(mayJoin, symbols, segments).run(*block);
  return segments;
}
