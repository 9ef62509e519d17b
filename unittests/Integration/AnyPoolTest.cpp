//===- AnyPoolTest.cpp - every pooling op is exact ------------------------===//
//
// Random poolings of every name that linalg has, with strides, dilations, padding and averages, on
// random chips, bit for bit against the loops below and the host. Inputs are small integers.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

struct Form {
  StringRef layout; ///< c: channels, n: batch, other letters: space
  StringRef kind;
};

constexpr Form forms[] = {{"nhwc", "sum"},  {"nhwc", "max"},         {"nhwc", "max_unsigned"},
                          {"nhwc", "min"},  {"nchw", "sum"},         {"nhwc", "min_unsigned"},
                          {"nchw", "max"},  {"nwc", "sum"},          {"ncw", "sum"},
                          {"nwc", "max"},   {"nwc", "max_unsigned"}, {"ncw", "max"},
                          {"nwc", "min"},   {"nwc", "min_unsigned"}, {"ndhwc", "sum"},
                          {"ndhwc", "max"}, {"ndhwc", "min"}};

struct Pool {
  Form form;
  std::vector<int64_t> input, output, low, high;   ///< by dimension
  std::vector<int64_t> window, strides, dilations; ///< by dimension of the space
  std::vector<int> space;                          ///< the dimensions of the space
  ElementType inputType, outputType;
  int64_t init, padValue;
  bool isAverage = false; ///< the sum divided by the size of the window

  explicit Pool(Random &random);
  bool isPadded() const { return getPadded(input, low, high) != input; }
  int64_t countTaps() const {
    int64_t count = 1;
    for (int64_t size : window)
      count *= size;
    return count;
  }
  std::string getText() const;
};

Pool::Pool(Random &random) : form(forms[random.in(0, std::size(forms) - 1)]) {
  bool isUnsigned = form.kind.ends_with("unsigned");
  inputType = random.of({ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16,
                         ElementType::BF16, ElementType::F32, ElementType::F32});
  if (isUnsigned && isFloat(inputType))
    inputType = ElementType::I8;
  outputType = inputType;
  // Windows of what the body computes are none.
  if (!isUnsigned && random.chance(40))
    outputType = isFloat(inputType) ? ElementType::F32 : ElementType::I32;
  init = form.kind == "sum" ? 0 : random.of<int64_t>({0, -3, 2});
  padValue = random.in(-3, 3);
  isAverage = form.kind == "sum" && isFloat(outputType) && random.chance(50);
  for (auto [dim, letter] : llvm::enumerate(form.layout)) {
    low.push_back(0);
    high.push_back(0);
    if (letter == 'n' || letter == 'c') {
      output.push_back(letter == 'n' ? random.of<int64_t>({1, 1, 2, 3})
                                     : random.of<int64_t>({1, 3, 8, 17, 33, 64, 100}));
      input.push_back(output.back());
      continue;
    }
    space.push_back(dim);
    window.push_back(random.of<int64_t>({1, 2, 2, 3, 3, 5}));
    strides.push_back(random.of<int64_t>({1, 1, 2, 2, 3}));
    dilations.push_back(random.of<int64_t>({1, 1, 1, 2}));
    output.push_back(random.of<int64_t>({1, 2, 3, 5, 7, form.layout.size() == 5 ? 4 : 14}));
    int64_t size = (output.back() - 1) * strides.back() + (window.back() - 1) * dilations.back() +
                   1 + random.in(0, strides.back() - 1);
    if (random.chance(50)) {
      low.back() = random.in(0, std::min<int64_t>(2, size - 1));
      high.back() = random.in(0, std::min<int64_t>(2, size - 1 - low.back()));
    }
    input.push_back(size - low.back() - high.back());
  }
}

std::string Pool::getText() const {
  std::string source = getTensorType(input, inputType), result = getTensorType(output, outputType),
              padded = getTensorType(getPadded(input, low, high), inputType), average;
  if (isAverage)
    average = llvm::formatv(R"(  %n = arith.constant {0}
  %q = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({1})>, affine_map<({1}) -> ({1})>], iterator_types = [{2}]}
      ins(%r : {3}) outs(%e : {3}) {{
  ^bb0(%a: {4}, %o: {4}):
    %d = arith.divf %a, %n : {4}
    linalg.yield %d : {4}
  } -> {3}
)",
                            getConstant(countTaps(), outputType), getDims(getLoops(output.size())),
                            getIterators(std::vector<bool>(output.size())), result,
                            getElementTypeName(outputType));
  return llvm::formatv(
      R"(func.func @f(%x: {0}) -> {1} {{
{2}  %w = tensor.empty() : {3}
  %c = arith.constant {4}
  %e = tensor.empty() : {1}
  %i = linalg.fill ins(%c : {5}) outs(%e : {1}) -> {1}
  %r = linalg.pooling_{6}_{7} {{strides = dense<[{8}]> : tensor<{9}xi64>, dilations = dense<[{10}]> : tensor<{9}xi64>}
      ins({11}, %w : {12}, {3}) outs(%i : {1}) -> {1}
{13}  return {14} : {1}
})",
      source, result, isPadded() ? getPad("%p", "%x", input, low, high, padValue, inputType) : "",
      getTensorType(window, outputType), getConstant(init, outputType),
      getElementTypeName(outputType), form.layout, form.kind, joinNumbers(strides), space.size(),
      joinNumbers(dilations), isPadded() ? "%p" : "%x", padded, average, isAverage ? "%q" : "%r");
}

HostTensor compute(const Pool &test, const HostTensor &x) {
  HostTensor result(test.outputType, test.output);
  StringRef op = llvm::StringSwitch<StringRef>(test.form.kind)
                     .Case("sum", "arith.add")
                     .Case("max", "arith.maxs")
                     .Case("min", "arith.mins")
                     .Case("max_unsigned", "arith.maxui")
                     .Case("min_unsigned", "arith.minui");
  forEachPosition(test.output, [&](ArrayRef<int64_t> position) {
    int64_t value = test.init;
    forEachPosition(test.window, [&](ArrayRef<int64_t> tap) {
      Position from(position);
      bool isInside = true;
      for (auto [dim, stride, dilation, at] :
           llvm::zip_equal(test.space, test.strides, test.dilations, tap)) {
        from[dim] = position[dim] * stride + at * dilation - test.low[dim];
        isInside &= from[dim] >= 0 && from[dim] < test.input[dim];
      }
      value = combine(op, value, isInside ? x.getInt(getOffset(test.input, from)) : test.padValue,
                      test.outputType);
    });
    int64_t index = getOffset(test.output, position);
    result.setInt(index, value);
    // Rounded once: a quotient in double of narrower numbers rounds as one in their type.
    if (test.isAverage)
      result.setFloat(index, result.getFloat(index) / double(test.countTaps()));
  });
  return result;
}

void checkPool(uint64_t seed) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 11;
  std::string target = makeRandomTarget(random, range);
  Pool test(random);
  HostTensor x(test.inputType, test.input);
  x.fillSmallInts(seed);
  harness.expectExact(seed, target, test.getText(), x, compute(test, x));
}

class AnyPool : public ::testing::TestWithParam<int> {};

TEST_P(AnyPool, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkPool(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyPool, ::testing::Range(0, 20));

} // namespace
