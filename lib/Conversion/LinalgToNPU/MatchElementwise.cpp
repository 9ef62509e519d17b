//===- MatchElementwise.cpp - recognizes element-wise ops -----------------===//

#include "Matching.h"

#include "NPU/Conversion/LinalgToNPU/LinalgToNPU.h"

#include "NPU/Dialect/NPU/Transforms/TargetLegality.h"
#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

TypedAttr npu::getBodyConstant(linalg::LinalgOp op, Value value) {
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op->getNumOperands())
    return {};
  Value operand = op->getOperand(argument.getArgNumber());
  if (isa<ShapedType>(operand.getType()))
    return getSplatConstant(operand);
  matchPattern(operand, m_Constant(&constant));
  return constant;
}

//===----------------------------------------------------------------------===//
// Body ops
//===----------------------------------------------------------------------===//

/// An op of a linalg body and its npu equivalent.
template <typename Kind>
struct BodyOpRow {
  StringLiteral op;
  Kind kind;
};

static constexpr BodyOpRow<UnaryKind> unaryOps[] = {
    {"arith.negf", UnaryKind::Neg},   {"math.absf", UnaryKind::Abs},
    {"math.absi", UnaryKind::Abs},    {"math.exp", UnaryKind::Exp},
    {"math.log", UnaryKind::Log},     {"math.tanh", UnaryKind::Tanh},
    {"math.erf", UnaryKind::Erf},     {"math.sqrt", UnaryKind::Sqrt},
    {"math.rsqrt", UnaryKind::Rsqrt}, {"math.floor", UnaryKind::Floor},
    {"math.ceil", UnaryKind::Ceil},   {"math.roundeven", UnaryKind::Roundeven},
    {"math.exp2", UnaryKind::Exp2},   {"math.sin", UnaryKind::Sin},
    {"math.cos", UnaryKind::Cos},
};

static constexpr BodyOpRow<BinaryKind> binaryOps[] = {
    {"arith.addf", BinaryKind::Add},     {"arith.addi", BinaryKind::Add},
    {"arith.subf", BinaryKind::Sub},     {"arith.subi", BinaryKind::Sub},
    {"arith.mulf", BinaryKind::Mul},     {"arith.muli", BinaryKind::Mul},
    {"arith.divf", BinaryKind::Div},     {"arith.divsi", BinaryKind::Div},
    {"arith.minimumf", BinaryKind::Min}, {"arith.minsi", BinaryKind::Min},
    {"arith.maximumf", BinaryKind::Max}, {"arith.maxsi", BinaryKind::Max},
    {"arith.andi", BinaryKind::And},     {"arith.ori", BinaryKind::Or},
    {"arith.xori", BinaryKind::Xor},     {"arith.shli", BinaryKind::Shl},
    {"arith.shrsi", BinaryKind::Shr},    {"arith.shrui", BinaryKind::Shru},
};

static constexpr BodyOpRow<CastKind> castOps[] = {
    {"arith.extsi", CastKind::ExtSI},   {"arith.extui", CastKind::ExtUI},
    {"arith.trunci", CastKind::TruncI}, {"arith.sitofp", CastKind::SIToFP},
    {"arith.uitofp", CastKind::UIToFP}, {"arith.fptosi", CastKind::FPToSI},
    {"arith.extf", CastKind::ExtF},     {"arith.truncf", CastKind::TruncF},
};

template <typename Kind, size_t size>
static std::optional<Kind> lookUp(Operation *op, const BodyOpRow<Kind> (&rows)[size]) {
  StringRef name = op->getName().getStringRef();
  const auto *row = llvm::find_if(rows, [&](const BodyOpRow<Kind> &row) { return row.op == name; });
  return row == std::end(rows) ? std::nullopt : std::optional<Kind>(row->kind);
}

SmallVector<BodyOpMapping> npu::getBodyOpMappings() {
  SmallVector<BodyOpMapping> mappings;
  for (auto [op, kind] : unaryOps)
    mappings.push_back({op, ("npu.unary " + stringifyUnaryKind(kind)).str()});
  for (auto [op, kind] : binaryOps)
    mappings.push_back({op, ("npu.binary " + stringifyBinaryKind(kind)).str()});
  for (auto [op, kind] : castOps)
    mappings.push_back({op, ("npu.cast " + stringifyCastKind(kind)).str()});
  return mappings;
}

static std::optional<UnaryKind> getUnaryKind(Operation *op) { return lookUp(op, unaryOps); }

