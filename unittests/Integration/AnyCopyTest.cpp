//===- AnyCopyTest.cpp - every copy keeps every element -------------------===//
//
// Random chains of transpositions, slices, reversals, insertions, concatenations, pads, broadcasts
// and sums of what they give, through the front half, on random chips: bit for bit as the host has
// it and as the loops below.
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

struct Value {
  std::string name;
  HostTensor tensor;

  std::string getType() const { return getTensorType(tensor.getShape(), type()); }
  ElementType type() const { return tensor.getElementType(); }
  ArrayRef<int64_t> getShape() const { return tensor.getShape(); }
};

/// Writes copies and does them.
class Copies {
public:
  Copies(Random &random, uint64_t seed) : random(random), seed(seed) {}

  void run(int64_t numSteps);
  std::string getText() const;
  ArrayRef<HostTensor> getInputs() const { return inputs; }
  const HostTensor &getResult() const { return value.tensor; }

private:
  Value addArgument(ArrayRef<int64_t> shape);
  /// A value of `shape` whose elements are those of `source` at what `getSource` gives, or of
  /// `init` where it gives nothing.
  using Read = llvm::function_ref<std::optional<Position>(ArrayRef<int64_t>)>;
  Value read(ArrayRef<int64_t> shape, const Value &source, double init, Read getSource);
  /// The text of `tensor.empty` of the result's type, and its name.
  std::string addEmpty(const Value &result);
  std::vector<int> getOrder(size_t rank);

  void transpose();
  void slice();
  void reverse();
  void insert();
  void concatenate();
  void pad();
  void broadcast();
  void add();

  Random &random;
  uint64_t seed;
  unsigned numNames = 0;
  std::string text, arguments;
  Tensors inputs;
  ElementType type = ElementType::F32;
  Value value; ///< what the last step gave
};

Value Copies::addArgument(ArrayRef<int64_t> shape) {
  Value argument{llvm::formatv("%arg{0}", inputs.size()), HostTensor(type, shape)};
  argument.tensor.fillRandom(seed + inputs.size());
  arguments += (inputs.empty() ? "" : ", ") + argument.name + ": " + argument.getType();
  inputs.push_back(argument.tensor);
  return argument;
}

Value Copies::read(ArrayRef<int64_t> shape, const Value &source, double init, Read getSource) {
  Value result{"%r" + std::to_string(numNames++), HostTensor(type, shape)};
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    std::optional<Position> from = getSource(position);
    result.tensor.setFloat(getOffset(shape, position),
                           from ? source.tensor.getFloat(getOffset(source.getShape(), *from))
                                : init);
  });
  return result;
}

std::string Copies::addEmpty(const Value &result) {
  std::string name = "%e" + result.name.substr(2);
  text += "  " + name + " = tensor.empty() : " + result.getType() + "\n";
  return name;
}

std::vector<int> Copies::getOrder(size_t rank) {
  std::vector<int> order = getLoops(rank);
  random.shuffle(order);
  return order;
}

void Copies::transpose() {
  std::vector<int> order = getOrder(value.getShape().size());
  Value result = read(select(value.getShape(), order), value, 0, [&](ArrayRef<int64_t> position) {
    Position from(position.size());
    for (auto [dim, at] : llvm::zip_equal(order, position))
      from[dim] = at;
    return from;
  });
  std::string empty = addEmpty(result);
  text +=
      llvm::formatv("  {0} = linalg.transpose ins({1} : {2}) outs({3} : {4}) permutation = [{5}]\n",
                    result.name, value.name, value.getType(), empty, result.getType(),
                    joinTexts(order, [](int dim) { return std::to_string(dim); }));
  value = result;
}

