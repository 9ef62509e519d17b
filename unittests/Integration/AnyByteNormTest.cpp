//===- AnyByteNormTest.cpp - norms of quantized rows on integer chips -----===//
//
// Random softmaxes, layer norms and RMS norms of bytes, as quantized models have them in floats, in
// several spellings, on random chips without floats. The NPU gives the host's bits, and what loops
// in f64 give before it is rounded is no further from them than half a step and `slack`. So is what
// the host has of the floats, where these are exact enough: results are those but for a few.
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

enum class ByteNormKind { NamedSoftmax, Softmax, LayerNorm, LayerNormOfMoments, RMSNorm };

/// The allowed error, in steps of the result; a softmax is off by 2^-22 more for each element of a
/// row. What is closer than that to the middle between two integers may be rounded to either, so
/// that one of 512 results may differ from the floats'.
constexpr double slack = 0x1p-11;

class ByteNorm : public NestText {
public:
  explicit ByteNorm(Random &random);

  std::string getText();
  HostTensor makeInput(uint64_t seed) const;
  /// Describes the first result that is too far from what f64 gives; empty if there is none.
  std::string findFault(const HostTensor &input, const HostTensor &result) const;
  /// Likewise from what the host has of the floats, or that too many differ.
  std::string compareWithFloats(const HostTensor &input, const HostTensor &floats,
                                const HostTensor &result) const;

private:
  using Body = llvm::function_ref<Scalar(std::vector<Scalar>)>;

  bool isSoftmax() const { return kind <= ByteNormKind::Softmax; }
  /// Calls `visit` with the positions of each row.
  void forEachRow(llvm::function_ref<void(ArrayRef<Position>)> visit) const;
  Scalar addBinary(StringRef op, Scalar a, Scalar b, ElementType type = ElementType::F32);
  Scalar addUnary(StringRef op, Scalar a);
  Scalar addNumber(double value) {
    return {addConstant(ElementType::F32, value), ElementType::F32};
  }
  Scalar addMean(Scalar sum);
  Operand addReduction(ArrayRef<Operand> inputs, StringRef op, double init, Body addTerm);
  Operand addMap(ArrayRef<Operand> inputs, ElementType result, Body addValue);
  Operand addParameters(StringRef name, ArrayRef<float> numbers);
  Operand dequantize(const Operand &x);
  Operand quantize(const Operand &x);
  Operand addSoftmax(const Operand &x);
  Operand addNorm(const Operand &x);
  /// What one row of numbers gives.
  std::vector<double> compute(ArrayRef<double> x) const;

  ByteNormKind kind;
  int64_t count = 1; ///< of the elements of a row
  bool isUnsigned, multiplies, divides, dividesByRoot;
  float scale, temperature, resultScale, epsilon;
  int64_t zeroPoint, resultZeroPoint;
  int parameterLoop = -1;         ///< that the parameters depend on
  std::vector<float> gamma, beta; ///< empty if there are none
};

ByteNorm::ByteNorm(Random &random) : NestText(random) {
  kind = random.of({ByteNormKind::NamedSoftmax, ByteNormKind::Softmax, ByteNormKind::LayerNorm,
                    ByteNormKind::LayerNormOfMoments, ByteNormKind::RMSNorm});
  int64_t rank = random.in(1, 4), kept = 1;
  int64_t reduced = random.chance(70) ? rank - 1 : random.in(0, rank - 1);
  for (int64_t i = 0; i < rank; ++i) {
    bool isReduction = i == reduced || (kind != ByteNormKind::NamedSoftmax && random.chance(20));
    int64_t extent = isReduction ? random.of<int64_t>({2, 3, 7, 33, 64, 100, random.in(2, 1500)})
                                 : random.of<int64_t>({1, 2, 3, 7, 16, 33});
    if (count * kept * extent > 20000)
      extent = 2;
    (isReduction ? count : kept) *= extent;
    loops.push_back({"d" + std::to_string(i), extent, isReduction});
  }
  isUnsigned = random.chance(50);
  multiplies = random.chance(50);
  divides = random.chance(50);
  dividesByRoot = random.chance(50);
  scale = random.of({0.0213f, 0.171f, 0.0031f, 1.0f, 0.25f});
  scale *= 1 + float(random.in(0, 1000)) / 1000;
  temperature = random.of({1.0f, 8.0f, 11.3137f});
  epsilon = random.of({1e-5f, 1e-12f, 1e-3f});
  resultScale = isSoftmax() ? random.of({1.0f / 256, 1.0f / 255, 2.98767933E-4f, 1.0f / 4096})
                            : random.of({0.0223f, 0.05f, 0.0039f, 1.0f / 32});
  resultScale *= 1 + float(random.in(0, 100)) / 1000;
  zeroPoint = isUnsigned ? random.in(0, 255) : random.in(-128, 127);
  resultZeroPoint = isSoftmax() ? random.of({-128, 0}) : random.in(-128, 127);
  if (isSoftmax() || random.chance(30))
    return;
  parameterLoop = int(random.in(0, rank - 1));
  bool hasBeta = kind != ByteNormKind::RMSNorm && random.chance(70);
  for (int64_t i = 0; i < loops[parameterLoop].extent; ++i) {
    gamma.push_back(float(random.in(-100, 300)) / 150);
    if (hasBeta)
      beta.push_back(float(random.in(-100, 100)) / 64);
  }
}

