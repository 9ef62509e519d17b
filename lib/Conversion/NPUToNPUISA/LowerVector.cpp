//===- LowerVector.cpp - element-wise ops to instructions -----------------===//

#include "VectorForm.h"

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

FailureOr<VectorForm> npu::getVectorForm(NPUComputeOpInterface op, const LoopScope &scope) {
  VectorForm form;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [d, range] : llvm::enumerate(ranges)) {
    FailureOr<isa::Extent> extent = convertExtent(op, op.getTileExtents(), d, range, scope);
    if (failed(extent))
      return failure();
    form.extents.push_back(*extent);
  }
  for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray())) {
    FailureOr<ChipView> view = convertChipView(op, operand->get(), scope);
    if (failed(view))
      return failure();
    VectorForm::Operand &entry = form.operands.emplace_back();
    entry.at = view->address;
    entry.type = view->type;
    entry.strides.assign(ranges.size(), 0);
    for (auto [result, stride] : llvm::zip_equal(map.getResults(), view->strides)) {
      SmallVector<int64_t> coefficients;
      LogicalResult isAffine =
          getFlattenedAffineExpr(result, ranges.size(), /*numSymbols=*/0, &coefficients);
      assert(succeeded(isAffine) && coefficients.back() == 0 && "the op's verifier has checked");
      (void)isAffine;
      for (auto [d, coefficient] : llvm::enumerate(ArrayRef(coefficients).drop_back()))
        entry.strides[d] += coefficient * stride;
    }
  }
  return form;
}

/// Merges dimension `d + 1` into `d` if every operand walks both as one.
static bool mergeDims(VectorForm &form, size_t d) {
  isa::Extent &outer = form.extents[d];
  const isa::Extent inner = form.extents[d + 1];
  bool unit = isFixedExtent(outer, 1);
  if (!unit) {
    if (!isFixedExtent(inner, inner.full))
      return false;
    for (const VectorForm::Operand &operand : form.operands)
      if (inner.full != 1 && operand.strides[d] != operand.strides[d + 1] * inner.full)
        return false;
  }
  if (unit) {
    outer = inner;
  } else {
    outer.limit = outer.limit * inner.full;
    outer.full *= inner.full;
  }
  bool keepOuterStride = !unit && inner.full == 1;
  for (VectorForm::Operand &operand : form.operands)
    operand.strides.erase(operand.strides.begin() + (keepOuterStride ? d + 1 : d));
  form.extents.erase(form.extents.begin() + d + 1);
  return true;
}

LogicalResult npu::fitDims(Operation *op, VectorForm &form) {
  size_t rank = form.extents.size();
  for (size_t d = 0; form.extents.size() > isa::maxVectorDims && d + 1 < form.extents.size();)
    if (!mergeDims(form, d))
      ++d;
  if (form.extents.size() > isa::maxVectorDims)
    return op->emitOpError("walks ") << rank << " dimensions that do not merge to "
                                     << isa::maxVectorDims << ", the most of a vector instruction";
  while (form.extents.size() < isa::maxVectorDims) {
    form.extents.insert(form.extents.begin(), isa::fixedExtent(1));
    for (VectorForm::Operand &operand : form.operands)
      operand.strides.insert(operand.strides.begin(), 0);
  }
  return success();
}

isa::VectorOperand npu::toOperand(const VectorForm::Operand &operand) {
  isa::VectorOperand result;
  result.at = operand.at;
  result.type = operand.type;
  result.stride0 = operand.strides[0];
  result.stride1 = operand.strides[1];
  result.stride2 = operand.strides[2];
  result.stride3 = operand.strides[3];
  return result;
}

static isa::Instruction createUnary(const VectorForm &form, isa::UnaryKind kind) {
  auto result = createVector<isa::VpuUnary>(form);
  result.a = toOperand(form.operands.front());
  result.op.kind = kind;
  return result;
}

/// As integers of the same bytes: the vector unit writes every float NaN as the same one, and some
/// targets have no floats.
static isa::Instruction createCopy(VectorForm form) {
  for (VectorForm::Operand &operand : form.operands)
    operand.type = isa::getIntegerType(operand.type);
  return createUnary(form, isa::UnaryKind::Copy);
}

