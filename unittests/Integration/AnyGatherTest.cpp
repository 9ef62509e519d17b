//===- AnyGatherTest.cpp - every gather is exact --------------------------===//
//
// Random tables, indices and tails on random chips, bit for bit against the loop nest below.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;

namespace {

/// result[loops] = table[coordinates] + loop `tail`, if there is one; one coordinate is an index.
struct Gather {
  std::vector<int64_t> extents; ///< of the loops, which are the result's dimensions
  std::vector<int> coordinates; ///< loop of each dimension of the table; -1: the index
  std::vector<int> indexLoops;  ///< of the indices' dimensions
  int64_t rows = 1;
  ElementType type = ElementType::F32, indexType = ElementType::I32;
  bool wraps = false;       ///< negative indices count from the end
  int tail = -1, mask = -1; ///< added to the result; the loop whose even counts give zero

  std::vector<int64_t> getTableShape() const {
    std::vector<int64_t> shape;
    for (int loop : coordinates)
      shape.push_back(loop < 0 ? rows : extents[loop]);
    return shape;
  }
  Position getIndexShape() const { return select(extents, indexLoops); }
  std::string getText() const;
};

std::string Gather::getText() const {
  std::string dims = getDims(getLoops(extents.size())), element = getElementTypeName(type).str();
  std::string body, indices;
  for (auto [dim, loop] : llvm::enumerate(coordinates)) {
    indices += (dim ? ", %c" : "%c") + std::to_string(dim);
    if (loop >= 0)
      body += llvm::formatv("    %c{0} = linalg.index {1} : index\n", dim, loop);
    else
      body += llvm::formatv("    %c{0} = arith.index_cast %w : {1} to index\n", dim,
                            getElementTypeName(indexType));
  }
  std::string wrapped = llvm::formatv(wraps ? R"(    %m = arith.constant {0} : {1}
    %n = arith.constant 0 : {1}
    %b = arith.cmpi slt, %i, %n : {1}
    %a = arith.addi %i, %m : {1}
    %w = arith.select %b, %a, %i : {1}
)"
                                            : R"(    %n = arith.constant 0 : {1}
    %w = arith.addi %i, %n : {1}
)",
                                      rows, getElementTypeName(indexType));
  std::string result = getTensorType(extents, type), yielded = "%r", last;
  if (tail >= 0) {
    yielded = "%s";
    last =
        llvm::formatv("    %s = arith.add{0} %r, %y : {1}\n", isFloat(type) ? "f" : "i", element);
  }
  if (mask >= 0) {
    last += llvm::formatv(R"(    %p = linalg.index {0} : index
    %q = arith.index_cast %p : index to i32
    %one = arith.constant 1 : i32
    %z = arith.constant 0 : i32
    %odd = arith.andi %q, %one : i32
    %keep = arith.cmpi ne, %odd, %z : i32
    %none = arith.constant {1}
    %k = arith.select %keep, {2}, %none : {3}
)",
                          mask, getConstant(0, type), yielded, element);
    yielded = "%k";
  }
  return llvm::formatv(
      R"(func.func @f(%t: {0}, %x: {1}, %v: {2}) -> {3} {{
  %e = tensor.empty() : {3}
  %r = linalg.generic {{indexing_maps = [affine_map<({4}) -> ({5})>, affine_map<({4}) -> ({6})>, affine_map<({4}) -> ({4})>], iterator_types = [{7}]}
      ins(%x, %v : {1}, {2}) outs(%e : {3}) {{
  ^bb0(%i: {14}, %y: {8}, %o: {8}):
{9}{10}    %r = tensor.extract %t[{11}] : {0}
{12}    linalg.yield {13} : {8}
  } -> {3}
  return %r : {3}
})",
      getTensorType(getTableShape(), type), getTensorType(getIndexShape(), indexType),
      getTensorType({extents[std::max(tail, 0)]}, type), result, dims, getDims(indexLoops),
      getDims(std::max(tail, 0)), getIterators(std::vector<bool>(extents.size())), element, wrapped,
      body, indices, last, yielded, getElementTypeName(indexType));
}

