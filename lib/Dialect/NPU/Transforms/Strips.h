//===- Strips.h - kernels strip by strip ------------------------*- C++ -*-===//
//
// Where what one stage hands to the windows of the next does not fit on chip, that of a strip of
// the results may. A strip is a kernel of its own, which makes the rows at its borders that windows
// reach once more.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_STRIPS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_STRIPS_H

#include "ScheduleTree.h"

#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <vector>

namespace npu {

/// A strip of a kernel in tensor form, as a kernel in tensor form.
struct Strip {
  /// Which part of a tensor of the whole kernel one of the strip's is.
  struct Part {
    unsigned index;    ///< of the whole kernel's argument or result
    int64_t axis = 0;  ///< of the tensor
    int64_t begin = 0; ///< the first index of it along the axis
  };

  mlir::OwningOpRef<KernelOp> kernel;
  llvm::SmallVector<Part> arguments, results; ///< by argument and by result of the strip
};

/// Strips that follow each other and are the same kernel, on different parts of the tensors.
using EqualStrips = std::vector<Strip>;

/// Cuts the kernel into strips of `size` indices of dimension `axis` of its results; the last one
/// is what is left. Those at the borders are other kernels where windows reach over them. Nothing
/// where a strip is not made from a part of each operand.
std::optional<std::vector<EqualStrips>> cutIntoStrips(KernelOp kernel, int64_t axis, int64_t size);

/// The largest tensor that windows of a later op read, in bytes, of a strip in the middle; 0 where
/// windows read only what is whole, or what the kernel is given. Nothing where there are no such
/// strips.
std::optional<int64_t> getWindowedBytes(KernelOp kernel, int64_t axis, int64_t size);

/// The first dimension of the kernel's results along which strips have less of what windows read;
/// nothing where there is none.
std::optional<int64_t> findStripAxis(KernelOp kernel);

/// What a schedule says of strips; null where it is not about any.
ScheduleStripsAttr getStrips(ScheduleAttr schedule);

/// Calls `onStrips` with equal strips and the tree of their schedule, in the order of the strips.
/// Both are gone after it, but for what it takes of the strips.
/// Fails, with an error at the kernel, where it has no such strips or the schedules are not theirs.
mlir::LogicalResult
forEachScheduledStrip(KernelOp kernel, ScheduleStripsAttr attr,
                      llvm::function_ref<void(EqualStrips &, const ScheduleTree &)> onStrips);

/// Writes a kernel in tensor form down in tile form: strip after strip, as `lower` does it for the
/// first of equal ones. Fails as forEachScheduledStrip does.
mlir::LogicalResult lowerStrips(KernelOp kernel, ScheduleStripsAttr attr,
                                llvm::function_ref<void(const ScheduleTree &)> lower);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_STRIPS_H