static isa::Instruction createImmediate(const VectorForm &form, const VectorForm::Operand &left,
                                        isa::BinaryKind kind, int64_t bits) {
  auto result = createVector<isa::VpuBinaryImm>(form);
  result.a = toOperand(left);
  result.op.kind = kind;
  result.op.immediate = bits;
  return result;
}

/// The operation with operands exchanged, where there is one.
static std::optional<isa::BinaryKind> getMirrored(isa::BinaryKind kind) {
  switch (kind) {
  case isa::BinaryKind::Add:
  case isa::BinaryKind::Mul:
  case isa::BinaryKind::Min:
  case isa::BinaryKind::Max:
  case isa::BinaryKind::And:
  case isa::BinaryKind::Or:
  case isa::BinaryKind::Xor:
  case isa::BinaryKind::CmpEq:
  case isa::BinaryKind::CmpNe:
    return kind;
  case isa::BinaryKind::CmpLt:
    return isa::BinaryKind::CmpGt;
  case isa::BinaryKind::CmpLe:
    return isa::BinaryKind::CmpGe;
  case isa::BinaryKind::CmpGt:
    return isa::BinaryKind::CmpLt;
  case isa::BinaryKind::CmpGe:
    return isa::BinaryKind::CmpLe;
  default:
    return std::nullopt;
  }
}

/// `imm op x`. The instruction takes its constant on the right.
static FailureOr<Code> lowerLeftImmediate(BinaryOp op, const VectorForm &form) {
  isa::BinaryKind kind = getISAKind(op.getKind());
  int64_t bits = getComputingBits(*op.getImm());
  const VectorForm::Operand &operand = form.operands.front();
  if (std::optional<isa::BinaryKind> mirrored = getMirrored(kind))
    return Code{createImmediate(form, operand, *mirrored, bits)};
  if (kind == isa::BinaryKind::Sub) // c - x = (-x) + c, exactly, in every type
    return Code{createUnary(form, isa::UnaryKind::Neg),
                createImmediate(form, form.operands.back(), isa::BinaryKind::Add, bits)};
  if (op.getLhs() == op.getOutput())
    return op.emitOpError("with a constant on the left cannot work in place; give it a "
                          "destination of its own");
  // The constant goes to the destination first.
  auto fill = createVector<isa::VpuFill>(form);
  fill.value.bits = bits;
  auto binary = createVector<isa::VpuBinary>(form);
  binary.a = toOperand(form.operands.back());
  binary.b = toOperand(operand);
  binary.op.kind = kind;
  return Code{fill, binary};
}

static FailureOr<Code> lowerBinary(BinaryOp op, const VectorForm &form) {
  if (op.getImm() && op.getImmFirst())
    return lowerLeftImmediate(op, form);
  isa::BinaryKind kind = getISAKind(op.getKind());
  if (op.getImm())
    return Code{createImmediate(form, form.operands[0], kind, getComputingBits(*op.getImm()))};
  auto result = createVector<isa::VpuBinary>(form);
  result.a = toOperand(form.operands[0]);
  result.b = toOperand(form.operands[1]);
  result.op.kind = kind;
  return Code{result};
}

static FailureOr<Code> lowerCast(CastOp op, const VectorForm &form) {
  Type from = getElementTypeOrSelf(op.getInput()), to = getElementTypeOrSelf(op.getOutput());
  // An i1 is 0 or 1 in a byte; as a signed number true is -1.
  if (from.isInteger(1) && op.getKind() == CastKind::ExtSI)
    return Code{createUnary(form, isa::UnaryKind::Neg)};
  if (to.isInteger(1) && op.getKind() == CastKind::TruncI)
    return Code{createImmediate(form, form.operands.front(), isa::BinaryKind::And, 1)};
  if (to.isInteger(1) || (from.isInteger(1) && op.getKind() == CastKind::SIToFP))
    return op.emitOpError("between ") << from << " and " << to << " has no instruction";
  auto result = createVector<isa::VpuCast>(form);
  result.a = toOperand(form.operands.front());
  result.mode.unsigned_source = op.getKind() == CastKind::ExtUI || op.getKind() == CastKind::UIToFP;
  result.mode.rounding = isa::Rounding::Zero;
  return Code{result};
}

