//===- MatchElementwise.cpp - recognises element-wise ops -----------------===//

#include "Matching.h"

#include "NPU/Dialect/NPU/Transforms/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

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

static std::optional<UnaryKind> getUnaryKind(Operation *op) {
  return llvm::StringSwitch<std::optional<UnaryKind>>(op->getName().getStringRef())
      .Case("arith.negf", UnaryKind::Neg)
      .Cases({"math.absf", "math.absi"}, UnaryKind::Abs)
      .Case("math.exp", UnaryKind::Exp)
      .Case("math.log", UnaryKind::Log)
      .Case("math.tanh", UnaryKind::Tanh)
      .Case("math.erf", UnaryKind::Erf)
      .Case("math.sqrt", UnaryKind::Sqrt)
      .Case("math.rsqrt", UnaryKind::Rsqrt)
      .Case("math.floor", UnaryKind::Floor)
      .Case("math.ceil", UnaryKind::Ceil)
      .Case("math.roundeven", UnaryKind::RoundEven)
      .Default(std::nullopt);
}

/// Comparisons whose meaning the npu dialect has; float ones are ordered but for `cmpne`.
static std::optional<BinaryKind> getComparison(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::OEQ:
      return BinaryKind::CmpEq;
    case arith::CmpFPredicate::UNE:
      return BinaryKind::CmpNe;
    case arith::CmpFPredicate::OLT:
      return BinaryKind::CmpLt;
    case arith::CmpFPredicate::OLE:
      return BinaryKind::CmpLe;
    case arith::CmpFPredicate::OGT:
      return BinaryKind::CmpGt;
    case arith::CmpFPredicate::OGE:
      return BinaryKind::CmpGe;
    default:
      return std::nullopt;
    }
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return std::nullopt;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return BinaryKind::CmpEq;
  case arith::CmpIPredicate::ne:
    return BinaryKind::CmpNe;
  case arith::CmpIPredicate::slt:
    return BinaryKind::CmpLt;
  case arith::CmpIPredicate::sle:
    return BinaryKind::CmpLe;
  case arith::CmpIPredicate::sgt:
    return BinaryKind::CmpGt;
  case arith::CmpIPredicate::sge:
    return BinaryKind::CmpGe;
  default:
    return std::nullopt;
  }
}

/// maxnumf and minnumf ignore a NaN and npu's max and min do not; they agree where none occurs.
static bool excludesNaN(Operation *op) {
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  return fastMath && arith::bitEnumContainsAll(fastMath.getFastMathFlagsAttr().getValue(),
                                               arith::FastMathFlags::nnan);
}

static std::optional<BinaryKind> getBinaryKind(Operation *op) {
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return getComparison(op);
  if (isa<arith::MaxNumFOp>(op) && excludesNaN(op))
    return BinaryKind::Max;
  if (isa<arith::MinNumFOp>(op) && excludesNaN(op))
    return BinaryKind::Min;
  return llvm::StringSwitch<std::optional<BinaryKind>>(op->getName().getStringRef())
      .Cases({"arith.addf", "arith.addi"}, BinaryKind::Add)
      .Cases({"arith.subf", "arith.subi"}, BinaryKind::Sub)
      .Cases({"arith.mulf", "arith.muli"}, BinaryKind::Mul)
      .Cases({"arith.divf", "arith.divsi"}, BinaryKind::Div)
      .Cases({"arith.minimumf", "arith.minsi"}, BinaryKind::Min)
      .Cases({"arith.maximumf", "arith.maxsi"}, BinaryKind::Max)
      .Case("arith.andi", BinaryKind::And)
      .Case("arith.ori", BinaryKind::Or)
      .Case("arith.xori", BinaryKind::Xor)
      .Case("arith.shli", BinaryKind::Shl)
      .Case("arith.shrsi", BinaryKind::Shr)
      .Case("arith.shrui", BinaryKind::ShrU)
      .Default(std::nullopt);
}

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
  return llvm::StringSwitch<std::optional<CastKind>>(op->getName().getStringRef())
      .Case("arith.extsi", CastKind::ExtSI)
      .Case("arith.extui", CastKind::ExtUI)
      .Case("arith.trunci", CastKind::TruncI)
      .Case("arith.sitofp", CastKind::SIToFP)
      .Case("arith.uitofp", CastKind::UIToFP)
      .Case("arith.fptosi", CastKind::FPToSI)
      .Case("arith.extf", CastKind::ExtF)
      .Case("arith.truncf", CastKind::TruncF)
      .Default(std::nullopt);
}

