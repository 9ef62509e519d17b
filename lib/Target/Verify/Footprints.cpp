//===- Footprints.cpp - on-chip memory that a program touches --------------===//

#include "NPU/Target/Verify/Footprints.h"

#include "Model.h"

using namespace npu;
using namespace npu::verify;

llvm::Expected<std::vector<Footprint>> npu::collectFootprints(const isa::Program &program) {
  llvm::Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  std::vector<Footprint> footprints;
  for (const Site &site : model->sites)
    for (const Access &access : site.accesses) {
      if (access.memory >= model->dramMemory(0))
        continue;
      std::optional<RawBox> box = getWholeLoopBox(site, access);
      if (!box)
        continue;
      // What lies outside of the memory is a bound that is not met.
      StridedShape shape = makeShape(box->dims, box->run);
      int64_t bytes = model->getMemoryBytes(access.memory);
      int64_t begin = std::clamp<int64_t>(box->base + shape.offset, 0, bytes);
      int64_t end = std::clamp<int64_t>(box->base + shape.offset + shape.span, 0, bytes);
      if (begin < end)
        footprints.push_back({site.stream, site.index, access.operand.str(), access.writes,
                              int64_t(access.memory / 2), isa::MemorySpace(access.memory % 2),
                              begin, end});
    }
  return footprints;
}