std::optional<BinaryKind> npu::getBinaryKind(Operation *op) { return lookUp(op, binaryOps); }

/// npu rounds to nearest, ties to even.
static bool hasOtherRounding(Operation *op) {
  auto truncate = dyn_cast<arith::TruncFOp>(op);
  std::optional<arith::RoundingMode> mode =
      truncate ? truncate.getRoundingmode() : std::optional<arith::RoundingMode>();
  return mode && *mode != arith::RoundingMode::to_nearest_even;
}

static std::optional<CastKind> getCastKind(Operation *op) {
  if (hasOtherRounding(op))
    return std::nullopt;
  return lookUp(op, castOps);
}

std::optional<ElementwiseStep> npu::matchClamp(linalg::LinalgOp op, Operation *tail) {
  std::optional<Limit> outer = matchLimit(op, tail);
  TypedAttr last = outer ? getBodyConstant(op, outer->bound) : TypedAttr();
  Operation *producer = last ? outer->value.getDefiningOp() : nullptr;
  std::optional<Limit> inner = producer ? matchLimit(op, producer) : std::nullopt;
  TypedAttr first = inner ? getBodyConstant(op, inner->bound) : TypedAttr();
  if (!first || outer->kind == inner->kind)
    return std::nullopt;
  bool isUpperLast = outer->kind == BinaryKind::Min;
  TypedAttr lo = isUpperLast ? first : last, hi = isUpperLast ? last : first;
  // With crossed limits the order counts; and a NaN is not a limit.
  if (auto low = dyn_cast<FloatAttr>(lo)) {
    auto order = low.getValue().compare(cast<FloatAttr>(hi).getValue());
    if (order != APFloat::cmpLessThan && order != APFloat::cmpEqual)
      return std::nullopt;
  } else if (cast<IntegerAttr>(lo).getValue().sgt(cast<IntegerAttr>(hi).getValue())) {
    return std::nullopt;
  }
  ElementwiseStep step{ElementwiseStep::Clamp, tail->getResult(0), {inner->value}};
  step.lo = lo;
  step.hi = hi;
  return step;
}

/// What `op` does with bits, if it is arithmetic on i1: modulo 2, a sum or a difference is xor and
/// a product is and. As a signed number, true is -1.
static std::optional<BinaryKind> getBooleanKind(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp>(op))
    return BinaryKind::Xor;
  if (isa<arith::MulIOp, arith::AndIOp, arith::MaxSIOp, arith::MinUIOp>(op))
    return BinaryKind::And;
  if (isa<arith::OrIOp, arith::MinSIOp, arith::MaxUIOp>(op))
    return BinaryKind::Or;
  return std::nullopt;
}

static std::string getName(Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

/// Whether `op` computes with i1 as numbers. In memory they are bytes of 0 or 1, not -1.
static bool isBooleanArithmetic(Operation *op) {
  auto isBoolean = [](Value value) { return value.getType().isSignlessInteger(1); };
  if (isa<arith::SelectOp, arith::CmpIOp, arith::CmpFOp, arith::ExtUIOp, arith::ExtSIOp,
          arith::UIToFPOp, arith::TruncIOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), isBoolean) || llvm::any_of(op->getResults(), isBoolean);
}

static FailureOr<ElementwiseStep> matchBooleanOp(Operation *bodyOp, Rejection &reason) {
  ElementwiseStep step{ElementwiseStep::Binary, bodyOp->getResult(0),
                       llvm::to_vector<3>(bodyOp->getOperands())};
  if (std::optional<BinaryKind> kind = getBooleanKind(bodyOp)) {
    step.binary = *kind;
    return step;
  }
  return reject(reason, RejectionKind::BooleanOp, getName(bodyOp));
}

