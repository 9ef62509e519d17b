//===- ElementwiseLowering.h - bodies of linalg ops as npu ops ------------===//
//
// Element-wise ops are bodies alone; reductions have one in front of what they combine.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CONVERSION_LINALGTONPU_ELEMENTWISELOWERING_H
#define NPU_LIB_CONVERSION_LINALGTONPU_ELEMENTWISELOWERING_H

#include "Matching.h"

#include "mlir/IR/Builders.h"

namespace npu {

/// A body value as a tensor operand with its map over the loops. A constant has no tensor until one
/// is asked for.
struct TensorOperand {
  mlir::Value tensor;
  mlir::AffineMap map;
  mlir::TypedAttr constant = {};
};

/// What an op writes, with the map over the loops.
struct Destination {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// Executes the plan of one op.
class ElementwiseLowering {
public:
  ElementwiseLowering(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> operands,
                      mlir::OpBuilder &builder);

  /// Creates everything; returns what replaces the results.
  llvm::SmallVector<mlir::Value> run(llvm::ArrayRef<ElementwiseStep> plan);
  /// Creates the steps and no result.
  void createSteps(llvm::ArrayRef<ElementwiseStep> plan);
  /// A body value; a constant as one. Its map covers the loops that it depends on.
  TensorOperand getValue(mlir::Value value);
  TensorOperand materialize(TensorOperand operand);
  /// `operand` over all loops.
  mlir::Value createBroadcast(TensorOperand operand);
  TensorOperand createResult(BinaryKind kind, TensorOperand lhs, TensorOperand rhs,
                             Destination destination);
  TensorOperand createChoice(TensorOperand condition, TensorOperand onTrue, TensorOperand onFalse,
                             Destination destination);
  /// An integer whose order as a signed one is that of `operand` as an unsigned one, and back.
  TensorOperand turnSign(TensorOperand operand);
  /// From here on intermediate results are over the loops of `map`.
  void setDomain(mlir::AffineMap map) { domain = map; }
  Destination createDestination(mlir::Type elementType) {
    return {createEmpty(elementType, domain), domain};
  }

private:
  TensorOperand getOperand(mlir::Value value) { return materialize(getValue(value)); }
  /// From all loops to the selected ones, in their order.
  mlir::AffineMap selectLoops(llvm::function_ref<bool(unsigned)> isSelected);
  mlir::AffineMap getDomain(const ElementwiseStep &step);
  TensorOperand createCompare(const ElementwiseStep &step, Destination last);
  TensorOperand createComparison(Comparison comparison, TensorOperand lhs, TensorOperand rhs,
                                 Destination destination);
  TensorOperand createNumberLimit(const ElementwiseStep &step, Destination last);
  TensorOperand createUnsignedLimit(const ElementwiseStep &step, Destination last);
  mlir::Value createStep(const ElementwiseStep &step, mlir::AffineMap outputMap);
  mlir::Value createBinary(const ElementwiseStep &step, mlir::Value output,
                           mlir::AffineMap outputMap);
  mlir::Value createImmediate(BinaryKind kind, TensorOperand operand, mlir::TypedAttr constant,
                              bool isFirst, mlir::Value output, mlir::AffineMap outputMap);
  mlir::Value createUnsignedShift(const ElementwiseStep &step, mlir::Value output,
                                  mlir::AffineMap outputMap);
  mlir::Value createScaling(const ElementwiseStep &step, mlir::Value output,
                            mlir::AffineMap outputMap);
  mlir::Value createGather(const ElementwiseStep &step, mlir::Value output,
                           mlir::AffineMap outputMap);
  mlir::Value createTable(const ElementwiseStep &step, Destination destination);
  TensorOperand createCounter(const ElementwiseStep &step);
  mlir::Value createCopy(mlir::Value value, mlir::AffineMap outputMap);
  mlir::Value createEmpty(mlir::Type elementType, mlir::AffineMap outputMap);

  mlir::linalg::LinalgOp op;
  llvm::ArrayRef<mlir::Value> operands;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<int64_t> ranges;
  llvm::SmallVector<mlir::AffineMap> maps;
  mlir::AffineMap domain; ///< of the results that a step makes on its way
  llvm::DenseMap<mlir::Value, TensorOperand> results; ///< of earlier steps
};

} // namespace npu

#endif // NPU_LIB_CONVERSION_LINALGTONPU_ELEMENTWISELOWERING_H
