//===- StreamIndices.h - index values of a stream -------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_STREAMINDICES_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_STREAMINDICES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

namespace npu {

/// Makes each index value of the stream a function of loop counters alone, or a constant, and
/// removes those that no op needs.
void composeIndexValues(StreamOp stream);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_STREAMINDICES_H
