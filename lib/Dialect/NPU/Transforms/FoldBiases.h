//===- FoldBiases.h - sums that start from a bias -------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_FOLDBIASES_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_FOLDBIASES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/OwningOpRef.h"

namespace npu {

/// The kernel, in tensor form, with the biases of its contractions folded into them; null where
/// there are none.
mlir::OwningOpRef<KernelOp> foldBiases(KernelOp kernel);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_FOLDBIASES_H
