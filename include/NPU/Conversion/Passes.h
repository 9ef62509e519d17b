//===- Passes.h - conversions between dialects ----------------------------===//

#ifndef NPU_CONVERSION_PASSES_H
#define NPU_CONVERSION_PASSES_H

#include "NPU/Target/Desc/TargetFile.h"

#include "mlir/Pass/Pass.h"

namespace npu {

#define GEN_PASS_DECL
#include "NPU/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Conversion/Passes.h.inc"

} // namespace npu

#endif // NPU_CONVERSION_PASSES_H
