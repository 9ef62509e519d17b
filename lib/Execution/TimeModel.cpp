//===- TimeModel.cpp - how long a model takes, without data ---------------===//

#include "DispatchRunner.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Execution/InputShapes.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "NPU/Pipelines/AssumeType.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
/// Goes through a host function as often as constants say.
class ModelTimer {
public:
  explicit ModelTimer(DispatchRunner &runner) : runner(runner) {}

  llvm::Error time(Region &body);

private:
  llvm::Error time(Operation *op);
  llvm::Error timeLoop(scf::ForOp loop);
  llvm::Error timeCall(CallOpInterface call);

  DispatchRunner &runner;
  unsigned depth = 0; ///< of calls
};
} // namespace

/// Whether it does what takes time, so far as one can see.
static bool hasDispatches(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return llvm::isa<flow::DispatchOp, CallOpInterface>(inner) ? WalkResult::interrupt()
                                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Error ModelTimer::timeLoop(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!count)
    return makeOpError(loop, "runs dispatches as often as the data says, so that their time is not "
                             "known; run the model without --timing-only");
  constexpr size_t maxRecords = 1'000'000;
  for (uint64_t iteration = 0, end = count->getZExtValue(); iteration < end; ++iteration) {
    if (runner.report.dispatches.size() > maxRecords)
      return makeOpError(loop, "runs more than " + Twine(maxRecords) + " dispatches");
    if (llvm::Error error = time(loop.getRegion()))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ModelTimer::timeCall(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  if (!callee || callee.isExternal())
    return llvm::Error::success();
  constexpr unsigned maxDepth = 64;
  if (depth == maxDepth)
    return makeOpError(call, "is called recursively, which is not supported");
  ++depth;
  llvm::Error error = time(callee.getFunctionBody());
  --depth;
  return error;
}

llvm::Error ModelTimer::time(Operation *op) {
  if (auto segment = dyn_cast<SegmentOp>(op))
    return runner.time(segment);
  if (auto dispatch = dyn_cast<flow::DispatchOp>(op))
    return runner.time(runner.getNumber(dispatch));
  if (auto call = dyn_cast<CallOpInterface>(op))
    return timeCall(call);
  if (op->getNumRegions() == 0 || !hasDispatches(op))
    return llvm::Error::success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return timeLoop(loop);
  return makeOpError(op, "runs dispatches if the data says so, so that their time is not known; "
                         "run the model without --timing-only");
}

llvm::Error ModelTimer::time(Region &body) {
  if (!body.hasOneBlock())
    return makeOpError(body.getParentOp(),
                       "branches between blocks, so that the time of its dispatches is not known; "
                       "run the model without --timing-only");
  for (Operation &op : body.front())
    if (llvm::Error error = time(&op))
      return error;
  return llvm::Error::success();
}

llvm::Expected<RunReport> npu::runtime::timeModel(ModuleOp module, const RunOptions &options) {
  if (llvm::Error error = specializeToInputs(module, options.function, options.inputs,
                                             InputUse::Shapes, options.simulator.memoryLimit))
    return std::move(error);
  if (!options.assumedType.empty() && failed(assumeType(module)))
    return llvm::createStringError("the model cannot be taken as a quantized one");
  DispatchCompiler compiler(options.target, options.schedule, options.effort);
  llvm::Expected<std::unique_ptr<DispatchRunner>> runner =
      DispatchRunner::create(module, options, compiler);
  if (!runner)
    return runner.takeError();
  if (module.getOps<util::FuncOp>().empty()) {
    llvm::Expected<unsigned> dispatch = (*runner)->findOnlyFunction();
    if (!dispatch)
      return dispatch.takeError();
    if (llvm::Error error = compiler.checkSchedule(module))
      return std::move(error);
    if (llvm::Error error = (*runner)->time(*dispatch))
      return std::move(error);
    return (*runner)->takeReport();
  }
  if (llvm::Error error = (*runner)->compile(module))
    return std::move(error);
  ModelTimer timer(**runner);
  for (auto initializer : module.getOps<util::InitializerOp>())
    if (llvm::Error error = timer.time(initializer.getBody()))
      return std::move(error);
  llvm::Expected<FunctionOpInterface> function = findHostFunction(module, options.function);
  if (!function)
    return function.takeError();
  if (llvm::Error error = timer.time(function->getFunctionBody()))
    return std::move(error);
  return (*runner)->takeReport();
}
