//===- Roofline.h - lower bounds on cycles and DRAM traffic ---------------===//
//
// Lower bounds on the work and the DRAM bytes of a dispatch, from its linalg ops and the target's
// parameters alone: they know nothing of tiles, streams or the compiler's decisions, so a simulated
// figure below them is a bug.
//
// Sources of the formulas: the array's limits are those of a systolic array of R x C cells that
// ingests one row of weights per cycle (a weight tile costs at least R cycles), for the best of
// weight, output and input stationary order; the capacity bound on DRAM traffic is the
// byte-weighted form of Smith, Lowery, Langou, van de Geijn (arXiv 1702.02017), 2 * MACs * sqrt(e_a
// e_b e_acc / S) - 2 * S loads, with the window reuse of Chen, Han, Wang (HPCA 2020) for
// convolutions. Its loads include one of every accumulator, which sums that start at zero do not
// need: e_acc * sums are subtracted. It holds for products of tensors from outside: one that the
// dispatch computes itself need not be loaded. The vector unit's work is that of exponentials and
// the like, at the instruction set's passes; what is computed of bytes may be a table, and is left
// out. A contraction is the work of the engine that is faster for it alone.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_ROOFLINE_ROOFLINE_H
#define NPU_ROOFLINE_ROOFLINE_H

#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace npu::runtime {

/// A contraction as the array sees it.
struct ContractionShape {
  int64_t batches = 1;           ///< independent products (batch, groups)
  int64_t m = 1, n = 1, k = 1;   ///< elements; of a depthwise convolution n is 1, k the taps
  bool isDepthwise = false;      ///< then `batches` counts channels
  int64_t windowsPerElement = 1; ///< windows of a convolution that hold an input element, at most
  int64_t lhsBytes = 1, rhsBytes = 1; ///< of an element
  bool isFloat = false;

  int64_t getSums() const { return batches * m * n; }
  int64_t getMacs() const { return getSums() * k; }
};

/// Lower bounds of one dispatch alone. Cycles and bytes. NPU/Roofline/Limit.h puts them together.
struct Roofline {
  int64_t macs = 0;
  int64_t peakMacRate = 0;  ///< MAC/cycle of one cluster for the fastest contraction, 0 without any
  int64_t arrayCycles = 0;  ///< of one cluster's array
  int64_t vectorCycles = 0; ///< of one cluster's vector unit
  /// That each argument is read by at least, and each result is written.
  llvm::SmallVector<int64_t> argumentBytes, resultBytes;
  /// Whether each argument is multiplied as it is, so that the array cannot finish without it.
  llvm::SmallVector<bool> feedsArray;
  /// That move because not everything fits on chip; 0 if it does.
  int64_t capacityBytes = 0;
};

/// MAC/cycle of one cluster's array for these operands; 0 when the target has none.
int64_t getPeakMacRate(const TargetDesc &target, const ContractionShape &shape);

/// Cycles below which one cluster's array cannot finish.
int64_t getArrayCycles(const TargetDesc &target, const ContractionShape &shape);

/// The bounds of a function on statically shaped tensors. Arguments count by the elements that
/// results depend on through windows, slices and any other indexing map, results by their size.
Roofline computeRoofline(mlir::FunctionOpInterface function, const TargetDesc &target);

} // namespace npu::runtime

#endif // NPU_ROOFLINE_ROOFLINE_H
