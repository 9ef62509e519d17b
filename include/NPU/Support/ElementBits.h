//===- ElementBits.h - bits of what tensors hold ----------------*- C++ -*-===//
//
// Tensors may hold anything: indices, complex numbers, vectors, what other dialects define. MLIR
// asserts that a type is an integer or a float when it is asked for its bits, so nothing asks a
// type that a user wrote without having looked at it. It is looked at here.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_ELEMENTBITS_H
#define NPU_SUPPORT_ELEMENTBITS_H

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace npu {

/// Bits of `type`, or of the elements of `type`; nothing for what is no integer or float.
inline std::optional<unsigned> findElementBits(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (!element.isIntOrFloat())
    return std::nullopt;
  return element.getIntOrFloatBitWidth();
}

/// Bytes of an element in memory, at least one, as each has bytes of its own; nothing for what is
/// no integer or float, and for integers without bits.
inline std::optional<int64_t> findElementBytes(mlir::Type type) {
  std::optional<unsigned> bits = findElementBits(type);
  if (!bits || *bits == 0)
    return std::nullopt;
  return llvm::divideCeil(*bits, 8);
}

} // namespace npu

#endif // NPU_SUPPORT_ELEMENTBITS_H
