//===- StreamParts.h - taking iterations out of a stream's loops ----------===//
//
// What the passes on planned form share that do some iterations otherwise than the rest.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_STREAMPARTS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_STREAMPARTS_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace npu {

/// The stream of an engine of a cluster, or null.
StreamOp findStream(KernelOp kernel, Engine engine, int64_t cluster);

/// The number of the ring behind a view, in whatever stream; nothing without one.
std::optional<int64_t> getRingId(mlir::Value memref);

/// Whether the places of two rings in SRAM, or in the accumulators, have bytes in common.
bool overlap(RingOp a, RingOp b);

/// What an index value is where no counter changes it; nothing if one does.
std::optional<int64_t> evaluate(mlir::Value value);

/// The waits right before `op`.
llvm::SmallVector<WaitOp> getWaits(mlir::Operation *op);

/// The signals right after `op`.
llvm::SmallVector<SignalOp> getSignals(mlir::Operation *op);

/// A semaphore that nothing in the kernel signals.
int64_t getFreeSemaphore(KernelOp kernel);

/// Does the only iteration of a loop in its place.
void inlineLoop(mlir::scf::ForOp loop);

/// Puts the first `count` iterations of a loop before it, a single one without a loop; `count` is
/// positive and leaves at least one. Each of `tracked` that is in the loop becomes the one before
/// it. A loop of one iteration is done in its place instead.
void splitLoop(mlir::scf::ForOp loop, int64_t count,
               llvm::ArrayRef<mlir::Operation **> tracked = {});

/// Puts the first iteration of all loops around `op`, which is one of `tracked`, before them.
void peelFirst(mlir::Operation *&op, llvm::ArrayRef<mlir::Operation **> tracked);

/// `size` indices of dimension `dim` from `offset` on.
mlir::Value createPart(mlir::OpBuilder &builder, mlir::Value memref, unsigned dim, int64_t offset,
                       int64_t size);

/// By how much a result of an operand's indexing map moves with dimension `dim`.
int64_t getStride(mlir::AffineMap map, unsigned result, unsigned dim);

/// The contraction on `size` indices from `offset` on along `dim` of its iteration domain, before
/// it.
mlir::Operation *createPart(NPUComputeOpInterface op, unsigned dim, int64_t offset, int64_t size);

/// Simplifies a stream in which loops were split. Waits go that are over before they begin: those
/// in `over`, and those for what the stream has waited for before, or for nothing.
void tidy(StreamOp stream, const llvm::DenseSet<mlir::Operation *> &over = {});

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_STREAMPARTS_H
