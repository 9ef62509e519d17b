//===- FitSums.cpp - sums of two quantized numbers in integers ------------===//
//
// What a quantized model computes of two bytes in floats, as a residual sum, is a step function of
// a weighted sum of them. It is evaluated for all 65536 pairs; weights, an offset and a shift that
// give the same byte for each of them are a point of a polyhedron, which upstream's simplex finds.
//
//===----------------------------------------------------------------------===//

#include "ByteFunctions.h"
#include "FoldBody.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace npu {
#define GEN_PASS_DEF_NPUFITSUMS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {
/// A number of a body: an f32, or an integer of up to 32 bits.
struct Number {
  float real = 0;
  int64_t integer = 0; ///< sign-extended
};

/// Evaluates a function of two bytes, whose ops it looks up once.
class Evaluator {
public:
  /// Fails where the function has an op that is not known here.
  static FailureOr<Evaluator> create(linalg::GenericOp op, const ByteFunction &function);

  /// The byte for these two; nothing if a conversion is out of range.
  std::optional<int64_t> operator()(int64_t lhs, int64_t rhs);

private:
  using Compute = std::optional<Number> (*)(Operation *op, ArrayRef<Number> x);
  struct Step {
    Operation *op;
    Compute compute;
    SmallVector<unsigned, 3> operands; ///< among `numbers`
  };

  static Compute getCompute(Operation *op);

  std::vector<Number> numbers; ///< the inputs, constants, results
  std::vector<Step> steps;
  unsigned firstResult = 0;
};
} // namespace

static unsigned getWidth(Value value) { return value.getType().getIntOrFloatBitWidth(); }
static int64_t extend(uint64_t bits, unsigned width) { return llvm::SignExtend64(bits, width); }
static uint64_t asUnsigned(int64_t number, unsigned width) {
  return uint64_t(number) & llvm::maskTrailingOnes<uint64_t>(width);
}

static Number makeReal(float real) { return {real, 0}; }
/// What overflows wraps around.
static Number makeInteger(Operation *op, uint64_t bits) {
  return {0, extend(bits, getWidth(op->getResult(0)))};
}

/// A float that is cut off to an integer between `least` and `most`.
static std::optional<Number> toInteger(Operation *op, float real, double least, double most) {
  double whole = std::trunc(double(real));
  if (!(whole >= least && whole <= most))
    return std::nullopt;
  return makeInteger(op, uint64_t(int64_t(whole)));
}

static bool compare(arith::CmpFPredicate predicate, float lhs, float rhs) {
  using P = arith::CmpFPredicate;
  bool isUnordered = std::isnan(lhs) || std::isnan(rhs);
  switch (predicate) {
  case P::OEQ:
    return lhs == rhs;
  case P::OGT:
    return lhs > rhs;
  case P::OGE:
    return lhs >= rhs;
  case P::OLT:
    return lhs < rhs;
  case P::OLE:
    return lhs <= rhs;
  case P::UGT:
    return isUnordered || lhs > rhs;
  case P::UGE:
    return isUnordered || lhs >= rhs;
  case P::ULT:
    return isUnordered || lhs < rhs;
  case P::ULE:
    return isUnordered || lhs <= rhs;
  default:
    return false;
  }
}

static bool isKnown(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  return llvm::is_contained(
      {P::OEQ, P::OGT, P::OGE, P::OLT, P::OLE, P::UGT, P::UGE, P::ULT, P::ULE}, predicate);
}

