//===- VectorReductions.cpp - vpu.reduce, vpu.argreduce and vpu.scan ------===//

#include "Executor.h"
#include "NPU/Simulator/VectorKernels.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace llvm;
using namespace npu;
using namespace npu::sim;
using isa::BinaryKind;
using isa::ElementType;
using isa::ReduceKind;

static BinaryKind getCombination(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return BinaryKind::Add;
  case ReduceKind::Max:
    return BinaryKind::Max;
  case ReduceKind::Min:
    return BinaryKind::Min;
  case ReduceKind::Prod:
    return BinaryKind::Mul;
  case ReduceKind::And:
    return BinaryKind::And;
  case ReduceKind::Or:
    return BinaryKind::Or;
  case ReduceKind::Xor:
    return BinaryKind::Xor;
  }
  llvm_unreachable("unknown reduction");
}

/// The result of reducing nothing: for max and min the least or largest value of the operand's
/// type.
template <typename T>
static T getNeutral(ReduceKind kind, ElementType type) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return T(0);
  case ReduceKind::Prod:
    return T(1);
  case ReduceKind::And:
    return T(-1);
  case ReduceKind::Max:
  case ReduceKind::Min:
    break;
  }
  if constexpr (std::is_same_v<T, float>) {
    float infinity = std::numeric_limits<float>::infinity();
    return kind == ReduceKind::Max ? -infinity : infinity;
  } else {
    int64_t half = int64_t(1) << (isa::getByteSize(type) * 8 - 1);
    return kind == ReduceKind::Max ? T(-half) : T(half - 1);
  }
}

/// Reduces for many outputs at once: rows run along the longest kept dimension, and each output
/// still combines its elements in index order.
template <typename T>
void Executor::reduce(ReduceKind reduction, bool accumulates, const Extents &extents,
                      const Vector &dst, const Vector &a,
                      T (&buffers)[maxOperands][chunkElements]) {
  unsigned lane = 2;
  for (unsigned d : {1, 0})
    if (extents[d] > extents[lane])
      lane = d;
  unsigned outer = lane == 0 ? 1 : 0, inner = lane == 2 ? 1 : 2;
  BinaryKind kind = getCombination(reduction);
  T *sum = buffers[0], *next = buffers[1];
  for (int64_t i = 0; i < extents[outer]; ++i)
    for (int64_t j = 0; j < extents[inner]; ++j)
      for (int64_t l = 0; l < extents[lane]; l += chunkElements) {
        int64_t count = std::min(chunkElements, extents[lane] - l), k = 0;
        auto getOffset = [&](const Vector &v) {
          return i * v.strides[outer] + j * v.strides[inner] + l * v.strides[lane];
        };
        Row result = dst.getRow(getOffset(dst), dst.strides[lane]);
        if (accumulates)
          loadRow(result, count, sum);
        else if (extents[3] > 0)
          loadRow(a.getRow(getOffset(a) + k++ * a.strides[3], a.strides[lane]), count, sum);
        else
          std::fill_n(sum, count, getNeutral<T>(reduction, a.type));
        if (count > 1) {
          for (; k < extents[3]; ++k) {
            loadRow(a.getRow(getOffset(a) + k * a.strides[3], a.strides[lane]), count, next);
            runBinary(kind, sum, next, count, sum);
          }
        } else {
          while (k < extents[3]) {
            int64_t part = std::min(chunkElements, extents[3] - k);
            loadRow(a.getRow(getOffset(a) + k * a.strides[3], a.strides[3]), part, next);
            for (int64_t e = 0; e < part; ++e)
              runBinary(kind, sum, next + e, 1, sum);
            k += part;
          }
        }
        storeRow(result, count, sum);
      }
}

Expected<Effect> Executor::visit(const isa::VpuReduce &instruction) {
  bool isFloat = isa::isFloat(instruction.a.type);
  Expected<Extents> extents = evaluate(instruction.shape);
  if (!extents)
    return extents.takeError();
  Extents kept = {(*extents)[0], (*extents)[1], (*extents)[2], 1};
  if (is_contained(kept, 0))
    return Effect();
  Vector dst = evaluate(instruction.dst), a = evaluate(instruction.a);
  const isa::Reduction &reduction = instruction.reduction;
  bool accumulates = isAccumulating(reduction.mode, reduction.counters);
  if (accumulates)
    if (Error error = tracker.read(*dst.memory, dst.getBox(kept), /*isOverwritten=*/true))
      return std::move(error);
  if (Error error = claim(*extents, dst, {a}, kept))
    return std::move(error);
  Effect effect = isa::isSerial(reduction.kind, instruction.a.type) ? makeSerialEffect(*extents)
                                                                    : makeVectorEffect(*extents);
  if (!hasData)
    return effect;
  if (isFloat)
    reduce(reduction.kind, accumulates, *extents, dst, a, floats);
  else
    reduce(reduction.kind, accumulates, *extents, dst, a, integers);
  return effect;
}

