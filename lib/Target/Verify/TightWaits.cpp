//===- TightWaits.cpp - waits that are longer than they must be -----------===//

#include "Model.h"

#include "NPU/Target/Verify/Mutate.h"

using namespace llvm;
using namespace npu;
using namespace npu::verify;

Error npu::verifyTightWaits(const isa::Program &program) {
  Expected<Model> model = Model::build(program);
  if (!model)
    return model.takeError();
  for (const Site &site : model->sites) {
    if (!site.sync)
      continue;
    for (unsigned slot = 0; slot < 2; ++slot) {
      int64_t semaphore = slot ? site.sync->wait1 : site.sync->wait0;
      if (!semaphore)
        continue;
      isa::Program earlier =
          applyMutation(program, {MutationKind::DecrementWait, site.stream, site.index, slot});
      Error error = isa::checkProgram(earlier);
      if (!error)
        error = verifySynchronisation(earlier);
      if (error) {
        consumeError(std::move(error));
        continue;
      }
      return makeError(
          site, "slack",
          "{0} waits for one signal of semaphore {1} more than any access needs; lower "
          "the value by 1",
          model->describe(site), semaphore);
    }
  }
  return Error::success();
}
