//===- VectorForm.h - what instructions of the vector unit walk -----------===//

#ifndef NPU_LIB_CONVERSION_NPUTONPUISA_VECTORFORM_H
#define NPU_LIB_CONVERSION_NPUTONPUISA_VECTORFORM_H

#include "Operands.h"

namespace npu {

/// The iteration domain and the operands of an op of the vector unit, destination last.
struct VectorForm {
  llvm::SmallVector<isa::Extent> extents;
  struct Operand {
    isa::Address at;
    isa::ElementType type;
    llvm::SmallVector<int64_t> strides; ///< bytes per iteration dimension
  };
  llvm::SmallVector<Operand> operands;
};

/// The domain and the data operands of `op`.
llvm::FailureOr<VectorForm> getVectorForm(NPUComputeOpInterface op, const LoopScope &scope);

/// Brings the form to exactly `isa::maxVectorDims` dimensions.
llvm::LogicalResult fitDims(mlir::Operation *op, VectorForm &form);

// The fields of shapes and strides have names, one per dimension.
static_assert(isa::maxVectorDims == 4);

isa::VectorOperand toOperand(const VectorForm::Operand &operand);

/// An instruction of the form's shape and destination.
template <typename Instruction>
Instruction createVector(const VectorForm &form) {
  Instruction result;
  result.shape = {form.extents[0], form.extents[1], form.extents[2], form.extents[3]};
  result.dst = toOperand(form.operands.back());
  return result;
}

llvm::FailureOr<Code> lowerSort(SortOp op, const LoweringContext &context);
llvm::FailureOr<Code> lowerSort(ArgSortOp op, const LoweringContext &context);

} // namespace npu

#endif // NPU_LIB_CONVERSION_NPUTONPUISA_VECTORFORM_H
