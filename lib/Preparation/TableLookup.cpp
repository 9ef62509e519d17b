//===- TableLookup.cpp - recognizes functions that tables give ------------===//

#include "NPU/Preparation/TableLookup.h"
#include "NPU/Support/ElementBits.h"

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

/// Whether `value` is the constant `number`.
static bool isNumber(Value value, int64_t number) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant.getSExtValue() == number;
}

/// What `value`, an `Op` of any order, has beside the constant `number`; null if it is something
/// else.
template <typename Op>
static Value skipConstant(Value value, int64_t number) {
  auto op = value.getDefiningOp<Op>();
  for (unsigned index : {0, 1})
    if (op && isNumber(op->getOperand(index), number))
      return op->getOperand(1 - index);
  return {};
}

static bool isIndexCast(Operation *op) {
  return isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(
      op);
}

/// Whether a number of `type` may be more than one of `narrow`.
static bool isWider(Type type, Type narrow) {
  std::optional<unsigned> bits = findElementBits(type), narrowBits = findElementBits(narrow);
  return type.isIndex() || (bits && narrowBits && *bits > *narrowBits);
}

/// What becomes `value` as an index, if it is not negative and has more bits than `narrow`.
static Value skipIndexCasts(Value value, Type narrow) {
  while (isIndexCast(value.getDefiningOp()) && isWider(value.getType(), narrow))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

namespace {
/// A number of fewer bits, as a wider one or as an index.
struct Extension {
  Value narrow;
  bool isUnsigned;
};
} // namespace

/// The number of type `type` that `value` extends.
static std::optional<Extension> matchExtension(Value value, Type type) {
  bool areSigned = true, isUnsigned = false;
  while (value.getType() != type) {
    Operation *cast = value.getDefiningOp();
    if (!isIndexCast(cast) || !isWider(value.getType(), type))
      return std::nullopt;
    isUnsigned = isa<arith::ExtUIOp, arith::IndexCastUIOp>(cast);
    areSigned &= !isUnsigned;
    value = cast->getOperand(0);
  }
  // What was extended by zeros is not negative, however it is extended then.
  if (!isUnsigned && !areSigned)
    return std::nullopt;
  return Extension{value, isUnsigned};
}

/// Whether `extract` reads a table of `form`.
static bool readsTable(tensor::ExtractOp extract, const TableForm &form) {
  RankedTensorType type = extract.getTensor().getType();
  return type.getRank() == 1 && type.getDimSize(0) == form.numEntries &&
         type.getElementType() == form.entry;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// table[x + 128], or table[x] of an x without sign.
static std::optional<TableLookup> matchBytes(tensor::ExtractOp extract) {
  Type type = extract.getType();
  std::optional<TableForm> form = getTableForm(type);
  if (!form || form->result != type || !readsTable(extract, *form))
    return std::nullopt;
  Value index = extract.getIndices()[0];
  Value moved = skipConstant<arith::AddIOp>(skipIndexCasts(index, type), form->numEntries / 2);
  std::optional<Extension> number = matchExtension(moved ? moved : index, type);
  if (!number || number->isUnsigned == static_cast<bool>(moved))
    return std::nullopt;
  return TableLookup{number->narrow, extract.getTensor(), number->isUnsigned, {extract}};
}

//===----------------------------------------------------------------------===//
// Numbers of 16 bits
//===----------------------------------------------------------------------===//

/// The element of a table that `value` extends by its sign.
static tensor::ExtractOp getEntry(Value value) {
  auto extension = value.getDefiningOp<arith::ExtSIOp>();
  return extension ? extension.getIn().getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
}

/// `value` shifted to the left by `bits`; null if it is not.
static Value skipShift(Value value, int64_t bits) {
  auto shift = value.getDefiningOp<arith::ShLIOp>();
  if (shift && isNumber(shift.getRhs(), bits))
    return shift.getLhs();
  return skipConstant<arith::MulIOp>(value, int64_t(1) << bits);
}

/// `value` without its last `bits`, which is not negative; null if it is something else.
static Value skipRightShift(Value value, int64_t bits) {
  Operation *shift = value.getDefiningOp();
  if (isa_and_nonnull<arith::ShRUIOp, arith::ShRSIOp>(shift) &&
      isNumber(shift->getOperand(1), bits))
    return shift->getOperand(0);
  return {};
}

/// The product of a difference and something else, if `value` is that.
static std::pair<arith::SubIOp, Value> getSlope(Value value) {
  auto product = value.getDefiningOp<arith::MulIOp>();
  for (unsigned index : {0, 1})
    if (auto difference =
            product ? product->getOperand(index).getDefiningOp<arith::SubIOp>() : arith::SubIOp())
      return {difference, product->getOperand(1 - index)};
  return {};
}

/// (table[i] << 7) + (table[i + 1] - table[i]) * r, where i << 7 | r is x + 32768.
static std::optional<TableLookup> matchInterpolation(arith::AddIOp sum) {
  Type narrow = IntegerType::get(sum.getContext(), 16);
  TableForm form = *getTableForm(narrow);
  if (sum.getType() != form.result)
    return std::nullopt;
  // The entries but the last are the starts of pieces.
  int64_t pieceBits = 16 - llvm::Log2_64(form.numEntries - 1);
  for (unsigned index : {0, 1}) {
    Value first = skipShift(sum->getOperand(index), pieceBits);
    auto [difference, rest] = getSlope(sum->getOperand(1 - index));
    if (!first || !difference || difference.getRhs() != first)
      continue;
    tensor::ExtractOp start = getEntry(first), end = getEntry(difference.getLhs());
    if (!start || !end || start.getTensor() != end.getTensor() || !readsTable(start, form))
      continue;
    Value piece = skipIndexCasts(start.getIndices()[0], narrow);
    Value next = skipConstant<arith::AddIOp>(skipIndexCasts(end.getIndices()[0], narrow), 1);
    Value position = skipRightShift(piece, pieceBits);
    if (!next || !position || skipIndexCasts(next, narrow) != piece ||
        skipConstant<arith::AndIOp>(rest, (int64_t(1) << pieceBits) - 1) != position)
      continue;
    Value moved = skipConstant<arith::AddIOp>(position, -llvm::minIntN(16));
    std::optional<Extension> number =
        moved ? matchExtension(moved, narrow) : std::optional<Extension>();
    if (!number || number->isUnsigned)
      continue;
    return TableLookup{number->narrow, start.getTensor(), false, {start, end}};
  }
  return std::nullopt;
}

std::optional<TableLookup> npu::matchTableLookup(Operation *tail) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(tail))
    return matchBytes(extract);
  if (auto sum = dyn_cast<arith::AddIOp>(tail))
    return matchInterpolation(sum);
  return std::nullopt;
}
