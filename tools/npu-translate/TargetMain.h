//===- TargetMain.h - npu-translate --target-to-json ----------------------===//

#ifndef NPU_TOOLS_NPU_TRANSLATE_TARGETMAIN_H
#define NPU_TOOLS_NPU_TRANSLATE_TARGETMAIN_H

#include "NPU/Support/ToolLog.h"

namespace npu {

/// Adds the command to npu-translate's help.
void registerTargetCommand();
/// Whether the command line asks for it.
bool isTargetCommand(int argc, char **argv);
/// Writes a target as a file that `--target=@file` reads, and returns the exit code.
int targetMain(int argc, char **argv, ToolLog &log);

} // namespace npu

#endif // NPU_TOOLS_NPU_TRANSLATE_TARGETMAIN_H
