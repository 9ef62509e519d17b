//===- SkylineSearch.h - exact search for a placement ---------------------===//

#ifndef NPU_LIB_SUPPORT_SKYLINESEARCH_H
#define NPU_LIB_SUPPORT_SKYLINESEARCH_H

#include "AllocationProblem.h"

#include "llvm/ADT/SmallVector.h"

namespace npu {

/// Searches for a placement of all items below a capacity, or proves that there is none.
///
/// As in MiniMalloc (Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated
/// Machine Learning", ASPLOS 2023) placements grow from below, only canonical ones are tried, in
/// which every item stands on another one or on the ground, and a partial one is given up when the
/// bytes yet to place at a moment do not fit above its floor. Other than there the next item is not
/// the one with the lowest offset of all: the search looks at the valleys of the skyline
/// (neighboring moments with one floor, both sides higher), picks the moment with the fewest
/// possibilities, and decides which item covers its floor, or that none does and the floor is
/// higher. So decisions about far moments do not come between those about near ones, and unused
/// bytes are the exception that is accounted for at once.
///
/// Whether an attempt succeeds depends on the order of items and on the rule that picks moments,
/// but if it does it usually never errs for long. So attempts are short and many, with other rules
/// and orders, in pseudorandom but fixed succession; their lengths (Luby's sequence) grow without
/// bound, so that small problems are decided.
class SkylineSearch {
public:
  enum class Outcome {
    Found,
    Impossible, ///< proved
    Stopped,    ///< out of work
  };

  explicit SkylineSearch(const AllocationProblem &problem);

  /// Looks for a placement with a peak of at most `capacity` bytes. Does at most about `work` work,
  /// in looks at an item or a moment, and subtracts what it does.
  Outcome run(int64_t capacity, int64_t &work);

  /// Of the placement that was found.
  const std::vector<int64_t> &getOffsets() const { return offsets; }

  /// The decisions taken in all runs.
  int64_t getNumSteps() const { return numSteps; }

private:
  /// How an attempt picks the moment to decide about.
  enum class Rule { FewestPerFailure, NoWaste, LeastSlack, FewestItems };
  static constexpr unsigned numRules = 4;

  /// A value before a change of it.
  struct Change {
    int64_t *value;
    int64_t before;
  };

  /// A decision: which item covers the floor of a moment.
  struct Decision {
    size_t numChanges; ///< before it
    unsigned moment;
    int64_t raisedFloor;      ///< if no item covers it, or 0 if one must
    size_t firstOption, next; ///< in `options`, up to the options of the next decision
    bool isPlaced;            ///< the current option is an item: the last one of `placed`
  };

  /// A run of moments with the same floor, lower than those beside it.
  struct Valley {
    unsigned first, last;
    int64_t floor;
  };

  /// An item that was taken out of `unplaced`, and where from.
  struct Placed {
    unsigned item, position;
  };

  void startAttempt(unsigned number);
  Outcome attempt(int64_t stepLimit, int64_t &work);
  bool branch(int64_t &work);
  void findValleys();
  void countOptions();
  int64_t getRaisedFloor(unsigned moment) const;
  bool mayCover(unsigned item) const;
  bool takeNext(Decision &decision);
  void undo(const Decision &decision);
  bool place(unsigned item);
  bool raise(unsigned moment, int64_t floor);
  bool isUnplaced(unsigned item) const { return offsets[item] < 0; }
  void set(int64_t &value, int64_t to) {
    changes.push_back({&value, value});
    value = to;
  }

  const AllocationProblem &problem;
  const std::vector<int64_t> loads;                 ///< per moment, of all items
  std::vector<llvm::SmallVector<unsigned, 0>> live; ///< items per moment
  int64_t capacity = 0;
  int64_t numSteps = 0;

  // An attempt.
  Rule rule = Rule::FewestPerFailure;
  std::vector<unsigned> ranks;   ///< per item: the lowest is tried first
  std::vector<int64_t> failures; ///< per moment: dead ends there
  std::vector<Decision> decisions;
  std::vector<unsigned> options; ///< of all decisions
  std::vector<Change> changes;

  // The partial placement.
  std::vector<int64_t> offsets; ///< per item, or -1
  std::vector<unsigned> unplaced;
  std::vector<Placed> placed;
  std::vector<int64_t> itemFloors; ///< per item: the highest floor below it
  std::vector<int64_t> floors;     ///< per moment: nothing more comes below
  std::vector<int64_t> tops;       ///< per moment: end of the highest placed item
  std::vector<int64_t> topItems;   ///< per moment: that item, or -1
  std::vector<int64_t> missing;    ///< per moment: the bytes of unplaced items

  // The skyline, per moment unless said otherwise, as findValleys and countOptions leave it.
  std::vector<Valley> valleys;
  std::vector<int> valleyNumbers;     ///< or -1
  std::vector<unsigned> nextValleys;  ///< the first valley that ends here or later
  std::vector<unsigned> numSupported; ///< of the moments before, those whose floor is a top
  std::vector<int> numOptions;        ///< items that may cover the floor
  std::vector<int> numInside;         ///< unplaced items that lie inside of the valley
  std::vector<int64_t> crossing;      ///< lowest floor of unplaced items that reach out of it
  std::vector<int64_t> crossingRight;
  std::vector<int64_t> beside; ///< lowest end of unplaced items only beside the moment
  std::vector<int64_t> besideRight;
};

} // namespace npu

#endif // NPU_LIB_SUPPORT_SKYLINESEARCH_H
