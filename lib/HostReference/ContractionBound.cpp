//===- ContractionBound.cpp - error bounds of sums in another order -------===//

#include "HostContext.h"
#include "MathErrors.h"
#include "NPU/HostReference/HostReference.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cmath>

using namespace mlir;
using namespace npu::runtime;

namespace {
/// A linalg.generic whose region adds a term to a floating-point accumulator.
struct Sum {
  linalg::GenericOp op;
  /// The addend in the region.
  Value term;
  /// Number of terms per result element.
  int64_t length;
  /// Unit roundoff of the accumulator.
  double roundoff;
  /// Relative error of the terms: those of exponentials that are rounded to a narrow type.
  double termError;
  /// The inputs that hold these.
  SmallVector<unsigned, 1> rounded;
};
} // namespace

/// Largest relative error of one rounding to `type`, 2^-p for p bits of significand.
static double getUnitRoundoff(FloatType type) {
  return std::ldexp(1, -int(type.getFPMantissaWidth()));
}

/// What `value` is computed of.
static SetVector<Operation *> getSources(Value value) {
  SetVector<Operation *> sources;
  BackwardSliceOptions options;
  options.inclusive = options.omitBlockArguments = true;
  (void)getBackwardSlice(value, &sources, options);
  return sources;
}

static bool isExtreme(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() > 0 &&
         isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp,
                         arith::SelectOp>(
             generic.getBody()->getTerminator()->getOperand(0).getDefiningOp());
}

/// Whether `value` is computed of an exponential of what is computed of an extreme.
static bool dependsOnShiftedExp(Value value) {
  return llvm::any_of(getSources(value), [](Operation *op) {
    WalkResult result = op->walk([](Operation *inner) {
      return isa<math::ExpOp, math::Exp2Op>(inner) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
    });
    return result.wasInterrupted() && llvm::any_of(op->getOperands(), [](Value operand) {
             return llvm::any_of(getSources(operand), isExtreme);
           });
  });
}

/// The type that an input was rounded to after it was computed of exponentials in f32.
static FloatType findRoundedExp(Value input) {
  auto source = input.getDefiningOp<linalg::GenericOp>();
  auto narrow =
      source ? source.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>()
             : arith::TruncFOp();
  return narrow && dependsOnShiftedExp(input) ? cast<FloatType>(narrow.getType()) : FloatType();
}

static std::optional<Sum> matchSum(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
    return std::nullopt;
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op.getResult(0)));
  auto add = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  // Bounds are computed in f64.
  if (!type || type.getWidth() > 64 || !add)
    return std::nullopt;
  BlockArgument accumulator = op.getRegionOutputArgs().front();
  Value term = add.getLhs() == accumulator   ? add.getRhs()
               : add.getRhs() == accumulator ? add.getLhs()
                                             : Value();
  if (!term || !accumulator.hasOneUse())
    return std::nullopt;
  int64_t length = 1;
  for (auto [range, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    if (iterator == utils::IteratorType::reduction)
      length *= range;
  }
  Sum sum{op, term, length, getUnitRoundoff(type), /*termError=*/0, {}};
  // A softmax may take its exponentials of any reference, such as the extreme of a block of the
  // row, and divide at the end. Terms then differ by a rounding on each side.
  for (auto [index, input] : llvm::enumerate(op.getInputs()))
    if (FloatType narrow = findRoundedExp(input)) {
      sum.termError += 2 * getUnitRoundoff(narrow);
      sum.rounded.push_back(index);
    }
  return sum;
}

static SmallVector<Sum> findSums(ModuleOp module) {
  SmallVector<Sum> sums;
  // Loops around a sum would need a magnitude per iteration; their sums stay without a bound.
  auto entry = module.lookupSymbol<func::FuncOp>(hostEntryName);
  for (auto op : entry.getOps<linalg::GenericOp>())
    if (std::optional<Sum> sum = matchSum(op))
      sums.push_back(*sum);
  return sums;
}

/// |`value`| as f64.
static Value createMagnitude(OpBuilder &builder, Location loc, Value value) {
  Type f64 = builder.getF64Type();
  if (value.getType() != f64)
    value = arith::ExtFOp::create(builder, loc, f64, value);
  return math::AbsFOp::create(builder, loc, value);
}

