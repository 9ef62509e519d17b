//===- LinalgToNPU.h - linalg on tensors to the npu dialect ---------------===//

#ifndef NPU_CONVERSION_LINALGTONPU_LINALGTONPU_H
#define NPU_CONVERSION_LINALGTONPU_LINALGTONPU_H

#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace npu {

/// Why no target can run `op`, an op of a dispatch on tensors: the reason and a remedy, as in "body
/// op 'math.sin' has no npu equivalent; run this dispatch on the host". Nothing if
/// convert-linalg-to-npu converts it or leaves it as it is.
std::optional<std::string> getConversionFailure(mlir::Operation *op);

/// The patterns of convert-linalg-to-npu: contractions, convolutions, element-wise ops.
void populateLinalgToNPUPatterns(mlir::RewritePatternSet &patterns);

} // namespace npu

#endif // NPU_CONVERSION_LINALGTONPU_LINALGTONPU_H
