//===- Instructions.cpp - queries on instructions -------------------------===//

#include "NPU/Target/ISA/Instructions.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace npu::isa;

StringRef npu::isa::getMnemonic(const Instruction &instruction) {
  return std::visit(
      [](const auto &held) -> StringRef { return std::decay_t<decltype(held)>::mnemonic; },
      instruction);
}

unsigned npu::isa::getEngines(const Instruction &instruction) {
  return std::visit([](const auto &held) { return std::decay_t<decltype(held)>::engines; },
                    instruction);
}

int64_t npu::isa::getSource(const Instruction &instruction) {
  return std::visit([](const auto &held) { return held.source; }, instruction);
}

Sync *npu::isa::getSync(Instruction &instruction) {
  return std::visit(
      [](auto &held) -> Sync * {
        if constexpr (std::decay_t<decltype(held)>::synchronizes)
          return &held.sync;
        else
          return nullptr;
      },
      instruction);
}

const Sync *npu::isa::getSync(const Instruction &instruction) {
  return getSync(const_cast<Instruction &>(instruction));
}

std::string npu::isa::describe(MacType type) {
  return (toString(getLeftType(type)) + " x " + toString(getRightType(type)) + " -> " +
          toString(getAccumulatorType(type)))
      .str();
}

std::optional<MacType> npu::isa::getMacType(ElementType left, ElementType right) {
  for (const EnumCase<MacType> &c : EnumTraits<MacType>::cases)
    if (getLeftType(c.value) == left && getRightType(c.value) == right)
      return c.value;
  return std::nullopt;
}

ElementType npu::isa::getIntegerType(ElementType type) {
  for (const EnumCase<ElementType> &c : EnumTraits<ElementType>::cases)
    if (!isFloat(c.value) && getByteSize(c.value) == getByteSize(type))
      return c.value;
  llvm_unreachable("no integers of the type's bytes");
}