HostTensor compute(const Gather &test, const HostTensor &table, const HostTensor &indices,
                   const HostTensor &tail) {
  HostTensor result(test.type, test.extents);
  std::vector<int64_t> tableShape = test.getTableShape();
  forEachPosition(test.extents, [&](ArrayRef<int64_t> loops) {
    int64_t row = indices.getInt(getOffset(test.getIndexShape(), select(loops, test.indexLoops)));
    if (test.wraps && row < 0)
      row += test.rows;
    row = std::clamp<int64_t>(row, 0, test.rows - 1);
    Position position;
    for (int loop : test.coordinates)
      position.push_back(loop < 0 ? row : loops[loop]);
    int64_t value = table.getInt(getOffset(tableShape, position));
    if (test.tail >= 0)
      value += tail.getInt(loops[test.tail]);
    if (test.mask >= 0 && loops[test.mask] % 2 == 0)
      value = 0;
    result.setInt(getOffset(test.extents, loops), value);
  });
  return result;
}

Gather makeGather(Random &random) {
  Gather test;
  test.type = random.of({ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16,
                         ElementType::BF16, ElementType::F32});
  int64_t rank = random.in(1, 4), numElements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent = random.of<int64_t>({1, 2, 3, 7, 16, 33, 64, random.in(1, 300)});
    if (numElements * extent > 30000)
      extent = 2;
    numElements *= extent;
    test.extents.push_back(extent);
  }
  // Each loop counts a coordinate of the table, or the indices, or both.
  test.coordinates.push_back(-1);
  test.rows = random.of<int64_t>({1, 2, 10, 100, random.in(1, 500)});
  int64_t tableElements = test.rows;
  for (int loop = 0; loop < rank; ++loop) {
    bool isCoordinate = random.chance(50) && tableElements * test.extents[loop] < 200000;
    if (isCoordinate) {
      test.coordinates.push_back(loop);
      tableElements *= test.extents[loop];
    }
    if (!isCoordinate || random.chance(20))
      test.indexLoops.push_back(loop);
  }
  random.shuffle(test.coordinates);
  random.shuffle(test.indexLoops);
  test.wraps = random.chance(50);
  test.indexType = random.of({ElementType::I32, ElementType::I64});
  if (random.chance(50))
    test.tail = random.in(0, rank - 1);
  // A loop of one iteration would leave nothing of the table.
  int mask = random.in(0, rank - 1);
  if (random.chance(30) && test.extents[mask] > 1)
    test.mask = mask;
  return test;
}

void checkGather(uint64_t seed) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 12;
  std::string target = makeRandomTarget(random, range);
  Gather test = makeGather(random);
  HostTensor table(test.type, test.getTableShape()), indices(test.indexType, test.getIndexShape()),
      tail(test.type, {test.extents[std::max(test.tail, 0)]});
  table.fillSmallInts(seed);
  tail.fillSmallInts(seed + 1);
  // Some lie outside of the table.
  for (int64_t i = 0; i < indices.getNumElements(); ++i)
    indices.setInt(i, random.in(-2 - test.rows / 2, test.rows + 1));
  if (test.indexType == ElementType::I64 && random.chance(30))
    for (int64_t i = 0; i < indices.getNumElements(); i += 3)
      indices.setInt(i, random.of<int64_t>({int64_t(1) << 32, -(int64_t(1) << 33) + 1,
                                            std::numeric_limits<int32_t>::max(), 0xffffffff,
                                            std::numeric_limits<int64_t>::max() / 2,
                                            std::numeric_limits<int64_t>::min()}));
  harness.expectExact(seed, target, test.getText(), {table, indices, tail},
                      compute(test, table, indices, tail));
}

class AnyGather : public ::testing::TestWithParam<int> {};

TEST_P(AnyGather, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkGather(seed);
}

//===----------------------------------------------------------------------===//
// Several indices
//===----------------------------------------------------------------------===//

/// result[loops] = table[coordinates]: each is a loop, or an index by the first loop.
struct JoinedGather {
  struct Coordinate {
    int loop; ///< -1: an index
    int64_t extent;
    ElementType type;
    bool isUnsigned;
  };
  std::vector<int64_t> extents;
  std::vector<Coordinate> coordinates;
  ElementType type;

  std::vector<int64_t> getTableShape() const {
    std::vector<int64_t> shape;
    for (const Coordinate &coordinate : coordinates)
      shape.push_back(coordinate.extent);
    return shape;
  }
  std::string getText() const;
};

