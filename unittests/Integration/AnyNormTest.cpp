//===- AnyNormTest.cpp - every normalization is as exact as it can be -----===//
//
// Random softmaxes, log-softmaxes, layer norms and RMS norms along any dimensions, in the forms in
// which models write them, through the front half, on random chips. Results are within the bound of
// the host check, and within the bounds below of what loops in f64 give.
//
//===----------------------------------------------------------------------===//

#include "NestText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

enum class NormKind { NamedSoftmax, Softmax, LogSoftmax, LayerNorm, RMSNorm };

constexpr double epsilon = 0x1p-16;

/// What f64 gives, and how far a result may be from it.
struct Expectation {
  HostTensor values, bound;
};

class Norm : public NestText {
public:
  explicit Norm(Random &random);

  std::string getText();
  Tensors makeInputs(uint64_t seed) const;
  Expectation compute(ArrayRef<HostTensor> inputs) const;

private:
  using Body = llvm::function_ref<Scalar(std::vector<Scalar>)>;

  bool isSoftmax() const { return kind <= NormKind::LogSoftmax; }
  Operand getKept(const Tensor &tensor) const { return getOperand(tensor, getLoopsOf(false)); }
  Operand getReduced(const Tensor &tensor) const { return getOperand(tensor, getLoopsOf(true)); }

  // Bodies are of f32: operands are extended, and results rounded.
  Operand addReduction(ArrayRef<Operand> inputs, StringRef op, double init, Body addTerm);
  Operand addMap(ArrayRef<Operand> inputs, ElementType result, Body addValue);
  std::vector<Scalar> extend(ArrayRef<Scalar> scalars);
  Scalar addBinary(StringRef op, Scalar a, Scalar b);
  Scalar addUnary(StringRef op, Scalar a);
  Scalar addNumber(double value) {
    return {addConstant(ElementType::F32, value), ElementType::F32};
  }
  Scalar addMean(Scalar sum);
  /// 1 / sqrt(x + epsilon).
  Scalar addInverseRoot(Scalar x);

  Operand addSoftmax(const Operand &x);
  Operand addLayerNorm(Operand x);

  NormKind kind;
  ElementType type;
  int64_t count = 1; ///< of what one result depends on
  bool hasScale = false, hasBias = false, multiplies = false, divides = false;
  double magnitude, middle; ///< of the input
  bool hides = false;       ///< a part of each row
};

Norm::Norm(Random &random) : NestText(random) {
  kind = random.of({NormKind::NamedSoftmax, NormKind::Softmax, NormKind::LogSoftmax,
                    NormKind::LayerNorm, NormKind::RMSNorm});
  type = random.of({ElementType::F32, ElementType::F32, ElementType::F16, ElementType::BF16});
  int64_t rank = random.in(1, 4), kept = 1;
  // One dimension for certain, mostly the last.
  int64_t reduced = random.chance(70) ? rank - 1 : random.in(0, rank - 1);
  for (int64_t i = 0; i < rank; ++i) {
    bool isReduction = i == reduced || (kind != NormKind::NamedSoftmax && random.chance(15));
    int64_t extent = isReduction ? random.of<int64_t>({1, 2, 7, 33, 64, 100, random.in(1, 1500)})
                                 : random.of<int64_t>({1, 2, 3, 7, 16, 33, random.in(1, 60)});
    if (count * kept * extent > 40000)
      extent = 2;
    (isReduction ? count : kept) *= extent;
    loops.push_back({"d" + std::to_string(i), extent, isReduction});
  }
  hasScale = !isSoftmax() && random.chance(70);
  hasBias = kind == NormKind::LayerNorm && random.chance(70);
  multiplies = random.chance(50);
  divides = random.chance(30);
  magnitude = random.of({1.0, 1.0, 0.1, 30.0});
  middle = random.of({0.0, 0.0, 2.0});
  hides = (kind == NormKind::NamedSoftmax || kind == NormKind::Softmax) && random.chance(30);
}

std::vector<Scalar> Norm::extend(ArrayRef<Scalar> scalars) {
  std::vector<Scalar> extended;
  for (const Scalar &scalar : scalars)
    extended.push_back(addCast(scalar, ElementType::F32));
  return extended;
}

Scalar Norm::addBinary(StringRef op, Scalar a, Scalar b) {
  return addOp(llvm::formatv("arith.{0} {1}, {2} : f32", op, a.name, b.name), ElementType::F32);
}

Scalar Norm::addUnary(StringRef op, Scalar a) {
  return addOp(llvm::formatv("math.{0} {1} : f32", op, a.name), ElementType::F32);
}

Scalar Norm::addMean(Scalar sum) {
  // The reciprocal is rounded once more.
  return multiplies ? addBinary("mulf", sum, addNumber(float(1.0 / count)))
                    : addBinary("divf", sum, addNumber(count));
}