Evaluator::Compute Evaluator::getCompute(Operation *op) {
  using Result = std::optional<Number>;
  using Numbers = ArrayRef<Number>;
  return llvm::TypeSwitch<Operation *, Compute>(op)
      .Case([](arith::ExtSIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(x[0].integer));
        };
      })
      .Case([](arith::ExtUIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, asUnsigned(x[0].integer, getWidth(op->getOperand(0))));
        };
      })
      .Case([](arith::TruncIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(x[0].integer));
        };
      })
      .Case([](arith::SIToFPOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(float(x[0].integer)); };
      })
      .Case([](arith::UIToFPOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeReal(float(asUnsigned(x[0].integer, getWidth(op->getOperand(0)))));
        };
      })
      .Case([](arith::FPToSIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          unsigned width = getWidth(op->getResult(0));
          return toInteger(op, x[0].real, double(llvm::minIntN(width)),
                           double(llvm::maxIntN(width)));
        };
      })
      .Case([](arith::FPToUIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return toInteger(op, x[0].real, 0, double(llvm::maxUIntN(getWidth(op->getResult(0)))));
        };
      })
      .Case([](arith::AddIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(x[0].integer) + uint64_t(x[1].integer));
        };
      })
      .Case([](arith::SubIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(x[0].integer) - uint64_t(x[1].integer));
        };
      })
      .Case([](arith::XOrIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(x[0].integer) ^ uint64_t(x[1].integer));
        };
      })
      .Case([](arith::MaxSIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(std::max(x[0].integer, x[1].integer)));
        };
      })
      .Case([](arith::MinSIOp) -> Compute {
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op, uint64_t(std::min(x[0].integer, x[1].integer)));
        };
      })
      .Case([](arith::AddFOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(x[0].real + x[1].real); };
      })
      .Case([](arith::SubFOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(x[0].real - x[1].real); };
      })
      .Case([](arith::MulFOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(x[0].real * x[1].real); };
      })
      .Case([](arith::DivFOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(x[0].real / x[1].real); };
      })
      .Case([](arith::NegFOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(-x[0].real); };
      })
      // No operand is a NaN where the result is none; which zero is larger makes no difference to
      // an integer.
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([](auto) -> Compute {
        return [](Operation *, Numbers x) -> Result {
          return makeReal(std::max(x[0].real, x[1].real));
        };
      })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([](auto) -> Compute {
        return [](Operation *, Numbers x) -> Result {
          return makeReal(std::min(x[0].real, x[1].real));
        };
      })
      .Case([](math::RoundEvenOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return makeReal(std::nearbyint(x[0].real)); };
      })
      .Case([](arith::CmpFOp compareOp) -> Compute {
        if (!isKnown(compareOp.getPredicate()))
          return nullptr;
        return [](Operation *op, Numbers x) -> Result {
          return makeInteger(op,
                             compare(cast<arith::CmpFOp>(op).getPredicate(), x[0].real, x[1].real));
        };
      })
      .Case([](arith::SelectOp) -> Compute {
        return [](Operation *, Numbers x) -> Result { return x[0].integer != 0 ? x[1] : x[2]; };
      })
      .Default(Compute(nullptr));
}

FailureOr<Evaluator> Evaluator::create(linalg::GenericOp op, const ByteFunction &function) {
  Evaluator evaluator;
  DenseMap<Value, unsigned> positions;
  auto add = [&](Value value) -> LogicalResult {
    if (!positions.try_emplace(value, evaluator.numbers.size()).second)
      return success();
    Number &number = evaluator.numbers.emplace_back();
    Attribute constant = findBodyConstant(op, value);
    if (auto real = dyn_cast_or_null<FloatAttr>(constant); real && real.getType().isF32())
      number.real = real.getValue().convertToFloat();
    else if (auto integer = dyn_cast_or_null<IntegerAttr>(constant))
      number.integer = integer.getValue().getSExtValue();
    else
      return failure(bool(constant));
    return success();
  };
  for (Value input : function.inputs)
    (void)add(input);
  for (Operation *body : function.ops)
    for (Value operand : body->getOperands())
      if (findBodyConstant(op, operand) && failed(add(operand)))
        return failure();
  evaluator.firstResult = evaluator.numbers.size();
  for (Operation *body : function.ops) {
    auto isKnownType = [](Type type) {
      return type.isF32() || (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 32);
    };
    Compute compute = getCompute(body);
    if (!compute || !llvm::all_of(body->getOperandTypes(), isKnownType) ||
        !isKnownType(body->getResult(0).getType()))
      return failure();
    Step step{body, compute, {}};
    for (Value operand : body->getOperands())
      step.operands.push_back(positions.lookup(operand));
    positions[body->getResult(0)] = evaluator.numbers.size();
    evaluator.numbers.emplace_back();
    evaluator.steps.push_back(std::move(step));
  }
  return evaluator;
}

