//===- ProgramDirectory.h - several programs, one file each ---------------===//

#ifndef NPU_LIB_TARGET_TRANSLATE_PROGRAMDIRECTORY_H
#define NPU_LIB_TARGET_TRANSLATE_PROGRAMDIRECTORY_H

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/ToolLog.h"

#include <string>

namespace npu {

/// Where programs are written when `-o` names a directory; the path is empty when it does not.
struct ProgramDirectory {
  std::string path;
  OutputFiles *files = nullptr;
  ToolLog *log = nullptr; ///< hears of files that cannot be written
  bool isUsed = false;    ///< some translation has written programs
};

/// That of the running translation.
ProgramDirectory &getProgramDirectory();

/// The file of the program: its name, with what is no letter, digit, `.`, `-`, `_` or `$` as `%`
/// and two hexadecimal digits, and the extension.
std::string getProgramFileName(llvm::StringRef program, llvm::StringRef extension);

/// Writes one program; fails after an error that has been printed.
using WriteProgram =
    llvm::function_ref<mlir::LogicalResult(isa::ProgramOp program, llvm::raw_ostream &)>;

/// Writes the programs into the directory. Fails after an error that has been printed.
mlir::LogicalResult writePrograms(llvm::ArrayRef<isa::ProgramOp> programs,
                                  llvm::StringRef extension, WriteProgram write);

} // namespace npu

#endif // NPU_LIB_TARGET_TRANSLATE_PROGRAMDIRECTORY_H
