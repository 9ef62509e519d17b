//===- AnyArgReductionTest.cpp - every position of an extreme is exact ----===//
//
// The forms in which models write argmax and argmin, on random chips, some of which have no room
// for a row, with NaNs and infinities, against the loop that each form says.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <optional>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

struct ArgReduction {
  std::vector<int64_t> extents;
  int dimension = 0;
  ElementType type = ElementType::F32, index = ElementType::I64;
  bool isMax = true, isLast = false;
  bool nanWins = false;         ///< as ONNX has it
  bool isUnordered = false;     ///< the same as TOSA has it
  bool hasExtreme = false;      ///< the extreme is a result as well
  bool isPositionFirst = false; ///< of the op's results
  std::optional<int64_t> bound; ///< what the extreme starts with, in place of the least value
  int64_t start = 0;

  /// Loops of the results' dimensions.
  std::vector<int> getKept() const {
    std::vector<int> loops = getLoops(extents.size());
    loops.erase(loops.begin() + dimension);
    return loops;
  }
  double getLeast() const {
    if (bound)
      return *bound;
    if (isFloat(type))
      return isMax ? -INFINITY : INFINITY;
    double half = std::ldexp(1.0, 8 * getElementByteSize(type) - 1);
    return isMax ? -half : half - 1;
  }
  bool isBeyond(double x, double extreme) const {
    if (nanWins && std::isnan(x) && (isLast || !std::isnan(extreme)))
      return true;
    if (isLast)
      return isMax ? x >= extreme : x <= extreme;
    return isMax ? x > extreme : x < extreme;
  }
  std::string getText() const;
};

std::string ArgReduction::getText() const {
  bool isReal = isFloat(type);
  Position kept = select(extents, getKept());
  std::string x = getTensorType(extents, type), v = getTensorType(kept, type),
              p = getTensorType(kept, index), element = getElementTypeName(type).str();
  std::vector<bool> isReduced(extents.size());
  isReduced[dimension] = true;
  std::string least;
  if (bound)
    least = std::to_string(*bound) + (isReal ? ".0" : "");
  else if (!isReal)
    least = std::to_string(int64_t(getLeast()));
  else if (type == ElementType::F32)
    least = isMax ? "0xFF800000" : "0x7F800000";
  else
    least = isMax ? "0xFC00" : "0x7C00";
  std::string predicate = (!isReal       ? "s"
                           : isUnordered ? "u"
                                         : "o") +
                          std::string(isMax ? "g" : "l") + (isLast ? "e" : "t");
  std::string condition = llvm::formatv("    %c0 = arith.cmp{0} {1}, %a, %m : {2}\n",
                                        isReal ? "f" : "i", predicate, element);
  std::string last = "%c0";
  if (isUnordered) {
    last = "%c";
    condition +=
        "    %c1 = arith.cmpf ord, %m, %m : " + element + "\n    %c = arith.andi %c0, %c1 : i1\n";
  } else if (nanWins) {
    last = "%c";
    condition += "    %c1 = arith.cmpf une, %a, %a : " + element + "\n";
    std::string other = "%c1";
    if (!isLast) {
      other = "%c3";
      condition += "    %c2 = arith.cmpf oeq, %m, %m : " + element +
                   "\n    %c3 = arith.andi %c1, %c2 : i1\n";
    }
    condition += "    %c = arith.ori %c0, " + other + " : i1\n";
  }
  std::string extreme = isPositionFirst ? "%r#1" : "%r#0",
              position = isPositionFirst ? "%r#0" : "%r#1";
  std::string results =
      hasExtreme ? extreme + ", " + position + " : " + v + ", " + p : position + " : " + p;
  auto order = [&](StringRef ofExtreme, StringRef ofPosition) {
    return (isPositionFirst ? ofPosition + ", " + ofExtreme : ofExtreme + ", " + ofPosition).str();
  };
  std::string indexName = getElementTypeName(index).str();
  return llvm::formatv(
      R"(func.func @f(%x: {0}) -> {1} {{
  %least = arith.constant {2} : {3}
  %start = arith.constant {4} : {5}
  %ve = tensor.empty() : {6}
  %pe = tensor.empty() : {7}
  %vf = linalg.fill ins(%least : {3}) outs(%ve : {6}) -> {6}
  %pf = linalg.fill ins(%start : {5}) outs(%pe : {7}) -> {7}
  %r:2 = linalg.generic {{indexing_maps = [affine_map<({8}) -> ({8})>, affine_map<({8}) -> ({9})>, affine_map<({8}) -> ({9})>], iterator_types = [{10}]}
      ins(%x : {0}) outs({15} : {16}) {{
  ^bb0(%a: {3}, {17}):
    %i = linalg.index {11} : index
    %k = arith.index_cast %i : index to {5}
{12}    %t = arith.select {13}, %a, %m : {3}
    %u = arith.select {13}, %k, %w : {5}
    linalg.yield {18} : {19}
  } -> ({16})
  return {14}
})",
      x, hasExtreme ? "(" + v + ", " + p + ")" : p, least, element, start, indexName, v, p,
      getDims(getLoops(extents.size())), getDims(getKept()), getIterators(isReduced), dimension,
      condition, last, results, order("%vf", "%pf"), order(v, p),
      order("%m: " + element, "%w: " + indexName), order("%t", "%u"), order(element, indexName));
}

