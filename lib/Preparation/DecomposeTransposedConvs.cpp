//===- DecomposeTransposedConvs.cpp - transposed convolutions by phases ---===//
//
// Models write a transposed convolution as one of an input whose elements stand some stride apart
// among zeros, and most products are with these. An element of the result meets only every s-th tap
// of the filter, and which they are depends on its position modulo s alone, its phase. So the
// elements of each phase are a convolution of the dense input with a filter of every s-th tap.
// These filters are features of one convolution, and its result is put together from the features
// as depth to space does it (Shi et al., "Is the deconvolution layer the same as a convolutional
// layer?", arXiv:1609.07009).
//
//===----------------------------------------------------------------------===//

#include "ConstantView.h"

#include "NPU/Preparation/ContractionBody.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace npu {
#define GEN_PASS_DEF_NPUDECOMPOSETRANSPOSEDCONVS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
/// A dimension of the input of a convolution, whose elements stand `stride` apart among zeros.
struct SpreadDim {
  int64_t stride, low, size, extent;     ///< first element and number of them; elements with zeros
  unsigned filterDim = 0, resultDim = 0; ///< where it slides, of strides beyond 1
  int64_t kernel = 0, result = 0;        ///< extents of these

  /// The dense result begins this many elements before the result, so that all phases begin to read
  /// at the same element of the dense input.
  int64_t getShift() const { return stride - 1 - llvm::mod(low, stride); }
  /// The taps of a phase: `tap * stride + stride - 1 - phase` for each `tap` and `phase`.
  int64_t getTaps() const { return llvm::divideCeil(kernel, stride); }
  int64_t getPositions() const { return llvm::divideCeil(result + getShift(), stride); }
  /// The element of the dense input that the first tap at the first position reads.
  int64_t getFirst() const { return -(low + getShift()) / stride; }
};

/// A convolution over a dense input that was spread.
struct TransposedConv {
  linalg::LinalgOp op;
  Value input;                 ///< the dense one
  RankedTensorType inputType;  ///< with the dimensions of the convolution
  SmallVector<SpreadDim> dims; ///< of the input
  unsigned filterFeature = 0, resultFeature = 0;

  auto getSpread() const {
    return llvm::make_filter_range(dims, [](const SpreadDim &dim) { return dim.stride > 1; });
  }
};
} // namespace

/// The dimension of `map` that is the loop alone, if every dimension of it is a loop.
static std::optional<unsigned> findDim(AffineMap map, unsigned loop) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

static bool isFilledWithZero(Value tensor) {
  TypedAttr constant = getSplatConstant(tensor);
  return constant && isZero(constant);
}

/// For each dimension of `collapse`, or of `insert` if that is null, the one of `insert` that it
/// is; nothing where some is made of several that have more than one element.
static std::optional<SmallVector<int64_t>> getInsertedDims(tensor::CollapseShapeOp collapse,
                                                           tensor::InsertSliceOp insert) {
  ArrayRef<int64_t> shape = insert.getDestType().getShape();
  if (!collapse)
    return llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  SmallVector<int64_t> dims;
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    auto isLong = [&](int64_t dim) { return shape[dim] != 1; };
    if (llvm::count_if(group, isLong) > 1)
      return std::nullopt;
    const auto *dim = llvm::find_if(group, isLong);
    dims.push_back(dim == group.end() ? group.front() : *dim);
  }
  return dims;
}

