//===- AnyScanTest.cpp - every scan is exact ------------------------------===//
//
// Random running sums, products, extremes and bits on random chips, alone and with what is computed
// before and after, bit for bit against the loop nest below.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

struct Scan {
  std::vector<int64_t> extents;
  unsigned dimension = 0;
  std::vector<unsigned> order; ///< loops of the result's dimensions
  StringRef op;
  ElementType type = ElementType::F32;
  int64_t init = 0;
  bool doubles = false;   ///< what is scanned is 2 x
  bool subtracts = false; ///< the result is scan - x, in the order of the loops
  bool hasLast = false;   ///< the last values are a result as well

  std::vector<int64_t> getOutputShape() const {
    std::vector<int64_t> shape;
    for (unsigned loop : order)
      shape.push_back(extents[loop]);
    return shape;
  }
  std::vector<int64_t> getLastShape() const {
    std::vector<int64_t> shape(extents);
    shape.erase(shape.begin() + dimension);
    return shape;
  }
  std::string getText() const;
};

std::string getTensorType(ArrayRef<int64_t> shape, ElementType type) {
  return "tensor<" + getTypeString(shape, getElementTypeName(type)) + ">";
}

std::string Scan::getText() const {
  auto join = [](ArrayRef<unsigned> loops) {
    return llvm::join(
        llvm::map_range(loops, [](unsigned loop) { return "d" + std::to_string(loop); }), ", ");
  };
  std::vector<unsigned> loops(extents.size()), kept;
  std::vector<std::string> iterators, parallel(extents.size(), "\"parallel\"");
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    loops[loop] = loop;
    iterators.push_back(loop == dimension ? "\"reduction\"" : "\"parallel\"");
    if (loop != dimension)
      kept.push_back(loop);
  }
  StringRef element = getElementTypeName(type);
  bool isReal = isFloat(type);
  std::string number = std::to_string(init) + (isReal ? ".0" : "");
  std::string x = getTensorType(extents, type), y = getTensorType(getOutputShape(), type),
              last = getTensorType(getLastShape(), type);
  std::string term = "%a", before;
  if (doubles) {
    term = "%n";
    before = llvm::formatv("    %n = arith.add{0} %a, %a : {1}\n", isReal ? "f" : "i", element);
  }
  std::string text = llvm::formatv(
      R"(  %z = arith.constant 0{0} : {1}
  %init = arith.constant {2} : {1}
  %e = tensor.empty() : {3}
  %l = tensor.empty() : {4}
  %f = linalg.fill ins(%init : {1}) outs(%l : {4}) -> {4}
  %r:2 = linalg.generic {{indexing_maps = [affine_map<({5}) -> ({5})>, affine_map<({5}) -> ({6})>, affine_map<({5}) -> ({7})>], iterator_types = [{8}]}
      ins(%x : {9}) outs(%e, %f : {3}, {4}) {{
  ^bb0(%a: {1}, %o: {1}, %s: {1}):
{10}    %t = {11} %s, {12} : {1}
    linalg.yield %t, %t : {1}, {1}
  } -> ({3}, {4})
)",
      isReal ? ".0" : "", element, number, y, last, join(loops), join(order), join(kept),
      llvm::join(iterators, ", "), x, before, op, term);
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
        join(loops), join(order), llvm::join(parallel, ", "), y, x, element, isReal ? "f" : "i");
  }
  std::string types = hasLast ? "(" + y + ", " + last + ")" : y;
  return "func.func @f(%x: " + x + ") -> " + types + " {\n" + text + "  return " + result +
         (hasLast ? ", %r#1 : " + y + ", " + last : " : " + y) + "\n}\n";
}

int64_t combine(StringRef op, int64_t a, int64_t b) {
  if (op.starts_with("arith.add"))
    return a + b;
  if (op == "arith.muli")
    return int64_t(uint64_t(a) * uint64_t(b));
  if (op.starts_with("arith.max"))
    return std::max(a, b);
  if (op.starts_with("arith.min"))
    return std::min(a, b);
  if (op == "arith.andi")
    return a & b;
  return op == "arith.ori" ? a | b : a ^ b;
}

void set(HostTensor &tensor, int64_t index, int64_t value) {
  unsigned bits = 8 * getElementByteSize(tensor.getElementType());
  if (isFloat(tensor.getElementType()))
    tensor.setFloat(index, double(value));
  else
    tensor.setInt(index, int64_t(uint64_t(value) << (64 - bits)) >> (64 - bits));
}

Tensors compute(const Scan &test, const HostTensor &x) {
  HostTensor result(test.type, test.getOutputShape()), last(test.type, test.getLastShape());
  std::vector<int64_t> states(last.getNumElements(), test.init), index(test.extents.size());
  // Row-major order visits the scanned dimension upwards, whatever is around it.
  for (int64_t i = 0; i < x.getNumElements(); ++i) {
    int64_t rest = i;
    for (size_t loop = index.size(); loop-- > 0;) {
      index[loop] = rest % test.extents[loop];
      rest /= test.extents[loop];
    }
    int64_t state = 0, place = 0, value = x.getInt(i);
    for (size_t loop = 0; loop < index.size(); ++loop)
      if (loop != test.dimension)
        state = state * test.extents[loop] + index[loop];
    for (unsigned loop : test.order)
      place = place * test.extents[loop] + index[loop];
    states[state] = combine(test.op, states[state], test.doubles ? 2 * value : value);
    set(result, place, states[state] - (test.subtracts ? value : 0));
    set(last, state, states[state]);
  }
  Tensors results = {result};
  if (test.hasLast)
    results.push_back(last);
  return results;
}

Scan makeScan(Random &random) {
  Scan test;
  test.type = random.of({ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16,
                         ElementType::F32, ElementType::F32});
  int64_t rank = random.in(1, 4), numElements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent = random.of<int64_t>({1, 2, 3, 7, 16, 33, 64, random.in(1, 500)});
    if (numElements * extent > 20000)
      extent = 2;
    numElements *= extent;
    test.extents.push_back(extent);
    test.order.push_back(i);
  }
  test.dimension = random.in(0, rank - 1);
  if (random.chance(30))
    for (size_t i = test.order.size(); i > 1; --i)
      std::swap(test.order[i - 1], test.order[random.in(0, i - 1)]);
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

void checkSeed(uint64_t seed) {
  Random random(seed);
  Harness harness;
  std::string target = makeRandomTarget(random, ChipRange{4, 64, 17, 21, 11, 19});
  Scan test = makeScan(random);
  HostTensor x(test.type, test.extents);
  x.fillSmallInts(seed);
  Tensors expected = compute(test, x);
  llvm::Expected<KernelRun> run = harness.run(test.getText(), target, x, expected);
  ASSERT_TRUE(bool(run)) << "seed " << seed << ", --target=" << target << "\n"
                         << llvm::toString(run.takeError()) << "\n"
                         << test.getText();
  for (auto [result, output] : llvm::zip_equal(expected, run->outputs))
    EXPECT_EQ(findDifference(result, output), "")
        << "seed " << seed << ", --target=" << target << "\n"
        << test.getText();
}

class AnyScan : public ::testing::TestWithParam<int> {};

TEST_P(AnyScan, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkSeed(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyScan, ::testing::Range(0, 10));

} // namespace
