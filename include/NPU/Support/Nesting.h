//===- Nesting.h - how deep input may be nested ---------------------------===//

#ifndef NPU_SUPPORT_NESTING_H
#define NPU_SUPPORT_NESTING_H

#include "llvm/Support/MemoryBufferRef.h"

namespace npu {

/// MLIR's parser, verifier and printer call themselves for every level of nested regions,
/// attributes, types, locations and affine expressions. Beyond some thousands of levels the stack
/// would overflow.
constexpr unsigned kMaxNesting = 1000;

/// Returns whether no brackets in MLIR's text form are nested deeper than kMaxNesting, aliases
/// looked through. Otherwise says where. Bytecode is fine: its reader calls itself nowhere.
bool checkNesting(llvm::MemoryBufferRef buffer);

} // namespace npu

#endif // NPU_SUPPORT_NESTING_H
