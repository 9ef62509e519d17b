//===- GeneralizeOps.cpp - scans, arg-compares and gathers as generics ----===//
//
// The forms are those that the compiler for the NPU recognizes: a scan is a reduction whose steps
// are a second result, an arg-compare a reduction to a value and its position, a gather a body that
// reads elements by computed coordinates.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "RegionUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu::linalg_ext {
#define GEN_PASS_DEF_GENERALIZEOPS
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"
} // namespace npu::linalg_ext

using namespace mlir;
using namespace npu::linalg_ext;

/// Over all loops of a tensor of this rank, of which one is a reduction.
static SmallVector<utils::IteratorType> getIterators(int64_t rank, int64_t reduced) {
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators[reduced] = utils::IteratorType::reduction;
  return iterators;
}

static Value castIndex(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type ? value : arith::IndexCastOp::create(b, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

namespace {
/// Builds the linalg ops of one scan.
class ScanBuilder {
public:
  ScanBuilder(ScanOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()), rank(op.getInput().getType().getRank()),
        dimension(op.getDimension()), identity(rewriter.getMultiDimIdentityMap(rank)),
        rows(identity.dropResult(dimension)) {}

  SmallVector<Value> build() {
    std::optional<TypedAttr> neutral = getNeutralStart();
    Value input = op.getInput();
    if (!op.getInclusive())
      input = neutral ? createShifted() : Value();
    if (!input)
      return buildExclusive();
    if (neutral)
      return buildSteps(input, createFill(*neutral), /*replacesFirst=*/false);
    return buildSteps(input, op.getAccumulator(), /*replacesFirst=*/true);
  }

private:
  /// What changes nothing, if the region is a single op that has such an element.
  std::optional<TypedAttr> getNeutralStart() {
    Block &body = op.getRegion().front();
    Operation *combine = &body.front();
    if (!llvm::hasNItems(body, 2) || combine->getNumOperands() != 2 ||
        body.getTerminator()->getOperand(0) != combine->getResult(0) ||
        !llvm::is_contained(combine->getOperands(), body.getArgument(0)) ||
        !llvm::is_contained(combine->getOperands(), body.getArgument(1)))
      return std::nullopt;
    return arith::getNeutralElement(combine);
  }

  Value createFill(TypedAttr value) {
    Value constant = arith::ConstantOp::create(rewriter, loc, value);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, op.getAccumulator());
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, value.getType());
    return linalg::FillOp::create(rewriter, loc, constant, empty).getResult(0);
  }

  /// The input one element later behind a constant accumulator, null if it is none: an exclusive
  /// scan is the inclusive one of that.
  Value createShifted() {
    RankedTensorType type = op.getInput().getType();
    auto fill = op.getAccumulator().getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.getInputs()[0], m_Constant()) || !type.hasStaticShape() ||
        type.getDimSize(dimension) < 2)
      return {};
    SmallVector<int64_t> shape(type.getShape()), low(rank), high(rank);
    --shape[dimension];
    low[dimension] = 1;
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
        strides(rank, rewriter.getIndexAttr(1)),
        sizes = getAsIndexOpFoldResult(rewriter.getContext(), shape);
    Value slice =
        tensor::ExtractSliceOp::create(rewriter, loc, op.getInput(), offsets, sizes, strides);
    return tensor::PadOp::create(
        rewriter, loc, type, slice, getAsIndexOpFoldResult(rewriter.getContext(), low),
        getAsIndexOpFoldResult(rewriter.getContext(), high), fill.getInputs()[0]);
  }

  linalg::GenericOp createGeneric(Value input, ValueRange inits,
                                  function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
    SmallVector<AffineMap> maps = {identity, identity};
    maps.resize(1 + inits.size(), rows);
    return linalg::GenericOp::create(rewriter, loc, inits.getTypes(), input, inits, maps,
                                     getIterators(rank, dimension),
                                     [&](OpBuilder &b, Location loc, ValueRange args) {
                                       linalg::YieldOp::create(b, loc, body(b, args));
                                     });
  }

  /// Every step, and the last one.
  SmallVector<Value> buildSteps(Value input, Value start, bool replacesFirst) {
    return createGeneric(input, {op.getOutput(), start},
                         [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
                           Value next = inlineRegion(b, op.getRegion(), {args[2], args[0]});
                           if (replacesFirst)
                             next = arith::SelectOp::create(b, loc, isFirst(b), args[0], next);
                           return {next, next};
                         })
        .getResults();
  }

  /// Each step before its element is taken; the last result keeps the last of these.
  SmallVector<Value> buildExclusive() {
    Value start = op.getAccumulator();
    auto generic = createGeneric(op.getInput(), {op.getOutput(), start, start},
                                 [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
                                   Value next = inlineRegion(b, op.getRegion(), {args[2], args[0]});
                                   return {args[2], next, args[2]};
                                 });
    return {generic.getResult(0), generic.getResult(2)};
  }

  Value isFirst(OpBuilder &b) {
    Value loop = linalg::IndexOp::create(b, loc, dimension);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, loop, zero);
  }

  ScanOp op;
  RewriterBase &rewriter;
  Location loc;
  int64_t rank, dimension;
  AffineMap identity, rows;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arg-compares
//===----------------------------------------------------------------------===//