Scalar ByteNorm::addBinary(StringRef op, Scalar a, Scalar b, ElementType type) {
  return addOp(
      llvm::formatv("arith.{0} {1}, {2} : {3}", op, a.name, b.name, getElementTypeName(type)),
      type);
}

Scalar ByteNorm::addUnary(StringRef op, Scalar a) {
  return addOp(llvm::formatv("math.{0} {1} : f32", op, a.name), ElementType::F32);
}

Scalar ByteNorm::addMean(Scalar sum) {
  return multiplies ? addBinary("mulf", sum, addNumber(float(1.0 / double(count))))
                    : addBinary("divf", sum, addNumber(double(count)));
}

Operand ByteNorm::addReduction(ArrayRef<Operand> inputs, StringRef op, double init, Body addTerm) {
  Operand output = getOperand({"", {}, ElementType::F32}, getLoopsOf(false));
  output.tensor = addGeneric(loops, inputs, output, init, [&](std::vector<Scalar> scalars) {
                    Scalar sum = scalars.back();
                    scalars.pop_back();
                    return std::vector<Scalar>{addBinary(op, addTerm(scalars), sum)};
                  }).front();
  return output;
}

Operand ByteNorm::addMap(ArrayRef<Operand> inputs, ElementType result, Body addValue) {
  Operand output = getWhole({"", {}, result});
  std::vector<Loop> parallel = loops;
  for (Loop &loop : parallel)
    loop.isReduction = false;
  output.tensor =
      addGeneric(parallel, inputs, output, std::nullopt, [&](std::vector<Scalar> scalars) {
        scalars.pop_back(); // what was there before
        return std::vector<Scalar>{addValue(scalars)};
      }).front();
  return output;
}

Operand ByteNorm::addParameters(StringRef name, ArrayRef<float> numbers) {
  Operand operand = getOperand({name.str(), {}, ElementType::F32}, parameterLoop);
  addLine(llvm::formatv(
      "{0} = arith.constant dense<[{1}]> : {2}", name,
      joinTexts(numbers, [](float x) { return std::string(llvm::formatv("{0:E8}", x)); }),
      operand.tensor.getType()));
  return operand;
}

Operand ByteNorm::dequantize(const Operand &x) {
  return addMap(x, ElementType::F32, [&](std::vector<Scalar> scalars) {
    Scalar wide = addOp(
        llvm::formatv("arith.{0} {1} : i8 to i32", isUnsigned ? "extui" : "extsi", scalars[0].name),
        ElementType::I32);
    Scalar zero{addConstant(ElementType::I32, double(zeroPoint)), ElementType::I32};
    Scalar number = addBinary("subi", wide, zero, ElementType::I32);
    Scalar real =
        addOp(llvm::formatv("arith.sitofp {0} : i32 to f32", number.name), ElementType::F32);
    return addBinary("divf", addBinary("mulf", real, addNumber(scale)), addNumber(temperature));
  });
}

Operand ByteNorm::quantize(const Operand &x) {
  return addMap(x, ElementType::I8, [&](std::vector<Scalar> scalars) {
    Scalar steps = addUnary("roundeven", addBinary("divf", scalars[0], addNumber(resultScale)));
    Scalar moved = addBinary("addf", steps, addNumber(double(resultZeroPoint)));
    Scalar limited = addBinary("maximumf", moved, addNumber(-128));
    limited = addBinary("minimumf", limited, addNumber(127));
    return addOp(llvm::formatv("arith.fptosi {0} : f32 to i8", limited.name), ElementType::I8);
  });
}

