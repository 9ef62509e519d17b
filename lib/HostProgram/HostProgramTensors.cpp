//===- HostProgramTensors.cpp - what host programs do to tensors ----------===//

#include "HostProgramTensors.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cstring>

using namespace mlir;
using namespace npu::runtime;

SmallVector<int64_t> npu::runtime::toIndices(ArrayRef<HostTensor> scalars) {
  return map_to_vector(scalars, [](const HostTensor &scalar) { return scalar.getInt(0); });
}

void npu::runtime::splat(HostTensor &tensor, const HostTensor &value) {
  unsigned size = getElementByteSize(tensor.getElementType());
  MutableArrayRef<uint8_t> bytes = tensor.getMutableBytes();
  for (size_t offset = 0; offset < bytes.size(); offset += size)
    std::memcpy(&bytes[offset], value.getBytes().data(), size);
}

static llvm::Error checkBox(const HostTensor &tensor, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> lengths) {
  ArrayRef<int64_t> shape = tensor.getShape();
  if (offsets.size() != shape.size() || lengths.size() != shape.size())
    return llvm::createStringError("expected one offset and length per dimension of a " +
                                   tensor.getTypeString());
  for (auto [dim, extent] : enumerate(shape))
    if (offsets[dim] < 0 || lengths[dim] < 0 || offsets[dim] > extent ||
        lengths[dim] > extent - offsets[dim])
      return createStringError("elements " + Twine(offsets[dim]) + " to " +
                               Twine(offsets[dim] + lengths[dim]) + " of dimension " + Twine(dim) +
                               " are outside of a " + tensor.getTypeString());
  return llvm::Error::success();
}

/// Calls `copyRow(offset in the tensor, offset in the box, size)`, in bytes, for every contiguous
/// row of a box that is known to be inside.
static void forEachRow(const HostTensor &tensor, ArrayRef<int64_t> offsets,
                       ArrayRef<int64_t> lengths,
                       function_ref<void(size_t, size_t, size_t)> copyRow) {
  size_t elementSize = getElementByteSize(tensor.getElementType());
  ArrayRef<int64_t> shape = tensor.getShape();
  if (is_contained(lengths, 0))
    return;
  size_t rank = shape.size();
  size_t rowSize = (rank ? lengths.back() : 1) * elementSize;
  SmallVector<int64_t> coordinates(rank, 0);
  for (size_t boxOffset = 0;; boxOffset += rowSize) {
    int64_t index = 0;
    for (size_t dim = 0; dim < rank; ++dim)
      index = index * shape[dim] + offsets[dim] + coordinates[dim];
    copyRow(index * elementSize, boxOffset, rowSize);
    // The next row: every dimension but the last.
    size_t dim = rank ? rank - 1 : 0;
    while (dim > 0 && ++coordinates[dim - 1] == lengths[dim - 1])
      coordinates[--dim] = 0;
    if (dim == 0)
      return;
  }
}

llvm::Expected<HostTensor> npu::runtime::extractBox(const HostTensor &source,
                                                    ArrayRef<int64_t> offsets,
                                                    ArrayRef<int64_t> lengths) {
  if (llvm::Error error = checkBox(source, offsets, lengths))
    return std::move(error);
  HostTensor box(source.getElementType(), lengths);
  MutableArrayRef<uint8_t> target = box.getMutableBytes();
  forEachRow(source, offsets, lengths, [&](size_t from, size_t to, size_t size) {
    std::memcpy(&target[to], &source.getBytes()[from], size);
  });
  return box;
}

llvm::Expected<HostTensor> npu::runtime::insertBox(const HostTensor &target,
                                                   ArrayRef<int64_t> offsets,
                                                   const HostTensor &update) {
  if (update.getElementType() != target.getElementType())
    return llvm::createStringError("cannot put a " + update.getTypeString() + " into a " +
                                   target.getTypeString());
  if (llvm::Error error = checkBox(target, offsets, update.getShape()))
    return std::move(error);
  HostTensor result = target;
  MutableArrayRef<uint8_t> bytes = result.getMutableBytes();
  forEachRow(target, offsets, update.getShape(), [&](size_t to, size_t from, size_t size) {
    std::memcpy(&bytes[to], &update.getBytes()[from], size);
  });
  return result;
}

llvm::Expected<HostTensor> npu::runtime::extractElement(const HostTensor &source,
                                                        ArrayRef<int64_t> indices) {
  llvm::Expected<HostTensor> box =
      extractBox(source, indices, SmallVector<int64_t>(indices.size(), 1));
  if (!box)
    return box.takeError();
  return box->reshape({});
}

llvm::Expected<HostTensor> npu::runtime::insertElement(const HostTensor &target,
                                                       ArrayRef<int64_t> indices,
                                                       const HostTensor &value) {
  return insertBox(target, indices, value.reshape(SmallVector<int64_t>(indices.size(), 1)));
}

HostTensor npu::runtime::joinElements(ElementType type, ArrayRef<int64_t> shape,
                                      ArrayRef<HostTensor> elements) {
  HostTensor tensor(type, shape);
  unsigned size = getElementByteSize(type);
  MutableArrayRef<uint8_t> bytes = tensor.getMutableBytes();
  for (auto [index, element] : enumerate(elements))
    std::memcpy(&bytes[index * size], element.getBytes().data(), size);
  return tensor;
}
