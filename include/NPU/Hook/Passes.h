//===- Passes.h - passes on executables before code generation ------------===//

#ifndef NPU_HOOK_PASSES_H
#define NPU_HOOK_PASSES_H

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Target/Desc/TargetFile.h"
#include "mlir/Pass/Pass.h"

namespace npu::hook {

#define GEN_PASS_DECL
#include "NPU/Hook/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Hook/Passes.h.inc"

/// Registers `--npu-hal-preprocess-executables-with=`, which takes its value as it is: a command or
/// a pipeline.
void registerPreprocessExecutablesWith();

} // namespace npu::hook

#endif // NPU_HOOK_PASSES_H
