//===- Passes.h - passes on the npu dialect -------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PASSES_H
#define NPU_DIALECT_NPU_TRANSFORMS_PASSES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Pass/Pass.h"

namespace npu {
#define GEN_PASS_DECL
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_H
