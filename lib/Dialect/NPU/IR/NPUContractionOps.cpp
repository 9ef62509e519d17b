//===- NPUContractionOps.cpp - ops of the matrix engine -------------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu;

/// Iteration dimensions of the ops in their order; an op has those that its layouts name.
static constexpr StringLiteral kMatmulLetters = "bghmnijk"; // kBatchLetters first
static constexpr StringLiteral kConvLetters = "ngdhwfczyx";

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The letters of `all` that one of `layouts` names.
static std::string collectLetters(StringRef all, ArrayRef<StringRef> layouts) {
  std::string letters;
  for (char letter : all)
    if (llvm::any_of(layouts, [&](StringRef layout) { return layout.contains(letter); }))
      letters.push_back(letter);
  return letters;
}

/// The map from the iteration domain `letters` to an operand with `layout`.
static AffineMap getLayoutMap(StringRef layout, StringRef letters, MLIRContext *context) {
  SmallVector<AffineExpr> coordinates;
  for (char letter : layout)
    coordinates.push_back(getAffineDimExpr(letters.find(letter), context));
  return AffineMap::get(letters.size(), 0, coordinates, context);
}

/// The map to packed panels: `layout` with its last letter `column` split into panel (first) and
/// column within the panel (last). Without the letter there is one panel and its first column
/// counts.
static AffineMap getPanelMap(StringRef layout, char column, int64_t panelColumns, StringRef letters,
                             MLIRContext *context) {
  size_t position = letters.find(column);
  AffineExpr index = position == StringRef::npos ? getAffineConstantExpr(0, context)
                                                 : getAffineDimExpr(position, context);
  SmallVector<AffineExpr> coordinates = {index.floorDiv(panelColumns)};
  for (char letter : layout)
    if (letter != column)
      coordinates.push_back(getAffineDimExpr(letters.find(letter), context));
  coordinates.push_back(index % panelColumns);
  return AffineMap::get(letters.size(), 0, coordinates, context);
}

/// Columns of a packed panel; one where the type is still to be rejected by the verifier.
static int64_t getPanelColumns(ShapedType type) {
  if (type.getRank() == 0 || type.isDynamicDim(type.getRank() - 1))
    return 1;
  return std::max<int64_t>(type.getDimSize(type.getRank() - 1), 1);
}

/// Letters of `all`, one per dimension of the operand except for `extraDims` of them (packed
/// panels).
static LogicalResult verifyLayout(Operation *op, StringRef name, StringRef layout, StringRef all,
                                  Value operand, int64_t extraDims) {
  if (layout.find_first_not_of(all) != StringRef::npos)
    return op->emitOpError("expected ")
           << name << " to have letters of \"" << all << "\" but found \"" << layout << "\"";
  auto type = cast<ShapedType>(operand.getType());
  if (type.getRank() != static_cast<int64_t>(layout.size()) + extraDims)
    return op->emitOpError("expected an operand of rank ")
           << layout.size() + extraDims << " for " << name << " \"" << layout << "\" but found "
           << type;
  return success();
}

/// `letter`, if the op has it, is exactly in those of the three layouts that `places` says.
static LogicalResult verifyPlaces(Operation *op, ArrayRef<StringRef> layouts, char letter,
                                  ArrayRef<bool> places) {
  SmallVector<bool> found =
      llvm::map_to_vector(layouts, [&](StringRef layout) { return layout.contains(letter); });
  if (llvm::none_of(found, [](bool present) { return present; }) || ArrayRef(found) == places)
    return success();
  static constexpr StringLiteral names[] = {"first operand", "second operand", "destination"};
  SmallVector<StringRef> expected;
  for (auto [name, place] : llvm::zip(names, places))
    if (place)
      expected.push_back(name);
  return op->emitOpError("expected '")
         << letter << "' in the layouts of " << llvm::join(expected, " and ")
         << " only but found \"" << layouts[0] << "\", \"" << layouts[1] << "\", \"" << layouts[2]
         << "\"";
}

