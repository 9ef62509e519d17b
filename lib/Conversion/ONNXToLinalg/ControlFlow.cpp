//===- ControlFlow.cpp - If and Loop as scf -------------------------------===//

#include "ControlFlow.h"

#include "NPU/Dialect/ONNX/Specs/Loop.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// The one element of a tensor.
static Value extractOne(ImplicitLocOpBuilder &b, Value tensor) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> indices(cast<RankedTensorType>(tensor.getType()).getRank(), zero);
  return tensor::ExtractOp::create(b, tensor, indices);
}

static Value wrapOne(ImplicitLocOpBuilder &b, Value scalar) {
  return tensor::FromElementsOp::create(b, RankedTensorType::get({}, scalar.getType()), scalar);
}

/// Moves the ops of a subgraph to the end of `block`; returns the subgraph's outputs.
static SmallVector<Value> moveGraph(Region &graph, Block *block, ValueRange arguments) {
  Block &body = graph.front();
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  SmallVector<Value> outputs(yield.getValues());
  yield.erase();
  block->getOperations().splice(block->end(), body.getOperations());
  return outputs;
}

static void lowerIf(NodeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value condition = extractOne(b, op.getInputs().front());
  auto branch = scf::IfOp::create(b, op.getResultTypes(), condition, /*withElseRegion=*/true);
  for (auto [name, region] : {std::pair("then_branch", &branch.getThenRegion()),
                              {"else_branch", &branch.getElseRegion()}}) {
    Block *block = region->empty() ? b.createBlock(region) : &region->front();
    block->clear();
    SmallVector<Value> outputs = moveGraph(*op.findGraph(name), block, {});
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, outputs);
  }
  op.replaceAllUsesWith(branch.getResults());
  op.erase();
}

/// One iteration at the end of `block`: the condition, and what the next one takes.
static std::pair<Value, SmallVector<Value>> writeIteration(ImplicitLocOpBuilder &b,
                                                           const Loop &loop, Block *block,
                                                           Value index, ValueRange carried) {
  b.setInsertionPointToEnd(block);
  SmallVector<Value> arguments{wrapOne(b, arith::IndexCastOp::create(b, b.getI64Type(), index)),
                               wrapOne(b, arith::ConstantOp::create(b, b.getBoolAttr(true)))};
  size_t numCarried = loop.initial().size();
  llvm::append_range(arguments, carried.take_front(numCarried));
  SmallVector<Value> outputs = moveGraph(loop.body(), block, arguments);
  b.setInsertionPointToEnd(block);
  SmallVector<Value> next(outputs.begin() + 1, outputs.begin() + 1 + numCarried);
  for (auto [all, part] : llvm::zip_equal(carried.drop_front(numCarried),
                                          ArrayRef(outputs).drop_front(1 + numCarried))) {
    auto type = cast<RankedTensorType>(part.getType());
    SmallVector<OpFoldResult> offsets(type.getRank() + 1, b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank() + 1, b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes{b.getIndexAttr(1)};
    offsets[0] = index;
    for (int64_t size : type.getShape())
      sizes.push_back(b.getIndexAttr(size));
    next.push_back(tensor::InsertSliceOp::create(b, part, all, offsets, sizes, strides));
  }
  return {outputs.front(), next};
}

static void lowerLoop(NodeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Node node(op, getOpset(op));
  Loop loop = *Loop::match(node);
  bool isCounted = loop.isCounted();
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value trips =
      node.hasInput(0)
          ? Value(arith::IndexCastOp::create(b, b.getIndexType(), extractOne(b, node.getInput(0))))
          : Value(arith::ConstantIndexOp::create(b, INT64_MAX));
  SmallVector<Value> initial(loop.initial());
  // All that iterations gave, one below the other.
  for (Type type : TypeRange(op.getResultTypes()).drop_front(initial.size())) {
    auto tensor = cast<RankedTensorType>(type);
    initial.push_back(tensor::EmptyOp::create(b, tensor.getShape(), tensor.getElementType()));
  }
  if (isCounted) {
    auto forOp = scf::ForOp::create(b, zero, trips, one, initial);
    forOp.getBody()->clear();
    auto [condition, next] = writeIteration(b, loop, forOp.getBody(), forOp.getInductionVar(),
                                            forOp.getRegionIterArgs());
    scf::YieldOp::create(b, next);
    op.replaceAllUsesWith(forOp.getResults());
    op.erase();
    return;
  }
  Value condition = node.hasInput(1) ? extractOne(b, node.getInput(1))
                                     : Value(arith::ConstantOp::create(b, b.getBoolAttr(true)));
  SmallVector<Value> all{zero, condition};
  llvm::append_range(all, initial);
  SmallVector<Type> types = llvm::to_vector(ValueRange(all).getTypes());
  SmallVector<Location> locs(all.size(), op.getLoc());
  auto whileOp = scf::WhileOp::create(b, types, all);
  Block *before = b.createBlock(&whileOp.getBefore(), {}, types, locs);
  Value isLess = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, before->getArgument(0), trips);
  Value goesOn = arith::AndIOp::create(b, isLess, before->getArgument(1));
  scf::ConditionOp::create(b, goesOn, before->getArguments());
  Block *after = b.createBlock(&whileOp.getAfter(), {}, types, locs);
  auto [output, next] =
      writeIteration(b, loop, after, after->getArgument(0), after->getArguments().drop_front(2));
  SmallVector<Value> yielded{arith::AddIOp::create(b, after->getArgument(0), one),
                             extractOne(b, output)};
  llvm::append_range(yielded, next);
  scf::YieldOp::create(b, yielded);
  op.replaceAllUsesWith(whileOp.getResults().drop_front(2));
  op.erase();
}

void npu::onnx_ir::lowerControlFlow(func::FuncOp function) {
  // What is inside comes first.
  SmallVector<NodeOp> nodes;
  function.walk<WalkOrder::PostOrder>([&](NodeOp op) {
    if (!op.getGraphs().empty())
      nodes.push_back(op);
  });
  for (NodeOp op : nodes) {
    if (op.getOpType() == "If")
      lowerIf(op);
    else
      lowerLoop(op);
  }
}

namespace {
/// An op of the tensor dialect with converted types.
struct ConvertTensorOp : ConversionPattern {
  ConvertTensorOp(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<tensor::TensorDialect>(op->getDialect()) || op->getNumRegions() != 0)
      return rewriter.notifyMatchFailure(op, "expected an op of the tensor dialect");
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "types are not inferred");
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         llvm::to_vector(op->getAttrs()));
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};
} // namespace

void npu::onnx_ir::populateControlFlowConversion(RewritePatternSet &patterns,
                                                 const TypeConverter &types,
                                                 ConversionTarget &target) {
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  patterns.add<ConvertTensorOp>(types, patterns.getContext());
  target.addDynamicallyLegalDialect<tensor::TensorDialect>(
      [&types](Operation *op) { return types.isLegal(op); });
}
