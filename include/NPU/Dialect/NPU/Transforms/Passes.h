//===- Passes.h - passes on the npu dialect -------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PASSES_H
#define NPU_DIALECT_NPU_TRANSFORMS_PASSES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace npu {

/// What searches for tiles found, by problem: networks repeat their layers, and kernels of several
/// stages have the problems of shorter ones. For one pass at a time.
class TileMemo;
std::shared_ptr<TileMemo> createTileMemo();

#define GEN_PASS_DECL
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"

/// The pass that looks into `memo` before it searches, and adds what it finds.
std::unique_ptr<mlir::Pass> createNPUChooseTiles(std::shared_ptr<TileMemo> memo);

#define GEN_PASS_REGISTRATION
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_H