static SmallVector<Value> buildArgCompare(ArgCompareOp op, RewriterBase &rewriter) {
  int64_t rank = op.getValues().getType().getRank(), dimension = op.getDimension();
  Type positionType = op.getOutputIndex().getType().getElementType();
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  AffineMap rows = identity.dropResult(dimension);
  SmallVector<Value> inputs = {op.getValues()};
  if (Value indices = op.getIndices())
    inputs.push_back(indices);
  SmallVector<AffineMap> maps(inputs.size(), identity);
  maps.append(2, rows);
  auto create = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value winner = args[args.size() - 2], where = args.back(), position;
    Value wins = inlineRegion(b, op.getRegion(), {args[0], winner});
    if (op.getIndices()) {
      position = args[1];
    } else {
      position = linalg::IndexOp::create(b, loc, dimension);
      if (Value base = op.getIndexBase())
        position = arith::AddIOp::create(b, loc, position, base);
      position = castIndex(b, loc, position, positionType);
    }
    Value value = arith::SelectOp::create(b, loc, wins, args[0], winner);
    position = arith::SelectOp::create(b, loc, wins, position, where);
    linalg::YieldOp::create(b, loc, {value, position});
  };
  return linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                   {op.getOutputValue(), op.getOutputIndex()}, maps,
                                   getIterators(rank, dimension), create)
      .getResults();
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// Indices of one coordinate without a dimension for it. A reshape is part of how a kernel takes
/// its argument.
static Value collapseIndices(GatherOp op, RewriterBase &rewriter) {
  RankedTensorType type = op.getIndices().getType();
  int64_t batchRank = op.getBatchRank();
  if (type.getRank() == batchRank || op.getDimensionMap().size() != 1)
    return op.getIndices();
  SmallVector<ReassociationIndices> groups(batchRank);
  for (int64_t dim = 0; dim <= batchRank && batchRank > 0; ++dim)
    groups[std::min(dim, batchRank - 1)].push_back(dim);
  auto collapsed = RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  return tensor::CollapseShapeOp::create(rewriter, op.getLoc(), collapsed, op.getIndices(), groups);
}

static Value buildGather(GatherOp op, RewriterBase &rewriter) {
  ArrayRef<int64_t> dimensionMap = op.getDimensionMap();
  int64_t rank = op.getOutput().getType().getRank(), batchRank = op.getBatchRank(),
          depth = dimensionMap.size();
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  AffineMap batch = AffineMap::get(rank, /*symbolCount=*/0,
                                   identity.getResults().take_front(batchRank), op.getContext());
  // One input per coordinate, not a read in the body: only the source is read by what is computed.
  Value indices = collapseIndices(op, rewriter);
  SmallVector<Value> inputs(depth, indices);
  SmallVector<AffineMap> maps(depth, batch);
  if (cast<RankedTensorType>(indices.getType()).getRank() > batchRank)
    for (auto [coordinate, map] : llvm::enumerate(maps))
      map = map.insertResult(rewriter.getAffineConstantExpr(coordinate), batchRank);
  if (op.getMask()) {
    inputs.push_back(op.getMask());
    maps.push_back(batch);
  }
  maps.push_back(identity);
  auto create = [&](OpBuilder &b, Location loc, ValueRange args) {
    SmallVector<Value> coordinates(depth);
    for (auto [coordinate, dim] : llvm::enumerate(dimensionMap))
      coordinates[dim] = castIndex(b, loc, args[coordinate], b.getIndexType());
    for (int64_t dim = batchRank; dim < rank; ++dim)
      coordinates.push_back(linalg::IndexOp::create(b, loc, dim));
    Value element = tensor::ExtractOp::create(b, loc, op.getSource(), coordinates);
    if (op.getMask())
      element = arith::SelectOp::create(b, loc, isSet(b, loc, args[depth]), element, args.back());
    linalg::YieldOp::create(b, loc, element);
  };
  return linalg::GenericOp::create(
             rewriter, op.getLoc(), op.getType(), inputs, op.getOutput(), maps,
             SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel), create)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Top-k
//===----------------------------------------------------------------------===//

/// Makes a topk of it. Outputs for indices that are missing start as those for values do.
static SmallVector<Value> generalizeTopk(TopkV2Op op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value indices = op.getInputs().size() == 2 ? op.getInputs()[1] : Value();
  SmallVector<Value> outputs(op.getOutputs());
  if (outputs.size() == 1) {
    Type element = indices ? getElementTypeOrSelf(indices.getType()) : rewriter.getI32Type();
    bool startsEmpty = outputs.front().getDefiningOp<tensor::EmptyOp>() != nullptr;
    outputs.push_back(tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, outputs.front()), element));
    if (!startsEmpty) {
      Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
      outputs.back() = linalg::FillOp::create(rewriter, loc, zero, outputs.back()).getResult(0);
    }
  }
  auto topk = TopkOp::create(rewriter, loc, ValueRange(outputs).getTypes(), op.getInputs().front(),
                             indices, outputs[0], outputs[1], op.getDimension());
  topk.getRegion().takeBody(op.getRegion());
  return llvm::to_vector_of<Value>(topk->getResults().take_front(op.getNumResults()));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct GeneralizeOps : npu::linalg_ext::impl::GeneralizeOpsBase<GeneralizeOps> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<ScanOp, ArgCompareOp, GatherOp, TopkV2Op>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      SmallVector<Value> results =
          TypeSwitch<Operation *, SmallVector<Value>>(op)
              .Case([&](ScanOp scan) { return ScanBuilder(scan, rewriter).build(); })
              .Case([&](ArgCompareOp compare) { return buildArgCompare(compare, rewriter); })
              .Case([&](TopkV2Op topk) { return generalizeTopk(topk, rewriter); })
              .Case([&](GatherOp gather) -> SmallVector<Value> {
                return {buildGather(gather, rewriter)};
              });
      rewriter.replaceOp(op, results);
    }
  }
};
} // namespace
