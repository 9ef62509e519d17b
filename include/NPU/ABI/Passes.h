//===- Passes.h - passes of the abi phase ---------------------------------===//

#ifndef NPU_ABI_PASSES_H
#define NPU_ABI_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npu::abi {

/// How a caller and a function wait for each other.
enum class InvocationModel {
  /// What a function returns is available.
  Sync,
  /// The function waits for one fence and signals another when its tensors are available.
  CoarseFences,
};

#define GEN_PASS_DECL
#include "NPU/ABI/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/ABI/Passes.h.inc"

} // namespace npu::abi

#endif // NPU_ABI_PASSES_H