Scalar Norm::addInverseRoot(Scalar x) {
  Scalar shifted = addBinary("addf", x, addNumber(epsilon));
  if (!divides)
    return addUnary("rsqrt", shifted);
  return addBinary("divf", addNumber(1), addUnary("sqrt", shifted));
}

Operand Norm::addReduction(ArrayRef<Operand> inputs, StringRef op, double init, Body addTerm) {
  Operand output = getKept({"", {}, ElementType::F32});
  output.tensor = addGeneric(loops, inputs, output, init, [&](std::vector<Scalar> scalars) {
                    scalars = extend(scalars);
                    Scalar sum = scalars.back();
                    scalars.pop_back();
                    return std::vector<Scalar>{addBinary(op, sum, addTerm(scalars))};
                  }).front();
  return output;
}

Operand Norm::addMap(ArrayRef<Operand> inputs, ElementType result, Body addValue) {
  Operand output = getWhole({"", {}, result});
  std::vector<Loop> parallel = loops;
  for (Loop &loop : parallel)
    loop.isReduction = false;
  output.tensor =
      addGeneric(parallel, inputs, output, std::nullopt, [&](std::vector<Scalar> scalars) {
        scalars.pop_back(); // what was there before
        return std::vector<Scalar>{addCast(addValue(extend(scalars)), result)};
      }).front();
  return output;
}

Operand Norm::addSoftmax(const Operand &x) {
  auto getFirst = [](std::vector<Scalar> scalars) { return scalars[0]; };
  Operand largest = addReduction(x, "maximumf", -3e38, getFirst);
  if (kind == NormKind::Softmax) {
    Operand powers = addMap({x, largest}, ElementType::F32, [&](std::vector<Scalar> scalars) {
      return addUnary("exp", addBinary("subf", scalars[0], scalars[1]));
    });
    Operand sum = addReduction(powers, "addf", 0, getFirst);
    return addMap({powers, sum}, type, [&](std::vector<Scalar> scalars) {
      if (!divides)
        return addBinary("divf", scalars[0], scalars[1]);
      Scalar inverse = addBinary("divf", addNumber(1), scalars[1]);
      return addBinary("mulf", scalars[0], inverse);
    });
  }
  Operand differences = addMap({x, largest}, ElementType::F32, [&](std::vector<Scalar> scalars) {
    return addBinary("subf", scalars[0], scalars[1]);
  });
  Operand sum = addReduction(differences, "addf", 0, [&](std::vector<Scalar> scalars) {
    return addUnary("exp", scalars[0]);
  });
  return addMap({differences, sum}, type, [&](std::vector<Scalar> scalars) {
    return addBinary("subf", scalars[0], addUnary("log", scalars[1]));
  });
}

Operand Norm::addLayerNorm(Operand x) {
  if (kind == NormKind::LayerNorm) {
    Operand sum =
        addReduction(x, "addf", 0, [](std::vector<Scalar> scalars) { return scalars[0]; });
    x = addMap({x, sum}, ElementType::F32, [&](std::vector<Scalar> scalars) {
      return addBinary("subf", scalars[0], addMean(scalars[1]));
    });
  }
  Operand squares = addReduction(x, "addf", 0, [&](std::vector<Scalar> scalars) {
    return addBinary("mulf", scalars[0], scalars[0]);
  });
  std::vector<Operand> operands = {x, squares};
  if (hasScale)
    operands.push_back(getReduced(arguments[1]));
  if (hasBias)
    operands.push_back(getReduced(arguments.back()));
  return addMap(operands, type, [&](std::vector<Scalar> scalars) {
    Scalar value = addBinary("mulf", scalars[0], addInverseRoot(addMean(scalars[1])));
    if (hasScale)
      value = addBinary("mulf", value, scalars[2]);
    if (hasBias)
      value = addBinary("addf", value, scalars.back());
    return value;
  });
}

std::string Norm::getText() {
  Operand x = getWhole(addArgument(getShape(), type));
  std::vector<int64_t> reduced = getReduced(x.tensor).tensor.shape;
  for (int64_t i = hasScale + hasBias; i > 0; --i)
    addArgument(reduced, type);
  Tensor result = x.tensor;
  if (kind == NormKind::NamedSoftmax) {
    addLine("%e = tensor.empty() : " + result.getType());
    addLine(llvm::formatv("%r = linalg.softmax dimension({0}) ins({1} : {2}) outs(%e : {2}) -> {2}",
                          getLoopsOf(true)[0], result.name, result.getType()));
    result.name = "%r";
  } else {
    result = (isSoftmax() ? addSoftmax(x) : addLayerNorm(x)).tensor;
  }
  return getFunction(result);
}

