//===- RegionUtils.h - what regions of iree_linalg_ext ops compute --------===//

#ifndef NPU_LIB_DIALECT_IREE_LINALGEXT_TRANSFORMS_REGIONUTILS_H
#define NPU_LIB_DIALECT_IREE_LINALGEXT_TRANSFORMS_REGIONUTILS_H

#include "mlir/IR/Builders.h"

namespace npu::linalg_ext {

/// The only value that `region` yields for these arguments, computed where the builder stands.
mlir::Value inlineRegion(mlir::OpBuilder &builder, mlir::Region &region,
                         mlir::ValueRange arguments);

/// Whether an element of a mask, `i1` or wider, is not 0.
mlir::Value isSet(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value element);

} // namespace npu::linalg_ext

#endif // NPU_LIB_DIALECT_IREE_LINALGEXT_TRANSFORMS_REGIONUTILS_H
