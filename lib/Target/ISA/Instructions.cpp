//===- Instructions.cpp - queries on instructions -------------------------===//

#include "NPU/Target/ISA/Instructions.h"

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
        if constexpr (std::decay_t<decltype(held)>::synchronises)
          return &held.sync;
        else
          return nullptr;
      },
      instruction);
}

const Sync *npu::isa::getSync(const Instruction &instruction) {
  return getSync(const_cast<Instruction &>(instruction));
}

int64_t npu::isa::getByteSize(ElementType type) {
  switch (type) {
  case ElementType::I8:
    return 1;
  case ElementType::I16:
  case ElementType::F16:
  case ElementType::Bf16:
    return 2;
  case ElementType::I32:
  case ElementType::F32:
    return 4;
  }
  llvm_unreachable("unknown element type");
}

bool npu::isa::isFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::Bf16 || type == ElementType::F32;
}

ElementType npu::isa::getLeftType(MacType type) {
  switch (type) {
  case MacType::I8:
    return ElementType::I8;
  case MacType::I16i8:
    return ElementType::I16;
  case MacType::F16:
    return ElementType::F16;
  case MacType::Bf16:
    return ElementType::Bf16;
  case MacType::F32:
    return ElementType::F32;
  }
  llvm_unreachable("unknown operand type");
}

ElementType npu::isa::getRightType(MacType type) {
  return type == MacType::I16i8 ? ElementType::I8 : getLeftType(type);
}

ElementType npu::isa::getAccumulatorType(MacType type) {
  return isFloat(getLeftType(type)) ? ElementType::F32 : ElementType::I32;
}
