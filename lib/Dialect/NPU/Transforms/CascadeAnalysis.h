//===- CascadeAnalysis.h - reductions that depend on others ---------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_CASCADEANALYSIS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_CASCADEANALYSIS_H

#include "StageGraph.h"

namespace npu {

/// How a value depends on reductions along the dimension.
struct Dependence {
  enum Kind {
    None,      ///< on none
    Result,    ///< it is the result of one, or computed of such without the dimension
    Shift,     ///< scale * (extreme - x), where x depends on none
    Scale,     ///< exp(Shift), or a product with that
    Deviation, ///< x - mean, or its negative, where x depends on none
    Square,    ///< of a deviation
    Other
  };
  Kind kind = None;
  /// The extreme of Shift and Scale, the mean of Deviation and Square.
  mlir::Value reference = {};
  /// Of a result: the extreme or the sum of which it is a copy, or, of an extreme, which is beyond
  /// it, or, of a sum, `scale` times it.
  ReduceOp reduction = {};
  double scale = 1;                    ///< of a result, Shift and Scale
  UnaryKind function = UnaryKind::Exp; ///< of Scale
  /// Results that the value is divided or multiplied by. Blocks leave that out: their own results
  /// may be zero.
  llvm::SmallVector<std::pair<BinaryKind, mlir::Value>, 1> factors = {};
};

/// Follows one dimension through a kernel.
class CascadeAnalysis {
public:
  CascadeAnalysis(const StageGraph &graph, unsigned dim);

  /// Whether every op can be split along the dimension.
  bool isSplittable() const { return canSplit; }
  /// Whether some reduction is one of a cascade.
  bool hasCascade() const { return isCascade; }

  const Dependence &get(mlir::Value value) const {
    static const Dependence none;
    auto known = dependences.find(value);
    return known == dependences.end() ? none : known->second;
  }
  /// The kernel's dimension of each iteration dimension of `op`.
  llvm::ArrayRef<unsigned> getDims(mlir::Operation *op) const { return dimsOf.find(op)->second; }
  bool hasDim(mlir::Operation *op) const { return llvm::is_contained(getDims(op), dim); }
  bool reduces(NPUComputeOpInterface op) const;
  bool isLocal(NPUComputeOpInterface op, const Dependence *&dependence) const;
  /// The kernel's dimensions of the coordinates that `map` has of an operand of `op`.
  llvm::SmallVector<unsigned> getDims(mlir::Operation *op, mlir::AffineMap map) const;

private:
  void analyze(NPUComputeOpInterface op);
  bool hasSimpleForm(NPUComputeOpInterface op) const;
  Dependence getElementwise(NPUComputeOpInterface op) const;
  Dependence getBinary(BinaryOp op) const;
  Dependence getDifference(BinaryOp op) const;

  unsigned dim;
  int64_t extent; ///< of the dimension
  bool canSplit = true, isCascade = false;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> dimsOf;
  llvm::DenseMap<mlir::Value, Dependence> dependences;
};

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_CASCADEANALYSIS_H
