//===- OutputLengths.cpp - outputs of which only a part counts ------------===//

#include "OutputLengths.h"

#include "NPU/Tensor/HostTensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

HostTensor npu::runtime::takeCounted(const RunReport &report, unsigned number,
                                     ArrayRef<ResultLength> lengths) {
  const HostTensor &value = report.outputs[number].value;
  const ResultLength *length =
      llvm::find_if(lengths, [&](const ResultLength &length) { return length.result == number; });
  // The attribute may be one that somebody wrote.
  if (length == lengths.end() || length->dimension >= value.getShape().size() ||
      length->count >= report.outputs.size() ||
      report.outputs[length->count].value.getNumElements() != 1)
    return value;
  SmallVector<int64_t> shape(value.getShape());
  int64_t whole = shape[length->dimension];
  int64_t count = std::clamp<int64_t>(report.outputs[length->count].value.getInt(0), 0, whole);
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
  std::vector<OutputRecord> kept;
  for (auto [number, output] : llvm::enumerate(report.outputs)) {
    if (isCount(number))
      continue;
    OutputRecord record = output;
    record.value = takeCounted(report, number, lengths);
    for (const ResultLength &length : lengths) {
      if (length.result != number || length.count >= report.outputs.size())
        continue;
      const std::optional<CompareReport> &check = report.outputs[length.count].check;
      if (check && !check->passed)
        record.check = check;
    }
    kept.push_back(std::move(record));
  }
  report.outputs = std::move(kept);
}
