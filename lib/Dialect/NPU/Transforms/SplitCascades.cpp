//===- SplitCascades.cpp - reductions of reductions, block by block -------===//
//
// A softmax reduces exp(x - m), whose m is a reduction itself. With m the extreme of a block only,
// every block can be reduced without the others, once it is on chip:
//
//   sum exp(x - m) = sum over blocks of exp(m_block - m) * (sum in the block of exp(x - m_block))
//
// The same holds for everything that is linear in exp(x - m), so also for the second contraction of
// an attention. A variance reduces (x - m)^2, where m is the mean (Chan, Golub and LeVeque, 1979):
//
//   sum (x - m)^2 = sum over blocks of (sum in the block of (x - m_block)^2 + n * (m_block - m)^2)
//
// What else needs m is computed from x again when all blocks are through.
//
//===----------------------------------------------------------------------===//

#include "SplitCascades.h"

#include "CascadeAnalysis.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPUSPLITCASCADES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

//===----------------------------------------------------------------------===//
// The split kernel
//===----------------------------------------------------------------------===//

namespace {
/// A value of the new kernel.
struct Part {
  Value value;
  SmallVector<unsigned> dims; ///< the kernel's dimension of each of its dimensions
};

class Splitter {
public:
  Splitter(const StageGraph &graph, const CascadeAnalysis &analysis, unsigned dim, int64_t block)
      : graph(graph), analysis(analysis), dim(dim), blocks(graph.dims.size()), block(block),
        kernel(graph.kernel), builder(graph.kernel.getContext()), loc(graph.kernel.getLoc()) {}

  OwningOpRef<KernelOp> run();

private:
  int64_t getExtent(unsigned number) const {
    int64_t whole = graph.dims[dim].extent;
    return number == blocks ? whole / block : number == dim ? block : graph.dims[number].extent;
  }
  SmallVector<unsigned> split(ArrayRef<unsigned> dims) const;
  RankedTensorType getType(ArrayRef<unsigned> dims, Type elementType) const;
  Value createEmpty(ArrayRef<unsigned> dims, Type elementType);
  SmallVector<AffineMap> getMaps(ArrayRef<ArrayRef<unsigned>> operands, ArrayRef<unsigned> domain);

  Value getInput(Value value, ArrayRef<unsigned> dims);
  Part createPartial(NPUComputeOpInterface op, bool isLocal);
  void convertLocally(NPUComputeOpInterface op);
  void convertWhole(NPUComputeOpInterface op);
  SmallVector<Part> getOperands(NPUComputeOpInterface op, bool isLocal);
  Part createLike(NPUComputeOpInterface op, ArrayRef<Part> operands, bool isLocal);
  Part createReduced(NPUComputeOpInterface op, ArrayRef<Part> operands, ArrayRef<unsigned> dims);
  Part createReduce(ReduceKind kind, const Part &operand, ArrayRef<unsigned> dims, Type type);
  Part createBinary(BinaryKind kind, const Part &lhs, const Part &rhs);
  Part createCast(const Part &operand, Type type);
  Part createImmediate(BinaryKind kind, const Part &operand, double value);
  Part createReference(const Part &partial, ReduceKind kind);
  Part createFactor(const Dependence &scale);
  Part createSquare(const Dependence &square);
  void eraseDead();

  const StageGraph &graph;
  const CascadeAnalysis &analysis;
  unsigned dim, blocks; ///< `blocks` is the number of the new dimension, `dim` is within a block
  int64_t block;
  KernelOp kernel;
  OpBuilder builder;
  Location loc;
  OwningOpRef<KernelOp> result;
  DenseMap<Value, Part> parts;          ///< of the whole
  DenseMap<Operation *, Part> partials; ///< of reductions: the results of all blocks
  DenseMap<Value, Part> locals;         ///< of a block by itself, where that is something else
  SmallVector<std::pair<Dependence, Part>, 1> factors; ///< see createFactor
};
} // namespace

SmallVector<unsigned> Splitter::split(ArrayRef<unsigned> dims) const {
  SmallVector<unsigned> result;
  for (unsigned number : dims) {
    if (number == dim)
      result.push_back(blocks);
    result.push_back(number);
  }
  return result;
}

