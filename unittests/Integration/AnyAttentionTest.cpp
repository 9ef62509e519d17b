//===- AnyAttentionTest.cpp - every attention is as exact as it can be ----===//
//
// Random attentions of f32, with masks of all kinds or none, as one op of iree_linalg_ext and as
// contractions around a softmax, through the front half, on random chips. Results are within the
// bound of the host check, and within the bounds below of what loops in f64 give.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// Added to the scores; kept where true; kept where the key is not behind the query.
enum class Mask { None, Added, Kept, Causal };

/// Dimensions are letters: b and h batches, m queries, j keys, k what their product sums, n columns
/// of the values.
struct Shape {
  std::map<char, int64_t> sizes;

  std::vector<int64_t> get(StringRef letters) const {
    std::vector<int64_t> shape;
    for (char letter : letters)
      shape.push_back(sizes.at(letter));
    return shape;
  }
};

class Attention : public RandomText {
public:
  /// With `isLong`, rows of scores that do not stay on a small chip.
  Attention(Random &random, bool isLong);

  std::string getText();
  Tensors makeInputs(uint64_t seed);
  /// What f64 gives, and how far a result may be from it.
  std::pair<HostTensor, HostTensor> compute(ArrayRef<HostTensor> inputs) const;

private:
  Operand getOperand(StringRef letters, Tensor tensor = {"", {}, ElementType::F32}) const;
  std::string getMap(StringRef letters) const {
    return "affine_map<(" + join(batch + "mkjn") + ") -> (" + join(letters) + ")>";
  }
  static std::string join(const llvm::Twine &letters) {
    return joinTexts(letters.str(), [](char letter) { return std::string(1, letter); });
  }
  std::vector<Loop> getLoops(StringRef letters, StringRef reduced = "") const;

  Tensor addOneOp(const Tensor &q, const Tensor &k, const Tensor &v, std::optional<Tensor> mask);
  Tensor addParts(const Tensor &q, const Tensor &k, const Tensor &v, std::optional<Tensor> mask);
  Operand addContraction(Operand a, Operand b, StringRef result, StringRef reduced);
  Operand addSoftmax(const Operand &scores);
  Scalar addMasked(Scalar score, std::optional<Scalar> mask);
  Scalar addBinary(StringRef op, Scalar a, Scalar b) {
    return addOp(llvm::formatv("arith.{0} {1}, {2} : f32", op, a.name, b.name), ElementType::F32);
  }

  Shape shape;
  std::string batch, query, key, value, output, masked; ///< layouts
  Mask mask = Mask::None;
  float scale = 1;
  bool isOneOp = false, hasNames = false;
  bool isCapped = false; ///< scores go through tanh
};

Attention::Attention(Random &random, bool isLong) : RandomText(random) {
  batch = random.of({"", "b", "b", "bh"});
  shape.sizes = {{'b', random.of<int64_t>({1, 2, 3})},
                 {'h', random.of<int64_t>({1, 2, 5})},
                 {'m', random.of<int64_t>({1, 2, 7, 16, 33, random.in(1, 70)})},
                 {'j', random.of<int64_t>({1, 2, 7, 32, 65, random.in(1, 100)})},
                 {'k', random.of<int64_t>({1, 3, 8, 17, 32, random.in(1, 64)})},
                 {'n', random.of<int64_t>({1, 3, 8, 17, 32, random.in(1, 64)})}};
  if (isLong)
    shape.sizes = {{'b', random.in(1, 2)},
                   {'h', random.in(1, 2)},
                   {'m', random.of<int64_t>({1, 2, random.in(1, 40)})},
                   {'j', random.of<int64_t>({128, 192, 500, 1024, 1500, random.in(100, 2500)})},
                   {'k', random.in(1, 16)},
                   {'n', random.in(1, 16)}};
  query = batch + "mk";
  key = batch + random.of({"jk", "jk", "kj"});
  value = batch + random.of({"jn", "jn", "nj"});
  output = batch + "mn";
  masked = random.of({batch + "mj", std::string("mj"), std::string("j")});
  mask = random.of({Mask::None, Mask::Added, Mask::Kept, Mask::Causal});
  isOneOp = random.chance(50);
  hasNames = random.chance(50);
  // The op has no positions.
  if (isOneOp && mask == Mask::Causal)
    mask = Mask::Kept;
  scale = random.chance(50) ? 1 / std::sqrt(float(shape.sizes['k'])) : 0.5f;
  isCapped = random.chance(20);
}

