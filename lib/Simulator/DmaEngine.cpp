//===- DmaEngine.cpp - transfers of boxes ---------------------------------===//

#include "Executor.h"

#include "NPU/Simulator/Clones.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;
using namespace npu;
using namespace npu::sim;
using isa::BoxDimValue;

namespace npu::sim {
/// A transfer with everything evaluated.
struct BoxTransfer {
  SmallVector<BoxDimValue, isa::maxDmaDims> dims;
  int64_t chipBase = 0, dramBase = 0, elementBytes = 1;
  isa::DmaCost cost;
  bool isEmpty = false;     ///< no element at all
  bool hasInside = false;   ///< some coordinate may lie inside its window
  bool isAllInside = false; ///< every coordinate lies inside its window

  Box getChipBox() const {
    Box box{chipBase, elementBytes, {}};
    for (const BoxDimValue &dim : dims)
      box.dims.push_back({dim.chipStride, dim.extent});
    return box;
  }
};
} // namespace npu::sim

namespace {
/// Visits the elements inside the windows as rows along one dimension.
class Walk {
public:
  explicit Walk(const BoxTransfer &transfer);

  /// Calls `row(chip, dram, dim, count)` until it returns an error: `count` elements from these
  /// addresses, `dim`'s strides apart.
  template <typename Row>
  Error run(const Row &row) {
    return walk(0, transfer.chipBase, transfer.dramBase, row);
  }

  /// Bytes from a row in DRAM to one that is due soon, and which the host's CPU does not foresee;
  /// 0: it does.
  int64_t getBytesAhead() const;

private:
  /// The part of a dimension inside its window, and where it begins.
  struct Part {
    int64_t begin, end, chip, dram;
  };
  Part getPart(const BoxDimValue &dim, int64_t chip, int64_t dram) const;

  template <typename Row>
  Error walk(size_t level, int64_t chip, int64_t dram, const Row &row);

  const BoxTransfer &transfer;
  SmallVector<unsigned, isa::maxDmaDims>
      order; ///< dimensions, outermost first; outer ones before joined ones
  std::array<int64_t, 8> index = {};
  BoxDimValue single = {0, 0, 1, 0, 0, 1, 0, 0}; ///< the row of a box without dimensions
};
} // namespace

Walk::Walk(const BoxTransfer &transfer) : transfer(transfer) {
  ArrayRef<BoxDimValue> dims = transfer.dims;
  SmallVector<bool> isOuter(dims.size(), false);
  for (const BoxDimValue &dim : dims)
    if (dim.block != 0)
      isOuter[dim.outer] = true;
  // Rows run along the longest contiguous dimension that may come last.
  auto merit = [&](unsigned d) {
    bool isContiguous =
        dims[d].chipStride == transfer.elementBytes && dims[d].dramStride == transfer.elementBytes;
    return std::make_tuple(!isOuter[d], isContiguous && dims[d].extent > 1, dims[d].extent);
  };
  int last = -1;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!isOuter[d] && (last < 0 || merit(d) > merit(last)))
      last = d;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (int(d) != last)
      order.push_back(d);
  // The region is as large as a tensor, so neighbors in it come one after the other: the host's
  // caches hold what was just fetched.
  SmallVector<Int128> steps;
  for (const BoxDimValue &dim : dims)
    steps.push_back(std::abs(dim.dramStride));
  for (const BoxDimValue &dim : dims)
    if (dim.block != 0)
      steps[dim.outer] += Int128(dim.block) * std::abs(dim.dramStride);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_tuple(dims[a].block != 0, -steps[a], a) <
           std::make_tuple(dims[b].block != 0, -steps[b], b);
  });
  if (last >= 0)
    order.push_back(last);
}

int64_t Walk::getBytesAhead() const {
  constexpr int64_t enough = 512; // CPUs follow streams, but not across a page's end
  int64_t bytes = transfer.elementBytes;
  for (unsigned d : llvm::reverse(order)) {
    const BoxDimValue &dim = transfer.dims[d];
    if (bytes >= enough && dim.extent > 1)
      return std::abs(dim.dramStride) == bytes ? 0 : 2 * dim.dramStride;
    bytes *= dim.extent;
  }
  return 0;
}

