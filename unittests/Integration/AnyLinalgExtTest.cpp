//===- AnyLinalgExtTest.cpp - every op of iree_linalg_ext is exact --------===//
//
// Random scans, arg-compares, gathers, scatters, sorts and top-k, bit for bit against the loops
// below: on the host all of them, on random chips what has a form that the NPU runs.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <numeric>
#include <tuple>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

std::vector<int64_t> pickShape(Random &random, size_t minRank, size_t maxRank) {
  std::vector<int64_t> shape(random.in(minRank, maxRank));
  for (int64_t &size : shape)
    size = random.of<int64_t>({1, 2, 3, 5, 8, 17, random.in(1, 30)});
  return shape;
}

std::vector<int64_t> drop(std::vector<int64_t> shape, int64_t dim) {
  shape.erase(shape.begin() + dim);
  return shape;
}

/// `name = linalg.fill` with a constant.
std::string getFill(StringRef name, StringRef constant, StringRef element, StringRef type) {
  return llvm::formatv("  {0}_c = arith.constant {1} : {2}\n  {0}_e = tensor.empty() : {3}\n"
                       "  {0} = linalg.fill ins({0}_c : {2}) outs({0}_e : {3}) -> {3}\n",
                       name, constant, element, type);
}

/// A region of two elements that ends in `op` on them.
std::string getRegion(StringRef op, StringRef element, StringRef yielded) {
  return llvm::formatv(" {{\n  ^bb0(%a: {0}, %b: {0}):\n    %q = {1} %a, %b : {0}\n"
                       "    iree_linalg_ext.yield %q : {2}\n  }",
                       element, op, yielded);
}

/// Integers with many equal ones, exact in every type.
HostTensor makeNumbers(Random &random, ElementType type, ArrayRef<int64_t> shape, int64_t low,
                       int64_t high) {
  HostTensor tensor(type, shape);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setInt(i, random.in(low, high));
  return tensor;
}

/// Every row along `dim`, by the offsets of its elements.
void forEachRow(ArrayRef<int64_t> shape, int64_t dim,
                llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  std::vector<int64_t> starts(shape);
  starts[dim] = 1;
  forEachPosition(starts, [&](ArrayRef<int64_t> start) {
    std::vector<int64_t> position(start), offsets;
    for (position[dim] = 0; position[dim] < shape[dim]; ++position[dim])
      offsets.push_back(getOffset(shape, position));
    visit(offsets);
  });
}

std::string makeTarget(Random &random) {
  return makeRandomTarget(random, ChipRange{4, 64, 16, 21, 11, 19});
}

class AnyLinalgExt : public ::testing::TestWithParam<int> {
protected:
  void checkOnHost(uint64_t seed, StringRef text, ArrayRef<HostTensor> inputs,
                   ArrayRef<HostTensor> expected) {
    EXPECT_EQ(harness.findHostFault(text, inputs, expected), "") << "seed " << seed << "\n"
                                                                 << text.str();
  }

  template <typename Check>
  void forEachSeed(Check check) {
    for (uint64_t seed = GetParam() * 20; seed < GetParam() * 20u + 20; ++seed) {
      Random random(seed);
      check(seed, random);
    }
  }

  Harness harness;
};

