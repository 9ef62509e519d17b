//===- IdlePasses.h - passes that find nothing to work on -----------*- C++ -*-===//

#ifndef NPU_INITALL_IDLEPASSES_H
#define NPU_INITALL_IDLEPASSES_H

#include "mlir/Pass/PassManager.h"

namespace npu {

/// Warns when passes of `pm` on kernels or programs run on a module without any: it would come out
/// as it was, as if all had gone well. Once for what follows each other.
void warnAboutIdlePasses(mlir::PassManager &pm);

} // namespace npu

#endif // NPU_INITALL_IDLEPASSES_H
