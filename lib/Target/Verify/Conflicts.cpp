//===- Conflicts.cpp - which operands of different streams may meet -------===//

#include "Conflicts.h"

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
    std::vector<const Extremes *> active;
    for (const Extremes &next : accesses) {
      llvm::erase_if(active,
                     [&](const Extremes *e) { return e->begin + e->shape.span <= next.begin; });
      for (const Extremes *other : active) {
        if (other->stream == next.stream || !(other->writes || next.writes) ||
            !overlap(other->shape, next.shape, next.begin - other->begin).value_or(true))
          continue;
        conflicts.partners[next.access].push_back(other->access);
        conflicts.partners[other->access].push_back(next.access);
        ++conflicts.pairs;
      }
      active.push_back(&next);
    }
  }
  return conflicts;
}
