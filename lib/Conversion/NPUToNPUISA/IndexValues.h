//===- IndexValues.h - index values as functions of the loop counters -----===//

#ifndef NPU_LIB_CONVERSION_NPUTONPUISA_INDEXVALUES_H
#define NPU_LIB_CONVERSION_NPUTONPUISA_INDEXVALUES_H

#include "NPU/Target/ISA/Instructions.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"

namespace npu {

/// An index value: the smallest of one or more affine functions of the counters.
using IndexValue = llvm::SmallVector<isa::Affine, 2>;

isa::Affine operator+(isa::Affine a, const isa::Affine &b);
isa::Affine operator*(isa::Affine a, int64_t factor);
inline isa::Affine operator-(const isa::Affine &a, const isa::Affine &b) { return a + b * -1; }

/// The loops around the instruction being built, and what index values mean inside them.
class LoopScope {
public:
  /// Enters a loop; its counter is the next deeper one.
  void push(mlir::Value counter, int64_t trips);
  void pop();
  unsigned getDepth() const { return trips.size(); }

  /// Least and greatest value over all iterations.
  int64_t getMin(const isa::Affine &value) const;
  int64_t getMax(const isa::Affine &value) const;

  /// Resolves chains of affine.apply, affine.min and constants down to the counters, without
  /// alternatives that are never the smallest.
  llvm::FailureOr<IndexValue> evaluate(mlir::Value value) const;

  /// The same for a value that is affine.
  llvm::FailureOr<isa::Affine> evaluateAffine(mlir::Value value) const;

  /// A number of elements of at most `full`: `min(limit, constant)`, negative counting as zero.
  llvm::FailureOr<isa::Extent> evaluateExtent(mlir::Value value, int64_t full) const;

private:
  llvm::FailureOr<IndexValue> evaluate(mlir::AffineExpr expr,
                                       llvm::ArrayRef<IndexValue> operands) const;
  llvm::FailureOr<IndexValue> divide(const IndexValue &value, int64_t divisor, bool up) const;
  void prune(IndexValue &value) const;

  llvm::DenseMap<mlir::Value, unsigned> depths;
  llvm::SmallVector<mlir::Value> counters;
  llvm::SmallVector<int64_t> trips;
};

} // namespace npu

#endif // NPU_LIB_CONVERSION_NPUTONPUISA_INDEXVALUES_H
