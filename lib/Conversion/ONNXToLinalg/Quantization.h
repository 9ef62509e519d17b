//===- Quantization.h - scales and zero points ----------------------------===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_QUANTIZATION_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_QUANTIZATION_H

#include "Lowering.h"

namespace npu::onnx_ir {

/// A scale or zero point that the body of an element-wise op needs as an f32: written into it if it
/// is one known number, otherwise an operand.
class QuantizationParameter {
public:
  /// One number.
  explicit QuantizationParameter(double number) : number(number) {}
  /// Numbers that are known, with a shape that broadcasts to the op's.
  QuantizationParameter(Lowering &b, llvm::ArrayRef<double> numbers, llvm::ArrayRef<int64_t> shape);
  /// Input `index` in shape `shape`; unsigned integers count from the middle of their range, as the
  /// elements do that they belong to. `missing` for an input that is left out.
  QuantizationParameter(Lowering &b, unsigned index, llvm::ArrayRef<int64_t> shape, double missing);

  /// The number if it is known and only one.
  std::optional<double> getNumber() const { return number; }
  /// Makes it an operand if it has to be one.
  void addTo(llvm::SmallVectorImpl<mlir::Value> &operands);
  /// Its value in the body, whose arguments are `elements`.
  mlir::Value get(Lowering &b, mlir::ValueRange elements) const;

private:
  std::optional<double> number;
  mlir::Value tensor;
  bool isUnsigned = false;
  unsigned position = 0;
};

/// `shape` of a parameter of a tensor of rank `rank`: one element is a scalar, a list lies along
/// `axis`, and anything else stays as it is.
llvm::SmallVector<int64_t> alignParameter(llvm::ArrayRef<int64_t> shape, int64_t rank,
                                          int64_t axis);

/// The difference between the unsigned and the signed numbers of an integer type's middle; 0 for
/// signed types.
int64_t getMiddle(mlir::Type type);

/// The integer of `type` nearest to `scaled` (f32), ties to even, plus `zeroPoint` as
/// QuantizationParameter gives it (null: none), within the limits of the type.
mlir::Value quantize(Lowering &b, mlir::Value scaled, mlir::Value zeroPoint,
                     mlir::IntegerType type);

/// An element of an integer type as a number of i32.
mlir::Value extendToI32(Lowering &b, mlir::Value element, bool isUnsigned);

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_QUANTIZATION_H
