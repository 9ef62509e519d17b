//===- AnyReductionTest.cpp - every reduction and every window is exact ---===//
//
// Random reductions and poolings on random chips, bit for bit against the loop nest below. Inputs
// are small integers, whose sums every type holds exactly; products and bits are of integers.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

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
  std::vector<int64_t> getOutputShape() const {
    std::vector<int64_t> shape;
    for (int loop : outputs)
      shape.push_back(extents[loop]);
    return shape;
  }
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

std::string getTensorType(ArrayRef<int64_t> shape, ElementType type) {
  return "tensor<" + getTypeString(shape, getElementTypeName(type)) + ">";
}

std::string getConstant(int64_t value, ElementType type) {
  if (isFloat(type))
    return std::to_string(value) + ".0 : " + getElementTypeName(type).str();
  return std::to_string(value) + " : " + getElementTypeName(type).str();
}

template <typename Range, typename Function>
std::string join(const Range &range, Function function, StringRef separator = ", ") {
  return llvm::join(llvm::map_range(range, function), separator);
}

std::string Reduction::getText() const {
  std::vector<int> loops(extents.size());
  std::iota(loops.begin(), loops.end(), 0);
  std::string dims = join(loops, [](int loop) { return "d" + std::to_string(loop); });
  std::string inputMap = join(coordinates, [](const Coordinate &c) {
    std::string text;
    if (c.loop >= 0)
      text = llvm::formatv("d{0} * {1}", c.loop, c.stride);
    if (c.window >= 0)
      text += llvm::formatv("{0}d{1} * {2}", text.empty() ? "" : " + ", c.window, c.dilation);
    return text;
  });
  std::string outputMap = join(outputs, [](int loop) { return "d" + std::to_string(loop); });
  std::string iterators =
      join(loops, [&](int loop) { return isReduced[loop] ? "\"reduction\"" : "\"parallel\""; });
  std::string argument = getTensorType(getInputShape(false), input),
              padded = getTensorType(getInputShape(true), input),
              result = getTensorType(getOutputShape(), output);
  std::string text = "func.func @f(%x: " + argument + ") -> " + result + " {\n";
  std::string source = "%x";
  if (hasPadding()) {
    source = "%p";
    text += "  %v = arith.constant " + getConstant(padValue, input) + "\n";
    text += "  %p = tensor.pad %x low[" +
            join(coordinates, [](const Coordinate &c) { return std::to_string(c.low); }) +
            "] high[" +
            join(coordinates, [](const Coordinate &c) { return std::to_string(c.high); }) +
            "] {\n  ^bb0(" +
            join(llvm::seq<size_t>(0, coordinates.size()),
                 [](size_t i) { return "%i" + std::to_string(i) + ": index"; }) +
            "):\n    tensor.yield %v : " + getElementTypeName(input).str() + "\n  } : " + argument +
            " to " + padded + "\n";
  }
  // What says how large the windows are; nothing reads it.
  std::vector<int64_t> windowShape;
  for (auto [loop, isReducedLoop] : llvm::enumerate(isReduced))
    if (isReducedLoop)
      windowShape.push_back(extents[loop]);
  std::string window = getTensorType(windowShape, output);
  std::string windowMap =
      join(llvm::make_filter_range(loops, [&](int loop) { return isReduced[loop]; }),
           [](int loop) { return "d" + std::to_string(loop); });
  text += "  %w = tensor.empty() : " + window + "\n";
  std::string value = "%a", extension;
  if (input != output) {
    value = "%b";
    extension =
        llvm::formatv("    %b = arith.{0} %a : {1} to {2}\n", isFloat(input) ? "extf" : "extsi",
                      getElementTypeName(input), getElementTypeName(output));
  }
  return text + std::string(llvm::formatv(R"(  %c = arith.constant {0}
  %e = tensor.empty() : {1}
  %i = linalg.fill ins(%c : {2}) outs(%e : {1}) -> {1}
  %r = linalg.generic {{indexing_maps = [affine_map<({3}) -> ({4})>, affine_map<({3}) -> ({13})>, affine_map<({3}) -> ({5})>], iterator_types = [{6}]}
      ins({7}, %w : {8}, {14}) outs(%i : {1}) {{
  ^bb0(%a: {9}, %u: {2}, %o: {2}):
{10}    %n = {11} %o, {12} : {2}
    linalg.yield %n : {2}
  } -> {1}
  return %r : {1}
})",
                                          getConstant(init, output), result,
                                          getElementTypeName(output), dims, inputMap, outputMap,
                                          iterators, source, padded, getElementTypeName(input),
                                          extension, op, value, windowMap, window));
}

