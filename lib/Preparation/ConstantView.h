//===- ConstantView.h - constants that ops move the elements of -----------===//

#ifndef NPU_LIB_PREPARATION_CONSTANTVIEW_H
#define NPU_LIB_PREPARATION_CONSTANTVIEW_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace npu {

/// What an op that only moves elements reads, and where, by the dimensions of its result.
struct Move {
  mlir::Value source; ///< a tensor
  mlir::AffineMap from;
};

/// Matches ops that move elements by their maps, or extract them at places that are sums of
/// counters, as torch-mlir turns filters round.
std::optional<Move> matchMove(mlir::Value tensor);

/// A tensor whose elements are those of a constant: element i is number `base` + i * `strides`.
struct ConstantView {
  mlir::Type elementType;
  llvm::ArrayRef<char> bytes; ///< of all elements, or of the one that all are
  bool isSplat = false;
  int64_t width = 0; ///< bytes of an element
  llvm::SmallVector<int64_t> strides;
  int64_t base = 0;

  const char *getElement(int64_t number) const {
    return bytes.data() + (isSplat ? 0 : number * width);
  }

  /// The view whose elements are those of this one that `from` says; nothing where that is not
  /// linear.
  std::optional<ConstantView> compose(mlir::AffineMap from) const;
};

/// The constant, of elements of whole bytes, that `tensor` is or moves make it of. The view lives
/// as long as the constant's context.
std::optional<ConstantView> findConstantView(mlir::Value tensor);

} // namespace npu

#endif // NPU_LIB_PREPARATION_CONSTANTVIEW_H
