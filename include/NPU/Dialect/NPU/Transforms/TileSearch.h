//===- TileSearch.h - tile sizes by an analytic cost model ----------------===//
//
// A kernel as the search sees it: iteration dimensions, the on-chip buffers of one tile, the DRAM
// boxes behind them, and the work of each engine. No MLIR: a problem can be made up in a test.
//
// The footprint is closed form and exact: the shapes computed here are the shapes that lowering
// allocates.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_TILESEARCH_H
#define NPU_DIALECT_NPU_TRANSFORMS_TILESEARCH_H

#include "NPU/Dialect/NPU/IR/TileDim.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <optional>
#include <string>
#include <tuple>

namespace npu::tile {

struct Term {
  unsigned dim;
  int64_t coefficient;
};

/// One dimension of a tensor, or of a slice of one, in DRAM: index = sum of terms + offset,
/// coordinate = start + step * index.
struct Axis {
  llvm::SmallVector<Term, 2> terms;
  int64_t offset = 0;
  int64_t span = 1; ///< indices that are read at each coordinate
  int64_t start = 0, step = 1;
  int64_t extent = 1;      ///< indices along it
  int64_t strideBytes = 0; ///< from index to index
};

enum class BufferRole {
  Input,       ///< an operand of the matrix engine, loaded
  Start,       ///< what sums of the matrix engine start from, loaded
  Operand,     ///< an operand of the element-wise ops, loaded
  Accumulator, ///< the result of the matrix engine
  Value        ///< a result of the element-wise ops
};

/// An on-chip buffer of one tile.
struct Buffer {
  std::string name;
  BufferRole role = BufferRole::Value;
  int64_t elementBytes = 1;
  /// The DRAM tensor of a load, in its order; for the others the dimensions of the tile.
  llvm::SmallVector<Axis> axes;
  /// The axes that are dimensions of the buffer, outermost first.
  llvm::SmallVector<unsigned> order;
  /// The buffer is panels `[order[0] floordiv columns][order[1:]...][order[0] mod columns]`; 0: it
  /// is not. Without `hasPanelAxis` the whole of `order` is one panel with one valid column.
  int64_t panelColumns = 0;
  bool hasPanelAxis = false;
  /// Only ops of one stage use it: they are in order, so that it needs no second slot.
  bool isPrivate = false;
  /// What it is loaded from is on chip as well: DRAM has no part in it.
  bool isFromChip = false;
  /// The vector unit makes it in the loops, at a level as a load has one, of the buffers and by the
  /// ops that have its number as `madeFor`.
  bool isMade = false;
  std::optional<unsigned> madeFor;

