//===- AnyScanTest.cpp - every scan is exact ------------------------------===//
//
// Random running sums, products, extremes and bits on random chips, alone and with what is computed
// before and after, bit for bit against the loop nest below.
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

struct Scan {
  std::vector<int64_t> extents;
  int dimension = 0;
  std::vector<int> order; ///< loops of the result's dimensions
  StringRef op;
  ElementType type = ElementType::F32;
  int64_t init = 0;
  bool doubles = false;   ///< what is scanned is 2 x
  bool subtracts = false; ///< the result is scan - x, in the order of the loops
  bool hasLast = false;   ///< the last values are a result as well

  /// Loops of the last values' dimensions.
  std::vector<int> getKept() const {
    std::vector<int> loops = getLoops(extents.size());
    loops.erase(loops.begin() + dimension);
    return loops;
  }
  std::string getText() const;
};

std::string Scan::getText() const {
  std::string dims = getDims(getLoops(extents.size()));
  std::vector<bool> none(extents.size()), isReduced = none;
  isReduced[dimension] = true;
  StringRef element = getElementTypeName(type);
  bool isReal = isFloat(type);
  std::string x = getTensorType(extents, type), y = getTensorType(select(extents, order), type),
              last = getTensorType(select(extents, getKept()), type);
  std::string term = "%a", before;
  if (doubles) {
    term = "%n";
    before = llvm::formatv("    %n = arith.add{0} %a, %a : {1}\n", isReal ? "f" : "i", element);
  }
  std::string text = llvm::formatv(
      R"(  %init = arith.constant {0}
  %e = tensor.empty() : {1}
  %l = tensor.empty() : {2}
  %f = linalg.fill ins(%init : {3}) outs(%l : {2}) -> {2}
  %r:2 = linalg.generic {{indexing_maps = [affine_map<({4}) -> ({4})>, affine_map<({4}) -> ({5})>, affine_map<({4}) -> ({6})>], iterator_types = [{7}]}
      ins(%x : {8}) outs(%e, %f : {1}, {2}) {{
  ^bb0(%a: {3}, %o: {3}, %s: {3}):
{9}    %t = {10} %s, {11} : {3}
    linalg.yield %t, %t : {3}, {3}
  } -> ({1}, {2})
)",
      getConstant(init, type), y, last, element, dims, getDims(order), getDims(getKept()),
      getIterators(isReduced), x, before, op, term);
  std::string result = "%r#0";
  if (subtracts) {
    result = "%q";
    text += llvm::formatv(
        R"(  %q = linalg.generic {{indexing_maps = [affine_map<({0}) -> ({1})>, affine_map<({0}) -> ({0})>, affine_map<({0}) -> ({1})>], iterator_types = [{2}]}
      ins(%r#0, %x : {3}, {4}) outs(%e : {3}) {{
  ^bb0(%a: {5}, %b: {5}, %o: {5}):
    %t = arith.sub{6} %a, %b : {5}
    linalg.yield %t : {5}
  } -> {3}
)",
        dims, getDims(order), getIterators(none), y, x, element, isReal ? "f" : "i");
  }
  std::string types = hasLast ? "(" + y + ", " + last + ")" : y;
  return "func.func @f(%x: " + x + ") -> " + types + " {\n" + text + "  return " + result +
         (hasLast ? ", %r#1 : " + y + ", " + last : " : " + y) + "\n}\n";
}

Tensors compute(const Scan &test, const HostTensor &x) {
  HostTensor result(test.type, select(test.extents, test.order)),
      last(test.type, select(test.extents, test.getKept()));
  std::vector<int64_t> states(last.getNumElements(), test.init);
  // Row-major order visits the scanned dimension upwards, whatever is around it.
  forEachPosition(test.extents, [&](ArrayRef<int64_t> loops) {
    int64_t value = x.getInt(getOffset(test.extents, loops)),
            index = getOffset(last.getShape(), select(loops, test.getKept()));
    int64_t &state = states[index];
    state = combine(test.op, state, test.doubles ? 2 * value : value, test.type);
    result.setInt(getOffset(result.getShape(), select(loops, test.order)),
                  state - (test.subtracts ? value : 0));
    last.setInt(index, state);
  });
  Tensors results = {result};
  if (test.hasLast)
    results.push_back(last);
  return results;
}

Scan makeScan(Random &random, bool hasManyDims) {
  Scan test;
  test.type = random.of({ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16,
                         ElementType::F32, ElementType::F32});
  int64_t rank = hasManyDims ? random.in(4, 7) : random.in(1, 4), numElements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent = hasManyDims ? random.of<int64_t>({1, 2, 3, 4, 5, 7, 16})
                                 : random.of<int64_t>({1, 2, 3, 7, 16, 33, 64, random.in(1, 500)});
    if (numElements * extent > 20000)
      extent = 2;
    numElements *= extent;
    test.extents.push_back(extent);
    test.order.push_back(i);
  }
  test.dimension = random.in(0, rank - 1);
  if (random.chance(30))
    random.shuffle(test.order);
  if (test.type == ElementType::F16)
    test.op = random.of<StringRef>({"arith.maximumf", "arith.minimumf"});
  else if (test.type == ElementType::F32)
    test.op =
        random.of<StringRef>({"arith.addf", "arith.addf", "arith.maximumf", "arith.minimumf"});
  else
    test.op = random.of<StringRef>({"arith.addi", "arith.addi", "arith.muli", "arith.maxsi",
                                    "arith.minsi", "arith.andi", "arith.ori", "arith.xori"});
  test.init = test.op == "arith.addf" ? 0 : random.of<int64_t>({0, 1, -3});
  test.doubles = random.chance(30);
  test.subtracts = random.chance(30);
  test.hasLast = random.chance(30);
  return test;
}

void checkScan(uint64_t seed, bool hasManyDims) {
  Random random(seed);
  Harness harness;
  std::string target =
      makeRandomTarget(random, ChipRange{4, 64, hasManyDims ? 12 : 17, 21, 11, 19});
  Scan test = makeScan(random, hasManyDims);
  HostTensor x(test.type, test.extents);
  x.fillSmallInts(seed);
  harness.expectExact(seed, target, test.getText(), x, compute(test, x));
}

class AnyScan : public ::testing::TestWithParam<int> {};

TEST_P(AnyScan, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkScan(seed, /*hasManyDims=*/false);
}

TEST_P(AnyScan, OfManyDimensionsIsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkScan(1000000 + seed, /*hasManyDims=*/true);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyScan, ::testing::Range(0, 10));

} // namespace