/// The element types of a contraction: inputs and accumulator.
static LogicalResult verifyElementTypes(Operation *op, Value lhs, Value rhs, Value output) {
  auto elementType = [](Value value) { return cast<ShapedType>(value.getType()).getElementType(); };
  Type left = elementType(lhs), right = elementType(rhs), accumulator = elementType(output);
  std::optional<isa::MacType> type = getMacType(left, right);
  if (type && getISAType(accumulator) == isa::getAccumulatorType(*type))
    return success();
  SmallVector<std::string> products;
  for (const auto &known : isa::EnumTraits<isa::MacType>::cases)
    products.push_back(isa::describe(known.value));
  std::string last = products.pop_back_val();
  return op->emitOpError("expected ")
         << llvm::join(products, ", ") << " or " << last << " but found " << left << " x " << right
         << " -> " << accumulator;
}

/// A bias has the dimensions `letters` and the sums' type, which start from it.
template <typename OpTy>
static LogicalResult verifyBias(OpTy op, StringRef all) {
  Value bias = op.getBias();
  if (!bias)
    return success();
  std::string letters = op.getBiasLayout();
  if (letters.empty())
    return op.emitOpError("expected no bias of a result without columns");
  if (op.getAccumulate())
    return op.emitOpError("expected no bias with 'accumulate', which starts sums as well");
  Type type = getElementTypeOrSelf(bias), expected = getElementTypeOrSelf(op.getOutput());
  if (type != expected)
    return op.emitOpError("expected a bias of ") << expected << " but found " << type;
  return verifyLayout(op, "bias", letters, all, bias, 0);
}

/// `init` and `packed` are of the tile form; the packed operand, of layout `right`, has as many
/// panels as it needs. So are `begin` and `end`, a dimension of the result alone.
template <typename OpTy>
static LogicalResult verifyTileForm(OpTy contraction, OperandRange init, bool packed, Value panels,
                                    char column, StringRef right, StringRef result) {
  NPUComputeOpInterface op = contraction;
  if (!op.hasBufferForm() && !init.empty())
    return op->emitOpError("expected no 'init' on tensors; use 'accumulate'");
  if (contraction.getBegin() && !packed)
    return op->emitOpError("expected 'packed' with 'begin', which is of tile form; on tensors a "
                           "schedule says how a stage begins");
  if (std::optional<StringRef> end = contraction.getEnd()) {
    if (!packed)
      return op->emitOpError("expected 'packed' with 'end', which is of tile form; on tensors a "
                             "schedule says how a stage ends");
    if (end->size() != 1 || !result.contains(*end) || right.contains(*end))
      return op->emitOpError("expected 'end' along a dimension of the result that the panels do "
                             "not have, but found '")
             << *end << '\'';
  }
  if (!packed)
    return success();
  if (!op.hasBufferForm())
    return op->emitOpError("expected memrefs with 'packed' but found ") << panels.getType();
  auto type = cast<ShapedType>(panels.getType());
  size_t position = op.getDimLetters().find(column);
  int64_t columns = position == std::string::npos ? 1 : op.getStaticLoopRanges()[position];
  if (!type.hasStaticShape() || ShapedType::isDynamic(columns))
    return op->emitOpError("expected static shapes with 'packed' but found ") << type;
  int64_t expected = llvm::divideCeil(columns, getPanelColumns(type));
  if (type.getDimSize(0) != expected)
    return op->emitOpError("expected ")
           << expected << " panels of " << getPanelColumns(type) << " columns for " << columns
           << " columns but found " << type.getDimSize(0);
  return success();
}

static SmallVector<utils::IteratorType> getLetterIterators(StringRef letters, StringRef output) {
  return llvm::map_to_vector(letters, [&](char letter) {
    return output.contains(letter) ? utils::IteratorType::parallel : utils::IteratorType::reduction;
  });
}