FailureOr<ElementwiseStep> npu::matchBodyOp(linalg::LinalgOp op, Operation *bodyOp,
                                            Rejection &reason) {
  if (bodyOp->getNumResults() != 1 || bodyOp->getNumRegions() != 0)
    return reject(reason, RejectionKind::BodyOp, getName(bodyOp));
  if (isBooleanArithmetic(bodyOp))
    return matchBooleanOp(bodyOp, reason);
  if (std::optional<ElementwiseStep> step = matchTable(bodyOp))
    return *step;
  FailureOr<std::optional<ElementwiseStep>> indexing = matchIndexing(bodyOp, reason);
  if (failed(indexing))
    return failure();
  if (*indexing)
    return **indexing;
  if (std::optional<ElementwiseStep> step = matchQuantization(op, bodyOp))
    return *step;
  if (std::optional<ElementwiseStep> step = matchClamp(op, bodyOp))
    return *step;
  if (std::optional<Limit> limit = matchLimit(op, bodyOp)) {
    ElementwiseStep step{
        ElementwiseStep::Binary, bodyOp->getResult(0), {limit->value, limit->bound}};
    step.binary = limit->kind;
    return step;
  }
  if (std::optional<ElementwiseStep> step = matchComparison(bodyOp))
    return *step;
  if (std::optional<ElementwiseStep> step = matchChoice(op, bodyOp))
    return *step;
  ElementwiseStep step{ElementwiseStep::Unary, bodyOp->getResult(0),
                       llvm::to_vector<3>(bodyOp->getOperands())};
  if (std::optional<UnaryKind> kind = getUnaryKind(bodyOp)) {
    step.unary = *kind;
    return step;
  }
  if (std::optional<BinaryKind> kind = getBinaryKind(bodyOp)) {
    step.kind = ElementwiseStep::Binary;
    step.binary = *kind;
    return step;
  }
  if (std::optional<CastKind> kind = getCastKind(bodyOp)) {
    step.kind = ElementwiseStep::Cast;
    step.cast = *kind;
    return step;
  }
  return reject(reason, RejectionKind::BodyOp, getName(bodyOp));
}

//===----------------------------------------------------------------------===//
// Whole ops
//===----------------------------------------------------------------------===//

/// Inputs broadcast or permute, outputs permute.
static LogicalResult matchMaps(linalg::LinalgOp op, Rejection &reason) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [index, map] : llvm::enumerate(maps)) {
    bool isOutput = index >= unsigned(op.getNumDpsInputs());
    bool isLegal = isOutput ? map.isPermutation() : map.isProjectedPermutation();
    if (isLegal)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << map << " of operand " << index;
    return reject(reason, RejectionKind::IndexingMap, text);
  }
  return success();
}

static LogicalResult matchStepTypes(const ElementwiseStep &step, Rejection &reason) {
  SmallVector<Type> types = {step.result.getType()};
  llvm::append_range(types, ValueRange(step.operands).getTypes());
  for (Type type : types)
    if (!isElementType(type)) {
      std::string text;
      llvm::raw_string_ostream(text) << type << " of " << getName(step.result.getDefiningOp());
      return reject(reason, RejectionKind::ElementType, text);
    }
  return success();
}

/// A value that the chain reads: an element of an operand, a constant or an earlier result.
static LogicalResult matchOperand(linalg::LinalgOp op, Value value, Rejection &reason) {
  if (getBodyConstant(op, value))
    return success();
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == op.getBlock() &&
        isa<RankedTensorType>(op->getOperand(argument.getArgNumber()).getType()))
      return success();
  if (value.getParentBlock() == op.getBlock() && value.getDefiningOp())
    return success();
  std::string text;
  llvm::raw_string_ostream(text) << value.getType();
  return reject(reason, RejectionKind::NotATensor, text);
}

FailureOr<ElementwisePlan> npu::matchElementwise(linalg::LinalgOp op, Rejection &reason) {
  if (failed(matchMaps(op, reason)))
    return failure();
  return matchValues(op, op.getBlock()->getTerminator()->getOperands(), reason);
}

FailureOr<ElementwisePlan> npu::matchValues(linalg::LinalgOp op, ValueRange values,
                                            Rejection &reason) {
  Block *body = op.getBlock();
  // Backwards, so that what a sequence absorbs is planned only if something else needs it too.
  DenseSet<Value> needed(values.begin(), values.end());
  ElementwisePlan plan;
  for (Operation &bodyOp : llvm::reverse(body->without_terminator())) {
    bool isNeeded =
        llvm::any_of(bodyOp.getResults(), [&](Value value) { return needed.contains(value); });
    if (!isNeeded || bodyOp.hasTrait<OpTrait::ConstantLike>())
      continue;
    FailureOr<ElementwiseStep> step = matchBodyOp(op, &bodyOp, reason);
    if (failed(step) || failed(matchStepTypes(*step, reason)))
      return failure();
    for (Value operand : step->operands)
      if (failed(matchOperand(op, operand, reason)))
        return failure();
    needed.insert(step->operands.begin(), step->operands.end());
    plan.push_back(std::move(*step));
  }
  std::reverse(plan.begin(), plan.end());
  for (Value value : values)
    if (failed(matchOperand(op, value, reason)))
      return failure();
  return plan;
}