Operand Attention::getOperand(StringRef letters, Tensor tensor) const {
  tensor.shape = shape.get(letters);
  Operand operand{tensor, {}};
  for (char letter : letters)
    operand.coordinates.push_back(std::string(1, letter));
  return operand;
}

std::vector<Loop> Attention::getLoops(StringRef letters, StringRef reduced) const {
  std::vector<Loop> loops;
  for (char letter : letters)
    loops.push_back({std::string(1, letter), shape.sizes.at(letter), reduced.contains(letter)});
  return loops;
}

Tensor Attention::addOneOp(const Tensor &q, const Tensor &k, const Tensor &v,
                           std::optional<Tensor> mask) {
  Tensor result{"%r", shape.get(output), ElementType::F32};
  std::string number = addConstant(ElementType::F32, scale);
  addLine("%e = tensor.empty() : " + result.getType());
  addLine(llvm::formatv(
      "%r = iree_linalg_ext.attention {{indexing_maps = [{0}, {1}, {2}, affine_map<({3}) -> ()>, "
      "{4}{5}]}",
      getMap(query), getMap(key), getMap(value), join(batch + "mkjn"),
      mask ? getMap(masked) + ", " : "", getMap(output)));
  addLine(llvm::formatv("    ins({0}, {1}, {2}, {3}{4} : {5}, {6}, {7}, f32{8}) outs(%e : {9}) {{",
                        q.name, k.name, v.name, number, mask ? ", " + mask->name : "", q.getType(),
                        k.getType(), v.getType(), mask ? ", " + mask->getType() : "",
                        result.getType()));
  addLine("^bb0(%score: f32):");
  if (isCapped)
    addLine("  %capped = math.tanh %score : f32");
  addLine(isCapped ? "  iree_linalg_ext.yield %capped : f32"
                   : "  iree_linalg_ext.yield %score : f32");
  addLine("} -> " + result.getType());
  return result;
}

/// A named op where there is one for these layouts.
Operand Attention::addContraction(Operand a, Operand b, StringRef result, StringRef reduced) {
  auto getLetters = [](const Operand &operand) { return llvm::join(operand.coordinates, ""); };
  Operand output = getOperand(result);
  bool isPlain = StringRef(getLetters(a)).ends_with(reduced) &&
                 StringRef(getLetters(b)).drop_front(batch.size()).starts_with(reduced);
  if (!hasNames || !isPlain || batch.size() > 1) {
    addSumOfProducts(getLoops((result + reduced).str(), reduced), {a, b}, output);
    output.tensor = values.back();
    return output;
  }
  std::string init = addInit(output.tensor, 0);
  output.tensor.name = getName("r");
  addLine(llvm::formatv("{0} = linalg.{1} ins({2}, {3} : {4}, {5}) outs({6} : {7}) -> {7}",
                        output.tensor.name, batch.empty() ? "matmul" : "batch_matmul",
                        a.tensor.name, b.tensor.name, a.tensor.getType(), b.tensor.getType(), init,
                        output.tensor.getType()));
  return output;
}

Scalar Attention::addMasked(Scalar score, std::optional<Scalar> maskScalar) {
  if (mask == Mask::None)
    return score;
  if (mask == Mask::Added)
    return addBinary("addf", score, *maskScalar);
  Scalar none = addOp("arith.constant 0xFF800000 : f32", ElementType::F32);
  std::string kept = maskScalar ? maskScalar->name : "";
  if (mask == Mask::Causal) {
    std::string positions[2];
    for (unsigned i : {0, 1}) {
      std::string loop = getName("l");
      addLine("  " + loop + " = linalg.index " + std::to_string(batch.size() + i) + " : index");
      positions[i] = addOp("arith.index_cast " + loop + " : index to i32", ElementType::I32).name;
    }
    kept =
        addOp("arith.cmpi sge, " + positions[0] + ", " + positions[1] + " : i32", ElementType::I1)
            .name;
  }
  return addOp("arith.select " + kept + ", " + score.name + ", " + none.name + " : f32",
               ElementType::F32);
}

