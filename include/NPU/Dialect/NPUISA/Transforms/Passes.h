//===- Passes.h - passes on the exit dialect ------------------------------===//

#ifndef NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_H
#define NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_H

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "mlir/Pass/Pass.h"

namespace npu::isa {

#define GEN_PASS_DECL
#include "NPU/Dialect/NPUISA/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/NPUISA/Transforms/Passes.h.inc"

} // namespace npu::isa

#endif // NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_H
