//===- TargetLegality.h - whether a target runs an op ---------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_TARGETLEGALITY_H
#define NPU_DIALECT_NPU_TRANSFORMS_TARGETLEGALITY_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace npu {

/// Whether tensors of the dialect may have elements of `type`: i1, i8, i16, i32, f16, bf16, f32.
bool isElementType(mlir::Type type);

/// Why `target` cannot run compute op `op`; nothing if it can, or if `op` is not a compute op.
std::optional<Rejection> getTargetLimit(mlir::Operation *op, const TargetDesc &target);

/// Reports every op in `root` (a kernel, or anything that holds compute ops) that `target` cannot
/// run.
mlir::LogicalResult checkTargetLimits(mlir::Operation *root, const TargetDesc &target);

/// Whether `op` is a slice that DMA can make: a static one of an argument, or the insertion of the
/// kernel's only result into its last argument, which has no other use.
bool isMovableSlice(mlir::Operation *op, bool isOfComputed = true);

/// Reports an argument or result that no program can address on any target: extents larger than a
/// DMA box can have, more bytes than a region can have, more tensors than there can be regions. The
/// tile search relies on this check.
mlir::LogicalResult checkAddressable(KernelOp kernel);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_TARGETLEGALITY_H
