//===- AssumeType.h - a model of floats as if it were quantized -----------===//

#ifndef NPU_PIPELINES_ASSUMETYPE_H
#define NPU_PIPELINES_ASSUMETYPE_H

#include "mlir/IR/BuiltinOps.h"

namespace npu {

/// Gives an ONNX model of static shapes the form of one that is quantized to i8; what it computes
/// has no meaning then. Errors are emitted.
mlir::LogicalResult assumeType(mlir::ModuleOp module);

} // namespace npu

#endif // NPU_PIPELINES_ASSUMETYPE_H
