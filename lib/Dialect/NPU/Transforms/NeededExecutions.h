//===- NeededExecutions.h - how far another op must have come ---*- C++ -*-===//
//
// A loop that reads what an earlier one writes need not wait for its end: an iteration needs the
// iterations that write what it reads, and a wait's value is linear in loop counters, too.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_NEEDEDEXECUTIONS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_NEEDEDEXECUTIONS_H

#include "BufferUsage.h"
#include "IterationBoxes.h"

#include "NPU/Dialect/NPU/Transforms/Synchronization.h"

namespace npu {

/// A box that holds what an access touches in an iteration of the loops around it.
struct MovingBox {
  struct Side {
    LinearIndex begin;
    int64_t size;
  };

  mlir::MemRefType tensor;
  int64_t offset = 0; ///< of the tensor in its memory, bytes; planned for scratch memory
  llvm::SmallVector<Side, 4> sides; ///< by dimension of the tensor
};

/// The box of what `op`, on `cluster`, touches of a buffer: of a tensor in DRAM that a transfer
/// moves, or of a buffer on chip that it sees in a view. Nothing where it is not linear in
/// counters.
std::optional<MovingBox> getMovingBox(mlir::Operation *op, const BufferAccess &access,
                                      int64_t cluster);

/// How often the first of two ops, which have no loop in common and boxes in one memory, must have
/// been executed before an iteration of the second. `loops` of each are outermost first; factors
/// are by those of the second. Nothing if that is until its end, in every iteration.
std::optional<SyncLead> getNeededExecutions(const MovingBox &first,
                                            llvm::ArrayRef<mlir::scf::ForOp> firstLoops,
                                            const MovingBox &second,
                                            llvm::ArrayRef<mlir::scf::ForOp> secondLoops);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_NEEDEDEXECUTIONS_H