/// The attribute `tile_<letter>` of each dimension that has one.
static SmallVector<int64_t> getLetterTileSizes(Operation *op, StringRef letters, StringRef tiled) {
  return llvm::map_to_vector(letters, [&](char letter) -> int64_t {
    if (!tiled.contains(letter))
      return 1;
    auto size = op->getAttrOfType<IntegerAttr>(("tile_" + Twine(letter)).str());
    return size ? size.getInt() : 0;
  });
}

static void setLetterTileSizes(Operation *op, StringRef letters, StringRef tiled,
                               ArrayRef<int64_t> sizes) {
  Builder builder(op->getContext());
  for (auto [letter, size] : llvm::zip(letters, sizes)) {
    if (!tiled.contains(letter))
      continue;
    std::string name = ("tile_" + Twine(letter)).str();
    if (size > 0)
      op->setAttr(name, builder.getI64IntegerAttr(size));
    else
      op->removeAttr(name);
  }
}

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

void MatmulOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs, Value output,
                     StringRef layoutA, StringRef layoutB, StringRef layoutC) {
  state.addOperands({lhs, rhs, output});
  state.addTypes(getDestinationResultTypes(output));
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, 1, 0, 1, 0, 0};
  properties.layout_a = LayoutAttr::get(builder.getContext(), layoutA);
  properties.layout_b = LayoutAttr::get(builder.getContext(), layoutB);
  properties.layout_c = LayoutAttr::get(builder.getContext(), layoutC);
}

std::string MatmulOp::getDimLetters() {
  return collectLetters(kMatmulLetters, {getLayoutA(), getLayoutB(), getLayoutC()});
}

SmallVector<utils::IteratorType> MatmulOp::getIteratorTypes() {
  return getLetterIterators(getDimLetters(), getLayoutC());
}

SmallVector<AffineMap> MatmulOp::getIndexingMapsArray() {
  std::string letters = getDimLetters();
  AffineMap rhs = getPacked() ? getPanelMap(getLayoutB(), 'n', getPanelColumns(getRhs().getType()),
                                            letters, getContext())
                              : getLayoutMap(getLayoutB(), letters, getContext());
  SmallVector<AffineMap> maps = {getLayoutMap(getLayoutA(), letters, getContext()), rhs};
  if (getBias())
    maps.push_back(getLayoutMap(getBiasLayout(), letters, getContext()));
  maps.push_back(getLayoutMap(getLayoutC(), letters, getContext()));
  return maps;
}

std::string MatmulOp::getBiasLayout() { return collectLetters("n", {getLayoutC()}); }

Engine MatmulOp::getEngine() { return Engine::Mxu; }

bool MatmulOp::readsDestination() { return getAccumulate() || !getInit().empty(); }

SmallVector<int64_t> MatmulOp::getTileSizes() {
  return getLetterTileSizes(*this, getDimLetters(), /*tiled=*/"mnk");
}

void MatmulOp::setTileSizes(ArrayRef<int64_t> sizes) {
  setLetterTileSizes(*this, getDimLetters(), /*tiled=*/"mnk", sizes);
}

void MatmulOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  npu::detail::getComputeEffects(*this, effects);
}

