//===- ExpandShapes.h - tensors of a kernel with more dimensions -*- C++ -*-===//
//
// What two kernels have in different shapes, as [n * blocks, block] and [n, blocks * block], both
// can have with the dimensions of either: here [n, blocks, block]. No data move for that.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CODEGEN_EXPANDSHAPES_H
#define NPU_LIB_CODEGEN_EXPANDSHAPES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

namespace npu {

/// The shape with the fewest dimensions of which those of `a` and of `b` are products of
/// neighbors; nothing if there is none.
std::optional<llvm::SmallVector<int64_t>> getCommonShape(llvm::ArrayRef<int64_t> a,
                                                         llvm::ArrayRef<int64_t> b);

/// Gives an argument of a kernel in tensor form (a result) `shape`, and all that it is connected
/// with dimensions to match. Fails where an op cannot have them; the kernel is then of no use.
llvm::LogicalResult expandArgument(KernelOp kernel, unsigned argument,
                                   llvm::ArrayRef<int64_t> shape);
llvm::LogicalResult expandResult(KernelOp kernel, unsigned result, llvm::ArrayRef<int64_t> shape);

} // namespace npu

#endif // NPU_LIB_CODEGEN_EXPANDSHAPES_H
