//===- Limit.h - what no program of some dispatches can beat --------------===//
//
// The one definition of a limit, for kernels, programs and networks. Everything that is printed as
// "x limit" is over it. Of dispatches that one program runs, or could run, it is the largest of
//
// * the work of the array, and that of the vector unit, each over all clusters;
// * the bytes that have to move, each tensor from outside and each result that leaves once, over
//   DRAM's bandwidth. What is handed on between the dispatches may stay on chip, so it counts
//   nothing;
// * at each cut, the work before it and then the bytes that what is behind it reads from outside,
//   less all memory on chip, over the bandwidth: when the last element before the cut is there,
//   what depends on it still has to meet its operands, and only as many bytes of them as the
//   memories hold can be there already. Cuts are behind every dispatch, and behind the first n of
//   them.
//
// The last one takes for granted that the last element of a dispatch meets all operands of those
// behind it, as an element of a convolution's input meets the whole filter. A program that used up
// part of an operand for all of the other elements, and then made room, could be faster.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_ROOFLINE_LIMIT_H
#define NPU_ROOFLINE_LIMIT_H

#include "NPU/Roofline/Roofline.h"

#include <vector>

namespace npu::runtime {

/// A dispatch among those that a limit is about.
struct LimitNode {
  /// A tensor from outside, or from the host between the dispatches.
  struct Load {
    const void *tensor; ///< the same for all that read it
    int64_t bytes;      ///< that this dispatch cannot do without
    bool feedsArray;    ///< the array multiplies it as it is
  };

  Roofline alone;
  llvm::SmallVector<Load, 4> loads;
  llvm::SmallVector<unsigned, 4> after; ///< numbers of earlier nodes, whose results it needs
  int64_t storedBytes = 0;              ///< of results that the host, or the model's caller, gets
};

/// Cycles and bytes.
struct Limit {
  int64_t computeCycles = 0; ///< of the array or the vector unit
  int64_t dramBytes = 0;
  int64_t dramCycles = 0;
  int64_t cutCycles = 0; ///< the largest of those behind a dispatch

  int64_t getCycles() const { return std::max({computeCycles, dramCycles, cutCycles}); }
  /// Whether DRAM keeps it from being smaller.
  bool isMemoryBound() const { return std::max(dramCycles, cutCycles) > computeCycles; }
};

/// The limit of the nodes as one program.
Limit computeLimit(llvm::ArrayRef<LimitNode> nodes, const TargetDesc &target);

/// The limit of a kernel's share of a program of several, which splitByKernel (NPUExecutor.h)
/// gives: for each cluster, the cycles from the end of the array's work for the kernel before to
/// the end of the array's work for this one. Others overlap with it: what the array multiplies may
/// be loaded before, as far as the memories on chip hold it; vector work and stores may be done
/// behind. So it is the larger of the array's work and of the bytes that it multiplies, less all
/// memory on chip, over the bandwidth, each over all clusters and rounded down. `nodes` are the
/// kernel's dispatches.
Limit computeShareLimit(llvm::ArrayRef<LimitNode> nodes, const TargetDesc &target);

/// The limits of the kernels of a program, which have as many of its dispatches each. The only
/// kernel of a program has the limit of the program.
std::vector<Limit> computeKernelLimits(llvm::ArrayRef<LimitNode> nodes,
                                       llvm::ArrayRef<unsigned> numDispatches,
                                       const TargetDesc &target);

} // namespace npu::runtime

#endif // NPU_ROOFLINE_LIMIT_H
