//===- Nesting.h - how deep input may be nested ---------------------------===//

#ifndef NPU_SUPPORT_NESTING_H
#define NPU_SUPPORT_NESTING_H

#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

namespace npu {

/// MLIR's parser, verifier and printer call themselves for every level of nested regions,
/// attributes, types, locations and affine expressions. Beyond some thousands of levels the stack
/// would overflow.
constexpr unsigned kMaxNesting = 1000;

/// Returns whether no brackets in MLIR's text form are nested deeper than kMaxNesting, aliases
/// looked through. Otherwise says where, on `os`. Bytecode is fine: its reader calls itself
/// nowhere.
bool checkNesting(llvm::MemoryBufferRef buffer, llvm::raw_ostream &os = llvm::errs());

} // namespace npu

#endif // NPU_SUPPORT_NESTING_H