LogicalResult MatmulOp::verify() {
  StringRef a = getLayoutA(), b = getLayoutB(), c = getLayoutC();
  StringRef rows = b.ends_with("n") ? b.drop_back() : b;
  if (getPacked() && (!rows.ends_with("k") || rows != collectLetters("ijk", {rows})))
    return emitOpError(
               "expected layout_b \"kn\" or \"k\", perhaps with \"i\" or \"j\" before, with "
               "'packed' but found \"")
           << b << "\"";
  int64_t extraDims = !getPacked() ? 0 : b.contains('n') ? 1 : 2;
  if (failed(verifyLayout(*this, "layout_a", a, kMatmulLetters, getLhs(), 0)) ||
      failed(verifyLayout(*this, "layout_b", b, kMatmulLetters, getRhs(), extraDims)) ||
      failed(verifyLayout(*this, "layout_c", c, kMatmulLetters, getOutput(), 0)))
    return failure();
  StringRef layouts[] = {a, b, c};
  if (failed(verifyPlaces(*this, layouts, 'm', {true, false, true})) ||
      failed(verifyPlaces(*this, layouts, 'n', {false, true, true})) ||
      failed(verifyPlaces(*this, layouts, 'i', {true, true, false})) ||
      failed(verifyPlaces(*this, layouts, 'j', {true, true, false})) ||
      failed(verifyPlaces(*this, layouts, 'k', {true, true, false})))
    return failure();
  if (!a.contains('k'))
    return emitOpError("expected a reduction dimension 'k' but found none; an outer product is "
                       "npu.binary mul");
  for (char batch : kBatchLetters)
    if ((a.contains(batch) || b.contains(batch)) != c.contains(batch))
      return emitOpError("expected '")
             << batch << "' in the layouts of the destination and an input but found \"" << a
             << "\", \"" << b << "\", \"" << c << "\"";
  if (failed(verifyElementTypes(*this, getLhs(), getRhs(), getOutput())) ||
      failed(verifyBias(*this, kMatmulLetters)) || failed(npu::detail::verifyComputeOp(*this)))
    return failure();
  if (getBegin() && (a.contains('i') || a.contains('j')))
    return emitOpError("expected no dimension 'i' or 'j' with 'begin', which is along 'k' alone");
  return verifyTileForm(*this, getInit(), getPacked(), getRhs(), 'n', b, c);
}

//===----------------------------------------------------------------------===//
// ConvOp
//===----------------------------------------------------------------------===//

void ConvOp::build(OpBuilder &builder, OperationState &state, Value input, Value filter,
                   Value output, StringRef layoutInput, StringRef layoutFilter,
                   StringRef layoutOutput, ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
  state.addOperands({input, filter, output});
  state.addTypes(getDestinationResultTypes(output));
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, 1, 0, 1, 0, 0};
  properties.layout_input = LayoutAttr::get(builder.getContext(), layoutInput);
  properties.layout_filter = LayoutAttr::get(builder.getContext(), layoutFilter);
  properties.layout_output = LayoutAttr::get(builder.getContext(), layoutOutput);
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    properties.stride = builder.getDenseI64ArrayAttr(strides);
  if (llvm::any_of(dilations, [](int64_t dilation) { return dilation != 1; }))
    properties.dilation = builder.getDenseI64ArrayAttr(dilations);
}

std::string ConvOp::getDimLetters() {
  return collectLetters(kConvLetters, {getLayoutInput(), getLayoutFilter(), getLayoutOutput()});
}

unsigned ConvOp::getNumSpatialDims() { return getSpaceLetters().size(); }

StringRef ConvOp::getSpaceLetters() {
  StringRef output = getLayoutOutput();
  return output.contains('d') ? "dhw" : output.contains('w') ? "hw" : "h";
}

StringRef ConvOp::getKernelLetters() {
  StringRef output = getLayoutOutput();
  return output.contains('d') ? "zyx" : output.contains('w') ? "yx" : "y";
}

/// `values`, or as many defaults as there are spatial dimensions.
static SmallVector<int64_t> getOrDefault(std::optional<ArrayRef<int64_t>> values, unsigned count,
                                         int64_t defaultValue) {
  return values ? llvm::to_vector(*values) : SmallVector<int64_t>(count, defaultValue);
}

SmallVector<int64_t> ConvOp::getStrideValues() {
  return getOrDefault(getStride(), getNumSpatialDims(), 1);
}
SmallVector<int64_t> ConvOp::getDilationValues() {
  return getOrDefault(getDilation(), getNumSpatialDims(), 1);
}
SmallVector<int64_t> ConvOp::getPadLowValues() {
  return getOrDefault(getPadLow(), getNumSpatialDims(), 0);
}
SmallVector<int64_t> ConvOp::getPadHighValues() {
  return getOrDefault(getPadHigh(), getNumSpatialDims(), 0);
}

