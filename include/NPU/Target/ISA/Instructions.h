//===- Instructions.h - the instruction set's C++ types -------------------===//
//
// Enumerations, operand groups and instructions as generated from ISA.td, and the few types they
// are made of. See docs/isa.md for what they mean. Nothing here depends on MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ISA_INSTRUCTIONS_H
#define NPU_TARGET_ISA_INSTRUCTIONS_H

#include "NPU/Target/ISA/Limits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace npu::isa {

/// The current values of a stream's loop counters; those of closed loops are 0.
using Counters = std::array<int64_t, maxLoopDepth>;

/// `base + sum(coefficients[k] * counter k)`.
struct Affine {
  int64_t base = 0;
  std::array<int64_t, maxLoopDepth> coefficients{};

  Affine() = default;
  Affine(int64_t base) : base(base) {}

  int64_t evaluate(const Counters &counters) const {
    int64_t value = base;
    for (unsigned k = 0; k < maxLoopDepth; ++k)
      value += coefficients[k] * counters[k];
    return value;
  }
  bool isConstant() const { return coefficients == decltype(coefficients){}; }
  bool operator==(const Affine &other) const {
    return base == other.base && coefficients == other.coefficients;
  }
  bool operator!=(const Affine &other) const { return !(*this == other); }
};

/// A set of loop counters, bit k for counter k.
using CounterSet = uint8_t;

/// The operands for which a function of the vector unit is defined.
enum class Domain : uint8_t { Numbers, Integers, Floats };

template <typename E>
struct EnumCase {
  E value;
  llvm::StringLiteral name;
  int64_t cost = 1; ///< passes over the lanes, for vector operations
  Domain domain = Domain::Numbers;
  bool isComparison = false; ///< the result is a truth value
};

/// The element types that an operand may have.
struct OperandType {
  llvm::StringLiteral operand;
  unsigned allowed;     ///< one bit per ElementType
  bool isComputing;     ///< all of these are integers, or all floats
  bool isResult;        ///< as the computing operands, or an integer for comparisons
  bool needsFloatLanes; ///< floats are for targets that have float lanes
};

/// Names and values of an enumeration; specialized by the generated code.
template <typename E>
struct EnumTraits;

/// The place of a field in its group: value = stored number * scale.
struct FieldInfo {
  llvm::StringLiteral name;
  unsigned word, lsb, width;
  int64_t scale;
  bool isSigned;

  /// The least and the largest value of a number.
  constexpr int64_t getMin() const { return isSigned ? -(int64_t(1) << (width - 1)) * scale : 0; }
  constexpr int64_t getMax() const { return ((int64_t(1) << (width - isSigned)) - 1) * scale; }
};

inline uint32_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }

} // namespace npu::isa

#include "NPU/Target/ISA/Instructions.h.inc"

namespace npu::isa {

/// Dimensions of a vector instruction.
inline constexpr unsigned maxVectorDims = Shape::numParts;

/// Dimensions of a DMA transfer.
inline constexpr unsigned maxDmaDims = DmaLoad::maxDims;

/// Bytes between the indices of a gather along each dimension of its box.
inline std::array<int64_t, maxDmaDims> getIndexStrides(const IndexStrides &chosen) {
  return {chosen.stride0, chosen.stride1, chosen.stride2, chosen.stride3, chosen.stride4};
}
/// Sets them, 0 for dimensions that `strides` lacks.
inline void setIndexStrides(IndexStrides &chosen, llvm::ArrayRef<int64_t> strides) {
  int64_t *fields[maxDmaDims] = {&chosen.stride0, &chosen.stride1, &chosen.stride2, &chosen.stride3,
                                 &chosen.stride4};
  for (auto [d, field] : llvm::enumerate(fields))
    *field = d < strides.size() ? strides[d] : 0;
}
static_assert(DmaStore::maxDims == maxDmaDims);

/// Regions that instructions can name.
inline constexpr int64_t maxRegions = DramSide::Fields::region.getMax() + 1;

/// Entries of the source table that instructions can name.
inline constexpr int64_t maxSources = Head::Fields::source.getMax();

template <typename E>
llvm::StringRef toString(E value) {
  for (const EnumCase<E> &c : EnumTraits<E>::cases)
    if (c.value == value)
      return c.name;
  return "?";
}

template <typename E>
std::optional<E> fromString(llvm::StringRef name) {
  for (const EnumCase<E> &c : EnumTraits<E>::cases)
    if (c.name == name)
      return c.value;
  return std::nullopt;
}

/// What is known of a value; it must be one that the enumeration has.
template <typename E>
const EnumCase<E> &getCase(E value) {
  for (const EnumCase<E> &c : EnumTraits<E>::cases)
    if (c.value == value)
      return c;
  llvm_unreachable("no value of the enumeration");
}

/// Passes over the lanes that a vector operation of this kind takes.
template <typename E>
int64_t getCost(E kind) {
  return getCase(kind).cost;
}

/// Calls the visitor's method for the instruction held.
template <typename Result>
Result accept(const Instruction &instruction, InstructionVisitor<Result> &visitor) {
  return std::visit([&](const auto &held) -> Result { return visitor.visit(held); }, instruction);
}

/// `dma.load` and the like.
llvm::StringRef getMnemonic(const Instruction &instruction);

/// One bit per EngineKind whose streams may hold the instruction.
unsigned getEngines(const Instruction &instruction);

/// Entry of the source table, 0 when unknown.
int64_t getSource(const Instruction &instruction);

/// The waits and signals, or null for loops and `halt`.
const Sync *getSync(const Instruction &instruction);
Sync *getSync(Instruction &instruction);

/// `i16 x i8 -> i32`.
std::string describe(MacType type);

/// The array's operand type for elements of `left` and `right`, if it has one.
std::optional<MacType> getMacType(ElementType left, ElementType right);

/// The integer type of the same bytes.
ElementType getIntegerType(ElementType type);

/// `clamp(limit, 0, full)` at these counters, in elements.
inline int64_t evaluate(const Extent &extent, const Counters &counters) {
  int64_t limit = extent.limit.evaluate(counters);
  return limit < 0 ? 0 : limit > extent.full ? extent.full : limit;
}

/// Byte address in its memory at these counters.
inline int64_t evaluate(const Address &address, const Counters &counters) {
  int64_t base = address.base.evaluate(counters);
  if (address.depth == 1)
    return base;
  int64_t slot = address.position.evaluate(counters) % address.depth;
  return base + (slot < 0 ? slot + address.depth : slot) * address.slot_bytes;
}

/// `sram[0]`.
inline Address makeAddress() {
  Address address;
  address.depth = 1;
  return address;
}

/// An extent that is the same in every iteration.
inline Extent fixedExtent(int64_t elements) {
  Extent extent;
  extent.limit = elements;
  extent.full = elements;
  return extent;
}

/// An address without a ring.
inline Address fixedAddress(MemorySpace space, Affine base) {
  Address address;
  address.space = space;
  address.base = base;
  address.depth = 1;
  return address;
}

} // namespace npu::isa

#endif // NPU_TARGET_ISA_INSTRUCTIONS_H
