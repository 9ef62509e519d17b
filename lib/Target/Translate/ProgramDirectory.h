//===- ProgramDirectory.h - several programs, one file each ---------------===//

#ifndef NPU_LIB_TARGET_TRANSLATE_PROGRAMDIRECTORY_H
#define NPU_LIB_TARGET_TRANSLATE_PROGRAMDIRECTORY_H

#include "NPU/Support/OutputFiles.h"

#include "mlir/IR/Operation.h"

#include <functional>
#include <string>

namespace npu {

/// Where programs are written when `-o` names a directory; the path is empty when it does not.
struct ProgramDirectory {
  std::string path;
  OutputFiles *files = nullptr;
  bool isUsed = false; ///< some translation has written programs
};

/// That of the running translation.
ProgramDirectory &getProgramDirectory();

/// The file of the program: its name, with what is no letter, digit, `.`, `-`, `_` or `$` as `%`
/// and two hexadecimal digits, and the extension.
std::string getProgramFileName(llvm::StringRef program, llvm::StringRef extension);

/// Writes all programs below `module`, or the one named `only`, into the directory. Fails after an
/// error that has been printed.
mlir::LogicalResult writePrograms(
    mlir::Operation *module, llvm::StringRef only, llvm::StringRef extension,
    llvm::function_ref<mlir::LogicalResult(mlir::Operation *, llvm::raw_ostream &)> write);

} // namespace npu

#endif // NPU_LIB_TARGET_TRANSLATE_PROGRAMDIRECTORY_H