/// Common to what goes along whole rows: `compute` gets the rows of both operands, and a buffer of
/// the computing type. A scan writes a whole row, one step after the other; others one element.
template <typename Function>
Expected<Effect> Executor::alongRows(const isa::Shape &shape, const isa::VectorOperand &dstOperand,
                                     const isa::VectorOperand &aOperand, bool isScan,
                                     Function compute) {
  Expected<Extents> extents = evaluate(shape);
  if (!extents)
    return extents.takeError();
  if (is_contained(*extents, 0))
    return Effect();
  auto [size0, size1, size2, length] = *extents;
  Vector dst = evaluate(dstOperand), a = evaluate(aOperand);
  if (Error error = claim(*extents, dst, {a}, {size0, size1, size2, isScan ? length : 1}))
    return std::move(error);
  Effect effect = isScan ? makeSerialEffect(*extents) : makeVectorEffect(*extents);
  if (!hasData)
    return effect;
  for (int64_t i = 0; i < size0; ++i)
    for (int64_t j = 0; j < size1; ++j)
      for (int64_t k = 0; k < size2; ++k) {
        auto getRow = [&](const Vector &v) {
          return v.getRow(i * v.strides[0] + j * v.strides[1] + k * v.strides[2], v.strides[3]);
        };
        if (isa::isFloat(a.type))
          compute(getRow(dst), getRow(a), length, floats[0]);
        else
          compute(getRow(dst), getRow(a), length, integers[0]);
      }
  return effect;
}

/// Calls `visit` for parts of a row that fit the buffer, with the part's first index and length.
template <typename T, typename Function>
void Executor::visitParts(const Row &a, int64_t length, T *buffer, Function visit) {
  for (int64_t first = 0; first < length; first += chunkElements) {
    int64_t count = std::min(chunkElements, length - first);
    loadRow(a.dropFront(first), count, buffer);
    visit(first, count);
  }
}

/// Whether `x` takes the place of the extreme so far. Nothing is beyond a NaN.
template <typename T>
static bool isBeyond(isa::ArgReduceKind kind, T x, T extreme) {
  if (extreme != extreme)
    return false;
  return x != x || (kind == isa::ArgReduceKind::Argmax ? x > extreme : x < extreme);
}

Expected<Effect> Executor::visit(const isa::VpuArgReduce &instruction) {
  return alongRows(instruction.shape, instruction.dst, instruction.a, /*isScan=*/false,
                   [&](const Row &dst, const Row &a, int64_t length, auto *buffer) {
                     int32_t index = 0;
                     std::remove_reference_t<decltype(*buffer)> extreme = 0;
                     visitParts(a, length, buffer, [&](int64_t first, int64_t count) {
                       for (int64_t e = 0; e < count; ++e)
                         if (first + e == 0 || isBeyond(instruction.op.kind, buffer[e], extreme)) {
                           extreme = buffer[e];
                           index = int32_t(first + e);
                         }
                     });
                     storeRow(dst, 1, &index);
                   });
}

Expected<Effect> Executor::visit(const isa::VpuScan &instruction) {
  BinaryKind combination = getCombination(instruction.op.kind);
  return alongRows(instruction.shape, instruction.dst, instruction.a, /*isScan=*/true,
                   [&](const Row &dst, const Row &a, int64_t length, auto *buffer) {
                     std::remove_reference_t<decltype(*buffer)> state = 0;
                     visitParts(a, length, buffer, [&](int64_t first, int64_t count) {
                       for (int64_t e = 0; e < count; ++e) {
                         if (first + e == 0)
                           state = buffer[e];
                         else
                           runBinary(combination, &state, buffer + e, 1, &state);
                         buffer[e] = state;
                       }
                       storeRow(dst.dropFront(first), count, buffer);
                     });
                   });
}