Tensors compute(const ArgReduction &test, const HostTensor &x) {
  Position kept = select(test.extents, test.getKept());
  HostTensor extremes(test.type, kept), positions(test.index, kept);
  extremes.fill(test.getLeast());
  positions.fill(test.start);
  forEachPosition(test.extents, [&](ArrayRef<int64_t> loops) {
    int64_t place = getOffset(kept, select(loops, test.getKept()));
    double value = x.getFloat(getOffset(test.extents, loops));
    if (!test.isBeyond(value, extremes.getFloat(place)))
      return;
    extremes.setFloat(place, value);
    positions.setInt(place, loops[test.dimension]);
  });
  Tensors results;
  if (test.hasExtreme)
    results.push_back(extremes);
  results.push_back(positions);
  return results;
}

void checkArgReduction(uint64_t seed) {
  Random random(seed);
  Harness harness;
  ArgReduction test;
  int64_t numElements = 1;
  for (int64_t rank = random.in(1, 3); rank > 0; --rank) {
    int64_t extent =
        random.of<int64_t>({1, 2, 3, 7, 16, 33, 100, random.in(1, 600), random.in(5000, 20000)});
    test.extents.push_back(numElements * extent > 20000 ? 3 : extent);
    numElements *= test.extents.back();
  }
  test.dimension = random.in(0, test.extents.size() - 1);
  test.type = random.of({ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16,
                         ElementType::F32, ElementType::F32});
  test.index = random.of({ElementType::I32, ElementType::I64});
  test.isMax = random.chance(50);
  test.nanWins = isFloat(test.type) && random.chance(60);
  test.isLast = random.chance(40) && (test.nanWins || !isFloat(test.type));
  test.hasExtreme = random.chance(30);
  test.isUnordered = test.nanWins && !test.isLast && random.chance(40);
  test.isPositionFirst = random.chance(40);
  if (!test.isLast && random.chance(20))
    test.bound = random.in(-5, 5);
  test.start = random.chance(30) ? random.in(-5, 5) : 0;
  HostTensor x(test.type, test.extents);
  x.fillSmallInts(seed);
  if (isFloat(test.type) && random.chance(60))
    for (int64_t i = 0; i < x.getNumElements(); ++i)
      if (random.chance(20))
        x.setFloat(i, random.of<double>({NAN, INFINITY, -INFINITY}));
  std::string target = makeRandomTarget(random, ChipRange{4, 64, 15, 21, 11, 19});
  harness.expectExact(seed, target, test.getText(), x, compute(test, x));
}

class AnyArgReduction : public ::testing::TestWithParam<int> {};

TEST_P(AnyArgReduction, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkArgReduction(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyArgReduction, ::testing::Range(0, 10));

} // namespace
