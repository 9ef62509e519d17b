//===- SplitCascades.h - reductions of reductions, block by block ---------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_SPLITCASCADES_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_SPLITCASCADES_H

#include "StageGraph.h"

#include "mlir/IR/OwningOpRef.h"

namespace npu {

/// The dimension along which the kernel reduces exp(x - m), or a product with it, where m is the
/// extreme of x along the same dimension; nothing where there is none, or where an op cannot be
/// split along it.
std::optional<unsigned> findCascade(const StageGraph &graph);

/// The kernel with dimension `dim`, which findCascade returned, in blocks of `block` elements,
/// which divide it. Each block is reduced with its own extreme. What comes of it is scaled by
/// exp(m of the block - m of all blocks), and then all blocks are reduced.
mlir::OwningOpRef<KernelOp> splitCascade(const StageGraph &graph, unsigned dim, int64_t block);

/// Sizes of blocks worth a try for `extent` elements, largest first: divisors near powers of two.
llvm::SmallVector<int64_t> getBlockCandidates(int64_t extent);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_SPLITCASCADES_H
