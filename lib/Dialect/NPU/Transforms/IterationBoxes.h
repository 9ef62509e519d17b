//===- IterationBoxes.h - what moves with the counters of loops -----------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_ITERATIONBOXES_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_ITERATIONBOXES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/MapVector.h"

namespace npu {

/// An index as `constant + sum of factor * counter`, without factors of zero.
struct LinearIndex {
  int64_t constant = 0;
  llvm::SmallMapVector<mlir::Value, int64_t, 4> factors;
};

/// Nothing if the index is not linear in counters of loops.
std::optional<LinearIndex> getLinearIndex(mlir::OpFoldResult index);

/// Bounds of an index from above, those of an `affine.min` that are linear.
llvm::SmallVector<LinearIndex> getLinearLimits(mlir::Value index);

/// The largest value of an index; nothing if a counter's loop has no known number of iterations.
/// `getRange` gives the first and the last value of counters that do not have all of their loops';
/// nothing for the others.
std::optional<int64_t>
getMost(const LinearIndex &index,
        llvm::function_ref<std::optional<std::pair<int64_t, int64_t>>(mlir::BlockArgument counter)>
            getRange);

/// Whether boxes of `sizes` elements at `origin` have nothing in common in any two iterations of
/// `loops` that differ in a counter which moves the box.
bool areApart(llvm::ArrayRef<LinearIndex> origin, llvm::ArrayRef<int64_t> sizes,
              llvm::ArrayRef<mlir::scf::ForOp> loops);

/// A part of a buffer that is another one in each iteration of all loops around its view, but of
/// those around the buffer, and of those after whose first iteration nothing writes to it.
struct MovingPart {
  mlir::Value view;
  /// Iterations of all loops around the view from the last one that reads a part to the first one
  /// that writes to its memory again; 0 = none does.
  int64_t reuse;
};

/// The part that is between the buffer and `memref`, which may be that of an earlier iteration;
/// nothing if there is none.
std::optional<MovingPart> getMovingPart(mlir::Value memref);

/// Whether a load brings something in the first iteration of all loops around it alone.
bool loadsAtFirst(DmaLoadOp load);

/// The loops around a load after whose first iteration it brings nothing, as bits, the outermost
/// first. Those of one iteration do not count.
uint32_t getOnceLoops(DmaLoadOp load);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_ITERATIONBOXES_H
