//===- TileCost.h - footprint and cycles of one schedule ------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_TILECOST_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_TILECOST_H

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

#include <limits>

namespace npu::tile {

/// Whether the buffer's box moves with `dim`.
bool dependsOn(const Buffer &buffer, unsigned dim);

/// Whether `axes` move with `dim` one by one, if they do.
bool movesPlainly(llvm::ArrayRef<Axis> axes, unsigned dim);

/// Whether the first load of the buffer is in parts along `dim`, if the contraction's first tile
/// is.
bool isBegun(const Problem &problem, unsigned buffer, unsigned dim);

/// Whether the contraction can do the last of its tail's parts apart (`Schedule::endsInParts`).
bool canEndInParts(const Problem &problem, const Schedule &schedule);

/// Bytes of a slot for a buffer that spans one tile.
int64_t getTileSlotBytes(const Problem &problem, const Buffer &buffer,
                         llvm::ArrayRef<int64_t> tiles);

/// Cycles of the matrix engine for a tile of `sizes`, without issue.
int64_t getMxuStepCycles(const Problem &problem, const TargetDesc &target,
                         llvm::ArrayRef<int64_t> sizes);

/// Cycles of the matrix engine for all tiles, on the busiest cluster.
double getMxuCycles(const Problem &problem, const TargetDesc &target, llvm::ArrayRef<int64_t> tiles,
                    llvm::ArrayRef<ClusterSplit> splits);

/// Loads of one buffer at one level, per cluster.
struct LoadCost {
  unsigned level = 0;
  int64_t slotBytes = 0;
  double count = 0;        ///< loads
  double cycles = 0;       ///< of one load, issue included
  double firstCycles = 0;  ///< of it, until the contraction can begin
  double begunCycles = 0;  ///< of these, what parts of the first tile divide
  double latency = 0;      ///< of them, until the first byte comes
  double pace = 0;         ///< of many, from one to the next
  double chargedBytes = 0; ///< of one load
  double vectorCycles = 0; ///< of the vector unit, where that makes the buffer
  /// Of what is loaded tile by tile: the pace of all tiles but the first, and the part of the
  /// contraction that is done before the last one is needed.
  double restPace = 0, restShare = 0;
  bool isKept = false;
};

/// What a transfer takes after its latency.
struct Transfer {
  double cycles = 0;
  double chargedBytes = 0; ///< as far as they take from the bandwidth
  int64_t chipElements = 0;
};

/// What transfers are charged, which a search asks for many times: each is worked out once.
class Charges {
public:
  /// The bytes charged for a box of `shape` of the tensor number `tensor`, as `compute` tells them.
  int64_t get(unsigned tensor, llvm::ArrayRef<int64_t> shape,
              llvm::function_ref<int64_t()> compute);

private:
  llvm::DenseMap<llvm::ArrayRef<int64_t>, int64_t> known;
  llvm::BumpPtrAllocator keys;
};

/// Costs of schedules that share tiles, loops and cluster split; residency and depths are
/// given per call, so that searching them repeats nothing.
class TileCost {
public:
  /// `schedule` has tiles, order and clusters and keeps them; `mxuCycles` is `getMxuCycles` of
  /// them. `charges` are those of the problem on the target, if some are known already.
  TileCost(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
           double mxuCycles, Charges *charges = nullptr);

  /// Takes over another order of the parallel loops of `schedule`.
  void setOrder();

  LoadCost getLoadCost(unsigned buffer, unsigned level) const;
  /// The same where tile after tile is loaded (`canBeKept`).
  LoadCost getKeptCost(unsigned buffer, unsigned level) const;
  /// What getting a buffer takes in `schedule`.
  LoadCost getLoadCost(unsigned buffer) const {
    return schedule.isKept(buffer) ? getKeptCost(buffer, schedule.levels[buffer])
                                   : getLoadCost(buffer, schedule.levels[buffer]);
  }

  /// What getting each buffer takes in a complete `schedule`.
  llvm::SmallVector<LoadCost> getLoadCosts() const;

  /// Cycles of the kernel: the busiest engine of the pipeline, plus what cannot overlap. `loads`
  /// has an entry per buffer, unused for those that are not loaded.
  /// With `begin`, those with the `Schedule::begin` that takes the fewest, to which it is set, if
  /// these may be at most `limit`.
  double getCycles(llvm::ArrayRef<LoadCost> loads, llvm::ArrayRef<int64_t> depths,
                   llvm::SmallVectorImpl<int64_t> *begin = nullptr,
                   double limit = std::numeric_limits<double>::infinity()) const;
  /// What a schedule with these loads may begin with (`Schedule::begin`), instead of its first tile
  /// as a whole.
  std::vector<llvm::SmallVector<int64_t, 0>> getBegins(llvm::ArrayRef<LoadCost> loads) const;

