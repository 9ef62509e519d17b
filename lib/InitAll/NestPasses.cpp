//===- NestPasses.cpp - passes on functions in pipelines on modules -------===//

#include "NPU/InitAll/NestPasses.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
/// Only pass managers may ask a pass where it runs, and copy it.
struct PassAccess : Pass {
  static bool canScheduleOn(const Pass &pass, RegisteredOperationName name) {
    bool (Pass::*member)(RegisteredOperationName) const = &PassAccess::canScheduleOn;
    return (pass.*member)(name);
  }
  static std::unique_ptr<Pass> clone(const Pass &pass) {
    std::unique_ptr<Pass> (Pass::*member)() const = &PassAccess::clone;
    return (pass.*member)();
  }
  using Pass::canScheduleOn;
  using Pass::clone;
};
} // namespace

void npu::nestInterfacePasses(PassManager &pm) {
  std::optional<RegisteredOperationName> anchor =
      RegisteredOperationName::lookup(pm.getOpAnchorName(), pm.getContext());
  auto isMisplaced = [&](const Pass &pass) {
    return anchor && !pass.getOpName() && !PassAccess::canScheduleOn(pass, *anchor);
  };
  if (llvm::none_of(pm.getPasses(), isMisplaced))
    return;
  SmallVector<std::unique_ptr<Pass>> passes;
  for (Pass &pass : pm.getPasses())
    passes.push_back(PassAccess::clone(pass));
  pm.clear();
  for (std::unique_ptr<Pass> &pass : passes)
    if (isMisplaced(*pass))
      pm.nestAny().addPass(std::move(pass));
    else
      pm.addPass(std::move(pass));
}
