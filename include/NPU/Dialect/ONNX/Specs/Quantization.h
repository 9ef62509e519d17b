//===- Quantization.h - inputs of quantized operators ---------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_QUANTIZATION_H
#define NPU_DIALECT_ONNX_SPECS_QUANTIZATION_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// Where the inputs of an operator on quantized tensors are; -1 for those that it does not have.
struct QuantizedInputs {
  int lhs, lhsScale, lhsZeroPoint;
  int rhs, rhsScale, rhsZeroPoint;
  int scale, zeroPoint; ///< of the result
  int bias;
  bool isConvolution;
};

/// For QLinearConv, QLinearMatMul, ConvInteger and MatMulInteger.
QuantizedInputs getQuantizedInputs(const Node &node);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_QUANTIZATION_H