Walk::Part Walk::getPart(const BoxDimValue &dim, int64_t chip, int64_t dram) const {
  int64_t origin = dim.origin + (dim.block ? dim.block * index[dim.outer] : 0);
  int64_t begin = std::max<int64_t>(0, dim.low - origin);
  int64_t end = std::min(dim.extent, dim.high - origin);
  // Where there is nothing, addresses may be too large to be computed.
  if (begin >= end)
    return {begin, end, chip, dram};
  return {begin, end, chip + begin * dim.chipStride, dram + (origin + begin) * dim.dramStride};
}

template <typename Row>
Error Walk::walk(size_t level, int64_t chip, int64_t dram, const Row &row) {
  if (order.empty())
    return row(chip, dram, single, 1);
  const BoxDimValue &dim = transfer.dims[order[level]];
  Part part = getPart(dim, chip, dram);
  if (part.begin >= part.end)
    return Error::success();
  if (level + 1 == order.size())
    return row(part.chip, part.dram, dim, part.end - part.begin);
  auto forEachStep = [&](auto body) -> Error {
    for (int64_t j = part.begin; j < part.end; ++j) {
      if (Error error = body(j))
        return error;
      part.chip += dim.chipStride;
      part.dram += dim.dramStride;
    }
    return Error::success();
  };
  if (level + 2 < order.size())
    return forEachStep([&](int64_t j) -> Error {
      index[order[level]] = j;
      return walk(level + 1, part.chip, part.dram, row);
    });
  // Rows are often short: no call for each.
  const BoxDimValue &inner = transfer.dims[order[level + 1]];
  return forEachStep([&](int64_t j) -> Error {
    index[order[level]] = j;
    Part inside = getPart(inner, part.chip, part.dram);
    if (inside.begin >= inside.end)
      return Error::success();
    return row(inside.chip, inside.dram, inner, inside.end - inside.begin);
  });
}

/// The first and the last coordinate of a dimension.
static std::pair<int64_t, int64_t> getCoordinates(const BoxDimValue &dim,
                                                  ArrayRef<BoxDimValue> dims) {
  int64_t last = dim.origin + dim.extent - 1;
  if (dim.block)
    last += dim.block * (dims[dim.outer].extent - 1);
  return {dim.origin, last};
}

