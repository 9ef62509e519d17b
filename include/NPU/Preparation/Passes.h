//===- Passes.h - passes that prepare linalg for kernels ------------------===//

#ifndef NPU_PREPARATION_PASSES_H
#define NPU_PREPARATION_PASSES_H

#include "NPU/Target/Desc/TargetFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace npu {

#define GEN_PASS_DECL
#include "NPU/Preparation/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Preparation/Passes.h.inc"

} // namespace npu

#endif // NPU_PREPARATION_PASSES_H