void Copies::slice() {
  Position offsets, sizes, strides;
  for (int64_t extent : value.getShape()) {
    strides.push_back(random.of<int64_t>({1, 1, 1, 2, 3}));
    offsets.push_back(random.chance(50) ? random.in(0, extent - 1) : 0);
    int64_t most = (extent - offsets.back() - 1) / strides.back() + 1;
    sizes.push_back(random.chance(50) ? most : random.in(1, most));
  }
  Value result = read(sizes, value, 0, [&](ArrayRef<int64_t> position) {
    Position from;
    for (auto [at, offset, stride] : llvm::zip_equal(position, offsets, strides))
      from.push_back(offset + at * stride);
    return from;
  });
  text += llvm::formatv("  {0} = tensor.extract_slice {1}[{2}] [{3}] [{4}] : {5} to {6}\n",
                        result.name, value.name, joinNumbers(offsets), joinNumbers(sizes),
                        joinNumbers(strides), value.getType(), result.getType());
  value = result;
}

/// Some dimensions backwards, maybe in steps; by maps, or by indices that are computed.
void Copies::reverse() {
  Position shape, offsets, strides;
  std::vector<std::string> coordinates, indices;
  std::string body;
  for (auto [dim, extent] : llvm::enumerate(value.getShape())) {
    int64_t stride = random.of<int64_t>({-1, -1, -2, 1, 2});
    int64_t size = random.chance(70) ? (extent - 1) / std::abs(stride) + 1 : 1;
    int64_t span = (size - 1) * std::abs(stride), first = random.in(0, extent - 1 - span);
    strides.push_back(stride);
    offsets.push_back(stride < 0 ? first + span : first);
    shape.push_back(size);
    coordinates.push_back(llvm::formatv("d{0} * {1} + {2}", dim, stride, offsets.back()));
    indices.push_back("%c" + std::to_string(dim));
    body += llvm::formatv(R"(
    %i{0} = linalg.index {0} : index
    %s{0} = arith.constant {1} : index
    %f{0} = arith.constant {2} : index
    %m{0} = arith.muli %i{0}, %s{0} : index
    %c{0} = arith.addi %f{0}, %m{0} : index)",
                          dim, stride, offsets.back());
  }
  Value result = read(shape, value, 0, [&](ArrayRef<int64_t> position) {
    Position from;
    for (auto [at, offset, stride] : llvm::zip_equal(position, offsets, strides))
      from.push_back(offset + at * stride);
    return from;
  });
  std::string empty = addEmpty(result), dims = getDims(getLoops(shape.size()));
  std::string iterators = getIterators(std::vector<bool>(shape.size()));
  StringRef element = getElementTypeName(type);
  // A plain loop in a map is the whole dimension.
  bool isPart = false;
  for (auto [size, extent, stride, offset] :
       llvm::zip_equal(shape, value.getShape(), strides, offsets))
    isPart |= stride == 1 && offset == 0 && size != extent;
  if (!isPart && random.chance(50))
    text += llvm::formatv(
        R"(  {0} = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({2})>, affine_map<({1}) -> ({1})>], iterator_types = [{3}]}
      ins({4} : {5}) outs({6} : {7}) {{
  ^bb0(%a: {8}, %o: {8}):
    linalg.yield %a : {8}
  } -> {7}
)",
        result.name, dims, llvm::join(coordinates, ", "), iterators, value.name, value.getType(),
        empty, result.getType(), element);
  else
    text += llvm::formatv(
        R"(  {0} = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({1})>], iterator_types = [{2}]}
      outs({3} : {4}) {{
  ^bb0(%o: {5}):{6}
    %a = tensor.extract {7}[{8}] : {9}
    linalg.yield %a : {5}
  } -> {4}
)",
        result.name, dims, iterators, empty, result.getType(), element, body, value.name,
        llvm::join(indices, ", "), value.getType());
  value = result;
}

