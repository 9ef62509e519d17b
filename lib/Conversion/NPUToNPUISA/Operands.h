//===- Operands.h - memrefs, types and errors of the conversion -----------===//

#ifndef NPU_LIB_CONVERSION_NPUTONPUISA_OPERANDS_H
#define NPU_LIB_CONVERSION_NPUTONPUISA_OPERANDS_H

#include "IndexValues.h"

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Target/Desc/TargetDesc.h"

namespace npu {

/// Where a buffer in DRAM lies.
struct DramPlace {
  unsigned region; ///< of the program
  int64_t offset;  ///< bytes from its start
};

/// What lowering an op needs to know of its surroundings.
struct LoweringContext {
  const TargetDesc &target;
  const LoopScope &scope;
  const llvm::DenseMap<mlir::Value, DramPlace> &dram;
};

/// A part of an on-chip buffer.
struct ChipView {
  isa::Address address; ///< of its first element
  isa::ElementType type = isa::ElementType::I8;
  llvm::SmallVector<int64_t> strides; ///< bytes per index
  llvm::SmallVector<int64_t> shape;   ///< elements
};

/// The type of elements in memory; an i1 takes a byte.
llvm::FailureOr<isa::ElementType> convertElementType(mlir::Operation *op, mlir::Type type);

/// Follows views down to the ring.
llvm::FailureOr<ChipView> convertChipView(mlir::Operation *op, mlir::Value memref,
                                          const LoopScope &scope);

/// The extent of dimension `dim` of a full tile of `full` elements. Without extents it is whole.
llvm::FailureOr<isa::Extent> convertExtent(mlir::Operation *op, mlir::ValueRange extents,
                                           unsigned dim, int64_t full, const LoopScope &scope);

/// Whether the extent is `elements` in every iteration.
bool isFixedExtent(const isa::Extent &extent, int64_t elements);

/// An offset; reports values that are not affine.
llvm::FailureOr<isa::Affine> convertOffset(mlir::Operation *op, mlir::Value value,
                                           const LoopScope &scope);

/// When the old value of a destination counts.
struct Accumulation {
  isa::AccumulateMode mode = isa::AccumulateMode::Never;
  isa::CounterSet counters = 0;
};

/// Never, always, or unless the counters in `init` are 0; without `init`, as `accumulate` says.
llvm::FailureOr<Accumulation> convertAccumulation(mlir::Operation *op, mlir::ValueRange init,
                                                  bool accumulate, const LoopScope &scope);

/// Bits of a constant in the vector unit's computing type (i32 or f32), or in its own type.
int64_t getComputingBits(mlir::TypedAttr value);
int64_t getStoredBits(mlir::TypedAttr value);

using Code = llvm::SmallVector<isa::Instruction, 2>;

// One op to instructions without synchronization, one per group of ops.
llvm::FailureOr<Code> lowerDmaLoad(DmaLoadOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerDmaGather(DmaGatherOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerDmaStore(DmaStoreOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerMatmul(MatmulOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerConv(ConvOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerFill(FillOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerVectorOp(NPUComputeOpInterface op, const LoweringContext &context);

} // namespace npu

#endif // NPU_LIB_CONVERSION_NPUTONPUISA_OPERANDS_H
