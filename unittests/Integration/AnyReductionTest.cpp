//===- AnyReductionTest.cpp - every reduction and every window is exact ---===//
//
// Random reductions and poolings on random chips, bit for bit against the loop nest below. Inputs
// are small integers, whose sums every type holds exactly; products and bits are of integers.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// A coordinate of the input: loop * stride + window * dilation - pad; either may be absent (-1).
struct Coordinate {
  int loop = -1, window = -1;
  int64_t stride = 1, dilation = 1, low = 0, high = 0;
};

struct Reduction {
  std::vector<int64_t> extents; ///< of all loops
  std::vector<bool> isReduced;
  std::vector<Coordinate> coordinates; ///< of the input
  std::vector<int> outputs;            ///< loops of the output's dimensions
  StringRef op;                        ///< e.g. `arith.maxsi`
  ElementType input, output;
  int64_t init = 0, padValue = 0;

  std::vector<int64_t> getInputShape(bool isPadded) const;
  Position getOutputShape() const { return select(extents, outputs); }
  bool hasPadding() const {
    return llvm::any_of(coordinates, [](const Coordinate &c) { return c.low + c.high > 0; });
  }
  std::string getText() const;
};

std::vector<int64_t> Reduction::getInputShape(bool isPadded) const {
  std::vector<int64_t> shape;
  for (const Coordinate &c : coordinates) {
    int64_t size = 1;
    if (c.loop >= 0)
      size += (extents[c.loop] - 1) * c.stride;
    if (c.window >= 0)
      size += (extents[c.window] - 1) * c.dilation;
    shape.push_back(isPadded ? size : size - c.low - c.high);
  }
  return shape;
}

std::string Reduction::getText() const {
  std::string inputMap = joinTexts(coordinates, [](const Coordinate &c) {
    std::string text;
    if (c.loop >= 0)
      text = llvm::formatv("d{0} * {1}", c.loop, c.stride);
    if (c.window >= 0)
      text += llvm::formatv("{0}d{1} * {2}", text.empty() ? "" : " + ", c.window, c.dilation);
    return text;
  });
  std::vector<int64_t> shape = getInputShape(false), padded = getInputShape(true), low, high;
  for (const Coordinate &c : coordinates) {
    low.push_back(c.low);
    high.push_back(c.high);
  }
  std::string result = getTensorType(getOutputShape(), output), pad, value = "%a", extension;
  if (hasPadding())
    pad = getPad("%p", "%x", shape, low, high, padValue, input);
  // What says how large the windows are; nothing reads it.
  std::vector<int> loops = getLoops(extents.size()), reduced;
  llvm::copy_if(loops, std::back_inserter(reduced), [&](int loop) { return isReduced[loop]; });
  StringRef from = getElementTypeName(input), to = getElementTypeName(output);
  if (input != output) {
    value = "%b";
    extension = llvm::formatv("    %b = arith.{0} %a : {1} to {2}\n",
                              isFloat(input) ? "extf" : "extsi", from, to);
  }
  return llvm::formatv(
      R"(func.func @f(%x: {0}) -> {1} {{
{2}  %w = tensor.empty() : {3}
  %c = arith.constant {4}
  %e = tensor.empty() : {1}
  %i = linalg.fill ins(%c : {5}) outs(%e : {1}) -> {1}
  %r = linalg.generic {{indexing_maps = [affine_map<({6}) -> ({7})>, affine_map<({6}) -> ({8})>, affine_map<({6}) -> ({9})>], iterator_types = [{10}]}
      ins({11}, %w : {12}, {3}) outs(%i : {1}) {{
  ^bb0(%a: {13}, %u: {5}, %o: {5}):
{14}    %n = {15} %o, {16} : {5}
    linalg.yield %n : {5}
  } -> {1}
  return %r : {1}
})",
      getTensorType(shape, input), result, pad, getTensorType(select(extents, reduced), output),
      getConstant(init, output), to, getDims(loops), inputMap, getDims(reduced), getDims(outputs),
      getIterators(isReduced), hasPadding() ? "%p" : "%x", getTensorType(padded, input), from,
      extension, op, value);
}

