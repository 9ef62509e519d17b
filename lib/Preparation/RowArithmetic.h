//===- RowArithmetic.h - normalized rows in integers of 32 bits -----------===//

#ifndef NPU_LIB_PREPARATION_ROWARITHMETIC_H
#define NPU_LIB_PREPARATION_ROWARITHMETIC_H

#include "RowForms.h"

namespace npu {

/// A tensor of i32 with an element for each position of the loops that a form was read in; `unit`
/// is what 1 stands for.
struct FixedPoint {
  mlir::Value tensor;
  double unit = 0;
};

/// Computes `form`, a softmax or a normal number, from its bytes. `sizes` are those of the loops.
/// Creates nothing, and says why in `reason`, where integers of 32 bits would not be close enough.
std::optional<FixedPoint> createFixedPoint(mlir::OpBuilder &builder, mlir::Location loc,
                                           const RowForm &form, llvm::ArrayRef<int64_t> sizes,
                                           llvm::StringRef &reason);

} // namespace npu

#endif // NPU_LIB_PREPARATION_ROWARITHMETIC_H