Tensors Norm::makeInputs(uint64_t seed) const {
  Tensors inputs = RandomText::makeInputs(seed);
  for (int64_t i = 0; i < inputs[0].getNumElements(); ++i)
    inputs[0].setFloat(i, inputs[0].getFloat(i) * magnitude + middle);
  if (!hides)
    return inputs;
  // All elements from some on, by what masks write, but for the first of a row.
  std::vector<int> reduced = getLoopsOf(true);
  Random random(seed);
  double hidden = random.of<double>({-30000.0, -INFINITY});
  int64_t first = random.in(1, std::max<int64_t>(count, 2));
  forEachPosition(getShape(), [&](ArrayRef<int64_t> position) {
    int64_t place = getOffset(select(getShape(), reduced), select(Position(position), reduced));
    if (place >= first)
      inputs[0].setFloat(getOffset(getShape(), position), hidden);
  });
  return inputs;
}

/// Errors to first order, twice as large for all that is of higher order. `unit` is the unit
/// roundoff of a sum; elementary functions of f32 are within 3 of their last place, 6 units.
Expectation Norm::compute(ArrayRef<HostTensor> inputs) const {
  constexpr double unit = 0x1p-24;
  // The named op rounds each step to its type, but not its sum; the others only their result.
  double stepUnit = kind != NormKind::NamedSoftmax || type == ElementType::F32 ? unit
                    : type == ElementType::F16                                 ? 0x1p-11
                                                                               : 0x1p-8;
  std::vector<int64_t> shape = getShape();
  std::vector<int> kept = getLoopsOf(false), reduced = getLoopsOf(true);
  Position keptShape = select(shape, kept), reducedShape = select(shape, reduced);
  Expectation result{HostTensor(type, shape), HostTensor(ElementType::F64, shape)};
  forEachPosition(keptShape, [&](ArrayRef<int64_t> row) {
    std::vector<int64_t> indices;
    std::vector<double> x;
    forEachPosition(reducedShape, [&](ArrayRef<int64_t> column) {
      Position position(shape.size());
      for (auto [loop, at] : llvm::zip_equal(kept, row))
        position[loop] = at;
      for (auto [loop, at] : llvm::zip_equal(reduced, column))
        position[loop] = at;
      indices.push_back(getOffset(shape, position));
      x.push_back(inputs[0].getFloat(indices.back()));
    });
    auto set = [&](int64_t i, double value, double error) {
      result.values.setFloat(indices[i], value);
      result.bound.setFloat(indices[i], 2 * error);
    };
    double largest = x[0], range = 0, sum = 0, size = 0, mean = 0, squares = 0;
    for (double value : x)
      largest = std::max(largest, value);
    for (double value : x) {
      if (largest - value < 1000) // else it counts nothing, whatever its error
        range = std::max(range, largest - value);
      sum += std::exp(value - largest);
      size = std::max(size, std::abs(value));
      mean += kind == NormKind::LayerNorm ? value / count : 0;
    }
    for (double value : x)
      squares += (value - mean) * (value - mean);
    if (isSoftmax()) {
      // exp(x) has the absolute error of x as a relative one, each term has the sum's, and all are
      // positive.
      double relative = count * unit + (range + 8) * stepUnit;
      for (int64_t i = 0; i < count; ++i) {
        double difference = x[i] - largest;
        if (kind == NormKind::LogSoftmax)
          set(i, difference - std::log(sum),
              relative + (range + 6 * std::log(sum) + std::log(sum) + range) * unit);
        else
          set(i, std::exp(difference) / sum, 2 * relative * std::exp(difference) / sum);
      }
      return;
    }
    // The mean's error moves all elements, and the root, which is of what is positive, by as much
    // as them at most.
    double root = 1 / std::sqrt(squares / count + epsilon);
    double shift = kind == NormKind::LayerNorm ? (count + 4) * unit * size : 0;
    for (int64_t i = 0; i < count; ++i) {
      double scale = hasScale ? inputs[1].getFloat(i) : 1,
             bias = hasBias ? inputs.back().getFloat(i) : 0;
      double normal = (x[i] - mean) * root;
      double error = std::abs(scale) * (shift * root * (1 + std::abs(normal)) +
                                        std::abs(normal) * (count + 16) * unit);
      set(i, normal * scale + bias, error + (std::abs(normal * scale) + std::abs(bias)) * unit);
    }
  });
  return result;
}

void checkNorm(uint64_t seed, Placements &placements) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 11;
  std::string target = makeRandomTarget(random, range);
  Norm norm(random);
  std::string text = norm.getText();
  Tensors inputs = norm.makeInputs(seed);
  Tensors outputs = harness.expectHostResults(seed, target, text, inputs, placements);
  if (outputs.empty())
    return;
  Expectation expected = norm.compute(inputs);
  EXPECT_EQ(findDistance(expected.values, expected.bound, outputs[0]), "")
      << describeCase(seed, target, text);
}

class AnyNorm : public ::testing::TestWithParam<int> {};

TEST_P(AnyNorm, IsAsExactAsF64Says) {
  Placements placements;
  for (uint64_t seed = GetParam() * 30; seed < GetParam() * 30u + 30; ++seed)
    checkNorm(seed, placements);
  placements.expectOnNPU(95);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyNorm, ::testing::Range(0, 10));

} // namespace
