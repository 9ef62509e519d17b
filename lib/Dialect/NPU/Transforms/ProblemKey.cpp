//===- ProblemKey.cpp - keys under which tile problems are remembered -----===//

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "llvm/Support/raw_ostream.h"

using namespace npu::tile;

namespace {
/// Writes all that a problem consists of but names and functions. Structures are taken apart whole:
/// where one gets another field, this does not compile until the field is written or left out here.
class KeyWriter {
public:
  explicit KeyWriter(llvm::raw_ostream &os) : os(os) {}

  void add(int64_t value) { os << value << ' '; }
  template <typename T>
  void add(const std::optional<T> &value) {
    add(value.has_value());
    if (value)
      add(*value);
  }
  template <typename T, unsigned N>
  void add(const llvm::SmallVector<T, N> &values) {
    add(values.size());
    for (const T &value : values)
      add(value);
  }

  void add(const Term &term) {
    const auto &[dim, coefficient] = term;
    addAll(dim, coefficient);
  }
  void add(const Axis &axis) {
    const auto &[terms, offset, span, start, step, extent, strideBytes] = axis;
    addAll(terms, offset, span, start, step, extent, strideBytes);
  }
  void add(const Dim &dim) {
    const auto &[name, extent, role, isReduction, isUnit, mustBeInTile, isWhole, isReluctant,
                 granule, fixedTile] = dim;
    addAll(extent, static_cast<int64_t>(role), isReduction, isUnit, mustBeInTile, isWhole,
           isReluctant, granule, fixedTile);
  }
  void add(const Buffer &buffer) {
    const auto &[name, role, elementBytes, axes, order, panelColumns, hasPanelAxis, isPrivate,
                 isFromChip, isMade, madeFor] = buffer;
    addAll(static_cast<int64_t>(role), elementBytes, axes, order, panelColumns, hasPanelAxis,
           isPrivate, isFromChip, isMade, madeFor);
  }
  // Works of the same key take the same time.
  void add(const ArrayWork &work) {
    const auto &[key, cycles, rate] = work;
    os << key << ' ';
  }
  void add(const VectorWork &work) {
    const auto &[key, cycles] = work;
    os << key << ' ';
  }
  void add(const VectorOp &op) {
    const auto &[dims, passes, serialDims, transferBytes, isInReductions, work, madeFor, parts] =
        op;
    addAll(dims, passes, serialDims, transferBytes, isInReductions, work, madeFor, parts);
  }
  void add(const Store &store) {
    const auto &[buffer, axes, isLeftOut] = store;
    addAll(buffer, axes, isLeftOut);
  }
  void add(const ClusterSplit &split) {
    const auto &[dim, count] = split;
    addAll(dim, count);
  }
  void add(const Problem &problem) {
    const auto &[dims, buffers, vectorOps, stores, array, startsFromOperand, accumulatorIsStored,
                 fixedSplits, allowedSplits, isAlone, hidden] = problem;
    addAll(dims, buffers, vectorOps, stores, array, startsFromOperand, accumulatorIsStored,
           fixedSplits, allowedSplits, isAlone, hidden);
  }

private:
  template <typename... Fields>
  void addAll(const Fields &...fields) {
    (add(fields), ...);
  }

  llvm::raw_ostream &os;
};
} // namespace

std::string Problem::getKey() const {
  std::string key;
  llvm::raw_string_ostream os(key);
  KeyWriter(os).add(*this);
  return key;
}