TEST_P(AnyLinalgExt, ScanIsExact) {
  forEachSeed([&](uint64_t seed, Random &random) {
    std::vector<int64_t> shape = pickShape(random, 1, 3);
    int64_t dim = random.in(0, shape.size() - 1), start = random.in(-3, 3);
    ElementType type = random.of({ElementType::F32, ElementType::I32, ElementType::I8});
    bool isInclusive = random.chance(50), isReal = isFloat(type);
    StringRef op =
        isReal ? random.of<StringRef>({"arith.addf", "arith.maximumf", "arith.minimumf"})
               : random.of<StringRef>({"arith.addi", "arith.muli", "arith.maxsi", "arith.xori"});
    std::string x = getTensorType(shape, type), a = getTensorType(drop(shape, dim), type),
                element = getElementTypeName(type).str();
    std::string number = std::to_string(start) + (isReal ? ".0" : "");
    std::string text = llvm::formatv(
        "func.func @f(%x: {0}) -> ({0}, {1}) {{\n  %o = tensor.empty() : {0}\n{2}"
        "  %r:2 = iree_linalg_ext.scan dimension({3}) inclusive({4}) ins(%x : {0}) outs(%o, %i : "
        "{0}, {1}){5} -> {0}, {1}\n  return %r#0, %r#1 : {0}, {1}\n}\n",
        x, a, getFill("%i", number, element, a), dim, isInclusive ? "true" : "false",
        getRegion(op, element, element));
    HostTensor input = makeNumbers(random, type, shape, -3, 3), steps(type, shape),
               last(type, drop(shape, dim));
    int64_t row = 0;
    forEachRow(shape, dim, [&](ArrayRef<int64_t> offsets) {
      int64_t state = start;
      for (auto [index, offset] : llvm::enumerate(offsets)) {
        int64_t value = input.getInt(offset);
        if (isInclusive)
          state = index == 0 ? value : combine(op, state, value, type);
        else if (index != 0)
          state = combine(op, state, input.getInt(offsets[index - 1]), type);
        steps.setInt(offset, state);
      }
      last.setInt(row++, state);
    });
    // Of one element an exclusive scan keeps nothing but the accumulator.
    if (!isInclusive && shape[dim] == 1)
      checkOnHost(seed, text, input, {steps, last});
    else
      harness.expectExact(seed, makeTarget(random), text, input, {steps, last});
  });
}

TEST_P(AnyLinalgExt, ArgCompareIsExact) {
  forEachSeed([&](uint64_t seed, Random &random) {
    std::vector<int64_t> shape = pickShape(random, 1, 3), kept;
    int64_t dim = random.in(0, shape.size() - 1), base = random.of<int64_t>({0, 0, 7, -100});
    kept = drop(shape, dim);
    ElementType type = random.of({ElementType::F32, ElementType::I32}),
                index = random.of({ElementType::I32, ElementType::I64});
    bool isReal = isFloat(type), isMax = random.chance(50), hasBase = base != 0,
         isExplicit = !hasBase && random.chance(30);
    std::string least = isReal  ? isMax ? "0xFF800000" : "0x7F800000"
                        : isMax ? "-2147483648"
                                : "2147483647";
    std::string x = getTensorType(shape, type), v = getTensorType(kept, type),
                p = getTensorType(kept, index), i = getTensorType(shape, index),
                element = getElementTypeName(type).str(), where = getElementTypeName(index).str();
    std::string compare =
        std::string("arith.cmp") + (isReal ? "f o" : "i s") + (isMax ? "gt," : "lt,");
    std::string text = llvm::formatv(
        "func.func @f(%x: {0}{1}) -> ({2}, {3}) {{\n{4}{5}  %base = arith.constant {6} : index\n"
        "  %r:2 = iree_linalg_ext.arg_compare dimension({7}) ins(%x{8} : {0}{9}) outs(%v, %p : "
        "{2}, {3}){10}{11} -> {2}, {3}\n  return %r#0, %r#1 : {2}, {3}\n}\n",
        x, isExplicit ? ", %i: " + i : "", v, p, getFill("%v", least, element, v),
        getFill("%p", std::to_string(base), where, p), base, dim, isExplicit ? ", %i" : "",
        isExplicit ? ", " + i : "", hasBase ? " index_base(%base : index)" : "",
        getRegion(compare, element, "i1"));
    HostTensor input = makeNumbers(random, type, shape, -20, 20),
               positions = makeNumbers(random, index, shape, -50, 50), values(type, kept),
               places(index, kept);
    int64_t row = 0;
    forEachRow(shape, dim, [&](ArrayRef<int64_t> offsets) {
      int64_t best = 0;
      for (size_t at = 1; at < offsets.size(); ++at) {
        int64_t value = input.getInt(offsets[at]), winner = input.getInt(offsets[best]);
        if (isMax ? value > winner : value < winner)
          best = at;
      }
      values.setInt(row, input.getInt(offsets[best]));
      places.setInt(row++, isExplicit ? positions.getInt(offsets[best]) : best + base);
    });
    if (isExplicit)
      return checkOnHost(seed, text, {input, positions}, {values, places});
    harness.expectExact(seed, makeTarget(random), text, input, {values, places});
  });
}

