//===- ResultDims.h - ops that are given the sizes of their results -------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_RESULTDIMS_H
#define NPU_DIALECT_IREE_UTIL_IR_RESULTDIMS_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace npu {

/// The shapes of values of `types`, whose dynamic dimensions have the sizes `dims`, in order.
mlir::ReifiedRankedShapedTypeDims reifyShapes(mlir::Builder &builder, mlir::TypeRange types,
                                              mlir::ValueRange dims);

/// ReifyRankedShapedTypeOpInterface, implemented by the op's getResultDims.
template <typename ConcreteType>
struct ResultDims : mlir::ReifyRankedShapedTypeOpInterface::Trait<ConcreteType> {
  mlir::LogicalResult reifyResultShapes(mlir::OpBuilder &builder,
                                        mlir::ReifiedRankedShapedTypeDims &shapes) {
    auto op = mlir::cast<ConcreteType>(this->getOperation());
    shapes = reifyShapes(builder, op->getResultTypes(), op.getResultDims());
    return mlir::success();
  }
};

} // namespace npu

#endif // NPU_DIALECT_IREE_UTIL_IR_RESULTDIMS_H