/// Into a larger argument.
void Copies::insert() {
  Position offsets, strides, shape;
  for (int64_t size : value.getShape()) {
    strides.push_back(random.of<int64_t>({1, 1, 1, 2}));
    offsets.push_back(random.of<int64_t>({0, 0, 1, 5}));
    shape.push_back(offsets.back() + (size - 1) * strides.back() + 1 + random.of({0, 0, 1, 4}));
  }
  Value into = addArgument(shape);
  Value result =
      read(shape, into, 0, [](ArrayRef<int64_t> position) { return Position(position); });
  forEachPosition(value.getShape(), [&](ArrayRef<int64_t> position) {
    Position to;
    for (auto [at, offset, stride] : llvm::zip_equal(position, offsets, strides))
      to.push_back(offset + at * stride);
    result.tensor.setFloat(getOffset(shape, to),
                           value.tensor.getFloat(getOffset(value.getShape(), position)));
  });
  text += llvm::formatv(
      "  {0} = tensor.insert_slice {1} into {2}[{3}] [{4}] [{5}] : {6} into {7}\n", result.name,
      value.name, into.name, joinNumbers(offsets), joinNumbers(value.getShape()),
      joinNumbers(strides), value.getType(), result.getType());
  value = result;
}

/// Two or three tensors, the value one of them.
void Copies::concatenate() {
  std::vector<Value> parts = {value};
  int64_t dim = random.in(0, value.getShape().size() - 1), extent = 0;
  for (int64_t i = random.in(1, 2); i > 0; --i) {
    Position shape(value.getShape());
    shape[dim] = random.of<int64_t>({1, 2, 5, 17});
    parts.push_back(addArgument(shape));
  }
  random.shuffle(parts);
  Position shape(value.getShape());
  for (const Value &part : parts)
    extent += part.getShape()[dim];
  shape[dim] = extent;
  int64_t start = 0;
  Value result{"%r" + std::to_string(numNames++), HostTensor(type, shape)};
  for (const Value &part : parts) {
    forEachPosition(part.getShape(), [&](ArrayRef<int64_t> position) {
      Position to(position);
      to[dim] += start;
      result.tensor.setFloat(getOffset(shape, to),
                             part.tensor.getFloat(getOffset(part.getShape(), position)));
    });
    start += part.getShape()[dim];
  }
  text += llvm::formatv("  {0} = tensor.concat dim({1}) {2} : ({3}) -> {4}\n", result.name, dim,
                        joinTexts(parts, [](const Value &part) { return part.name; }),
                        joinTexts(parts, [](const Value &part) { return part.getType(); }),
                        result.getType());
  value = result;
}

void Copies::pad() {
  Position low, high;
  for (size_t dim = 0; dim < value.getShape().size(); ++dim) {
    low.push_back(random.of<int64_t>({0, 0, 1, 3}));
    high.push_back(random.of<int64_t>({0, 0, 1, 2}));
  }
  int64_t edge = type == ElementType::I1 ? 1 : random.of<int64_t>({0, 0, 3, -2});
  Value result =
      read(getPadded(value.getShape(), low, high), value, edge,
           [&](ArrayRef<int64_t> position) -> std::optional<Position> {
             Position from;
             for (auto [at, before, size] : llvm::zip_equal(position, low, value.getShape())) {
               if (at < before || at >= before + size)
                 return std::nullopt;
               from.push_back(at - before);
             }
             return from;
           });
  text += getPad(result.name, value.name, value.getShape(), low, high, edge, type);
  value = result;
}

void Copies::broadcast() {
  int64_t dim = random.in(0, value.getShape().size());
  Position shape(value.getShape());
  shape.insert(shape.begin() + dim, random.of<int64_t>({1, 2, 3, 9}));
  Value result = read(shape, value, 0, [&](ArrayRef<int64_t> position) {
    Position from(position);
    from.erase(from.begin() + dim);
    return from;
  });
  std::string empty = addEmpty(result);
  text +=
      llvm::formatv("  {0} = linalg.broadcast ins({1} : {2}) outs({3} : {4}) dimensions = [{5}]\n",
                    result.name, value.name, value.getType(), empty, result.getType(), dim);
  value = result;
}

