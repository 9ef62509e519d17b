//===- Conflicts.cpp - which operands of different streams may meet -------===//

#include "Conflicts.h"

#include <map>

using namespace llvm;
using namespace npu::verify;

namespace {
/// An access over all its iterations.
struct Extremes {
  unsigned access, stream;
  bool writes;
  int64_t begin; ///< lowest byte
  StridedShape shape;
};
} // namespace

Conflicts Conflicts::find(const Model &model) {
  Conflicts conflicts;
  std::vector<std::vector<Extremes>> memories(model.getNumMemories());
  unsigned number = 0;
  for (const Site &site : model.sites) {
    conflicts.firstAccess.push_back(number);
    for (const Access &access : site.accesses) {
      std::optional<RawBox> box = getWholeLoopBox(site, access);
      unsigned current = number++;
      if (!box)
        continue;
      StridedShape shape = makeShape(box->dims, box->run);
      int64_t begin = box->base + shape.offset;
      memories[access.memory].push_back(
          {current, site.stream, access.writes, begin, std::move(shape)});
    }
  }
  conflicts.partners.resize(number);

  // Sweep each memory by address.
  for (std::vector<Extremes> &accesses : memories) {
    if (llvm::none_of(accesses, [](const Extremes &e) { return e.writes; }))
      continue;
    llvm::sort(accesses, [](const Extremes &a, const Extremes &b) {
      return std::tie(a.begin, a.access) < std::tie(b.begin, b.access);
    });
    // Those that reach beyond the sweep, by where they end. What a stream does again and again with
    // the same bytes meets nothing of its own, and what only reads meets no reads.
    std::map<std::pair<unsigned, bool>, std::multimap<int64_t, const Extremes *>> active;
    for (const Extremes &next : accesses) {
      SmallVector<const Extremes *> met;
      for (auto &[kind, open] : active) {
        auto [stream, writes] = kind;
        open.erase(open.begin(), open.upper_bound(next.begin));
        if (stream == next.stream || !(writes || next.writes))
          continue;
        for (auto [end, other] : open)
          if (overlap(other->shape, next.shape, next.begin - other->begin).value_or(true))
            met.push_back(other);
      }
      llvm::sort(met); // as the sweep came to them
      for (const Extremes *other : met) {
        conflicts.partners[next.access].push_back(other->access);
        conflicts.partners[other->access].push_back(next.access);
        ++conflicts.pairs;
      }
      active[{next.stream, next.writes}].emplace(next.begin + next.shape.span, &next);
    }
  }
  return conflicts;
}
