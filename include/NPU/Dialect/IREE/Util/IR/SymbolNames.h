//===- SymbolNames.h - names of symbols that passes make ------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_SYMBOLNAMES_H
#define NPU_DIALECT_IREE_UTIL_IR_SYMBOLNAMES_H

#include "mlir/IR/Types.h"

namespace npu::util {

/// `prefix` and, after an underscore each, the identifiers in `parts` (what is no letter or digit
/// separates them) and those in the text of `type`: `__constant_tensor_4xi8`.
std::string getSymbolName(llvm::StringRef prefix, mlir::Type type, llvm::StringRef parts = "");

} // namespace npu::util

#endif // NPU_DIALECT_IREE_UTIL_IR_SYMBOLNAMES_H
