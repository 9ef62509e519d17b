//===- Passes.h - passes of the input phase -------------------------------===//

#ifndef NPU_INPUTCONVERSION_PASSES_H
#define NPU_INPUTCONVERSION_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace npu::input {

#define GEN_PASS_DECL
#include "NPU/InputConversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/InputConversion/Passes.h.inc"

} // namespace npu::input

#endif // NPU_INPUTCONVERSION_PASSES_H