Operand Attention::addSoftmax(const Operand &scores) {
  std::string letters = batch + "mj", rows = batch + "m";
  if (hasNames) {
    Operand weights = scores;
    weights.tensor.name = getName("r");
    std::string empty = getName("e"), type = weights.tensor.getType();
    addLine(empty + " = tensor.empty() : " + type);
    addLine(llvm::formatv("{0} = linalg.softmax dimension({1}) ins({2} : {3}) outs({4} : {3}) -> "
                          "{3}",
                          weights.tensor.name, rows.size(), scores.tensor.name, type, empty));
    return weights;
  }
  auto reduce = [&](const Operand &operand, StringRef op, double init) {
    Operand result = getOperand(rows);
    result.tensor =
        addGeneric(getLoops(letters, "j"), operand, result, init, [&](std::vector<Scalar> scalars) {
          return std::vector<Scalar>{addBinary(op, scalars[1], scalars[0])};
        }).front();
    return result;
  };
  auto combine = [&](const Operand &a, const Operand &b, StringRef op, bool hasPower) {
    Operand result = getOperand(letters);
    result.tensor = addGeneric(getLoops(letters), {a, b}, result, std::nullopt,
                               [&](std::vector<Scalar> scalars) {
                                 Scalar value = addBinary(op, scalars[0], scalars[1]);
                                 if (hasPower)
                                   value =
                                       addOp("math.exp " + value.name + " : f32", ElementType::F32);
                                 return std::vector<Scalar>{value};
                               })
                        .front();
    return result;
  };
  Operand powers = combine(scores, reduce(scores, "maximumf", -3e38), "subf", true);
  return combine(powers, reduce(powers, "addf", 0), "divf", false);
}

Tensor Attention::addParts(const Tensor &q, const Tensor &k, const Tensor &v,
                           std::optional<Tensor> maskTensor) {
  std::string letters = batch + "mj";
  Operand scores = addContraction(getOperand(query, q), getOperand(key, k), letters, "k");
  std::vector<Operand> inputs = {scores};
  if (maskTensor)
    inputs.push_back(getOperand(masked, *maskTensor));
  Operand scaled = getOperand(letters);
  scaled.tensor =
      addGeneric(getLoops(letters), inputs, scaled, std::nullopt, [&](std::vector<Scalar> scalars) {
        Scalar number{addConstant(ElementType::F32, scale), ElementType::F32};
        Scalar score = addBinary("mulf", scalars[0], number);
        if (isCapped)
          score = addOp("math.tanh " + score.name + " : f32", ElementType::F32);
        score = addMasked(score, maskTensor ? std::optional(scalars[1]) : std::nullopt);
        return std::vector<Scalar>{score};
      }).front();
  return addContraction(addSoftmax(scaled), getOperand(value, v), output, "j").tensor;
}

std::string Attention::getText() {
  Tensor q = addArgument(shape.get(query), ElementType::F32),
         k = addArgument(shape.get(key), ElementType::F32),
         v = addArgument(shape.get(value), ElementType::F32);
  std::optional<Tensor> argument;
  if (mask == Mask::Added || mask == Mask::Kept)
    argument =
        addArgument(shape.get(masked), mask == Mask::Added ? ElementType::F32 : ElementType::I1);
  Tensor result = isOneOp ? addOneOp(q, k, v, argument) : addParts(q, k, v, argument);
  return getFunction(result);
}

Tensors Attention::makeInputs(uint64_t seed) {
  Tensors inputs = RandomText::makeInputs(seed);
  if (mask == Mask::None || mask == Mask::Causal)
    return inputs;
  // Models hide by large numbers as well. A query without keys would give NaNs.
  HostTensor &hidden = inputs.back();
  int64_t keys = shape.sizes['j'];
  for (int64_t i = 0; i < hidden.getNumElements(); ++i) {
    if (i % keys == 0)
      hidden.setFloat(i, 1);
    else if (mask == Mask::Added && random.chance(20))
      hidden.setFloat(i, -10000);
  }
  return inputs;
}

