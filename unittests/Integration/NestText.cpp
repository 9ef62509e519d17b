//===- NestText.cpp - random ops of one nest of loops ---------------------===//

#include "NestText.h"

#include "llvm/ADT/STLExtras.h"

using namespace npu::integration;

std::vector<int> NestText::getLoopsOf(bool isReduction) const {
  std::vector<int> numbers;
  for (auto [number, loop] : llvm::enumerate(loops))
    if (loop.isReduction == isReduction)
      numbers.push_back(int(number));
  return numbers;
}

std::vector<int64_t> NestText::getShape() const {
  std::vector<int64_t> shape;
  for (const Loop &loop : loops)
    shape.push_back(loop.extent);
  return shape;
}

Operand NestText::getOperand(const Tensor &tensor, llvm::ArrayRef<int> numbers) const {
  Operand operand{tensor, {}};
  operand.tensor.shape.clear();
  for (int number : numbers) {
    operand.coordinates.push_back(loops[number].name);
    operand.tensor.shape.push_back(loops[number].extent);
  }
  return operand;
}
