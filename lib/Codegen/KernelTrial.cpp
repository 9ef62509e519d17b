//===- KernelTrial.cpp - what a kernel would take otherwise ---------------===//

#include "NPU/Codegen/KernelTrial.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Support/PassManagers.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

/// Measures the program that `module` was compiled to.
static FailureOr<std::optional<sim::Result>> measureProgram(ModuleOp module) {
  FailureOr<isa::Program> program =
      isa::toBorrowingProgram(*module.getOps<isa::ProgramOp>().begin());
  if (failed(program))
    return failure();
  sim::Options options;
  options.stepLimit = 10'000'000;
  llvm::Expected<sim::Result> result = sim::measure(*program, options);
  if (result)
    return std::optional(std::move(*result));
  llvm::consumeError(result.takeError());
  return std::optional<sim::Result>();
}

/// A module with a copy of the kernel.
static OwningOpRef<ModuleOp> makeModule(KernelOp kernel) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  KernelOp copy = kernel.clone();
  module->push_back(copy);
  copy.setPublic();
  return module;
}

FailureOr<std::optional<sim::Result>> npu::measureAlone(KernelOp kernel) {
  OwningOpRef<ModuleOp> module = makeModule(kernel);
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  populateBackEnd(pm);
  if (failed(runAndVerify(pm, *module)))
    return failure();
  return measureProgram(*module);
}

std::optional<KernelTrial::Outcome> KernelTrial::search(StringRef target) const {
  MLIRContext *context = KernelOp(*kernel).getContext();
  ScopedDiagnosticHandler handler(context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = makeModule(*kernel);
  KernelOp copy = *module->getOps<KernelOp>().begin();
  copy.setTargetAttr(TargetAttr::get(context, StringAttr::get(context, target)));
  Outcome outcome;
  PassManager pm(context, ModuleOp::getOperationName());
  pm.addPass(createNPUChooseTiles(createTileMemo(
      [&](KernelOp, Rewriting, ScheduleAttr schedule) { outcome.schedule = schedule; })));
  populateTileFormPipeline(pm);
  populateBackEndFromTileForm(pm);
  if (failed(runAndVerify(pm, *module)))
    return std::nullopt;
  FailureOr<std::optional<sim::Result>> result = measureProgram(*module);
  if (failed(result) || !*result)
    return std::nullopt;
  outcome.result = std::move(**result);
  return outcome;
}

std::optional<KernelTrial::Outcome> KernelTrial::follow(ScheduleAttr schedule) const {
  ScopedDiagnosticHandler handler(KernelOp(*kernel).getContext(),
                                  [](Diagnostic &) { return success(); });
  for (Rewriting::Kind kind :
       {Rewriting::Kind::None, Rewriting::Kind::FoldBiases, Rewriting::Kind::SplitReductions}) {
    FailureOr<OwningOpRef<KernelOp>> scheduled = applySchedule(*kernel, Rewriting{kind}, schedule);
    if (failed(scheduled))
      continue;
    FailureOr<std::optional<sim::Result>> result = measureAlone(**scheduled);
    if (succeeded(result) && *result)
      return Outcome{std::move(**result), schedule};
  }
  return std::nullopt;
}

SmallVector<ScheduleAttr> KernelTrial::getNeighbors(ScheduleAttr schedule) {
  MLIRContext *context = schedule.getContext();
  llvm::SetVector<Attribute> neighbors;
  // The node as `change` makes it, wherever it stands.
  auto add = [&](Attribute node, Attribute changed) {
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](Attribute attribute) -> std::optional<Attribute> {
      return attribute == node ? std::optional(changed) : std::nullopt;
    });
    neighbors.insert(replacer.replace(cast<Attribute>(schedule)));
  };
  schedule.walk([&](Attribute node) {
    if (auto loop = dyn_cast<ScheduleLoopAttr>(node)) {
      auto withTile = [&](int64_t tile) {
        add(loop, ScheduleLoopAttr::get(context, loop.getDim(), tile, loop.getClusters(),
                                        loop.getBody()));
      };
      withTile(2 * loop.getTile());
      if (loop.getTile() % 2 == 0)
        withTile(loop.getTile() / 2);
    }
    auto withDepths = [&](int64_t depth, llvm::function_ref<Attribute(int64_t)> make) {
      add(node, make(depth + 1));
      if (depth > 1)
        add(node, make(depth - 1));
    };
    if (auto load = dyn_cast<ScheduleLoadAttr>(node))
      withDepths(load.getDepth(), [&](int64_t depth) {
        return ScheduleLoadAttr::get(context, load.getOperand(), depth);
      });
    if (auto value = dyn_cast<ScheduleValueAttr>(node))
      withDepths(value.getDepth(), [&](int64_t depth) {
        return ScheduleValueAttr::get(context, value.getStage(), value.getSpace(), depth);
      });
    if (auto stage = dyn_cast<ScheduleStageAttr>(node); stage && stage.getSpace())
      withDepths(stage.getDepth(), [&](int64_t depth) {
        return ScheduleStageAttr::get(context, stage.getStage(), stage.getSpace(), depth,
                                      stage.getSkew(), stage.getBeginDim(), stage.getBegin(),
                                      stage.getEndDim());
      });
  });
  neighbors.remove(schedule);
  return llvm::map_to_vector(neighbors,
                             [](Attribute attribute) { return cast<ScheduleAttr>(attribute); });
}
