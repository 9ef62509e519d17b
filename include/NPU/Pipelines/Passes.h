//===- Passes.h - passes that pipelines consist of ------------------------===//

#ifndef NPU_PIPELINES_PASSES_H
#define NPU_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace npu {

#define GEN_PASS_DECL
#include "NPU/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Pipelines/Passes.h.inc"

} // namespace npu

#endif // NPU_PIPELINES_PASSES_H
