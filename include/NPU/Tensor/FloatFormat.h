//===- FloatFormat.h - conversions of 16-bit floating-point values --------===//
//
// Converts between double and the two 16-bit formats by their definition (round to nearest, ties
// to even, subnormals kept), so that the results are the same on every host.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TENSOR_FLOATFORMAT_H
#define NPU_TENSOR_FLOATFORMAT_H

#include <cstdint>

namespace npu::runtime {

/// Rounds `value` once to IEEE binary16 and returns its bits. Any NaN becomes a quiet NaN.
uint16_t encodeF16(double value);

/// Rounds `value` once to bfloat16 and returns its bits. Any NaN becomes a quiet NaN.
uint16_t encodeBF16(double value);

/// Returns the value of a binary16, exactly.
double decodeF16(uint16_t bits);

/// Returns the value of a bfloat16, exactly.
double decodeBF16(uint16_t bits);

} // namespace npu::runtime

#endif // NPU_TENSOR_FLOATFORMAT_H
