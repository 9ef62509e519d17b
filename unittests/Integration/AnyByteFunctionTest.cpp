//===- AnyByteFunctionTest.cpp - functions of quantized numbers are exact -===//
//
// Random functions in floats of a number of 8 bits, as quantized models have them, on random chips
// without floats, bit for bit against the loop below.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;

namespace {

/// quantize(function(dequantize(x))), where every number has a sign or none.
struct ByteFunction {
  std::string name;
  std::vector<int64_t> shape;
  bool isUnsigned = false, isResultUnsigned = false;
  float scale = 1, resultScale = 1;
  int64_t zeroPoint = 0, resultZeroPoint = 0;

  std::string getText() const;
  int64_t compute(int64_t number) const;
  /// What is the same for all numbers reads none, which takes less than the least there is.
  bool isConstant() const;
};

/// %r of %x.
std::string getFunctionText(llvm::StringRef name) {
  if (name == "sigmoid")
    return R"(    %n = arith.negf %x : f32
    %p = math.exp %n : f32
    %one = arith.constant 1.0 : f32
    %d = arith.addf %p, %one : f32
    %r = arith.divf %one, %d : f32
)";
  if (name == "relu")
    return R"(    %z = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %x, %z : f32
    %r = arith.select %c, %x, %z : f32
)";
  if (name == "root")
    return R"(    %a = math.absf %x : f32
    %r = math.sqrt %a : f32
)";
  return llvm::formatv("    %r = math.{0} %x : f32\n", name);
}

float computeFunction(llvm::StringRef name, float x) {
  if (name == "sigmoid")
    return 1.0f / (std::exp(-x) + 1.0f);
  if (name == "relu")
    return x > 0 ? x : 0;
  if (name == "root")
    return std::sqrt(std::abs(x));
  if (name == "tanh")
    return std::tanh(x);
  if (name == "erf")
    return std::erf(x);
  if (name == "exp")
    return std::exp(x);
  return std::floor(x);
}

std::string getNumber(float number) { return llvm::formatv("{0:E8}", number); }

std::string ByteFunction::getText() const {
  std::string dims = getDims(getLoops(shape.size())), type = getTensorType(shape, ElementType::I8);
  return llvm::formatv(
      R"(func.func @f(%arg: {0}) -> {0} {{
  %e = tensor.empty() : {0}
  %0 = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({1})>, affine_map<({1}) -> ({1})>], iterator_types = [{2}]}
      ins(%arg : {0}) outs(%e : {0}) {{
  ^bb0(%in: i8, %out: i8):
    %w = arith.{3} %in : i8 to i32
    %zp = arith.constant {4} : i32
    %s = arith.subi %w, %zp : i32
    %f = arith.sitofp %s : i32 to f32
    %scale = arith.constant {5} : f32
    %x = arith.mulf %f, %scale : f32
{6}    %scale2 = arith.constant {7} : f32
    %q = arith.divf %r, %scale2 : f32
    %even = math.roundeven %q : f32
    %zp2 = arith.constant {8} : f32
    %m = arith.addf %even, %zp2 : f32
    %low = arith.constant {9} : f32
    %high = arith.constant {10} : f32
    %l = arith.maximumf %m, %low : f32
    %h = arith.minimumf %l, %high : f32
    %b = arith.{11} %h : f32 to i8
    linalg.yield %b : i8
  } -> {0}
  return %0 : {0}
})",
      type, dims, getIterators(std::vector<bool>(shape.size())), isUnsigned ? "extui" : "extsi",
      zeroPoint, getNumber(scale), getFunctionText(name), getNumber(resultScale),
      getNumber(resultZeroPoint), getNumber(isResultUnsigned ? 0 : -128),
      getNumber(isResultUnsigned ? 255 : 127), isResultUnsigned ? "fptoui" : "fptosi");
}

int64_t ByteFunction::compute(int64_t number) const {
  int64_t wide = isUnsigned ? uint8_t(number) : number;
  float x = float(wide - zeroPoint) * scale;
  float rounded = std::nearbyint(computeFunction(name, x) / resultScale) + float(resultZeroPoint);
  float low = isResultUnsigned ? 0 : -128, high = isResultUnsigned ? 255 : 127;
  return int8_t(int64_t(std::min(std::max(rounded, low), high)));
}

bool ByteFunction::isConstant() const {
  return llvm::all_of(llvm::seq_inclusive<int64_t>(-128, 127),
                      [&](int64_t number) { return compute(number) == compute(0); });
}

ByteFunction makeFunction(Random &random) {
  ByteFunction test;
  test.name = random.of({"sigmoid", "relu", "root", "tanh", "erf", "exp", "floor"});
  int64_t rank = random.in(1, 4), numElements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent = random.of<int64_t>({1, 2, 3, 7, 16, 33, 64, random.in(1, 300)});
    if (numElements * extent > 30000)
      extent = 2;
    numElements *= extent;
    test.shape.push_back(extent);
  }
  test.isUnsigned = random.chance(50);
  test.isResultUnsigned = random.chance(50);
  test.scale = random.of({0.05f, 0.0123f, 1.0f, 0.25f});
  test.resultScale = random.of({1.0f / 256, 0.03f, 1.0f});
  test.zeroPoint = test.isUnsigned ? random.in(0, 255) : random.in(-128, 127);
  test.resultZeroPoint = test.isResultUnsigned ? random.in(0, 255) : random.in(-128, 127);
  return test;
}

void checkByteFunction(uint64_t seed) {
  Random random(seed);
  Harness harness;
  std::string target = makeRandomTarget(random, ChipRange()) + ",vpuFloat=0";
  ByteFunction test = makeFunction(random);
  while (test.isConstant())
    test = makeFunction(random);
  HostTensor input(ElementType::I8, test.shape), result(ElementType::I8, test.shape);
  for (int64_t i = 0; i < input.getNumElements(); ++i) {
    input.setInt(i, random.in(-128, 127));
    result.setInt(i, test.compute(input.getInt(i)));
  }
  harness.expectExact(seed, target, test.getText(), {input}, {result});
}

class AnyByteFunction : public ::testing::TestWithParam<int> {};

TEST_P(AnyByteFunction, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkByteFunction(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyByteFunction, ::testing::Range(0, 4));

} // namespace