static FailureOr<Code> lowerRequantize(RequantizeOp op, const VectorForm &form) {
  isa::RequantOp parameters;
  parameters.zero = op.getZeroPoint();
  parameters.low = op.getLo();
  parameters.high = op.getHi();
  if (op.getScale()) {
    auto result = createVector<isa::VpuRequantImm>(form);
    result.a = toOperand(form.operands[0]);
    result.op = parameters;
    result.scale.value = op.getScale()->convertToFloat();
    return Code{result};
  }
  auto result = createVector<isa::VpuRequant>(form);
  result.a = toOperand(form.operands[0]);
  result.scale = toOperand(form.operands[1]);
  result.op = parameters;
  return Code{result};
}

static FailureOr<Code> lowerRescale(RescaleOp op, const VectorForm &form) {
  if (!op.getMultipliers())
    return op.emitOpError(
        "expected multipliers and shifts in buffers, run npu-materialize-scalars first");
  auto result = createVector<isa::VpuRescale>(form);
  result.a = toOperand(form.operands[0]);
  result.multiplier = toOperand(form.operands[1]);
  result.shift = toOperand(form.operands[2]);
  result.op.double_round = op.getDoubleRound();
  result.op.input_zero = op.getInputZp();
  result.op.output_zero = op.getOutputZp();
  result.op.bounded = op.getLo().has_value();
  result.op.low = op.getLo().value_or(0);
  result.op.high = op.getHi().value_or(0);
  return Code{result};
}

template <typename Instruction>
static Code createTable(const VectorForm &form) {
  auto result = createVector<Instruction>(form);
  result.a = toOperand(form.operands[0]);
  result.table = form.operands[1].at;
  return {result};
}

static Code lowerTable(TableOp op, const VectorForm &form) {
  if (getElementTypeOrSelf(op.getInput()).isInteger(8))
    return createTable<isa::VpuTable8>(form);
  return createTable<isa::VpuTable16>(form);
}

/// Makes what is reduced the innermost dimension, of one element if there is nothing.
static LogicalResult moveReductionInside(NPUComputeOpInterface op, VectorForm &form) {
  SmallVector<unsigned> order, reduced;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypes()))
    (iterator == utils::IteratorType::reduction ? reduced : order).push_back(dim);
  size_t numKept = order.size();
  llvm::append_range(order, reduced);
  auto reorder = [&](auto &values) {
    auto old = values;
    for (auto [value, dim] : llvm::zip_equal(values, order))
      value = old[dim];
  };
  reorder(form.extents);
  for (VectorForm::Operand &operand : form.operands)
    reorder(operand.strides);
  if (reduced.empty()) {
    form.extents.push_back(isa::fixedExtent(1));
    for (VectorForm::Operand &operand : form.operands)
      operand.strides.push_back(0);
  }
  while (form.extents.size() > numKept + 1)
    if (!mergeDims(form, form.extents.size() - 2))
      return op->emitOpError("reduces ")
             << reduced.size() << " dimensions that do not lie side by side, expected one that a "
             << "vector instruction can walk; reduce one after the other";
  for (size_t d = 0; form.extents.size() > isa::maxVectorDims && d + 2 < form.extents.size();)
    if (!mergeDims(form, d))
      ++d;
  return fitDims(op, form);
}

template <typename OpTy>
static FailureOr<Code> lowerReduction(OpTy op, VectorForm form, const LoopScope &scope) {
  FailureOr<Accumulation> accumulation =
      convertAccumulation(op, op.getInit(), op.getAccumulate(), scope);
  if (failed(accumulation) || failed(moveReductionInside(op, form)))
    return failure();
  auto result = createVector<isa::VpuReduce>(form);
  result.a = toOperand(form.operands.front());
  result.reduction.kind = getISAKind(op.getKind());
  result.reduction.mode = accumulation->mode;
  result.reduction.counters = accumulation->counters;
  return Code{result};
}

/// A scan or the position of an extreme.
template <typename Instruction, typename OpTy>
static FailureOr<Code> lowerWholeRow(OpTy op, VectorForm form) {
  if (failed(moveReductionInside(op, form)))
    return failure();
  auto result = createVector<Instruction>(form);
  result.a = toOperand(form.operands.front());
  result.op.kind = getISAKind(op.getKind());
  return Code{result};
}

