//===- Assembly.h - programs as text --------------------------------------===//
//
// The text form of a program, for reading, writing by hand, and tests. docs/assembly.md describes
// it. Printing a parsed program and parsing a printed one are exact inverses.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_ASSEMBLY_ASSEMBLY_H
#define NPU_TARGET_ASSEMBLY_ASSEMBLY_H

#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/raw_ostream.h"

namespace npu::isa {

/// Prints the program. The program must satisfy checkProgram.
void printAssembly(const Program &program, llvm::raw_ostream &os);

/// Prints one instruction without its indentation.
void printInstruction(const Instruction &instruction, llvm::raw_ostream &os);

/// Parses a whole program and checks it with checkProgram. Messages start with
/// `<fileName>:<line>:<column>: error:`.
llvm::Expected<Program> parseAssembly(llvm::StringRef text, llvm::StringRef fileName);

} // namespace npu::isa

#endif // NPU_TARGET_ASSEMBLY_ASSEMBLY_H
