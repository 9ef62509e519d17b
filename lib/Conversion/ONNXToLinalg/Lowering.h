//===- Lowering.h - what lowerings of ONNX operators are written with -----===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_LOWERING_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_LOWERING_H

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace npu::onnx_ir {

/// Builds the linalg of one node. All tensors have static shapes and signless elements; whether
/// integers are unsigned is in the types of the node. A lowering cannot fail: inference has refused
/// what it does not do.
class Lowering : public mlir::ImplicitLocOpBuilder {
public:
  using Values = llvm::ArrayRef<mlir::Value>;
  /// Computes an element of the result from one element of each operand.
  using Body = llvm::function_ref<mlir::Value(Lowering &b, mlir::ValueRange elements)>;
  /// Combines an element into an accumulator.
  using Combiner =
      llvm::function_ref<mlir::Value(Lowering &b, mlir::Value element, mlir::Value accumulator)>;

  Lowering(Node &node, mlir::ValueRange inputs, const mlir::OpBuilder &builder)
      : ImplicitLocOpBuilder(node.getOp().getLoc(), builder), node(node), inputs(inputs),
        results(node.getNumOutputs()) {}

  Node &getNode() { return node; }
  /// Input `index` with signless elements; null if it is left out.
  mlir::Value getInput(unsigned index) {
    return node.hasInput(index) ? inputs[index] : mlir::Value();
  }
  bool isUnsigned(unsigned index) { return node.getElementType(index).isUnsignedInteger(); }
  /// Type of output `index` with signless elements.
  mlir::RankedTensorType getResultType(unsigned index = 0);
  bool hasResult(unsigned index) { return node.hasOutput(index); }
  void setResult(mlir::Value value) { results[0] = value; }
  void setResult(unsigned index, mlir::Value value) { results[index] = value; }
  /// Null for an output that is left out.
  Values getResults() const { return results; }

  static llvm::ArrayRef<int64_t> getShape(mlir::Value tensor);
  static mlir::Type getElementType(mlir::Value tensor);

  /// A scalar constant of an integer or float type, rounded to nearest.
  mlir::Value scalar(mlir::Type type, double value);
  mlir::Value scalar(mlir::Type type, int64_t value);
  /// A tensor constant of one value.
  mlir::Value splat(llvm::ArrayRef<int64_t> shape, mlir::Value scalarConstant);
  mlir::Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

  /// Element by element after NumPy's broadcasting, into `shape` of `elementType`.
  mlir::Value elementwise(llvm::ArrayRef<int64_t> shape, mlir::Type elementType, Values operands,
                          Body body);
  /// Reduces dimensions `axes` of `operand` from `initial`, keeping none of them. `body` may be
  /// null: the elements themselves are combined.
  mlir::Value reduce(mlir::Value operand, llvm::ArrayRef<int64_t> axes, mlir::Value initial,
                     Combiner combine);

  /// The same elements in row-major order under another shape.
  mlir::Value reshape(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);
  /// Dimension i of the result is dimension permutation[i] of `tensor`.
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> permutation);
  /// Copies of `tensor` along leading and unit dimensions until it has `shape`.
  mlir::Value broadcast(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);
  /// `value` is a scalar, or a tensor without dimensions if it is computed.
  mlir::Value pad(mlir::Value tensor, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                  mlir::Value value);
  /// `sizes` elements from `offsets` on, every `strides`-th.
  mlir::Value slice(mlir::Value tensor, llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides = {});

private:
  Node &node;
  mlir::ValueRange inputs;
  llvm::SmallVector<mlir::Value> results;
};

/// `type` with signless elements.
mlir::RankedTensorType getSignlessType(mlir::RankedTensorType type);

#define ONNX_OP(NAME, SINCE, MIN, MAX, OUTPUTS, ATTRIBUTES, CONSTANTS, INFER, FOLD, LOWER, RUNS,   \
                LIMITS)                                                                            \
  void lower##LOWER(Lowering &b);
#include "NPU/Dialect/ONNX/Specs/OpSpecs.def"
#undef ONNX_OP

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_LOWERING_H