  /// What `getCycles` is at least, whatever is loaded where.
  double getLeastCycles() const { return std::max({mxuCycles, vectorCycles, storeCycles}); }
  /// The same where all loads take at least `loadCycles`, and the first of those that come before
  /// the contraction at least `prologue`.
  double getLeastCycles(double loadCycles, double prologue) const;

  /// Cycles of an op of the vector unit on a tile of mean size, or of `sizes`.
  double getVectorCycles(const VectorOp &op) const;
  double getVectorCycles(const VectorOp &op, llvm::ArrayRef<int64_t> sizes) const;
  /// Cycles of the vector unit for a buffer that it makes.
  double getMakingCycles(unsigned buffer, llvm::ArrayRef<int64_t> spans) const;
  /// The load of a buffer that spans so many indices per dimension.
  Transfer getLoad(unsigned buffer, llvm::ArrayRef<int64_t> spans) const;
  Transfer getStore(const Store &store, llvm::ArrayRef<int64_t> sizes) const;
  /// Bytes of all transfers of all clusters, as far as they take from the bandwidth.
  double getDramBytes(llvm::ArrayRef<LoadCost> loads) const;
  /// Cycles of the load that the contraction waits for at least before it begins.
  double getLeastFirstCycles(const LoadCost &load) const;
  /// Cycles of the busiest of the engines that load and store and of the memory.
  double getTransferCycles(llvm::ArrayRef<LoadCost> loads) const;
  /// Cycles of the store of one tile, issue included, and from one to the next.
  std::pair<double, double> getStoreCycles(const Store &store) const;
  /// Cycles of all stores of a cluster.
  double getStoreCycles() const { return storeCycles; }
  /// Cycles of the stores of one tile.
  double getLastStoreCycles() const { return lastStoreCycles; }

  /// Number of output tiles of a cluster.
  double getNumTiles() const { return numTiles; }

private:
  /// What is loaded for the first tile in parts: cycles that they divide, those of each part
  /// besides, and those of loading the second tile.
  struct FirstLoads {
    double cycles = 0, issues = 0, next = 0;
  };
  FirstLoads getFirstLoads(llvm::ArrayRef<LoadCost> loads) const;
  void prepareBegin();
  /// The parts of which the first one has `size` indices.
  llvm::SmallVector<int64_t, 0> growParts(const FirstLoads &first, int64_t size) const;
  /// Cycles by which the contraction is earlier if it does its first tile in the parts that `begin`
  /// is set to, at most `most`; 0, and no parts, if that does not pay.
  double getBeginSavings(llvm::ArrayRef<LoadCost> loads, double most,
                         llvm::SmallVectorImpl<int64_t> &begin) const;
  /// Elements of a full tile of the op's domain, and the mean part of it that a tile has.
  std::pair<int64_t, double> getElements(const VectorOp &op) const;
  /// One transfer of the box of `shape` elements along `axes` of the tensor number `tensor`. What
  /// all clusters load alike is transferred once, of which each of them pays its part.
  Transfer getTransfer(unsigned tensor, llvm::ArrayRef<Axis> axes, llvm::ArrayRef<unsigned> order,
                       llvm::ArrayRef<int64_t> shape, int64_t chipElements, int64_t elementBytes,
                       bool isAlike = false) const;
  /// Mean part of a full tile along the dimensions of `axes` whose loops are outside `level`.
  double getFill(llvm::ArrayRef<Axis> axes, unsigned level) const;

  const Problem &problem;
  const TargetDesc &target;
  const Schedule &schedule;
  double mxuCycles;
  int64_t numClusters;
  Charges *charges;
  std::optional<unsigned> beginDim;
  llvm::SmallVector<int64_t, 8> beginSizes; ///< of the first part
  llvm::SmallVector<bool, 8> begun;         ///< the buffers that `isBegun`
  /// Cycles of the array for a tile, issue included, and of them those of each index that it sums.
  double wholeStep = 0, cyclesPerSum = 0;
  llvm::SmallVector<double> trips; ///< per loop, of one cluster
  unsigned numParallel;
  double numTiles = 1;
  double vectorCycles = 0;      ///< of all tiles
  double lastVectorCycles = 0;  ///< of the last step, which nothing hides
  double gatherCycles = 0;      ///< of all tiles
  double gatherBytes = 0;       ///< of all tiles
  double storeCycles = 0;       ///< of all tiles
  double lastStoreCycles = 0;   ///< of one tile
  double storeChargedBytes = 0; ///< of all tiles
};

/// Cycles of DRAM at least: every tensor is moved once.
double getLeastTransferCycles(const Problem &problem, const TargetDesc &target);

/// Cycles of a contraction at least, where the array and what is moved take at least so many.
double getLeastSteadyCycles(double arrayCycles, double transferCycles);

/// `TileCost::getCycles` of a complete schedule.
double estimateCycles(const Problem &problem, const Schedule &schedule, const TargetDesc &target);

} // namespace npu::tile

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_TILECOST_H
