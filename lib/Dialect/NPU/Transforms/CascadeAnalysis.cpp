//===- CascadeAnalysis.cpp - reductions that depend on others -------------===//

#include "CascadeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

/// Whether a tile size is on the op.
static bool hasGivenTile(NPUComputeOpInterface op) {
  return llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
    return attribute.getName() == "tile" || attribute.getName().strref().starts_with("tile_");
  });
}

CascadeAnalysis::CascadeAnalysis(const StageGraph &graph, unsigned dim)
    : dim(dim), extent(graph.dims[dim].extent) {
  for (const Stage &stage : graph.stages)
    for (const StageOp &op : stage.ops)
      dimsOf[op.op] = op.dims;
  // Which coordinates of a tensor are along the dimension.
  DenseMap<Value, SmallVector<bool>> placesOf;
  KernelOp kernel = graph.kernel;
  // What is written by hand is about the kernel as it is.
  canSplit = !kernel.getScheduleAttr() && !kernel.getClusterAttr();
  for (Operation &op : kernel.getBody().front()) {
    if (llvm::isa<tensor::EmptyOp, arith::ConstantOp, ReturnOp>(op))
      continue;
    auto compute = dyn_cast<NPUComputeOpInterface>(op);
    if (!compute || !dimsOf.contains(&op)) {
      canSplit = false; // slices of arguments or results
      return;
    }
    SmallVector<AffineMap> maps = compute.getIndexingMapsArray();
    for (auto [operand, map] : llvm::zip_equal(compute.getDataOperands(), maps)) {
      if (operand == &compute.getDestinationOperand())
        continue;
      SmallVector<bool> places;
      for (AffineExpr coordinate : map.getResults())
        places.push_back(llvm::any_of(llvm::enumerate(getDims(&op)), [&](auto entry) {
          return entry.value() == dim && coordinate.isFunctionOfDim(entry.index());
        }));
      // All who read a tensor have the dimension in the same place of it.
      auto [known, isNew] = placesOf.try_emplace(operand->get(), places);
      canSplit &= isNew || known->second == places;
    }
    canSplit &= !compute.readsDestination() && !compute.getStage() && !hasGivenTile(compute) &&
                (!hasDim(&op) || hasSimpleForm(compute));
    if (!canSplit)
      return;
    SmallVector<bool> places;
    for (AffineExpr coordinate : maps.back().getResults()) {
      auto plain = dyn_cast<AffineDimExpr>(coordinate);
      places.push_back(plain && getDims(&op)[plain.getPosition()] == dim);
    }
    placesOf[op.getResult(0)] = std::move(places);
    analyze(compute);
  }
}

bool CascadeAnalysis::reduces(NPUComputeOpInterface op) const {
  return llvm::any_of(llvm::zip_equal(getDims(op), op.getIteratorTypes()), [&](auto entry) {
    return std::get<0>(entry) == dim && std::get<1>(entry) == utils::IteratorType::reduction;
  });
}

SmallVector<unsigned> CascadeAnalysis::getDims(Operation *op, AffineMap map) const {
  ArrayRef<unsigned> dims = getDims(op);
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr coordinate) {
    return dims[cast<AffineDimExpr>(coordinate).getPosition()];
  });
}

/// Ops that can be written with a dimension more.
bool CascadeAnalysis::hasSimpleForm(NPUComputeOpInterface op) const {
  if (llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return !llvm::all_of(map.getResults(), llvm::IsaPred<AffineDimExpr>);
      }))
    return false;
  if (auto matmul = dyn_cast<MatmulOp>(op.getOperation()))
    return !matmul.getBias() && llvm::any_of(kBatchLetters, [&](char batch) {
      return !StringRef(matmul.getDimLetters()).contains(batch);
    });
  return llvm::isa<ReduceOp, UnaryOp, BinaryOp, SelectOp, ClampOp, CastOp, CopyOp>(
      op.getOperation());
}

static bool isSubset(ArrayRef<unsigned> dims, ArrayRef<unsigned> others) {
  return llvm::all_of(dims, [&](unsigned number) { return llvm::is_contained(others, number); });
}

/// Whether `value` is a comparison that finds the NaNs of `x`.
static bool isNaNOf(Value value, Value x) {
  auto compare = value.getDefiningOp<BinaryOp>();
  return compare && compare.getKind() == BinaryKind::CmpNe && compare.getLhs() == x &&
         compare.getRhs() == x;
}

