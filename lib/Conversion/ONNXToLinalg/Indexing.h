//===- Indexing.h - elements at computed indices --------------------------===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_INDEXING_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_INDEXING_H

#include "Lowering.h"

namespace npu::onnx_ir {

/// In the body of an element-wise op: the index of dimension `dim` of its result.
mlir::Value getLoopIndex(Lowering &b, int64_t dim);
mlir::SmallVector<mlir::Value> getLoopIndices(Lowering &b, int64_t rank);

/// An integer element as index into `extent` elements: negative ones count from the end. One that
/// is out of range reads the nearest element, as the host reference says of all IR.
mlir::Value createIndex(Lowering &b, mlir::Value element, int64_t extent);

/// The element of `tensor` at indices of the `index` type.
mlir::Value extract(Lowering &b, mlir::Value tensor, mlir::ValueRange indices);

/// `counts` copies of `tensor` along each dimension, or of each of its elements.
mlir::Value copy(Lowering &b, mlir::Value tensor, llvm::ArrayRef<int64_t> counts,
                 bool ofElements = false);

/// Element (t0[i0], t1[i1], ...) of `tensor` for all i; an empty table leaves its dimension as it
/// is. What is a slice or a number of copies becomes that.
mlir::Value take(Lowering &b, mlir::Value tensor,
                 llvm::ArrayRef<llvm::SmallVector<int64_t>> tables);

/// A constant of i64 or of floats.
mlir::Value createTensor(Lowering &b, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> values);
mlir::Value createTensor(Lowering &b, llvm::ArrayRef<int64_t> shape, mlir::FloatType type,
                         llvm::ArrayRef<double> values);

/// The only element of a constant `tensor` as a scalar; null if it is computed.
mlir::Value getConstantScalar(Lowering &b, mlir::Value tensor);

/// `into` with the elements from `offsets` on replaced by those of `tensor`.
mlir::Value insert(Lowering &b, mlir::Value tensor, mlir::Value into,
                   llvm::ArrayRef<int64_t> offsets);

/// A linalg.generic that reduces into `init`, whose map comes last; loops that it does not have are
/// reduced. `body` computes the accumulator from the operands' elements and itself, the last one.
mlir::Value accumulate(Lowering &b, Lowering::Values operands, mlir::Value init,
                       llvm::ArrayRef<mlir::AffineMap> maps, Lowering::Body body);

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_INDEXING_H
