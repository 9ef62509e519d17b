//===- Translate.h - programs out of and into MLIR ------------------------===//

#ifndef NPU_TARGET_TRANSLATE_TRANSLATE_H
#define NPU_TARGET_TRANSLATE_TRANSLATE_H

#include "NPU/Support/ToolLog.h"
#include "NPU/Target/ISA/Program.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class Translation;
} // namespace mlir

namespace npu {

/// The program of the module's only npu_isa.program. Fails, after a diagnostic, when there is none
/// or more than one.
llvm::FailureOr<isa::Program> getProgram(mlir::Operation *module);

/// Reads a program from assembly text or from a binary, whichever the buffer holds.
/// Errors begin with the buffer's name and, in assembly, line and column.
llvm::Expected<isa::Program> readProgram(llvm::MemoryBufferRef buffer);

/// Registers `--mlir-to-npu-asm`, `--mlir-to-npu-binary`, `--dispatch-graph-dot`,
/// `--npu-asm-to-mlir`, `--npu-asm-to-binary`, `--npu-binary-to-asm` and `--upgrade-iree-ir` with
/// upstream's registry, and the option that says which program they write.
void registerTranslations();

/// Registers the options of translateMain.
void registerTranslateOptions();

/// Runs translations, one on the result of the other, as the options say once they are parsed. The
/// output is a file, or for programs a directory. `log` hears what they say. Returns the exit code
/// of the tool: 0 when all is well, 1 for bad input, 2 for bad usage.
int translateMain(llvm::ArrayRef<const mlir::Translation *> translations, llvm::StringRef input,
                  llvm::StringRef output, ToolLog &log);

} // namespace npu

#endif // NPU_TARGET_TRANSLATE_TRANSLATE_H
