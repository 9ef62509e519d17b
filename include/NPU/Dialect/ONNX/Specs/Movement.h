//===- Movement.h - what operators that move data are told ----------------===//
//
// Read by inference, which emits the errors, by folding, and by lowering.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_MOVEMENT_H
#define NPU_DIALECT_ONNX_SPECS_MOVEMENT_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// Elements `offsets + i * steps`, for i below `sizes`, of each dimension of input 0; all inside.
struct Slice {
  llvm::SmallVector<int64_t> offsets, sizes, steps;
};
mlir::FailureOr<Slice> getSlice(Node &node);

/// Parts of dimension `axis` of input 0, in the order of the outputs; their sum is its extent.
struct Split {
  int64_t axis;
  llvm::SmallVector<int64_t> sizes;
};
mlir::FailureOr<Split> getSplit(Node &node);

/// Elements added to each dimension of input 0; negative ones are taken away, at most all.
struct Pads {
  llvm::SmallVector<int64_t> low, high;
};
mlir::FailureOr<Pads> getPads(Node &node);

/// Transpose: dimension i of the result is dimension [i] of the input.
mlir::FailureOr<llvm::SmallVector<int64_t>> getPermutation(Node &node);

/// Tile: copies along each dimension of input 0.
mlir::FailureOr<llvm::SmallVector<int64_t>> getRepeats(Node &node);

/// The only element of constant input `index`, which other opsets may have as attribute `name`.
mlir::FailureOr<int64_t> getIntParameter(Node &node, llvm::StringRef name, unsigned index,
                                         int64_t defaultValue);

/// Attribute `axis` as a dimension of input 0, for nodes that inference has accepted.
int64_t getAxis(const Node &node, int64_t defaultValue);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_MOVEMENT_H
