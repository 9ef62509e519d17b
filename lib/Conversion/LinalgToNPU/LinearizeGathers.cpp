//===- LinearizeGathers.cpp - several computed coordinates as one ---------===//
//
// A gather moves one coordinate by indices of i32. Bodies compute several, as a padding by copies
// of edges, a resize or an advanced indexing does, and in narrower types. The dimensions from the
// first to the last of them become one, which moves no data, and its index the sum of what they
// contribute. Each coordinate is brought into its dimension before, as the host does.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace npu;

/// The integer of at most 32 bits that coordinate `index` is computed of; null if it is not.
static Value getComputed(Value index) {
  Operation *op = index.getDefiningOp();
  if (!isa_and_present<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return {};
  Value number = op->getOperand(0);
  // Of the large unsigned ones i32 makes negative ones.
  unsigned most = isa<arith::IndexCastOp>(op) ? 32 : 16;
  auto type = dyn_cast<IntegerType>(number.getType());
  return type && type.getWidth() > 1 && type.getWidth() <= most ? number : Value();
}

/// Coordinate `index` as an i32, or null: computed, a counter, or zero.
static Value createNumber(OpBuilder &builder, Value index) {
  Location loc = index.getLoc();
  Type type = builder.getI32Type();
  if (Value number = getComputed(index)) {
    if (number.getType() == type)
      return number;
    if (index.getDefiningOp<arith::IndexCastUIOp>())
      return arith::ExtUIOp::create(builder, loc, type, number);
    return arith::ExtSIOp::create(builder, loc, type, number);
  }
  if (index.getDefiningOp<linalg::IndexOp>())
    return arith::IndexCastOp::create(builder, loc, type, index);
  if (matchPattern(index, m_Zero()))
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  return {};
}

namespace {
/// Dimensions [first, last] of a source that become one.
struct Joined {
  int64_t first = -1, last = -1;

  bool operator==(const Joined &other) const { return first == other.first && last == other.last; }
};
} // namespace

/// The dimensions from the first computed coordinate to the last; none if something between them is
/// neither computed nor a counter nor zero.
static std::optional<Joined> getJoined(tensor::ExtractOp extract) {
  Joined joined;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    if (!getComputed(index))
      continue;
    joined.last = dim;
    if (joined.first < 0)
      joined.first = dim;
  }
  if (joined.first < 0)
    return std::nullopt;
  for (int64_t dim = joined.first; dim < joined.last; ++dim) {
    Value index = extract.getIndices()[dim];
    if (!getComputed(index) && !index.getDefiningOp<linalg::IndexOp>() &&
        !matchPattern(index, m_Zero()))
      return std::nullopt;
  }
  return joined;
}

/// The type of a source whose `joined` dimensions are one, if an i32 counts them.
static RankedTensorType getJoinedType(RankedTensorType type, Joined joined) {
  SmallVector<int64_t> shape(type.getShape().take_front(joined.first));
  int64_t size = 1;
  for (int64_t extent : type.getShape().slice(joined.first, joined.last - joined.first + 1))
    if (extent == 0 || llvm::MulOverflow(size, extent, size) ||
        size > std::numeric_limits<int32_t>::max())
      return {};
  shape.push_back(size);
  llvm::append_range(shape, type.getShape().drop_front(joined.last + 1));
  return RankedTensorType::get(shape, type.getElementType());
}

/// The tensor of an argument or a constant in another shape; null if something else reads it.
static Value reshapeSource(Value source, RankedTensorType type, size_t numReaders) {
  if (llvm::range_size(source.getUses()) != numReaders)
    return {};
  SmallVector<Operation *> reshapes;
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(source.getDefiningOp())) {
    reshapes.push_back(source.getDefiningOp());
    source = reshapes.back()->getOperand(0);
    if (!source.hasOneUse())
      return {};
  }
  if (isa<BlockArgument>(source)) {
    // Its bytes stay as they are.
    source.setType(type);
    for (Operation *reshape : reshapes) {
      reshape->getResult(0).setType(type);
      reshape->getResult(0).replaceAllUsesWith(source);
      reshape->erase();
    }
    return source;
  }
  DenseElementsAttr elements;
  if (!reshapes.empty() || !matchPattern(source, m_Constant(&elements)))
    return {};
  OpBuilder builder(source.getDefiningOp());
  return arith::ConstantOp::create(builder, source.getLoc(), elements.reshape(type));
}

/// Reads by the number of the element among the `joined` dimensions, which had the extents `shape`.
static void linearize(tensor::ExtractOp extract, Value source, Joined joined,
                      ArrayRef<int64_t> shape) {
  OpBuilder builder(extract);
  Location loc = extract.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  };
  SmallVector<Value> indices(extract.getIndices());
  Value sum;
  for (int64_t dim = joined.first; dim <= joined.last; ++dim) {
    Value number = createNumber(builder, indices[dim]);
    if (joined.first != joined.last && getComputed(indices[dim])) {
      number = arith::MaxSIOp::create(builder, loc, number, constant(0));
      number = arith::MinSIOp::create(builder, loc, number, constant(shape[dim] - 1));
    }
    if (sum) {
      sum = arith::MulIOp::create(builder, loc, sum, constant(shape[dim]));
      number = arith::AddIOp::create(builder, loc, sum, number);
    }
    sum = number;
  }
  indices[joined.first] =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), sum).getResult();
  indices.erase(indices.begin() + joined.first + 1, indices.begin() + joined.last + 1);
  extract.replaceAllUsesWith(tensor::ExtractOp::create(builder, loc, source, indices).getResult());
  extract.erase();
}

void npu::linearizeGathers(KernelOp kernel) {
  // Every reader of a source has to see the same dimensions as one.
  llvm::MapVector<Value, SmallVector<tensor::ExtractOp>> readers;
  kernel.walk([&](tensor::ExtractOp extract) {
    if (isa<linalg::LinalgOp>(extract->getParentOp()))
      readers[extract.getTensor()].push_back(extract);
  });
  for (auto &[source, extracts] : readers) {
    auto type = cast<RankedTensorType>(source.getType());
    std::optional<Joined> joined = getJoined(extracts.front());
    bool isSame = joined && type.hasStaticShape() &&
                  llvm::all_of(extracts, [&joined = joined](tensor::ExtractOp extract) {
                    return getJoined(extract) == joined;
                  });
    RankedTensorType joinedType = isSame ? getJoinedType(type, *joined) : RankedTensorType();
    if (!joinedType)
      continue;
    Value reshaped =
        joined->first == joined->last ? source : reshapeSource(source, joinedType, extracts.size());
    if (!reshaped)
      continue;
    for (tensor::ExtractOp extract : extracts)
      linearize(extract, reshaped, *joined, type.getShape());
  }
  kernel.setFunctionType(FunctionType::get(kernel.getContext(),
                                           kernel.getBody().front().getArgumentTypes(),
                                           kernel.getFunctionType().getResults()));
}
