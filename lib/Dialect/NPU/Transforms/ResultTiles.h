//===- ResultTiles.h - results that leave the accumulators ------*- C++ -*-===//
//
// What the vector unit computes of sums it may leave in their place, in accumulator memory, from
// where it is stored. A tensor that is to stay in SRAM needs it there.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_RESULTTILES_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_RESULTTILES_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npu {

/// A tile that the last op on it writes to SRAM instead of accumulator memory.
struct ResultTile {
  DmaStoreOp store;
  mlir::OpOperand *destination; ///< of that op
  mlir::Value inAcc;
  mlir::memref::AllocOp inSram;
};

/// Whether an op of the vector unit computes all of what is stored, element by element.
bool writesAll(NPUComputeOpInterface op, DmaStoreOp store);

/// Lets ops of the vector unit write what is stored right afterwards, and loaded again by the
/// kernel, to tiles in SRAM.
llvm::SmallVector<ResultTile> moveResultsToSram(KernelOp kernel);

/// Undoes that.
void moveBack(const ResultTile &tile);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_RESULTTILES_H
