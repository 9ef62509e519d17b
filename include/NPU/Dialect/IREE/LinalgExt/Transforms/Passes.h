//===- Passes.h - passes on iree_linalg_ext -------------------------------===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_H
#define NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace npu::linalg_ext {

#define GEN_PASS_DECL
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"

/// Every pass that writes ops of the dialect as linalg: after these none is left but sorts, top-k
/// and scatters, which the NPU and the host have different forms for.
void addDecomposition(mlir::OpPassManager &pm);

} // namespace npu::linalg_ext

#endif // NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_H
