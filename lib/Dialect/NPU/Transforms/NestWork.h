//===- NestWork.h - what engines have to do in a loop nest ----------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_NESTWORK_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_NESTWORK_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Target/Desc/TargetDesc.h"

namespace npu {

/// Cycles that an op of a kernel in tile form takes of its engine, or of DRAM, in all iterations of
/// the loops around it. Extents of transfers count with their means.
struct Work {
  double array = 0, vector = 0; ///< of a cluster
  double dram = 0;              ///< of all clusters, bytes over bandwidth

  Work &operator+=(const Work &other) {
    array += other.array;
    vector += other.vector;
    dram += other.dram;
    return *this;
  }
};
Work getWork(mlir::Operation *op, const TargetDesc &target);

/// Cycles that an op of the array or the vector unit takes for a tile of these extents.
double getCycles(NPUComputeOpInterface op, llvm::ArrayRef<double> extents,
                 const TargetDesc &target);

/// Cycles that an op of the array or the vector unit takes in each iteration of the loops around
/// it, the innermost one's fastest, on the first cluster, which has the most to do. Of very many
/// iterations each takes what mean extents do.
std::vector<double> getIterationCycles(NPUComputeOpInterface op, const TargetDesc &target);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_NESTWORK_H
