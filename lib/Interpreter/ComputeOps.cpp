//===- ComputeOps.cpp - contractions and element-wise ops -----------------===//

#include "ComputeOps.h"

#include "NPU/Simulator/Numbers.h"
#include "RowOps.h"
#include "Scalar.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The dimensions that are summed up, in the array's order: taps before channels.
static SmallVector<unsigned> getSummedDims(NPUComputeOpInterface op) {
  SmallVector<unsigned> dims;
  std::string letters = op.getDimLetters();
  auto append = [&](bool isChannel) {
    for (auto [dim, type] : llvm::enumerate(op.getIteratorTypes()))
      if (type == utils::IteratorType::reduction && (letters[dim] == 'c') == isChannel)
        dims.push_back(dim);
  };
  append(false);
  append(true);
  return dims;
}

static void runContraction(NPUComputeOpInterface op, const Operands &operands, Reader &reader) {
  SmallVector<unsigned> summed = getSummedDims(op);
  SmallVector<int64_t> kept = operands.extents, terms;
  for (unsigned dim : summed) {
    terms.push_back(operands.extents[dim]);
    kept[dim] = 1;
  }
  bool hasBias = operands.views.size() == 4;
  Scalar pad = Scalar::get(int64_t(0));
  if (auto conv = dyn_cast<ConvOp>(*op); conv && conv.getPadValueAttr())
    pad = getScalar(conv.getPadValueAttr());
  bool isFloat = llvm::isa<FloatType>(operands.views.back().elementType);
  pad.isFloat |= isFloat;
  unsigned destination = operands.views.size() - 1;
  SmallVector<int64_t, 10> full;
  forEachPosition(kept, [&](ArrayRef<int64_t> position) {
    full.assign(position.begin(), position.end());
    Scalar sum = isFloat ? Scalar::get(0.0f) : Scalar::get(int64_t(0));
    if (operands.accumulates)
      sum = reader.get(destination, position);
    else if (hasBias)
      sum = reader.get(2, position);
    auto add = [&](ArrayRef<int64_t> term, int64_t offset) {
      for (auto [dim, value] : llvm::zip_equal(summed, term))
        full[dim] = value;
      full[summed.back()] += offset;
      Scalar left = op.hasBufferForm() ? reader.get(0, full) : reader.read(0, full).value_or(pad);
      Scalar right = reader.get(1, full);
      // One step after the other, each rounded once.
      if (isFloat)
        sum.real = std::fma(left.real, right.real, sum.real);
      else
        sum.integer =
            int32_t(uint32_t(sum.integer) + uint32_t(left.integer) * uint32_t(right.integer));
    };
    SmallVector<int64_t> part = terms;
    int64_t offset = 0;
    for (int64_t size : divide(terms.back(), operands.begin)) {
      part.back() = size;
      forEachPosition(part, [&](ArrayRef<int64_t> term) { add(term, offset); });
      offset += size;
    }
    reader.write(position, sum);
  });
}

//===----------------------------------------------------------------------===//
// Element-wise ops
//===----------------------------------------------------------------------===//

/// `round` is how, `type` to what.
static Scalar convert(CastOp cast, Scalar value, isa::ElementType from, isa::ElementType to) {
  int64_t mask = llvm::maskTrailingOnes<uint64_t>(isa::getByteSize(from) * 8);
  switch (cast.getKind()) {
  case CastKind::ExtSI:
    // An i1 is 0 or 1 in memory, and 0 or -1 as a signed number.
    if (llvm::cast<ShapedType>(cast.getInput().getType()).getElementType().isInteger(1))
      return Scalar::get(int64_t(-value.integer));
    return value;
  case CastKind::ExtUI:
    return Scalar::get(int64_t(value.integer) & mask);
  case CastKind::TruncI:
    if (llvm::cast<ShapedType>(cast.getOutput().getType()).getElementType().isInteger(1))
      return Scalar::get(int64_t(value.integer & 1));
    return value;
  case CastKind::SIToFP:
    return Scalar::get(sim::toFloat(value.integer, to));
  case CastKind::UIToFP:
    return Scalar::get(sim::toFloat(int64_t(value.integer) & mask, to));
  case CastKind::FPToSI: {
    int64_t bits = isa::getByteSize(to) * 8;
    return Scalar::get(int64_t(
        sim::toInteger(value.real, isa::Rounding::Zero, llvm::minIntN(bits), llvm::maxIntN(bits))));
  }
  case CastKind::ExtF:
  case CastKind::TruncF:
    return value;
  }
  llvm_unreachable("unknown cast");
}

