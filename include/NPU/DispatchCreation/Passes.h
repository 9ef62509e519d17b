//===- Passes.h - passes of the dispatch_creation phase -------------------===//

#ifndef NPU_DISPATCH_CREATION_PASSES_H
#define NPU_DISPATCH_CREATION_PASSES_H

#include "NPU/DispatchCreation/FusionMode.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npu::dispatch_creation {

#define GEN_PASS_DECL
#include "NPU/DispatchCreation/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/DispatchCreation/Passes.h.inc"

} // namespace npu::dispatch_creation

#endif // NPU_DISPATCH_CREATION_PASSES_H