template <typename Side>
Expected<BoxTransfer> Executor::prepare(const Side &side, const Memory &memory,
                                        const isa::Address &address, ArrayRef<isa::BoxDim> dims,
                                        const isa::IndexStrides *chosen) {
  BoxTransfer transfer;
  transfer.elementBytes = isa::getByteSize(side.type);
  transfer.chipBase = isa::evaluate(address, counters);
  transfer.dramBase = side.base.evaluate(counters);
  SmallVector<int64_t, 5> extents;
  for (const isa::BoxDim &dim : dims) {
    extents.push_back(evaluate(dim.extent));
    transfer.dims.push_back({dim.dram_stride, dim.chip_stride, extents.back(),
                             dim.origin.evaluate(counters), dim.low, dim.high, dim.block,
                             unsigned(dim.outer)});
  }
  Expected<int64_t> elements = countWork(extents, target.dmaElementsPerCycle);
  if (!elements)
    return elements.takeError();
  transfer.isEmpty = *elements == 0;
  if (transfer.isEmpty)
    return transfer;

  transfer.isAllInside = transfer.hasInside = true;
  for (const BoxDimValue &dim : transfer.dims) {
    auto [first, last] = getCoordinates(dim, transfer.dims);
    transfer.isAllInside &= first >= dim.low && last < dim.high;
    transfer.hasInside &= std::max(first, dim.low) <= std::min(last, dim.high - 1);
  }
  // Where a dimension lies outside its window nothing moves, however far the others reach.
  transfer.cost.chipElements = *elements;
  if (!transfer.hasInside)
    return transfer;

  // From here on every sum of products of these numbers fits 64 bits.
  constexpr int64_t most = int64_t(1) << 59;
  for (auto [number, dim] : llvm::enumerate(transfer.dims)) {
    auto [first, last] = getCoordinates(dim, transfer.dims);
    first = std::max(first, dim.low);
    last = std::min(last, dim.high - 1);
    Int128 stride = dim.dramStride < 0 ? -Int128(dim.dramStride) : dim.dramStride;
    if (stride * std::max(std::abs(first), std::abs(last)) > most)
      return makeTrap(TrapKind::OutOfBounds,
                      formatv("accesses coordinates {0} to {1} of dimension {2} with a stride of "
                              "{3} bytes, beyond the end of {4}",
                              first, last, number, dim.dramStride, memory.name));
  }
  if (chosen && Int128(chosen->rows) * chosen->row_bytes > most)
    return makeTrap(TrapKind::OutOfBounds,
                    formatv("chooses among {0} rows of {1} bytes, beyond the end of {2}",
                            chosen->rows, chosen->row_bytes, memory.name));
  if constexpr (std::is_same_v<Side, isa::SramSide>)
    return transfer;
  transfer.cost = chosen ? isa::getGatherCost(transfer.dims, *chosen, transfer.dramBase,
                                              transfer.elementBytes, target.dramBytesPerCycle)
                         : isa::getDmaCost(transfer.dims, transfer.dramBase, transfer.elementBytes,
                                           target.dramBytesPerCycle);
  if (transfer.cost.chargedBytes / target.dramBytesPerCycle > cycleLimit)
    return makeTrap(TrapKind::CycleLimit, formatv("moves {0} bytes, more than {1} cycles can",
                                                  transfer.cost.chargedBytes, cycleLimit));
  return transfer;
}

/// Of the host's caches.
static constexpr int64_t lineBytes = 64;

/// Copies elements of 1, 2 or 4 bytes between strided rows.
NPU_INLINE void copyRow(uint8_t *to, int64_t toStride, const uint8_t *from, int64_t fromStride,
                        int64_t count, int64_t elementBytes) {
  if (toStride == elementBytes && fromStride == elementBytes) {
    // Rows of panels are a few lines of the host's caches: too short for calls.
    int64_t bytes = count * elementBytes;
    if (bytes > 4 * lineBytes || bytes % lineBytes != 0)
      std::memcpy(to, from, bytes);
    else
      for (int64_t i = 0; i < bytes; i += lineBytes)
        std::memcpy(to + i, from + i, lineBytes);
    return;
  }
  auto copy = [&](auto zero) {
    for (int64_t i = 0; i < count; ++i)
      store(to + i * toStride, load<decltype(zero)>(from + i * fromStride));
  };
  if (elementBytes == 1)
    copy(uint8_t(0));
  else if (elementBytes == 2)
    copy(uint16_t(0));
  else
    copy(uint32_t(0));
}

/// Makes the host's caches fetch a row, which may lie anywhere.
NPU_INLINE void prefetch(uintptr_t begin, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += lineBytes)
    __builtin_prefetch(reinterpret_cast<const void *>(begin + i));
}

/// Fills a contiguous row with the low `elementBytes` bytes of `pattern`.
static void fillRow(uint8_t *to, int64_t bytes, int64_t elementBytes, uint32_t pattern) {
  uint8_t repeated[4];
  for (int64_t i = 0; i < 4; ++i)
    repeated[i] = pattern >> 8 * (i % elementBytes);
  if (llvm::all_equal(repeated)) {
    std::memset(to, repeated[0], bytes);
    return;
  }
  for (int64_t i = 0; i < bytes; ++i)
    to[i] = repeated[i % 4];
}

static Effect getTransferEffect(const BoxTransfer &transfer, bool isStore) {
  Effect effect;
  effect.isTransfer = !transfer.isEmpty;
  effect.isStore = isStore;
  effect.transfer = transfer.cost;
  return effect;
}