Operand ByteNorm::addSoftmax(const Operand &x) {
  auto getFirst = [](std::vector<Scalar> scalars) { return scalars[0]; };
  if (kind == ByteNormKind::NamedSoftmax) {
    addLine("%e = tensor.empty() : " + x.tensor.getType());
    addLine(llvm::formatv("%r = linalg.softmax dimension({0}) ins({1} : {2}) outs(%e : {2}) -> {2}",
                          getLoopsOf(true)[0], x.tensor.name, x.tensor.getType()));
    Operand result = x;
    result.tensor.name = "%r";
    return result;
  }
  Operand largest = addReduction(x, "maximumf", -3e38, getFirst);
  Operand powers = addMap({x, largest}, ElementType::F32, [&](std::vector<Scalar> scalars) {
    return addUnary("exp", addBinary("subf", scalars[0], scalars[1]));
  });
  Operand sum = addReduction(powers, "addf", 0, getFirst);
  return addMap({powers, sum}, ElementType::F32, [&](std::vector<Scalar> scalars) {
    if (!divides)
      return addBinary("divf", scalars[0], scalars[1]);
    return addBinary("mulf", scalars[0], addBinary("divf", addNumber(1), scalars[1]));
  });
}

Operand ByteNorm::addNorm(const Operand &x) {
  Operand number = x, sum;
  auto addSquare = [&](Scalar value) {
    return multiplies
               ? addBinary("mulf", value, value)
               : addOp(llvm::formatv("math.powf {0}, {1} : f32", value.name, addNumber(2).name),
                       ElementType::F32);
  };
  if (kind != ByteNormKind::RMSNorm) {
    sum = addReduction(x, "addf", 0, [](std::vector<Scalar> scalars) { return scalars[0]; });
    number = addMap({x, sum}, ElementType::F32, [&](std::vector<Scalar> scalars) {
      return addBinary("subf", scalars[0], addMean(scalars[1]));
    });
  }
  bool isOfMoments = kind == ByteNormKind::LayerNormOfMoments;
  Operand squares =
      addReduction(isOfMoments ? x : number, "addf", 0,
                   [&](std::vector<Scalar> scalars) { return addSquare(scalars[0]); });
  std::vector<Operand> operands = {number, squares};
  if (isOfMoments)
    operands.push_back(sum);
  size_t firstParameter = operands.size();
  if (!gamma.empty())
    operands.push_back(addParameters("%gamma", gamma));
  if (!beta.empty())
    operands.push_back(addParameters("%beta", beta));
  return addMap(operands, ElementType::F32, [&](std::vector<Scalar> scalars) {
    Scalar variance = addMean(scalars[1]);
    if (isOfMoments)
      variance = addBinary("subf", variance, addSquare(addMean(scalars[2])));
    variance = addBinary("addf", variance, addNumber(epsilon));
    Scalar value = scalars[0];
    if (!divides)
      value = addBinary("mulf", addUnary("rsqrt", variance), value);
    else if (dividesByRoot)
      value = addBinary("divf", value, addUnary("sqrt", variance));
    else
      value = addBinary("mulf", value, addBinary("divf", addNumber(1), addUnary("sqrt", variance)));
    if (!gamma.empty())
      value = addBinary("mulf", scalars[firstParameter], value);
    if (!beta.empty())
      value = addBinary("addf", value, scalars.back());
    return value;
  });
}

std::string ByteNorm::getText() {
  Operand x = dequantize(getWhole(addArgument(getShape(), ElementType::I8)));
  return getFunction(quantize(isSoftmax() ? addSoftmax(x) : addNorm(x)).tensor);
}

/// Rows of different kinds: of any bytes, of one, of two, of the outermost, and with one that is
/// apart.
HostTensor ByteNorm::makeInput(uint64_t seed) const {
  Random random(seed);
  HostTensor input(ElementType::I8, getShape());
  std::vector<int> kept = getLoopsOf(false);
  Position rows = select(getShape(), kept);
  struct Row {
    int64_t style, base;
  };
  std::vector<Row> styles;
  forEachPosition(
      rows, [&](ArrayRef<int64_t>) { styles.push_back({random.in(0, 4), random.in(-128, 127)}); });
  forEachPosition(getShape(), [&](ArrayRef<int64_t> position) {
    Row row = styles[getOffset(rows, select(Position(position), kept))];
    int64_t number = random.in(-128, 127);
    if (row.style == 1)
      number = row.base;
    else if (row.style == 2)
      number = std::min<int64_t>(127, row.base + random.in(0, 1));
    else if (row.style == 3)
      number = random.of({-128, 127});
    else if (row.style == 4)
      number = random.chance(2) ? -row.base - 1 : row.base;
    input.setInt(getOffset(getShape(), position), number);
  });
  return input;
}

std::vector<double> ByteNorm::compute(ArrayRef<double> x) const {
  std::vector<double> result;
  if (isSoftmax()) {
    double largest = *llvm::max_element(x), sum = 0;
    for (double value : x)
      sum += std::exp(value - largest);
    for (double value : x)
      result.push_back(std::exp(value - largest) / sum);
    return result;
  }
  double mean = 0, squares = 0;
  if (kind != ByteNormKind::RMSNorm)
    for (double value : x)
      mean += value / double(count);
  for (double value : x)
    squares += (value - mean) * (value - mean);
  for (double value : x)
    result.push_back((value - mean) / std::sqrt(squares / double(count) + double(epsilon)));
  return result;
}

