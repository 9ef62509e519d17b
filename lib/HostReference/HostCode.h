//===- HostCode.h - how functions for the host become machine code --------===//

#ifndef NPU_LIB_HOSTREFERENCE_HOSTCODE_H
#define NPU_LIB_HOSTREFERENCE_HOSTCODE_H

#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Target/TargetMachine.h"

namespace npu::runtime {

/// Whose instructions code may use.
enum class HostCPU { ThisOne, AnyOfArchitecture };

/// A machine whose results do not depend on what instructions it has.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(unsigned optLevel,
                                                                         HostCPU cpu);

/// LLVM's standard pipeline, without what costs time and brings nothing for these loops.
llvm::Error optimizeModule(llvm::Module &module, llvm::TargetMachine &machine, unsigned optLevel);

/// Functions of the compiler's library that LLVM calls where the host has no instruction.
llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::MangleAndInterner mangle);

/// All that code in object files may call: these, and C's functions for mathematics and memory.
llvm::orc::SymbolMap getHostSymbols(llvm::orc::MangleAndInterner mangle);

/// Fails for an object file that calls anything else.
llvm::Error checkHostSymbols(llvm::MemoryBufferRef code, llvm::orc::ExecutionSession &session,
                             const llvm::DataLayout &layout);

} // namespace npu::runtime

#endif // NPU_LIB_HOSTREFERENCE_HOSTCODE_H
