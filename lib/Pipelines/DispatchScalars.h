//===- DispatchScalars.h - scalars that dispatches read -------------------===//

#ifndef NPU_LIB_PIPELINES_DISPATCHSCALARS_H
#define NPU_LIB_PIPELINES_DISPATCHSCALARS_H

#include "mlir/IR/BuiltinOps.h"

namespace npu {

/// Gives the functions of the dispatches in `module` tensors of rank 0 for scalars, e.g. the
/// counter of a loop around the dispatch, as the host program does: `index` is i64. Kernels and
/// host functions have tensors only. What a `linalg.generic` reads becomes one of its inputs, which
/// the NPU broadcasts.
void passScalarsAsTensors(mlir::ModuleOp module);

} // namespace npu

#endif // NPU_LIB_PIPELINES_DISPATCHSCALARS_H
