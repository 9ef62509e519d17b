//===- Compare.h - comparison of a result with its reference --------------===//

#ifndef NPU_TENSOR_COMPARE_H
#define NPU_TENSOR_COMPARE_H

#include "NPU/Tensor/HostTensor.h"
#include <functional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace npu::runtime {

/// How far an element may be from the reference. Applies to floats, and to integers only through
/// `bound`: the default is exact equality. The parts add up: a contraction's bound before a
/// rounding plus that rounding's ULPs. An infinite value counts as the least one that rounds to it.
struct Tolerance {
  /// Units in the last place of the expected value, in the tensors' element type.
  double ulps = 0;
  double absolute = 0;
  /// Times the expected value's magnitude.
  double relative = 0;
  /// Absolute bound of element `index`, e.g. of `computeContractionBound`; may be null.
  std::function<double(int64_t index)> bound;
  /// Accept outputs that are NaN, infinite or all the same, because the inputs force them (see
  /// `inputsForceDegenerateOutput`). They must still equal the reference.
  bool allowDegenerate = false;

  /// Bit-exact, except for the sign of zero and the payload of NaNs.
  static Tolerance exact() { return {}; }
  static Tolerance fromUlps(double ulps);
  /// `bound` holds one f64 per element.
  static Tolerance fromBound(HostTensor bound, double ulps = 0);
};

/// How far element `index` may be from that of `expected`; 0 where that is not finite.
double getAllowed(const HostTensor &expected, int64_t index, const Tolerance &tolerance);

/// What a comparison says.
enum class CheckVerdict {
  Match,
  Inconclusive, ///< every element is as expected, but the output is such that this proves nothing
  Mismatch,
};

/// `match`, `inconclusive`, `mismatch`.
llvm::StringRef toString(CheckVerdict verdict);

/// The outcome of a comparison.
struct CompareReport {
  int64_t numElements = 0;
  int64_t numMismatches = 0;
  /// Row-major index of the first mismatch, -1 if there is none, and what was there.
  int64_t firstMismatch = -1;
  llvm::SmallVector<int64_t> firstMismatchCoordinates;
  double firstExpected = 0, firstActual = 0, firstAllowed = 0;
  /// Over the elements where both values are finite.
  double maxAbsError = 0, maxRelError = 0;
  /// Largest error as a multiple of what was allowed; above 1 is a mismatch.
  double maxErrorOverAllowed = 0;
  /// Of the actual tensor.
  int64_t numNaN = 0, numInf = 0, numDistinct = 0;
  /// The actual tensor has NaN, Inf or, with two elements or more, only one value.
  bool degenerate = false;
  bool passed = false;

  /// Whether every element was as expected and yet the check failed, because the output is
  /// degenerate: it proves nothing.
  bool isInconclusive() const { return !passed && numMismatches == 0; }
  CheckVerdict getVerdict() const {
    return passed             ? CheckVerdict::Match
           : isInconclusive() ? CheckVerdict::Inconclusive
                              : CheckVerdict::Mismatch;
  }
  /// Why the check is inconclusive, or where the first mismatch is; empty for a match.
  std::string getReason() const;

  /// One line for a match, more for anything else.
  void print(llvm::raw_ostream &os) const;
};

/// Compares tensors of one type and shape; anything else is an error.
llvm::Expected<CompareReport> compare(const HostTensor &expected, const HostTensor &actual,
                                      const Tolerance &tolerance = Tolerance::exact());

/// Number of different values; all NaNs count as one, and so do the two zeros.
int64_t countDistinctValues(const HostTensor &tensor);

/// Whether a NaN, an Inf or a constant output says nothing about the program: an input holds NaN
/// or Inf, or every input (there is at least one) is constant.
bool inputsForceDegenerateOutput(llvm::ArrayRef<HostTensor> inputs);

/// Distance from |`value`| to the next larger magnitude of a float type; that of the smallest
/// normal for subnormals and zero, 0 for integer types, NaN and Inf.
double getUlp(double value, ElementType type);

} // namespace npu::runtime

#endif // NPU_TENSOR_COMPARE_H