std::string JoinedGather::getText() const {
  std::string dims = getDims(getLoops(extents.size())), element = getElementTypeName(type).str();
  std::string table = getTensorType(getTableShape(), type), result = getTensorType(extents, type);
  std::string arguments, inputs, types, maps, elements, body, indices;
  for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
    indices += (dim ? ", %c" : "%c") + std::to_string(dim);
    if (coordinate.loop >= 0) {
      body += llvm::formatv("    %c{0} = linalg.index {1} : index\n", dim, coordinate.loop);
      continue;
    }
    std::string index = getTensorType({extents[0]}, coordinate.type);
    arguments += llvm::formatv(", %x{0}: {1}", dim, index);
    inputs += llvm::formatv("{0}%x{1}", inputs.empty() ? "" : ", ", dim);
    types += (types.empty() ? "" : ", ") + index;
    maps += llvm::formatv("affine_map<({0}) -> (d0)>, ", dims);
    elements += llvm::formatv("%i{0}: {1}, ", dim, getElementTypeName(coordinate.type));
    body += llvm::formatv("    %c{0} = arith.index_cast{1} %i{0} : {2} to index\n", dim,
                          coordinate.isUnsigned ? "ui" : "", getElementTypeName(coordinate.type));
  }
  return llvm::formatv(R"(func.func @f(%t: {0}{1}) -> {2} {{
  %e = tensor.empty() : {2}
  %r = linalg.generic {{indexing_maps = [{3}affine_map<({4}) -> ({4})>], iterator_types = [{5}]}
      ins({6} : {7}) outs(%e : {2}) {{
  ^bb0({8}%o: {9}):
{10}    %r = tensor.extract %t[{11}] : {0}
    linalg.yield %r : {9}
  } -> {2}
  return %r : {2}
})",
                       table, arguments, result, maps, dims,
                       getIterators(std::vector<bool>(extents.size())), inputs, types, elements,
                       element, body, indices);
}

JoinedGather makeJoinedGather(Random &random) {
  JoinedGather test;
  test.type = random.of(
      {ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F16, ElementType::F32});
  test.extents.push_back(random.of<int64_t>({1, 5, 16, random.in(1, 60)}));
  int numLoops = random.in(0, 2), numIndices = random.in(2, 3);
  std::vector<int> loops(numIndices, -1);
  for (int loop = 1; loop <= numLoops; ++loop) {
    test.extents.push_back(random.of<int64_t>({1, 2, 7, 17}));
    loops.push_back(loop);
  }
  random.shuffle(loops);
  for (int loop : loops)
    test.coordinates.push_back(
        {loop, loop < 0 ? random.of<int64_t>({1, 2, 9, 20}) : test.extents[loop],
         random.of({ElementType::I8, ElementType::I16, ElementType::I32}), false});
  for (JoinedGather::Coordinate &coordinate : test.coordinates)
    coordinate.isUnsigned = coordinate.type != ElementType::I32 && random.chance(30);
  return test;
}

void checkJoinedSeed(uint64_t seed) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 12;
  std::string target = makeRandomTarget(random, range);
  JoinedGather test = makeJoinedGather(random);
  Tensors inputs = {HostTensor(test.type, test.getTableShape())};
  inputs[0].fillSmallInts(seed);
  std::vector<int> inputOf;
  for (const JoinedGather::Coordinate &coordinate : test.coordinates) {
    inputOf.push_back(inputs.size());
    if (coordinate.loop >= 0)
      continue;
    inputs.emplace_back(coordinate.type, ArrayRef<int64_t>(test.extents[0]));
    // Some lie outside.
    for (int64_t i = 0; i < test.extents[0]; ++i)
      inputs.back().setInt(i, random.in(-2, coordinate.extent + 1));
  }
  HostTensor result(test.type, test.extents);
  forEachPosition(test.extents, [&](ArrayRef<int64_t> loops) {
    Position position;
    for (auto [coordinate, input] : llvm::zip_equal(test.coordinates, inputOf)) {
      int64_t at = coordinate.loop < 0 ? inputs[input].getInt(loops[0]) : loops[coordinate.loop];
      if (coordinate.isUnsigned && at < 0)
        at = coordinate.extent; // far outside
      position.push_back(std::clamp<int64_t>(at, 0, coordinate.extent - 1));
    }
    result.setInt(getOffset(test.extents, loops),
                  inputs[0].getInt(getOffset(test.getTableShape(), position)));
  });
  harness.expectExact(seed, target, test.getText(), inputs, result);
}

TEST_P(AnyGather, BySeveralIndicesIsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkJoinedSeed(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyGather, ::testing::Range(0, 10));

} // namespace