void ByteNorm::forEachRow(llvm::function_ref<void(ArrayRef<Position>)> visit) const {
  std::vector<int64_t> shape = getShape();
  std::vector<int> kept = getLoopsOf(false), reduced = getLoopsOf(true);
  forEachPosition(select(shape, kept), [&](ArrayRef<int64_t> row) {
    std::vector<Position> positions;
    forEachPosition(select(shape, reduced), [&](ArrayRef<int64_t> column) {
      Position &position = positions.emplace_back(shape.size());
      for (auto [loop, at] : llvm::zip_equal(kept, row))
        position[loop] = at;
      for (auto [loop, at] : llvm::zip_equal(reduced, column))
        position[loop] = at;
    });
    visit(positions);
  });
}

std::string ByteNorm::findFault(const HostTensor &input, const HostTensor &result) const {
  std::vector<int64_t> shape = getShape();
  std::string fault;
  forEachRow([&](ArrayRef<Position> positions) {
    std::vector<double> x;
    for (const Position &position : positions) {
      int64_t byte = input.getInt(getOffset(shape, position));
      int64_t number = (isUnsigned ? uint8_t(byte) : byte) - zeroPoint;
      x.push_back(double(number) * double(scale) / double(temperature));
    }
    std::vector<double> values = compute(x);
    double allowed = 0.5 + slack + (isSoftmax() ? double(x.size()) * 0x1p-22 : 0);
    for (auto [position, value] : llvm::zip_equal(positions, values)) {
      if (!gamma.empty())
        value *= double(gamma[position[parameterLoop]]);
      if (!beta.empty())
        value += double(beta[position[parameterLoop]]);
      double expected =
          std::clamp(value / double(resultScale) + double(resultZeroPoint), -128.0, 127.0);
      auto found = double(result.getInt(getOffset(shape, position)));
      if (fault.empty() && !(std::abs(found - expected) <= allowed))
        fault = llvm::formatv("expected {0}, found {1}, at {2}", expected, found,
                              joinNumbers(position));
    }
  });
  return fault;
}

/// Floats round the mean: of a row whose numbers are all about it, less is left than that makes.
std::string ByteNorm::compareWithFloats(const HostTensor &input, const HostTensor &floats,
                                        const HostTensor &result) const {
  std::vector<int64_t> shape = getShape();
  std::string fault;
  int64_t numCompared = 0, numDifferent = 0;
  forEachRow([&](ArrayRef<Position> positions) {
    double sum = 0, squares = 0;
    for (const Position &position : positions) {
      int64_t byte = input.getInt(getOffset(shape, position));
      double number = isUnsigned ? uint8_t(byte) : byte;
      sum += number / double(count);
      squares += number * number / double(count);
    }
    if (!isSoftmax() && squares - sum * sum < 100)
      return;
    for (const Position &position : positions) {
      int64_t offset = getOffset(shape, position);
      int64_t expected = floats.getInt(offset), found = result.getInt(offset);
      ++numCompared;
      numDifferent += expected != found;
      if (fault.empty() && std::abs(expected - found) > 1)
        fault = llvm::formatv("floats give {0}, found {1}, at {2}", expected, found,
                              joinNumbers(position));
    }
  });
  if (fault.empty() && numDifferent > 8 + numCompared / 500)
    fault = llvm::formatv("{0} of {1} differ from the floats", numDifferent, numCompared);
  return fault;
}

void checkByteNorm(uint64_t seed, Placements &placements) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  std::string target = makeRandomTarget(random, range) + ",vpuFloat=0";
  ByteNorm norm(random);
  std::string text = norm.getText();
  HostTensor input = norm.makeInput(seed);
  Tensors outputs = harness.expectHostResults(seed, target, text, input, placements);
  llvm::Expected<Tensors> floats = harness.runOnHost(text, input);
  ASSERT_TRUE(bool(floats)) << llvm::toString(floats.takeError());
  if (outputs.empty())
    return;
  EXPECT_EQ(norm.findFault(input, outputs[0]), "") << describeCase(seed, target, text);
  EXPECT_EQ(norm.compareWithFloats(input, floats->front(), outputs[0]), "")
      << describeCase(seed, target, text);
}

class AnyByteNorm : public ::testing::TestWithParam<int> {};

TEST_P(AnyByteNorm, IsRoundedAsF64Says) {
  Placements placements;
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkByteNorm(seed, placements);
  placements.expectOnNPU(100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyByteNorm, ::testing::Range(0, 8));

} // namespace
