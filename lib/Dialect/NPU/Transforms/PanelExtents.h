//===- PanelExtents.h - extents in panels of columns ----------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_PANELEXTENTS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_PANELEXTENTS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace npu {

/// How many panels `extent` columns take, of `whole` ones. It changes by whole panels, or between
/// nothing and `whole`.
mlir::Value createPanelCount(mlir::OpBuilder &builder, mlir::affine::AffineMinOp extent,
                             int64_t whole, int64_t columns);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_PANELEXTENTS_H
