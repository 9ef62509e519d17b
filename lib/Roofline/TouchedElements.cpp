//===- TouchedElements.cpp - what of its arguments a function reads -------===//

#include "TouchedElements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::runtime;
using llvm::BitVector;

/// Dimensions longer than this are not followed, and no more combinations than this are listed.
static constexpr int64_t maxCoordinates = int64_t(1) << 26;
static constexpr int64_t maxCombinations = int64_t(1) << 18;

static int64_t countElements(ArrayRef<BitVector> box) {
  int64_t count = 1;
  for (const BitVector &coordinates : box)
    if (llvm::MulOverflow(count, int64_t(coordinates.count()), count))
      return 0;
  return count;
}

/// base + stride * index; nullopt where this is no int64_t, which is the index of no element.
static std::optional<int64_t> getAffine(int64_t base, int64_t stride, int64_t index) {
  int64_t product, sum;
  if (llvm::MulOverflow(stride, index, product) || llvm::AddOverflow(base, product, sum))
    return std::nullopt;
  return sum;
}

/// All elements of a tensor; nullopt when it has no such box.
static std::optional<SmallVector<BitVector>> getWhole(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  SmallVector<BitVector> box;
  for (int64_t size : tensor.getShape()) {
    if (size > maxCoordinates)
      return std::nullopt;
    box.emplace_back(size, true);
  }
  return box;
}

static bool isWhole(ArrayRef<BitVector> box) {
  return llvm::all_of(box, [](const BitVector &coordinates) { return coordinates.all(); });
}

namespace {
/// An affine expression of dimensions at given indices.
class Evaluator {
public:
  Evaluator(AffineExpr expr, unsigned numDims) : expr(expr) {
    expr.walk([&](AffineExpr part) {
      if (llvm::isa<AffineBinaryOpExpr>(part))
        isLinear &= part.getKind() == AffineExprKind::Add || part.getKind() == AffineExprKind::Mul;
    });
    SmallVector<int64_t> point(numDims, 0);
    std::optional<int64_t> atOrigin = replace(point);
    isLinear &= atOrigin.has_value();
    base = atOrigin.value_or(0);
    for (unsigned dim = 0; isLinear && dim < numDims; ++dim) {
      point[dim] = 1;
      std::optional<int64_t> atOne = replace(point);
      int64_t coefficient;
      if (!atOne || llvm::SubOverflow(*atOne, base, coefficient))
        isLinear = false;
      else
        coefficients.push_back(coefficient);
      point[dim] = 0;
    }
  }

  /// The value at `point`; nullopt where it or a term of it is no int64_t.
  std::optional<int64_t> evaluate(ArrayRef<int64_t> point) const {
    if (!isLinear)
      return replace(point);
    std::optional<int64_t> value = base;
    for (auto [coefficient, index] : llvm::zip_equal(coefficients, point))
      if (!(value = getAffine(*value, coefficient, index)))
        return std::nullopt;
    return value;
  }
  /// Combinations that may be listed.
  int64_t getMost() const { return isLinear ? maxCoordinates : maxCombinations; }

private:
  std::optional<int64_t> replace(ArrayRef<int64_t> point) const {
    auto getConstant = [&](int64_t index) {
      return AffineExpr(getAffineConstantExpr(index, expr.getContext()));
    };
    auto value =
        dyn_cast<AffineConstantExpr>(expr.replaceDims(llvm::map_to_vector(point, getConstant)));
    return value ? std::optional(value.getValue()) : std::nullopt;
  }

  AffineExpr expr;
  bool isLinear = true;
  int64_t base = 0;
  SmallVector<int64_t> coefficients;
};
} // namespace

/// Values of `expr` in [0, size) when each dimension takes the indices in `domain`. A subset when
/// these are too many to list.
static BitVector getImage(AffineExpr expr, ArrayRef<BitVector> domain, int64_t size) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr);
      dim && int64_t(domain[dim.getPosition()].size()) == size)
    return domain[dim.getPosition()];
  BitVector image(size);
  Evaluator evaluator(expr, domain.size());
  SmallVector<int64_t> point;
  SmallVector<unsigned> listed;
  int64_t combinations = 1;
  for (auto [dim, indices] : llvm::enumerate(domain)) {
    if (indices.none())
      return image;
    point.push_back(indices.find_first());
    // Of a dimension with too many indices one is enough for a subset.
    int64_t count = indices.count();
    if (!expr.isFunctionOfDim(dim) || count > evaluator.getMost() / combinations)
      continue;
    combinations *= count;
    listed.push_back(dim);
  }
  auto list = [&](auto &self, ArrayRef<unsigned> dims) -> void {
    if (dims.empty()) {
      if (std::optional<int64_t> value = evaluator.evaluate(point);
          value && *value >= 0 && *value < size)
        image.set(*value);
      return;
    }
    for (int index : domain[dims.front()].set_bits()) {
      point[dims.front()] = index;
      self(self, dims.drop_front());
    }
  };
  list(list, listed);
  return image;
}