/// In 64 bits; what is written wraps.
int64_t combine(StringRef op, int64_t a, int64_t b, ElementType type) {
  unsigned bits = 8 * getElementByteSize(type);
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t ua = uint64_t(a) & mask, ub = uint64_t(b) & mask;
  if (op.starts_with("arith.add"))
    return int64_t(uint64_t(a) + uint64_t(b));
  if (op == "arith.muli")
    return int64_t(uint64_t(a) * uint64_t(b));
  if (op == "arith.maxui" || op == "arith.minui")
    return (ua > ub) == (op == "arith.maxui") ? a : b;
  if (op.starts_with("arith.max"))
    return std::max(a, b);
  if (op.starts_with("arith.min"))
    return std::min(a, b);
  if (op == "arith.andi")
    return a & b;
  return op == "arith.ori" ? a | b : a ^ b;
}

HostTensor compute(const Reduction &test, const HostTensor &x) {
  std::vector<int64_t> shape = test.getInputShape(false), outputShape = test.getOutputShape();
  HostTensor result(test.output, outputShape);
  int64_t count = 1, numOutputs = result.getNumElements();
  for (int64_t extent : test.extents)
    count *= extent;
  std::vector<int64_t> values(numOutputs, test.init), index(test.extents.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t loop = index.size(); loop-- > 0;) {
      index[loop] = rest % test.extents[loop];
      rest /= test.extents[loop];
    }
    int64_t offset = 0;
    bool isInside = true;
    for (auto [dim, c] : llvm::enumerate(test.coordinates)) {
      int64_t at = (c.loop >= 0 ? index[c.loop] * c.stride : 0) +
                   (c.window >= 0 ? index[c.window] * c.dilation : 0) - c.low;
      isInside &= at >= 0 && at < shape[dim];
      offset = offset * shape[dim] + at;
    }
    int64_t place = 0;
    for (int loop : test.outputs)
      place = place * test.extents[loop] + index[loop];
    values[place] =
        combine(test.op, values[place], isInside ? x.getInt(offset) : test.padValue, test.output);
  }
  unsigned bits = 8 * getElementByteSize(test.output);
  for (int64_t i = 0; i < numOutputs; ++i) {
    if (isFloat(test.output))
      result.setFloat(i, double(values[i]));
    else
      result.setInt(i, int64_t(uint64_t(values[i]) << (64 - bits)) >> (64 - bits));
  }
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
    for (size_t i = test.outputs.size(); i > 1; --i)
      std::swap(test.outputs[i - 1], test.outputs[random.in(0, i - 1)]);
  return test;
}

void checkSeed(uint64_t seed, bool hasWindows) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 12;
  std::string target = makeRandomTarget(random, range);
  Reduction test = makeReduction(random, hasWindows);
  HostTensor x(test.input, test.getInputShape(false));
  x.fillSmallInts(seed);
  HostTensor expected = compute(test, x);
  llvm::Expected<KernelRun> run =
      harness.run(test.getText(), target, x, HostTensor(test.output, test.getOutputShape()));
  ASSERT_TRUE(bool(run)) << "seed " << seed << ", --target=" << target << "\n"
                         << llvm::toString(run.takeError()) << "\n"
                         << test.getText();
  std::string difference = findDifference(expected, run->outputs[0]);
  if (difference.empty())
    difference = findBrokenBound(run->statistics, run->limit);
  EXPECT_EQ(difference, "") << "seed " << seed << ", --target=" << target << "\n" << test.getText();
}

class AnyReduction : public ::testing::TestWithParam<int> {};

TEST_P(AnyReduction, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkSeed(seed, /*hasWindows=*/false);
}

TEST_P(AnyReduction, OfWindowsIsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkSeed(1000000 + seed, /*hasWindows=*/true);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyReduction, ::testing::Range(0, 10));

} // namespace
