//===- Passes.h - passes on host functions and globals --------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_H
#define NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_H

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npu::util {

#define GEN_PASS_DECL
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h.inc"

} // namespace npu::util

#endif // NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_H
