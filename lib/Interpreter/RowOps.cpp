//===- RowOps.cpp - reductions, scans and sorts ---------------------------===//

#include "RowOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace npu;
using namespace npu::interpreter;

/// Calls `body` with the first position of each row along `rowDims`, and then a function that gives
/// the following ones.
static void forEachRow(ArrayRef<int64_t> extents, ArrayRef<unsigned> rowDims,
                       llvm::function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> body) {
  SmallVector<int64_t> outer(extents), inner;
  for (unsigned dim : rowDims) {
    inner.push_back(extents[dim]);
    outer[dim] = 1;
  }
  forEachPosition(outer, [&](ArrayRef<int64_t> position) { body(position, inner); });
}

/// `position` with the coordinates `along` of the dimensions `dims`.
static SmallVector<int64_t, 8> at(ArrayRef<int64_t> position, ArrayRef<unsigned> dims,
                                  ArrayRef<int64_t> along) {
  SmallVector<int64_t, 8> result(position);
  for (auto [dim, value] : llvm::zip_equal(dims, along))
    result[dim] = value;
  return result;
}

static SmallVector<unsigned> getReducedDims(NPUComputeOpInterface op) {
  SmallVector<unsigned> dims;
  for (auto [dim, type] : llvm::enumerate(op.getIteratorTypes()))
    if (type == utils::IteratorType::reduction)
      dims.push_back(dim);
  return dims;
}

/// What reducing nothing gives.
static Scalar getNeutral(isa::ReduceKind kind, isa::ElementType type) {
  bool isFloat = isa::isFloat(type);
  auto make = [&](int64_t value) {
    return isFloat ? Scalar::get(float(value)) : Scalar::get(value);
  };
  switch (kind) {
  case isa::ReduceKind::Sum:
  case isa::ReduceKind::Or:
  case isa::ReduceKind::Xor:
    return make(0);
  case isa::ReduceKind::Prod:
    return make(1);
  case isa::ReduceKind::And:
    return make(-1);
  case isa::ReduceKind::Max:
  case isa::ReduceKind::Min:
    break;
  }
  bool isMax = kind == isa::ReduceKind::Max;
  if (isFloat) {
    float infinity = std::numeric_limits<float>::infinity();
    return Scalar::get(isMax ? -infinity : infinity);
  }
  int64_t half = int64_t(1) << (isa::getByteSize(type) * 8 - 1);
  return Scalar::get(isMax ? -half : half - 1);
}

/// A reduction, of windows if `pad` says what is read outside of the input: nothing, where it has
/// no value.
static void runReduction(NPUComputeOpInterface op, ReduceKind npuKind, bool mayReadOutside,
                         std::optional<Scalar> pad, const Operands &operands, Reader &reader) {
  isa::ReduceKind kind = getISAKind(npuKind);
  isa::BinaryKind combination = getCombination(kind);
  SmallVector<unsigned> dims = getReducedDims(op);
  forEachRow(operands.extents, dims, [&](ArrayRef<int64_t> first, ArrayRef<int64_t> lengths) {
    std::optional<Scalar> sum;
    if (operands.accumulates)
      sum = reader.get(1, first);
    forEachPosition(lengths, [&](ArrayRef<int64_t> along) {
      SmallVector<int64_t, 8> position = at(first, dims, along);
      std::optional<Scalar> next =
          mayReadOutside ? reader.read(0, position) : std::optional(reader.get(0, position));
      if (!next)
        next = pad;
      if (next)
        sum = sum ? combine(combination, *sum, *next) : *next;
    });
    reader.write(first, sum.value_or(getNeutral(kind, reader.getType(0))));
  });
}

