//===- PlanModel.cpp - what would run where, and what it would take -------===//

#include "DispatchRunner.h"
#include "InputShapes.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

llvm::Expected<RunReport> npu::runtime::planModel(ModuleOp module, const RunOptions &options) {
  if (llvm::Error error = specializeToInputs(module, options.function, options.inputs,
                                             options.simulator.memoryLimit))
    return std::move(error);
  DispatchCompiler compiler(options.target);
  llvm::Expected<std::unique_ptr<DispatchRunner>> created =
      DispatchRunner::create(module, options, compiler);
  if (!created)
    return created.takeError();
  DispatchRunner &runner = **created;
  if (llvm::Error error = runner.compile(module))
    return std::move(error);
  RunReport &report = runner.report;
  report.isPlan = true;
  llvm::SmallPtrSet<Operation *, 8> planned; // segments
  for (unsigned index = 0; index < runner.getNumDispatches(); ++index) {
    auto segment = runner.getOp(index)->getParentOfType<SegmentOp>();
    if (segment && !planned.insert(segment).second)
      continue;
    if (llvm::Error error = segment ? runner.plan(segment) : runner.plan(index))
      return std::move(error);
  }
  // What runs on the host may stand between dispatches of a segment.
  llvm::sort(report.dispatches,
             [](const DispatchRecord &a, const DispatchRecord &b) { return a.index < b.index; });
  return std::move(report);
}
