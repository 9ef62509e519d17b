//===- LowerMatrix.cpp - contractions to instructions ---------------------===//

#include "Operands.h"

using namespace mlir;
using namespace npu;
using isa::Affine;

/// An operand and the letters of its dimensions, by which its strides are found.
namespace {
struct LetteredView : ChipView {
  std::string letters;

  /// Bytes per index of the dimension, 0 where the operand does not have it.
  int64_t getStride(char letter) const {
    size_t position = letters.find(letter);
    return position == std::string::npos ? 0 : strides[position];
  }
};
} // namespace

/// Letter of a panel's columns and of the panels themselves.
static constexpr char columnLetter = '|', panelLetter = '#';

static FailureOr<LetteredView> convertOperand(Operation *op, Value operand, StringRef letters,
                                              StringRef canonical, const LoweringContext &context) {
  // A tile's layout is the canonical one, possibly with letters left out.
  size_t next = 0;
  for (char letter : letters) {
    next = canonical.find(letter, next);
    if (next == StringRef::npos)
      return op->emitOpError("expected on-chip operands in canonical order \"")
             << canonical << "\" but found \"" << letters << "\"";
    ++next;
  }
  FailureOr<ChipView> view = convertChipView(op, operand, context.scope);
  if (failed(view))
    return failure();
  LetteredView result;
  static_cast<ChipView &>(result) = *view;
  result.letters = letters;
  int64_t elementBytes = isa::getByteSize(view->type);
  if (letters.ends_with(canonical.take_back(1)) && view->strides.back() != elementBytes &&
      view->shape.back() != 1)
    return op->emitOpError(
               "expected the innermost dimension of on-chip operands to be contiguous but "
               "found ")
           << operand.getType();
  return result;
}

/// Packed weights: panels, then `letters` without the column, then the columns of a panel.
static FailureOr<LetteredView> convertPanels(Operation *op, Value operand, StringRef letters,
                                             char column, const LoweringContext &context) {
  FailureOr<ChipView> view = convertChipView(op, operand, context.scope);
  if (failed(view))
    return failure();
  LetteredView result;
  static_cast<ChipView &>(result) = *view;
  result.letters = panelLetter;
  for (char letter : letters)
    if (letter != column)
      result.letters += letter;
  result.letters += columnLetter;
  int64_t columns = view->shape.back(), elementBytes = isa::getByteSize(view->type);
  if (columns != context.target.macCols)
    return op->emitOpError("expected panels of ")
           << context.target.macCols << " columns for target '" << context.target.name
           << "' but found " << operand.getType();
  size_t inner = result.letters.size() - 2;
  if (view->strides.back() != elementBytes ||
      (result.letters[inner] != panelLetter && view->shape[inner] != 1 &&
       (letters.contains('k') || letters.contains('c')) &&
       view->strides[inner] != columns * elementBytes))
    return op->emitOpError("expected the rows of a panel to be contiguous but found ")
           << operand.getType();
  return result;
}

/// The type of the array for two element types that the op's verifier accepts.
static isa::MacType convertMacType(isa::ElementType left, isa::ElementType right) {
  return *isa::getMacType(left, right);
}

static FailureOr<isa::Accumulate> convertAccumulate(Operation *op, isa::MacType type,
                                                    ValueRange init, bool accumulate,
                                                    const LoopScope &scope) {
  FailureOr<Accumulation> accumulation = convertAccumulation(op, init, accumulate, scope);
  if (failed(accumulation))
    return failure();
  isa::Accumulate result;
  result.start = isa::makeAddress();
  result.type = type;
  result.mode = accumulation->mode;
  result.counters = accumulation->counters;
  return result;
}

namespace {
/// The extents of a contraction by letter; 1 for letters it does not have.
class LetterExtents {
public:
  LetterExtents(NPUComputeOpInterface op, const LoopScope &scope)
      : op(op), scope(scope), letters(op.getDimLetters()), ranges(op.getStaticLoopRanges()) {}

  LogicalResult get(char letter, isa::Extent &extent) const {
    size_t position = letters.find(letter);
    if (position == std::string::npos) {
      extent = isa::fixedExtent(1);
      return success();
    }
    FailureOr<isa::Extent> result =
        convertExtent(op, op.getTileExtents(), position, ranges[position], scope);
    if (failed(result))
      return failure();
    extent = *result;
    return success();
  }

private:
  mutable NPUComputeOpInterface op;
  const LoopScope &scope;
  std::string letters;
  SmallVector<int64_t> ranges;
};
} // namespace

/// Sets what the sums start from.
template <typename OpTy>
static LogicalResult convertBias(OpTy op, const LoweringContext &context,
                                 isa::Accumulate &accumulate) {
  if (!op.getBias())
    return success();
  std::string letters = op.getBiasLayout();
  FailureOr<LetteredView> bias = convertOperand(op, op.getBias(), letters, letters, context);
  if (failed(bias))
    return failure();
  accumulate.biased = true;
  accumulate.start = bias->address;
  return success();
}

/// Makes `result` the extent of all dimensions along which the op adds up, which have to lie side
/// by side in both operands.
static LogicalResult mergeReductions(MatmulOp op, const LetterExtents &extents,
                                     const LetteredView &a, const LetteredView &b,
                                     isa::Extent &result) {
  result = isa::fixedExtent(1);
  char outer = 0;
  for (char letter : StringRef("ijk")) {
    if (!StringRef(op.getLayoutA()).contains(letter))
      continue;
    isa::Extent inner;
    if (failed(extents.get(letter, inner)))
      return failure();
    if (!outer || isFixedExtent(result, 1)) {
      result = inner;
    } else {
      bool isOne = isFixedExtent(inner, inner.full) &&
                   a.getStride(outer) == a.getStride(letter) * inner.full &&
                   b.getStride(outer) == b.getStride(letter) * inner.full;
      if (!isOne)
        return op.emitOpError("adds up along '")
               << outer << "' and '" << letter
               << "', which do not lie side by side, expected tiles that have '" << letter
               << "' whole";
      result.limit = result.limit * inner.full;
      result.full *= inner.full;
    }
    outer = letter;
  }
  return success();
}

