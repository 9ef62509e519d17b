//===- SortNetwork.cpp - how the vector unit sorts rows -------------------===//
//
// Rows are sorted as integers in ascending order, whatever they are: floats by their bits, those of
// negative ones inverted, and in descending order what is sorted is the negated or inverted
// element. Positions break ties. Elements of at most 16 bits share a word with their positions, so
// that an exchange is a minimum and a maximum, as it is without positions.
//
// Blocks that are sorted become one by comparing the first element of one with the last of the
// other, and so on, which leaves the smaller ones in the first half; then at half the distance, and
// so on. All exchanges of a step go the same way, as the second block is walked backwards. Where
// only the first elements are wanted, no block becomes longer than these, and of two blocks only
// the first half is kept.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/NPU/IR/SortNetwork.h"

#include "NPU/Target/ISA/Timing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace npu;
using isa::ElementType;
using Kind = SortStep::Kind;

namespace {
/// Elements of a half of every pair of blocks.
struct Half {
  int64_t offset, blockStride, stride;
};

class NetworkBuilder {
public:
  explicit NetworkBuilder(const SortForm &form);

  SortSteps buildNetwork();
  /// Finds one position after the other.
  SortSteps buildRounds();
  bool mayUseRounds() const { return hasPositions && isFloat; }
  int64_t getScratchBytes() const {
    return 2 * padded * (isa::getByteSize(keyType) + (hasPositions ? 4 : 0));
  }

private:
  SortOperand getKeys(unsigned side, ElementType type) const;
  SortOperand getPositions(unsigned side) const;
  SortStep &add(Kind kind, int64_t blocks, int64_t length, llvm::ArrayRef<SortOperand> operands);
  void addUnary(isa::UnaryKind kind, int64_t length, SortOperand a, SortOperand dst);
  void addBinary(isa::BinaryKind kind, int64_t length, SortOperand a, SortOperand b,
                 SortOperand dst);
  void addImmediate(isa::BinaryKind kind, int64_t length, SortOperand a, int64_t immediate,
                    SortOperand dst);
  void invertNegatives(int64_t length, SortOperand bits, SortOperand temporary);
  void loadFloats();
  void loadIntegers();
  void addPositions();
  void exchange(int64_t blocks, int64_t length, Half low, Half high, Half newLow, Half newHigh,
                bool keepsHigh);
  void mergeBlocks(int64_t size);
  void sortBlocks(int64_t size);
  void keepSmallerBlocks(int64_t size);
  void store();

  /// The largest of the signed integers that elements are as bits.
  int64_t getLargest() const { return llvm::maxIntN(bits); }
  int64_t getPackedShift() const { return 32 - bits; }

  const SortForm &form;
  SortSteps steps;
  int64_t bits;
  bool isFloat;
  int64_t padded; ///< elements of a row in scratch memory
  int64_t kept;   ///< elements of a block in the end
  bool isPacked;  ///< a word is an element and its position
  bool hasPositions;
  ElementType keyType;
  int64_t filled;    ///< elements that count
  unsigned side = 0; ///< which of two copies of a row has them
};
} // namespace

NetworkBuilder::NetworkBuilder(const SortForm &form) : form(form) {
  bits = isa::getByteSize(form.type) * 8;
  isFloat = isa::isFloat(form.type);
  padded = filled = llvm::PowerOf2Ceil(form.length);
  kept = llvm::PowerOf2Ceil(form.count);
  isPacked = form.findsPositions && bits < 32 && padded <= int64_t(1) << getPackedShift();
  hasPositions = form.findsPositions && !isPacked;
  keyType = isPacked ? ElementType::I32 : isa::getIntegerType(form.type);
}

SortOperand NetworkBuilder::getKeys(unsigned side, ElementType type) const {
  SortOperand operand;
  operand.type = type;
  operand.base = side * padded * isa::getByteSize(keyType);
  return operand;
}