/// The indices of a dimension without a block whose coordinates lie inside its window.
static std::pair<int64_t, int64_t> getInside(const BoxDimValue &dim) {
  return {std::max<int64_t>(0, dim.low - dim.origin), std::min(dim.extent, dim.high - dim.origin)};
}

/// The elements inside the windows on the chip's side, where those are a box: no dimension is
/// joined to another.
static std::optional<Box> getChipInside(const BoxTransfer &transfer) {
  Box box = {transfer.chipBase, transfer.elementBytes, {}};
  for (const BoxDimValue &dim : transfer.dims) {
    if (dim.block != 0)
      return std::nullopt;
    auto [begin, end] = getInside(dim);
    box.base += begin * dim.chipStride;
    box.dims.push_back({dim.chipStride, end - begin});
  }
  return box;
}

/// The same on the side of DRAM, where joined dimensions whose blocks touch are one.
static std::optional<Box> getDramInside(const BoxTransfer &transfer) {
  Box box = {transfer.dramBase, transfer.elementBytes, {}};
  SmallVector<unsigned, isa::maxDmaDims> joined(transfer.dims.size(), 0);
  for (const BoxDimValue &dim : transfer.dims)
    if (dim.block != 0)
      ++joined[dim.outer];
  for (auto [d, dim] : llvm::enumerate(transfer.dims)) {
    if (joined[d] != 0) {
      if (joined[d] != 1 || dim.dramStride != 0)
        return std::nullopt;
      continue;
    }
    auto [begin, end] = getInside(dim);
    int64_t first = dim.origin + begin, behind = dim.origin + end;
    if (dim.block != 0) {
      auto [firstBlock, behindBlock] = getInside(transfer.dims[dim.outer]);
      first = std::max(dim.low, dim.origin + dim.block * firstBlock);
      behind = std::min(dim.high, dim.origin + dim.block * behindBlock);
      if (dim.block != dim.extent || first >= behind)
        return std::nullopt;
    }
    box.base += first * dim.dramStride;
    box.dims.push_back({dim.dramStride, behind - first});
  }
  return box;
}

/// Checks what a transfer reads: as a whole where that is a box, row by row otherwise.
static Error checkSource(Tracker &tracker, Memory &memory, const BoxTransfer &transfer) {
  if (std::optional<Box> box = getDramInside(transfer))
    return tracker.read(memory, *box);
  return Walk(transfer).run([&](int64_t, int64_t dram, const BoxDimValue &dim, int64_t count) {
    return tracker.read(memory, {dram, transfer.elementBytes, {{dim.dramStride, count}}});
  });
}

Error Executor::copyIn(Memory &region, const BoxTransfer &transfer) {
  Memory &sram = clusters[cluster].sram;
  if (Error error = checkSource(tracker, region, transfer))
    return error;
  Walk walk(transfer);
  int64_t ahead = walk.getBytesAhead();
  auto copy = [&](int64_t chip, int64_t dram, const BoxDimValue &dim, int64_t count)
                  __attribute__((always_inline)) -> Error {
    if (ahead != 0 && dim.dramStride == transfer.elementBytes)
      prefetch(uintptr_t(region.data) + dram + ahead, count * transfer.elementBytes);
    copyRow(sram.data + chip, dim.chipStride, region.data + dram, dim.dramStride, count,
            transfer.elementBytes);
    return Error::success();
  };
  return walk.run(copy);
}

