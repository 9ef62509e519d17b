//===- OpSpec.h - what is known of ONNX operators -------------------------===//
//
// Two tables say which operators there are and what their nodes must look like: OpSpecs.def, how
// the types of results follow, what is folded, and how they are lowered; FunctionSpecs.def, which
// other nodes they stand for. The inference of types, the conversion to linalg
// (NPU/Conversion/ONNXToLinalg) and docs/SupportedOnnxOps.md read it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_OPSPEC_H
#define NPU_DIALECT_ONNX_SPECS_OPSPEC_H

#include "NPU/Dialect/ONNX/Specs/Expansion.h"

namespace npu::onnx_ir {

/// Newest version of the default domain's operator set whose changes the table knows.
inline constexpr int64_t newestOpset = 29;

/// Where the dispatches of a model run that has one node, of types and shapes that the NPU has use
/// for. A test compiles one for each operator.
enum class Runs {
  NPU,
  Host,
  Both,    ///< several dispatches
  Nowhere, ///< no dispatch: computed while importing, the same data under another shape, or copies
};

/// As docs/SupportedOnnxOps.md has it.
llvm::StringRef describe(Runs runs);

/// Checks what the table cannot say and sets the types of the outputs. Refuses (Node::reject) all
/// that the lowering does not do: a lowering cannot fail.
using InferFn = mlir::LogicalResult (*)(Node &);

/// The values of all outputs for constant inputs, or nothing if this case is not folded. Called
/// after inference; sees inputs that are not constants, too.
using FoldFn = llvm::SmallVector<mlir::ElementsAttr> (*)(Node &);

/// Writes the nodes that a node stands for, after checks as those of InferFn.
using ExpandFn = mlir::LogicalResult (*)(Expansion &);

struct OpSpec {
  llvm::StringLiteral name;
  /// First version of the domain's operator set whose definition is implemented.
  int64_t since;
  unsigned minInputs;
  int maxInputs; ///< -1: any number
  unsigned maxOutputs;
  llvm::StringLiteral attributes; ///< names, separated by spaces
  /// Bit i: input i must be a constant, as it says something about shapes.
  unsigned constantInputs;
  InferFn infer;
  FoldFn fold;
  Runs runs;
  llvm::StringLiteral limits; ///< what is refused, for the documentation
  /// Empty: the default domain.
  llvm::StringLiteral domain = "";
  /// Of what is replaced by other nodes, which are inferred, folded and lowered in its stead.
  ExpandFn expand = nullptr;

  bool needsConstant(unsigned input) const { return input < 32 && (constantInputs >> input & 1); }
};

/// The operators that are lowered, by name, and those that stand for others, by domain and name.
llvm::ArrayRef<OpSpec> getOpSpecs();
llvm::ArrayRef<OpSpec> getFunctionSpecs();

/// Nothing for an operator that is not known.
const OpSpec *lookupOpSpec(NodeOp op);

/// Version of the operator set of the node's domain that its module imports; 1 if it says none.
int64_t getOpset(NodeOp node);

/// Checks a node against its specification: number of inputs and outputs, attributes, static
/// shapes. Errors are emitted.
mlir::LogicalResult checkNode(const OpSpec &spec, Node &node);
/// The same, and infers the types of its outputs.
mlir::LogicalResult inferNode(const OpSpec &spec, Node &node);

/// The table in Markdown: docs/SupportedOnnxOps.md.
void printSupportedOps(llvm::raw_ostream &os);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_OPSPEC_H