SortOperand NetworkBuilder::getPositions(unsigned side) const {
  SortOperand operand;
  operand.base = padded * (2 * isa::getByteSize(keyType) + side * 4);
  return operand;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

SortStep &NetworkBuilder::add(Kind kind, int64_t blocks, int64_t length,
                              llvm::ArrayRef<SortOperand> operands) {
  SortStep &step = steps.emplace_back();
  step.kind = kind;
  step.blocks = blocks;
  step.length = length;
  step.operands.assign(operands.begin(), operands.end());
  return step;
}

void NetworkBuilder::addUnary(isa::UnaryKind kind, int64_t length, SortOperand a, SortOperand dst) {
  add(Kind::Unary, 1, length, {a, dst}).unary = kind;
}

void NetworkBuilder::addBinary(isa::BinaryKind kind, int64_t length, SortOperand a, SortOperand b,
                               SortOperand dst) {
  add(Kind::Binary, 1, length, {a, b, dst}).binary = kind;
}

void NetworkBuilder::addImmediate(isa::BinaryKind kind, int64_t length, SortOperand a,
                                  int64_t immediate, SortOperand dst) {
  SortStep &step = add(Kind::BinaryImm, 1, length, {a, dst});
  step.binary = kind;
  step.immediate = immediate;
}

/// Makes the bits of floats integers of their order, or these the bits again.
void NetworkBuilder::invertNegatives(int64_t length, SortOperand bits, SortOperand temporary) {
  addImmediate(isa::BinaryKind::Shr, length, bits, 31, temporary);
  addImmediate(isa::BinaryKind::And, length, temporary, getLargest(), temporary);
  addBinary(isa::BinaryKind::Xor, length, bits, temporary, bits);
}

//===----------------------------------------------------------------------===//
// First and last
//===----------------------------------------------------------------------===//

/// NaNs become the canonical one, which is positive and so the largest.
void NetworkBuilder::loadFloats() {
  SortOperand input{SortOperand::Place::Input, form.type};
  // Beside a position the other half of the word comes later.
  unsigned at = isPacked ? 1 : 0;
  SortOperand floats = getKeys(at, form.type), numbers = floats, temporary = floats;
  numbers.type = temporary.type = isa::getIntegerType(form.type);
  temporary.base = isPacked ? floats.base + padded * bits / 8 : getKeys(1, keyType).base;
  if (form.isDescending || !form.findsPositions)
    addUnary(form.isDescending ? isa::UnaryKind::Neg : isa::UnaryKind::Copy, form.length, input,
             floats);
  // Zeros are equal.
  if (form.findsPositions)
    addImmediate(isa::BinaryKind::Add, form.length, form.isDescending ? floats : input, 0, floats);
  invertNegatives(form.length, numbers, temporary);
  if (isPacked)
    addImmediate(isa::BinaryKind::Shl, form.length, numbers, getPackedShift(), getKeys(0, keyType));
}

void NetworkBuilder::loadIntegers() {
  SortOperand from{SortOperand::Place::Input, form.type}, keys = getKeys(0, keyType);
  if (form.isDescending) {
    addImmediate(isa::BinaryKind::Xor, form.length, from, -1, keys);
    from = keys;
  }
  if (isPacked)
    addImmediate(isa::BinaryKind::Shl, form.length, from, getPackedShift(), keys);
  else if (!form.isDescending)
    addUnary(isa::UnaryKind::Copy, form.length, from, keys);
}

void NetworkBuilder::addPositions() {
  // Behind the row comes what is larger than all of it, at later positions.
  if (padded > form.length) {
    SortOperand rest = getKeys(0, keyType);
    rest.offset = form.length;
    add(Kind::Fill, 1, padded - form.length, {rest}).immediate =
        getLargest() << (isPacked ? getPackedShift() : 0);
  }
  if (!form.findsPositions)
    return;
  SortOperand positions = isPacked ? getKeys(1, keyType) : getPositions(0);
  add(Kind::Iota, 1, padded, {positions});
  if (isPacked)
    addBinary(isa::BinaryKind::Or, padded, getKeys(0, keyType), positions, getKeys(0, keyType));
}

void NetworkBuilder::store() {
  SortOperand output{SortOperand::Place::Output, form.type}, keys = getKeys(side, keyType);
  if (hasPositions)
    return addUnary(isa::UnaryKind::Copy, form.count, getPositions(side), output);
  if (isPacked)
    return addImmediate(isa::BinaryKind::And, form.count, keys,
                        llvm::maskTrailingOnes<uint32_t>(getPackedShift()), output);
  if (!isFloat && form.isDescending)
    return addImmediate(isa::BinaryKind::Xor, form.count, keys, -1, output);
  if (isFloat)
    invertNegatives(form.count, keys, getKeys(1 - side, keyType));
  keys.type = form.type;
  addUnary(form.isDescending ? isa::UnaryKind::Neg : isa::UnaryKind::Copy, form.count, keys,
           output);
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

/// Compares `low` and `high` of the side that is read. The smaller elements go to `newLow` of the
/// other side, the larger ones to `newHigh`.
void NetworkBuilder::exchange(int64_t blocks, int64_t length, Half low, Half high, Half newLow,
                              Half newHigh, bool keepsHigh) {
  auto take = [](SortOperand operand, Half half) {
    operand.offset = half.offset;
    operand.blockStride = half.blockStride;
    operand.stride = half.stride;
    return operand;
  };
  auto addStep = [&](isa::BinaryKind kind, SortOperand a, SortOperand b, SortOperand dst) {
    add(Kind::Binary, blocks, length, {a, b, dst}).binary = kind;
  };
  auto addChoice = [&](SortOperand condition, SortOperand a, SortOperand b, SortOperand dst) {
    add(Kind::Select, blocks, length, {condition, a, b, dst});
  };
  SortOperand from = getKeys(side, keyType), to = getKeys(1 - side, keyType);
  SortOperand a = take(from, low), b = take(from, high), least = take(to, newLow),
              most = take(to, newHigh);
  if (!hasPositions) {
    addStep(isa::BinaryKind::Min, a, b, least);
    if (keepsHigh)
      addStep(isa::BinaryKind::Max, a, b, most);
    side = 1 - side;
    return;
  }
  SortOperand placeOfA = take(getPositions(side), low), placeOfB = take(getPositions(side), high),
              first = take(getPositions(1 - side), newLow),
              second = take(getPositions(1 - side), newHigh);
  // Whether `b` comes first, in the place of what is written last.
  addStep(isa::BinaryKind::CmpLt, b, a, second);
  addStep(isa::BinaryKind::CmpEq, b, a, first);
  addStep(isa::BinaryKind::CmpLt, placeOfB, placeOfA, least);
  addChoice(first, least, second, second);
  addStep(isa::BinaryKind::Min, a, b, least);
  if (keepsHigh)
    addStep(isa::BinaryKind::Max, a, b, most);
  addChoice(second, placeOfB, placeOfA, first);
  if (keepsHigh)
    addChoice(second, placeOfA, placeOfB, second);
  side = 1 - side;
}

/// Makes sorted blocks of twice the size of those of `size` elements.
void NetworkBuilder::mergeBlocks(int64_t size) {
  Half low{0, 2 * size, 1}, high{2 * size - 1, 2 * size, -1};
  exchange(filled / (2 * size), size, low, high, low, high, /*keepsHigh=*/true);
  sortBlocks(size);
}

/// Sorts blocks that first go up and then down, or the other way.
void NetworkBuilder::sortBlocks(int64_t size) {
  for (int64_t distance = size / 2; distance > 0; distance /= 2) {
    Half low{0, 2 * distance, 1}, high{distance, 2 * distance, 1};
    exchange(filled / (2 * distance), distance, low, high, low, high, /*keepsHigh=*/true);
  }
}

/// Of two sorted blocks, one that has the smaller elements of both, sorted.
void NetworkBuilder::keepSmallerBlocks(int64_t size) {
  Half low{0, 2 * size, 1}, high{2 * size - 1, 2 * size, -1}, newLow{0, size, 1},
      newHigh{filled / 2, size, 1};
  exchange(filled / (2 * size), size, low, high, newLow, newHigh, /*keepsHigh=*/false);
  filled /= 2;
  sortBlocks(size);
}

SortSteps NetworkBuilder::buildNetwork() {
  if (isFloat)
    loadFloats();
  else
    loadIntegers();
  addPositions();
  for (int64_t size = 1; size < kept; size *= 2)
    mergeBlocks(size);
  while (filled > kept)
    keepSmallerBlocks(kept);
  store();
  return std::move(steps);
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// The position of the least element, which then becomes larger than all others, and so on. No
/// float is the largest integer, so none is found twice.
SortSteps NetworkBuilder::buildRounds() {
  loadFloats();
  SortOperand keys = getKeys(0, keyType), found = getKeys(1, keyType), index = getPositions(0),
              position = getPositions(1), largest = position;
  position.stride = largest.stride = 0;
  // Where the last position comes, which nothing has to make larger.
  largest.offset = form.count - 1;
  add(Kind::Iota, 1, form.length, {index});
  add(Kind::Fill, 1, 1, {largest}).immediate = getLargest();
  for (int64_t place = 0; place < form.count; ++place) {
    position.offset = place;
    add(Kind::ArgMin, 1, form.length, {keys, position});
    if (place + 1 == form.count)
      break;
    addBinary(isa::BinaryKind::CmpEq, form.length, index, position, found);
    add(Kind::Select, 1, form.length, {found, largest, keys, keys});
  }
  side = 1;
  store();
  return std::move(steps);
}

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// More rounds are not tried: they are hardly ever faster, and their code is long.
static constexpr int64_t maxRounds = 64;

int64_t npu::getScratchBytes(const SortForm &form) {
  return NetworkBuilder(form).getScratchBytes();
}

SortNetwork::SortNetwork(const SortForm &form) : form(form) {
  ways.push_back(NetworkBuilder(form).buildNetwork());
  if (NetworkBuilder builder(form); builder.mayUseRounds() && form.count <= maxRounds)
    ways.push_back(builder.buildRounds());
}

static int64_t getPasses(const SortStep &step) {
  switch (step.kind) {
  case Kind::Unary:
    return isa::getCost(step.unary);
  case Kind::Binary:
  case Kind::BinaryImm:
    return isa::getCost(step.binary);
  case Kind::ArgMin:
    return isa::VpuArgReduce::passes;
  case Kind::Fill:
  case Kind::Iota:
  case Kind::Select:
    return 1;
  }
  llvm_unreachable("unknown step");
}

/// Steps by their elements and passes: many have the same.
static std::map<std::pair<int64_t, int64_t>, int64_t> countSteps(const SortSteps &steps) {
  std::map<std::pair<int64_t, int64_t>, int64_t> counts;
  for (const SortStep &step : steps)
    ++counts[{step.blocks * step.length, getPasses(step)}];
  return counts;
}

static int64_t getCycles(const std::map<std::pair<int64_t, int64_t>, int64_t> &counts,
                         const TargetDesc &target, int64_t rows) {
  int64_t cycles = 0;
  for (auto [step, count] : counts)
    cycles +=
        count * (target.issueCycles + isa::getVectorCycles(target, rows * step.first, step.second));
  return cycles;
}

const SortSteps &SortNetwork::getSteps(const TargetDesc &target, int64_t rows) const {
  return *llvm::min_element(ways, [&](const SortSteps &a, const SortSteps &b) {
    return getCycles(countSteps(a), target, rows) < getCycles(countSteps(b), target, rows);
  });
}

TileWork SortNetwork::getWork() const {
  TileWork work;
  work.vector.emplace();
  llvm::raw_string_ostream(work.vector->key)
      << "sort " << form.length << ' ' << form.count << ' ' << isa::toString(form.type)
      << form.isDescending << form.findsPositions;
  auto counts = llvm::map_to_vector(ways, countSteps);
  int64_t elementsOfRow = form.length * form.count;
  work.vector->cycles = [counts, elementsOfRow](const TargetDesc &target, int64_t elements) {
    int64_t rows = llvm::divideCeil(elements, elementsOfRow);
    auto best =
        llvm::map_range(counts, [&](const auto &way) { return getCycles(way, target, rows); });
    return *llvm::min_element(best);
  };
  return work;
}