std::optional<ElementwiseStep> npu::matchClamp(linalg::LinalgOp op, Operation *tail) {
  auto getLimit = [&](Operation *limit, BinaryKind kind) -> TypedAttr {
    if (!limit || getBinaryKind(limit) != kind)
      return {};
    return getBodyConstant(op, limit->getOperand(1));
  };
  bool isUpperLast = getBinaryKind(tail) == BinaryKind::Min;
  TypedAttr last = getLimit(tail, isUpperLast ? BinaryKind::Min : BinaryKind::Max);
  Operation *inner = tail->getOperand(0).getDefiningOp();
  TypedAttr first = getLimit(inner, isUpperLast ? BinaryKind::Max : BinaryKind::Min);
  if (!last || !first)
    return std::nullopt;
  TypedAttr lo = isUpperLast ? first : last, hi = isUpperLast ? last : first;
  // With crossed limits the order counts; and a NaN is no limit.
  if (auto low = dyn_cast<FloatAttr>(lo)) {
    auto order = low.getValue().compare(cast<FloatAttr>(hi).getValue());
    if (order != APFloat::cmpLessThan && order != APFloat::cmpEqual)
      return std::nullopt;
  } else if (cast<IntegerAttr>(lo).getValue().sgt(cast<IntegerAttr>(hi).getValue())) {
    return std::nullopt;
  }
  ElementwiseStep step{ElementwiseStep::Clamp, tail->getResult(0), {inner->getOperand(0)}};
  step.lo = lo;
  step.hi = hi;
  return step;
}

/// What `op` does with bits, if it is arithmetic on i1: modulo 2, a sum or a difference is xor and
/// a product is and.
static std::optional<BinaryKind> getBooleanKind(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp>(op))
    return BinaryKind::Xor;
  if (isa<arith::MulIOp, arith::AndIOp>(op))
    return BinaryKind::And;
  if (isa<arith::OrIOp>(op))
    return BinaryKind::Or;
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return std::nullopt;
  if (compare.getPredicate() == arith::CmpIPredicate::eq)
    return BinaryKind::CmpEq;
  if (compare.getPredicate() == arith::CmpIPredicate::ne)
    return BinaryKind::CmpNe;
  return std::nullopt;
}

/// Whether `op` computes with i1 as numbers. In memory they are bytes of 0 or 1, not -1.
static bool isBooleanArithmetic(Operation *op) {
  auto isBoolean = [](Value value) { return value.getType().isSignlessInteger(1); };
  if (isa<arith::SelectOp, arith::ExtUIOp, arith::ExtSIOp, arith::UIToFPOp, arith::TruncIOp>(op))
    return false;
  if (isa<arith::CmpIOp, arith::CmpFOp>(op))
    return isBoolean(op->getOperand(0));
  return llvm::any_of(op->getOperands(), isBoolean) || llvm::any_of(op->getResults(), isBoolean);
}

static FailureOr<ElementwiseStep> matchBooleanOp(Operation *bodyOp, std::string &reason) {
  ElementwiseStep step{ElementwiseStep::Binary, bodyOp->getResult(0),
                       llvm::to_vector<3>(bodyOp->getOperands())};
  if (std::optional<BinaryKind> kind = getBooleanKind(bodyOp)) {
    step.binary = *kind;
    return step;
  }
  llvm::raw_string_ostream(reason)
      << "body op '" << bodyOp->getName().getStringRef()
      << "' on i1 has no npu equivalent; use addi, subi, muli, andi, ori, xori, cmpi eq or cmpi "
         "ne, or extend to i8 first";
  return failure();
}