/// Fills in the dense input and the dimensions of what its insertion into zeros makes, which a
/// reshape may drop dimensions of one element from.
static LogicalResult matchSpread(Value value, TransposedConv &conv, PatternRewriter &rewriter) {
  auto reject = [&](const Twine &reason) { return rewriter.notifyMatchFailure(conv.op, reason); };
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  auto insert = (collapse ? collapse.getSrc() : value).getDefiningOp<tensor::InsertSliceOp>();
  if (!insert)
    return reject("the input is no insertion");
  ArrayRef<int64_t> offsets = insert.getStaticOffsets(), sizes = insert.getStaticSizes(),
                    strides = insert.getStaticStrides(), shape = insert.getDestType().getShape();
  if (ShapedType::isDynamicShape(offsets) || ShapedType::isDynamicShape(sizes) ||
      ShapedType::isDynamicShape(strides) || ShapedType::isDynamicShape(shape))
    return reject("the input is spread dynamically");
  if (llvm::is_contained(sizes, 0))
    return reject("nothing is inserted");
  if (!isFilledWithZero(insert.getDest()))
    return reject("the input is spread among other values than zeros");
  std::optional<SmallVector<int64_t>> dims = getInsertedDims(collapse, insert);
  if (!dims)
    return reject("dimensions of the spread input are merged");
  SmallVector<int64_t> dense;
  for (int64_t dim : *dims) {
    dense.push_back(sizes[dim]);
    conv.dims.push_back({sizes[dim] == 1 ? 1 : strides[dim], offsets[dim], sizes[dim], shape[dim]});
  }
  if (llvm::all_of(conv.dims, [](const SpreadDim &dim) { return dim.stride == 1; }))
    return reject("the input is dense");
  conv.input = insert.getSource();
  conv.inputType = insert.getSourceType().clone(dense);
  if (conv.inputType != insert.getSourceType() &&
      !getReassociationIndicesForReshape(insert.getSourceType(), conv.inputType))
    return reject("the dense input has dimensions of another order");
  return success();
}

/// Matches where the spread dimensions slide, and the features.
static FailureOr<TransposedConv> matchTransposedConv(linalg::LinalgOp op,
                                                     PatternRewriter &rewriter) {
  auto reject = [&](const Twine &reason) { return rewriter.notifyMatchFailure(op, reason); };
  if (op.getNumDpsInputs() != 2 || !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      !linalg::isaConvolutionOpInterface(op))
    return reject("no convolution of tensors of known shapes");
  Rejection reason;
  if (failed(matchMultiplyAddBody(op, reason)))
    return reject(reason.getReason());
  TransposedConv conv;
  conv.op = op;
  if (failed(matchSpread(op.getDpsInputs()[0], conv, rewriter)))
    return failure();
  FailureOr<linalg::ConvolutionDimensions> loops = linalg::inferConvolutionDims(op);
  if (failed(loops))
    return reject("a convolution of unknown form");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [dim, index] : llvm::zip_equal(conv.dims, maps[0].getResults())) {
    if (dim.stride == 1)
      continue;
    auto sum = dyn_cast<AffineBinaryOpExpr>(index);
    auto lhs = dyn_cast_if_present<AffineDimExpr>(sum ? sum.getLHS() : AffineExpr());
    auto rhs = dyn_cast_if_present<AffineDimExpr>(sum ? sum.getRHS() : AffineExpr());
    if (!lhs || !rhs || sum.getKind() != AffineExprKind::Add)
      return reject("a spread dimension is not read at each element and tap");
    unsigned position = lhs.getPosition(), tap = rhs.getPosition();
    if (!llvm::is_contained(loops->filterLoop, tap))
      std::swap(position, tap);
    std::optional<unsigned> filterDim = findDim(maps[1], tap),
                            resultDim = findDim(maps[2], position);
    if (!filterDim || !resultDim)
      return reject("a spread dimension slides over something else than filter and result");
    dim.filterDim = *filterDim;
    dim.resultDim = *resultDim;
    dim.kernel = ranges[tap];
    dim.result = ranges[position];
  }
  if (llvm::all_of(conv.getSpread(), [](const SpreadDim &dim) { return dim.kernel == 1; }))
    return reject("one tap each, of which no phase but one has any");
  if (loops->outputChannel.empty())
    return reject("no features that phases could be beside");
  unsigned feature = loops->outputChannel.front();
  std::optional<unsigned> filterFeature = findDim(maps[1], feature),
                          resultFeature = findDim(maps[2], feature);
  if (!filterFeature || !resultFeature)
    return reject("features that are no dimension of filter and result");
  conv.filterFeature = *filterFeature;
  conv.resultFeature = *resultFeature;
  return conv;
}

