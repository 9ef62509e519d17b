//===- TableLookup.h - recognizes functions that tables give --------------===//

#ifndef NPU_PREPARATION_TABLELOOKUP_H
#define NPU_PREPARATION_TABLELOOKUP_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <optional>

namespace npu {

/// What a table has for a number, as TOSA's TABLE defines it.
struct TableLookup {
  mlir::Value input; ///< the number, of i8 or i16
  mlir::Value table;
  bool isUnsigned = false; ///< the table begins with what it has for 0, not for the least number
  llvm::SmallVector<mlir::tensor::ExtractOp, 2> reads; ///< that the table is read by
};

/// `tail`, an op of a body, as a table's function of a number; nothing if it is something else.
/// Tables of i8 have an element for every number, those of i16 are interpolated.
std::optional<TableLookup> matchTableLookup(mlir::Operation *tail);

} // namespace npu

#endif // NPU_PREPARATION_TABLELOOKUP_H
