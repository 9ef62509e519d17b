//===- MatchArrayOps.cpp - recognizes contractions and convolutions -------===//

#include "Matching.h"

#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

bool npu::isReduction(linalg::LinalgOp op) { return op.getNumParallelLoops() != op.getNumLoops(); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// The coordinates of the operands and where each loop occurs.
struct Loops {
  SmallVector<Coordinate> lhs, rhs, output;

  static bool contains(ArrayRef<Coordinate> coordinates, int64_t dim) {
    return llvm::any_of(coordinates, [&](const Coordinate &coordinate) {
      return coordinate.dim == dim || coordinate.window == dim;
    });
  }
  /// The loops that are in exactly those operands, in the order of the first of them.
  SmallVector<int64_t> find(bool inLhs, bool inRhs, bool inOutput) const {
    SmallVector<int64_t> result;
    for (const Coordinate &coordinate : inLhs ? lhs : rhs)
      if (coordinate.isPlain() && contains(lhs, coordinate.dim) == inLhs &&
          contains(rhs, coordinate.dim) == inRhs && contains(output, coordinate.dim) == inOutput)
        result.push_back(coordinate.dim);
    return result;
  }
};
} // namespace

/// `expr` as dim or dim * constant; failure for anything else.
static FailureOr<std::pair<int64_t, int64_t>> parseTerm(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return std::make_pair(int64_t(dim.getPosition()), int64_t(1));
  // Affine expressions keep the constant on the right.
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return failure();
  auto dim = dyn_cast<AffineDimExpr>(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!dim || !factor || factor.getValue() <= 0)
    return failure();
  return std::make_pair(int64_t(dim.getPosition()), factor.getValue());
}

FailureOr<Coordinate> npu::parseCoordinate(AffineExpr expr,
                                           ArrayRef<utils::IteratorType> iterators) {
  Coordinate coordinate;
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  SmallVector<AffineExpr, 2> terms = {expr};
  if (sum && sum.getKind() == AffineExprKind::Add)
    terms = {sum.getLHS(), sum.getRHS()};
  for (AffineExpr term : terms) {
    auto parsed = parseTerm(term);
    if (failed(parsed))
      return failure();
    auto [dim, factor] = *parsed;
    bool isWindow = terms.size() == 2 && iterators[dim] == utils::IteratorType::reduction;
    int64_t &place = isWindow ? coordinate.window : coordinate.dim;
    if (place >= 0)
      return failure();
    place = dim;
    (isWindow ? coordinate.windowScale : coordinate.scale) = factor;
  }
  if (coordinate.dim < 0)
    return failure();
  return coordinate;
}

static FailureOr<SmallVector<Coordinate>> parseMap(linalg::LinalgOp op, unsigned operand,
                                                   Rejection &reason) {
  SmallVector<Coordinate> coordinates;
  AffineMap map = op.getIndexingMapsArray()[operand];
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    FailureOr<Coordinate> coordinate = parseCoordinate(expr, op.getIteratorTypesArray());
    if (failed(coordinate)) {
      auto kind = isa<AffineConstantExpr>(expr) ? RejectionKind::UnitIndex : RejectionKind::Index;
      std::string text;
      llvm::raw_string_ostream(text)
          << "'" << expr << "', dimension " << index << " of operand " << operand;
      return reject(reason, kind, text);
    }
    if (Loops::contains(coordinates, coordinate->dim) ||
        (coordinate->window >= 0 && Loops::contains(coordinates, coordinate->window)))
      return reject(reason, RejectionKind::Diagonal, "operand " + Twine(operand));
    coordinates.push_back(*coordinate);
  }
  return coordinates;
}