namespace {
/// Creates the parts.
class ConvDecomposition {
public:
  ConvDecomposition(const TransposedConv &conv, PatternRewriter &rewriter)
      : conv(conv), op(conv.op), rewriter(rewriter), loc(op.getLoc()) {
    for (const SpreadDim &dim : conv.getSpread())
      spread.push_back(dim), numPhases *= dim.stride;
  }

  Value create();

private:
  Value createInput();
  Value createFilter();
  TypedAttr foldFilter(ArrayRef<int64_t> shape);
  Value createConv(Value input, Value filter);
  Value createResult(Value features);

  ArrayRef<int64_t> getShape(Value value) { return cast<ShapedType>(value.getType()).getShape(); }
  /// The place of a spread dimension, in the order of the input.
  template <typename Get>
  const SpreadDim *find(unsigned position, Get get) {
    auto *dim = llvm::find_if(spread, [&](const SpreadDim &dim) { return get(dim) == position; });
    return dim == spread.end() ? nullptr : dim;
  }
  const SpreadDim *findFilterDim(unsigned position) {
    return find(position, [](const SpreadDim &dim) { return dim.filterDim; });
  }
  const SpreadDim *findResultDim(unsigned position) {
    return find(position, [](const SpreadDim &dim) { return dim.resultDim; });
  }
  Value pad(Value tensor, ArrayRef<int64_t> low, ArrayRef<int64_t> high);
  Value slice(Value tensor, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes);
  Value move(Value tensor, ArrayRef<int64_t> shape, AffineMap from);

  const TransposedConv &conv;
  linalg::LinalgOp op;
  PatternRewriter &rewriter;
  Location loc;
  SmallVector<SpreadDim> spread;
  int64_t numPhases = 1;
};
} // namespace

/// With zeros around it; nothing where there are none.
Value ConvDecomposition::pad(Value tensor, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  auto isNone = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isNone) && llvm::all_of(high, isNone))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (auto [size, before, behind] : llvm::zip_equal(type.getShape(), low, high))
    shape.push_back(size + before + behind);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(rewriter, loc, type.clone(shape), tensor,
                               getAsIndexOpFoldResult(op.getContext(), low),
                               getAsIndexOpFoldResult(op.getContext(), high), zero);
}

Value ConvDecomposition::slice(Value tensor, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  if (getShape(tensor) == sizes)
    return tensor;
  SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, tensor,
                                        getAsIndexOpFoldResult(op.getContext(), offsets),
                                        getAsIndexOpFoldResult(op.getContext(), sizes), steps);
}

/// A tensor of `shape` whose elements are those of `tensor` that `from` says.
Value ConvDecomposition::move(Value tensor, ArrayRef<int64_t> shape, AffineMap from) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, getElementTypeOrSelf(tensor));
  SmallVector<utils::IteratorType> loops(shape.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), tensor, empty,
                                   ArrayRef{from, rewriter.getMultiDimIdentityMap(shape.size())},
                                   loops,
                                   [](OpBuilder &builder, Location loc, ValueRange values) {
                                     linalg::YieldOp::create(builder, loc, values[0]);
                                   })
      .getResult(0);
}