template <typename Op>
Expected<Effect> Executor::receive(const Op &load, const BoxTransfer &transfer,
                                   function_ref<Error()> move) {
  if (load.flags.clusters >> target.clusters)
    return makeTrap(TrapKind::BadOperand, formatv("sends to clusters {0:x}, but the target has {1}",
                                                  load.flags.clusters, target.clusters));
  if (transfer.isEmpty)
    return Effect();
  if (!hasData)
    return getTransferEffect(transfer, /*isStore=*/false);

  Memory &sram = clusters[cluster].sram;
  unsigned receivers = load.flags.clusters & ~(1u << cluster);
  Box box = transfer.getChipBox();
  if (Error error = tracker.write(sram, box))
    return std::move(error);
  for (int64_t c = 0; c < target.clusters; ++c)
    if (receivers >> c & 1)
      if (Error error = tracker.write(clusters[c].sram, box))
        return std::move(error);

  Rows rows(box);
  if (!transfer.isAllInside)
    cantFail(forEachRow(rows, [&](int64_t begin) {
      fillRow(sram.data + begin, rows.bytes, transfer.elementBytes, load.flags.fill);
      return Error::success();
    }));
  if (transfer.hasInside)
    if (Error error = move())
      return std::move(error);
  for (int64_t c = 0; c < target.clusters; ++c)
    if (receivers >> c & 1)
      cantFail(forEachRow(rows, [&](int64_t begin) {
        std::memcpy(clusters[c].sram.data + begin, sram.data + begin, rows.bytes);
        return Error::success();
      }));
  return getTransferEffect(transfer, /*isStore=*/false);
}

Expected<Effect> Executor::visit(const isa::DmaLoad &op) {
  if (Error error = requireSpace(op.to, isa::MemorySpace::Sram, "to"))
    return std::move(error);
  Memory &region = regions[op.from.region];
  Expected<BoxTransfer> transfer = prepare(op.from, region, op.to, op.dims);
  if (!transfer)
    return transfer.takeError();
  return receive(op, *transfer, [&] { return copyIn(region, *transfer); });
}

Expected<Effect> Executor::visit(const isa::DmaCopy &op) {
  if (Error error = requireSpace(op.to, isa::MemorySpace::Sram, "to"))
    return std::move(error);
  Memory &sram = clusters[cluster].sram;
  Expected<BoxTransfer> transfer = prepare(op.from, sram, op.to, op.dims);
  if (!transfer)
    return transfer.takeError();
  // Before the destination is written, which is refused where it covers what is read.
  if (hasData && transfer->hasInside)
    if (Error error = checkSource(tracker, sram, *transfer))
      return std::move(error);
  auto copy = [&](int64_t to, int64_t from, const BoxDimValue &dim, int64_t count) -> Error {
    copyRow(sram.data + to, dim.chipStride, sram.data + from, dim.dramStride, count,
            transfer->elementBytes);
    return Error::success();
  };
  Expected<Effect> effect = receive(op, *transfer, [&] { return Walk(*transfer).run(copy); });
  if (effect)
    effect->isLocal = true;
  return effect;
}

/// Brings the row of each index, one transfer after the other.
Error Executor::gatherRows(const isa::DmaGather &gather, const BoxTransfer &transfer) {
  Memory &sram = clusters[cluster].sram;
  int64_t first = isa::evaluate(gather.indices, counters);
  auto strides = isa::getIndexStrides(gather.chosen);
  BoxTransfer row = transfer;
  row.dims.clear();
  struct Choice {
    BoxDimValue dim;
    int64_t indexStride, begin, end;
  };
  SmallVector<Choice, isa::maxDmaDims> choices;
  for (auto [d, dim] : llvm::enumerate(transfer.dims)) {
    if (strides[d] == 0) {
      // Numbers of dimensions change where some are left out.
      row.dims.push_back(dim);
      row.dims.back().outer -= llvm::count_if(ArrayRef(strides).take_front(dim.outer),
                                              [](int64_t stride) { return stride != 0; });
      continue;
    }
    auto [begin, end] = getInside(dim);
    choices.push_back({dim, strides[d], begin, end});
  }
  SmallVector<int64_t, isa::maxDmaDims> position;
  for (const Choice &choice : choices)
    position.push_back(choice.begin);
  while (true) {
    int64_t address = first;
    row.chipBase = transfer.chipBase;
    row.dramBase = transfer.dramBase;
    for (auto [choice, j] : llvm::zip_equal(choices, position)) {
      address += j * choice.indexStride;
      row.chipBase += j * choice.dim.chipStride;
      row.dramBase += (choice.dim.origin + j) * choice.dim.dramStride;
    }
    int32_t index = load<int32_t>(sram.data + address);
    if (index < 0 || index >= gather.chosen.rows)
      return makeTrap(TrapKind::OutOfBounds,
                      formatv("index {0} at byte {1} of {2} chooses none of the {3} rows", index,
                              address, sram.name, gather.chosen.rows));
    row.dramBase += index * gather.chosen.row_bytes;
    if (Error error = copyIn(regions[gather.from.region], row))
      return error;
    size_t d = choices.size();
    for (; d > 0; --d) {
      if (++position[d - 1] < choices[d - 1].end)
        break;
      position[d - 1] = choices[d - 1].begin;
    }
    if (d == 0)
      return Error::success();
  }
}