static FailureOr<Loops> parseLoops(linalg::LinalgOp op, Rejection &reason) {
  auto lhs = parseMap(op, 0, reason);
  auto rhs = succeeded(lhs) ? parseMap(op, 1, reason) : lhs;
  auto output = succeeded(rhs) ? parseMap(op, 2, reason) : rhs;
  if (failed(output))
    return failure();
  Loops loops{*lhs, *rhs, *output};
  auto isPlain = [](const Coordinate &coordinate) { return coordinate.isPlain(); };
  if (!llvm::all_of(loops.output, isPlain))
    return reject(reason, RejectionKind::OutputIndex, "operand 2");
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isReduced = iterator == utils::IteratorType::reduction;
    bool isRead = Loops::contains(loops.lhs, dim) || Loops::contains(loops.rhs, dim);
    if (Loops::contains(loops.output, dim) == isReduced || !isRead)
      return reject(reason, RejectionKind::Loop, "d" + Twine(dim));
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

/// The layout string of an operand from the letter of each loop.
static std::string spell(ArrayRef<Coordinate> coordinates, StringRef letters) {
  std::string layout;
  for (const Coordinate &coordinate : coordinates)
    layout.push_back(letters[coordinate.dim]);
  return layout;
}

/// Several loops can be one if every operand has them side by side in the same order.
static bool areAdjacent(ArrayRef<int64_t> dims, ArrayRef<Coordinate> coordinates) {
  auto first = llvm::find_if(coordinates, [&](const Coordinate &c) { return c.dim == dims[0]; });
  size_t start = first - coordinates.begin();
  if (start + dims.size() > coordinates.size())
    return false;
  for (auto [index, dim] : llvm::enumerate(dims))
    if (coordinates[start + index].dim != dim)
      return false;
  return true;
}

/// Windows slide over the output's space, along the kernel's dimensions.
static LogicalResult checkWindows(const Loops &loops, Rejection &reason) {
  for (const Coordinate &coordinate : loops.lhs) {
    if (coordinate.isPlain())
      continue;
    bool isSpace = Loops::contains(loops.output, coordinate.dim) &&
                   !Loops::contains(loops.rhs, coordinate.dim);
    bool hasKernel = coordinate.window < 0 || (Loops::contains(loops.rhs, coordinate.window) &&
                                               !Loops::contains(loops.output, coordinate.window));
    if (isSpace && hasKernel)
      continue;
    return reject(reason, RejectionKind::Window, "loop d" + Twine(coordinate.dim));
  }
  return success();
}

static LogicalResult rejectCount(Rejection &reason, size_t count, StringRef what,
                                 unsigned limit = 1) {
  return reject(reason, RejectionKind::DimensionCount, Twine(count) + " for the " + what,
                "at most " + Twine(limit));
}

/// Gives `letter` to the loops `dims`, which must be at most one, or reductions side by side.
static LogicalResult assign(std::string &letters, ArrayRef<int64_t> dims, char letter,
                            const Loops &loops, StringRef what, Rejection &reason) {
  bool canCollapse =
      letter == 'k' || letter == 'c'; // only these are in no result, whose shape must stay
  if (dims.size() > 1 &&
      (!canCollapse || !areAdjacent(dims, loops.lhs) || !areAdjacent(dims, loops.rhs)))
    return rejectCount(reason, dims.size(), what);
  for (int64_t dim : dims)
    letters[dim] = letter;
  return success();
}

/// Letters of a plain contraction; with two to four dimensions for the rows it is a
/// convolution with a kernel of one element, whose tiles span them.
static FailureOr<ArrayOp> spellContraction(linalg::LinalgOp op, Loops loops, Rejection &reason) {
  SmallVector<int64_t> rows = loops.find(true, false, true);
  SmallVector<int64_t> columns = loops.find(false, true, true);
  ArrayOp match;
  match.lhs.value = op.getDpsInputs()[0];
  match.rhs.value = op.getDpsInputs()[1];
  if (columns.size() > 1 && rows.size() <= 1) {
    std::swap(loops.lhs, loops.rhs);
    std::swap(match.lhs, match.rhs);
    std::swap(rows, columns);
  }
  SmallVector<int64_t> batches = loops.find(true, true, true);
  SmallVector<int64_t> sums = loops.find(true, true, false);
  // Without rows and columns the array's cells would multiply one by one, batch after batch, where
  // the lanes of the vector unit multiply side by side.
  if (rows.empty() && columns.empty() && !batches.empty())
    return reject(reason, RejectionKind::Loop, "d" + Twine(batches.front()));
  std::string letters(op.getNumLoops(), '?');
  match.isConv = rows.size() > 1;
  if (match.isConv) {
    constexpr StringRef rowLetters[] = {"hw", "nhw", "ndhw"};
    if (rows.size() > 4)
      return rejectCount(reason, rows.size(), "rows", 4);
    for (auto [dim, letter] : llvm::zip_equal(rows, rowLetters[rows.size() - 2]))
      letters[dim] = letter;
    match.rhs.units = rows.size() == 4 ? "zyx" : "yx";
    match.strides = match.dilations = SmallVector<int64_t>(match.rhs.units.size(), 1);
  } else if (rows.size() == 1) {
    letters[rows[0]] = 'm';
  }
  if (match.isConv) {
    if (failed(assign(letters, batches, 'g', loops, "batches of several rows", reason)))
      return failure();
  } else {
    if (batches.size() > kBatchLetters.size())
      return rejectCount(reason, batches.size(), "batches", kBatchLetters.size());
    for (auto [dim, letter] : llvm::zip(batches, kBatchLetters))
      letters[dim] = letter;
  }
  if (failed(assign(letters, columns, match.isConv ? 'f' : 'n', loops, "columns", reason)) ||
      failed(assign(letters, sums, match.isConv ? 'c' : 'k', loops, "reduction", reason)))
    return failure();
  if (size_t dim = letters.find('?'); dim != std::string::npos)
    return reject(reason, RejectionKind::Loop, "d" + Twine(dim));
  match.lhs.letters = spell(loops.lhs, letters);
  match.rhs.letters = spell(loops.rhs, letters);
  match.outputLayout = spell(loops.output, letters);
  return match;
}

/// Letters of a convolution: the input has coordinates that are not plain loops.
static FailureOr<ArrayOp> spellConvolution(linalg::LinalgOp op, const Loops &loops,
                                           Rejection &reason) {
  ArrayOp match;
  match.isConv = true;
  match.lhs.value = op.getDpsInputs()[0];
  match.rhs.value = op.getDpsInputs()[1];
  // Space: the windowed dimensions, and unit-kernel ones to make it two where there is a choice.
  SmallVector<int64_t> images = loops.find(true, false, true);
  int64_t numWindows =
      llvm::count_if(loops.lhs, [](const Coordinate &coordinate) { return !coordinate.isPlain(); });
  if (failed(checkWindows(loops, reason)))
    return failure();
  if (numWindows > 3)
    return reject(reason, RejectionKind::SpatialDimensions, Twine(numWindows));
  unsigned most = numWindows == 3 ? 4 : 3;
  if (numWindows + images.size() > most)
    return rejectCount(reason, numWindows + images.size(), "batch and space", most);
  std::string letters(op.getNumLoops(), '?');
  bool hasBatch = !images.empty() && (numWindows + images.size() == most || images.size() == 1);
  if (hasBatch)
    letters[images[0]] = 'n';
  StringRef space = numWindows == 3 ? "dhw" : "hw", kernel = numWindows == 3 ? "zyx" : "yx";
  unsigned next = 0;
  for (const Coordinate &coordinate : loops.lhs) {
    bool isImage = !coordinate.isPlain() ||
                   (llvm::is_contained(images, coordinate.dim) && letters[coordinate.dim] == '?');
    if (!isImage)
      continue;
    letters[coordinate.dim] = space[next];
    match.strides.push_back(coordinate.scale);
    match.dilations.push_back(coordinate.windowScale);
    if (coordinate.window >= 0)
      letters[coordinate.window] = kernel[next];
    else
      match.rhs.units.push_back(kernel[next]);
    ++next;
  }
  if (failed(assign(letters, loops.find(true, true, true), 'g', loops, "groups", reason)) ||
      failed(
          assign(letters, loops.find(false, true, true), 'f', loops, "output channels", reason)) ||
      failed(assign(letters, loops.find(true, true, false), 'c', loops, "input channels", reason)))
    return failure();
  if (size_t dim = letters.find('?'); dim != std::string::npos)
    return reject(reason, RejectionKind::Loop, "d" + Twine(dim));
  match.lhs.letters = spell(loops.lhs, letters);
  match.rhs.letters = spell(loops.rhs, letters);
  match.outputLayout = spell(loops.output, letters);
  return match;
}

//===----------------------------------------------------------------------===//
// Types and padding
//===----------------------------------------------------------------------===//

/// The element types of a contraction. An i8 x i16 product is turned round if it can be.
static LogicalResult matchArrayTypes(ArrayOp &match, Type accumulator, Rejection &reason) {
  auto getTypes = [&] {
    return std::make_pair(getElementTypeOrSelf(match.lhs.value),
                          getElementTypeOrSelf(match.rhs.value));
  };
  auto [left, right] = getTypes();
  if (!match.isConv && left.isSignlessInteger(8) && right.isSignlessInteger(16)) {
    std::swap(match.lhs, match.rhs);
    for (std::string *layout : {&match.lhs.letters, &match.rhs.letters, &match.outputLayout})
      for (char &letter : *layout)
        letter = letter == 'm' ? 'n' : letter == 'n' ? 'm' : letter;
    std::tie(left, right) = getTypes();
  }
  bool isInteger = (left.isSignlessInteger(8) || left.isSignlessInteger(16)) &&
                   right.isSignlessInteger(8) && accumulator.isSignlessInteger(32);
  bool isFloat = (left.isF16() || left.isBF16() || left.isF32()) && left == right;
  if (isInteger || (isFloat && accumulator.isF32()))
    return success();
  std::string types;
  llvm::raw_string_ostream os(types);
  bool isNarrow = isFloat && accumulator == left;
  if (!isNarrow)
    os << left << " x " << right << " -> ";
  os << accumulator;
  return reject(reason, isNarrow ? RejectionKind::Accumulator : RejectionKind::ArrayTypes, types);
}

/// The constant padding in front of the input, if all of it is spatial.
static std::optional<FoldedPadding> matchPadding(const ArrayOp &match) {
  auto pad = match.lhs.value.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getSourceType().hasStaticShape() || !mayPadAtLoads(pad) ||
      ShapedType::isDynamicShape(pad.getStaticLow()) ||
      ShapedType::isDynamicShape(pad.getStaticHigh()))
    return std::nullopt;
  Value value = pad.getConstantPaddingValue();
  TypedAttr constant;
  if (!value || !matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  FoldedPadding padding{pad.getSource(), {}, {}, constant};
  for (auto [letter, low, high] :
       llvm::zip_equal(match.lhs.letters, pad.getStaticLow(), pad.getStaticHigh())) {
    if (low < 0 || high < 0)
      return std::nullopt;
    if (StringRef("dhw").contains(letter)) {
      padding.low.push_back(low);
      padding.high.push_back(high);
    } else if (low != 0 || high != 0) {
      return std::nullopt;
    }
  }
  return padding;
}

LogicalResult npu::matchReshapes(const ArrayOp &match, Rejection &reason) {
  for (const ArrayOperand *operand : {&match.lhs, &match.rhs}) {
    bool isReshaped = !operand->units.empty();
    for (size_t index = 1; index < operand->letters.size(); ++index)
      isReshaped |= operand->letters[index] == operand->letters[index - 1];
    bool isArgument = isa<BlockArgument>(operand->value) && operand->value.hasOneUse();
    if (!isReshaped || isArgument || matchPattern(operand->value, m_Constant()))
      continue;
    return reject(reason, RejectionKind::OperandReshape,
                  operand == &match.lhs ? "the first" : "the second");
  }
  return success();
}

FailureOr<ArrayOp> npu::matchArrayOp(linalg::LinalgOp op, Rejection &reason) {
  if (failed(matchMultiplyAddBody(op, reason)))
    return failure();
  FailureOr<Loops> loops = parseLoops(op, reason);
  if (failed(loops))
    return failure();
  auto isPlain = [](const Coordinate &coordinate) { return coordinate.isPlain(); };
  if (!llvm::all_of(loops->rhs, isPlain))
    return reject(reason, RejectionKind::FilterIndex, "operand 1");
  FailureOr<ArrayOp> match = llvm::all_of(loops->lhs, isPlain)
                                 ? spellContraction(op, *loops, reason)
                                 : spellConvolution(op, *loops, reason);
  if (failed(match))
    return failure();
  foldTransposedOperand(match->lhs);
  foldTransposedOperand(match->rhs);
  if (failed(matchArrayTypes(*match, getElementTypeOrSelf(op.getDpsInits()[0]), reason)))
    return failure();
  if (match->isConv)
    match->padding = matchPadding(*match);
  return match;
}