static Scalar requantize(RequantizeOp op, Scalar value, float scale) {
  float product = float(value.integer) * scale;
  int64_t result = op.getLo();
  // Beyond 2^40 the limits decide, whatever the zero point.
  constexpr double far = double(int64_t(1) << 40);
  if (product == product)
    result = int64_t(std::clamp(double(sim::roundEven(product)), -far, far)) + op.getZeroPoint();
  return Scalar::get(std::min<int64_t>(std::max<int64_t>(result, op.getLo()), op.getHi()));
}

static Scalar rescale(RescaleOp op, Scalar input, int64_t multiplier, int64_t shift,
                      isa::ElementType type) {
  int64_t value = int64_t(input.integer) - op.getInputZp();
  int64_t round = int64_t(1) << (shift - 1);
  if (op.getDoubleRound() && shift > 31)
    round += value >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  int64_t result = ((value * multiplier + round) >> shift) + int64_t(op.getOutputZp());
  if (op.getLo())
    result = std::min<int64_t>(std::max<int64_t>(result, *op.getLo()), *op.getHi());
  int64_t bits = isa::getByteSize(type) * 8;
  return Scalar::get(std::clamp(result, llvm::minIntN(bits), llvm::maxIntN(bits)));
}

/// What `op` makes of the elements at a position.
static Scalar computeElement(Operation *op, Reader &reader, ArrayRef<int64_t> position,
                             const Operands &operands) {
  auto get = [&](unsigned operand) { return reader.get(operand, position); };
  return llvm::TypeSwitch<Operation *, Scalar>(op)
      .Case([&](UnaryOp unary) { return apply(getISAKind(unary.getKind()), get(0)); })
      .Case([&](BinaryOp binary) {
        Scalar left = get(0), right = binary.getRhs() ? get(1) : getScalar(*binary.getImm());
        if (binary.getImmFirst())
          std::swap(left, right);
        return combine(getISAKind(binary.getKind()), left, right);
      })
      .Case([&](SelectOp select) {
        // Both are read.
        Scalar condition = get(0), yes = get(1), no = get(2);
        return condition.integer != 0 ? yes : no;
      })
      .Case([&](ClampOp clamp) {
        Scalar bounded = combine(isa::BinaryKind::Max, get(0), getScalar(clamp.getLo()));
        return combine(isa::BinaryKind::Min, bounded, getScalar(clamp.getHi()));
      })
      .Case(
          [&](CastOp cast) { return convert(cast, get(0), reader.getType(0), reader.getType(1)); })
      .Case([&](RequantizeOp op) {
        float scale = op.getScales() ? get(1).real : op.getScaleAttr().getValue().convertToFloat();
        return requantize(op, get(0), scale);
      })
      .Case([&](RescaleOp op) {
        bool hasOperands = bool(op.getMultipliers());
        int64_t multiplier = hasOperands ? get(1).integer : int64_t(*op.getMultiplier());
        int64_t shift = hasOperands ? get(2).integer : int64_t(*op.getShift());
        if (shift < 2 || shift > 62) {
          reader.fail("expected shifts of 2 to 62, found " + Twine(shift));
          return Scalar();
        }
        return rescale(op, get(0), multiplier, shift, reader.getType(operands.views.size() - 1));
      })
      .Case([&](TableOp op) {
        int64_t x = get(0).integer;
        auto look = [&](int64_t entry) {
          const View &table = operands.views[1];
          int64_t place = table.offset + entry * getElementBytes(table.elementType);
          if (llvm::Error missing =
                  expectValue(op, *table.memory, place, getElementBytes(table.elementType)))
            reader.fail(llvm::toString(std::move(missing)));
          return int64_t(load(*table.memory, place, reader.getType(1)).integer);
        };
        if (reader.getType(0) == isa::ElementType::I8)
          return Scalar::get(look(x + 128));
        int64_t entry = (x + 32768) >> 7, rest = (x + 32768) & 127, first = look(entry);
        return Scalar::get(first * 128 + (look(entry + 1) - first) * rest);
      })
      .Case([&](IotaOp iota) {
        int64_t value = int64_t(iota.getStart()) + operands.origin;
        for (auto [index, step] : llvm::zip_equal(position, iota.getSteps()))
          value += index * step;
        return Scalar::get(value);
      })
      .Default([&](Operation *) {
        reader.fail("cannot be interpreted");
        return Scalar();
      });
}

