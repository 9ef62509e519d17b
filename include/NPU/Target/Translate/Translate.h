//===- Translate.h - programs out of and into MLIR ------------------------===//

#ifndef NPU_TARGET_TRANSLATE_TRANSLATE_H
#define NPU_TARGET_TRANSLATE_TRANSLATE_H

#include "NPU/Support/ToolLog.h"
#include "NPU/Target/ISA/Program.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace npu {

/// The program of the module's only npu_isa.program. Fails, after a diagnostic, when there is none
/// or more than one.
llvm::FailureOr<isa::Program> getProgram(mlir::Operation *module);

/// Reads a program from assembly text or from a binary, whichever the buffer holds.
llvm::Expected<isa::Program> readProgram(llvm::MemoryBufferRef buffer);

/// Registers `--mlir-to-npu-asm`, `--mlir-to-npu-binary`, `--npu-asm-to-mlir`,
/// `--npu-asm-to-binary`, `--npu-binary-to-asm` and `--upgrade-iree-ir` with npu-translate.
void registerTranslations();

/// Runs the translations that the command line asks for; the result is the tool's exit code. `log`
/// hears what they say.
int translateMain(int argc, char **argv, ToolLog &log);

} // namespace npu

#endif // NPU_TARGET_TRANSLATE_TRANSLATE_H