HostTensor compute(const Reduction &test, const HostTensor &x) {
  std::vector<int64_t> shape = test.getInputShape(false);
  HostTensor result(test.output, test.getOutputShape());
  std::vector<int64_t> values(result.getNumElements(), test.init);
  forEachPosition(test.extents, [&](ArrayRef<int64_t> loops) {
    Position position;
    bool isInside = true;
    for (auto [size, c] : llvm::zip_equal(shape, test.coordinates)) {
      position.push_back((c.loop >= 0 ? loops[c.loop] * c.stride : 0) +
                         (c.window >= 0 ? loops[c.window] * c.dilation : 0) - c.low);
      isInside &= position.back() >= 0 && position.back() < size;
    }
    int64_t &value = values[getOffset(result.getShape(), select(loops, test.outputs))];
    value = combine(test.op, value, isInside ? x.getInt(getOffset(shape, position)) : test.padValue,
                    test.output);
  });
  for (auto [index, value] : llvm::enumerate(values))
    result.setInt(index, value);
  return result;
}

Reduction makeReduction(Random &random, bool hasWindows) {
  Reduction test;
  test.input = random.of({ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16,
                          ElementType::BF16, ElementType::F32});
  test.output = test.input;
  if (isFloat(test.input)) {
    test.op = random.of<StringRef>(
        {"arith.addf", "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"});
    if (test.op == "arith.addf" && random.chance(50))
      test.output = ElementType::F32;
  } else {
    test.op = random.of<StringRef>({"arith.addi", "arith.addi", "arith.muli", "arith.maxsi",
                                    "arith.minsi", "arith.maxui", "arith.minui", "arith.andi",
                                    "arith.ori", "arith.xori"});
    // Windows of what the body computes are none.
    if (random.chance(40) && !(hasWindows && test.op.ends_with("ui")))
      test.output = ElementType::I32;
  }
  test.init = random.of<int64_t>({0, 0, 1, -3});
  test.padValue = random.in(-3, 3);
  int64_t numElements = 1;
  auto addLoop = [&](int64_t extent, bool isReduced) {
    if (numElements * extent > 60000)
      extent = 1;
    numElements *= extent;
    test.extents.push_back(extent);
    test.isReduced.push_back(isReduced);
    return int(test.extents.size()) - 1;
  };
  auto pickSize = [&] {
    return random.of<int64_t>({1, 2, 3, 7, 16, 17, 33, 64, 100, random.in(1, 900)});
  };
  for (int64_t rank = random.in(1, 4); rank > 0; --rank) {
    Coordinate c;
    if (hasWindows && random.chance(60)) {
      c.loop = addLoop(random.of<int64_t>({1, 2, 5, 14, 30}), false);
      c.window = addLoop(random.of<int64_t>({1, 2, 3, 3, 5}), true);
      c.stride = random.of<int64_t>({1, 2, 2, 3});
      c.dilation = random.of<int64_t>({1, 1, 2});
      int64_t size =
          (test.extents[c.loop] - 1) * c.stride + (test.extents[c.window] - 1) * c.dilation + 1;
      if (random.chance(50)) {
        c.low = random.in(0, std::min<int64_t>(2, size - 1));
        c.high = random.in(0, std::min<int64_t>(2, size - 1 - c.low));
      }
    } else {
      bool isReduced = !hasWindows && random.chance(50);
      (isReduced ? c.window : c.loop) = addLoop(pickSize(), isReduced);
    }
    test.coordinates.push_back(c);
  }
  if (llvm::none_of(test.isReduced, [](bool is) { return is; })) {
    Coordinate c;
    c.window = addLoop(pickSize(), true);
    test.coordinates.push_back(c);
  }
  for (auto [loop, isReduced] : llvm::enumerate(test.isReduced))
    if (!isReduced)
      test.outputs.push_back(loop);
  // A permuted result.
  if (random.chance(30))
    random.shuffle(test.outputs);
  return test;
}

void checkReduction(uint64_t seed, bool hasWindows) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 12;
  std::string target = makeRandomTarget(random, range);
  Reduction test = makeReduction(random, hasWindows);
  HostTensor x(test.input, test.getInputShape(false));
  x.fillSmallInts(seed);
  harness.expectExact(seed, target, test.getText(), x, compute(test, x));
}

class AnyReduction : public ::testing::TestWithParam<int> {};

TEST_P(AnyReduction, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkReduction(seed, /*hasWindows=*/false);
}

TEST_P(AnyReduction, OfWindowsIsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkReduction(1000000 + seed, /*hasWindows=*/true);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyReduction, ::testing::Range(0, 10));

} // namespace