Expected<Effect> Executor::visit(const isa::DmaGather &gather) {
  if (Error error = requireSpace(gather.to, isa::MemorySpace::Sram, "to"))
    return std::move(error);
  if (Error error = requireSpace(gather.indices, isa::MemorySpace::Sram, "indices"))
    return std::move(error);
  Expected<BoxTransfer> transfer =
      prepare(gather.from, regions[gather.from.region], gather.to, gather.dims, &gather.chosen);
  if (!transfer)
    return transfer.takeError();
  // All indices lie in the memory, also those that are not read.
  Box all{isa::evaluate(gather.indices, counters), int64_t(sizeof(int32_t)), {}}, inside = all;
  for (auto [dim, stride] : llvm::zip(transfer->dims, isa::getIndexStrides(gather.chosen))) {
    if (stride == 0)
      continue;
    all.dims.push_back({stride, dim.extent});
    if (!transfer->hasInside)
      continue;
    auto [begin, end] = getInside(dim);
    inside.base += begin * stride;
    inside.dims.push_back({stride, end - begin});
  }
  if (hasData && !transfer->isEmpty) {
    Memory &sram = clusters[cluster].sram;
    if (Error error = checkBounds(sram, all))
      return std::move(error);
    // Before the destination is written, which is refused where it covers an index.
    if (transfer->hasInside)
      if (Error error = tracker.read(sram, inside))
        return std::move(error);
  }
  return receive(gather, *transfer, [&] { return gatherRows(gather, *transfer); });
}

Expected<Effect> Executor::visit(const isa::DmaStore &store) {
  Memory &region = regions[store.to.region];
  if (hasData && !region.states)
    return makeTrap(TrapKind::ReadOnlyRegion, "writes " + region.name + ", which is read-only");
  Expected<BoxTransfer> transfer = prepare(store.to, region, store.from, store.dims);
  if (!transfer)
    return transfer.takeError();
  if (transfer->isEmpty)
    return Effect();
  if (!hasData)
    return getTransferEffect(*transfer, /*isStore=*/true);

  Memory &memory = getMemory(store.from.space);
  // The on-chip side stays in its memory, whatever the windows leave out.
  if (Error error = checkBounds(memory, transfer->getChipBox()))
    return std::move(error);
  auto check = [&](const Box &chip, const Box &dram) -> Error {
    if (Error error = tracker.read(memory, chip))
      return error;
    return tracker.write(region, dram);
  };
  auto checkRow = [&](int64_t chip, int64_t dram, const BoxDimValue &dim, int64_t count) {
    return check({chip, transfer->elementBytes, {{dim.chipStride, count}}},
                 {dram, transfer->elementBytes, {{dim.dramStride, count}}});
  };
  auto copy = [&](int64_t chip, int64_t dram, const BoxDimValue &dim, int64_t count) -> Error {
    copyRow(region.data + dram, dim.dramStride, memory.data + chip, dim.chipStride, count,
            transfer->elementBytes);
    return Error::success();
  };
  if (transfer->hasInside) {
    std::optional<Box> chip = getChipInside(*transfer), dram = getDramInside(*transfer);
    if (Error error = chip && dram ? check(*chip, *dram) : Walk(*transfer).run(checkRow))
      return std::move(error);
    if (Error error = Walk(*transfer).run(copy))
      return std::move(error);
  }
  return getTransferEffect(*transfer, /*isStore=*/true);
}
