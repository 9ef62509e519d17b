//===- InstructionFootprints.cpp - the on-chip bytes that instructions touch ===//

#include "NPU/Target/Verify/InstructionFootprints.h"

#include "Model.h"

using namespace llvm;
using namespace npu;
using namespace npu::verify;

Footprints::Footprints() = default;
Footprints::Footprints(Footprints &&) = default;
Footprints::~Footprints() = default;

Expected<Footprints> Footprints::create(const isa::Program &program) {
  Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  Footprints result;
  result.model = std::make_unique<Model>(std::move(*model));
  for (const isa::Stream &stream : program.streams)
    result.sites.emplace_back(stream.code.size());
  for (const Site &site : result.model->sites)
    result.sites[site.stream][site.index] = &site;
  return std::move(result);
}

/// Whether a matrix instruction adds to what its destination holds.
static bool addsToResult(const isa::Instruction &instruction, const isa::Counters &counters) {
  auto adds = [&](const isa::Accumulate &accumulate) {
    if (accumulate.mode != isa::AccumulateMode::Unless)
      return accumulate.mode == isa::AccumulateMode::Always;
    for (unsigned k = 0; k < isa::maxLoopDepth; ++k)
      if ((accumulate.counters >> k & 1) && counters[k] != 0)
        return true;
    return false;
  };
  if (auto *matmul = std::get_if<isa::MxuMatmul>(&instruction))
    return adds(matmul->accumulate);
  if (auto *conv = std::get_if<isa::MxuConv>(&instruction))
    return adds(conv->accumulate);
  if (auto *depthwise = std::get_if<isa::MxuDepthwise>(&instruction))
    return adds(depthwise->accumulate);
  return false;
}

SmallVector<InstructionFootprint, 4> Footprints::get(unsigned stream, unsigned instruction,
                                                     const isa::Counters &counters) const {
  SmallVector<InstructionFootprint, 4> result;
  const Site *site = sites[stream][instruction];
  if (!site)
    return result;
  ExtentValues extents = evaluateExtents(*site, counters);
  for (const Access &access : site->accesses) {
    if (access.memory >= unsigned(model->target.clusters) * 2 || !isOpen(access, extents))
      continue;
    SmallVector<RawBox> boxes;
    evaluateAccess(access, extents, counters, boxes);
    for (const RawBox &box : boxes) {
      int64_t begin = box.base, end = box.base + box.run;
      for (const Stride &dim : box.dims) {
        int64_t reach = dim.bytes * (dim.count - 1);
        (reach < 0 ? begin : end) += reach;
      }
      bool reads = !access.writes || addsToResult(*site->instruction, counters);
      result.push_back({access.memory / 2, isa::MemorySpace(access.memory % 2), begin, end, reads,
                        access.writes});
    }
  }
  return result;
}