RankedTensorType Splitter::getType(ArrayRef<unsigned> dims, Type elementType) const {
  auto shape = llvm::map_to_vector(dims, [&](unsigned number) { return getExtent(number); });
  return RankedTensorType::get(shape, elementType);
}

Value Splitter::createEmpty(ArrayRef<unsigned> dims, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, getType(dims, elementType).getShape(), elementType);
}

/// From the dimensions `domain` to those of each operand; none where all are identities.
SmallVector<AffineMap> Splitter::getMaps(ArrayRef<ArrayRef<unsigned>> operands,
                                         ArrayRef<unsigned> domain) {
  SmallVector<AffineMap> maps;
  for (ArrayRef<unsigned> dims : operands) {
    auto coordinates = llvm::map_to_vector(dims, [&](unsigned number) -> AffineExpr {
      return builder.getAffineDimExpr(llvm::find(domain, number) - domain.begin());
    });
    maps.push_back(AffineMap::get(domain.size(), 0, coordinates, builder.getContext()));
  }
  return maps;
}

/// An argument or a constant; those with the dimension have two in its place.
Value Splitter::getInput(Value value, ArrayRef<unsigned> dims) {
  Value &input = parts[value].value;
  if (input)
    return input;
  auto type = cast<RankedTensorType>(value.getType());
  if (llvm::is_contained(dims, dim))
    type = getType(dims, type.getElementType());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    input = result->getArgument(argument.getArgNumber());
    input.setType(type);
    return input;
  }
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto contents = cast<DenseElementsAttr>(constant.getValue());
  input = arith::ConstantOp::create(builder, constant.getLoc(), contents.reshape(type));
  return input;
}

/// What `op` reads of the whole or of blocks, with its own view of the dimensions.
SmallVector<Part> Splitter::getOperands(NPUComputeOpInterface op, bool isLocal) {
  SmallVector<Part> operands;
  for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray())) {
    if (operand == &op.getDestinationOperand())
      continue;
    Value value = operand->get();
    if (auto known = locals.find(value); isLocal && known != locals.end()) {
      operands.push_back(known->second);
      continue;
    }
    Part &part = operands.emplace_back();
    if (llvm::all_of(map.getResults(), llvm::IsaPred<AffineDimExpr>))
      part.dims = split(analysis.getDims(op, map));
    bool isInput = llvm::isa<BlockArgument>(value) || value.getDefiningOp<arith::ConstantOp>();
    part.value = isInput ? getInput(value, part.dims) : parts.lookup(value).value;
  }
  return operands;
}

/// `op`, which does not reduce the dimension, of other operands. Without the dimension a local
/// value has one per block.
Part Splitter::createLike(NPUComputeOpInterface op, ArrayRef<Part> operands, bool isLocal) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Part part;
  SmallVector<Value> values =
      llvm::map_to_vector(operands, [](const Part &operand) { return operand.value; });
  if (!analysis.hasDim(op) && !isLocal) {
    // As it is.
    if (llvm::all_of(maps.back().getResults(), llvm::IsaPred<AffineDimExpr>))
      part.dims = analysis.getDims(op, maps.back());
    values.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType()));
    part.value = mlir::clone(builder, op, type, values)->getResult(0);
    return part;
  }
  part.dims = split(analysis.getDims(op, maps.back()));
  if (isLocal && !analysis.hasDim(op))
    part.dims.insert(part.dims.begin(), blocks);
  if (!llvm::isa<UnaryOp, BinaryOp, SelectOp, ClampOp, CastOp, CopyOp>(op.getOperation()))
    return createReduced(op, operands, part.dims);
  values.push_back(createEmpty(part.dims, type.getElementType()));
  Operation *clone = mlir::clone(builder, op, getType(part.dims, type.getElementType()), values);
  SmallVector<ArrayRef<unsigned>> dims;
  for (const Part &operand : operands)
    dims.push_back(operand.dims);
  dims.push_back(part.dims);
  SmallVector<AffineMap> newMaps = getMaps(dims, part.dims);
  clone->removeAttr("indexing_maps");
  if (!llvm::all_of(newMaps, [](AffineMap map) { return map.isIdentity(); }))
    clone->setAttr("indexing_maps", builder.getAffineMapArrayAttr(newMaps));
  clone->removeAttr("tile");
  part.value = clone->getResult(0);
  return part;
}

