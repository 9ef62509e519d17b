//===- NestSearch.h - stages that share tile loops ------------------------===//
//
// Several stages run one after the other on tiles of the dimensions that all of them have, and span
// the others whole. What one stage makes for the next then never leaves the chip: attention in
// strips of rows, a product with the product that follows it. No MLIR, as in TileSearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_NESTSEARCH_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_NESTSEARCH_H

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

namespace npu::tile {

/// A stage of a nest: a contraction, or ops of the vector unit.
struct NestStage {
  /// The matrix engine's part, and what each dimension is to it.
  std::optional<ArrayWork> array;
  llvm::SmallVector<MxuRole> roles; ///< per dimension of the problem
  /// The vector unit's part: ops [firstOp, endOp) of the problem.
  unsigned firstOp = 0, endOp = 0;
  /// Of a contraction: the ops that read its result are before this one.
  unsigned endOfReads = 0;
  /// The dimensions of each op that tiles may span.
  llvm::SmallVector<llvm::SmallVector<unsigned>> opDims;
  /// Stages before this one whose values it reads on chip.
  llvm::SmallVector<unsigned> producers;
  /// Those whose buffers hold these values: a producer may have taken over another one's.
  llvm::SmallVector<unsigned> holders;
  bool isByPanels = false; ///< it has a loop over panels of its own
};

/// `problem` has the buffers, vector ops and stores of all stages; all its dimensions count as
/// parallel. Loads of what the stages themselves compute are left out.
struct NestProblem {
  Problem problem;
  std::vector<NestStage> stages;
  llvm::SmallVector<unsigned> stageOf; ///< per buffer: the stage that reads or computes it
  llvm::SmallVector<bool> mayLoop;     ///< per dimension: all stages have it, none reduces it
};

struct Nest {
  /// Tiles, loops, levels and depths, per dimension and buffer of the problem.
  Schedule schedule;
  /// The stages from this one on work on what the others made an iteration earlier.
  std::optional<unsigned> firstSkewed;
  /// Whether what is loaded once is loaded where its stage is, in the first iteration, so that the
  /// stages before begin without it.
  bool loadsAtFirst = false;
  double dramBytes = 0; ///< see Estimate

  /// Whether buffer `index` of `problem` is such a load. The first stage waits for its own anyway.
  bool isLoadedAtFirst(const NestProblem &problem, unsigned index) const {
    return loadsAtFirst && problem.problem.buffers[index].isLoaded() &&
           schedule.levels[index] == 0 && problem.stageOf[index] > 0;
  }

  Estimate getEstimate() const { return {schedule.predictedCycles, dramBytes, /*isRough=*/true}; }
};

/// The best nest found; nothing where none fits.
std::optional<Nest> searchNest(const NestProblem &problem, const TargetDesc &target);

} // namespace npu::tile

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_NESTSEARCH_H
