//===- DispatchNodes.cpp - the dispatches of a program, for its limit -----===//

#include "NPU/Roofline/DispatchNodes.h"

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// Whether the op's results are the values that its only region yields, as those of a segment are.
static bool isEnvelope(Operation *op) {
  return op->hasTrait<OpTrait::NoRegionArguments>() && op->getNumRegions() == 1 &&
         op->getRegion(0).hasOneBlock() && op->getNumResults() != 0;
}

/// The value that a result only hands on under another type; null if it is another value.
static Value getViewed(OpResult result) {
  Operation *op = result.getOwner();
  if (llvm::isa<flow::TensorReshapeOp, flow::TensorBitCastOp, flow::TensorTieShapeOp,
                flow::TensorCloneOp, flow::TensorTransferOp, flow::TensorBarrierOp,
                util::OptimizationBarrierOp>(op))
    return op->getOperand(result.getResultNumber());
  if (isEnvelope(op))
    return op->getRegion(0).front().getTerminator()->getOperand(result.getResultNumber());
  return nullptr;
}

static Value lookThroughViews(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    Value viewed = getViewed(result);
    if (!viewed)
      break;
    value = viewed;
  }
  return value;
}

namespace {
using Numbers = DenseMap<Operation *, unsigned>;
} // namespace

/// Whether anybody but the numbered dispatches has a use for a result.
static bool isStored(Value result, const Numbers &numbers) {
  return llvm::any_of(result.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (numbers.contains(user))
      return false;
    if (Operation *parent = user->getParentOp();
        user->hasTrait<OpTrait::IsTerminator>() && isEnvelope(parent))
      return isStored(parent->getResult(use.getOperandNumber()), numbers);
    return llvm::any_of(user->getResults(),
                        [&](OpResult view) {
                          return getViewed(view) == result && isStored(view, numbers);
                        }) ||
           llvm::none_of(user->getResults(),
                         [&](OpResult view) { return getViewed(view) == result; });
  });
}

/// The numbered dispatches that a value depends on, directly or through the host.
static void collectDependences(Value value, const Numbers &numbers,
                               llvm::SmallSetVector<unsigned, 4> &after) {
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t next = 0; next < worklist.size(); ++next) {
    Operation *op = worklist[next].getDefiningOp();
    if (!op)
      continue;
    if (auto known = numbers.find(op); known != numbers.end()) {
      after.insert(known->second);
      continue;
    }
    if (Value viewed = getViewed(cast<OpResult>(worklist[next])))
      worklist.insert(viewed);
    else
      worklist.insert(op->operand_begin(), op->operand_end());
  }
}

/// What two loads of one global have in common.
static const void *getIdentity(Value value) {
  if (auto load = value.getDefiningOp<util::GlobalLoadOp>())
    return load.getGlobalAttr().getAsOpaquePointer();
  return value.getAsOpaquePointer();
}

std::vector<LimitNode>
npu::runtime::collectLimitNodes(ArrayRef<flow::DispatchOp> dispatches,
                                llvm::function_ref<const Roofline &(flow::DispatchOp)> getAlone) {
  Numbers numbers;
  for (auto [number, dispatch] : llvm::enumerate(dispatches))
    numbers[dispatch] = number;
  std::vector<LimitNode> nodes;
  for (auto [number, site] : llvm::enumerate(dispatches)) {
    flow::DispatchOp dispatch = site;
    LimitNode &node = nodes.emplace_back();
    node.alone = getAlone(dispatch);
    llvm::SmallSetVector<unsigned, 4> after;
    for (auto [argument, bytes, feedsArray] :
         llvm::zip(dispatch.getArguments(), node.alone.argumentBytes, node.alone.feedsArray)) {
      Value source = lookThroughViews(argument);
      collectDependences(source, numbers, after);
      if (Operation *op = source.getDefiningOp(); (!op || !numbers.contains(op)) && bytes > 0)
        node.loads.push_back({getIdentity(source), bytes, feedsArray});
    }
    // In a loop a dispatch may depend on itself, or on a later one, by what is carried.
    for (unsigned earlier : after)
      if (earlier < number)
        node.after.push_back(earlier);
    for (auto [result, bytes] : llvm::zip(dispatch.getResults(), node.alone.resultBytes))
      if (isStored(result, numbers))
        node.storedBytes += bytes;
  }
  return nodes;
}

Limit npu::runtime::computeNetworkLimit(
    ArrayRef<flow::DispatchOp> dispatches, ArrayRef<int64_t> numRuns,
    llvm::function_ref<const Roofline &(flow::DispatchOp)> getAlone, const TargetDesc &target) {
  std::vector<LimitNode> nodes = collectLimitNodes(dispatches, getAlone);
  bool isRepeated = llvm::any_of(numRuns, [](int64_t count) { return count != 1; });
  for (auto [node, count] : llvm::zip_equal(nodes, numRuns)) {
    node.alone.arrayCycles *= count;
    node.alone.vectorCycles *= count;
    // What comes before what is not known of loops.
    if (isRepeated)
      node.after.clear();
  }
  // What does not fit comes again within each run of a dispatch, but not between several.
  if (isRepeated)
    for (LimitNode &node : nodes)
      node.alone.capacityBytes = 0;
  return computeLimit(nodes, target);
}

LimitNode npu::runtime::makeLimitNode(const Roofline &alone) {
  LimitNode node;
  node.alone = alone;
  for (auto [number, bytes] : llvm::enumerate(alone.argumentBytes))
    if (bytes > 0)
      node.loads.push_back(
          {reinterpret_cast<const void *>(number + 1), bytes, alone.feedsArray[number]});
  for (int64_t bytes : alone.resultBytes)
    node.storedBytes += bytes;
  return node;
}
