//===- Passes.h - passes of the global_opt phase --------------------------===//

#ifndef NPU_GLOBAL_OPTIMIZATION_PASSES_H
#define NPU_GLOBAL_OPTIMIZATION_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npu::global_opt {

#define GEN_PASS_DECL
#include "NPU/GlobalOptimization/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/GlobalOptimization/Passes.h.inc"

} // namespace npu::global_opt

#endif // NPU_GLOBAL_OPTIMIZATION_PASSES_H
