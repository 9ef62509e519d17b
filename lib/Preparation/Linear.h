//===- Linear.h - coordinates that loops move -------------------*- C++ -*-===//

#ifndef NPU_LIB_PREPARATION_LINEAR_H
#define NPU_LIB_PREPARATION_LINEAR_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"

namespace npu {

/// coordinate = constant + sum of coefficient * loop
struct Linear {
  llvm::SmallVector<int64_t> coefficients; ///< one per loop
  int64_t constant = 0;

  /// The loop that alone moves the coordinate, if there is one.
  std::optional<unsigned> getOnlyLoop() const {
    const auto *first = llvm::find_if(coefficients, [](int64_t c) { return c != 0; });
    if (first == coefficients.end() ||
        std::any_of(first + 1, coefficients.end(), [](int64_t c) { return c != 0; }))
      return std::nullopt;
    return first - coefficients.begin();
  }
  bool isConstant() const {
    return llvm::all_of(coefficients, [](int64_t c) { return c == 0; });
  }
};

/// `expr` of loops, or each result of `map`; nothing where one is not linear.
std::optional<Linear> getLinear(mlir::AffineExpr expr, unsigned numLoops);
std::optional<llvm::SmallVector<Linear>> getLinear(mlir::AffineMap map);

/// Whether `coordinate` lies in a dimension of `size` for all iterations of loops of `ranges`.
bool isInside(const Linear &coordinate, llvm::ArrayRef<int64_t> ranges, int64_t size);

/// `value` of a linalg op's body, of index or integer type, as what it is of the counters; null
/// where it is something else.
mlir::AffineExpr getCounterExpr(mlir::Value value);

} // namespace npu

#endif // NPU_LIB_PREPARATION_LINEAR_H
