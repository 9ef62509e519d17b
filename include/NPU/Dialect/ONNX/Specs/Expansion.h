//===- Expansion.h - nodes that stand for others --------------------------===//
//
// Operators that others express are written as them: those of ONNX that are functions, and those
// that exporters and optimizers make of several nodes. They cost nothing more, as what is
// element by element joins its neighbors in one dispatch anyway.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_EXPANSION_H
#define NPU_DIALECT_ONNX_SPECS_EXPANSION_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace npu::onnx_ir {

/// Writes nodes of the newest operator set before one that they replace. Their types are not known
/// yet: shapes follow from those of the node's inputs.
class Expansion : public mlir::ImplicitLocOpBuilder {
public:
  using Values = llvm::ArrayRef<mlir::Value>;
  using Attributes = llvm::ArrayRef<mlir::NamedAttribute>;

  explicit Expansion(Node &node);

  Node &getNode() { return node; }
  /// Input `index`; null if it is left out.
  mlir::Value input(unsigned index) {
    return node.hasInput(index) ? node.getInput(index) : mlir::Value();
  }
  void setResult(unsigned index, mlir::Value value) { results[index] = value; }
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

  /// A node with one output. Inputs that are null are left out.
  mlir::Value op(llvm::StringRef type, Values inputs, Attributes attributes = {});
  /// A node with several.
  mlir::ResultRange ops(llvm::StringRef type, Values inputs, unsigned numOutputs,
                        Attributes attributes = {});

  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute number(llvm::StringRef name, double value);
  mlir::NamedAttribute string(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute integers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// The attributes `names` of the node that it has.
  llvm::SmallVector<mlir::NamedAttribute> copied(llvm::ArrayRef<llvm::StringRef> names);

  /// A constant whose elements are `value`.
  mlir::Value constant(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, double value);
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  /// A constant of these elements, rounded to nearest or, for integers, towards zero.
  mlir::Value numbers(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<double> values);

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    return op("Reshape", {value, ints(shape)});
  }
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation) {
    return op("Transpose", {value}, {integers("perm", permutation)});
  }
  /// Elements `begin` to `end` along `axis`.
  mlir::Value slice(mlir::Value value, int64_t axis, int64_t begin, int64_t end) {
    return op("Slice", {value, ints({begin}), ints({end}), ints({axis})});
  }
  mlir::Value concat(Values values, int64_t axis) {
    return op("Concat", values, {integer("axis", axis)});
  }
  /// Every `step`-th element along `axis`, in their order or, if it is negative, from the last on.
  mlir::Value takeEvery(mlir::Value value, int64_t axis, int64_t step);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  /// The first elements along `axis`, as many as `count`, a scalar of i64, says.
  mlir::Value prefix(mlir::Value value, mlir::Value count, int64_t axis);

  /// A Loop of `trips` iterations. `body` gets the number of the iteration, an i64, and what the
  /// one before gave, `initial` at first; it returns what this one gives, and then `numScanned`
  /// values that are results for all iterations, one below the other.
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value iteration,
                                                                     mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> loop(int64_t trips, Values initial, unsigned numScanned,
                                      LoopBody body);

private:
  Node &node;
  llvm::SmallVector<mlir::Value> results;
};

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_EXPANSION_H
