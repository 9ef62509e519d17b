//===- Regions.cpp - what of a tensor an op may touch ---------------------===//

#include "Regions.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace npu::host;

/// Whether a slice is inside of a dimension of `extent` elements, as is known from constants.
static bool isKnownInside(int64_t extent, OpFoldResult offset, OpFoldResult size,
                          OpFoldResult stride) {
  std::optional<int64_t> first = getConstantIntValue(offset), count = getConstantIntValue(size),
                         step = getConstantIntValue(stride);
  if (ShapedType::isDynamic(extent) || !first || !count || *first < 0 || *count < 0)
    return false;
  if (*count == 0)
    return *first <= extent;
  if (*count == 1)
    return *first < extent;
  if (!step || *step == 0 || *count > extent)
    return false;
  // Divided rather than multiplied: products may overflow.
  int64_t most = (extent - 1) / (*count - 1);
  if (*step > most || *step < -most)
    return false;
  int64_t last = *first + (*count - 1) * *step;
  return *first < extent && last >= 0 && last < extent;
}

namespace {
/// One dimension of a region. Strides are limited first, then sizes that are data, offsets last.
class Dimension {
public:
  Dimension(IndexBuilder &index, Value length, OpFoldResult offset, OpFoldResult size,
            OpFoldResult stride)
      : index(index), length(length), last(index.subtract(length, index.get(1))),
        offset(index.get(offset)), size(index.get(size)), stride(index.get(stride)),
        constantSize(getStatic(size)) {}

  Value getStride() {
    // Of a single element, it does not matter, and from one to the next is always the least.
    std::optional<int64_t> step = getConstantIntValue(stride);
    if ((constantSize && *constantSize <= 1) || step == 1 || step == -1)
      return stride;
    Value most =
        constantSize ? index.make<arith::DivSIOp>(last, index.get(*constantSize - 1)) : length;
    most = index.atLeast(most, 1);
    Value inside = index.clamp(stride, index.negate(most), most);
    return index.select(index.isEqual(inside, index.get(0)), index.get(1), inside);
  }

  Value getSize(Value newStride) {
    if (constantSize)
      return size;
    Value distance = index.make<arith::MaxSIOp>(newStride, index.negate(newStride));
    Value most =
        index.add(index.make<arith::DivSIOp>(index.atLeast(last, 0), distance), index.get(1));
    return index.clamp(size, 0, index.make<arith::MinSIOp>(most, length));
  }

  /// The first element may be as far back as a slice backwards reaches, and has one forwards behind
  /// it. A slice of no elements may begin where the tensor ends.
  Value getOffset(Value newSize, Value newStride) {
    Value span = index.make<arith::MulIOp>(index.subtract(newSize, index.get(1)), newStride);
    Value isEmpty = index.isEqual(newSize, index.get(0));
    Value least = index.select(isEmpty, index.get(0), index.atLeast(index.negate(span), 0));
    Value most = index.select(isEmpty, length, index.subtract(last, index.atLeast(span, 0)));
    return index.clamp(offset, least, index.atLeast(most, 0));
  }

  IndexBuilder &index;
  Value length, last, offset, size, stride;
  std::optional<int64_t> constantSize;
};
} // namespace

/// The constant size of a dimension that has not as many elements.
static std::optional<int64_t> getTooLarge(int64_t extent, OpFoldResult size) {
  std::optional<int64_t> count = getStatic(size);
  return count && !ShapedType::isDynamic(extent) && *count > extent ? count : std::nullopt;
}

bool npu::host::isTooLarge(OffsetSizeAndStrideOpInterface op, Value tensor) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  return llvm::any_of(llvm::zip_equal(shape, op.getMixedSizes()), [](auto dim) {
    auto [extent, size] = dim;
    return getTooLarge(extent, size).has_value();
  });
}

static bool isSame(Value lhs, Value rhs) {
  std::optional<int64_t> constant = getConstantIntValue(lhs);
  return lhs == rhs || (constant && constant == getConstantIntValue(rhs));
}

FailureOr<TensorRegion> npu::host::keepInside(OpBuilder &builder, OffsetSizeAndStrideOpInterface op,
                                              Value tensor) {
  TensorRegion region{op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides(), {}};
  IndexBuilder index(builder, op.getLoc());
  for (auto [dim, extent] : llvm::enumerate(cast<RankedTensorType>(tensor.getType()).getShape())) {
    OpFoldResult &offset = region.offsets[dim], &size = region.sizes[dim],
                 &stride = region.strides[dim];
    if (isKnownInside(extent, offset, size, stride))
      continue;
    if (std::optional<int64_t> count = getTooLarge(extent, size))
      return op.emitError("expected a slice of at most the ")
             << extent << " elements in dimension " << dim << " of " << tensor.getType()
             << ", found " << *count << "; use a smaller slice";
    Dimension dimension(index, index.getDim(tensor, dim), offset, size, stride);
    Value newStride = dimension.getStride(), newSize = dimension.getSize(newStride),
          newOffset = dimension.getOffset(newSize, newStride);
    // Of a single element, or none, the stride does not matter.
    if (!isSame(newStride, dimension.stride)) {
      Value isStride = index.isEqual(newStride, dimension.stride);
      if (!getStatic(size))
        isStride = index.make<arith::OrIOp>(
            isStride, index.compare(arith::CmpIPredicate::sle, newSize, index.get(1)));
      region.isGiven = index.both(region.isGiven, isStride);
      stride = getAsOpFoldResult(newStride);
    }
    if (!isSame(newSize, dimension.size)) {
      region.isGiven = index.both(region.isGiven, index.isEqual(newSize, dimension.size));
      size = newSize; // data as before, as the type says
    }
    if (!isSame(newOffset, dimension.offset)) {
      region.isGiven = index.both(region.isGiven, index.isEqual(newOffset, dimension.offset));
      // Upstream takes no constant one where there is no element.
      offset = getConstantIntValue(newOffset) == extent ? OpFoldResult(newOffset)
                                                        : getAsOpFoldResult(newOffset);
    }
    if (ShapedType::isDynamic(extent) && getStatic(size).value_or(0) > 0)
      region.isGiven = index.both(region.isGiven, index.compare(arith::CmpIPredicate::sle,
                                                                dimension.size, dimension.length));
  }
  return region;
}
