//===- ErrorPropagation.h - how far outputs of a whole model may be -------===//
//
// A dispatch may differ from the reference by the bound of its own sums and elementary functions.
// What that does to the outputs of the model is measured: the host runs the model again with the
// results of every dispatch moved by its bound.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTREFERENCE_ERRORPROPAGATION_H
#define NPU_HOSTREFERENCE_ERRORPROPAGATION_H

#include "NPU/Tensor/Compare.h"
#include "NPU/Tensor/HostTensor.h"
#include "mlir/IR/Region.h"

namespace npu::runtime {

/// How far the results of one executed dispatch may be from the reference's, and by how much they
/// were above it, where that is not farther: an f64 tensor each.
struct DispatchErrors {
  unsigned index; ///< of the dispatch
  llvm::SmallVector<HostTensor> distances, differences;

  /// Adds those of a result. `allowed` is what getAllowed says.
  void add(const HostTensor &expected, const HostTensor &actual, HostTensor allowed);
};

/// Whether code rounds to steps that a relative tolerance for f32 does not cover: to f16, bf16 or
/// integers. An error of one ulp of f32 before such a step may be one step after it.
bool roundsCoarsely(mlir::Region &code);

/// What a comparison within `tolerance` allows for every element of `expected`, as an f64 tensor.
HostTensor getAllowed(const HostTensor &expected, const Tolerance &tolerance);

/// Number of patterns in which the results of all dispatches are moved.
constexpr unsigned numMovePatterns = 5;

/// Result `number` of a dispatch moved by what is allowed: up in pattern 0, down in 1, up and down
/// pseudo-randomly by `seed` in two more, and in the last one as the NPU moved it. What would leave
/// an integer type stays, and so does what has no finite distance.
HostTensor moveResult(const HostTensor &result, const DispatchErrors &errors, unsigned number,
                      unsigned pattern, uint64_t seed);

/// distances = max(distances, |moved - base|) of every element where that is finite. Tensors of
/// other types or shapes, which control flow on moved data may produce, are ignored.
void accumulateDistances(llvm::MutableArrayRef<HostTensor> distances,
                         llvm::ArrayRef<HostTensor> base, llvm::ArrayRef<HostTensor> moved);

/// The tolerance for an output of a whole model. Floats may differ by 1e-3 of the largest
/// magnitude, or by `distance` where the moved runs moved the element further, plus 1 ulp. Integers
/// may differ by `distance`; without `distance` they must be equal.
Tolerance getEndToEndTolerance(const HostTensor &expected, llvm::ArrayRef<HostTensor> inputs,
                               std::optional<HostTensor> distance);

} // namespace npu::runtime

#endif // NPU_HOSTREFERENCE_ERRORPROPAGATION_H
