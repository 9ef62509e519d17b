//===- ArrayKernels.h - the systolic array's arithmetic -------------------===//

#ifndef NPU_LIB_SIMULATOR_ARRAYKERNELS_H
#define NPU_LIB_SIMULATOR_ARRAYKERNELS_H

#include "NPU/Target/ISA/Instructions.h"

#include <vector>

namespace npu::sim {

/// Sums of products over taps (y, x) and channels c, for a grid of pixels (h, w) and columns f. A
/// matrix product has one tap and one pixel per row. Strides are bytes.
struct ArrayProblem {
  isa::MacType type = isa::MacType::I8;
  int64_t h = 1, w = 1, y = 1, x = 1, c = 1, f = 1;

  const uint8_t *left = nullptr; ///< channels are contiguous
  int64_t leftRow = 0, leftPixel = 0, leftTapRow = 0, leftTap = 0;

  const uint8_t *right = nullptr; ///< panels of `cols` columns, each row of a panel contiguous
  int64_t cols = 1, panel = 0, rightTapRow = 0, rightTap = 0;

  uint8_t *out = nullptr; ///< columns are contiguous, 4 bytes each
  int64_t outRow = 0, outPixel = 0;
  bool accumulate = false;
};

/// Buffers that live on from instruction to instruction.
struct ArrayScratch {
  std::vector<uint32_t> left, right, out;
};

/// Adds the products in the order y, x, c; each product and each sum is rounded.
void runDense(const ArrayProblem &problem, ArrayScratch &scratch);

/// One column per channel: column f uses channel f only (`c` is 1, weights are not packed).
void runDepthwise(const ArrayProblem &problem, ArrayScratch &scratch);

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_ARRAYKERNELS_H
