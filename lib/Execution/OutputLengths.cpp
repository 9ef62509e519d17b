//===- OutputLengths.cpp - outputs of which only a part counts ------------===//

#include "NPU/Execution/OutputLengths.h"

#include "NPU/Tensor/HostTensor.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

std::vector<ResultLength> npu::runtime::getLengths(ModuleOp module, StringRef function,
                                                   ArrayRef<HostTensorType> types) {
  std::vector<ResultLength> lengths = getResultLengths(module, function);
  auto hasLength = [&](unsigned number) {
    return llvm::any_of(lengths,
                        [&](const ResultLength &length) { return length.result == number; });
  };
  auto isPossible = [&](const ResultLength &length) {
    if (length.result >= types.size() || length.count >= types.size() || hasLength(length.count))
      return false;
    const HostTensorType &count = types[length.count];
    return length.dimension < types[length.result].shape.size() &&
           count.elementType == ElementType::I64 && ShapedType::getNumElements(count.shape) == 1;
  };
  std::vector<ResultLength> possible;
  llvm::copy_if(lengths, std::back_inserter(possible), isPossible);
  return possible;
}

HostTensor npu::runtime::takeCounted(const HostTensor &value, unsigned number,
                                     ArrayRef<ResultLength> lengths, ArrayRef<HostTensor> outputs) {
  const ResultLength *length =
      llvm::find_if(lengths, [&](const ResultLength &length) { return length.result == number; });
  if (length == lengths.end())
    return value;
  SmallVector<int64_t> shape(value.getShape());
  int64_t whole = shape[length->dimension];
  int64_t count = std::clamp<int64_t>(outputs[length->count].getInt(0), 0, whole);
  shape[length->dimension] = count;
  HostTensor part(value.getElementType(), shape);
  // Rows along the dimension, with all that is behind it.
  auto multiply = [](ArrayRef<int64_t> extents, int64_t product) {
    return llvm::accumulate(extents, product, std::multiplies<>());
  };
  int64_t bytes = multiply(ArrayRef(shape).drop_front(length->dimension + 1),
                           getElementByteSize(value.getElementType()));
  int64_t blocks = multiply(ArrayRef(shape).take_front(length->dimension), 1);
  for (int64_t block = 0; block < blocks; ++block)
    llvm::copy(value.getBytes().slice(block * whole * bytes, count * bytes),
               part.getMutableBytes().begin() + block * count * bytes);
  return part;
}

void npu::runtime::keepCounted(RunReport &report, ArrayRef<ResultLength> lengths) {
  if (lengths.empty() || report.outputs.empty())
    return;
  auto isCount = [&](unsigned number) {
    return llvm::any_of(lengths,
                        [&](const ResultLength &length) { return length.count == number; });
  };
  SmallVector<HostTensor> outputs =
      llvm::map_to_vector(report.outputs, [](const OutputRecord &output) { return output.value; });
  std::vector<OutputRecord> kept;
  for (auto [number, output] : llvm::enumerate(report.outputs)) {
    if (isCount(number))
      continue;
    OutputRecord record = output;
    record.value = takeCounted(output.value, number, lengths, outputs);
    for (const ResultLength &length : lengths) {
      const std::optional<CompareReport> &check = report.outputs[length.count].check;
      if (length.result == number && check && !check->passed)
        record.check = check;
    }
    kept.push_back(std::move(record));
  }
  report.outputs = std::move(kept);
}
