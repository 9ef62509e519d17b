//===- DropEncodings.h - back to the plain layout of tensors --------------===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_DROPENCODINGS_H
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_DROPENCODINGS_H

#include "mlir/IR/BuiltinOps.h"

namespace npu::flow {

/// What `npu-drop-encodings` does.
mlir::LogicalResult dropEncodings(mlir::ModuleOp module);

} // namespace npu::flow

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_DROPENCODINGS_H
