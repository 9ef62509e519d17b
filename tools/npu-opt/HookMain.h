//===- HookMain.h - the command line of npu-opt --npu-iree-hook -----------===//

#ifndef NPU_TOOLS_NPUOPT_HOOKMAIN_H
#define NPU_TOOLS_NPUOPT_HOOKMAIN_H

namespace npu::hook {

/// The command line of `npu-opt --npu-iree-hook`: reads one executable, writes one. Returns the
/// exit code.
int hookMain(int argc, char **argv);

} // namespace npu::hook

#endif // NPU_TOOLS_NPUOPT_HOOKMAIN_H