/// To an argument whose dimensions are the value's in another order.
void Copies::add() {
  if (type == ElementType::I1)
    return transpose();
  std::vector<int> order = getOrder(value.getShape().size());
  Value other = addArgument(select(value.getShape(), order));
  Value result = read(value.getShape(), other, 0,
                      [&](ArrayRef<int64_t> position) { return select(position, order); });
  // A sum in double of two narrower numbers rounds as one in their type.
  for (int64_t i = 0; i < result.tensor.getNumElements(); ++i)
    if (isFloat(type))
      result.tensor.setFloat(i, result.tensor.getFloat(i) + value.tensor.getFloat(i));
    else
      result.tensor.setInt(i, result.tensor.getInt(i) + value.tensor.getInt(i));
  std::string empty = addEmpty(result), dims = getDims(getLoops(order.size()));
  text += llvm::formatv(
      R"(  {0} = linalg.generic {{indexing_maps = [affine_map<({1}) -> ({1})>, affine_map<({1}) -> ({2})>, affine_map<({1}) -> ({1})>], iterator_types = [{3}]}
      ins({4}, {5} : {6}, {7}) outs({8} : {6}) {{
  ^bb0(%a: {9}, %b: {9}, %o: {9}):
    %s = arith.add{10} %a, %b : {9}
    linalg.yield %s : {9}
  } -> {6}
)",
      result.name, dims, getDims(order), getIterators(std::vector<bool>(order.size())), value.name,
      other.name, value.getType(), other.getType(), empty, getElementTypeName(type),
      isFloat(type) ? "f" : "i");
  value = result;
}

void Copies::run(int64_t numSteps) {
  type = random.of({ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
                    ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F32});
  Position shape;
  int64_t numElements = 1;
  int64_t rank = random.chance(70) ? random.in(1, 4) : random.in(5, 6);
  for (; rank > 0; --rank) {
    int64_t extent = random.of<int64_t>({1, 2, 3, 7, 16, 33, 64, random.in(1, 200)});
    shape.push_back(numElements * extent > 4000 ? 2 : extent);
    numElements *= shape.back();
  }
  value = addArgument(shape);
  for (int64_t step = 0; step < numSteps; ++step) {
    bool isSmall = value.tensor.getNumElements() < 8000 && value.getShape().size() < 7;
    void (Copies::*steps[])() = {&Copies::transpose, &Copies::slice,    &Copies::add,
                                 &Copies::reverse,   &Copies::insert,   &Copies::concatenate,
                                 &Copies::pad,       &Copies::broadcast};
    (this->*steps[random.in(0, isSmall ? 7 : 3)])();
  }
}

std::string Copies::getText() const {
  return "func.func @f(" + arguments + ") -> " + value.getType() + " {\n" + text + "  return " +
         value.name + " : " + value.getType() + "\n}\n";
}

void checkCopy(uint64_t seed, Placements &placements) {
  Random random(seed);
  Harness harness;
  ChipRange range;
  range.minSramLog2 = 11;
  std::string target = makeRandomTarget(random, range);
  Copies copies(random, seed);
  copies.run(random.of({1, 1, 2, 3, 4}));
  std::string text = copies.getText();
  Tensors outputs = harness.expectHostResults(seed, target, text, copies.getInputs(), placements);
  if (!outputs.empty()) {
    EXPECT_EQ(findDifference(copies.getResult(), outputs[0]), "")
        << describeCase(seed, target, text);
  }
}

class AnyCopy : public ::testing::TestWithParam<int> {};

TEST_P(AnyCopy, IsExact) {
  Placements placements;
  for (uint64_t seed = GetParam() * 40; seed < GetParam() * 40u + 40; ++seed)
    checkCopy(seed, placements);
  placements.expectOnNPU(85);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyCopy, ::testing::Range(0, 10));

} // namespace