/// sum|term| + |init| of a sum, f64, right after it.
static Value createMagnitudeSum(const Sum &sum) {
  linalg::GenericOp op = sum.op;
  Location loc = op.getLoc();
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  auto f64Type = type.clone(builder.getF64Type());

  auto identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), builder.getF64Type());
  Value init = linalg::GenericOp::create(builder, loc, TypeRange(f64Type), op.getDpsInits(), empty,
                                         ArrayRef<AffineMap>{identity, identity}, parallel,
                                         [](OpBuilder &b, Location loc, ValueRange args) {
                                           Value magnitude = createMagnitude(b, loc, args[0]);
                                           linalg::YieldOp::create(b, loc, magnitude);
                                         })
                   .getResult(0);

  return linalg::GenericOp::create(
             builder, loc, TypeRange(f64Type), op.getInputs(), init, op.getIndexingMapsArray(),
             op.getIteratorTypesArray(),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               IRMapping mapping;
               for (auto [from, to] : llvm::zip(op.getRegionInputArgs(), args))
                 mapping.map(from, to);
               // Below the smallest normal number errors do not fall further.
               for (unsigned index : sum.rounded) {
                 auto narrow = cast<FloatType>(args[index].getType());
                 APFloat least = APFloat::getSmallestNormalized(narrow.getFloatSemantics());
                 Value floor = arith::ConstantOp::create(b, loc, b.getFloatAttr(narrow, least));
                 Value magnitude = math::AbsFOp::create(b, loc, args[index]);
                 mapping.map(op.getRegionInputArgs()[index],
                             arith::MaximumFOp::create(b, loc, magnitude, floor).getResult());
               }
               // Everything but the addition; the accumulator has no other use.
               Operation *add = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
               for (Operation &inner : op.getBody()->without_terminator())
                 if (&inner != add)
                   b.clone(inner, mapping);
               Value term = createMagnitude(b, loc, mapping.lookupOrDefault(sum.term));
               Value total = arith::AddFOp::create(b, loc, args.back(), term);
               linalg::YieldOp::create(b, loc, total);
             })
      .getResult(0);
}

/// Whether one of the ops computes something of two values in `moved`, which gets what they make of
/// the values in it.
static bool rejoins(Block::iterator begin, Block::iterator end, llvm::DenseSet<Value> &moved) {
  for (Operation &op : llvm::make_range(begin, end)) {
    size_t count = llvm::count_if(op.getOperands(), [&](Value v) { return moved.contains(v); });
    if (count == 0)
      continue;
    if (count > 1 && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
      return true;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      moved.insert_range(op.getResults());
      continue;
    }
    Block *body = generic.getBody();
    for (OpOperand &operand : op.getOpOperands())
      if (moved.contains(operand.get()))
        moved.insert(generic.getMatchingBlockArgument(&operand));
    if (rejoins(body->begin(), body->end(), moved))
      return true;
    for (auto [value, result] :
         llvm::zip_equal(body->getTerminator()->getOperands(), op.getResults()))
      if (moved.contains(value))
        moved.insert(result);
  }
  return false;
}

static bool anySumRejoins(ModuleOp module) {
  return llvm::any_of(findSums(module), [](const Sum &sum) {
    Operation *op = sum.op;
    llvm::DenseSet<Value> moved{op->getResult(0)};
    return rejoins(std::next(op->getIterator()), op->getBlock()->end(), moved);
  });
}

static void setResults(func::FuncOp func, ValueRange results) {
  func.getBody().back().getTerminator()->setOperands(results);
  func.setType(
      FunctionType::get(func.getContext(), func.getBody().getArgumentTypes(), results.getTypes()));
}

