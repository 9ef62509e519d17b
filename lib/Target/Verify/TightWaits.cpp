//===- TightWaits.cpp - waits that are longer than they must be -----------===//

#include "Model.h"

#include "NPU/Target/Verify/Mutate.h"

using namespace llvm;
using namespace npu;
using namespace npu::verify;

/// The value that an instruction's wait needs, null when there is no such wait.
static const isa::Affine *getWaitValue(const isa::Stream &stream, size_t index, unsigned slot) {
  const isa::Sync *sync = index < stream.code.size() ? isa::getSync(stream.code[index]) : nullptr;
  if (!sync || !(slot ? sync->wait1 : sync->wait0))
    return nullptr;
  return slot ? &sync->value1 : &sync->value0;
}

/// Whether the program is unsafe with the wait's value one lower.
static bool isTight(const isa::Program &program, unsigned stream, unsigned index, unsigned slot) {
  isa::Program earlier = applyMutation(program, {MutationKind::DecrementWait, stream, index, slot});
  VerifyOptions options;
  options.describesRaces = false;
  Error error = isa::checkProgram(earlier);
  if (!error)
    error = verifySynchronisation(earlier, /*stats=*/nullptr, options);
  return errorToBool(std::move(error));
}

/// Clusters run the same code on parts of different sizes. A wait that a small part does not need
/// is tight when the same wait of another cluster is.
static bool isTightElsewhere(const isa::Program &program, const Site &site, unsigned slot) {
  const isa::Stream &own = program.streams[site.stream];
  const isa::Affine *value = getWaitValue(own, site.index, slot);
  for (auto [number, other] : llvm::enumerate(program.streams)) {
    if (number == site.stream || other.engine != own.engine)
      continue;
    const isa::Affine *otherValue = getWaitValue(other, site.index, slot);
    if (otherValue && *otherValue == *value && isTight(program, number, site.index, slot))
      return true;
  }
  return false;
}

Error npu::verifyTightWaits(const isa::Program &program) {
  Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  for (const Site &site : model->sites) {
    if (!site.sync)
      continue;
    for (unsigned slot = 0; slot < 2; ++slot) {
      int64_t semaphore = slot ? site.sync->wait1 : site.sync->wait0;
      if (!semaphore || isTight(program, site.stream, site.index, slot) ||
          isTightElsewhere(program, site, slot))
        continue;
      return makeError(
          site, "slack",
          "{0} waits for one signal of semaphore {1} more than any access needs; lower "
          "the value by 1",
          model->describe(site), semaphore);
    }
  }
  return Error::success();
}