/// A contraction or a reduction of `operands` with a result of dimensions `dims`.
Part Splitter::createReduced(NPUComputeOpInterface op, ArrayRef<Part> operands,
                             ArrayRef<unsigned> dims) {
  Type type = getElementTypeOrSelf(op->getResult(0));
  auto matmul = dyn_cast<MatmulOp>(op.getOperation());
  if (!matmul) {
    auto reduce = cast<ReduceOp>(op.getOperation());
    // Rounded and wrapped once, at the end.
    bool addsUp = reduce.getKind() == ReduceKind::Sum || reduce.getKind() == ReduceKind::Prod;
    if (analysis.reduces(op) && addsUp)
      type = llvm::isa<FloatType>(type) ? Type(builder.getF32Type()) : builder.getI32Type();
    return createReduce(reduce.getKind(), operands.front(), dims, type);
  }
  std::string letters = matmul.getDimLetters();
  DenseMap<unsigned, char> letterOf;
  for (auto [number, letter] : llvm::zip_equal(analysis.getDims(op), letters))
    letterOf[number] = letter;
  letterOf[blocks] = *llvm::find_if(
      kBatchLetters, [&](char batch) { return !StringRef(letters).contains(batch); });
  auto spell = [&](ArrayRef<unsigned> numbers) {
    std::string layout;
    for (unsigned number : numbers)
      layout.push_back(letterOf.lookup(number));
    return layout;
  };
  auto contraction = MatmulOp::create(builder, op->getLoc(), operands[0].value, operands[1].value,
                                      createEmpty(dims, type), spell(operands[0].dims),
                                      spell(operands[1].dims), spell(dims));
  return {contraction->getResult(0), llvm::to_vector(dims)};
}

Part Splitter::createReduce(ReduceKind kind, const Part &operand, ArrayRef<unsigned> dims,
                            Type type) {
  auto reduce = ReduceOp::create(builder, loc, kind, operand.value, createEmpty(dims, type),
                                 getMaps({ArrayRef(operand.dims), dims}, operand.dims));
  return {reduce->getResult(0), llvm::to_vector(dims)};
}

/// `rhs` is broadcast where `lhs` has more dimensions.
Part Splitter::createBinary(BinaryKind kind, const Part &lhs, const Part &rhs) {
  auto binary = BinaryOp::create(builder, loc, kind, lhs.value, rhs.value,
                                 createEmpty(lhs.dims, getElementTypeOrSelf(lhs.value)),
                                 getMaps({lhs.dims, rhs.dims, lhs.dims}, lhs.dims));
  return {binary->getResult(0), lhs.dims};
}

Part Splitter::createCast(const Part &operand, Type type) {
  Type from = getElementTypeOrSelf(operand.value);
  if (from == type)
    return operand;
  CastKind kind = from.isF32() ? CastKind::TruncF : CastKind::ExtF;
  auto cast = CastOp::create(builder, loc, kind, operand.value, createEmpty(operand.dims, type));
  return {cast->getResult(0), operand.dims};
}

Part Splitter::createImmediate(BinaryKind kind, const Part &operand, double value) {
  Type type = getElementTypeOrSelf(operand.value);
  auto binary = BinaryOp::create(builder, loc, kind, operand.value, FloatAttr::get(type, value),
                                 createEmpty(operand.dims, type));
  return {binary->getResult(0), operand.dims};
}

/// What blocks take for the whole's result. Of a block of infinities, the number next to them: x -
/// m is then infinite, too. A sum as large as if all blocks were like this one, so that its mean is
/// the block's.
Part Splitter::createReference(const Part &partial, ReduceKind kind) {
  if (kind == ReduceKind::Sum)
    return createImmediate(BinaryKind::Mul, partial, getExtent(blocks));
  bool isMax = kind == ReduceKind::Max;
  auto type = cast<FloatType>(getElementTypeOrSelf(partial.value));
  APFloat bound = APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/isMax);
  auto binary =
      BinaryOp::create(builder, loc, isMax ? BinaryKind::Max : BinaryKind::Min, partial.value,
                       builder.getFloatAttr(type, bound), createEmpty(partial.dims, type));
  return {binary->getResult(0), partial.dims};
}

