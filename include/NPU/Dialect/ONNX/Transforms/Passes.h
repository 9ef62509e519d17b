//===- Passes.h - passes on ONNX graphs -----------------------------------===//

#ifndef NPU_DIALECT_ONNX_TRANSFORMS_PASSES_H
#define NPU_DIALECT_ONNX_TRANSFORMS_PASSES_H

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Support/ByteSize.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace npu::onnx_ir {

#define GEN_PASS_DECL
#include "NPU/Dialect/ONNX/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/ONNX/Transforms/Passes.h.inc"

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_TRANSFORMS_PASSES_H
