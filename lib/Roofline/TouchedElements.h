//===- TouchedElements.h - what of its arguments a function reads ---------===//

#ifndef NPU_LIB_ROOFLINE_TOUCHEDELEMENTS_H
#define NPU_LIB_ROOFLINE_TOUCHEDELEMENTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace npu::runtime {

/// Elements of tensors that a function's results depend on, whatever computes them. Follows
/// linalg's indexing maps, slices, padding and reshapes from the results to the arguments. What it
/// does not know, or would have to list, counts as not read: the counts are lower bounds.
class TouchedElements {
public:
  explicit TouchedElements(mlir::FunctionOpInterface function);

  /// Distinct elements of `argument` that are read, at least.
  int64_t count(mlir::Value argument) const;

private:
  /// Coordinates per dimension; every combination of them is read.
  using Box = llvm::SmallVector<llvm::BitVector>;

  /// Keeps the larger of what is known to be read.
  void add(mlir::Value value, Box box);
  void propagate(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Box> boxes;
};

} // namespace npu::runtime

#endif // NPU_LIB_ROOFLINE_TOUCHEDELEMENTS_H