/// Coordinates of slices: what gathers and scatters have in common.
struct Coordinates {
  explicit Coordinates(Random &random) {
    int64_t depth = random.of<int64_t>({1, 1, 2, 3});
    whole = pickShape(random, depth, depth + 2);
    indices = pickShape(random, 0, 2);
    slices = indices;
    slices.insert(slices.end(), whole.begin() + depth, whole.end());
    batchRank = indices.size();
    hasDimension = depth != 1 || random.chance(50);
    if (hasDimension)
      indices.push_back(depth);
    for (int64_t dim = 0; dim < depth; ++dim)
      map.push_back(dim);
    random.shuffle(map);
  }

  /// Indices of elements that are there.
  HostTensor makeIndices(Random &random, ElementType type) const {
    HostTensor tensor(type, indices);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setInt(i, random.in(0, whole[map[i % map.size()]] - 1));
    return tensor;
  }

  /// The shape of a mask.
  std::vector<int64_t> getBatch() const {
    return std::vector<int64_t>(slices.begin(), slices.begin() + batchRank);
  }
  bool isSet(const HostTensor &mask, ArrayRef<int64_t> position) const {
    return mask.getInt(getOffset(getBatch(), position.take_front(batchRank))) != 0;
  }

  /// Where an element of the slices is in the whole.
  int64_t getWhole(const HostTensor &tensor, ArrayRef<int64_t> position) const {
    int64_t depth = map.size(), row = 0;
    for (int64_t dim = 0; dim < batchRank; ++dim)
      row = row * slices[dim] + position[dim];
    std::vector<int64_t> to(depth);
    for (int64_t coordinate = 0; coordinate < depth; ++coordinate)
      to[map[coordinate]] = tensor.getInt(row * depth + coordinate);
    to.insert(to.end(), position.begin() + batchRank, position.end());
    return getOffset(whole, to);
  }

  std::vector<int64_t> whole, indices, slices, map;
  int64_t batchRank = 0;
  bool hasDimension = false;
};

TEST_P(AnyLinalgExt, GatherIsExact) {
  forEachSeed([&](uint64_t seed, Random &random) {
    Coordinates test(random);
    ElementType type = random.of({ElementType::F32, ElementType::I8, ElementType::F16}),
                index = random.of({ElementType::I32, ElementType::I64});
    bool hasMask = random.chance(40);
    std::string s = getTensorType(test.whole, type), i = getTensorType(test.indices, index),
                m = getTensorType(test.getBatch(), ElementType::I8),
                o = getTensorType(test.slices, type);
    std::string text = llvm::formatv(
        "func.func @f(%s: {0}, %i: {1}, %o: {2}{3}) -> {2} {{\n  %r = iree_linalg_ext.gather "
        "dimension_map = [{4}] ins(%s, %i{5} : {0}, {1}{6}) outs(%o : {2}) -> {2}\n  return %r : "
        "{2}\n}\n",
        s, i, o, hasMask ? ", %m: " + m : "", joinNumbers(test.map), hasMask ? ", %m" : "",
        hasMask ? ", " + m : "");
    HostTensor source = makeNumbers(random, type, test.whole, -100, 100),
               indices = test.makeIndices(random, index),
               mask = makeNumbers(random, ElementType::I8, test.getBatch(), 0, 1),
               output = makeNumbers(random, type, test.slices, -100, 100), result = output;
    forEachPosition(test.slices, [&](ArrayRef<int64_t> position) {
      if (!hasMask || test.isSet(mask, position))
        result.setInt(getOffset(test.slices, position),
                      source.getInt(test.getWhole(indices, position)));
    });
    Tensors inputs = {source, indices, output};
    if (hasMask)
      inputs.push_back(mask);
    bool isForNPU = test.map.size() == 1;
    if (isForNPU)
      harness.expectExact(seed, makeTarget(random), text, inputs, result);
    else
      checkOnHost(seed, text, inputs, result);
  });
}

