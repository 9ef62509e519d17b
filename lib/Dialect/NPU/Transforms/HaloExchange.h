//===- HaloExchange.h - what clusters read of each other's shares ---------===//
//
// Windows of a cluster's rows reach into the rows of the clusters before and behind it. Where each
// has its share of a tensor in SRAM, only these rows go through DRAM: those at the borders of a
// share are stored, and loaded into the buffers of the neighbors, beside their own.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_HALOEXCHANGE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_HALOEXCHANGE_H

#include "HandedOnTensor.h"

#include "mlir/IR/Builders.h"

namespace npu {

/// Behind the last store of `tensor`, stores what other clusters read of each share, which is in
/// `buffer`.
void storeBorders(const HandedOnTensor &tensor, mlir::Value buffer);

/// Loads the halo into `buffer` at the builder's place, in the first iteration of the loops there.
void loadHalo(mlir::OpBuilder &builder, const HandedOnTensor &tensor, mlir::Value buffer);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_HALOEXCHANGE_H
