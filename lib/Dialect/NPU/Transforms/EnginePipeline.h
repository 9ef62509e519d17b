//===- EnginePipeline.h - engines that wait for each other ----------------===//
//
// How long the engines take for the iterations of a loop, or of two, where each takes its work in
// order, waits for what it needs, and for a free slot for what it makes. For nests of groups;
// PlaySchedule has loops of any depth and the memory, for a contraction. No MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_ENGINEPIPELINE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_ENGINEPIPELINE_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>

namespace npu::tile {

/// The engines that work on a nest, each of which takes its work in order.
enum class StepEngine { Mxu, Vector, Load, Store };

/// What an engine does in every iteration of the innermost loop, or, `isOuter`, of the one around.
struct Step {
  StepEngine engine = StepEngine::Load;
  double cycles = 0; ///< until what it makes is there
  double pace = 0;   ///< until the engine may begin the next one
  bool isOuter = false;
  bool isSkewed = false;               ///< on what the others made an iteration earlier
  int64_t depth = 1;                   ///< slots for its result
  llvm::SmallVector<unsigned> sources; ///< steps whose results it needs
  double first = 0;                    ///< cycles that it takes more the first time
};

/// A reader holds the slot of what it reads until it is done, or, of an accumulator, until the
/// first so many cycles of it are over.
struct Reader {
  unsigned step;
  double cycles;
};

/// Plays the first iterations of a nest to see at what pace the engines follow each other.
class EnginePipeline {
public:
  /// Of a reader that holds a slot until it is done.
  static constexpr double whole = std::numeric_limits<double>::infinity();

  /// Returns the number of the step.
  unsigned add(Step step) {
    steps.push_back(std::move(step));
    readers.emplace_back();
    return steps.size() - 1;
  }
  /// `cycles`: of the reader, after which the slot is free.
  void addReader(unsigned step, unsigned reader, double cycles) {
    readers[step].push_back({reader, cycles});
    steps[reader].sources.push_back(step);
  }

  /// Cycles of `outer` times `inner` iterations; with `hasSkew`, the inner loop has one more, in
  /// which only skewed steps do something.
  double getCycles(int64_t outer, int64_t inner, bool hasSkew) const;

private:
  double play(int64_t outer, int64_t inner, bool hasSkew) const;

  llvm::SmallVector<Step> steps;
  llvm::SmallVector<llvm::SmallVector<Reader, 2>> readers; ///< per step
};

} // namespace npu::tile

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_ENGINEPIPELINE_H