FailureOr<Code> npu::lowerMatmul(MatmulOp op, const LoweringContext &context) {
  if (!op.getPacked())
    return op.emitOpError("expected a packed right operand");
  FailureOr<LetteredView> a = convertOperand(op, op.getLhs(), op.getLayoutA(), "mijk", context);
  if (failed(a))
    return failure();
  FailureOr<LetteredView> b = convertPanels(op, op.getRhs(), op.getLayoutB(), 'n', context);
  FailureOr<LetteredView> c = convertOperand(op, op.getOutput(), op.getLayoutC(), "mn", context);
  if (failed(b) || failed(c))
    return failure();
  isa::MacType type = convertMacType(a->type, b->type);
  FailureOr<isa::Accumulate> accumulate =
      convertAccumulate(op, type, op.getInit(), op.getAccumulate(), context.scope);
  if (failed(accumulate) || failed(convertBias(op, context, *accumulate)))
    return failure();

  isa::MxuMatmul result;
  result.accumulate = *accumulate;
  result.a = a->address;
  result.a_pitch.row_bytes = a->getStride('m');
  result.b = b->address;
  result.b_panel.panel_bytes = b->getStride(panelLetter);
  result.out = c->address;
  result.out_pitch.row_bytes = c->getStride('m');
  LetterExtents extents(op, context.scope);
  if (failed(extents.get('m', result.m)) || failed(extents.get('n', result.n)) ||
      failed(mergeReductions(op, extents, *a, *b, result.k)))
    return failure();
  return Code{result};
}

/// Strides, dilations and tap distances; a dimension that does not exist has one tap.
static isa::Window convertWindow(ConvOp op, const LetteredView &weights) {
  SmallVector<int64_t> strides = op.getStrideValues(), dilations = op.getDilationValues();
  isa::Window window;
  window.stride_h = strides[0];
  window.dilation_h = dilations[0];
  window.stride_w = op.getNumSpatialDims() == 2 ? strides[1] : 1;
  window.dilation_w = op.getNumSpatialDims() == 2 ? dilations[1] : 1;
  window.tap_row_bytes = weights.getStride('y');
  window.tap_bytes = weights.getStride('x');
  return window;
}

template <typename Instruction>
static LogicalResult convertCommonConv(ConvOp op, const LetteredView &input,
                                       const LetteredView &weights, const LetteredView &output,
                                       const LoweringContext &context, Instruction &result) {
  isa::MacType type = convertMacType(input.type, weights.type);
  FailureOr<isa::Accumulate> accumulate =
      convertAccumulate(op, type, op.getInit(), op.getAccumulate(), context.scope);
  if (failed(accumulate) || failed(convertBias(op, context, *accumulate)))
    return failure();
  result.accumulate = *accumulate;
  result.in = input.address;
  result.in_pitch.row_bytes = input.getStride('h');
  result.in_pitch.pixel_bytes = input.getStride('w');
  result.weights = weights.address;
  result.out = output.address;
  result.out_pitch.row_bytes = output.getStride('h');
  result.out_pitch.pixel_bytes = output.getStride('w');
  result.window = convertWindow(op, weights);
  LetterExtents extents(op, context.scope);
  return success(succeeded(extents.get('h', result.h)) && succeeded(extents.get('w', result.w)) &&
                 succeeded(extents.get('y', result.y)) && succeeded(extents.get('x', result.x)));
}

static FailureOr<Code> lowerDepthwise(ConvOp op, const LoweringContext &context) {
  FailureOr<LetteredView> input =
      convertOperand(op, op.getInput(), op.getLayoutInput(), "hwg", context);
  if (failed(input))
    return failure();
  FailureOr<LetteredView> weights =
      convertOperand(op, op.getFilter(), op.getLayoutFilter(), "yxg", context);
  FailureOr<LetteredView> output =
      convertOperand(op, op.getOutput(), op.getLayoutOutput(), "hwg", context);
  isa::MxuDepthwise result;
  if (failed(weights) || failed(output) ||
      failed(convertCommonConv(op, *input, *weights, *output, context, result)) ||
      failed(LetterExtents(op, context.scope).get('g', result.g)))
    return failure();
  return Code{result};
}

FailureOr<Code> npu::lowerConv(ConvOp op, const LoweringContext &context) {
  if (op.hasPadding())
    return op.emitOpError("expected padding to be in the input buffer, not in the op");
  if (op.isDepthwise())
    return lowerDepthwise(op, context);
  if (!op.getPacked())
    return op.emitOpError("expected a packed filter");
  FailureOr<LetteredView> input =
      convertOperand(op, op.getInput(), op.getLayoutInput(), "hwc", context);
  if (failed(input))
    return failure();
  FailureOr<LetteredView> weights =
      convertPanels(op, op.getFilter(), op.getLayoutFilter(), 'f', context);
  FailureOr<LetteredView> output =
      convertOperand(op, op.getOutput(), op.getLayoutOutput(), "hwf", context);
  isa::MxuConv result;
  if (failed(weights) || failed(output) ||
      failed(convertCommonConv(op, *input, *weights, *output, context, result)))
    return failure();
  result.weights_panel.panel_bytes = weights->getStride(panelLetter);
  LetterExtents extents(op, context.scope);
  if (failed(extents.get('f', result.f)) || failed(extents.get('c', result.c)))
    return failure();
  return Code{result};
}
