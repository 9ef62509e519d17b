//===- Passes.h - passes that say something about a model -----------------===//

#ifndef NPU_REPORT_PASSES_H
#define NPU_REPORT_PASSES_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Target/Desc/TargetFile.h"
#include "mlir/Pass/Pass.h"

namespace npu::report {

#define GEN_PASS_DECL
#include "NPU/Report/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Report/Passes.h.inc"

} // namespace npu::report

#endif // NPU_REPORT_PASSES_H
