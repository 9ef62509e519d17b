//===- NPUElementwiseOps.cpp - ops of the vector engine -------------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// What all element-wise ops require
//===----------------------------------------------------------------------===//

/// `map` without the constants that its coordinates add.
static AffineMap dropConstants(AffineMap map) {
  SmallVector<AffineExpr> coordinates;
  for (AffineExpr expr : map.getResults()) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    bool isOffset =
        sum && sum.getKind() == AffineExprKind::Add && llvm::isa<AffineConstantExpr>(sum.getRHS());
    coordinates.push_back(isOffset ? sum.getLHS() : expr);
  }
  return AffineMap::get(map.getNumDims(), 0, coordinates, map.getContext());
}

static bool isNotZero(AffineExpr coordinate) { return coordinate != 0; }

/// Checks maps and tile sizes; everything after it may rely on them.
static LogicalResult verifyElementwise(NPUComputeOpInterface op, ArrayAttr mapsAttr,
                                       DenseI64ArrayAttr tileSizes) {
  SmallVector<OpOperand *> operands = op.getDataOperands();
  if (mapsAttr && mapsAttr.size() != operands.size())
    return op->emitOpError("expected one indexing map per data operand, that is ")
           << operands.size() << ", but found " << mapsAttr.size();
  int64_t rank = cast<ShapedType>(operands.back()->get().getType()).getRank();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [index, map] : llvm::enumerate(maps)) {
    if (op.readsWhole(index)) {
      if (map.getNumDims() != rank || llvm::any_of(map.getResults(), isNotZero))
        return op->emitOpError("expected the map of operand ")
               << index << ", which tiles read whole, to be from the " << rank
               << " dimensions of the destination to 0 but found " << AffineMapAttr::get(map);
      continue;
    }
    if (map.getNumDims() != rank ||
        !(op.mayReadOutside(index) ? dropConstants(map) : map).isProjectedPermutation())
      return op->emitOpError("expected indexing maps to be projected permutations of the ")
             << rank << " dimensions of the destination but found " << AffineMapAttr::get(map);
  }
  if (!maps.back().isPermutation())
    return op->emitOpError("expected the map of the destination to be a permutation but found ")
           << AffineMapAttr::get(maps.back());
  if (tileSizes && (tileSizes.size() != rank ||
                    llvm::any_of(tileSizes.asArrayRef(), [](int64_t size) { return size < 0; })))
    return op->emitOpError("expected ")
           << rank << " tile sizes that are not negative but found " << tileSizes;
  return npu::detail::verifyComputeOp(op);
}

/// Checks that `value` has element type `expected`.
static LogicalResult verifyElementType(Operation *op, StringRef name, Type actual, Type expected) {
  if (actual == expected)
    return success();
  return op->emitOpError("expected ")
         << name << " of element type " << expected << " but found " << actual;
}

//===----------------------------------------------------------------------===//
// UnaryOp
//===----------------------------------------------------------------------===//

/// Whether functions of the domain take elements of `type`.
static bool isIn(isa::Domain domain, Type type) {
  if (type.isSignlessInteger())
    return domain != isa::Domain::Floats;
  return llvm::isa<FloatType>(type) && domain != isa::Domain::Integers;
}

static bool acceptsType(UnaryKind kind, Type type) {
  // An i1 is a byte of 0 or 1, which no function keeps.
  return !type.isSignlessInteger(1) && isIn(isa::getCase(getISAKind(kind)).domain, type);
}

