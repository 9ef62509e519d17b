//===- ControlFlow.cpp - subgraphs of If and Loop -------------------------===//

#include "ControlFlow.h"

#include "NPU/Dialect/ONNX/Specs/Expansion.h"
#include "NPU/Dialect/ONNX/Specs/Loop.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Copies of a loop's body: as many nodes as large networks have, and as many iterations as are
/// written by hand.
static constexpr int64_t maxUnrolledNodes = int64_t(1) << 14, maxUnrolledIterations = 64;

/// Clones the ops of a subgraph before `node`; returns its outputs.
static SmallVector<Value> cloneGraph(OpBuilder &builder, Region &graph, IRMapping &mapping) {
  for (Operation &op : graph.front().without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(graph.front().getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

static bool inlineIf(Node &node) {
  std::optional<SmallVector<int64_t>> condition = node.getConstantInts(0);
  if (!condition || condition->size() != 1)
    return false;
  NodeOp op = node.getOp();
  Region *branch = op.findGraph(condition->front() ? "then_branch" : "else_branch");
  if (!branch || branch->getNumArguments() != 0 ||
      branch->front().getTerminator()->getNumOperands() != op.getNumResults())
    return false;
  SmallVector<Value> results(branch->front().getTerminator()->getOperands());
  op->getBlock()->getOperations().splice(op->getIterator(), branch->front().getOperations(),
                                         branch->front().begin(), std::prev(branch->front().end()));
  op.replaceAllUsesWith(results);
  op.erase();
  return true;
}

static int64_t countNodes(Region &graph) {
  int64_t count = 0;
  graph.walk([&](NodeOp) { ++count; });
  return count;
}

static bool inlineLoop(Node &node, int64_t &budget) {
  NodeOp op = node.getOp();
  std::optional<Loop> loop = Loop::match(node);
  if (!loop || !loop->isCounted() || !loop->getTrips())
    return false;
  int64_t trips = std::max<int64_t>(*loop->getTrips(), 0);
  // What no iteration computes has a type that only the body tells.
  if (trips > maxUnrolledIterations || (trips == 0 && loop->numScanned() > 0))
    return false;
  int64_t nodes = trips * (countNodes(loop->body()) + 1);
  if (nodes > std::min(maxUnrolledNodes, budget))
    return false;
  budget -= nodes;
  Expansion b(node);
  SmallVector<Value> carried(loop->initial());
  SmallVector<SmallVector<Value>> scanned(loop->numScanned());
  Block &body = loop->body().front();
  for (int64_t trip = 0; trip < trips; ++trip) {
    IRMapping mapping;
    mapping.map(body.getArgument(0), b.constant(b.getI64Type(), {}, trip));
    mapping.map(body.getArgument(1), b.constant(b.getI1Type(), {}, 1));
    for (auto [argument, value] : llvm::zip_equal(body.getArguments().drop_front(2), carried))
      mapping.map(argument, value);
    SmallVector<Value> outputs = cloneGraph(b, loop->body(), mapping);
    carried.assign(outputs.begin() + 1, outputs.begin() + 1 + carried.size());
    for (auto [list, value] :
         llvm::zip_equal(scanned, ArrayRef(outputs).drop_front(1 + carried.size())))
      list.push_back(b.op("Unsqueeze", {value, b.ints({0})}));
  }
  SmallVector<Value> results(carried);
  for (SmallVector<Value> &list : scanned)
    results.push_back(b.op("Concat", list, {b.integer("axis", 0)}));
  op.replaceAllUsesWith(results);
  op.erase();
  return true;
}

bool npu::onnx_ir::inlineKnown(Node &node, int64_t &budget) {
  return node.getOpType() == "If"     ? inlineIf(node)
         : node.getOpType() == "Loop" ? inlineLoop(node, budget)
                                      : false;
}

LogicalResult npu::onnx_ir::setGraphArguments(Node &node) {
  NodeOp op = node.getOp();
  if (node.getOpType() != "Loop") {
    for (Region &graph : op.getGraphs())
      if (graph.getNumArguments() != 0)
        return node.reject() << "expected subgraphs without inputs, found "
                             << graph.getNumArguments();
    return success();
  }
  std::optional<Loop> loop = Loop::match(node);
  if (!loop)
    return node.reject() << "expected a body that takes the iteration, the condition and a value "
                            "for each input from 2 on, and gives the condition, these values and "
                            "one for each other output of the node";
  MLIRContext *context = op.getContext();
  SmallVector<Type> types{RankedTensorType::get({}, IntegerType::get(context, 64)),
                          RankedTensorType::get({}, IntegerType::get(context, 1))};
  llvm::append_range(types, ValueRange(loop->initial()).getTypes());
  for (auto [argument, type] : llvm::zip_equal(loop->body().getArguments(), types))
    argument.setType(type);
  return success();
}