  bool isLoaded() const { return !isMade && (isForRoot() || role == BufferRole::Operand); }
  /// Whether it may be outside of loops that are inside of others' buffers.
  bool hasLevel() const { return isLoaded() || isMade || madeFor; }
  /// Whether it is loaded for the contraction or the reduction, not for what comes after it.
  bool isForRoot() const { return role == BufferRole::Input || role == BufferRole::Start; }
  /// Turns the extents of the buffer's dimensions into its shape: adds panels and columns.
  void packShape(llvm::SmallVectorImpl<int64_t> &shape) const;
  /// The (first) dimension of each dimension of the buffer, without the panels' columns; `noDim`
  /// for one that tiles have whole.
  llvm::SmallVector<unsigned> getDims() const {
    llvm::SmallVector<unsigned> dims;
    for (unsigned axis : order)
      dims.push_back(axes[axis].terms.empty() ? noDim : axes[axis].terms[0].dim);
    return dims;
  }
  static constexpr unsigned noDim = std::numeric_limits<unsigned>::max();
};

/// An op of the vector unit on a tile, or of the engine that loads.
struct VectorOp {
  llvm::SmallVector<unsigned> dims; ///< its iteration dimensions
  int64_t passes = 1;
  /// Those of them whose elements wait for each other, so that lanes share the others.
  llvm::SmallVector<unsigned> serialDims = {};
  /// Bytes per element that it fetches by itself; then it takes no time of the vector unit.
  int64_t transferBytes = 0;
  /// It also runs inside the reduction loops, once for each of their tiles.
  bool isInReductions = false;
  /// What it takes, in place of `passes`.
  std::optional<VectorWork> work = {};
  /// The buffer that it is for where that is made in the loops.
  std::optional<unsigned> madeFor = {};
  int64_t parts = 1; ///< of a tile, each done by itself
};

/// A store of a buffer into a result.
struct Store {
  unsigned buffer = 0;
  llvm::SmallVector<Axis> axes;
  bool isLeftOut = false; ///< as the buffer is a part of what stays on chip
};

/// How many clusters share the tiles of a dimension.
struct ClusterSplit {
  unsigned dim = 0;
  int64_t count = 1;
};

/// Those of the dimensions that clusters share, one or two, the outer loop's first: each of the
/// first one's clusters is several, which share the second. None: one cluster does it all.
using ClusterSplits = llvm::SmallVector<ClusterSplit, 2>;

struct Problem {
  llvm::SmallVector<Dim> dims;
  llvm::SmallVector<Buffer> buffers;
  llvm::SmallVector<VectorOp> vectorOps;
  llvm::SmallVector<Store> stores;
  /// The matrix engine's part; none: all is element-wise.
  std::optional<ArrayWork> array;
  /// The contraction adds to an operand, which is copied into the accumulator first.
  bool startsFromOperand = false;
  /// A store reads the accumulator; otherwise only vector ops do.
  bool accumulatorIsStored = false;
  /// The split given by hand.
  std::optional<ClusterSplits> fixedSplits;
  /// The only dimensions that clusters may share, all of them, if they share any; empty: those that
  /// are best.
  llvm::SmallVector<unsigned, 2> allowedSplits;
  /// There are no other groups, which values that are computed in parts could be on chip for.
  bool isAlone = false;
  /// Percent of the wait for what the array takes at first that kernels before hide.
  int64_t hidden = 0;

  /// What is left of that wait.
  double getShown(double cycles) const { return cycles * double(100 - hidden) / 100; }

  /// A key under which equal problems have equal solutions.
  std::string getKey() const;
};

/// A contraction's sums are in SRAM, a tile of the schedule at a time. In the loops over what is
/// added up are two more over parts of the tile, whose products are in the accumulator; the vector
/// unit adds them to the sums.
struct SpilledSums {
  struct Loop {
    unsigned buffer = 0; ///< the operand that it moves
    unsigned dim = 0;
    int64_t tile = 1;
  };
  /// The operand of the outer loop has a ring of parts; that of the inner one is kept for all
  /// iterations of the outer one, loaded part by part in the first of them.
  Loop outer, inner;
};

/// A complete choice.
struct Schedule {
  /// Tile size per dimension; the extent where the dimension is taken whole.
  llvm::SmallVector<int64_t> tiles;
  /// Dimensions with a loop (more than one tile), outermost first, reductions last.
  llvm::SmallVector<unsigned> order;
  /// Per buffer: number of loops around its load or its allocation.
  llvm::SmallVector<unsigned> levels;
  /// Per buffer: ring depth.
  llvm::SmallVector<int64_t> depths;
  /// Per buffer: whether it is loaded tile by tile inside of the loops that move it, in the first
  /// iteration of those of the others that are not around the buffer. Empty: none is.
  llvm::SmallVector<bool> kept = {};
  ClusterSplits splits;
  /// What comes after the contraction is done in parts of a tile, of so many indices along
  /// `partDim`: one is stored while the next one is computed, and the last store is short. 0: it is
  /// done as a whole.
  unsigned partDim = 0;
  int64_t partSize = 0;
  /// In the first iteration of all loops the contraction does its tile in parts of so many indices
  /// (`divide`) along the dimension that `findBeginDim` finds, each as soon as it is loaded.
  llvm::SmallVector<int64_t, 0> begin = {};
  /// In the last iteration of all loops the contraction does the last of these parts apart, so that
  /// what comes after it has only this one left to do.
  bool endsInParts = false;
  /// The ring depth of the accumulator is then that of the products.
  std::optional<SpilledSums> spilled = {};
  double predictedCycles = 0;