LogicalResult UnaryOp::verify() {
  Type type = getElementTypeOrSelf(getInput());
  if (!acceptsType(getKind(), type))
    return emitOpError("does not take elements of type ") << type;
  if (failed(verifyElementType(*this, "an output", getElementTypeOrSelf(getOutput()), type)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

/// Adds operands, result types and maps in the order all element-wise ops declare them.
template <typename OpTy>
static void setMaps(OpBuilder &builder, OperationState &state, ArrayRef<AffineMap> maps) {
  if (!maps.empty())
    state.getOrAddProperties<typename OpTy::Properties>().indexing_maps =
        builder.getAffineMapArrayAttr(maps);
}

void UnaryOp::build(OpBuilder &builder, OperationState &state, UnaryKind kind, Value input,
                    Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), kind, input, output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr());
  setMaps<UnaryOp>(builder, state, maps);
}

//===----------------------------------------------------------------------===//
// CopyOp
//===----------------------------------------------------------------------===//

LogicalResult CopyOp::verify() {
  Type type = getElementTypeOrSelf(getInput());
  if (failed(verifyElementType(*this, "an output", getElementTypeOrSelf(getOutput()), type)))
    return failure();
  if (getPadValue() &&
      failed(verifyElementType(*this, "'pad_value'", getPadValue()->getType(), type)))
    return failure();
  if (getPadValue() && hasBufferForm())
    return emitOpError("expected no 'pad_value' on memrefs, where everything lies in the buffer");
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

void CopyOp::build(OpBuilder &builder, OperationState &state, Value input, Value output,
                   ArrayRef<AffineMap> maps, TypedAttr padValue) {
  build(builder, state, getDestinationResultTypes(output), input, output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr(),
        padValue);
  setMaps<CopyOp>(builder, state, maps);
}

bool CopyOp::mayReadOutside(unsigned index) { return index == 0 && getPadValue(); }

TileLayout CopyOp::getTileLayout(unsigned index, const TargetDesc &) {
  TileLayout layout;
  if (index == 0 && getPadValue())
    layout.fill = *getPadValue();
  return layout;
}

//===----------------------------------------------------------------------===//
// BinaryOp
//===----------------------------------------------------------------------===//

static bool acceptsType(BinaryKind kind, Type type) {
  if (!isIn(isa::getCase(getISAKind(kind)).domain, type))
    return false;
  switch (kind) {
  case BinaryKind::And:
  case BinaryKind::Or:
  case BinaryKind::Xor:
  case BinaryKind::CmpEq:
  case BinaryKind::CmpNe:
    return true;
  case BinaryKind::Shru: // narrower elements are sign-extended when they are read
    return type.isSignlessInteger(32);
  default:
    return !type.isSignlessInteger(1);
  }
}

bool BinaryOp::mayOverwriteOperand() {
  if (!getImm() || !getImmFirst())
    return true;
  switch (getKind()) {
  case BinaryKind::Div:
  case BinaryKind::Shl:
  case BinaryKind::Shr:
  case BinaryKind::Shru:
    return false;
  default:
    return true;
  }
}

LogicalResult BinaryOp::verify() {
  if (static_cast<bool>(getRhs()) == getImm().has_value())
    return emitOpError("expected either a right operand or 'imm' but found ")
           << (getRhs() ? "both" : "neither");
  if (getImmFirst() && !getImm())
    return emitOpError("expected 'imm_first' together with 'imm' but found an operand");
  Type type = getElementTypeOrSelf(getLhs());
  if (!acceptsType(getKind(), type))
    return emitOpError("does not take elements of type ") << type;
  Type right = getImm() ? getImm()->getType() : getElementTypeOrSelf(getRhs());
  if (failed(verifyElementType(*this, "a right operand", right, type)))
    return failure();
  Type expected = isComparison(getKind()) ? IntegerType::get(getContext(), 1) : type;
  if (failed(verifyElementType(*this, "an output", getElementTypeOrSelf(getOutput()), expected)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

void BinaryOp::build(OpBuilder &builder, OperationState &state, BinaryKind kind, Value lhs,
                     Value rhs, Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), kind, lhs, rhs, output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr(),
        /*imm=*/TypedAttr());
  setMaps<BinaryOp>(builder, state, maps);
}

void BinaryOp::build(OpBuilder &builder, OperationState &state, BinaryKind kind, Value lhs,
                     TypedAttr imm, Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), kind, lhs, Value(), output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr(), imm);
  setMaps<BinaryOp>(builder, state, maps);
}

//===----------------------------------------------------------------------===//
// SelectOp, ClampOp
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  Type type = getElementTypeOrSelf(getOnTrue());
  Type i1 = IntegerType::get(getContext(), 1);
  if (failed(verifyElementType(*this, "a condition", getElementTypeOrSelf(getCondition()), i1)) ||
      failed(verifyElementType(*this, "a false value", getElementTypeOrSelf(getOnFalse()), type)) ||
      failed(verifyElementType(*this, "an output", getElementTypeOrSelf(getOutput()), type)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

void SelectOp::build(OpBuilder &builder, OperationState &state, Value condition, Value onTrue,
                     Value onFalse, Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), condition, onTrue, onFalse, output,
        ValueRange(), /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(),
        /*stage=*/StringAttr());
  setMaps<SelectOp>(builder, state, maps);
}

LogicalResult ClampOp::verify() {
  Type type = getElementTypeOrSelf(getInput());
  if (type.isSignlessInteger(1))
    return emitOpError("does not take elements of type ") << type;
  if (failed(verifyElementType(*this, "'lo'", getLo().getType(), type)) ||
      failed(verifyElementType(*this, "'hi'", getHi().getType(), type)) ||
      failed(verifyElementType(*this, "an output", getElementTypeOrSelf(getOutput()), type)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

void ClampOp::build(OpBuilder &builder, OperationState &state, Value input, Value output,
                    TypedAttr lo, TypedAttr hi, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), input, output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr(), lo,
        hi);
  setMaps<ClampOp>(builder, state, maps);
}

//===----------------------------------------------------------------------===//
// CastOp
//===----------------------------------------------------------------------===//

/// Whether `kind` converts `from` to `to`.
static bool convertsTypes(CastKind kind, Type from, Type to) {
  bool isFromInt = from.isSignlessInteger(), isToInt = to.isSignlessInteger();
  bool isFromFloat = llvm::isa<FloatType>(from), isToFloat = llvm::isa<FloatType>(to);
  switch (kind) {
  case CastKind::ExtSI:
  case CastKind::ExtUI:
    return isFromInt && isToInt && from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  case CastKind::TruncI:
    return isFromInt && isToInt && from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth();
  case CastKind::SIToFP:
  case CastKind::UIToFP:
    return isFromInt && isToFloat;
  case CastKind::FPToSI:
    return isFromFloat && isToInt;
  case CastKind::ExtF:
    return isFromFloat && isToFloat && from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  case CastKind::TruncF:
    return isFromFloat && isToFloat && from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth();
  }
  llvm_unreachable("all kinds of casts are handled");
}

LogicalResult CastOp::verify() {
  Type from = getElementTypeOrSelf(getInput()), to = getElementTypeOrSelf(getOutput());
  if (!convertsTypes(getKind(), from, to))
    return emitOpError("does not convert ") << from << " to " << to;
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

void CastOp::build(OpBuilder &builder, OperationState &state, CastKind kind, Value input,
                   Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), kind, input, output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr());
  setMaps<CastOp>(builder, state, maps);
}

//===----------------------------------------------------------------------===//
// TableOp
//===----------------------------------------------------------------------===//

std::optional<TableForm> npu::getTableForm(Type input) {
  Builder builder(input.getContext());
  if (input.isSignlessInteger(8))
    return TableForm{isa::VpuTable8::tableEntries, input, input};
  if (input.isSignlessInteger(16))
    return TableForm{isa::VpuTable16::tableEntries, input, builder.getI32Type()};
  return std::nullopt;
}

LogicalResult TableOp::verify() {
  Type type = getElementTypeOrSelf(getInput());
  std::optional<TableForm> form = getTableForm(type);
  if (!form)
    return emitOpError("expected elements of i8 or i16 to look up but found ") << type;
  auto table = cast<ShapedType>(getTable().getType());
  if (table.getRank() != 1 || table.getDimSize(0) != form->numEntries ||
      table.getElementType() != form->entry)
    return emitOpError("expected a table of ")
           << form->numEntries << " elements of " << form->entry << " for an input of " << type
           << " but found " << table;
  if (failed(
          verifyElementType(*this, "an output", getElementTypeOrSelf(getOutput()), form->result)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

void TableOp::build(OpBuilder &builder, OperationState &state, Value input, Value table,
                    Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), input, table, output, ValueRange(),
        /*indexing_maps=*/ArrayAttr(), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr());
  setMaps<TableOp>(builder, state, maps);
}

bool TableOp::readsWhole(unsigned index) { return index == 1; }

//===----------------------------------------------------------------------===//
// RequantizeOp, RescaleOp
//===----------------------------------------------------------------------===//

/// Limits are in the right order and numbers of `type`.
static LogicalResult verifyLimits(Operation *op, int64_t lo, int64_t hi, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (lo > hi || !llvm::isIntN(width, lo) || !llvm::isIntN(width, hi))
    return op->emitOpError("expected lo <= hi in the range of ")
           << type << " but found " << lo << " and " << hi;
  return success();
}

LogicalResult RequantizeOp::verify() {
  Type from = getElementTypeOrSelf(getInput()), to = getElementTypeOrSelf(getOutput());
  if (!from.isSignlessInteger(32) || (!to.isSignlessInteger(8) && !to.isSignlessInteger(16)))
    return emitOpError("expected i32 input and i8 or i16 output but found ")
           << from << " and " << to;
  if (static_cast<bool>(getScales()) == getScale().has_value())
    return emitOpError("expected either 'scale' or an operand of scales but found ")
           << (getScales() ? "both" : "neither");
  if (getScales() && failed(verifyElementType(*this, "scales", getElementTypeOrSelf(getScales()),
                                              Float32Type::get(getContext()))))
    return failure();
  if (failed(verifyLimits(*this, getLo(), getHi(), to)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}

static bool isRescaleType(Type type) {
  return type.isSignlessInteger(8) || type.isSignlessInteger(16) || type.isSignlessInteger(32);
}

LogicalResult RescaleOp::verify() {
  Type from = getElementTypeOrSelf(getInput()), to = getElementTypeOrSelf(getOutput());
  if (!isRescaleType(from) || !isRescaleType(to))
    return emitOpError("expected i8, i16 or i32 input and output but found ")
           << from << " and " << to;
  bool hasOperands = static_cast<bool>(getMultipliers());
  if (hasOperands != static_cast<bool>(getShifts()) || hasOperands == getMultiplier().has_value() ||
      hasOperands == getShift().has_value())
    return emitOpError("expected a multiplier and a shift, both attributes or both operands");
  if (hasOperands) {
    Builder builder(getContext());
    if (failed(verifyElementType(*this, "multipliers", getElementTypeOrSelf(getMultipliers()),
                                 builder.getI32Type())) ||
        failed(verifyElementType(*this, "shifts", getElementTypeOrSelf(getShifts()),
                                 builder.getI8Type())))
      return failure();
  } else {
    int64_t multiplier = *getMultiplier(), shift = *getShift();
    if (multiplier < 0 || !llvm::isInt<32>(multiplier) || shift < 2 || shift > 62)
      return emitOpError(
                 "expected a multiplier in [0, 2147483647] and a shift in [2, 62] but found ")
             << multiplier << " and " << shift;
  }
  if (getLo().has_value() != getHi().has_value())
    return emitOpError("expected both of 'lo' and 'hi' or neither but found ")
           << (getLo() ? "'lo'" : "'hi'");
  if (getLo() && failed(verifyLimits(*this, *getLo(), *getHi(), to)))
    return failure();
  return verifyElementwise(*this, getIndexingMapsAttr(), getTileAttr());
}