std::optional<int64_t> Evaluator::operator()(int64_t lhs, int64_t rhs) {
  numbers[0].integer = lhs;
  numbers[1].integer = rhs;
  unsigned result = firstResult;
  SmallVector<Number, 3> operands;
  for (const Step &step : steps) {
    operands.clear();
    for (unsigned operand : step.operands)
      operands.push_back(numbers[operand]);
    std::optional<Number> number = step.compute(step.op, operands);
    if (!number)
      return std::nullopt;
    numbers[result++] = *number;
  }
  return numbers.back().integer;
}

//===----------------------------------------------------------------------===//
// The fit
//===----------------------------------------------------------------------===//

namespace {
/// The numbers that eight bits stand for.
struct ByteRange {
  bool isUnsigned = false;

  int64_t first() const { return isUnsigned ? 0 : llvm::minIntN(8); }
  int64_t last() const { return first() + 255; }
};

/// A function by its values: `values[256 * i + j]` is that of the i-th and j-th number.
struct Table {
  ByteRange lhs, rhs, result;
  std::vector<int64_t> values;

  int64_t get(int64_t a, int64_t b) const {
    return values[256 * (a - lhs.first()) + (b - rhs.first())];
  }
};

/// Bits of the products that are rounded away, so that weights are finer than what is summed.
static constexpr unsigned kRoundedBits = 8;

using Pair = std::pair<int64_t, int64_t>;

/// clamp((round(a * lhs) + round(b * rhs) + offset) >> shift, least, most), rounded to
/// 2^kRoundedBits, but for some pairs.
struct WeightedSum {
  int64_t lhs = 0, rhs = 0, offset = 0;
  unsigned shift = 0;
  int64_t least = 0, most = 0;
  SmallVector<Pair> exceptions;

  static int64_t scale(int64_t number, int64_t weight) {
    return (number * weight + (int64_t(1) << (kRoundedBits - 1))) >> kRoundedBits;
  }
  int64_t getUnshifted(int64_t a, int64_t b) const {
    return scale(a, lhs) + scale(b, rhs) + offset;
  }
  int64_t operator()(int64_t a, int64_t b) const {
    return std::clamp(getUnshifted(a, b) >> shift, least, most);
  }
};

/// Finds the sum that a table is of.
class Fit {
public:
  explicit Fit(const Table &table) : table(table) {
    auto [least, most] = std::minmax_element(table.values.begin(), table.values.end());
    sum.least = *least;
    sum.most = *most;
  }

  std::optional<WeightedSum> run();

private:
  bool solve();
  bool addViolated();
  bool addException();

  /// Sums that exist are found with less than half of this; without a limit, a search that finds
  /// none can take a minute.
  static constexpr size_t kMaxWork = 1 << 18;

  const Table &table;
  WeightedSum sum;
  SmallVector<Pair> pairs; ///< that the sum must be right for
  size_t work = 0;         ///< of all solutions: the squares of the numbers of pairs
};
} // namespace

