//===- LowerSort.cpp - sorts to instructions ------------------------------===//
//
// SortNetwork.h says which; here are addresses and the dimensions that count rows.
//
//===----------------------------------------------------------------------===//

#include "VectorForm.h"

#include "NPU/Dialect/NPU/IR/SortNetwork.h"

using namespace mlir;
using namespace npu;

static isa::Instruction createStep(const SortStep &step, const VectorForm &form) {
  ArrayRef<VectorForm::Operand> sources = ArrayRef(form.operands).drop_back();
  switch (step.kind) {
  case SortStep::Kind::Fill: {
    auto fill = createVector<isa::VpuFill>(form);
    fill.value.bits = step.immediate;
    return fill;
  }
  case SortStep::Kind::Iota: {
    auto iota = createVector<isa::VpuIota>(form);
    iota.values.step3 = 1;
    return iota;
  }
  case SortStep::Kind::Unary: {
    auto unary = createVector<isa::VpuUnary>(form);
    unary.a = toOperand(sources[0]);
    unary.op.kind = step.unary;
    return unary;
  }
  case SortStep::Kind::Binary: {
    auto binary = createVector<isa::VpuBinary>(form);
    binary.a = toOperand(sources[0]);
    binary.b = toOperand(sources[1]);
    binary.op.kind = step.binary;
    return binary;
  }
  case SortStep::Kind::BinaryImm: {
    auto binary = createVector<isa::VpuBinaryImm>(form);
    binary.a = toOperand(sources[0]);
    binary.op.kind = step.binary;
    binary.op.immediate = step.immediate;
    return binary;
  }
  case SortStep::Kind::Select: {
    auto select = createVector<isa::VpuSelect>(form);
    select.condition = toOperand(sources[0]);
    select.a = toOperand(sources[1]);
    select.b = toOperand(sources[2]);
    return select;
  }
  case SortStep::Kind::ArgMin: {
    auto position = createVector<isa::VpuArgReduce>(form);
    position.a = toOperand(sources[0]);
    position.op.kind = isa::ArgReduceKind::Argmin;
    return position;
  }
  }
  llvm_unreachable("unknown step");
}

template <typename OpTy>
static FailureOr<Code> lowerSteps(OpTy op, const LoweringContext &context) {
  FailureOr<VectorForm> whole = getVectorForm(op, context.scope);
  FailureOr<ChipView> scratch = convertChipView(op, op.getScratch(), context.scope);
  if (failed(whole) || failed(scratch))
    return failure();
  unsigned rowDim = op.getRowDim(), placeDim = op.getPlaceDim();
  SmallVector<unsigned> rows = op.getTileScratch().dims;
  int64_t numRows = 1;
  for (unsigned dim : rows)
    numRows *= op.getStaticLoopRanges()[dim];
  const VectorForm::Operand &input = whole->operands[0], &output = whole->operands[1];

  auto toForm = [&](const SortOperand &operand) {
    // Where a row begins, and bytes from element to element.
    VectorForm::Operand result{scratch->address, operand.type, scratch->strides};
    int64_t bytes = isa::getByteSize(operand.type);
    if (operand.place != SortOperand::Place::Scratch) {
      bool isInput = operand.place == SortOperand::Place::Input;
      result = isInput ? input : output;
      bytes = result.strides[isInput ? rowDim : placeDim];
      SmallVector<int64_t> strides = result.strides;
      result.strides = llvm::map_to_vector(rows, [&](unsigned dim) { return strides[dim]; });
    } else {
      result.strides.pop_back();
    }
    result.at.base.base += operand.base + operand.offset * bytes;
    result.strides.append({operand.blockStride * bytes, operand.stride * bytes});
    return result;
  };
  Code code;
  SortNetwork network(getSortForm(op));
  for (const SortStep &step : network.getSteps(context.target, numRows)) {
    VectorForm form;
    for (unsigned dim : rows)
      form.extents.push_back(whole->extents[dim]);
    form.extents.append({isa::fixedExtent(step.blocks), isa::fixedExtent(step.length)});
    for (const SortOperand &operand : step.operands)
      form.operands.push_back(toForm(operand));
    if (failed(fitDims(op, form)))
      return failure();
    code.push_back(createStep(step, form));
  }
  return code;
}

FailureOr<Code> npu::lowerSort(SortOp op, const LoweringContext &context) {
  return lowerSteps(op, context);
}
FailureOr<Code> npu::lowerSort(ArgSortOp op, const LoweringContext &context) {
  return lowerSteps(op, context);
}
