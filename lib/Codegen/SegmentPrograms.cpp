//===- SegmentPrograms.cpp - programs of segments -------------------------===//

#include "SegmentPrograms.h"

#include "SegmentLauncher.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Support/PassManagers.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

#include <map>

using namespace mlir;
using namespace npu;

PlannedKernel npu::describeKernel(KernelOp kernel, unsigned numDispatches) {
  return {numDispatches, kernel.getTilingAttr(), kernel.getScheduleAttr()};
}

FailureOr<SegmentPrograms> npu::buildSegmentPrograms(ArrayRef<SegmentOp> segments,
                                                     SegmentOutputs outputs,
                                                     ArrayRef<SegmentSchedule> schedules) {
  SegmentOp first = segments.front();
  MLIRContext *context = first.getContext();
  OwningOpRef<ModuleOp> batch = ModuleOp::create(UnknownLoc::get(context));
  SymbolTable symbols(*batch);
  DenseMap<Operation *, StringAttr> names; // of the copy, by kernel
  for (const SegmentSchedule &schedule : schedules)
    for (const KernelWindow &window : schedule.windows)
      if (StringAttr &name = names[window.kernel]; !name) {
        KernelOp copy = KernelOp(window.kernel).clone();
        copy.setPrivate();
        name = symbols.insert(copy);
      }
  PassManager toTiles(context, ModuleOp::getOperationName());
  populateLaunchedForm(toTiles);
  applyPassManagerOptions(toTiles);
  if (failed(runAndVerify(toTiles, *batch)))
    return failure();

  SymbolTable tiled(*batch);
  SegmentPrograms result;
  std::map<std::string, size_t> known; // by the launches
  std::vector<StringAttr> programNames;
  for (auto [number, segment] : llvm::enumerate(segments)) {
    SegmentSchedule launched = schedules[number];
    for (KernelWindow &window : launched.windows)
      window.kernel = tiled.lookup<KernelOp>(names.lookup(window.kernel));
    KernelOp kernel = createLauncher(segment, outputs, launched);
    auto [program, isNew] = known.try_emplace(getLauncherKey(kernel), result.programs.size());
    result.programOfSegment.push_back(program->second);
    if (!isNew) {
      kernel.erase();
      continue;
    }
    result.firstSegments.push_back(number);
    result.programs.push_back(std::make_unique<CompiledProgram>());
    for (const KernelWindow &window : launched.windows)
      result.programs.back()->kernels.push_back(
          describeKernel(window.kernel, window.dispatches.size()));
    programNames.push_back(tiled.insert(kernel));
  }
  PassManager toPrograms(context, ModuleOp::getOperationName());
  toPrograms.addPass(createNPULinkKernels());
  populateBackEndFromTileForm(toPrograms);
  applyPassManagerOptions(toPrograms);
  if (failed(runAndVerify(toPrograms, *batch)))
    return failure();
  SymbolTable linked(*batch);
  for (auto [name, program] : llvm::zip_equal(programNames, result.programs)) {
    program->op = linked.lookup<isa::ProgramOp>(name);
    FailureOr<isa::Program> code = isa::toProgram(program->op, &program->dispatchOfSource);
    if (failed(code))
      return failure();
    program->code = std::move(*code);
    program->op->remove();
    result.ops.push_back(program->op);
  }
  return result;
}