/// Copies bytes, so that it takes every type.
static void runCopy(CopyOp copy, const Operands &operands, Reader &reader) {
  const View &source = operands.views.front();
  Memory &destination = *operands.views.back().memory;
  int64_t bytes = getElementBytes(source.elementType);
  SmallVector<uint8_t, 8> pad;
  if (copy.getPadValueAttr())
    pad = getBytes(copy.getPadValueAttr(), source.elementType);
  forEachPosition(operands.extents, [&](ArrayRef<int64_t> position) {
    std::optional<int64_t> from = reader.find(0, position), to = reader.findDestination(position);
    if (!to)
      return;
    if (!from && pad.empty())
      return reader.fail("reads its operand outside of its buffer");
    SmallVector<uint8_t, 8> value = pad;
    if (from) {
      if (llvm::Error missing = expectValue(copy, *source.memory, *from, bytes))
        reader.fail(llvm::toString(std::move(missing)));
      value.assign(source.memory->bytes.begin() + *from,
                   source.memory->bytes.begin() + *from + bytes);
    }
    writeBytes(destination, *to, value);
    reader.noteWritten(*to);
  });
}

/// As `npu.dma_gather`, on tensors.
static void runGather(GatherOp gather, const Operands &operands, Reader &reader) {
  const View &source = operands.views[0];
  Access access(source, gather.getIndexingMapsArray()[0]);
  int64_t bytes = getElementBytes(source.elementType);
  SmallVector<int64_t> origin(source.shape.size(), 0);
  forEachPosition(operands.extents, [&](ArrayRef<int64_t> position) {
    origin[gather.getDimension()] = reader.get(1, position).integer;
    std::optional<int64_t> from = access.find(position, origin),
                           to = reader.findDestination(position);
    if (!from)
      return reader.fail("has index " + Twine(origin[gather.getDimension()]) +
                         ", outside of its source");
    if (!to)
      return;
    writeBytes(*operands.views.back().memory, *to,
               ArrayRef(source.memory->bytes).slice(*from, bytes));
    reader.noteWritten(*to);
  });
}

llvm::Expected<std::vector<int64_t>> npu::interpreter::compute(NPUComputeOpInterface op,
                                                               const Operands &operands) {
  Reader reader(op, operands);
  llvm::TypeSwitch<Operation *>(op)
      .Case<MatmulOp, ConvOp>([&](auto) { runContraction(op, operands, reader); })
      .Case([&](CopyOp copy) { runCopy(copy, operands, reader); })
      .Case([&](GatherOp gather) { runGather(gather, operands, reader); })
      .Case<ReduceOp, PoolOp, ScanOp, ArgReduceOp, SortOp, ArgSortOp>(
          [&](auto) { runRows(op, operands, reader); })
      .Default([&](Operation *) {
        // Domain dimensions are the destination's.
        forEachPosition(operands.extents, [&](ArrayRef<int64_t> position) {
          reader.write(position, computeElement(op, reader, position, operands));
        });
      });
  return reader.finish();
}
