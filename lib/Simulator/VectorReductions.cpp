//===- VectorReductions.cpp - vpu.reduce, vpu.argreduce and vpu.scan ------===//

#include "Executor.h"
#include "VectorKernels.h"

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

/// Whether `x` takes the place of the extreme so far. Nothing is beyond a NaN.
template <typename T>
static bool isBeyond(isa::ArgReduceKind kind, T x, T extreme) {
  if (extreme != extreme)
    return false;
  return x != x || (kind == isa::ArgReduceKind::Argmax ? x > extreme : x < extreme);
}

template <typename T>
void Executor::argReduce(isa::ArgReduceKind kind, const Extents &extents, const Vector &dst,
                         const Vector &a, T (&buffers)[maxOperands][chunkElements]) {
  for (int64_t i = 0; i < extents[0]; ++i)
    for (int64_t j = 0; j < extents[1]; ++j)
      for (int64_t k = 0; k < extents[2]; ++k) {
        auto getOffset = [&](const Vector &v) {
          return i * v.strides[0] + j * v.strides[1] + k * v.strides[2];
        };
        int32_t index = 0;
        T extreme = T();
        for (int64_t l = 0; l < extents[3]; l += chunkElements) {
          int64_t count = std::min(chunkElements, extents[3] - l);
          loadRow(a.getRow(getOffset(a) + l * a.strides[3], a.strides[3]), count, buffers[1]);
          for (int64_t e = 0; e < count; ++e)
            if (l + e == 0 || isBeyond(kind, buffers[1][e], extreme)) {
              extreme = buffers[1][e];
              index = int32_t(l + e);
            }
        }
        storeRow(dst.getRow(getOffset(dst), 0), 1, &index);
      }
}

Expected<Effect> Executor::visit(const isa::VpuArgReduce &instruction) {
  Expected<Extents> extents = evaluate(instruction.shape);
  if (!extents)
    return extents.takeError();
  if (is_contained(*extents, 0))
    return Effect();
  Vector dst = evaluate(instruction.dst), a = evaluate(instruction.a);
  if (Error error = claim(*extents, dst, {a}, {(*extents)[0], (*extents)[1], (*extents)[2], 1}))
    return std::move(error);
  if (!hasData)
    return makeVectorEffect(*extents);
  if (isa::isFloat(instruction.a.type))
    argReduce(instruction.op.kind, *extents, dst, a, floats);
  else
    argReduce(instruction.op.kind, *extents, dst, a, integers);
  return makeVectorEffect(*extents);
}

template <typename T>
void Executor::scan(isa::ReduceKind kind, const Extents &extents, const Vector &dst,
                    const Vector &a, T (&buffers)[maxOperands][chunkElements]) {
  BinaryKind combination = getCombination(kind);
  for (int64_t i = 0; i < extents[0]; ++i)
    for (int64_t j = 0; j < extents[1]; ++j)
      for (int64_t k = 0; k < extents[2]; ++k) {
        auto getOffset = [&](const Vector &v, int64_t l) {
          return i * v.strides[0] + j * v.strides[1] + k * v.strides[2] + l * v.strides[3];
        };
        T state = T();
        for (int64_t l = 0; l < extents[3]; l += chunkElements) {
          int64_t count = std::min(chunkElements, extents[3] - l);
          T *row = buffers[1];
          loadRow(a.getRow(getOffset(a, l), a.strides[3]), count, row);
          for (int64_t e = 0; e < count; ++e) {
            if (l + e == 0)
              state = row[e];
            else
              runBinary(combination, &state, row + e, 1, &state);
            row[e] = state;
          }
          storeRow(dst.getRow(getOffset(dst, l), dst.strides[3]), count, row);
        }
      }
}

Expected<Effect> Executor::visit(const isa::VpuScan &instruction) {
  Expected<Extents> extents = evaluate(instruction.shape);
  if (!extents)
    return extents.takeError();
  if (is_contained(*extents, 0))
    return Effect();
  Vector dst = evaluate(instruction.dst), a = evaluate(instruction.a);
  if (Error error = claim(*extents, dst, {a}, *extents))
    return std::move(error);
  Effect effect = makeSerialEffect(*extents);
  if (!hasData)
    return effect;
  if (isa::isFloat(instruction.a.type))
    scan(instruction.op.kind, *extents, dst, a, floats);
  else
    scan(instruction.op.kind, *extents, dst, a, integers);
  return effect;
}