/// What `value` is an exact copy of, its NaNs left out.
static Value getSource(Value value) {
  while (true) {
    auto cast = value.getDefiningOp<CastOp>();
    auto select = value.getDefiningOp<SelectOp>();
    if (cast && cast.getKind() == CastKind::ExtF)
      value = cast.getInput();
    else if (select && isNaNOf(select.getCondition(), select.getOnFalse()))
      value = select.getOnFalse();
    else
      return value;
  }
}

/// `op` as x - result, or the other way round, if the result is an extreme of its x, or the mean.
Dependence CascadeAnalysis::getDifference(BinaryOp op) const {
  bool isReversed = get(op.getLhs()).kind == Dependence::Result;
  Value x = isReversed ? op.getRhs() : op.getLhs(), result = isReversed ? op.getLhs() : op.getRhs();
  const Dependence &dependence = get(result);
  ReduceOp reduce = dependence.reduction;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool isOfOwnRow = isSubset(getDims(op, maps[isReversed ? 0 : 1]), getDims(op, maps[isReversed]));
  if (!reduce || !isOfOwnRow || getSource(reduce.getInput()) != getSource(x) ||
      get(x).kind != Dependence::None)
    return {Dependence::Other};
  double scale = isReversed ? 1 : -1;
  if (reduce.getKind() != ReduceKind::Sum)
    return {Dependence::Shift, result, reduce, scale};
  constexpr double tolerance = 0x1p-10; // f16 rounds 1 / n
  bool isMean = std::abs(dependence.scale * extent - 1) < tolerance;
  return {isMean ? Dependence::Deviation : Dependence::Other, result, reduce};
}

static double getValue(std::optional<TypedAttr> immediate) {
  auto real = dyn_cast_if_present<FloatAttr>(immediate.value_or(TypedAttr()));
  return real ? real.getValueAsDouble() : 0;
}

Dependence CascadeAnalysis::getBinary(BinaryOp op) const {
  BinaryKind kind = op.getKind();
  Dependence lhs = get(op.getLhs());
  if (op.getImm()) {
    double value = getValue(op.getImm());
    bool isProduct = kind == BinaryKind::Mul || (kind == BinaryKind::Div && !op.getImmFirst());
    bool isSum = lhs.kind == Dependence::Result && lhs.reduction &&
                 lhs.reduction.getKind() == ReduceKind::Sum;
    if ((lhs.kind == Dependence::Shift || isSum) && isProduct && value != 0) {
      lhs.scale = kind == BinaryKind::Mul ? lhs.scale * value : lhs.scale / value;
      return lhs;
    }
    // What is beyond the extreme bounds x, too.
    bool isBeyond = lhs.kind == Dependence::Result && lhs.reduction && std::isfinite(value) &&
                    ((kind == BinaryKind::Max && lhs.reduction.getKind() == ReduceKind::Max) ||
                     (kind == BinaryKind::Min && lhs.reduction.getKind() == ReduceKind::Min));
    bool isKept = isBeyond || (lhs.kind == Dependence::Scale && isProduct);
    return isKept ? lhs : Dependence{Dependence::Other};
  }
  Dependence rhs = get(op.getRhs());
  bool hasResult = lhs.kind == Dependence::Result || rhs.kind == Dependence::Result;
  if (kind == BinaryKind::Sub && hasResult && hasDim(op))
    return getDifference(op);
  if (kind == BinaryKind::Mul && lhs.kind == Dependence::Deviation &&
      rhs.kind == Dependence::Deviation && lhs.reference == rhs.reference)
    return {Dependence::Square, lhs.reference};
  if (kind == BinaryKind::Mul && lhs.kind != Dependence::Scale)
    std::swap(lhs, rhs);
  if (lhs.kind != Dependence::Scale || (kind != BinaryKind::Mul && kind != BinaryKind::Div))
    return {Dependence::Other};
  if (rhs.kind == Dependence::None)
    return lhs;
  bool isReversed = get(op.getLhs()).kind != Dependence::Scale;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (rhs.kind != Dependence::Result ||
      !isSubset(getDims(op, maps[!isReversed]), getDims(op, maps[isReversed])))
    return {Dependence::Other};
  lhs.factors.push_back({kind, isReversed ? op.getLhs() : op.getRhs()});
  return lhs;
}

