//===- BufferUsage.h - on-chip buffers and who touches them ---------------===//
//
// What the passes from tile form to planned form share.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_BUFFERUSAGE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_BUFFERUSAGE_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Support/Allocator.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npu {

/// The engine that executes `op`; nothing for loops, index computations, buffers.
std::optional<Engine> getExecutingEngine(mlir::Operation *op);

/// Gives the views of a buffer, whose type has changed, the types that follow from it.
void updateViews(mlir::Value buffer);

/// The buffer behind views: the result of an allocation or ring, or a kernel argument.
mlir::Value getRootBuffer(mlir::Value memref);

/// A buffer that `op`, which an engine executes, touches.
struct BufferAccess {
  mlir::Value buffer, memref; ///< and as the op sees it
  bool writes = false;
  int64_t shift = 0; ///< the instance is that of so many iterations ago
};
mlir::SmallVector<BufferAccess> getBufferAccesses(mlir::Operation *op);

/// The ops that touch a buffer, through views as well.
mlir::SmallVector<mlir::Operation *> getEngineUsers(mlir::Value buffer);

/// Bytes between two slots of a ring of such buffers.
int64_t getSlotBytes(mlir::MemRefType type);

/// Whether `op` allocates scratch memory of the whole kernel.
bool isDramAllocation(mlir::Operation *op);

/// The ops of a kernel in tile form in the order in which a cluster runs them: those of a loop over
/// clusters in place of the loop.
mlir::SmallVector<mlir::Operation *> getNest(KernelOp kernel);

/// The op of `getNest` that `op` is or is in.
mlir::Operation *getNestOp(mlir::Operation *op);

/// How many clusters run an op of a kernel in tile form: those of the loop over clusters around it,
/// or the first one alone.
int64_t getClusterCount(mlir::Operation *op);

/// How many clusters share each dimension of a loop over clusters, which are numbered with the last
/// dimension the fastest.
llvm::SmallVector<int64_t> getClusterShape(mlir::scf::ForallOp clusters);

/// The value that a counter of a loop over clusters has on one of them.
int64_t getClusterIndex(mlir::BlockArgument counter, int64_t cluster);

/// The loops in a cluster around `op`, innermost first.
llvm::SmallVector<mlir::scf::ForOp> getLoopsAround(mlir::Operation *op);
/// How often a cluster comes to `op`: the iterations of these loops.
int64_t getIterations(mlir::Operation *op);

/// One in the first iteration of the loops around `op`, and zero or less in the others. Their
/// counters are added to `counters`, which are its dimensions.
mlir::AffineExpr getFirstIteration(mlir::Operation *op,
                                   llvm::SmallVectorImpl<mlir::Value> &counters);

/// How many clusters have a buffer on chip: those of the loop over clusters around it, or all that
/// use it, each its own.
int64_t getOwners(mlir::memref::AllocOp alloc);

/// The definitions of the forms, as docs/architecture.md and KernelForm.h tell them: which ops
/// there are and how they stand to each other.
llvm::LogicalResult verifyTensorOps(KernelOp kernel);
llvm::LogicalResult verifyTileOps(KernelOp kernel);
llvm::LogicalResult verifyPlannedOps(KernelOp kernel);

/// The ring depth of an on-chip buffer in tile form.
int64_t getRingDepth(mlir::memref::AllocOp alloc);

/// The record behind the kernel's target attribute; reports its absence and unknown names.
mlir::FailureOr<TargetDesc> getTarget(KernelOp kernel);

/// A buffer that takes part in planning.
struct PlannedBuffer {
  mlir::memref::AllocOp alloc;
  int64_t slotBytes = 0, depth = 1;
  /// The ops of `getNest` during which it lives, by position; the end is exclusive.
  int64_t lower = 0, upper = 1;

  int64_t getBytes() const { return slotBytes * depth; }
  mlir::Location getLoc() const { return mlir::memref::AllocOp(alloc).getLoc(); }
  mlir::MemRefType getType() const { return mlir::memref::AllocOp(alloc).getType(); }
};

/// The on-chip buffers of a kernel in tile form that are in `space`, in order. Buffers in a loop
/// live as long as the outermost loop: its iterations overlap.
llvm::SmallVector<PlannedBuffer> collectBuffers(KernelOp kernel, MemorySpace space);

/// Bytes that live at each op of `getNest`.
std::vector<int64_t> getLiveBytes(KernelOp kernel, llvm::ArrayRef<PlannedBuffer> buffers);

/// Lets buffers live from the loop on that comes before what uses them, as far as `limit` bytes
/// hold them all: who fills them then need not wait until that loop is through. The buffers that
/// are used first come first.
void extendLives(KernelOp kernel, int64_t limit, llvm::MutableArrayRef<PlannedBuffer> buffers);

/// Bytes that `target` has in an on-chip memory space.
int64_t getCapacity(const TargetDesc &target, MemorySpace space);

/// The allocator's view of the buffers.
std::vector<AllocationRequest> getRequests(llvm::ArrayRef<PlannedBuffer> buffers);

/// Reports that the buffers need `required` bytes of a memory that has fewer, and lists them.
mlir::LogicalResult emitDoesNotFit(KernelOp kernel, const TargetDesc &target, MemorySpace space,
                                   int64_t required, llvm::ArrayRef<PlannedBuffer> buffers);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_BUFFERUSAGE_H
