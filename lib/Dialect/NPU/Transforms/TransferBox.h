//===- TransferBox.h - what of a tensor in DRAM a transfer touches --------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_TRANSFERBOX_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_TRANSFERBOX_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npu {

/// The least and the largest of some values.
struct IndexRange {
  int64_t low, high;
};

/// Of a linear expression over dimensions that have these ranges; nothing of other expressions.
std::optional<IndexRange> getRange(mlir::AffineExpr expr, llvm::ArrayRef<IndexRange> dims);

/// The same over the positions in a tile of this shape.
std::optional<IndexRange> getRangeInTile(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> shape);

/// Where a tensor begins in its memory, bytes; zero unless it was planned there.
int64_t getPlannedOffset(mlir::Value memory);

/// The first and the last index that something touches of each dimension.
using IndexRanges = llvm::SmallVector<std::pair<int64_t, int64_t>, 4>;

/// Whether a transfer with these extents moves nothing in any iteration on `cluster`.
bool isIdle(mlir::ValueRange extents, int64_t cluster);

/// What a view shows on `cluster` of the buffer behind it, in all iterations of the loops around
/// it; nothing where indices are not linear in loop counters, or where it is none of a box.
std::optional<IndexRanges> getViewRanges(mlir::Value memref, int64_t cluster);

/// The same where `getOffset` gives the values of an offset.
std::optional<IndexRanges>
getViewRanges(mlir::Value memref,
              llvm::function_ref<std::optional<IndexRange>(mlir::OpFoldResult)> getOffset);

/// Whether two such boxes have an index in common.
bool mayMeet(const IndexRanges &a, const IndexRanges &b);

/// What an `npu.dma_load` or `npu.dma_store` in tile form that runs on `cluster` touches of its
/// tensor in all iterations of the loops around it in which it moves something, as if the tensor
/// went on beyond its bounds; nothing of other ops, and where indices are not linear in loop
/// counters. `withIdle` counts the iterations in which its extents are empty, too.
std::optional<IndexRanges> getTransferRanges(mlir::Operation *op, int64_t cluster,
                                             bool withIdle = false);

/// A box that holds all that a transfer in tile form touches of its tensor in DRAM, in all
/// iterations of the loops around it.
struct TransferBox {
  mlir::MemRefType tensor;
  int64_t offset = 0; ///< of the tensor in its memory, bytes; planned for scratch memory
  IndexRanges ranges;

  /// Whether both may touch a byte of the memory, which they may see in different shapes. Scratch
  /// memory is one memory.
  bool mayMeet(const TransferBox &other) const;
};

/// The box of an `npu.dma_load` from DRAM or an `npu.dma_store` that runs on `cluster`; nothing of
/// other ops, and where there are no ranges.
std::optional<TransferBox> getTransferBox(mlir::Operation *op, int64_t cluster);

/// Whether a load brings a part of a buffer on chip from DRAM, and not padding alone.
bool bringsPart(DmaLoadOp load, int64_t cluster);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_TRANSFERBOX_H
