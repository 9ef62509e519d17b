//===- Roofline.cpp - lower bounds on cycles and DRAM traffic -------------===//

#include "NPU/Roofline/Roofline.h"

#include "TouchedElements.h"

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Support/ElementBits.h"
#include "NPU/Target/ISA/Instructions.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// Accumulators are i32 or f32.
constexpr double accumulatorBytes = 4;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t product(ArrayRef<int64_t> ranges, ArrayRef<unsigned> dims) {
  int64_t result = 1;
  for (unsigned dim : dims)
    result *= ranges[dim];
  return result;
}

/// Bytes of one element in memory. What has no bytes of its own counts as none: bounds are lower
/// ones.
static int64_t getBytes(Type type) { return findElementBytes(type).value_or(0); }

int64_t npu::runtime::getPeakMacRate(const TargetDesc &target, const ContractionShape &shape) {
  if (shape.isFloat)
    return shape.lhsBytes == 2 ? target.macsPerCycleF16 : target.macsPerCycleF32;
  return shape.lhsBytes == 1 ? target.macsPerCycleI8 : target.macsPerCycleI16I8;
}

int64_t npu::runtime::getArrayCycles(const TargetDesc &target, const ContractionShape &shape) {
  int64_t rate = getPeakMacRate(target, shape);
  if (rate == 0)
    return 0;
  int64_t rows = target.macRows, cols = target.macCols, b = shape.batches;
  int64_t cycles;
  if (shape.isDepthwise) {
    // One channel per column; or the lanes, a MAC per lane and cycle.
    cycles = std::min(ceilDiv(b, cols) * shape.m * ceilDiv(shape.k, rows),
                      ceilDiv(shape.getMacs(), target.vpuLanes));
  } else {
    int64_t weightStationary =
        ceilDiv(shape.k, rows) * ceilDiv(shape.n, cols) * std::max(shape.m, rows);
    int64_t outputStationary =
        ceilDiv(shape.m, rows) * ceilDiv(shape.n, cols) * std::max(shape.k, rows);
    int64_t inputStationary =
        ceilDiv(shape.k, rows) * ceilDiv(shape.m, cols) * std::max(shape.n, rows);
    cycles = b * std::min({weightStationary, outputStationary, inputStationary});
  }
  return std::max(ceilDiv(cycles * rows * cols, rate), ceilDiv(shape.getMacs(), rate));
}

/// Cycles of one cluster's vector unit for the products and the sums.
static int64_t getVectorCycles(const TargetDesc &target, const ContractionShape &shape) {
  int64_t passes = isa::getCost(isa::BinaryKind::Mul) + isa::getCost(isa::ReduceKind::Sum);
  return isa::getVectorCycles(target, shape.getMacs(), passes);
}

static std::optional<ContractionShape> getContractionShape(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  ContractionShape shape;
  if (flow::isConvolution(op)) {
    FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
    if (failed(dims))
      return std::nullopt;
    shape.m = product(ranges, dims->batch) * product(ranges, dims->outputImage);
    shape.n = product(ranges, dims->outputChannel);
    shape.k = product(ranges, dims->filterLoop) * product(ranges, dims->inputChannel);
    shape.batches = product(ranges, dims->depth);
    shape.isDepthwise =
        !dims->depth.empty() && dims->outputChannel.empty() && dims->inputChannel.empty();
    for (auto [loop, stride] : llvm::zip(dims->filterLoop, dims->strides))
      shape.windowsPerElement *= ceilDiv(ranges[loop], stride);
  } else if (linalg::isaContractionOpInterface(op)) {
    FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
    if (failed(dims))
      return std::nullopt;
    shape.batches = product(ranges, dims->batch);
    shape.m = product(ranges, dims->m);
    shape.n = product(ranges, dims->n);
    shape.k = product(ranges, dims->k);
  } else {
    return std::nullopt;
  }
  Type lhs = op.getDpsInputOperand(0)->get().getType();
  shape.lhsBytes = getBytes(lhs);
  shape.rhsBytes = getBytes(op.getDpsInputOperand(1)->get().getType());
  shape.isFloat = llvm::isa<FloatType>(getElementTypeOrSelf(lhs));
  if (shape.lhsBytes == 0 || shape.rhsBytes == 0)
    return std::nullopt;
  return shape;
}

/// The values that the results of a function depend on, those in the bodies of linalg ops included.
static DenseSet<Value> findLive(FunctionOpInterface function) {
  DenseSet<Value> live;
  SmallVector<Value> worklist;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (live.insert(value).second)
        worklist.push_back(value);
  };
  add(function.getFunctionBody().back().getTerminator()->getOperands());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp()))
        add(op.getMatchingOpOperand(argument)->get());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (llvm::isa<linalg::LinalgOp>(op)) {
      Operation *yield = op->getRegion(0).front().getTerminator();
      add(yield->getOperand(cast<OpResult>(value).getResultNumber()));
      continue;
    }
    op->walk([&](Operation *inner) { add(inner->getOperands()); });
  }
  return live;
}

/// Elements of a result that the function has to write: what it inserts into an argument.
static int64_t countWritten(Value result, RankedTensorType type) {
  auto insertion = result.getDefiningOp<tensor::InsertSliceOp>();
  if (insertion && llvm::isa<BlockArgument>(insertion.getDest()) &&
      insertion.getSourceType().hasStaticShape())
    return insertion.getSourceType().getNumElements();
  return type.getNumElements();
}