TEST_P(AnyLinalgExt, ScatterIsExact) {
  forEachSeed([&](uint64_t seed, Random &random) {
    Coordinates test(random);
    ElementType index = random.of({ElementType::I32, ElementType::I64});
    bool hasMask = random.chance(40);
    std::string u = getTensorType(test.slices, ElementType::I32),
                i = getTensorType(test.indices, index),
                m = getTensorType(test.getBatch(), ElementType::I8),
                o = getTensorType(test.whole, ElementType::I32);
    std::string text = llvm::formatv(
        "func.func @f(%u: {0}, %i: {1}, %o: {2}{3}) -> {2} {{\n  %r = iree_linalg_ext.scatter "
        "dimension_map = [{4}] unique_indices(false) ins(%u, %i{5} : {0}, {1}{6}) outs(%o : {2}){7}"
        " -> {2}\n  return %r : {2}\n}\n",
        u, i, o, hasMask ? ", %m: " + m : "", joinNumbers(test.map), hasMask ? ", %m" : "",
        hasMask ? ", " + m : "", getRegion("arith.addi", "i32", "i32"));
    HostTensor updates = makeNumbers(random, ElementType::I32, test.slices, -100, 100),
               indices = test.makeIndices(random, index),
               mask = makeNumbers(random, ElementType::I8, test.getBatch(), 0, 1),
               original = makeNumbers(random, ElementType::I32, test.whole, -100, 100),
               result = original;
    forEachPosition(test.slices, [&](ArrayRef<int64_t> position) {
      if (hasMask && !test.isSet(mask, position))
        return;
      int64_t at = test.getWhole(indices, position);
      result.setInt(at, result.getInt(at) + updates.getInt(getOffset(test.slices, position)));
    });
    Tensors inputs = {updates, indices, original};
    if (hasMask)
      inputs.push_back(mask);
    checkOnHost(seed, text, inputs, result);
  });
}

TEST_P(AnyLinalgExt, SortIsExact) {
  forEachSeed([&](uint64_t seed, Random &random) {
    std::vector<int64_t> shape = pickShape(random, 1, 3);
    int64_t dim = random.in(0, shape.size() - 1);
    shape[dim] =
        random.of<int64_t>({1, 2, 3, 4, 15, 16, 17, random.in(1, 300), random.in(1, 1500)});
    bool isStrict = random.chance(50), isDynamic = random.chance(30);
    ElementType type = random.of(
        {ElementType::I32, ElementType::I8, ElementType::F16, ElementType::BF16, ElementType::F32});
    std::string element = getElementTypeName(type).str();
    std::string compare =
        std::string("arith.cmp") + (isFloat(type) ? "f o" : "i s") + (isStrict ? "gt" : "ge");
    std::string x = getTensorType(shape, type), y = getTensorType(shape, ElementType::F32);
    // The op on tensors of these names and types.
    auto getSort = [&](StringRef key, StringRef value, StringRef keyType, StringRef valueType) {
      return llvm::formatv("  %r:2 = iree_linalg_ext.sort dimension({0}) outs({1}, {2} : {3}, {4}) "
                           "{{\n  ^bb0(%a: {5}, %b: {5}, %c: f32, %d: f32):\n    %q = {6}, %a, %b "
                           ": {5}\n    iree_linalg_ext.yield %q : i1\n  } -> {3}, {4}\n",
                           dim, key, value, keyType, valueType, element, compare)
          .str();
    };
    std::string head = llvm::formatv("func.func @f(%x: {0}, %y: {1}) -> ({0}, {1}) {{\n", x, y),
                text = head + getSort("%x", "%y", x, y) +
                       llvm::formatv("  return %r#0, %r#1 : {0}, {1}\n}\n", x, y).str();
    HostTensor keys = makeNumbers(random, type, shape, -20, 20), values(ElementType::F32, shape),
               sortedKeys = keys, sortedValues = values;
    for (int64_t i = 0; i < values.getNumElements(); ++i) {
      values.setInt(i, i);
      if (isFloat(type) && random.chance(20))
        keys.setFloat(i, random.of<double>({NAN, INFINITY, -INFINITY}));
    }
    forEachRow(shape, dim, [&](ArrayRef<int64_t> offsets) {
      // Equal ones stay in order, NaNs are last.
      std::vector<int64_t> order(offsets);
      auto getRank = [&](int64_t at) {
        double key = keys.getFloat(at);
        return std::isnan(key) ? std::tuple(true, 0.0, at) : std::tuple(false, -key, at);
      };
      llvm::sort(order, [&](int64_t a, int64_t b) { return getRank(a) < getRank(b); });
      for (auto [to, from] : llvm::zip(offsets, order)) {
        sortedKeys.setFloat(to, keys.getFloat(from));
        sortedValues.setInt(to, values.getInt(from));
      }
    });
    if (isDynamic) {
      // The same rows, of a length that is not known before.
      std::string sizes = llvm::join(std::vector<std::string>(shape.size(), "?"), "x");
      std::string dx = "tensor<" + sizes + "x" + element + ">", dy = "tensor<" + sizes + "xf32>";
      text = head +
             llvm::formatv("  %u = tensor.cast %x : {0} to {2}\n  %v = tensor.cast %y : {1} to "
                           "{3}\n",
                           x, y, dx, dy)
                 .str() +
             getSort("%u", "%v", dx, dy) +
             llvm::formatv("  %s = tensor.cast %r#0 : {2} to {0}\n  %t = tensor.cast %r#1 : {3} to "
                           "{1}\n  return %s, %t : {0}, {1}\n}\n",
                           x, y, dx, dy)
                 .str();
    }
    if (isDynamic)
      checkOnHost(seed, text, {keys, values}, {sortedKeys, sortedValues});
    else
      harness.expectExact(seed, makeTarget(random), text, {keys, values},
                          {sortedKeys, sortedValues});
  });
}

