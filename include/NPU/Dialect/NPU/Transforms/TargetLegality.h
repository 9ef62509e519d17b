//===- TargetLegality.h - whether a target runs an op ---------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_TARGETLEGALITY_H
#define NPU_DIALECT_NPU_TRANSFORMS_TARGETLEGALITY_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace npu {

/// Why `target` cannot run compute op `op`, as in "f16 matmul (the array has no f16 rate)"; nothing
/// if it can, or if `op` is not a compute op.
std::optional<std::string> getTargetLimit(mlir::Operation *op, const TargetDesc &target);

/// Reports every op in `root` (a kernel, or anything that holds compute ops) that `target` cannot
/// run.
mlir::LogicalResult checkTargetLimits(mlir::Operation *root, const TargetDesc &target);

/// Reports an argument or result that no program can address, whatever the target: extents beyond
/// 31 bits, more than 2^40 bytes. Searches over tiles rely on it.
mlir::LogicalResult checkAddressable(KernelOp kernel);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_TARGETLEGALITY_H
