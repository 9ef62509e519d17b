//===- NestPasses.h - passes on functions in pipelines on modules ---------===//

#ifndef NPU_INITALL_NESTPASSES_H
#define NPU_INITALL_NESTPASSES_H

#include "mlir/Pass/PassManager.h"

namespace npu {

/// Nests each pass of `pm` that does not run on the op of `pm`, but on ops with an interface, so
/// that it runs on all such ops in there, one by one and at the same time. MLIR nests only passes
/// on ops of one name; `--npu-global-opt-raise-special-ops` is for func.func and util.func alike.
void nestInterfacePasses(mlir::PassManager &pm);

} // namespace npu

#endif // NPU_INITALL_NESTPASSES_H
