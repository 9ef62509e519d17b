//===- AnyTableTest.cpp - every function that a table gives is exact ------===//
//
// Random tables of bytes and of 16 bits, arguments and constants, with what is computed before and
// after, on random chips, bit for bit against the loop nest below.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;

namespace {

/// result[loops] = table(input[inputLoops] + before) + after[afterLoop], wrapping.
struct Lookup {
  std::vector<int64_t> extents; ///< of the loops, which are the result's dimensions
  std::vector<int> inputLoops;  ///< of the input's dimensions
  ElementType type = ElementType::I8;
  bool isUnsigned = false; ///< the table begins with what it has for 0
  bool isConstant = false; ///< the table is
  int64_t before = 0;
  int afterLoop = -1;

  ElementType getResultType() const {
    return type == ElementType::I8 ? ElementType::I8 : ElementType::I32;
  }
  Position getInputShape() const { return select(extents, inputLoops); }
  Position getTableShape() const { return {type == ElementType::I8 ? 256 : 513}; }
  std::string getText(const HostTensor &table) const;
};

/// %r of %s, as tosa.table is in linalg.
std::string getBytes(bool isUnsigned) {
  if (isUnsigned)
    return R"(    %i = arith.index_castui %s : i8 to index
    %r = tensor.extract %t[%i] : tensor<256xi8>
)";
  return R"(    %c128 = arith.constant 128 : index
    %n = arith.index_cast %s : i8 to index
    %i = arith.addi %n, %c128 : index
    %r = tensor.extract %t[%i] : tensor<256xi8>
)";
}

constexpr llvm::StringLiteral interpolation = R"(    %c32768 = arith.constant 32768 : i32
    %c7 = arith.constant 7 : i32
    %c1 = arith.constant 1 : i32
    %c127 = arith.constant 127 : i32
    %w = arith.extsi %s : i16 to i32
    %p = arith.addi %w, %c32768 : i32
    %piece = arith.shrui %p, %c7 : i32
    %rest = arith.andi %p, %c127 : i32
    %next = arith.addi %piece, %c1 : i32
    %i = arith.index_cast %piece : i32 to index
    %j = arith.index_cast %next : i32 to index
    %f = tensor.extract %t[%i] : tensor<513xi16>
    %g = tensor.extract %t[%j] : tensor<513xi16>
    %first = arith.extsi %f : i16 to i32
    %second = arith.extsi %g : i16 to i32
    %base = arith.shli %first, %c7 : i32
    %slope = arith.subi %second, %first : i32
    %part = arith.muli %slope, %rest : i32
    %r = arith.addi %base, %part : i32
)";

std::string Lookup::getText(const HostTensor &table) const {
  std::string dims = getDims(getLoops(extents.size()));
  std::string tableType = getTensorType(getTableShape(), type), constant, argument;
  if (isConstant) {
    std::vector<int64_t> elements;
    for (int64_t i = 0; i < table.getNumElements(); ++i)
      elements.push_back(table.getInt(i));
    constant = llvm::formatv("  %t = arith.constant dense<[{0}]> : {1}\n", joinNumbers(elements),
                             tableType);
  } else {
    argument = ", %t: " + tableType;
  }
  std::string last, yielded = "%r";
  std::string result = getElementTypeName(getResultType()).str();
  if (afterLoop >= 0) {
    last = "    %q = arith.addi %r, %y : " + result + "\n";
    yielded = "%q";
  }
  return llvm::formatv(
      R"(func.func @f(%x: {0}, %v: {1}{2}) -> {3} {{
{4}  %e = tensor.empty() : {3}
  %r = linalg.generic {{indexing_maps = [affine_map<({5}) -> ({6})>, affine_map<({5}) -> ({7})>, affine_map<({5}) -> ({5})>], iterator_types = [{8}]}
      ins(%x, %v : {0}, {1}) outs(%e : {3}) {{
  ^bb0(%in: {9}, %y: {10}, %out: {10}):
    %b = arith.constant {11} : {9}
    %s = arith.addi %in, %b : {9}
{12}{13}    linalg.yield {14} : {10}
  } -> {3}
  return %r : {3}
})",
      getTensorType(getInputShape(), type),
      getTensorType({extents[std::max(afterLoop, 0)]}, getResultType()), argument,
      getTensorType(extents, getResultType()), constant, dims, getDims(inputLoops),
      getDims(std::max(afterLoop, 0)), getIterators(std::vector<bool>(extents.size())),
      getElementTypeName(type), result, before,
      type == ElementType::I8 ? getBytes(isUnsigned) : interpolation.str(), last, yielded);
}

HostTensor compute(const Lookup &test, const HostTensor &input, const HostTensor &after,
                   const HostTensor &table) {
  HostTensor result(test.getResultType(), test.extents);
  forEachPosition(test.extents, [&](ArrayRef<int64_t> loops) {
    int64_t number =
        input.getInt(getOffset(test.getInputShape(), select(loops, test.inputLoops))) + test.before;
    int64_t value;
    if (test.type == ElementType::I8) {
      number = int8_t(number);
      value = table.getInt(test.isUnsigned ? uint8_t(number) : number + 128);
    } else {
      int64_t moved = int16_t(number) + 32768, rest = moved % 128;
      int64_t first = table.getInt(moved / 128), second = table.getInt(moved / 128 + 1);
      value = first * (128 - rest) + second * rest;
    }
    if (test.afterLoop >= 0)
      value += after.getInt(loops[test.afterLoop]);
    if (test.type == ElementType::I8)
      value = int8_t(value);
    result.setInt(getOffset(test.extents, loops), value);
  });
  return result;
}

Lookup makeLookup(Random &random) {
  Lookup test;
  test.type = random.of({ElementType::I8, ElementType::I16});
  int64_t rank = random.in(1, 5), numElements = 1;
  for (int loop = 0; loop < rank; ++loop) {
    int64_t extent = random.of<int64_t>({1, 2, 3, 7, 16, 33, 64, random.in(1, 300)});
    if (numElements * extent > 30000)
      extent = 2;
    numElements *= extent;
    test.extents.push_back(extent);
    if (random.chance(85))
      test.inputLoops.push_back(loop);
  }
  if (random.chance(50))
    random.shuffle(test.inputLoops);
  test.isUnsigned = test.type == ElementType::I8 && random.chance(40);
  test.isConstant = random.chance(50);
  test.before = random.of<int64_t>({0, 1, -100, 77});
  if (random.chance(50))
    test.afterLoop = random.in(0, rank - 1);
  return test;
}

void fill(HostTensor &tensor, Random &random) {
  int64_t most = tensor.getElementType() == ElementType::I8 ? 127 : 32767;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setInt(i, random.chance(5) ? random.of<int64_t>({-most - 1, most, 0, -1})
                                      : random.in(-most - 1, most));
}

void checkTable(uint64_t seed) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 13;
  std::string target = makeRandomTarget(random, range);
  // What there is no float for needs none.
  if (random.chance(50))
    target += ",vpuFloat=0";
  Lookup test = makeLookup(random);
  HostTensor input(test.type, test.getInputShape()), table(test.type, test.getTableShape()),
      after(test.getResultType(), {test.extents[std::max(test.afterLoop, 0)]});
  fill(input, random);
  fill(table, random);
  fill(after, random);
  Tensors inputs = {input, after};
  if (!test.isConstant)
    inputs.push_back(table);
  harness.expectExact(seed, target, test.getText(table), inputs,
                      compute(test, input, after, table));
}

class AnyTable : public ::testing::TestWithParam<int> {};

TEST_P(AnyTable, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkTable(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyTable, ::testing::Range(0, 10));

} // namespace
