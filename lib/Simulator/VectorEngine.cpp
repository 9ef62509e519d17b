//===- VectorEngine.cpp - operands of the vector unit and their rows ------===//
//
// An operation is checked as a whole, then computed row by row in the computing type.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

Box Executor::Vector::getBox(const Executor::Extents &extents) const {
  Box box{base, isa::getByteSize(type), {}};
  for (auto [stride, extent] : llvm::zip(strides, extents))
    box.dims.push_back({stride, extent});
  return box;
}

Expected<Executor::Extents> Executor::evaluate(const isa::Shape &shape) const {
  Extents extents = {evaluate(shape.d0), evaluate(shape.d1), evaluate(shape.d2),
                     evaluate(shape.d3)};
  // A reduction of nothing still writes its results.
  Expected<int64_t> work = countWork(
      {extents[0], extents[1], extents[2], std::max<int64_t>(extents[3], 1)}, target.vpuLanes);
  if (!work)
    return work.takeError();
  return extents;
}

Executor::Vector Executor::evaluate(const isa::VectorOperand &operand) {
  return {&getMemory(operand.at.space),
          isa::evaluate(operand.at, counters),
          {operand.stride0, operand.stride1, operand.stride2, operand.stride3},
          operand.type};
}

Effect Executor::makeVectorEffect(const Extents &extents) const {
  Effect effect;
  effect.elements = extents[0] * extents[1] * extents[2] * std::max<int64_t>(extents[3], 1);
  effect.cycles = isa::getVectorCycles(target, effect.elements, passes);
  return effect;
}

Effect Executor::makeSerialEffect(const Extents &extents) const {
  Effect effect = makeVectorEffect(extents);
  int64_t length = std::max<int64_t>(extents[3], 1);
  effect.cycles = isa::getSerialCycles(target, effect.elements / length, length, passes);
  return effect;
}

/// An operand that may share its bytes with the destination: each element is read before the same
/// bytes are written, and by no other element.
template <typename Vector, typename Extents>
static bool isSameBox(const Vector &a, const Vector &b, const Extents &extents) {
  if (a.memory != b.memory || a.base != b.base ||
      isa::getByteSize(a.type) != isa::getByteSize(b.type))
    return false;
  for (unsigned d = 0; d < isa::maxVectorDims; ++d)
    if (extents[d] > 1 && a.strides[d] != b.strides[d])
      return false;
  return true;
}

Error Executor::claim(const Extents &extents, const Vector &dst, ArrayRef<Vector> sources,
                      const Extents &dstExtents) {
  for (const Vector &source : sources)
    if (Error error = tracker.read(*source.memory, source.getBox(extents),
                                   dstExtents == extents && isSameBox(source, dst, extents)))
      return error;
  return tracker.write(*dst.memory, dst.getBox(dstExtents));
}

Expected<Effect> Executor::elementwise(const Extents &extents, const isa::VectorOperand &dst,
                                       ArrayRef<const isa::VectorOperand *> sources,
                                       RowFunction function) {
  if (is_contained(extents, 0))
    return Effect();
  SmallVector<Vector, maxOperands> operands = {evaluate(dst)};
  for (const isa::VectorOperand *source : sources)
    operands.push_back(evaluate(*source));
  if (Error error = claim(extents, operands[0], ArrayRef(operands).drop_front(), extents))
    return std::move(error);
  if (!hasData)
    return makeVectorEffect(extents);

  // Joins dimensions that every operand walks as one, and makes the longest one the row: the order
  // of independent elements does not matter.
  struct Dim {
    int64_t count;
    std::array<int64_t, maxOperands> strides;
  };
  SmallVector<Dim, isa::maxVectorDims> dims;
  for (unsigned d = 0; d < isa::maxVectorDims; ++d) {
    if (extents[d] == 1)
      continue;
    Dim dim{extents[d], {}};
    bool joins = !dims.empty();
    for (auto [i, operand] : llvm::enumerate(operands)) {
      dim.strides[i] = operand.strides[d];
      joins = joins && dims.back().strides[i] == dim.strides[i] * dim.count;
    }
    if (joins)
      dim.count *= dims.pop_back_val().count;
    dims.push_back(dim);
  }
  while (dims.size() < isa::maxVectorDims)
    dims.insert(dims.begin(), Dim{1, {}});
  if (dims[3].count < 16)
    std::swap(dims[3], *llvm::max_element(
                           dims, [](const Dim &a, const Dim &b) { return a.count < b.count; }));

  SmallVector<Row, maxOperands> rows(operands.size());
  for (int64_t i = 0; i < dims[0].count; ++i)
    for (int64_t j = 0; j < dims[1].count; ++j)
      for (int64_t k = 0; k < dims[2].count; ++k)
        for (int64_t l = 0; l < dims[3].count; l += chunkElements) {
          for (auto [o, operand] : llvm::enumerate(operands))
            rows[o] = operand.getRow(i * dims[0].strides[o] + j * dims[1].strides[o] +
                                         k * dims[2].strides[o] + l * dims[3].strides[o],
                                     dims[3].strides[o]);
          if (Error error = function(rows, std::min(chunkElements, dims[3].count - l)))
            return std::move(error);
        }
  return makeVectorEffect(extents);
}

Expected<const uint8_t *> Executor::getTable(const isa::Address &address, int64_t entries,
                                             int64_t elementBytes) {
  Memory &memory = getMemory(address.space);
  int64_t base = isa::evaluate(address, counters);
  if (Error error = tracker.read(memory, {base, elementBytes, {{elementBytes, entries}}}))
    return std::move(error);
  return memory.at(base);
}
