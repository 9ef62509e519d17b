//===- LinalgToNPU.h - linalg on tensors to the npu dialect ---------------===//

#ifndef NPU_CONVERSION_LINALGTONPU_LINALGTONPU_H
#define NPU_CONVERSION_LINALGTONPU_LINALGTONPU_H

#include "NPU/Dialect/NPU/Transforms/Rejection.h"

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace npu {

/// Why no target can run `op`, an op of a dispatch on tensors. Nothing if convert-linalg-to-npu
/// converts it or leaves it as it is.
std::optional<Rejection> getConversionFailure(mlir::Operation *op);

/// An op that the body of an element-wise op may have, and what it becomes, e.g. `npu.unary exp`.
struct BodyOpMapping {
  llvm::StringRef op;
  std::string npuOp;
};
llvm::SmallVector<BodyOpMapping> getBodyOpMappings();

/// The patterns of convert-linalg-to-npu: contractions, convolutions, element-wise ops.
void populateLinalgToNPUPatterns(mlir::RewritePatternSet &patterns);

} // namespace npu

#endif // NPU_CONVERSION_LINALGTONPU_LINALGTONPU_H
