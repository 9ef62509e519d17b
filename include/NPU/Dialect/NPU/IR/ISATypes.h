//===- ISATypes.h - the ISA's names of types and kinds --------------------===//

#ifndef NPU_DIALECT_NPU_IR_ISATYPES_H
#define NPU_DIALECT_NPU_IR_ISATYPES_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Target/ISA/Instructions.h"

namespace npu {

// NPUAttributes.td takes names and numbers of the kinds from the ISA.
inline isa::UnaryKind getISAKind(UnaryKind kind) { return static_cast<isa::UnaryKind>(kind); }
inline isa::BinaryKind getISAKind(BinaryKind kind) { return static_cast<isa::BinaryKind>(kind); }
inline isa::ReduceKind getISAKind(ReduceKind kind) { return static_cast<isa::ReduceKind>(kind); }
inline isa::ArgReduceKind getISAKind(ArgReduceKind kind) {
  return static_cast<isa::ArgReduceKind>(kind);
}

/// The ISA's element type for elements of `type` in memory, where an i1 takes a byte; nothing if no
/// instruction supports it.
std::optional<isa::ElementType> getISAType(mlir::Type type);

/// What the array multiplies elements of `left` and `right` as, if any array does.
std::optional<isa::MacType> getMacType(mlir::Type left, mlir::Type right);

} // namespace npu

#endif // NPU_DIALECT_NPU_IR_ISATYPES_H
