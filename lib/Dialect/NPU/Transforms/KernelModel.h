//===- KernelModel.h - a kernel in tensor form as a tiling problem --------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_KERNELMODEL_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_KERNELMODEL_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

namespace npu {

/// Name of the kernel attribute that records loop order, residency and buffer depths.
inline constexpr llvm::StringLiteral kScheduleAttrName = "npu.schedule";

/// An element-wise op of a kernel with the buffers it works on.
struct TailOp {
  NPUComputeOpInterface op;
  /// Buffer per data operand except the destination.
  llvm::SmallVector<unsigned> operands;
  unsigned result;
  /// Root dimension of each dimension of the op's iteration domain.
  llvm::SmallVector<unsigned> dims;
};

/// What lowering needs to know about a buffer besides its shape.
struct BufferSource {
  mlir::Value tensor;        ///< loaded tensor, or the value that first lives in the buffer
  mlir::TypedAttr fill = {}; ///< read outside the tensor
};

/// A kernel in tensor form, understood: one root, its tail, and the tiling problem they pose.
/// Buffers of the problem come in this order: inputs of the root, accumulator, then per tail op its
/// loaded operands and its result.
struct KernelModel {
  KernelOp kernel;
  TargetDesc target;
  NPUComputeOpInterface root;
  tile::Problem problem;
  llvm::SmallVector<BufferSource> sources;
  llvm::SmallVector<TailOp> tail;
  /// The values that `problem.stores` store.
  llvm::SmallVector<mlir::Value> storedValues;
  /// Buffer that holds the old contents of the destination (`accumulate`).
  std::optional<unsigned> initialBuffer;
  std::optional<unsigned> accumulator;

  /// Root dimensions that a tile spans, in the canonical order of results.
  llvm::SmallVector<unsigned> getResultDims() const;
};

/// Reports an operand that `op` reads although nothing has written it.
mlir::LogicalResult checkContents(NPUComputeOpInterface op);

/// Analyses a kernel; reports an error at the op that does not fit the form.
mlir::FailureOr<KernelModel> analyzeKernel(KernelOp kernel);

/// The schedule written on a kernel and its root, checked; nothing if there is none.
mlir::FailureOr<std::optional<tile::Schedule>> readSchedule(KernelModel &model);

/// Writes tile sizes on the root, clusters and the rest on the kernel.
void writeSchedule(KernelModel &model, const tile::Schedule &schedule);

/// Reports that `schedule`, the smallest possible, does not fit the target.
mlir::LogicalResult reportDoesNotFit(KernelModel &model, const tile::Schedule &schedule);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_KERNELMODEL_H
