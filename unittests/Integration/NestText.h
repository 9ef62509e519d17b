//===- NestText.h - random ops of one nest of loops -------------*- C++ -*-===//

#ifndef NPU_UNITTESTS_INTEGRATION_NESTTEXT_H
#define NPU_UNITTESTS_INTEGRATION_NESTTEXT_H

#include "RandomText.h"

namespace npu::integration {

/// Writes ops whose tensors are all indexed by some of the same loops.
class NestText : public RandomText {
protected:
  explicit NestText(Random &random) : RandomText(random) {}

  /// Numbers of the loops that are reduced, or of the others.
  std::vector<int> getLoopsOf(bool isReduction) const;
  /// Of a tensor that all loops index.
  std::vector<int64_t> getShape() const;
  /// A tensor whose dimensions are the loops `numbers`.
  Operand getOperand(const Tensor &tensor, llvm::ArrayRef<int> numbers) const;
  Operand getWhole(const Tensor &tensor) const {
    return getOperand(tensor, getLoops(loops.size()));
  }

  std::vector<Loop> loops;
};

} // namespace npu::integration

#endif // NPU_UNITTESTS_INTEGRATION_NESTTEXT_H
