//===- ISATypes.cpp - the ISA's names of types and kinds ------------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"

using namespace mlir;
using namespace npu;

std::optional<isa::ElementType> npu::getISAType(Type type) {
  if (type.isSignlessInteger(1) || type.isSignlessInteger(8))
    return isa::ElementType::I8;
  if (type.isSignlessInteger(16))
    return isa::ElementType::I16;
  if (type.isSignlessInteger(32))
    return isa::ElementType::I32;
  if (type.isF16())
    return isa::ElementType::F16;
  if (type.isBF16())
    return isa::ElementType::Bf16;
  if (type.isF32())
    return isa::ElementType::F32;
  return std::nullopt;
}

std::optional<isa::MacType> npu::getMacType(Type left, Type right) {
  std::optional<isa::ElementType> leftType = getISAType(left), rightType = getISAType(right);
  if (!leftType || !rightType || left.isInteger(1) || right.isInteger(1))
    return std::nullopt;
  return isa::getMacType(*leftType, *rightType);
}