/// Of an op that does not reduce the dimension, some operand of which depends on a reduction.
Dependence CascadeAnalysis::getElementwise(NPUComputeOpInterface op) const {
  Dependence input = get(op->getOperand(0));
  return llvm::TypeSwitch<Operation *, Dependence>(op)
      .Case([&](BinaryOp binary) { return getBinary(binary); })
      .Case([&](UnaryOp unary) -> Dependence {
        UnaryKind kind = unary.getKind();
        if (kind == UnaryKind::Neg && input.kind == Dependence::Shift)
          input.scale = -input.scale;
        else if (kind == UnaryKind::Neg && input.kind == Dependence::Scale)
          return input;
        else if ((kind == UnaryKind::Exp || kind == UnaryKind::Exp2) &&
                 input.kind == Dependence::Shift) {
          // The extreme has to be the one that keeps exp from growing.
          if ((input.reduction.getKind() == ReduceKind::Max) != (input.scale < 0))
            return {Dependence::Other};
          input.kind = Dependence::Scale;
          input.function = kind;
        } else {
          return {Dependence::Other};
        }
        return input;
      })
      .Case([&](CastOp cast) -> Dependence {
        bool isExact = cast.getKind() == CastKind::ExtF;
        bool isKept = isExact
                          ? input.kind != Dependence::Other
                          : cast.getKind() == CastKind::TruncF && input.kind == Dependence::Scale;
        return isKept ? input : Dependence{Dependence::Other};
      })
      .Case([&](CopyOp) { return input; })
      .Default([](Operation *) { return Dependence{Dependence::Other}; });
}

void CascadeAnalysis::analyze(NPUComputeOpInterface op) {
  SmallVector<Value> inputs;
  for (OpOperand *operand : op.getDataOperands())
    if (operand != &op.getDestinationOperand())
      inputs.push_back(operand->get());
  bool isNone =
      llvm::all_of(inputs, [&](Value input) { return get(input).kind == Dependence::None; });
  Dependence &result = dependences[op->getResult(0)];
  if (reduces(op)) {
    const Dependence *other;
    isCascade |= isLocal(op, other) && other;
    result.kind = Dependence::Result;
    auto reduce = dyn_cast<ReduceOp>(op.getOperation());
    if (reduce && isNone && llvm::isa<FloatType>(getElementTypeOrSelf(reduce.getInput())) &&
        (reduce.getKind() == ReduceKind::Max || reduce.getKind() == ReduceKind::Min ||
         // A narrow sum of a block, as large as if all were like it, may overflow.
         (reduce.getKind() == ReduceKind::Sum && getElementTypeOrSelf(reduce.getOutput()).isF32())))
      result.reduction = reduce;
    return;
  }
  if (isNone)
    return;
  if (hasDim(op)) {
    result = getElementwise(op);
    return;
  }
  // Without the dimension; casts and copies of a reduction are as good as it.
  if (llvm::isa<UnaryOp, BinaryOp, CastOp, CopyOp>(op.getOperation()))
    result = getElementwise(op);
  if (result.kind != Dependence::Result)
    result = {Dependence::Result};
}

/// Whether a reduction needs no other block's result: of what depends on none, or, if it adds up,
/// of one exponential or square beside that. `dependence` is how it depends on a reduction.
bool CascadeAnalysis::isLocal(NPUComputeOpInterface op, const Dependence *&dependence) const {
  auto reduce = dyn_cast<ReduceOp>(op.getOperation());
  bool addsUp = !reduce || reduce.getKind() == ReduceKind::Sum;
  dependence = nullptr;
  for (OpOperand *operand : op.getDataOperands()) {
    const Dependence &own = get(operand->get());
    if (operand == &op.getDestinationOperand() || own.kind == Dependence::None)
      continue;
    bool isKnown = own.kind == Dependence::Scale || (own.kind == Dependence::Square && reduce);
    // What repairs the result has no dimension that it does not have.
    SmallVector<unsigned> kept = getDims(op, op.getIndexingMapsArray().back());
    auto isKept = [&](Value value) {
      auto source = cast<NPUComputeOpInterface>(value.getDefiningOp());
      return isSubset(getDims(source, source.getIndexingMapsArray().back()), kept);
    };
    if (!isKnown || dependence || !addsUp || !isKept(own.reference) ||
        !llvm::all_of(llvm::make_second_range(own.factors), isKept))
      return false;
    dependence = &own;
  }
  return true;
}