/// The elements that some tap reads, and zeros where it reads none.
Value ConvDecomposition::createInput() {
  // Every element of the spread input is in some window, so that none starts behind the first.
  SmallVector<int64_t> sizes, low, high;
  for (const SpreadDim &dim : conv.dims) {
    int64_t first = -dim.low, count = dim.extent;
    if (dim.stride > 1) {
      first = dim.getFirst();
      count = dim.getPositions() + dim.getTaps() - 1;
    }
    sizes.push_back(std::min(first + count, dim.size));
    low.push_back(-first);
    high.push_back(first + count - sizes.back());
  }
  Value input = conv.input;
  auto type = cast<RankedTensorType>(input.getType());
  if (type != conv.inputType) {
    SmallVector<ReassociationIndices> groups =
        *getReassociationIndicesForReshape(type, conv.inputType);
    if (type.getRank() < conv.inputType.getRank())
      input = tensor::ExpandShapeOp::create(rewriter, loc, conv.inputType, input, groups);
    else
      input = tensor::CollapseShapeOp::create(rewriter, loc, conv.inputType, input, groups);
  }
  return pad(slice(input, SmallVector<int64_t>(sizes.size()), sizes), low, high);
}

/// The filters of all phases, one after the other, if the filter is a constant.
TypedAttr ConvDecomposition::foldFilter(ArrayRef<int64_t> shape) {
  std::optional<ConstantView> view = findConstantView(op.getDpsInputs()[1]);
  if (!view)
    return {};
  ArrayRef<int64_t> from = getShape(op.getDpsInputs()[1]);
  auto type = RankedTensorType::get(shape, view->elementType);
  std::vector<char> bytes(type.getNumElements() * view->width);
  ArrayRef<int64_t> strides = view->strides;
  SmallVector<int64_t> index(shape.size());
  for (size_t target = 0; target < bytes.size(); target += view->width) {
    // The number of the feature is that of the phases, in the order of the dimensions, then its
    // own.
    int64_t features = from[conv.filterFeature], number = index[conv.filterFeature];
    int64_t phases = number / features;
    int64_t offset = view->base + number % features * strides[conv.filterFeature];
    bool isTap = true;
    for (const SpreadDim &dim : llvm::reverse(spread)) {
      int64_t tap = (index[dim.filterDim] + 1) * dim.stride - 1 - phases % dim.stride;
      phases /= dim.stride;
      isTap &= tap < dim.kernel;
      offset += tap * strides[dim.filterDim];
    }
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (dim != conv.filterFeature && !findFilterDim(dim))
        offset += index[dim] * strides[dim];
    if (isTap)
      std::memcpy(&bytes[target], view->getElement(offset), view->width);
    for (unsigned dim = shape.size(); dim-- > 0 && ++index[dim] == shape[dim];)
      index[dim] = 0;
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

Value ConvDecomposition::createFilter() {
  Value filter = op.getDpsInputs()[1];
  SmallVector<int64_t> shape(getShape(filter));
  int64_t features = shape[conv.filterFeature];
  shape[conv.filterFeature] *= numPhases;
  for (const SpreadDim &dim : spread)
    shape[dim.filterDim] = dim.getTaps();
  if (TypedAttr constant = foldFilter(shape))
    return arith::ConstantOp::create(rewriter, loc, constant);

  // Taps become taps and phases, which go before the features.
  unsigned rank = shape.size();
  SmallVector<int64_t> high(rank), expanded, moved;
  SmallVector<ReassociationIndices> taps(rank), result(rank);
  SmallVector<AffineExpr> from;
  for (unsigned dim = 0, numLoops = 0; dim < rank; ++dim) {
    if (dim == conv.filterFeature)
      for (const SpreadDim &phase : spread) {
        result[dim].push_back(numLoops++);
        moved.push_back(phase.stride);
      }
    result[dim].push_back(numLoops++);
    moved.push_back(dim == conv.filterFeature ? features : shape[dim]);
  }
  for (unsigned dim = 0; dim < rank; ++dim) {
    taps[dim].push_back(expanded.size());
    expanded.push_back(moved[result[dim].back()]);
    from.push_back(rewriter.getAffineDimExpr(result[dim].back()));
    if (const SpreadDim *phase = findFilterDim(dim)) {
      high[dim] = phase->getTaps() * phase->stride - phase->kernel;
      taps[dim].push_back(expanded.size());
      expanded.push_back(phase->stride);
      unsigned loop = result[conv.filterFeature][phase - spread.begin()];
      from.push_back(phase->stride - 1 - rewriter.getAffineDimExpr(loop));
    }
  }
  // As a map, which no reshape can become part of.
  if (std::optional<Move> turned = matchMove(filter))
    filter = move(turned->source, getShape(filter), turned->from);
  filter = pad(filter, SmallVector<int64_t>(rank), high);
  Type elementType = getElementTypeOrSelf(filter);
  filter = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(expanded, elementType), filter, taps);
  filter = move(filter, moved, AffineMap::get(moved.size(), 0, from, op.getContext()));
  return tensor::CollapseShapeOp::create(rewriter, loc, RankedTensorType::get(shape, elementType),
                                         filter, result);
}

Value ConvDecomposition::createConv(Value input, Value filter) {
  Value init = op.getDpsInits()[0];
  SmallVector<int64_t> shape(getShape(init));
  shape[conv.resultFeature] *= numPhases;
  for (const SpreadDim &dim : spread)
    shape[dim.resultDim] = dim.getPositions();
  Type type = getElementTypeOrSelf(init);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type);
  Value fill = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  return clone(rewriter, op, fill.getType(), {input, filter, fill})->getResult(0);
}

