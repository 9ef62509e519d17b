//===- BytePlan.h - which values of an ONNX graph become bytes ------------===//

#ifndef NPU_LIB_DIALECT_ONNX_TRANSFORMS_BYTEPLAN_H
#define NPU_LIB_DIALECT_ONNX_TRANSFORMS_BYTEPLAN_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace npu::onnx_ir {

/// Whether `value` is a computed tensor of f32.
bool isFloatValue(mlir::Value value);

/// The values that npu-quantize makes bytes of (tools/npu-quantize/npu_quantize_plan.py, which has
/// the same names), where no number is known: all are finite, and no operand of a sum is lost
/// beside another.
///
/// A product (Conv, Gemm, MatMul) reads and gives bytes, and so does what moves elements and what
/// averages them. Other operators stay in floats: a region is what computes floats from one value
/// of bytes, and gives bytes where it ends.
class BytePlan {
public:
  explicit BytePlan(mlir::func::FuncOp function);

  llvm::ArrayRef<NodeOp> getProducts() const { return products.getArrayRef(); }
  bool isProduct(NodeOp op) const { return products.contains(op); }
  bool isQuantized(mlir::Value value) const { return quantized.contains(value); }
  /// The bias behind a MatMul, an Add; null without one.
  NodeOp getBiasOf(NodeOp product) const { return biases.lookup(product); }
  /// The one value that stands for all that have its scale, constants among them.
  mlir::Value findGroup(mlir::Value value) const;
  /// Whether `op` reads the constant `value` in bytes: what it moves, or adds.
  bool readsBytes(NodeOp op, mlir::Value value) const;

private:
  void visitAll(mlir::func::FuncOp function);
  void visit(NodeOp op);
  void visitProduct(NodeOp op, llvm::ArrayRef<mlir::Value> values);
  void visitMove(NodeOp op, llvm::ArrayRef<mlir::Value> values);
  void visitAverage(NodeOp op, llvm::ArrayRef<mlir::Value> values);
  void visitRows(NodeOp op, llvm::ArrayRef<mlir::Value> values);
  void visitRegion(NodeOp op, llvm::ArrayRef<mlir::Value> values);
  void cut(mlir::ValueRange values) { quantized.insert(values.begin(), values.end()); }
  void unite(mlir::ValueRange values);
  /// The bytes that a value is computed from; null if it is computed of something else.
  mlir::Value getRoot(mlir::Value value) const {
    return isQuantized(value) ? value : roots.lookup(value);
  }
  /// The last value of what is a part of `op`: the bias behind it and limits, which are absorbed.
  mlir::Value absorbEnd(NodeOp op, bool isBiased);
  mlir::Value findAdded(NodeOp op, llvm::ArrayRef<mlir::Value> values) const;

  llvm::SetVector<mlir::Value> quantized;
  llvm::SetVector<NodeOp> products;
  llvm::DenseMap<mlir::Value, mlir::Value> groups, roots;
  llvm::DenseMap<NodeOp, NodeOp> biases;
  llvm::DenseMap<NodeOp, mlir::Value> added; ///< by sum: the constants that it adds to one value
  llvm::DenseSet<mlir::Value> reduced;
  llvm::DenseSet<NodeOp> absorbed;
};

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_TRANSFORMS_BYTEPLAN_H