  int64_t getTrips(const Problem &problem, unsigned dim) const;
  /// How many clusters work, and how many share the tiles of a dimension.
  int64_t getClusters() const;
  int64_t getClusters(unsigned dim) const;
  /// Number of loops over parallel dimensions.
  unsigned getNumParallelLoops(const Problem &problem) const;
  /// The loop over `dim`, or nothing.
  std::optional<unsigned> getLoop(unsigned dim) const;
  /// Whether the load of the buffer is one of `kept`.
  bool isKept(unsigned buffer) const { return buffer < kept.size() && kept[buffer]; }
  /// Number of loops around the load of a buffer, or its allocation.
  unsigned getLoadLevel(const Problem &problem, unsigned buffer) const;
  int64_t getNumParts() const;
  /// Whether the buffer holds a part of a tile only.
  bool isPart(const Problem &problem, unsigned buffer) const;
};

/// On-chip shape of a buffer: a loaded one spans all tiles of the loops inside its level.
llvm::SmallVector<int64_t> getBufferShape(const Problem &problem, const Schedule &schedule,
                                          unsigned buffer);

/// Elements that `tile` spans along an axis, `spans` being the indices per dimension.
int64_t getAxisSpan(const Problem &problem, const Axis &axis, llvm::ArrayRef<int64_t> spans);

/// Distance in bytes from one slot of a ring to the next, for buffers of `bytes`. An empty buffer
/// gets a slot of its own, too.
int64_t getSlotBytes(int64_t bytes);

/// Bytes of one slot of a buffer.
int64_t getSlotBytes(const Problem &problem, const Schedule &schedule, unsigned buffer);

struct Footprint {
  int64_t sramBytes = 0, accBytes = 0;
};
Footprint getFootprint(const Problem &problem, const Schedule &schedule);

/// The outermost level to which a load inside `level` loops can move without loading more: out of
/// the innermost loops that the buffer does not depend on, so that these do not reload it.
unsigned hoistLevel(const Problem &problem, llvm::ArrayRef<unsigned> order, unsigned buffer,
                    unsigned level);

/// Puts what the buffer `made` is made of at its level, or outside of it as far as that loads no
/// more.
void setLevelsOfMade(const Problem &problem, Schedule &schedule, unsigned made);

/// Whether a load may be inside `level` loops of a schedule whose tiles, order and clusters are
/// set: the innermost of these loops is one that the buffer depends on (hoistLevel), the load does
/// not span dimensions that a tile never spans, nor another cluster's share, and views of panels
/// start at a whole panel.
bool isLevelLegal(const Problem &problem, const Schedule &schedule, unsigned buffer,
                  unsigned level);

/// Whether a buffer inside `level` loops can be loaded tile by tile: its tiles do not overlap, of
/// the other loops around its load one does not move it, and one cluster alone works.
bool canBeKept(const Problem &problem, const Schedule &schedule, unsigned buffer, unsigned level);

/// The outermost dimension along which the tail of a contraction can do tiles part by part; nothing
/// if there is none.
std::optional<unsigned> findPartDim(const Problem &problem, const Schedule &schedule);

/// Has the tail do tiles in parts of `size` indices along `dim`: what is of a part gets two slots.
void setParts(const Problem &problem, Schedule &schedule, unsigned dim, int64_t size);

/// The dimension along which the contraction can do its first tile in parts (`Schedule::begin`):
/// the only one of its sums that is no window's, which moves some operand's tiles one by one;
/// nothing if there is none, or where several clusters work.
std::optional<unsigned> findBeginDim(const Problem &problem, const Schedule &schedule);

/// Whether clusters can share the tiles of a dimension: it is parallel, and every result has it, so
/// that no two clusters store the same elements.
bool isSplittable(const Problem &problem, unsigned dim);

/// The ways in which clusters may share loops over `loops`, given such tiles: along one dimension,
/// and along two, the first of them outside, where that leaves the busiest cluster less to do than
/// any one dimension does, or where no other way is allowed.
std::vector<ClusterSplits> getSplitChoices(const Problem &problem, const TargetDesc &target,
                                           llvm::ArrayRef<int64_t> tiles,
                                           llvm::ArrayRef<unsigned> loops);

/// Cycles of the array at the peak MAC rate of all clusters; 0 without a contraction.
double getLeastArrayCycles(const Problem &problem, const TargetDesc &target);

/// A lower bound that is cheap enough to sort candidates by: that of the array, and every tensor
/// moved once. Reports use the higher bound of NPU/Roofline.
double getLeastCycles(const Problem &problem, const TargetDesc &target);

/// What takes at most this many times the cycles of another schedule counts as fast as it: played
/// cycles are not known better.
constexpr double asFast = 1.005;

/// What a choice costs. Of choices that are about as fast, for all that the model knows, the one
/// that moves fewer bytes is better.
struct Estimate {
  double cycles = 0;
  double dramBytes = 0; ///< of all transfers, as far as they take from the bandwidth
  bool isRough = false; ///< the cycles are not played, or as one of several groups in a nest

