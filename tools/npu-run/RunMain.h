//===- RunMain.h - the command line of npu-run ----------------------------===//

#ifndef NPU_TOOLS_NPURUN_RUNMAIN_H
#define NPU_TOOLS_NPURUN_RUNMAIN_H

namespace npu::runtime {

/// Parses the command line and runs a model or a program. Returns the exit code: 0 when all is
/// well, 1 for bad input, 2 for bad usage, 3 when a comparison failed, 4 when the simulator
/// trapped.
int runMain(int argc, char **argv);

} // namespace npu::runtime

#endif // NPU_TOOLS_NPURUN_RUNMAIN_H