TEST_P(AnyLinalgExt, TopkIsExact) {
  forEachSeed([&](uint64_t seed, Random &random) {
    std::vector<int64_t> shape = pickShape(random, 1, 3), bestShape = shape;
    int64_t dim = random.in(0, shape.size() - 1);
    int64_t count = bestShape[dim] = random.in(1, std::min<int64_t>(shape[dim], 9));
    bool isEmpty = random.chance(50), isMax = random.chance(50), isExplicit = random.chance(30);
    std::string x = getTensorType(shape, ElementType::F32),
                i = getTensorType(shape, ElementType::I32),
                v = getTensorType(bestShape, ElementType::F32),
                p = getTensorType(bestShape, ElementType::I32);
    std::string inits = isEmpty ? llvm::formatv("  %v = tensor.empty() : {0}\n  %p = "
                                                "tensor.empty() : {1}\n",
                                                v, p)
                                      .str()
                                : getFill("%v", isMax ? "0xFF800000" : "0x7F800000", "f32", v) +
                                      getFill("%p", "0", "i32", p);
    std::string text = llvm::formatv(
        "func.func @f(%x: {0}{1}) -> ({2}, {3}) {{\n{4}  %r:2 = iree_linalg_ext.topk "
        "dimension({5}) ins(%x{6} : {0}{7}) outs(%v, %p : {2}, {3}){8} -> {2}, {3}\n  return %r#0, "
        "%r#1 : {2}, {3}\n}\n",
        x, isExplicit ? ", %i: " + i : "", v, p, inits, dim, isExplicit ? ", %i" : "",
        isExplicit ? ", " + i : "",
        getRegion(isMax ? "arith.cmpf ogt," : "arith.cmpf olt,", "f32", "i1"));
    HostTensor input = makeNumbers(random, ElementType::F32, shape, -9, 9),
               positions(ElementType::I32, shape), values(ElementType::F32, bestShape),
               places(ElementType::I32, bestShape);
    int64_t next = 0;
    // Distinct, so that ties have an order.
    for (int64_t k = 0; k < positions.getNumElements(); ++k)
      positions.setInt(k, next = next + 7);
    std::vector<std::vector<int64_t>> rows, bestRows;
    forEachRow(shape, dim, [&](ArrayRef<int64_t> offsets) { rows.push_back(offsets); });
    forEachRow(bestShape, dim, [&](ArrayRef<int64_t> offsets) { bestRows.push_back(offsets); });
    for (size_t row = 0; row < rows.size(); ++row) {
      auto getRank = [&](int64_t at) {
        int64_t value = input.getInt(rows[row][at]);
        return std::pair(isMax ? -value : value, at);
      };
      std::vector<int64_t> order(shape[dim]);
      std::iota(order.begin(), order.end(), 0);
      llvm::sort(order, [&](int64_t a, int64_t b) { return getRank(a) < getRank(b); });
      for (int64_t k = 0; k < count; ++k) {
        int64_t from = rows[row][order[k]], to = bestRows[row][k];
        values.setInt(to, input.getInt(from));
        places.setInt(to, isExplicit ? positions.getInt(from) : order[k]);
      }
    }
    Tensors inputs = {input};
    if (isExplicit)
      inputs.push_back(positions);
    if (isExplicit)
      checkOnHost(seed, text, inputs, {values, places});
    else
      harness.expectExact(seed, makeTarget(random), text, inputs, {values, places});
  });
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyLinalgExt, ::testing::Range(0, 5));

} // namespace