/// Chooses weights and an offset that are right for all `pairs` and stay within i32.
bool Fit::solve() {
  work += pairs.size() * pairs.size();
  if (work > kMaxWork)
    return false;
  presburger::IntegerPolyhedron points(presburger::PresburgerSpace::getSetSpace(3));
  // Two products and the offset are rounded by half a unit each, and a point between integers to
  // one: each of 256 numbers moves by half of its weight's.
  constexpr int64_t unit = int64_t(1) << kRoundedBits, margin = 2 * unit + 256;
  for (auto [a, b] : pairs) {
    int64_t value = table.get(a, b), step = unit << sum.shift;
    if (value > sum.least)
      points.addInequality({a, b, 1, -value * step - margin});
    if (value < sum.most)
      points.addInequality({-a, -b, -1, (value + 1) * step - margin});
  }
  constexpr int64_t largest = llvm::maxIntN(32), largestSum = largest * unit - margin;
  for (int64_t sign : {-1, 1}) {
    points.addInequality({sign, 0, 0, largest});
    points.addInequality({0, sign, 0, largest});
    for (int64_t a : {table.lhs.first(), table.lhs.last()})
      for (int64_t b : {table.rhs.first(), table.rhs.last()})
        for (int64_t offset : {int64_t(0), sign})
          points.addInequality({sign * a, sign * b, offset, largestSum});
  }
  presburger::Simplex simplex(points);
  if (simplex.isEmpty())
    return false;
  std::optional<SmallVector<presburger::Fraction, 8>> point = simplex.getRationalSample();
  if (!point)
    return false;
  auto round = [](const presburger::Fraction &number) {
    return int64_t(presburger::floor(number + presburger::Fraction(1, 2)));
  };
  sum.lhs = round((*point)[0]);
  sum.rhs = round((*point)[1]);
  sum.offset = WeightedSum::scale(1, round((*point)[2]));
  return true;
}

/// Adds pairs that the sum is wrong for: of every 16 rows the one for which it is most wrong.
/// Returns whether there are any.
bool Fit::addViolated() {
  constexpr int64_t numRows = 16;
  bool found = false;
  for (int64_t first = table.lhs.first(); first <= table.lhs.last(); first += numRows) {
    std::optional<Pair> worst;
    int64_t distance = 0;
    for (int64_t a = first; a < first + numRows; ++a)
      for (int64_t b = table.rhs.first(); b <= table.rhs.last(); ++b) {
        int64_t value = table.get(a, b);
        if (sum(a, b) == value || llvm::is_contained(sum.exceptions, Pair(a, b)))
          continue;
        int64_t middle = (2 * value + 1) * (int64_t(1) << (sum.shift - 1));
        int64_t off = std::abs(sum.getUnshifted(a, b) - middle);
        if (!worst || off > distance) {
          worst = Pair(a, b);
          distance = off;
        }
      }
    if (worst)
      pairs.push_back(*worst);
    found |= worst.has_value();
  }
  return found;
}

/// Gives up one pair without which there is a solution: next to the middle between two numbers, a
/// float may be rounded to the other side than those around it. Returns whether there is one.
bool Fit::addException() {
  constexpr unsigned most = 3; // each costs instructions
  if (sum.exceptions.size() == most)
    return false;
  for (size_t index = pairs.size(); index-- > 0 && work <= kMaxWork;) {
    Pair pair = pairs[index];
    pairs.erase(pairs.begin() + index);
    if (solve()) {
      sum.exceptions.push_back(pair);
      return true;
    }
    pairs.insert(pairs.begin() + index, pair);
  }
  return false;
}

