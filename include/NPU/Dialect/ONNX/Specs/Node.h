//===- Node.h - a node of an ONNX graph, as its specification reads it ----===//

#ifndef NPU_DIALECT_ONNX_SPECS_NODE_H
#define NPU_DIALECT_ONNX_SPECS_NODE_H

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"

#include "mlir/IR/Diagnostics.h"
#include <optional>

namespace npu::onnx_ir {

/// What a model may make the import write down: the elements of folded constants, and lists of
/// indices that lowerings need. A few nodes can ask for more than any memory.
struct FoldBudget {
  static constexpr int64_t total = int64_t(1) << 26;
  int64_t rest = total;
};

/// An `onnx.node` whose inputs are tensors of static shape or constants. Inputs and outputs count
/// from 0; negative axes are as in ONNX.
class Node {
public:
  /// Without a budget, there is no limit.
  Node(NodeOp op, int64_t opset, FoldBudget *budget = nullptr)
      : op(op), opset(opset), budget(budget) {}

  NodeOp getOp() const { return op; }
  llvm::StringRef getOpType() const { return op.getOpType(); }
  /// Version of the operator set of the node's domain.
  int64_t getOpset() const { return opset; }

  /// How many inputs the node lists; trailing ones that are left out do not count.
  unsigned getNumInputs() const;
  bool hasInput(unsigned index) const;
  mlir::Value getInput(unsigned index) const { return op.getInputs()[index]; }
  mlir::RankedTensorType getInputType(unsigned index) const;
  llvm::ArrayRef<int64_t> getShape(unsigned index) const { return getInputType(index).getShape(); }
  int64_t getRank(unsigned index) const { return getInputType(index).getRank(); }
  mlir::Type getElementType(unsigned index) const { return getInputType(index).getElementType(); }

  unsigned getNumOutputs() const { return op.getNumResults(); }
  /// False for an output that is left out.
  bool hasOutput(unsigned index) const;
  /// Type of output `index` after inference.
  mlir::RankedTensorType getOutputType(unsigned index) const;

  /// Attributes; one of another kind counts as missing (`inferNode` refuses it before).
  mlir::Attribute getAttribute(llvm::StringRef name) const;
  bool hasAttribute(llvm::StringRef name) const { return bool(getAttribute(name)); }
  int64_t getInt(llvm::StringRef name, int64_t defaultValue) const;
  double getFloat(llvm::StringRef name, double defaultValue) const;
  llvm::StringRef getString(llvm::StringRef name, llvm::StringRef defaultValue) const;
  std::optional<llvm::SmallVector<int64_t>> getInts(llvm::StringRef name) const;
  std::optional<llvm::SmallVector<double>> getFloats(llvm::StringRef name) const;

  /// The value of an input if it is a constant.
  mlir::ElementsAttr getConstant(unsigned index) const;
  /// Its elements, for constants of integers or Booleans, and of floats; nothing otherwise.
  std::optional<llvm::SmallVector<int64_t>> getConstantInts(unsigned index) const;
  std::optional<llvm::SmallVector<double>> getConstantFloats(unsigned index) const;

  /// A list that older opsets have as attribute `name` and newer ones as input `index`: nothing if
  /// there is neither, an error that says so if the input is not a constant.
  mlir::FailureOr<std::optional<llvm::SmallVector<int64_t>>> getIntsParameter(llvm::StringRef name,
                                                                              unsigned index);

  /// `axis` from 0 to `rank` - 1 (to `rank` if `allowsEnd`); an error if it is none of the tensor.
  mlir::FailureOr<int64_t> normalizeAxis(int64_t axis, int64_t rank, bool allowsEnd = false);
  /// The same for a list without duplicates, in the list's order.
  mlir::FailureOr<llvm::SmallVector<int64_t>> normalizeAxes(llvm::ArrayRef<int64_t> axes,
                                                            int64_t rank);

  /// Whether `elements` more may be written down; they count if so.
  bool spend(int64_t elements) const;
  /// The same, with an error if not.
  mlir::LogicalResult spendOrReject(int64_t elements) const;
  /// The same for a tensor of this shape. A negative size is an error, too.
  mlir::LogicalResult spendOrReject(llvm::ArrayRef<int64_t> shape) const;

  /// Starts an error at the node that names it; the caller adds the reason.
  mlir::InFlightDiagnostic reject() const;

  /// Gives output `index` its type, if it is there. Fails if it has too many elements.
  mlir::LogicalResult setOutput(unsigned index, llvm::ArrayRef<int64_t> shape,
                                mlir::Type elementType);

private:
  mutable NodeOp op; // reading an op is not const in MLIR
  int64_t opset;
  FoldBudget *budget;
};

/// Elements of a constant in row-major order, unsigned ones extended by zeros; nothing if they are
/// not integers (not floats), not in memory, or more than 2^22.
std::optional<llvm::SmallVector<int64_t>> readInts(mlir::ElementsAttr value);
std::optional<llvm::SmallVector<double>> readFloats(mlir::ElementsAttr value);

/// Whether a tensor of this shape can be worked with: at most 32 dimensions, none negative, and
/// 2^40 bytes of the widest elements.
bool isAddressable(llvm::ArrayRef<int64_t> shape);

/// Shape of the result when tensors of these shapes are combined element by element, after NumPy's
/// rules; nothing if they do not fit.
std::optional<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> lhs,
                                                          llvm::ArrayRef<int64_t> rhs);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_NODE_H
