//===- Attention.h - what forms of attention have in common ---------------===//

#ifndef NPU_LIB_DIALECT_ONNX_SPECS_ATTENTION_H
#define NPU_LIB_DIALECT_ONNX_SPECS_ATTENTION_H

#include "OpSpecFunctions.h"

namespace npu::onnx_ir {

/// Q is batch x heads x rows x size, K batch x keyHeads x keys x size, V the same of valueSize.
struct Heads {
  int64_t batch = 0, heads = 0, rows = 0, size = 0, keyHeads = 0, keys = 0, valueSize = 0;

  mlir::Value q, k, v;

  /// How many heads share keys.
  int64_t getGroup() const { return heads / keyHeads; }
  /// Whether scores have the rows of such heads in one dimension.
  bool mergesRows() const { return getGroup() > 1 && batch > 1 && rows > 1; }
  /// The rows of scores where what is the same for all heads has a row for each.
  int64_t getScoreRows() const { return mergesRows() ? getGroup() * rows : rows; }
};

/// A tensor that is broadcast to batch x heads x rows x keys.
struct Spread {
  mlir::Value value;
  llvm::SmallVector<int64_t> shape;
};

/// What is done to the products of Q and K, and to their softmax.
struct Scores {
  std::optional<double> scale; ///< none: one over the root of the size of a head
  double softcap = 0;
  llvm::SmallVector<Spread> masks; ///< Booleans: what is seen
  llvm::SmallVector<Spread> biases;
  /// Whether keys that are not seen have scores of minus infinity. ONNX Runtime's own operators
  /// give them the lowest number, so that a row of nothing else is the mean of all values.
  bool hidesByInfinity = false;
  /// Whether there may be rows of nothing but infinities, which are zero.
  bool mayHideRows = false;
  mlir::Type softmaxType; ///< null: of Q
  std::optional<int64_t> shown;
  mlir::Value
      output; ///< what is shown of them: 0 products, 1 with softcap, 2 with masks, 3 softmax
};

/// Batch x heads x rows x valueSize.
mlir::Value attend(Expansion &b, const Heads &heads, mlir::Type type, Scores &scores);

/// What is the same for all heads and of each row along `axis`, of each row of the scores.
mlir::Value repeatRows(Expansion &b, const Heads &heads, mlir::Value value, int64_t axis);

/// Batch x rows x (heads * size) as batch x heads x rows x size, and back.
mlir::Value splitHeads(Expansion &b, mlir::Value value, int64_t batch, int64_t rows, int64_t heads,
                       int64_t size);
mlir::Value joinHeads(Expansion &b, mlir::Value value, int64_t batch, int64_t rows, int64_t width);

/// Numbers in order, of i32.
mlir::Value getPositions(Expansion &b, int64_t count, llvm::ArrayRef<int64_t> shape,
                         int64_t first = 0);

/// Reject the node unless its elements are floats and heads of Q can share those of K, unless an
/// input has one of `ranks`, and unless the last dimension of an input is of `parts` equal ones.
mlir::LogicalResult checkHeads(Node &node, Heads &heads);
mlir::LogicalResult checkRank(Node &node, unsigned input, llvm::ArrayRef<int64_t> ranks);
mlir::LogicalResult checkWidth(Node &node, unsigned input, int64_t parts);

/// Rotates pairs of the first 2 * `half` of the last dimension of `value`, of `shape`, by angles
/// whose cosines and sines are broadcast to it with `half` as last dimension. Pairs are neighbors
/// if `isInterleaved`, otherwise one half and the other.
mlir::Value rotate(Expansion &b, mlir::Value value, llvm::ArrayRef<int64_t> shape,
                   mlir::Value cosine, mlir::Value sine, int64_t half, bool isInterleaved);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_SPECS_ATTENTION_H
