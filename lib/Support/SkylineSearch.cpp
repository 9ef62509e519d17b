//===- SkylineSearch.cpp - exact search for a placement -------------------===//

#include "SkylineSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>
#include <random>
#include <tuple>

using namespace llvm;
using namespace npu;

static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

SkylineSearch::SkylineSearch(const AllocationProblem &problem)
    : problem(problem), loads(problem.getLoads()), live(problem.numMoments) {
  for (auto [i, item] : enumerate(problem.items))
    for (unsigned moment = item.first; moment <= item.last; ++moment)
      live[moment].push_back(i);
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

/// 16 log2(value), in integers, so that it is the same everywhere.
static int64_t getLogarithm(uint64_t value) {
  unsigned exponent = Log2_64(value);
  return 16 * exponent + ((value << (63 - exponent) >> 59) & 15);
}

/// Luby's sequence 1 1 2 1 1 2 4 ..: the fewest steps, up to a factor, if nothing is known about
/// how long attempts should be. Counts from 1.
static int64_t getLuby(int64_t number) {
  while (!isPowerOf2_64(number + 1))
    number -= (int64_t(1) << Log2_64(number)) - 1;
  return (number + 1) / 2;
}

/// Items are tried by size and by length of life, in proportions that change from attempt to
/// attempt, with more or less noise.
void SkylineSearch::startAttempt(unsigned number) {
  size_t numItems = problem.items.size();
  rule = Rule(number % numRules);
  std::mt19937 random(number + 1);

  int64_t sizeWeight = random() % 256, lifeWeight = random() % 256;
  if (number < 3 * numRules) {
    sizeWeight = number / numRules != 1;
    lifeWeight = number / numRules != 0;
  }
  // Up to 0, 1/2 or 3/2 bits.
  constexpr int64_t noises[] = {0, 8 * 256, 24 * 256};
  int64_t noise = number < 3 * numRules ? 0 : noises[number / numRules % 3];
  std::vector<std::pair<int64_t, unsigned>> keys;
  for (auto [i, item] : enumerate(problem.items)) {
    int64_t key = sizeWeight * getLogarithm(item.bytes) +
                  lifeWeight * getLogarithm(item.last - item.first + 1);
    if (noise)
      key += int64_t(random() % (2 * noise)) - noise;
    keys.push_back({-key, i});
  }
  llvm::sort(keys);
  ranks.resize(numItems);
  unplaced.clear();
  for (auto [rank, key] : enumerate(keys)) {
    ranks[key.second] = rank;
    unplaced.push_back(key.second);
  }

  failures.assign(problem.numMoments, 1);
  decisions.clear();
  options.clear();
  changes.clear();
  placed.clear();
  offsets.assign(numItems, -1);
  itemFloors.assign(numItems, 0);
  floors.assign(problem.numMoments, 0);
  tops.assign(problem.numMoments, 0);
  topItems.assign(problem.numMoments, -1);
  missing = loads;
}

SkylineSearch::Outcome SkylineSearch::run(int64_t capacity, int64_t &work) {
  this->capacity = capacity;
  for (const AllocationItem &item : problem.items)
    if (item.bytes > capacity)
      return Outcome::Impossible;
  for (int64_t load : loads)
    if (load > capacity)
      return Outcome::Impossible;
  for (unsigned number = 0; work > 0; ++number) {
    startAttempt(number);
    int64_t stepLimit = 2 * int64_t(problem.items.size()) * getLuby(number / numRules + 1);
    Outcome outcome = attempt(stepLimit, work);
    if (outcome != Outcome::Stopped)
      return outcome;
  }
  return Outcome::Stopped;
}

SkylineSearch::Outcome SkylineSearch::attempt(int64_t stepLimit, int64_t &work) {
  for (int64_t step = 0; !unplaced.empty(); ++step) {
    if (step == stepLimit || work <= 0)
      return Outcome::Stopped;
    ++numSteps;
    bool mayWork = branch(work) && takeNext(decisions.back());
    // From a dead end, back to the last decision with another option.
    while (!mayWork) {
      if (decisions.empty())
        return Outcome::Impossible;
      Decision &last = decisions.back();
      undo(last);
      if (last.next < options.size() || last.raisedFloor > 0) {
        mayWork = takeNext(last);
        continue;
      }
      options.resize(last.firstOption);
      decisions.pop_back();
    }
  }
  return Outcome::Found;
}

/// Takes the next item to cover the floor, or at last none. Returns whether that may work.
bool SkylineSearch::takeNext(Decision &decision) {
  if (decision.next < options.size()) {
    decision.isPlaced = true;
    return place(options[decision.next++]);
  }
  int64_t floor = decision.raisedFloor;
  decision.raisedFloor = 0;
  decision.isPlaced = false;
  return raise(decision.moment, floor);
}

/// Takes back the current option and all that followed from it.
void SkylineSearch::undo(const Decision &decision) {
  for (; changes.size() > decision.numChanges; changes.pop_back())
    *changes.back().value = changes.back().before;
  if (!decision.isPlaced)
    return;
  auto [item, position] = placed.back();
  placed.pop_back();
  unplaced.push_back(item);
  std::swap(unplaced[position], unplaced.back());
}

//===----------------------------------------------------------------------===//
// The partial placement
//===----------------------------------------------------------------------===//

/// Puts an item inside of a valley on the floor. Returns whether the others may still fit.
bool SkylineSearch::place(unsigned i) {
  const AllocationItem &item = problem.items[i];
  int64_t end = itemFloors[i] + item.bytes;
  unsigned position = llvm::find(unplaced, i) - unplaced.begin();
  placed.push_back({i, position});
  std::swap(unplaced[position], unplaced.back());
  unplaced.pop_back();
  set(offsets[i], itemFloors[i]);
  for (unsigned moment = item.first; moment <= item.last; ++moment) {
    set(missing[moment], missing[moment] - item.bytes);
    set(floors[moment], end);
    set(tops[moment], end);
    set(topItems[moment], i);
  }
  for (unsigned j : unplaced) {
    const AllocationItem &other = problem.items[j];
    if (other.first > item.last || other.last < item.first || itemFloors[j] >= end)
      continue;
    set(itemFloors[j], end);
    if (end + other.bytes > capacity) {
      ++failures[std::max(item.first, other.first)];
      return false;
    }
  }
  return true;
}

/// Leaves the bytes below `floor` unused at this moment. Returns whether the items may still fit.
bool SkylineSearch::raise(unsigned moment, int64_t floor) {
  set(floors[moment], floor);
  if (floor + missing[moment] > capacity) {
    ++failures[moment];
    return false;
  }
  for (unsigned i : live[moment]) {
    if (!isUnplaced(i) || itemFloors[i] >= floor)
      continue;
    set(itemFloors[i], floor);
    if (floor + problem.items[i].bytes > capacity) {
      ++failures[moment];
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

void SkylineSearch::findValleys() {
  unsigned numMoments = problem.numMoments;
  valleys.clear();
  valleyNumbers.assign(numMoments, -1);
  nextValleys.assign(numMoments, 0);
  numSupported.assign(numMoments + 1, 0);
  // Nothing crosses a moment at which all is placed.
  auto isHigher = [&](unsigned moment, int64_t floor) {
    return missing[moment] == 0 || floors[moment] > floor;
  };
  for (unsigned first = 0, end; first < numMoments; first = end) {
    end = first + 1;
    int64_t floor = floors[first];
    bool isValley = missing[first] > 0;
    if (isValley) {
      while (end < numMoments && missing[end] > 0 && floors[end] == floor)
        ++end;
      isValley =
          (first == 0 || isHigher(first - 1, floor)) && (end == numMoments || isHigher(end, floor));
    }
    for (unsigned moment = first; moment < end; ++moment) {
      valleyNumbers[moment] = isValley ? int(valleys.size()) : -1;
      nextValleys[moment] = valleys.size();
      numSupported[moment + 1] = numSupported[moment] + (tops[moment] == floors[moment]);
    }
    if (isValley)
      valleys.push_back({first, end - 1, floor});
  }
}

/// Whether an item inside of a valley may stand on its floor. It must stand on something, or could
/// be lower. Of two items with the same life, one directly on the other, the first one is below.
bool SkylineSearch::mayCover(unsigned i) const {
  const AllocationItem &item = problem.items[i];
  if (numSupported[item.last + 1] == numSupported[item.first])
    return false;
  int64_t below = topItems[item.first];
  if (below < 0 || tops[item.first] != itemFloors[i])
    return true;
  const AllocationItem &other = problem.items[below];
  return other.first != item.first || other.last != item.last || ranks[below] < ranks[i];
}

/// Counts for every moment in a valley which items can cover it, and prepares getRaisedFloor.
void SkylineSearch::countOptions() {
  unsigned numMoments = problem.numMoments;
  numOptions.assign(numMoments + 1, 0);
  numInside.assign(numMoments + 1, 0);
  for (auto *lows : {&crossing, &crossingRight, &beside, &besideRight})
    lows->assign(numMoments, kNone);
  auto lower = [](int64_t &value, int64_t to) { value = std::min(value, to); };
  for (unsigned i : unplaced) {
    const AllocationItem &item = problem.items[i];
    int64_t end = itemFloors[i] + item.bytes;
    int number = valleyNumbers[item.first];
    if (number >= 0 && valleyNumbers[item.last] == number) {
      ++numInside[item.first];
      --numInside[item.last + 1];
      if (mayCover(i)) {
        ++numOptions[item.first];
        --numOptions[item.last + 1];
      }
      if (item.last < valleys[number].last)
        lower(beside[item.last + 1], end);
      if (item.first > valleys[number].first)
        lower(besideRight[item.first - 1], end);
      continue;
    }
    for (unsigned v = nextValleys[item.first]; v < valleys.size(); ++v) {
      const Valley &valley = valleys[v];
      if (valley.first > item.last)
        break;
      if (item.first <= valley.first)
        lower(crossing[std::min(valley.last, item.last)], itemFloors[i]);
      else
        lower(crossingRight[item.first], itemFloors[i]);
      if (item.last < valley.last)
        lower(beside[item.last + 1], end);
      if (item.first > valley.first)
        lower(besideRight[item.first - 1], end);
    }
  }
  for (unsigned moment = 0; moment < numMoments; ++moment) {
    numOptions[moment + 1] += numOptions[moment];
    numInside[moment + 1] += numInside[moment];
  }
  for (const Valley &valley : valleys) {
    for (unsigned moment = valley.first; moment < valley.last; ++moment) {
      lower(crossingRight[moment + 1], crossingRight[moment]);
      lower(beside[moment + 1], beside[moment]);
    }
    for (unsigned moment = valley.last; moment > valley.first; --moment) {
      lower(crossing[moment - 1], crossing[moment]);
      lower(besideRight[moment - 1], besideRight[moment]);
    }
  }
}

/// The lowest floor of a moment in a valley if nothing covers it as it is: its lowest item then
/// reaches out of the valley, or stands on one beside the moment. At least a lower bound of it.
int64_t SkylineSearch::getRaisedFloor(unsigned moment) const {
  int64_t floor = std::min(crossing[moment], crossingRight[moment]);
  if (numInside[moment] > 0)
    floor = std::min({floor, beside[moment], besideRight[moment]});
  return floor;
}

/// Does what has no alternative, and adds the next decision. Returns false at a dead end.
bool SkylineSearch::branch(int64_t &work) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    work -= unplaced.size() + problem.numMoments;
    findValleys();
    countOptions();
    for (const Valley &valley : valleys)
      for (unsigned moment = valley.first; moment <= valley.last; ++moment) {
        if (numOptions[moment] > 0)
          continue;
        int64_t floor = getRaisedFloor(moment);
        if (floor == kNone || !raise(moment, floor)) {
          ++failures[moment];
          return false;
        }
        isChanged = true;
      }
  }

  std::pair<int64_t, int64_t> best(kNone, kNone);
  Decision decision{changes.size(), 0, 0, options.size(), options.size(), false};
  for (const Valley &valley : valleys)
    for (unsigned moment = valley.first; moment <= valley.last; ++moment) {
      int64_t slack = capacity - valley.floor - missing[moment];
      int64_t raised = slack > 0 ? getRaisedFloor(moment) : kNone;
      bool mayRaise = raised != kNone && raised - valley.floor <= slack;
      int64_t items = numOptions[moment], all = items + mayRaise;
      std::pair<int64_t, int64_t> key;
      if (all == 1)
        key = {-1, 0};
      else if (rule == Rule::FewestPerFailure)
        key = {(all << 30) / failures[moment], 0};
      else if (rule == Rule::NoWaste)
        key = {mayRaise, (items << 40) + (valley.floor << 20) / capacity};
      else if (rule == Rule::LeastSlack)
        key = {slack * 64 / capacity, all};
      else
        key = {items, slack};
      if (key >= best)
        continue;
      best = key;
      decision.moment = moment;
      decision.raisedFloor = mayRaise ? raised : 0;
    }

  int number = valleyNumbers[decision.moment];
  for (unsigned i : unplaced) {
    const AllocationItem &item = problem.items[i];
    if (item.first <= decision.moment && decision.moment <= item.last &&
        valleyNumbers[item.first] == number && valleyNumbers[item.last] == number && mayCover(i))
      options.push_back(i);
  }
  llvm::sort(options.begin() + decision.firstOption, options.end(),
             [&](unsigned a, unsigned b) { return ranks[a] < ranks[b]; });
  decisions.push_back(decision);
  return true;
}
