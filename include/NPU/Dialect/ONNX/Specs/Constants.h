//===- Constants.h - other constants of the same elements -----------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_CONSTANTS_H
#define NPU_DIALECT_ONNX_SPECS_CONSTANTS_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace npu::onnx_ir {

/// The elements of one constant may be this many: more than in any network's weights, and what a
/// machine has memory for.
inline constexpr int64_t maxConstantElements = int64_t(1) << 28;

/// Larger constants are not computed from others while importing, but by the compiled model: masks
/// and position numbers are smaller, most weights are larger.
inline constexpr int64_t maxFoldedElements = int64_t(1) << 20;

/// A constant of shape `shape` whose element at position p is element base + sum(p * strides) of
/// `value`, in row-major order. Null if the elements are not whole bytes in memory.
mlir::TypedAttr gatherConstant(mlir::ElementsAttr value, llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> strides, int64_t base);

/// What a DequantizeLinear of constants computes, in its lowering's steps, so that the bits are the
/// same: the difference to the zero point in i32, times the scale in f32, rounded to the result's
/// type. Null if an input is computed or not in memory.
mlir::ElementsAttr dequantizeConstant(Node &node);

/// A constant of type `type`, of i8 or i32, with elements as large as those of `value`, which are
/// of f32: what stands for weights or a bias where only time matters. The largest is 127 or 2^15.
/// It has the elements of `value` in their order, again from the first if there are too few. Those
/// of a splat, and of what is not in memory, are pseudo-random: a constant of one number takes no
/// memory, and equal ones are one, which none of a network are.
mlir::ElementsAttr quantizeNominally(mlir::ElementsAttr value, mlir::RankedTensorType type,
                                     uint64_t seed);

/// The elements of `value`, which are as many, as a constant of the shape of `type`. Null if
/// `value` is not in memory.
mlir::ElementsAttr reshapeConstant(mlir::ElementsAttr value, mlir::RankedTensorType type);

/// The numbers of `bits` bits that the constant `packed` of bytes has in `rows` rows, each of which
/// begins with a byte, the first number in the low bits: a constant of type `type`, of bytes, which
/// are signed if they are not unsigned. Null if `packed` has another size or is not in memory.
mlir::ElementsAttr unpackConstant(mlir::ElementsAttr packed, mlir::RankedTensorType type,
                                  int64_t rows, unsigned bits);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_CONSTANTS_H