  /// Whether it is faster by more than the model may be wrong.
  bool isClearlyFasterThan(const Estimate &other) const {
    double aboutAsFast = isRough || other.isRough ? 1.06 : asFast;
    return other.cycles > aboutAsFast * cycles;
  }
  bool isBetterThan(const Estimate &other) const {
    if (other.isClearlyFasterThan(*this) || isClearlyFasterThan(other))
      return isClearlyFasterThan(other);
    return std::tie(dramBytes, cycles) < std::tie(other.dramBytes, other.cycles);
  }
  friend Estimate operator*(double count, const Estimate &a) {
    return {count * a.cycles, count * a.dramBytes, a.isRough};
  }
  friend Estimate operator+(const Estimate &a, const Estimate &b) {
    return {a.cycles + b.cycles, a.dramBytes + b.dramBytes, a.isRough || b.isRough};
  }
};

/// Bytes that a complete schedule moves.
double predictDramBytes(const Problem &problem, const Schedule &schedule, const TargetDesc &target);

/// Cycles predicted for a complete schedule.
double predictCycles(const Problem &problem, const Schedule &schedule, const TargetDesc &target);

/// The schedule that needs the least memory, with no more loops than a stream can have unless there
/// is none.
Schedule getSmallestSchedule(const Problem &problem);

/// Sizes worth a try, smallest first: the whole dimension, balanced divisions of it, multiples of
/// the granule, powers of two.
llvm::SmallVector<int64_t> getTileCandidates(const Dim &dim);

/// Clusters that `trips` tiles of a dimension are for, of so many: as many as get a tile each when
/// all but the last get the same number.
int64_t getClusterCount(const Dim &dim, int64_t trips, int64_t clusters);

/// Whether the memories hold the buffers, and streams the loops.
bool fits(const Problem &problem, const Schedule &schedule, const TargetDesc &target);

/// The best schedule found; nothing when not even the smallest one fits. Counts the schedules that
/// the cost model saw in `numSchedules`.
std::optional<Schedule> searchTiles(const Problem &problem, const TargetDesc &target,
                                    int64_t *numSchedules = nullptr);

} // namespace npu::tile

#endif // NPU_DIALECT_NPU_TRANSFORMS_TILESEARCH_H
