//===- Scalar.cpp - one element in the computing types --------------------===//

#include "Scalar.h"

#include "NPU/Simulator/Numbers.h"
#include "NPU/Simulator/VectorKernels.h"

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;

Scalar npu::interpreter::load(const Memory &memory, int64_t position, isa::ElementType type) {
  // Rows are for writing, too; this one is read only.
  sim::Row row{const_cast<uint8_t *>(memory.bytes.data()) + position, 0, type};
  Scalar result;
  result.isFloat = isa::isFloat(type);
  if (result.isFloat)
    sim::loadRow(row, 1, &result.real);
  else
    sim::loadRow(row, 1, &result.integer);
  return result;
}

void npu::interpreter::store(Memory &memory, int64_t position, isa::ElementType type,
                             Scalar value) {
  sim::Row row{memory.bytes.data() + position, 0, type};
  if (isa::isFloat(type))
    sim::storeRow(row, 1, &value.real);
  else
    sim::storeRow(row, 1, &value.integer);
  for (int64_t byte = 0, e = isa::getByteSize(type); byte < e; ++byte)
    memory.isWritten[position + byte] = true;
}

Scalar npu::interpreter::getScalar(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return Scalar::get(float(number.getValueAsDouble()));
  APInt bits = cast<IntegerAttr>(value).getValue();
  return Scalar::get(bits.getBitWidth() == 1 ? int64_t(bits.getZExtValue()) : bits.getSExtValue());
}

Scalar npu::interpreter::combine(isa::BinaryKind kind, Scalar a, Scalar b) {
  Scalar result;
  if (isa::getCase(kind).isComparison) {
    if (a.isFloat)
      sim::runComparison(kind, &a.real, &b.real, 1, &result.integer);
    else
      sim::runComparison(kind, &a.integer, &b.integer, 1, &result.integer);
    return result;
  }
  result.isFloat = a.isFloat;
  if (a.isFloat)
    sim::runBinary(kind, &a.real, &b.real, 1, &result.real);
  else
    sim::runBinary(kind, &a.integer, &b.integer, 1, &result.integer);
  return result;
}

Scalar npu::interpreter::apply(isa::UnaryKind kind, Scalar a) {
  Scalar result = a;
  if (a.isFloat)
    sim::runUnary(kind, &a.real, 1, &result.real);
  else
    sim::runUnary(kind, &a.integer, 1, &result.integer);
  return result;
}

isa::BinaryKind npu::interpreter::getCombination(isa::ReduceKind kind) {
  switch (kind) {
  case isa::ReduceKind::Sum:
    return isa::BinaryKind::Add;
  case isa::ReduceKind::Max:
    return isa::BinaryKind::Max;
  case isa::ReduceKind::Min:
    return isa::BinaryKind::Min;
  case isa::ReduceKind::Prod:
    return isa::BinaryKind::Mul;
  case isa::ReduceKind::And:
    return isa::BinaryKind::And;
  case isa::ReduceKind::Or:
    return isa::BinaryKind::Or;
  case isa::ReduceKind::Xor:
    return isa::BinaryKind::Xor;
  }
  llvm_unreachable("unknown reduction");
}
