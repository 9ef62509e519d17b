//===- ElementOrder.h - the order that a comparator makes -----------------===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_IR_ELEMENTORDER_H
#define NPU_DIALECT_IREE_LINALGEXT_IR_ELEMENTORDER_H

#include "mlir/IR/Builders.h"

namespace npu::linalg_ext {

/// A comparator that compares the elements of one tensor and does nothing else.
struct ElementOrder {
  unsigned tensor = 0; ///< which of those that are compared
  bool isDescending = false;
  bool isStrict = true;

  /// Of the region of a sort or top-k, with two arguments for each tensor. Nothing if it is not one
  /// signed or ordered comparison.
  static std::optional<ElementOrder> match(mlir::Region &region);

  /// Whether `left` comes before `right`. NaNs come last, which makes an order of what the
  /// comparator does not order.
  mlir::Value createIsBefore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                             mlir::Value right) const;
};

/// What is less or greater than all else.
mlir::TypedAttr getExtreme(mlir::Builder &builder, mlir::Type type, bool isLargest);

} // namespace npu::linalg_ext

#endif // NPU_DIALECT_IREE_LINALGEXT_IR_ELEMENTORDER_H