bool ConvOp::hasPadding() {
  return llvm::any_of(getPadLowValues(), [](int64_t pad) { return pad != 0; }) ||
         llvm::any_of(getPadHighValues(), [](int64_t pad) { return pad != 0; });
}

bool ConvOp::isDepthwise() {
  StringRef filter = getLayoutFilter();
  return filter.contains('g') && !filter.contains('c') && !filter.contains('f');
}

SmallVector<utils::IteratorType> ConvOp::getIteratorTypes() {
  return getLetterIterators(getDimLetters(), getLayoutOutput());
}

SmallVector<AffineMap> ConvOp::getIndexingMapsArray() {
  std::string letters = getDimLetters();
  MLIRContext *context = getContext();
  SmallVector<int64_t> strides = getStrideValues(), dilations = getDilationValues(),
                       padLow = getPadLowValues();
  auto getDim = [&](char letter) { return getAffineDimExpr(letters.find(letter), context); };
  SmallVector<AffineExpr> coordinates;
  for (char letter : getLayoutInput()) {
    size_t i = getSpaceLetters().find(letter);
    coordinates.push_back(i == StringRef::npos
                              ? getDim(letter)
                              : getDim(letter) * strides[i] +
                                    getDim(getKernelLetters()[i]) * dilations[i] - padLow[i]);
  }
  AffineMap filter = getPacked()
                         ? getPanelMap(getLayoutFilter(), 'f',
                                       getPanelColumns(getFilter().getType()), letters, context)
                         : getLayoutMap(getLayoutFilter(), letters, context);
  SmallVector<AffineMap> maps = {AffineMap::get(letters.size(), 0, coordinates, context), filter};
  if (getBias())
    maps.push_back(getLayoutMap(getBiasLayout(), letters, context));
  maps.push_back(getLayoutMap(getLayoutOutput(), letters, context));
  return maps;
}

std::string ConvOp::getBiasLayout() {
  // Groups are columns of a depthwise convolution alone; the others are done one after the other.
  bool hasColumns = isDepthwise() || getLayoutOutput().contains('f');
  return hasColumns ? collectLetters("gf", {getLayoutOutput()}) : std::string();
}

Engine ConvOp::getEngine() { return Engine::Mxu; }

bool ConvOp::readsDestination() { return getAccumulate() || !getInit().empty(); }

SmallVector<int64_t> ConvOp::getTileSizes() {
  return getLetterTileSizes(*this, getDimLetters(), isDepthwise() ? "ghwyx" : "hwfcyx");
}

void ConvOp::setTileSizes(ArrayRef<int64_t> sizes) {
  setLetterTileSizes(*this, getDimLetters(), isDepthwise() ? "ghwyx" : "hwfcyx", sizes);
}

void ConvOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  npu::detail::getComputeEffects(*this, effects);
}

/// One value of at least `least` per spatial dimension.
static LogicalResult verifySpatialArray(ConvOp op, StringRef name,
                                        std::optional<ArrayRef<int64_t>> values, int64_t least) {
  if (!values)
    return success();
  if (values->size() != op.getNumSpatialDims() ||
      llvm::any_of(*values, [&](int64_t value) { return value < least; }))
    return op.emitOpError("expected ") << op.getNumSpatialDims() << " values of at least " << least
                                       << " in '" << name << "' but found [" << *values << "]";
  return success();
}

