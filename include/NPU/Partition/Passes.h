//===- Passes.h - passes that place dispatches ----------------------------===//

#ifndef NPU_PARTITION_PASSES_H
#define NPU_PARTITION_PASSES_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Target/Desc/TargetFile.h"
#include "mlir/Pass/Pass.h"

namespace npu {

#define GEN_PASS_DECL
#include "NPU/Partition/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Partition/Passes.h.inc"

} // namespace npu

#endif // NPU_PARTITION_PASSES_H
