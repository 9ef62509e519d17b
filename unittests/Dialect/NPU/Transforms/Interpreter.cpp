//===- Interpreter.cpp - kernels on numbers -------------------------------===//

#include "Interpreter.h"

#include "NPU/Interpreter/Interpreter.h"

using namespace mlir;
using namespace npu;
using namespace npu::test;
using npu::runtime::HostTensor;

View View::allocate(ArrayRef<int64_t> shape, double value) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return {std::make_shared<std::vector<double>>(size, value), llvm::to_vector(shape)};
}

std::vector<View> npu::test::interpret(KernelOp kernel, ArrayRef<View> arguments,
                                       std::string &error) {
  std::vector<HostTensor> inputs;
  for (auto [index, view] : llvm::enumerate(arguments)) {
    if (kernel.isOutput(index))
      continue;
    auto type = cast<ShapedType>(kernel.getArgumentTypes()[index]);
    HostTensor tensor(*interpreter::getHostType(type.getElementType()), view.shape);
    for (auto [position, value] : llvm::enumerate(*view.data))
      tensor.setFloat(position, value);
    inputs.push_back(std::move(tensor));
  }
  llvm::Expected<SmallVector<HostTensor>> outputs = interpreter::interpret(kernel, inputs);
  if (!outputs) {
    error = llvm::toString(outputs.takeError());
    return {};
  }
  std::vector<View> results;
  for (auto [index, view] : llvm::enumerate(arguments))
    if (kernel.isOutput(index))
      results.push_back(view);
  for (Type type : kernel.getResultTypes())
    results.push_back(View::allocate(cast<ShapedType>(type).getShape(), 0));
  for (auto [view, output] : llvm::zip_equal(results, *outputs))
    for (int64_t position = 0; position < output.getNumElements(); ++position)
      (*view.data)[position] = output.getFloat(position);
  return results;
}