/// Errors to first order, twice as large for all that is of higher order. `unit` is the unit
/// roundoff of f32; elementary functions are within 3 of their last place, 6 units.
std::pair<HostTensor, HostTensor> Attention::compute(ArrayRef<HostTensor> inputs) const {
  constexpr double unit = 0x1p-24;
  std::map<char, int64_t> at;
  auto read = [&](const HostTensor &tensor, StringRef letters) {
    Position position;
    for (char letter : letters)
      position.push_back(at[letter]);
    return tensor.getFloat(getOffset(tensor.getShape(), position));
  };
  int64_t keys = shape.sizes.at('j'), products = shape.sizes.at('k');
  HostTensor result(ElementType::F32, shape.get(output)),
      bound(ElementType::F64, shape.get(output));
  forEachPosition(shape.get(batch + "m"), [&](ArrayRef<int64_t> row) {
    for (auto [letter, index] : llvm::zip_equal(batch + "m", row))
      at[letter] = index;
    std::vector<double> scores, weights, errors;
    double scoreError = 0, largest = -INFINITY, sum = 0;
    for (at['j'] = 0; at['j'] < keys; ++at['j']) {
      double score = 0, size = 0;
      for (at['k'] = 0; at['k'] < products; ++at['k']) {
        double product = read(inputs[0], query) * read(inputs[1], key);
        score += product;
        size += std::abs(product);
      }
      score *= scale;
      double error = ((products + 1) * size * scale + 6) * unit; // 6: tanh, below 1
      if (isCapped)
        score = std::tanh(score);
      bool isHidden = (mask == Mask::Causal && at['j'] > at['m']) ||
                      (mask == Mask::Kept && read(inputs[3], masked) == 0);
      if (mask == Mask::Added)
        score += read(inputs[3], masked);
      scores.push_back(isHidden ? -INFINITY : score);
      largest = std::max(largest, scores.back());
      // What is far below the largest has a weight of zero, whatever its error.
      if (!isHidden && score > -1000)
        scoreError = std::max(scoreError, error + std::abs(score) * unit);
    }
    for (double score : scores) {
      weights.push_back(std::exp(score - largest));
      sum += weights.back();
    }
    // An error of a score or of the largest is a relative one of the weight.
    double sumError = (keys + 2) * unit;
    for (int64_t j = 0; j < keys; ++j) {
      weights[j] /= sum;
      errors.push_back(
          weights[j] == 0 ? 0 : weights[j] * (2 * scoreError + (largest - scores[j] + 8) * unit));
      sumError += errors.back();
    }
    for (at['n'] = 0; at['n'] < shape.sizes.at('n'); ++at['n']) {
      double total = 0, error = 0;
      for (at['j'] = 0; at['j'] < keys; ++at['j']) {
        double element = read(inputs[2], value);
        total += weights[at['j']] * element;
        error +=
            (errors[at['j']] + weights[at['j']] * (sumError + keys * unit)) * std::abs(element);
      }
      Position position(row);
      position.push_back(at['n']);
      int64_t index = getOffset(result.getShape(), position);
      result.setFloat(index, total);
      bound.setFloat(index, 2 * error);
    }
  });
  return {result, bound};
}

void checkAttention(uint64_t seed, Placements &placements, bool isLong) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 12;
  if (isLong)
    range.maxSramLog2 = 15;
  std::string target = makeRandomTarget(random, range);
  Attention attention(random, isLong);
  std::string text = attention.getText();
  Tensors inputs = attention.makeInputs(seed);
  Tensors outputs = harness.expectHostResults(seed, target, text, inputs, placements);
  if (outputs.empty())
    return;
  auto [expected, bound] = attention.compute(inputs);
  EXPECT_EQ(findDistance(expected, bound, outputs[0]), "") << describeCase(seed, target, text);
}

class AnyAttention : public ::testing::TestWithParam<int> {};

TEST_P(AnyAttention, IsAsExactAsF64Says) {
  Placements placements;
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkAttention(seed, placements, /*isLong=*/false);
  placements.expectOnNPU(95);
}

TEST_P(AnyAttention, OfLongRowsIsAsExactAsF64Says) {
  Placements placements;
  for (uint64_t seed = GetParam() * 25 + 1000; seed < GetParam() * 25u + 1025; ++seed)
    checkAttention(seed, placements, /*isLong=*/true);
  placements.expectOnNPU(95);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyAttention, ::testing::Range(0, 8));

} // namespace