/// Adds an f64 argument to `func` that is added to the sum wherever it is used.
static void perturbSum(func::FuncOp func, const Sum &sum) {
  linalg::GenericOp op = sum.op;
  Location loc = op.getLoc();
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Value result = op.getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  Value delta = func.getBody().addArgument(type.clone(builder.getF64Type()), loc);

  auto identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  auto add = linalg::GenericOp::create(
      builder, loc, TypeRange(type), ValueRange{result, delta}, empty,
      ArrayRef<AffineMap>{identity, identity, identity}, parallel,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Type f64 = b.getF64Type();
        Value wide =
            args[0].getType() == f64 ? Value(args[0]) : arith::ExtFOp::create(b, loc, f64, args[0]);
        Value moved = arith::AddFOp::create(b, loc, wide, args[1]);
        if (args[0].getType() != f64)
          moved = arith::TruncFOp::create(b, loc, args[0].getType(), moved);
        linalg::YieldOp::create(b, loc, moved);
      });
  result.replaceAllUsesExcept(add.getResult(0), add);
}

llvm::Expected<std::unique_ptr<ContractionBound>>
ContractionBound::create(func::FuncOp func, const HostReferenceOptions &options) {
  HostContext context(options);
  llvm::Expected<OwningOpRef<ModuleOp>> module = context.import(func, /*readsResources=*/true);
  if (!module)
    return module.takeError();
  if (failed(generalizeTensorOps(**module)))
    return context.makeError("cannot generalize the function for its error bound");

  auto bound = std::make_unique<ContractionBound>();
  {
    OwningOpRef<ModuleOp> clone((*module)->clone());
    SmallVector<Sum> sums = findSums(*clone);
    SmallVector<Value> values;
    for (const Sum &sum : sums) {
      bound->factors.push_back(2.0 * sum.length * sum.roundoff + sum.termError);
      values.push_back(createMagnitudeSum(sum));
    }
    if (!sums.empty()) {
      setResults(clone->lookupSymbol<func::FuncOp>(hostEntryName), values);
      auto compiled = HostReference::compile(context, *clone, options);
      if (!compiled)
        return compiled.takeError();
      bound->magnitudes = std::move(*compiled);
    }
  }
  auto entry = (*module)->lookupSymbol<func::FuncOp>(hostEntryName);
  int64_t numReductions = 0;
  entry.walk([&](linalg::LinalgOp op) { numReductions += op.getNumReductionLoops() > 0; });
  bound->isRejoined = anySumRejoins(**module);
  bound->choosesElements = numReductions > int64_t(bound->factors.size());
  for (MathError &error : perturbMath(entry)) {
    HostTensorType type{ElementType::F64, std::move(error.shape)};
    bound->mathErrors.push_back({std::move(type), error.relative});
  }
  for (const Sum &sum : findSums(**module))
    perturbSum(entry, sum);
  setResults(entry, entry.getBody().back().getTerminator()->getOperands());
  auto compiled = HostReference::compile(context, **module, options);
  if (!compiled)
    return compiled.takeError();
  bound->perturbed = std::move(*compiled);
  return bound;
}

/// bound = max(bound, |moved - base|); a result that is not finite has no bound.
static void accumulateDistance(HostTensor &bound, const HostTensor &base, const HostTensor &moved) {
  for (int64_t i = 0; i < bound.getNumElements(); ++i) {
    double distance = std::abs(moved.getFloat(i) - base.getFloat(i));
    if (distance > bound.getFloat(i))
      bound.setFloat(i, distance);
  }
}

/// `delta` with signs: pattern 0 is all plus, 1 all minus, others are pseudo-random.
static HostTensor withSigns(const HostTensor &delta, unsigned pattern, uint64_t seed) {
  HostTensor signs(ElementType::I1, delta.getShape());
  if (pattern < 2)
    signs.fill(pattern);
  else
    signs.fillRandom(seed * 1000 + pattern);
  HostTensor result = delta;
  for (int64_t i = 0; i < result.getNumElements(); ++i)
    if (signs.getInt(i))
      result.setFloat(i, -result.getFloat(i));
  return result;
}

static llvm::SmallVector<HostTensor> makeZeroBounds(ArrayRef<HostTensorType> types) {
  return llvm::map_to_vector(
      types, [](const HostTensorType &type) { return HostTensor(ElementType::F64, type.shape); });
}