/// The block arguments of a linalg op that a result depends on.
static llvm::DenseSet<Value> findSources(linalg::LinalgOp op, unsigned result) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> worklist = {op.getBlock()->getTerminator()->getOperand(result)};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Operation *producer = value.getDefiningOp())
      producer->walk([&](Operation *inner) { llvm::append_range(worklist, inner->getOperands()); });
  }
  return seen;
}

TouchedElements::TouchedElements(FunctionOpInterface function) {
  Block &body = function.getFunctionBody().back();
  for (Value result : body.getTerminator()->getOperands())
    if (auto whole = getWhole(result.getType()); whole && !llvm::isa<BlockArgument>(result))
      add(result, std::move(*whole));
  for (Operation &op : llvm::reverse(body.without_terminator()))
    propagate(&op);
}

int64_t TouchedElements::count(Value argument) const {
  auto box = boxes.find(argument);
  return box == boxes.end() ? 0 : countElements(box->second);
}

void TouchedElements::add(Value value, Box box) {
  auto [known, isNew] = boxes.try_emplace(value, box);
  if (!isNew && countElements(known->second) < countElements(box))
    known->second = std::move(box);
}

void TouchedElements::propagate(Operation *op) {
  for (OpResult result : op->getResults()) {
    auto found = boxes.find(result);
    if (found == boxes.end())
      continue;
    Box box = found->second;
    auto addShifted = [&](Value source, ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides) {
      std::optional<Box> read = getWhole(source.getType());
      if (!read || read->size() != box.size())
        return;
      for (auto [from, to, offset, stride] : llvm::zip_equal(box, *read, offsets, strides)) {
        to.reset();
        for (int index : from.set_bits())
          if (std::optional<int64_t> at = getAffine(offset, stride, index);
              at && *at >= 0 && *at < int64_t(to.size()))
            to.set(*at);
      }
      add(source, std::move(*read));
    };

    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (linalgOp.hasDynamicShape())
        continue;
      SmallVector<BitVector> domain;
      for (int64_t range : linalgOp.getStaticLoopRanges())
        domain.emplace_back(range <= maxCoordinates ? range : 0, true);
      AffineMap resultMap = linalgOp.getIndexingMapMatchingResult(result);
      for (auto [expr, coordinates] : llvm::zip_equal(resultMap.getResults(), box))
        if (auto dim = dyn_cast<AffineDimExpr>(expr);
            dim && domain[dim.getPosition()].size() == coordinates.size())
          domain[dim.getPosition()] &= coordinates;
      llvm::DenseSet<Value> sources = findSources(linalgOp, result.getResultNumber());
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        if (!type || !sources.contains(linalgOp.getMatchingBlockArgument(&operand)))
          continue;
        ArrayRef<AffineExpr> exprs = linalgOp.getMatchingIndexingMap(&operand).getResults();
        // An index that moves several coordinates together makes no box: one of its values.
        SmallVector<BitVector> free = domain;
        for (auto [dim, indices] : llvm::enumerate(free)) {
          auto isMoved = [dim = dim](AffineExpr expr) { return expr.isFunctionOfDim(dim); };
          if (int first = indices.find_first(); first >= 0 && llvm::count_if(exprs, isMoved) > 1) {
            indices.reset();
            indices.set(first);
          }
        }
        Box read;
        for (auto [expr, size] : llvm::zip_equal(exprs, type.getShape()))
          read.push_back(getImage(expr, free, size));
        add(operand.get(), std::move(read));
      }
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getSourceType().getRank() != slice.getType().getRank())
        continue;
      SmallVector<int64_t> offsets(slice.getStaticOffsets()), strides(slice.getStaticStrides());
      if (ShapedType::isDynamicShape(strides))
        continue;
      // Wherever a slice of an argument begins, it has as many elements.
      if (ShapedType::isDynamicShape(offsets) && llvm::isa<BlockArgument>(slice.getSource()))
        for (int64_t &offset : offsets)
          offset = ShapedType::isDynamic(offset) ? 0 : offset;
      if (!ShapedType::isDynamicShape(offsets))
        addShifted(slice.getSource(), offsets, strides);
    } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      SmallVector<int64_t> offsets(pad.getStaticLow());
      if (ShapedType::isDynamicShape(offsets))
        continue;
      for (int64_t &offset : offsets)
        offset = -offset;
      addShifted(pad.getSource(), offsets, SmallVector<int64_t>(offsets.size(), 1));
    } else if (llvm::isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
      if (auto whole = getWhole(op->getOperand(0).getType()); whole && isWhole(box))
        add(op->getOperand(0), std::move(*whole));
    } else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (auto whole = getWhole(insertion.getSource().getType()); whole && isWhole(box))
        add(insertion.getSource(), std::move(*whole));
    } else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
      // An element takes the whole row.
      box[softmax.getDimension()].set();
      add(softmax.getInput(), std::move(box));
    } // else what is read is not known here
  }
}
