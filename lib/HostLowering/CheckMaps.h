//===- CheckMaps.h - maps of linalg ops stay inside of their operands -----===//

#ifndef NPU_LIB_HOSTLOWERING_CHECKMAPS_H
#define NPU_LIB_HOSTLOWERING_CHECKMAPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace npu::host {

/// Checks that `op`, which is on memrefs, indexes its operands inside of their extents only: at
/// once where shapes are static, at run time where they are data.
mlir::LogicalResult checkMaps(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

} // namespace npu::host

#endif // NPU_LIB_HOSTLOWERING_CHECKMAPS_H