/// One op of the body as one step.
static FailureOr<ElementwiseStep> matchBodyOp(linalg::LinalgOp op, Operation *bodyOp,
                                              std::string &reason) {
  if (bodyOp->getNumResults() != 1 || bodyOp->getNumRegions() != 0) {
    reason = "body op '" + bodyOp->getName().getStringRef().str() +
             "' has no npu equivalent; run this dispatch on the host";
    return failure();
  }
  if (isBooleanArithmetic(bodyOp))
    return matchBooleanOp(bodyOp, reason);
  if (std::optional<ElementwiseStep> step = matchQuantization(op, bodyOp))
    return *step;
  if (isa<arith::MinimumFOp, arith::MaximumFOp, arith::MinSIOp, arith::MaxSIOp>(bodyOp))
    if (std::optional<ElementwiseStep> step = matchClamp(op, bodyOp))
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
  if (isa<arith::SelectOp>(bodyOp)) {
    step.kind = ElementwiseStep::Select;
    return step;
  }
  std::string name = bodyOp->getName().getStringRef().str();
  llvm::raw_string_ostream os(reason);
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(bodyOp))
    os << "body op '" << name
       << "' ignores NaN, which npu does not; use arith.maximumf or arith.minimumf, or the flag "
          "nnan";
  else if (auto compare = dyn_cast<arith::CmpFOp>(bodyOp))
    os << "predicate '" << arith::stringifyCmpFPredicate(compare.getPredicate()) << "' of body op '"
       << name << "' has no npu equivalent; use oeq, une, olt, ole, ogt or oge";
  else if (auto compare = dyn_cast<arith::CmpIOp>(bodyOp))
    os << "predicate '" << arith::stringifyCmpIPredicate(compare.getPredicate()) << "' of body op '"
       << name << "' has no npu equivalent; use eq, ne, slt, sle, sgt or sge";
  else
    os << "body op '" << name << "' has no npu equivalent; run this dispatch on the host";
  return failure();
}

//===----------------------------------------------------------------------===//
// Whole ops
//===----------------------------------------------------------------------===//

/// Inputs broadcast or permute, outputs permute.
static LogicalResult matchMaps(linalg::LinalgOp op, std::string &reason) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [index, map] : llvm::enumerate(maps)) {
    bool isOutput = index >= unsigned(op.getNumDpsInputs());
    bool isLegal = isOutput ? map.isPermutation() : map.isProjectedPermutation();
    if (isLegal)
      continue;
    llvm::raw_string_ostream(reason)
        << "indexing map " << map << " of operand " << index
        << (isOutput ? " is not a permutation" : " is not a projected permutation")
        << "; run this dispatch on the host";
    return failure();
  }
  return success();
}

static bool isStepType(Type type) {
  return type.isSignlessInteger(1) || type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isF16() || type.isBF16() || type.isF32();
}

static LogicalResult matchStepTypes(const ElementwiseStep &step, std::string &reason) {
  SmallVector<Type> types = {step.result.getType()};
  llvm::append_range(types, ValueRange(step.operands).getTypes());
  for (Type type : types)
    if (!isStepType(type)) {
      llvm::raw_string_ostream(reason)
          << "element type " << type << " of body op '"
          << step.result.getDefiningOp()->getName().getStringRef()
          << "' has no npu equivalent; use i8, i16, i32, f16, bf16 or f32";
      return failure();
    }
  return success();
}

/// A value that the chain reads: an element of an operand, a constant or an earlier result.
static LogicalResult matchOperand(linalg::LinalgOp op, Value value, std::string &reason) {
  if (getBodyConstant(op, value))
    return success();
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == op.getBlock() &&
        isa<RankedTensorType>(op->getOperand(argument.getArgNumber()).getType()))
      return success();
  if (value.getParentBlock() == op.getBlock() && value.getDefiningOp())
    return success();
  reason = "a scalar operand that is not constant has no npu equivalent; make it a tensor or a "
           "constant";
  return failure();
}

FailureOr<ElementwisePlan> npu::matchElementwise(linalg::LinalgOp op, std::string &reason) {
  if (failed(matchMaps(op, reason)))
    return failure();
  Block *body = op.getBlock();
  Operation *yield = body->getTerminator();
  // Backwards, so that what a sequence absorbs is planned only if something else needs it too.
  DenseSet<Value> needed(yield->operand_begin(), yield->operand_end());
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
  for (Value value : yield->getOperands())
    if (failed(matchOperand(op, value, reason)))
      return failure();
  return plan;
}