std::optional<WeightedSum> Fit::run() {
  constexpr unsigned maxRounds = 64;
  // The more bits, the closer the sums come, until they no longer fit into 32 bits.
  for (sum.shift = 22; sum.shift >= 12 && work <= kMaxWork; --sum.shift) {
    for (unsigned round = 0; round < maxRounds && (solve() || addException()); ++round)
      if (!addViolated())
        return sum;
    pairs.append(std::exchange(sum.exceptions, {}));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The table of a function, or nothing where it has no value.
static std::optional<Table> makeTable(Evaluator &evaluator, ByteRange lhs, ByteRange rhs,
                                      ByteRange result) {
  Table table{lhs, rhs, result, {}};
  table.values.reserve(256 * 256);
  for (int64_t a = lhs.first(); a <= lhs.last(); ++a)
    for (int64_t b = rhs.first(); b <= rhs.last(); ++b) {
      std::optional<int64_t> value = evaluator(extend(a, 8), extend(b, 8));
      if (!value)
        return std::nullopt;
      table.values.push_back(result.isUnsigned ? int64_t(asUnsigned(*value, 8)) : *value);
    }
  return table;
}

/// How the ops of a function read a byte, and how they write one.
static ByteRange getRange(const ByteFunction &function, Value byte) {
  return {llvm::any_of(function.ops, [&](Operation *op) {
    return isa<arith::ExtUIOp, arith::UIToFPOp>(op) && op->getOperand(0) == byte;
  })};
}

static Value createSum(OpBuilder &builder, Location loc, const ByteFunction &function,
                       const Table &table, const WeightedSum &sum) {
  Type i32 = builder.getI32Type();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number));
  };
  auto widen = [&](Value byte, ByteRange range) -> Value {
    return range.isUnsigned ? arith::ExtUIOp::create(builder, loc, i32, byte).getResult()
                            : arith::ExtSIOp::create(builder, loc, i32, byte).getResult();
  };
  Value lhs = widen(function.inputs[0], table.lhs), rhs = widen(function.inputs[1], table.rhs);
  auto product = [&](Value wide, int64_t weight) -> Value {
    Value shift = arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(kRoundedBits));
    return tosa::ApplyScaleOp::create(builder, loc, i32, wide, constant(weight), shift,
                                      tosa::RoundingMode::SINGLE_ROUND);
  };
  Value value = arith::AddIOp::create(builder, loc, product(lhs, sum.lhs), product(rhs, sum.rhs));
  value = arith::AddIOp::create(builder, loc, value, constant(sum.offset));
  value = arith::ShRSIOp::create(builder, loc, value, constant(sum.shift));
  value = arith::MaxSIOp::create(builder, loc, value, constant(sum.least));
  value = arith::MinSIOp::create(builder, loc, value, constant(sum.most));
  for (auto [a, b] : sum.exceptions) {
    using arith::CmpIPredicate;
    Value isLhs = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, lhs, constant(a));
    Value isRhs = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, rhs, constant(b));
    Value isPair = arith::AndIOp::create(builder, loc, isLhs, isRhs);
    value = arith::SelectOp::create(builder, loc, isPair, constant(table.get(a, b)), value);
  }
  return arith::TruncIOp::create(builder, loc, builder.getI8Type(), value);
}

static void fit(linalg::GenericOp op, Operation *tail, DenseSet<Operation *> &erased) {
  std::optional<ByteFunction> function = findByteFunction(op, tail, /*fromArguments=*/false, 2);
  if (!function)
    return;
  FailureOr<Evaluator> evaluator = Evaluator::create(op, *function);
  if (failed(evaluator))
    return;
  // The byte says nothing of its sign, so both are tried.
  for (bool isUnsigned : {false, true}) {
    std::optional<Table> table =
        makeTable(*evaluator, getRange(*function, function->inputs[0]),
                  getRange(*function, function->inputs[1]), ByteRange{isUnsigned});
    std::optional<WeightedSum> sum = table ? Fit(*table).run() : std::nullopt;
    if (!sum)
      continue;
    OpBuilder builder(tail);
    replaceByteFunction(*function, createSum(builder, tail->getLoc(), *function, *table, *sum),
                        erased);
    return;
  }
  if (op->getContext()->getRemarkEngine())
    remark::missed(tail->getLoc(), remark::RemarkOpts::name("NoSum").category("npu-tables"))
        << remark::reason("no sum of products in 32 bits gives the same for all pairs of bytes");
}

namespace {
struct FitSums : npu::impl::NPUFitSumsBase<FitSums> {
  void runOnOperation() override { rewriteByteFunctions(getOperation(), fit); }
};
} // namespace
