//===- Synchronization.h - which engine waits for which -------------------===//
//
// Given the ops of a loop nest in program order, the engine each runs on, and the buffers each
// touches, computes which op must wait for which other op of another engine so that every
// conflicting pair of accesses keeps its program order. Engines execute their own ops in order, so
// most pairs are implied by others; only a set without (detectable) redundancy is returned.
//
// An edge says: before op `to` starts at some iteration, every execution of op `from` whose linear
// iteration number over the `level` outermost loops is at most that of `to` minus `distance` has
// completed. The loops are common to both. Distance 0 is a value that flows within the iteration,
// distance `depth` is the reuse of a slot of a ring of that depth. Between loops that have none in
// common, an edge may also say that an iteration needs only the first executions of `from`.
//
// An op may do its work in the first iteration of some of its loops alone, as the load of an
// operand that stays on chip while a loop around it runs does. In the other iterations it needs
// nothing, and its waits must not hold up what the engine does next: the counters of those loops
// count as zero.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_SYNCHRONIZATION_H
#define NPU_DIALECT_NPU_TRANSFORMS_SYNCHRONIZATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace npu {

/// So many executions of another op are needed: `constant` and, for each loop around an op, its
/// counter times a factor.
struct SyncLead {
  llvm::SmallVector<int64_t> factors;
  int64_t constant = 0;
  int64_t spare = 0; ///< how many more than there are may be asked for

  bool operator==(const SyncLead &other) const {
    return factors == other.factors && constant == other.constant && spare == other.spare;
  }
};

struct SyncProblem {
  struct Op {
    unsigned engine = 0; ///< of one cluster
    /// Enclosing loops, outermost first, as indices into `trips`.
    llvm::SmallVector<unsigned, 6> loops = {};
    /// Ops of one phase on different clusters touch different bytes of buffers that all of them
    /// have.
    unsigned phase = 0, cluster = 0;
    /// Its last execution will be in parts, all but one of which are done when others wait for it
    /// in its loops. What comes behind them must not rely on those.
    bool endsInParts = false;
    /// Numbers of the halos that the op brings, and of the one that it reads, if it does. Who reads
    /// one may begin before it is there; no other wait of that op relies on those for the halo.
    llvm::SmallVector<unsigned, 2> bringsHalos = {};
    std::optional<unsigned> readsHalo = std::nullopt;
  };
  struct Buffer {
    /// A new instance exists for every iteration of this many outermost loops.
    unsigned level = 0;
    /// Instances that exist at a time; 0 = every instance has its own memory.
    int64_t depth = 0;
    /// All clusters have it, as DRAM.
    bool isShared = false;
  };
  struct Access {
    unsigned op = 0, buffer = 0;
    bool writes = false;
    /// The access is to the instance from this many iterations earlier of the innermost loop that
    /// makes instances.
    int64_t shift = 0;
    /// Not 0: accesses with the same number to this buffer need no order here; what is between them
    /// is said by accesses of the same ops to another one.
    unsigned part = 0;
    /// By level, as bits: loops around the op after whose first iteration it touches nothing.
    uint32_t onceIn = 0;
  };

  llvm::SmallVector<int64_t> trips; ///< constant trip count of each loop, at least 1
  llvm::SmallVector<Op> ops;        ///< in program order
  llvm::SmallVector<Buffer> buffers;
  llvm::SmallVector<Access> accesses;
  /// Whether two accesses, by number, to a buffer, in whatever iterations and instances, or to two
  /// that share memory, may touch the same bytes; null: any two do.
  std::function<bool(unsigned, unsigned)> mayMeet;
  /// How often the op of one access must have been executed before that of a later one, without a
  /// common loop; null or nothing: as often as it ever is.
  std::function<std::optional<SyncLead>(unsigned, unsigned)> getLead;
  /// Buffers of level 0 that share memory. All accesses to one come before those to the other.
  llvm::SmallVector<std::pair<unsigned, unsigned>> aliases;
};

struct SyncEdge {
  unsigned from = 0, to = 0;
  unsigned level = 0;
  int64_t distance = 0;
  std::optional<SyncLead> lead = std::nullopt; ///< at level 0: what is enough
  /// By level, as bits: of these loops the iteration of `to` counts as the first one.
  uint32_t onceIn = 0;

  bool operator==(const SyncEdge &other) const {
    return from == other.from && to == other.to && level == other.level &&
           distance == other.distance && lead == other.lead && onceIn == other.onceIn;
  }
};

/// Whether an edge is for a halo that its second op reads.
bool isForHalo(const SyncProblem &problem, const SyncEdge &edge);

/// The waits that the problem needs, in program order of `to`, then of `from`.
llvm::SmallVector<SyncEdge> computeSynchronization(const SyncProblem &problem);

/// Every wait that a conflicting pair of accesses needs, before implied ones are dropped.
llvm::SmallVector<SyncEdge> computeDependences(const SyncProblem &problem);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_SYNCHRONIZATION_H