llvm::Expected<llvm::SmallVector<HostTensor>>
ContractionBound::evaluate(ArrayRef<HostTensor> inputs, Effort effort) {
  llvm::SmallVector<HostTensor> bounds = makeZeroBounds(perturbed->getResultTypes());
  llvm::SmallVector<HostTensor> deltas;
  for (const auto &[type, relative] : mathErrors) {
    deltas.emplace_back(type.elementType, type.shape);
    deltas.back().fill(relative);
  }
  if (magnitudes) {
    llvm::Expected<llvm::SmallVector<HostTensor>> sums = magnitudes->run(inputs);
    if (!sums)
      return sums.takeError();
    for (auto [delta, factor] : llvm::zip_equal(*sums, factors)) {
      for (int64_t i = 0; i < delta.getNumElements(); ++i)
        delta.setFloat(i, delta.getFloat(i) * factor);
      deltas.push_back(std::move(delta));
    }
  }
  if (deltas.empty())
    return bounds;

  llvm::SmallVector<HostTensor> arguments(inputs);
  for (const HostTensor &delta : deltas)
    arguments.emplace_back(ElementType::F64, delta.getShape());
  const llvm::SmallVector<HostTensor> unmoved = arguments;
  llvm::Expected<llvm::SmallVector<HostTensor>> base = perturbed->run(unmoved);
  if (!base)
    return base.takeError();

  // Runs with `arguments` and raises `distances` to how far the results moved.
  auto measure = [&](llvm::SmallVectorImpl<HostTensor> &distances) -> llvm::Error {
    llvm::Expected<llvm::SmallVector<HostTensor>> results = perturbed->run(arguments);
    if (!results)
      return results.takeError();
    for (auto [distance, from, to] : llvm::zip_equal(distances, *base, *results))
      accumulateDistance(distance, from, to);
    return llvm::Error::success();
  };

  // All of them at once where one by one would take too long.
  constexpr size_t maxSeparateSums = 8;
  auto moveAll = [&](unsigned numPatterns) -> llvm::Error {
    for (unsigned pattern = 0; pattern < numPatterns; ++pattern) {
      for (auto [index, delta] : llvm::enumerate(deltas))
        arguments[inputs.size() + index] = withSigns(delta, pattern, index);
      if (llvm::Error error = measure(bounds))
        return error;
    }
    return llvm::Error::success();
  };
  // Of the pairs of elements, a pattern moves half alike; after 32 of them, one pair in 2^32.
  constexpr unsigned thoroughPatterns = 32;
  bool isThorough = effort == Effort::Thorough;
  unsigned numPatternsOfAll = isThorough ? thoroughPatterns : 8;
  if (deltas.size() > maxSeparateSums) {
    if (llvm::Error error = moveAll(numPatternsOfAll))
      return std::move(error);
    return bounds;
  }
  unsigned numPatterns = isThorough          ? thoroughPatterns
                         : choosesElements   ? 10
                         : deltas.size() > 1 ? 4
                                             : 2;
  for (auto [index, delta] : llvm::enumerate(deltas)) {
    llvm::SmallVector<HostTensor> contribution = makeZeroBounds(perturbed->getResultTypes());
    arguments = unmoved;
    for (unsigned pattern = 0; pattern < numPatterns; ++pattern) {
      arguments[inputs.size() + index] = withSigns(delta, pattern, index);
      if (llvm::Error error = measure(contribution))
        return std::move(error);
    }
    for (auto [bound, part] : llvm::zip_equal(bounds, contribution))
      for (int64_t i = 0; i < bound.getNumElements(); ++i)
        bound.setFloat(i, bound.getFloat(i) + part.getFloat(i));
  }
  // Where results are rounded to a narrower type on the way, several may together reach the next
  // number that none reaches alone.
  if (deltas.size() > 1)
    if (llvm::Error error = moveAll(numPatternsOfAll))
      return std::move(error);
  return bounds;
}

llvm::Expected<llvm::SmallVector<HostTensor>>
npu::runtime::computeContractionBound(func::FuncOp func, ArrayRef<HostTensor> inputs,
                                      const HostReferenceOptions &options) {
  llvm::Expected<std::unique_ptr<ContractionBound>> bound = ContractionBound::create(func, options);
  if (!bound)
    return bound.takeError();
  return (*bound)->evaluate(inputs);
}