static void runScan(ScanOp scan, const Operands &operands, Reader &reader) {
  isa::BinaryKind combination = getCombination(getISAKind(scan.getKind()));
  unsigned dim = scan.getDimension();
  forEachRow(operands.extents, dim, [&](ArrayRef<int64_t> first, ArrayRef<int64_t> lengths) {
    Scalar state;
    for (int64_t i = 0; i < lengths.front(); ++i) {
      SmallVector<int64_t, 8> position = at(first, dim, i);
      Scalar next = reader.get(0, position);
      state = i == 0 ? next : combine(combination, state, next);
      reader.write(position, state);
    }
  });
}

static void runArgReduce(ArgReduceOp op, const Operands &operands, Reader &reader) {
  unsigned dim = op.getDimension();
  bool isMax = op.getKind() == ArgReduceKind::Argmax;
  auto isBeyond = [&](Scalar a, Scalar b) {
    if (!a.isFloat)
      return isMax ? a.integer > b.integer : a.integer < b.integer;
    if (std::isnan(b.real))
      return false;
    return std::isnan(a.real) || (isMax ? a.real > b.real : a.real < b.real);
  };
  forEachRow(operands.extents, dim, [&](ArrayRef<int64_t> first, ArrayRef<int64_t> lengths) {
    Scalar extreme;
    int64_t index = 0;
    for (int64_t i = 0; i < lengths.front(); ++i) {
      Scalar next = reader.get(0, at(first, dim, i));
      if (i == 0 || isBeyond(next, extreme)) {
        extreme = next;
        index = i;
      }
    }
    reader.write(first, Scalar::get(index));
  });
}

/// `getsPositions`: of the elements rather than they themselves. Zeros are then equal.
static void runSort(NPUComputeOpInterface op, unsigned rowDim, unsigned placeDim, bool isAscending,
                    bool getsPositions, const Operands &operands, Reader &reader) {
  auto isBefore = [&](Scalar a, Scalar b) {
    if (!a.isFloat)
      return isAscending ? a.integer < b.integer : a.integer > b.integer;
    if (std::isnan(a.real) || std::isnan(b.real))
      return !std::isnan(a.real) && std::isnan(b.real);
    if (a.real == b.real && !getsPositions)
      return isAscending ? std::signbit(a.real) && !std::signbit(b.real)
                         : !std::signbit(a.real) && std::signbit(b.real);
    return isAscending ? a.real < b.real : a.real > b.real;
  };
  SmallVector<unsigned> dims = {rowDim, placeDim};
  forEachRow(operands.extents, dims, [&](ArrayRef<int64_t> first, ArrayRef<int64_t> lengths) {
    std::vector<Scalar> row;
    for (int64_t i = 0; i < lengths[0]; ++i)
      row.push_back(reader.get(0, at(first, dims, {i, 0})));
    std::vector<int64_t> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return isBefore(row[a], row[b]) || (!isBefore(row[b], row[a]) && a < b);
    });
    for (int64_t place = 0; place < lengths[1]; ++place)
      reader.write(at(first, dims, {0, place}),
                   getsPositions ? Scalar::get(order[place]) : row[order[place]]);
  });
}

void npu::interpreter::runRows(NPUComputeOpInterface op, const Operands &operands, Reader &reader) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ReduceOp reduce) {
        runReduction(op, reduce.getKind(), /*mayReadOutside=*/false, std::nullopt, operands,
                     reader);
      })
      .Case([&](PoolOp pool) {
        std::optional<Scalar> pad;
        if (pool.getPadValueAttr())
          pad = getScalar(pool.getPadValueAttr());
        runReduction(op, pool.getKind(), !op.hasBufferForm(), pad, operands, reader);
      })
      .Case([&](ScanOp scan) { runScan(scan, operands, reader); })
      .Case([&](ArgReduceOp reduce) { runArgReduce(reduce, operands, reader); })
      .Case<SortOp, ArgSortOp>([&](auto sort) {
        runSort(op, sort.getRowDim(), sort.getPlaceDim(), sort.getKind() == SortOrder::Ascending,
                llvm::isa<ArgSortOp>(op), operands, reader);
      });
}