/// Every window lies in the padded input.
static LogicalResult verifyWindows(ConvOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::string letters = op.getDimLetters();
  auto input = cast<ShapedType>(op.getInput().getType());
  SmallVector<int64_t> strides = op.getStrideValues(), dilations = op.getDilationValues();
  SmallVector<int64_t> padLow = op.getPadLowValues(), padHigh = op.getPadHighValues();
  for (unsigned i = 0, e = op.getNumSpatialDims(); i != e; ++i) {
    char space = op.getSpaceLetters()[i], kernel = op.getKernelLetters()[i];
    int64_t size = input.getDimSize(op.getLayoutInput().find(space));
    int64_t outputs = ranges[letters.find(space)], taps = ranges[letters.find(kernel)];
    if (llvm::is_contained({size, outputs, taps}, ShapedType::kDynamic) || outputs == 0)
      continue;
    int64_t needed = (outputs - 1) * strides[i] + (taps - 1) * dilations[i] + 1;
    int64_t available = size + padLow[i] + padHigh[i];
    if (needed > available)
      return op.emitOpError("expected at least ")
             << needed << " input elements in dimension '" << space << "' for " << outputs
             << " outputs but found " << size << " and " << padLow[i] + padHigh[i] << " of padding";
  }
  return success();
}

LogicalResult ConvOp::verify() {
  StringRef input = getLayoutInput(), filter = getLayoutFilter(), output = getLayoutOutput();
  if (getPacked() && (filter.contains('g') || collectLetters("yxcf", {filter}) != filter))
    return emitOpError("expected layout_filter \"yxcf\" or a part of it with 'packed' but found \"")
           << filter << "\"";
  int64_t extraDims = !getPacked() ? 0 : filter.contains('f') ? 1 : 2;
  if (failed(verifyLayout(*this, "layout_input", input, kConvLetters, getInput(), 0)) ||
      failed(verifyLayout(*this, "layout_filter", filter, kConvLetters, getFilter(), extraDims)) ||
      failed(verifyLayout(*this, "layout_output", output, kConvLetters, getOutput(), 0)))
    return failure();
  StringRef layouts[] = {input, filter, output};
  if (failed(verifyPlaces(*this, layouts, 'n', {true, false, true})) ||
      failed(verifyPlaces(*this, layouts, 'g', {true, true, true})) ||
      failed(verifyPlaces(*this, layouts, 'd', {true, false, true})) ||
      failed(verifyPlaces(*this, layouts, 'z', {false, true, false})) ||
      failed(verifyPlaces(*this, layouts, 'h', {true, false, true})) ||
      failed(verifyPlaces(*this, layouts, 'w', {true, false, true})) ||
      failed(verifyPlaces(*this, layouts, 'f', {false, true, true})) ||
      failed(verifyPlaces(*this, layouts, 'c', {true, true, false})) ||
      failed(verifyPlaces(*this, layouts, 'y', {false, true, false})) ||
      failed(verifyPlaces(*this, layouts, 'x', {false, true, false})))
    return failure();
  bool isDeep = output.contains('d');
  if (!output.contains('h') || !filter.contains('y') ||
      output.contains('w') != filter.contains('x') || isDeep != filter.contains('z') ||
      (isDeep && !output.contains('w')))
    return emitOpError("expected 'h' with 'y', 'w' with 'x' or neither, and 'd' with 'z' beside "
                       "those or neither, but found \"")
           << input << "\", \"" << filter << "\", \"" << output << "\"";
  if (failed(verifySpatialArray(*this, "stride", getStride(), 1)) ||
      failed(verifySpatialArray(*this, "dilation", getDilation(), 1)) ||
      failed(verifySpatialArray(*this, "pad_low", getPadLow(), 0)) ||
      failed(verifySpatialArray(*this, "pad_high", getPadHigh(), 0)))
    return failure();
  Type elementType = cast<ShapedType>(getInput().getType()).getElementType();
  if (getPadValue() && getPadValue()->getType() != elementType)
    return emitOpError("expected 'pad_value' of type ")
           << elementType << " but found " << *getPadValue();
  if (failed(verifyElementTypes(*this, getInput(), getFilter(), getOutput())) ||
      failed(verifyBias(*this, kConvLetters)) || failed(npu::detail::verifyComputeOp(*this)) ||
      failed(verifyWindows(*this)))
    return failure();
  if (getBegin() && !filter.contains('c'))
    return emitOpError("expected a dimension 'c' with 'begin', which is along it");
  return verifyTileForm(*this, getInit(), getPacked(), getFilter(), 'f', filter, output);
}