/// What a block's results are multiplied by: exp(scale * (m - m of the block)).
Part Splitter::createFactor(const Dependence &scale) {
  for (const auto &[known, factor] : factors)
    if (std::tie(known.reference, known.scale, known.function) ==
        std::tie(scale.reference, scale.scale, scale.function))
      return factor;
  ReduceOp reduction = scale.reduction;
  Part own = createCast(locals.lookup(scale.reference), builder.getF32Type());
  Part all = createReference(parts.lookup(scale.reference), reduction.getKind());
  Part exponent = createBinary(BinaryKind::Sub, own, createCast(all, builder.getF32Type()));
  if (scale.scale != -1)
    exponent = createImmediate(BinaryKind::Mul, exponent, -scale.scale);
  auto factor = UnaryOp::create(builder, loc, scale.function, exponent.value,
                                createEmpty(own.dims, builder.getF32Type()));
  return factors.emplace_back(scale, Part{factor->getResult(0), own.dims}).second;
}

/// What is added to a block's squares: n * (m of the block - m)^2.
Part Splitter::createSquare(const Dependence &square) {
  Part own = createCast(locals.lookup(square.reference), builder.getF32Type());
  Part all = createCast(parts.lookup(square.reference), builder.getF32Type());
  Part difference = createBinary(BinaryKind::Sub, own, all);
  return createImmediate(BinaryKind::Mul, createBinary(BinaryKind::Mul, difference, difference),
                         block);
}

/// The result of every block, block by block.
Part Splitter::createPartial(NPUComputeOpInterface op, bool isLocal) {
  // Blocks come first, so that what is stored of one lies in one piece.
  SmallVector<unsigned> dims = {blocks};
  llvm::append_range(dims, analysis.getDims(op, op.getIndexingMapsArray().back()));
  return createReduced(op, getOperands(op, isLocal), dims);
}

/// What a block computes without the others.
void Splitter::convertLocally(NPUComputeOpInterface op) {
  Value whole = op->getResult(0);
  const Dependence &dependence = analysis.get(whole);
  const Dependence *input;
  if (analysis.reduces(op)) {
    if (!analysis.isLocal(op, input))
      return;
    Part partial = partials[op] = createPartial(op, /*isLocal=*/true);
    if (ReduceOp reduction = dependence.reduction)
      locals[whole] =
          createReference(createCast(partial, getElementTypeOrSelf(whole)), reduction.getKind());
    return;
  }
  switch (dependence.kind) {
  case Dependence::None:
    parts[whole] = createLike(op, getOperands(op, /*isLocal=*/false), /*isLocal=*/false);
    return;
  case Dependence::Result:
    if (!dependence.reduction)
      return;
    break;
  case Dependence::Shift:
  case Dependence::Scale:
  case Dependence::Deviation:
  case Dependence::Square:
    break;
  case Dependence::Other:
    return;
  }
  // A block leaves out what it is multiplied by in the end.
  if (auto binary = dyn_cast<BinaryOp>(op.getOperation()); binary && binary.getRhs())
    for (auto [product, factor] :
         {std::pair(binary.getLhs(), binary.getRhs()), std::pair(binary.getRhs(), binary.getLhs())})
      if (analysis.get(product).kind == Dependence::Scale &&
          analysis.get(factor).kind == Dependence::Result) {
        locals[whole] = locals.lookup(product);
        return;
      }
  locals[whole] = createLike(op, getOperands(op, /*isLocal=*/true), /*isLocal=*/true);
}

/// What needs the results of all blocks.
void Splitter::convertWhole(NPUComputeOpInterface op) {
  Value whole = op->getResult(0);
  if (!analysis.reduces(op)) {
    if (analysis.get(whole).kind != Dependence::None)
      parts[whole] = createLike(op, getOperands(op, /*isLocal=*/false), /*isLocal=*/false);
    return;
  }
  auto reduce = dyn_cast<ReduceOp>(op.getOperation());
  ReduceKind kind = reduce ? reduce.getKind() : ReduceKind::Sum;
  const Dependence *scale = nullptr;
  bool isLocal = analysis.isLocal(op, scale);
  Part partial = isLocal ? partials.lookup(op) : createPartial(op, /*isLocal=*/false);
  if (!isLocal)
    scale = nullptr;
  if (scale && scale->kind == Dependence::Square)
    partial = createBinary(BinaryKind::Add, partial, createSquare(*scale));
  else if (scale)
    partial = createBinary(BinaryKind::Mul, partial, createFactor(*scale));
  Type type = getElementTypeOrSelf(whole);
  bool isLast = !scale || scale->factors.empty();
  Part result = createReduce(kind, partial, ArrayRef(partial.dims).drop_front(),
                             isLast ? type : Type(builder.getF32Type()));
  if (!isLast) {
    for (auto [combination, factor] : scale->factors)
      result =
          createBinary(combination, result, createCast(parts.lookup(factor), builder.getF32Type()));
    result = createCast(result, type);
  }
  parts[whole] = result;
}

