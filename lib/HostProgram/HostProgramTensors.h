//===- HostProgramTensors.h - what host programs do to tensors ------------===//

#ifndef NPU_LIB_HOSTPROGRAM_HOSTPROGRAMTENSORS_H
#define NPU_LIB_HOSTPROGRAM_HOSTPROGRAMTENSORS_H

#include "NPU/Tensor/HostTensor.h"

namespace npu::runtime {

/// The values of tensors of rank 0, e.g. offsets.
llvm::SmallVector<int64_t> toIndices(llvm::ArrayRef<HostTensor> scalars);

/// Sets every element of `tensor` to the scalar `value` of the same element type.
void splat(HostTensor &tensor, const HostTensor &value);

/// The box of `source` at `offsets` with extents `lengths`; it must be inside.
llvm::Expected<HostTensor> extractBox(const HostTensor &source, llvm::ArrayRef<int64_t> offsets,
                                      llvm::ArrayRef<int64_t> lengths);

/// `target` with the box at `offsets` replaced by `update`; it must be inside.
llvm::Expected<HostTensor> insertBox(const HostTensor &target, llvm::ArrayRef<int64_t> offsets,
                                     const HostTensor &update);

/// The element of `source` at `indices` as a tensor of rank 0.
llvm::Expected<HostTensor> extractElement(const HostTensor &source,
                                          llvm::ArrayRef<int64_t> indices);

/// `target` with the element at `indices` replaced by the scalar `value`.
llvm::Expected<HostTensor> insertElement(const HostTensor &target, llvm::ArrayRef<int64_t> indices,
                                         const HostTensor &value);

/// The tensor of the scalars `elements`, which are of its element type, in row-major order.
HostTensor joinElements(ElementType type, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<HostTensor> elements);

} // namespace npu::runtime

#endif // NPU_LIB_HOSTPROGRAM_HOSTPROGRAMTENSORS_H
