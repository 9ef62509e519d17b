//===- HostCall.h - calls of generated code -------------------------------===//
//
// Generated code takes its temporaries from malloc and, where a check fails, calls puts with the
// reason and then abort, as upstream lowers them. In this process these are the functions below:
// temporaries count against a limit, and a failed check ends the call, not the process.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_HOSTREFERENCE_HOSTCALL_H
#define NPU_LIB_HOSTREFERENCE_HOSTCALL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/Error.h"

namespace npu::runtime {

/// Runs `code`, which calls generated code and nothing else: its frames are left without being
/// unwound where a check fails, which is the error. All its temporaries are freed in any case, and
/// may have `memoryLimit` bytes at a time.
llvm::Error callHostCode(int64_t memoryLimit, llvm::function_ref<void()> code);

/// The functions of the C library that generated code finds instead of the process's.
llvm::orc::SymbolMap getCallSymbols(llvm::orc::MangleAndInterner mangle);

} // namespace npu::runtime

#endif // NPU_LIB_HOSTREFERENCE_HOSTCALL_H