/// Drops what only the other one, of the whole and of blocks, is computed from.
void Splitter::eraseDead() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(result->getBody().front())))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
}

OwningOpRef<KernelOp> Splitter::run() {
  result = cast<KernelOp>(kernel->cloneWithoutRegions());
  Block *body = &result->getBody().emplaceBlock();
  Block &old = kernel.getBody().front();
  for (BlockArgument argument : old.getArguments())
    body->addArgument(argument.getType(), argument.getLoc());
  builder.setInsertionPointToStart(body);
  // Everything that a block can do while it is on chip comes before what needs all of them.
  for (auto op : old.getOps<NPUComputeOpInterface>()) {
    loc = op->getLoc();
    convertLocally(op);
  }
  for (auto op : old.getOps<NPUComputeOpInterface>()) {
    loc = op->getLoc();
    convertWhole(op);
  }
  auto returnOp = cast<ReturnOp>(old.getTerminator());
  auto values = llvm::map_to_vector(returnOp.getOperands(),
                                    [&](Value value) { return parts.lookup(value).value; });
  ReturnOp::create(builder, returnOp.getLoc(), values);
  eraseDead();
  result->setFunctionType(
      builder.getFunctionType(body->getArgumentTypes(), ValueRange(values).getTypes()));
  return std::move(result);
}

std::optional<unsigned> npu::findCascade(const StageGraph &graph) {
  for (const Stage &stage : graph.stages)
    for (const StageOp &op : stage.ops) {
      if (!llvm::isa<ReduceOp>(op.op.getOperation()))
        continue;
      for (unsigned dim : op.getReductionDims()) {
        CascadeAnalysis analysis(graph, dim);
        if (analysis.isSplittable() && analysis.hasCascade())
          return dim;
      }
    }
  return std::nullopt;
}

OwningOpRef<KernelOp> npu::splitCascade(const StageGraph &graph, unsigned dim, int64_t block) {
  CascadeAnalysis analysis(graph, dim);
  return Splitter(graph, analysis, dim, block).run();
}

SmallVector<int64_t> npu::getBlockCandidates(int64_t extent) {
  constexpr int64_t largest = 8192, smallest = 64;
  SmallVector<int64_t> sizes;
  for (int64_t power = largest; power >= smallest; power /= 2)
    for (int64_t size = std::min(power, extent / 2); size > power / 2; --size)
      if (extent % size == 0) {
        sizes.push_back(size);
        break;
      }
  return sizes;
}

namespace {
struct SplitCascades : npu::impl::NPUSplitCascadesBase<SplitCascades> {
  using NPUSplitCascadesBase::NPUSplitCascadesBase;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getResultTypes().empty())
        kernels.push_back(kernel);
      return WalkResult::skip();
    });
    for (KernelOp kernel : kernels) {
      FailureOr<StageGraph> graph = StageGraph::analyze(kernel);
      if (failed(graph))
        return signalPassFailure();
      std::optional<unsigned> dim = findCascade(*graph);
      if (!dim)
        continue;
      int64_t extent = graph->dims[*dim].extent;
      if (block < 1 || extent % block != 0) {
        kernel.emitOpError("expected blocks that divide the ")
            << extent << " elements that are reduced but found " << block.getValue();
        return signalPassFailure();
      }
      OwningOpRef<KernelOp> split = splitCascade(*graph, *dim, block);
      kernel->getBlock()->getOperations().insert(kernel->getIterator(), split.release());
      kernel.erase();
    }
  }
};
} // namespace