static FailureOr<Code> lowerIota(IotaOp op, VectorForm form, const LoopScope &scope) {
  isa::Affine start;
  if (op.getOrigin()) {
    FailureOr<isa::Affine> origin = convertOffset(op, op.getOrigin(), scope);
    if (failed(origin))
      return failure();
    start = *origin;
  }
  start.base += op.getStart();
  // Dimensions are merged where steps are in proportion as well.
  form.operands.insert(form.operands.begin(), {{}, {}, llvm::to_vector(op.getSteps())});
  if (failed(fitDims(op, form)))
    return failure();
  auto result = createVector<isa::VpuIota>(form);
  ArrayRef<int64_t> steps = form.operands.front().strides;
  result.values.start = start;
  result.values.step0 = steps[0];
  result.values.step1 = steps[1];
  result.values.step2 = steps[2];
  result.values.step3 = steps[3];
  return Code{result};
}

FailureOr<Code> npu::lowerFill(FillOp op, const LoweringContext &context) {
  FailureOr<ChipView> view = convertChipView(op, op.getDst(), context.scope);
  if (failed(view))
    return failure();
  VectorForm form;
  for (int64_t size : view->shape)
    form.extents.push_back(isa::fixedExtent(size));
  form.operands.push_back({view->address, view->type, view->strides});
  if (failed(fitDims(op, form)))
    return failure();
  auto fill = createVector<isa::VpuFill>(form);
  fill.value.bits = getComputingBits(op.getValue());
  return Code{fill};
}

FailureOr<Code> npu::lowerVectorOp(NPUComputeOpInterface op, const LoweringContext &context) {
  FailureOr<VectorForm> maybeForm = getVectorForm(op, context.scope);
  if (failed(maybeForm))
    return failure();
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation()))
    return lowerReduction(reduce, *maybeForm, context.scope);
  if (auto pool = dyn_cast<PoolOp>(op.getOperation()))
    return lowerReduction(pool, *maybeForm, context.scope);
  if (auto scan = dyn_cast<ScanOp>(op.getOperation()))
    return lowerWholeRow<isa::VpuScan>(scan, *maybeForm);
  if (auto arg = dyn_cast<ArgReduceOp>(op.getOperation()))
    return lowerWholeRow<isa::VpuArgReduce>(arg, *maybeForm);
  if (auto iota = dyn_cast<IotaOp>(op.getOperation()))
    return lowerIota(iota, *maybeForm, context.scope);
  if (auto sort = dyn_cast<SortOp>(op.getOperation()))
    return lowerSort(sort, context);
  if (auto sort = dyn_cast<ArgSortOp>(op.getOperation()))
    return lowerSort(sort, context);
  if (failed(fitDims(op, *maybeForm)))
    return failure();
  const VectorForm &form = *maybeForm;
  return TypeSwitch<Operation *, FailureOr<Code>>(op)
      .Case([&](UnaryOp unary) -> FailureOr<Code> {
        return Code{createUnary(form, getISAKind(unary.getKind()))};
      })
      .Case([&](CopyOp) -> FailureOr<Code> { return Code{createCopy(form)}; })
      .Case([&](BinaryOp binary) { return lowerBinary(binary, form); })
      .Case([&](SelectOp) -> FailureOr<Code> {
        auto result = createVector<isa::VpuSelect>(form);
        result.condition = toOperand(form.operands[0]);
        result.a = toOperand(form.operands[1]);
        result.b = toOperand(form.operands[2]);
        return Code{result};
      })
      .Case([&](ClampOp clamp) -> FailureOr<Code> {
        auto result = createVector<isa::VpuClamp>(form);
        result.a = toOperand(form.operands[0]);
        result.bounds.low = getComputingBits(clamp.getLo());
        result.bounds.high = getComputingBits(clamp.getHi());
        return Code{result};
      })
      .Case([&](TableOp table) -> FailureOr<Code> { return lowerTable(table, form); })
      .Case([&](CastOp cast) { return lowerCast(cast, form); })
      .Case([&](RequantizeOp requantize) { return lowerRequantize(requantize, form); })
      .Case([&](RescaleOp rescale) { return lowerRescale(rescale, form); })
      .DefaultUnreachable("an element-wise op without an instruction");
}
