//===- FusionUtils.h - what ops are to the formation of dispatches --------===//

#ifndef NPU_LIB_DISPATCHCREATION_FUSIONUTILS_H
#define NPU_LIB_DISPATCHCREATION_FUSIONUTILS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace npu::dispatch_creation {

/// How many operands a dispatch can have: what a device can bind at once.
constexpr unsigned kMaxOperands = 16;

/// Whether `op` is cheaper to compute again in every dispatch that needs it than to be stored:
/// constants of up to 256 bytes, fills, uninitialized tensors, slices, pads of one value, scalars,
/// widening casts.
bool isCloneable(mlir::Operation *op);

/// Whether `op` is an elementwise generic that makes elements wider: i8 to f32, f16 to f32.
bool isBitExtend(mlir::Operation *op);

/// Whether `op` is an elementwise generic that makes elements narrower.
bool isBitTruncate(mlir::Operation *op);

/// Whether `op` starts a dispatch: a generic with a reduction, a named linalg op but fill,
/// attention.
bool isRootLike(mlir::Operation *op);

/// Whether `op` is what an NPU has a matrix engine for: a contraction or a convolution, whatever
/// its name, but no pooling.
bool isArrayOp(mlir::Operation *op);

/// Whether `op` is an array op on elements that matrix engines multiply: floats of at most 32 bits
/// and integers of at most 16. Others run on the host, whatever is around them.
bool isKernelRoot(mlir::Operation *op);

/// A type that `op` reads, computes with or makes, and that no vector unit has: anything but
/// integers and floats of at most 32 bits, so i64, f64 and the indices of loops. Null if there is
/// none.
mlir::Type findHostType(mlir::Operation *op);

/// Whether a result of the op has elements of floats.
bool givesFloats(mlir::linalg::LinalgOp op);

/// Whether `op` reads windows of its input: a convolution or a pooling, whatever its name.
bool readsWindows(mlir::Operation *op);

/// Whether all loops of `op` are parallel.
bool isAllParallel(mlir::linalg::LinalgOp op);

/// Whether `op` stands in a dispatch, as region or isolated.
bool isInDispatch(mlir::Operation *op);

/// What a region takes from outside, in the order of the first use, and where it is used in there.
/// To look at all uses of a value instead takes too long where many dispatches share it.
using CapturedUses = llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::OpOperand *>>;
CapturedUses getCapturedUses(mlir::Region &region);

} // namespace npu::dispatch_creation

#endif // NPU_LIB_DISPATCHCREATION_FUSIONUTILS_H