/// The argument of the function that a value is, or part of, with edges around it or not; null if
/// it is computed.
static BlockArgument findArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!llvm::isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                   tensor::ExtractSliceOp, tensor::PadOp>(op))
      return nullptr;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return llvm::isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) ? argument : nullptr;
}

/// Passes of the vector unit for an op of a body; 0 if it is not an elementary function.
static int64_t getFunctionPasses(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](math::ExpOp) { return isa::getCost(isa::UnaryKind::Exp); })
      .Case([](math::Exp2Op) { return isa::getCost(isa::UnaryKind::Exp2); })
      .Case([](math::LogOp) { return isa::getCost(isa::UnaryKind::Log); })
      .Case([](math::TanhOp) { return isa::getCost(isa::UnaryKind::Tanh); })
      .Case([](math::ErfOp) { return isa::getCost(isa::UnaryKind::Erf); })
      .Default(int64_t(0));
}

/// Cycles of one cluster's vector unit for the elementary functions of floats in a body: each is
/// computed for all values of the dimensions that its operands have.
static int64_t getVectorCycles(linalg::LinalgOp op, const TargetDesc &target) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t cycles = 0;
  for (Operation &inner : *op.getBlock()) {
    int64_t passes = getFunctionPasses(&inner);
    if (passes == 0)
      continue;
    llvm::SetVector<Value> needed;
    needed.insert(inner.getOperand(0));
    llvm::SmallBitVector dims(op.getNumLoops());
    bool isOfBytes = false;
    for (size_t next = 0; next < needed.size(); ++next) {
      if (Operation *source = needed[next].getDefiningOp()) {
        if (source->getBlock() == op.getBlock())
          needed.insert(source->operand_begin(), source->operand_end());
        continue;
      }
      auto argument = cast<BlockArgument>(needed[next]);
      if (argument.getOwner() != op.getBlock())
        continue;
      isOfBytes |= argument.getType().isInteger(8);
      AffineMap map = op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
      for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
        if (map.isFunctionOfDim(dim))
          dims.set(dim);
    }
    if (isOfBytes)
      continue;
    int64_t elements = 1;
    for (unsigned dim : dims.set_bits())
      elements *= ranges[dim];
    cycles += isa::getVectorCycles(target, elements, passes);
  }
  return cycles;
}

Roofline npu::runtime::computeRoofline(FunctionOpInterface function, const TargetDesc &target) {
  Roofline roofline;
  int64_t resultBytes = 0;
  Operation *terminator = function.getFunctionBody().back().getTerminator();
  for (Value result : terminator->getOperands()) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    bool isKnown = tensor && tensor.hasStaticShape();
    roofline.resultBytes.push_back(isKnown ? countWritten(result, tensor) * getBytes(tensor) : 0);
    resultBytes += roofline.resultBytes.back();
  }
  roofline.feedsArray.assign(function.getNumArguments(), false);
  DenseSet<Value> live = findLive(function);
  TouchedElements touched(function);
  for (Value argument : function.getArguments()) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    bool isKnown = tensor && tensor.hasStaticShape();
    roofline.argumentBytes.push_back(isKnown ? touched.count(argument) * getBytes(tensor) : 0);
  }

  double onChipBytes = double(target.sramBytes + target.accBytes) * target.clusters;
  function->walk([&](linalg::LinalgOp op) {
    bool isLive = llvm::any_of(op->getResults(), [&](Value value) { return live.contains(value); });
    if (op.hasDynamicShape() || !isLive)
      return;
    roofline.vectorCycles += getVectorCycles(op, target);
    std::optional<ContractionShape> shape = getContractionShape(op);
    if (!shape)
      return;
    roofline.macs += shape->getMacs();
    roofline.peakMacRate = std::max(roofline.peakMacRate, getPeakMacRate(target, *shape));
    // The vector unit is the faster one where products use little of the array.
    int64_t array = getArrayCycles(target, *shape), vector = getVectorCycles(target, *shape);
    if (array <= vector)
      roofline.arrayCycles += array;
    else
      roofline.vectorCycles += vector;
    bool isFromOutside = true;
    for (Value input : op.getDpsInputs()) {
      BlockArgument argument = findArgument(input);
      isFromOutside &= bool(argument);
      if (argument && !shape->isDepthwise && array <= vector)
        roofline.feedsArray[argument.getArgNumber()] = true;
    }
    if (shape->isDepthwise || !isFromOutside)
      return;
    // The published bound counts loads of accumulators as well. Sums that start at zero need not be
    // loaded: each of them takes the accumulator it did not load off the bound.
    double elementBytes = shape->lhsBytes * shape->rhsBytes * accumulatorBytes;
    double loads = 2.0 * shape->getMacs() *
                       std::sqrt(elementBytes / (shape->windowsPerElement * onChipBytes)) -
                   2.0 * onChipBytes - accumulatorBytes * shape->getSums();
    if (loads > 0)
      roofline.capacityBytes = std::max(roofline.capacityBytes, int64_t(loads) + resultBytes);
  });
  return roofline;
}
