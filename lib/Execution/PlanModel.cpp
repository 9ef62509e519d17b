//===- PlanModel.cpp - what would run where, and what it would take -------===//

#include "DispatchRunner.h"

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Execution/InputShapes.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/Pipelines/AssumeType.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// `function` and what it calls.
static llvm::SetVector<Operation *> getCalled(FunctionOpInterface function) {
  llvm::SetVector<Operation *> called;
  called.insert(function);
  for (size_t next = 0; next < called.size(); ++next)
    called[next]->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallable())
        called.insert(callee);
    });
  return called;
}

/// The ops that the planned dispatches are in; empty if all of the module's are planned.
static llvm::Expected<llvm::SetVector<Operation *>>
findChosen(ModuleOp module, const DispatchRunner &runner, StringRef function) {
  llvm::SetVector<Operation *> chosen;
  if (function.empty())
    return chosen;
  if (module.getOps<util::FuncOp>().empty()) {
    llvm::Expected<unsigned> index = runner.findOnlyFunction();
    if (!index)
      return index.takeError();
    chosen.insert(runner.getOp(*index));
    return chosen;
  }
  llvm::Expected<FunctionOpInterface> host = findHostFunction(module, function);
  if (!host)
    return host.takeError();
  chosen = getCalled(*host);
  for (auto initializer : module.getOps<util::InitializerOp>())
    chosen.insert(initializer);
  return chosen;
}

llvm::Expected<RunReport> npu::runtime::planModel(ModuleOp module, const RunOptions &options) {
  if (llvm::Error error = specializeToInputs(module, options.function, options.inputs,
                                             InputUse::Shapes, options.simulator.memoryLimit))
    return std::move(error);
  if (!options.assumedType.empty() && failed(assumeType(module)))
    return llvm::createStringError("the model cannot be taken as a quantized one");
  DispatchCompiler compiler(options.target, options.schedule, options.effort);
  llvm::Expected<std::unique_ptr<DispatchRunner>> created =
      DispatchRunner::create(module, options, compiler);
  if (!created)
    return created.takeError();
  DispatchRunner &runner = **created;
  llvm::Expected<llvm::SetVector<Operation *>> chosen =
      findChosen(module, runner, options.function);
  if (!chosen)
    return chosen.takeError();
  if (llvm::Error error = runner.compile(module))
    return std::move(error);
  runner.report.isPlan = true;
  llvm::SmallPtrSet<Operation *, 8> planned; // segments
  for (unsigned index = 0; index < runner.getNumDispatches(); ++index) {
    Operation *op = runner.getOp(index);
    if (!chosen->empty() &&
        llvm::none_of(*chosen, [&](Operation *holder) { return holder->isAncestor(op); }))
      continue;
    auto segment = op->getParentOfType<SegmentOp>();
    if (segment && !planned.insert(segment).second)
      continue;
    if (llvm::Error error = segment ? runner.plan(segment) : runner.plan(index))
      return std::move(error);
  }
  RunReport report = runner.takeReport();
  // What runs on the host may stand between dispatches of a segment.
  llvm::sort(report.dispatches,
             [](const DispatchRecord &a, const DispatchRecord &b) { return a.index < b.index; });
  return report;
}
