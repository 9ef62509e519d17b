//===- Passes.h - passes on IREE's flow-level IR --------------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_H
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npu::flow {

#define GEN_PASS_DECL
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"

} // namespace npu::flow

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_H