/// Puts the elements of each phase where they belong.
Value ConvDecomposition::createResult(Value features) {
  ArrayRef<int64_t> shape = getShape(features), result = getShape(op.getDpsInits()[0]);
  unsigned rank = shape.size();
  SmallVector<ReassociationIndices> phases(rank), positions(rank);
  SmallVector<int64_t> expanded, moved, whole, offsets;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (dim == conv.resultFeature)
      for (const SpreadDim &phase : spread) {
        phases[dim].push_back(expanded.size());
        expanded.push_back(phase.stride);
      }
    phases[dim].push_back(expanded.size());
    expanded.push_back(dim == conv.resultFeature ? shape[dim] / numPhases : shape[dim]);
  }
  SmallVector<AffineExpr> from(expanded.size());
  for (unsigned dim = 0; dim < rank; ++dim) {
    auto add = [&](unsigned source) {
      from[source] = rewriter.getAffineDimExpr(moved.size());
      positions[dim].push_back(moved.size());
      moved.push_back(expanded[source]);
    };
    add(phases[dim].back());
    const SpreadDim *phase = findResultDim(dim);
    if (phase)
      add(phases[conv.resultFeature][phase - spread.begin()]);
    whole.push_back(phase ? shape[dim] * phase->stride : result[dim]);
    offsets.push_back(phase ? phase->getShift() : 0);
  }
  Type type = getElementTypeOrSelf(features);
  Value value = tensor::ExpandShapeOp::create(rewriter, loc, RankedTensorType::get(expanded, type),
                                              features, phases);
  value = move(value, moved, AffineMap::get(moved.size(), 0, from, op.getContext()));
  value = tensor::CollapseShapeOp::create(rewriter, loc, RankedTensorType::get(whole, type), value,
                                          positions);
  return slice(value, offsets, result);
}

Value ConvDecomposition::create() {
  Value input = createInput();
  Value products = createResult(createConv(input, createFilter()));
  Value init = op.getDpsInits()[0];
  if (isFilledWithZero(init))
    return products;
  auto type = cast<RankedTensorType>(init.getType());
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  return linalg::AddOp::create(rewriter, loc, ValueRange{products, init}, empty).getResult(0);
}

namespace {
struct DecomposeTransposedConv : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    FailureOr<TransposedConv> conv = matchTransposedConv(op, rewriter);
    if (failed(conv))
      return failure();
    rewriter.replaceOp(op, ConvDecomposition(*conv, rewriter).create());
    return success();
  }
};

struct DecomposeTransposedConvs
    : npu::impl::NPUDecomposeTransposedConvsBase<DecomposeTransposedConvs> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeTransposedConv>(&getContext());
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
