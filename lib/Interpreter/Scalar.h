//===- Scalar.h - one element in the computing types ------------*- C++ -*-===//

#ifndef NPU_LIB_INTERPRETER_SCALAR_H
#define NPU_LIB_INTERPRETER_SCALAR_H

#include "NPU/Dialect/NPU/IR/ISATypes.h"
#include "NPU/Interpreter/View.h"

namespace npu::interpreter {

/// An element as the vector unit computes with it: integers as i32, floats as f32.
struct Scalar {
  bool isFloat = false;
  int32_t integer = 0;
  float real = 0;

  static Scalar get(int64_t value) { return {false, int32_t(uint32_t(value)), 0}; }
  static Scalar get(float value) { return {true, 0, value}; }
};

Scalar load(const Memory &memory, int64_t position, isa::ElementType type);
/// Wraps integers and rounds floats to `type`.
void store(Memory &memory, int64_t position, isa::ElementType type, Scalar value);

/// The value of a constant attribute.
Scalar getScalar(mlir::Attribute value);

Scalar combine(isa::BinaryKind kind, Scalar a, Scalar b);
Scalar apply(isa::UnaryKind kind, Scalar a);
/// The function of two elements that a reduction repeats.
isa::BinaryKind getCombination(isa::ReduceKind kind);

} // namespace npu::interpreter

#endif // NPU_LIB_INTERPRETER_SCALAR_H
