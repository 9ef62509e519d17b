//===- Passes.h - passes from tensors to the host's code ------------------===//

#ifndef NPU_HOSTLOWERING_PASSES_H
#define NPU_HOSTLOWERING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npu::host {

/// Marks the ops that `npu-host-order-loops` changed for `npu-host-tile-loops`.
inline constexpr llvm::StringLiteral orderedAttrName("npu_host.ordered");

/// What buffers of the code are aligned to, in bytes.
inline constexpr unsigned bufferAlignment = 64;

/// `message`, after the file location of `op` if it has one: the text that the generated code
/// prints.
std::string describe(mlir::Operation *op, llvm::StringRef message);

#define GEN_PASS_DECL
#include "NPU/HostLowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/HostLowering/Passes.h.inc"

} // namespace npu::host

#endif // NPU_HOSTLOWERING_PASSES_H
