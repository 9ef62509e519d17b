//===- Regions.h - what of a tensor an op may touch -----------------------===//
//
// The one place that turns offsets, sizes and strides into a region that is inside of a tensor,
// whatever data and constants say. docs/host-reference.md says which region that is.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_HOSTLOWERING_REGIONS_H
#define NPU_LIB_HOSTLOWERING_REGIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace npu::host {

/// Index arithmetic that folds constants.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value get(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value get(mlir::OpFoldResult value) {
    std::optional<int64_t> constant = mlir::getConstantIntValue(value);
    return constant ? get(*constant) : mlir::cast<mlir::Value>(value);
  }
  mlir::Value getDim(mlir::Value tensor, int64_t dim) {
    return builder.createOrFold<mlir::tensor::DimOp>(loc, tensor, dim);
  }
  template <typename Op>
  mlir::Value make(mlir::Value lhs, mlir::Value rhs) {
    return builder.createOrFold<Op>(loc, lhs, rhs);
  }
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) { return make<mlir::arith::AddIOp>(lhs, rhs); }
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs) {
    return make<mlir::arith::SubIOp>(lhs, rhs);
  }
  mlir::Value negate(mlir::Value value) { return subtract(get(0), value); }
  mlir::Value atLeast(mlir::Value value, int64_t least) {
    return make<mlir::arith::MaxSIOp>(value, get(least));
  }
  /// `most` wins where it is less than `least`.
  mlir::Value clamp(mlir::Value value, mlir::Value least, mlir::Value most) {
    return make<mlir::arith::MinSIOp>(make<mlir::arith::MaxSIOp>(value, least), most);
  }
  mlir::Value clamp(mlir::Value value, int64_t least, mlir::Value most) {
    return clamp(value, get(least), most);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs) {
    return builder.createOrFold<mlir::arith::CmpIOp>(loc, predicate, lhs, rhs);
  }
  mlir::Value isEqual(mlir::Value lhs, mlir::Value rhs) {
    return compare(mlir::arith::CmpIPredicate::eq, lhs, rhs);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return builder.createOrFold<mlir::arith::SelectOp>(loc, condition, yes, no);
  }
  /// `lhs` may be null, which is true.
  mlir::Value both(mlir::Value lhs, mlir::Value rhs) {
    return lhs ? make<mlir::arith::AndIOp>(lhs, rhs) : rhs;
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The number in an attribute; nothing for values, even those that are known to be constant, as
/// types say that they are data.
inline std::optional<int64_t> getStatic(mlir::OpFoldResult value) {
  return mlir::isa<mlir::Attribute>(value) ? mlir::getConstantIntValue(value) : std::nullopt;
}

/// Where a slice lies in a tensor, all of it inside, and whether that is where the IR says.
struct TensorRegion {
  mlir::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
  /// Null if it always is.
  mlir::Value isGiven;
};

/// Whether constants of `op` ask for more elements of `tensor` than there are.
bool isTooLarge(mlir::OffsetSizeAndStrideOpInterface op, mlir::Value tensor);

/// The region of `tensor` that is nearest to that of `op`. Fails, with a diagnostic, if it is too
/// large. Where extents are data, checks of shapes find that, and such a region is not the given.
mlir::FailureOr<TensorRegion>
keepInside(mlir::OpBuilder &builder, mlir::OffsetSizeAndStrideOpInterface op, mlir::Value tensor);

} // namespace npu::host

#endif // NPU_LIB_HOSTLOWERING_REGIONS_H
