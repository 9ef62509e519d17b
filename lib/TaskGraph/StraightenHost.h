//===- StraightenHost.h - host functions without control flow -------------===//

#ifndef NPU_LIB_TASKGRAPH_STRAIGHTENHOST_H
#define NPU_LIB_TASKGRAPH_STRAIGHTENHOST_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"

namespace npu::taskgraph {

/// Ops that calls and loops of one function may become.
inline constexpr int64_t kStraightLineLimit = 16384;

/// Brings `function` and the initializers of `module` as close to straight-line code as they come
/// without data: calls are inlined, branches lifted to scf, loops with constant trip counts
/// unrolled, conditions with constant values folded. What depends on data stays for the caller to
/// report. Attributes of ops are kept. Fails, located, beyond `kStraightLineLimit`.
llvm::Error straightenHost(mlir::ModuleOp module, mlir::FunctionOpInterface function);

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_STRAIGHTENHOST_H
