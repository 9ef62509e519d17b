//===- VectorInstructions.cpp - element-wise vector instructions ----------===//

#include "Executor.h"
#include "NPU/Simulator/VectorKernels.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace npu;
using namespace npu::sim;
using isa::ElementType;
using isa::VectorOperand;

Expected<Effect> Executor::visit(const isa::VpuFill &fill) {
  Expected<Extents> extents = evaluate(fill.shape);
  if (!extents)
    return extents.takeError();
  bool isFloat = isa::isFloat(fill.dst.type);
  std::fill_n(integers[0], chunkElements, int32_t(fill.value.bits));
  std::fill_n(floats[0], chunkElements, fromBits(fill.value.bits));
  return elementwise(*extents, fill.dst, {}, [&](ArrayRef<Row> rows, int64_t count) {
    if (isFloat)
      storeRow(rows[0], count, floats[0]);
    else
      storeRow(rows[0], count, integers[0]);
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuIota &iota) {
  Expected<Extents> extents = evaluate(iota.shape);
  if (!extents)
    return extents.takeError();
  if (is_contained(*extents, 0))
    return Effect();
  Vector dst = evaluate(iota.dst);
  if (Error error = claim(*extents, dst, {}, *extents))
    return std::move(error);
  Effect effect = makeVectorEffect(*extents);
  if (!hasData)
    return effect;
  // Unsigned, which wraps.
  const isa::Positions &values = iota.values;
  auto start = uint32_t(values.start.evaluate(counters));
  auto [size0, size1, size2, length] = *extents;
  for (int64_t i = 0; i < size0; ++i)
    for (int64_t j = 0; j < size1; ++j)
      for (int64_t k = 0; k < size2; ++k) {
        uint32_t first = start + uint32_t(i) * uint32_t(values.step0) +
                         uint32_t(j) * uint32_t(values.step1) +
                         uint32_t(k) * uint32_t(values.step2);
        Row row = dst.getRow(i * dst.strides[0] + j * dst.strides[1] + k * dst.strides[2],
                             dst.strides[3]);
        for (int64_t l = 0; l < length; l += chunkElements) {
          int64_t count = std::min(chunkElements, length - l);
          for (int64_t e = 0; e < count; ++e)
            integers[0][e] = int32_t(first + uint32_t(l + e) * uint32_t(values.step3));
          storeRow(row.dropFront(l), count, integers[0]);
        }
      }
  return effect;
}

Expected<Effect> Executor::visit(const isa::VpuUnary &unary) {
  bool isFloat = isa::isFloat(unary.a.type);
  Expected<Extents> extents = evaluate(unary.shape);
  if (!extents)
    return extents.takeError();
  return elementwise(*extents, unary.dst, {&unary.a}, [&](ArrayRef<Row> rows, int64_t count) {
    if (isFloat) {
      loadRow(rows[1], count, floats[1]);
      runUnary(unary.op.kind, floats[1], count, floats[0]);
      storeRow(rows[0], count, floats[0]);
    } else {
      loadRow(rows[1], count, integers[1]);
      runUnary(unary.op.kind, integers[1], count, integers[0]);
      storeRow(rows[0], count, integers[0]);
    }
    return Error::success();
  });
}

Expected<Effect> Executor::binary(const isa::Shape &shape, const VectorOperand &dst,
                                  const VectorOperand &a, const VectorOperand *b,
                                  isa::BinaryKind kind, uint32_t immediate) {
  bool isFloat = isa::isFloat(a.type), compares = isa::getCase(kind).isComparison;
  Expected<Extents> extents = evaluate(shape);
  if (!extents)
    return extents.takeError();

  SmallVector<const VectorOperand *, 2> sources = {&a};
  if (b)
    sources.push_back(b);
  std::fill_n(integers[2], chunkElements, int32_t(immediate));
  std::fill_n(floats[2], chunkElements, fromBits(immediate));
  return elementwise(*extents, dst, sources, [&](ArrayRef<Row> rows, int64_t count) {
    if (!isFloat) {
      loadRow(rows[1], count, integers[1]);
      if (b)
        loadRow(rows[2], count, integers[2]);
      if (compares)
        runComparison(kind, integers[1], integers[2], count, integers[0]);
      else
        runBinary(kind, integers[1], integers[2], count, integers[0]);
      storeRow(rows[0], count, integers[0]);
      return Error::success();
    }
    loadRow(rows[1], count, floats[1]);
    if (b)
      loadRow(rows[2], count, floats[2]);
    if (compares) {
      runComparison(kind, floats[1], floats[2], count, integers[0]);
      storeRow(rows[0], count, integers[0]);
    } else {
      runBinary(kind, floats[1], floats[2], count, floats[0]);
      storeRow(rows[0], count, floats[0]);
    }
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuBinary &op) {
  return binary(op.shape, op.dst, op.a, &op.b, op.op.kind, 0);
}

Expected<Effect> Executor::visit(const isa::VpuBinaryImm &op) {
  return binary(op.shape, op.dst, op.a, nullptr, op.op.kind, op.op.immediate);
}

Expected<Effect> Executor::visit(const isa::VpuSelect &select) {
  bool isFloat = isa::isFloat(select.dst.type);
  Expected<Extents> extents = evaluate(select.shape);
  if (!extents)
    return extents.takeError();
  auto choose = [&](ArrayRef<Row> rows, int64_t count, auto &buffers) {
    loadRow(rows[1], count, integers[1]);
    loadRow(rows[2], count, buffers[2]);
    loadRow(rows[3], count, buffers[3]);
    for (int64_t i = 0; i < count; ++i)
      buffers[0][i] = integers[1][i] != 0 ? buffers[2][i] : buffers[3][i];
    storeRow(rows[0], count, buffers[0]);
  };
  return elementwise(*extents, select.dst, {&select.condition, &select.a, &select.b},
                     [&](ArrayRef<Row> rows, int64_t count) {
                       if (isFloat)
                         choose(rows, count, floats);
                       else
                         choose(rows, count, integers);
                       return Error::success();
                     });
}

Expected<Effect> Executor::visit(const isa::VpuClamp &clamp) {
  bool isFloat = isa::isFloat(clamp.a.type);
  Expected<Extents> extents = evaluate(clamp.shape);
  if (!extents)
    return extents.takeError();
  std::fill_n(integers[2], chunkElements, int32_t(clamp.bounds.low));
  std::fill_n(integers[3], chunkElements, int32_t(clamp.bounds.high));
  std::fill_n(floats[2], chunkElements, fromBits(clamp.bounds.low));
  std::fill_n(floats[3], chunkElements, fromBits(clamp.bounds.high));
  auto bound = [](ArrayRef<Row> rows, int64_t count, auto &buffers) {
    loadRow(rows[1], count, buffers[1]);
    runBinary(isa::BinaryKind::Max, buffers[1], buffers[2], count, buffers[0]);
    runBinary(isa::BinaryKind::Min, buffers[0], buffers[3], count, buffers[0]);
    storeRow(rows[0], count, buffers[0]);
  };
  return elementwise(*extents, clamp.dst, {&clamp.a}, [&](ArrayRef<Row> rows, int64_t count) {
    if (isFloat)
      bound(rows, count, floats);
    else
      bound(rows, count, integers);
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuCast &cast) {
  Expected<Extents> extents = evaluate(cast.shape);
  if (!extents)
    return extents.takeError();
  bool toFloats = isa::isFloat(cast.dst.type), fromFloats = isa::isFloat(cast.a.type);
  int64_t mask = maskTrailingOnes<uint64_t>(isa::getByteSize(cast.a.type) * 8);
  int64_t low = minIntN(isa::getByteSize(cast.dst.type) * 8);
  int64_t high = maxIntN(isa::getByteSize(cast.dst.type) * 8);
  auto widenInteger = [&](int32_t value) {
    return cast.mode.unsigned_source ? int64_t(value) & mask : int64_t(value);
  };
  return elementwise(*extents, cast.dst, {&cast.a}, [&](ArrayRef<Row> rows, int64_t count) {
    if (fromFloats)
      loadRow(rows[1], count, floats[1]);
    else
      loadRow(rows[1], count, integers[1]);
    for (int64_t i = 0; i < count; ++i) {
      if (fromFloats && toFloats)
        floats[0][i] = floats[1][i];
      else if (fromFloats)
        integers[0][i] = toInteger(floats[1][i], cast.mode.rounding, low, high);
      else if (toFloats)
        floats[0][i] = toFloat(widenInteger(integers[1][i]), cast.dst.type);
      else if (cast.mode.saturate)
        integers[0][i] = std::clamp(widenInteger(integers[1][i]), low, high);
      else
        integers[0][i] = int32_t(widenInteger(integers[1][i]));
    }
    if (toFloats)
      storeRow(rows[0], count, floats[0]);
    else
      storeRow(rows[0], count, integers[0]);
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuTable8 &look) {
  if (Error error = requireSpace(look.table, isa::MemorySpace::Sram, "table"))
    return std::move(error);
  Expected<Extents> extents = evaluate(look.shape);
  if (!extents)
    return extents.takeError();
  if (is_contained(*extents, 0))
    return Effect();
  Expected<const uint8_t *> table =
      getTable(look.table, look.tableEntries, isa::getByteSize(look.tableType));
  if (!table)
    return table.takeError();
  return elementwise(*extents, look.dst, {&look.a}, [&](ArrayRef<Row> rows, int64_t count) {
    loadRow(rows[1], count, integers[1]);
    for (int64_t i = 0; i < count; ++i)
      integers[0][i] = int8_t((*table)[integers[1][i] + 128]);
    storeRow(rows[0], count, integers[0]);
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuTable16 &look) {
  if (Error error = requireSpace(look.table, isa::MemorySpace::Sram, "table"))
    return std::move(error);
  Expected<Extents> extents = evaluate(look.shape);
  if (!extents)
    return extents.takeError();
  if (is_contained(*extents, 0))
    return Effect();
  Expected<const uint8_t *> table =
      getTable(look.table, look.tableEntries, isa::getByteSize(look.tableType));
  if (!table)
    return table.takeError();
  return elementwise(*extents, look.dst, {&look.a}, [&](ArrayRef<Row> rows, int64_t count) {
    loadRow(rows[1], count, integers[1]);
    for (int64_t i = 0; i < count; ++i) {
      int32_t x = integers[1][i] + 32768, index = x >> 7, rest = x & 127;
      int32_t first = load<int16_t>(*table + 2 * index);
      int32_t second = load<int16_t>(*table + 2 * index + 2);
      integers[0][i] = first * 128 + (second - first) * rest;
    }
    storeRow(rows[0], count, integers[0]);
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuRescale &rescale) {
  Expected<Extents> extents = evaluate(rescale.shape);
  if (!extents)
    return extents.takeError();
  int64_t low = minIntN(isa::getByteSize(rescale.dst.type) * 8);
  int64_t high = maxIntN(isa::getByteSize(rescale.dst.type) * 8);
  int64_t lower = rescale.op.bounded ? rescale.op.low : low;
  int64_t upper = rescale.op.bounded ? rescale.op.high : high;
  return elementwise(
      *extents, rescale.dst, {&rescale.a, &rescale.multiplier, &rescale.shift},
      [&](ArrayRef<Row> rows, int64_t count) -> Error {
        for (unsigned operand = 1; operand < 4; ++operand)
          loadRow(rows[operand], count, integers[operand]);
        for (int64_t i = 0; i < count; ++i) {
          int64_t value = int64_t(integers[1][i]) - rescale.op.input_zero;
          int32_t shift = integers[3][i];
          if (shift < 2 || shift > 62)
            return makeTrap(TrapKind::BadOperand,
                            formatv("operand 'shift' must lie in 2..62, found {0}", shift));
          int64_t round = int64_t(1) << (shift - 1);
          if (rescale.op.double_round && shift > 31)
            round += value >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
          // |value| < 2^31 + 2^16, so that the sum stays below 2^63.
          int64_t scaled = (value * integers[2][i] + round) >> shift;
          int64_t bounded = std::min(std::max(scaled + rescale.op.output_zero, lower), upper);
          integers[0][i] = std::clamp(bounded, low, high);
        }
        storeRow(rows[0], count, integers[0]);
        return Error::success();
      });
}

Expected<Effect> Executor::requant(const isa::Shape &shape, const VectorOperand &dst,
                                   const VectorOperand &a, const VectorOperand *scale,
                                   const isa::RequantOp &op, float immediate) {
  Expected<Extents> extents = evaluate(shape);
  if (!extents)
    return extents.takeError();
  SmallVector<const VectorOperand *, 2> sources = {&a};
  if (scale)
    sources.push_back(scale);
  std::fill_n(floats[2], chunkElements, immediate);
  return elementwise(*extents, dst, sources, [&](ArrayRef<Row> rows, int64_t count) {
    loadRow(rows[1], count, integers[1]);
    if (scale)
      loadRow(rows[2], count, floats[2]);
    for (int64_t i = 0; i < count; ++i) {
      float product = float(integers[1][i]) * floats[2][i];
      // Beyond 2^40 the bounds decide, whatever the zero point.
      constexpr double far = double(int64_t(1) << 40);
      int64_t value = op.low;
      if (product == product)
        value = int64_t(std::clamp(double(roundEven(product)), -far, far)) + op.zero;
      integers[0][i] = int32_t(std::min(std::max(value, op.low), op.high));
    }
    storeRow(rows[0], count, integers[0]);
    return Error::success();
  });
}

Expected<Effect> Executor::visit(const isa::VpuRequant &op) {
  return requant(op.shape, op.dst, op.a, &op.scale, op.op, 0);
}

Expected<Effect> Executor::visit(const isa::VpuRequantImm &op) {
  return requant(op.shape, op.dst, op.a, nullptr, op.op, op.scale.value);
}
