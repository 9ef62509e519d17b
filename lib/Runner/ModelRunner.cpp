//===- ModelRunner.cpp - runs a model and reports on it -------------------===//

#include "NPU/Runner/ModelRunner.h"

#include "InputShapes.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostModel.h"
#include "NPU/HostProgram/HostProgram.h"
#include "NPU/HostReference/ErrorPropagation.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Runner/NPUExecutor.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

int64_t npu::runtime::getBusyCycles(const sim::Result &result, isa::EngineKind engine) {
  int64_t cycles = 0;
  for (const sim::StreamStats &stream : result.streams)
    if (stream.engine == engine)
      cycles += stream.busy;
  return cycles;
}

namespace {
/// Runs dispatches on the simulator and, for the comparison, on the host.
class Runner {
public:
  Runner(ModuleOp module, const RunOptions &options, TargetDesc target, Partition partition,
         DispatchCompiler &compiler)
      : options(options), target(std::move(target)), partition(std::move(partition)),
        compiler(compiler), references(makeReferenceOptions(options)),
        sites(flow::collectDispatches(module)) {
    for (const flow::DispatchSite &site : sites) {
      propagatesErrors |= site.body && roundsCoarsely(*site.body);
      auto function = site.body ? dyn_cast<func::FuncOp>(site.body->getParentOp()) : func::FuncOp();
      hasMath |= function && hasMathErrors(function);
    }
  }

  /// Compiles the dispatches that the NPU runs, all at once.
  llvm::Error compile();
  /// Dispatch `index` where the partition places it; recorded in the report.
  llvm::Expected<SmallVector<HostTensor>> run(unsigned index, ArrayRef<HostTensor> inputs);
  /// Dispatch `index` on the host; not recorded.
  llvm::Expected<SmallVector<HostTensor>> runOnHost(unsigned index, ArrayRef<HostTensor> inputs);
  /// All of a model as it came.
  llvm::Expected<SmallVector<HostTensor>> runOnHost(const HostModel &model,
                                                    ArrayRef<HostTensor> inputs);

  /// As `runOnHost` of a dispatch that was the `position`th to run, with results moved as far as
  /// the check of that run allows.
  llvm::Expected<SmallVector<HostTensor>> runMoved(unsigned index, ArrayRef<HostTensor> inputs,
                                                   size_t position, unsigned pattern);
  /// Whether errors of dispatches are to be followed to the outputs.
  bool hasErrorsToPropagate() const { return hasErrors; }
  /// To integers as well: as within a dispatch, only elementary functions excuse those.
  bool mayMoveIntegers() const { return hasMath; }

  llvm::Expected<func::FuncOp> getFunction(unsigned index) const;

  /// Compares with the reference, within the bound of the function's sums and elementary functions.
  llvm::Expected<CompareReport> compareResult(const HostTensor &expected, const HostTensor &actual,
                                              ArrayRef<HostTensor> inputs,
                                              std::optional<HostTensor> bound, double ulps);

  RunReport report;

private:
  static HostReferenceOptions makeReferenceOptions(const RunOptions &options) {
    HostReferenceOptions result;
    result.memoryLimit = options.simulator.memoryLimit;
    result.optLevel = options.hostOptLevel;
    // The model's f16 sums are defined as widened; both sides start from that IR.
    result.prepare = [](OpPassManager &pm) {
      pm.addPass(linalg_ext::createLowerToLoops());
      pm.addPass(createNPUWidenAccumulators());
    };
    result.registerDialects = [](DialectRegistry &registry) {
      registry.insert<linalg_ext::LinalgExtDialect>();
    };
    return result;
  }

  llvm::Expected<SmallVector<HostTensor>>
  runOnNPU(func::FuncOp function, const isa::Program &program, ArrayRef<HostTensorType> outputTypes,
           DispatchRecord &record, ArrayRef<HostTensor> inputs);
  llvm::Error check(func::FuncOp function, DispatchRecord &record, ArrayRef<HostTensor> inputs,
                    ArrayRef<HostTensor> outputs);

  const RunOptions &options;
  TargetDesc target;
  Partition partition;
  DispatchCompiler &compiler;
  HostReferenceCache references;
  SmallVector<flow::DispatchSite> sites;
  bool propagatesErrors = false, hasErrors = false, hasMath = false;
  /// Of every dispatch that ran, in that order, if they are to be propagated.
  std::vector<DispatchErrors> errors;
};
} // namespace

llvm::Error Runner::compile() {
  SmallVector<func::FuncOp> functions;
  for (const PartitionedFunction &function : partition.getFunctions())
    if (function.placement == Placement::NPU && !options.hostOnly)
      functions.push_back(function.function);
  if (failed(compiler.compile(functions)))
    return makeError("the model's dispatches were not compiled");
  return llvm::Error::success();
}

llvm::Expected<func::FuncOp> Runner::getFunction(unsigned index) const {
  Region *body = index < sites.size() ? sites[index].body : nullptr;
  auto function = body ? dyn_cast<func::FuncOp>(body->getParentOp()) : func::FuncOp();
  if (!function)
    return makeError("its code is not in this file; give a flow-level module with its executables");
  return function;
}

/// Types of the arguments, then of the results.
static llvm::Expected<SmallVector<HostTensorType>> getTypes(func::FuncOp function) {
  SmallVector<HostTensorType> result;
  auto append = [&](StringRef what, TypeRange types) -> llvm::Error {
    for (auto [number, type] : llvm::enumerate(types)) {
      std::optional<HostTensorType> tensorType = HostTensorType::get(type);
      if (tensorType) {
        result.push_back(std::move(*tensorType));
        continue;
      }
      auto shaped = dyn_cast<RankedTensorType>(type);
      InFlightDiagnostic diagnostic = function->emitError(what)
                                      << " " << number << " of '" << function.getSymName()
                                      << "' is " << type << ", expected ";
      if (!shaped)
        diagnostic << "a ranked tensor";
      else if (shaped.hasStaticShape())
        diagnostic << "at most 2^63 - 1 bytes of i1, i8, i16, i32, i64, f16, bf16, f32 or f64";
      else if (what == "argument")
        diagnostic << "a statically shaped tensor; give inputs with their shapes, as in "
                      "--input=4x8xf32=1, or run npu-specialize-shapes before";
      else
        diagnostic << "a tensor whose shape follows from those of the arguments; state it in the "
                      "function's type";
      return makeError("the function cannot run");
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = append("argument", function.getArgumentTypes()))
    return std::move(error);
  if (llvm::Error error = append("result", function.getResultTypes()))
    return std::move(error);
  return result;
}

llvm::Expected<CompareReport> Runner::compareResult(const HostTensor &expected,
                                                    const HostTensor &actual,
                                                    ArrayRef<HostTensor> inputs,
                                                    std::optional<HostTensor> bound, double ulps) {
  Tolerance tolerance = bound ? Tolerance::fromBound(std::move(*bound), ulps) : Tolerance::exact();
  tolerance.allowDegenerate = inputsForceDegenerateOutput(inputs);
  if (propagatesErrors) {
    HostTensor allowed = getAllowed(expected, tolerance);
    hasErrors |= llvm::any_of(allowed.getBytes(), [](uint8_t byte) { return byte != 0; });
    errors.back().distances.push_back(std::move(allowed));
  }
  return compare(expected, actual, tolerance);
}

llvm::Error Runner::check(func::FuncOp function, DispatchRecord &record,
                          ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> outputs) {
  llvm::Expected<HostReference *> reference = references.getReference(function);
  if (!reference)
    return reference.takeError();
  llvm::Expected<SmallVector<HostTensor>> expected = (*reference)->run(inputs);
  if (!expected)
    return expected.takeError();
  // An integer that is rounded from an elementary function may be the next one.
  bool hasMath = hasMathErrors(function);
  bool hasFloats = llvm::any_of(
      outputs, [](const HostTensor &tensor) { return isFloat(tensor.getElementType()); });
  SmallVector<HostTensor> bounds;
  if (hasFloats || hasMath) {
    llvm::Expected<ContractionBound *> bound = references.getBound(function);
    if (!bound)
      return bound.takeError();
    llvm::Expected<SmallVector<HostTensor>> evaluated = (*bound)->evaluate(inputs);
    if (!evaluated)
      return evaluated.takeError();
    bounds = std::move(*evaluated);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    bool hasBound = hasMath || isFloat(outputs[i].getElementType());
    bool dependsOnMath =
        hasMath && llvm::any_of(bounds[i].getBytes(), [](uint8_t byte) { return byte != 0; });
    llvm::Expected<CompareReport> result = compareResult(
        (*expected)[i], outputs[i], inputs, hasBound ? std::optional(bounds[i]) : std::nullopt,
        dependsOnMath ? mathTailUlps : 0);
    if (!result)
      return result.takeError();
    record.checks.push_back(std::move(*result));
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>> Runner::runOnNPU(func::FuncOp function,
                                                         const isa::Program &program,
                                                         ArrayRef<HostTensorType> outputTypes,
                                                         DispatchRecord &record,
                                                         ArrayRef<HostTensor> inputs) {
  if (llvm::Error error = sim::checkMemory(program, options.simulator))
    return std::move(error);
  SmallVector<HostTensor> outputs;
  for (const HostTensorType &type : outputTypes)
    outputs.push_back(HostTensor(type.elementType, type.shape));
  llvm::Expected<LaunchResult> result = launch(program, inputs, outputs, options.simulator);
  if (!result)
    return llvm::handleErrors(result.takeError(),
                              [&](std::unique_ptr<sim::Trap> trap) -> llvm::Error {
                                trap->detail += llvm::formatv(", in dispatch #{0}", record.index);
                                return llvm::Error(std::move(trap));
                              });
  if (int64_t bytes = result->statistics.unwrittenOutputBytes)
    return makeError(llvm::formatv("dispatch #{0} left {1} bytes of its outputs unwritten",
                                   record.index, bytes));
  record.limit = computeRoofline(function, target);
  record.statistics = std::move(result->statistics);
  if (options.check)
    if (llvm::Error error = check(function, record, inputs, result->outputs))
      return std::move(error);
  return std::move(result->outputs);
}

llvm::Expected<SmallVector<HostTensor>> Runner::run(unsigned index, ArrayRef<HostTensor> inputs) {
  llvm::Expected<func::FuncOp> function = getFunction(index);
  if (!function)
    return function.takeError();
  llvm::Expected<SmallVector<HostTensorType>> types = getTypes(*function);
  if (!types)
    return types.takeError();
  if (llvm::Error error = checkMemory(*types, options.simulator.memoryLimit))
    return std::move(error);
  const PartitionedFunction &decision = *partition.find(index);
  DispatchRecord record;
  record.index = index;
  record.description = decision.description;
  record.placement = options.hostOnly ? Placement::Host : decision.placement;
  record.macs = decision.macs;
  for (const RejectedOp &reason : decision.reasons)
    llvm::raw_string_ostream(record.reasons.emplace_back()) << reason.rejection;
  if (record.placement == Placement::Host && record.reasons.empty())
    record.reasons.push_back("placed there by the user");
  if (propagatesErrors)
    errors.push_back({index, {}});
  const isa::Program *program = nullptr;
  if (record.placement == Placement::NPU) {
    FailureOr<const CompiledProgram *> compiled = compiler.getProgram(*function);
    if (failed(compiled))
      return makeError("'" + function->getSymName() + "' was not compiled");
    program = &(*compiled)->code;
  }
  llvm::Expected<SmallVector<HostTensor>> outputs =
      program ? runOnNPU(*function, *program,
                         ArrayRef(*types).drop_front(function->getNumArguments()), record, inputs)
              : runOnHost(index, inputs);
  if (!outputs)
    return outputs;
  if (options.onDispatch)
    if (llvm::Error error = options.onDispatch({record, program, inputs, *outputs}))
      return std::move(error);
  record.statistics.events.clear();
  report.dispatches.push_back(std::move(record));
  return outputs;
}

llvm::Expected<SmallVector<HostTensor>> Runner::runOnHost(unsigned index,
                                                          ArrayRef<HostTensor> inputs) {
  llvm::Expected<func::FuncOp> function = getFunction(index);
  if (!function)
    return function.takeError();
  llvm::Expected<HostReference *> reference = references.getReference(*function);
  if (!reference)
    return reference.takeError();
  return (*reference)->run(inputs);
}

llvm::Expected<SmallVector<HostTensor>>
Runner::runMoved(unsigned index, ArrayRef<HostTensor> inputs, size_t position, unsigned pattern) {
  llvm::Expected<SmallVector<HostTensor>> results = runOnHost(index, inputs);
  // Where moved data takes another branch, dispatches of the run have no match.
  if (!results || position >= errors.size() || errors[position].index != index ||
      errors[position].distances.empty())
    return results;
  for (auto [number, result] : llvm::enumerate(*results))
    if (const HostTensor &distance = errors[position].distances[number];
        distance.getShape() == result.getShape())
      result = moveResult(result, distance, pattern, position * results->size() + number);
  return results;
}

llvm::Expected<SmallVector<HostTensor>> Runner::runOnHost(const HostModel &model,
                                                          ArrayRef<HostTensor> inputs) {
  llvm::Expected<HostReference *> reference = references.getReference(model.getFunction());
  if (!reference)
    return reference.takeError();
  return (*reference)->run(model.getArguments(inputs));
}

/// `distances` tells how far dispatches move the outputs; empty: not at all.
static llvm::Error compareOutputs(RunReport &report, ArrayRef<HostTensor> expected,
                                  ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> distances,
                                  bool mayMoveIntegers) {
  for (auto [number, record] : llvm::enumerate(report.outputs)) {
    const HostTensor &reference = expected[number];
    std::optional<HostTensor> distance;
    if (!distances.empty() && (mayMoveIntegers || isFloat(reference.getElementType())))
      distance = distances[number];
    llvm::Expected<CompareReport> check = compare(
        reference, record.value, getEndToEndTolerance(reference, inputs, std::move(distance)));
    if (!check)
      return check.takeError();
    record.check = std::move(*check);
  }
  return llvm::Error::success();
}

llvm::Error npu::runtime::compareWithExpected(RunReport &report,
                                              ArrayRef<std::optional<HostTensor>> expected,
                                              const ExpectedTolerance &tolerance) {
  for (auto [record, wanted] : llvm::zip_equal(report.outputs, expected)) {
    if (!wanted)
      continue;
    llvm::Expected<CompareReport> result =
        compare(*wanted, record.value, tolerance.get(wanted->getElementType()));
    if (!result)
      return result.takeError();
    record.expectation = std::move(*result);
  }
  return llvm::Error::success();
}

/// A module without a host function: its only (or the named) function is the one dispatch.
static llvm::Expected<RunReport> runFunction(ModuleOp module, Runner &runner,
                                             const RunOptions &options) {
  std::optional<unsigned> chosen;
  unsigned count = 0;
  for (auto [index, site] : llvm::enumerate(flow::collectDispatches(module))) {
    auto function = dyn_cast<func::FuncOp>(site.op);
    if (!function || (!options.function.empty() && function.getSymName() != options.function) ||
        (options.function.empty() && function.isPrivate()))
      continue;
    chosen = index;
    ++count;
  }
  if (count == 0)
    return makeError(options.function.empty()
                         ? "the module has no public function to run"
                         : "the module has no function '" + options.function + "'");
  if (count > 1)
    return makeError("the module has " + Twine(count) +
                     " public functions; choose one with --function=<name>");
  llvm::Expected<func::FuncOp> function = runner.getFunction(*chosen);
  if (!function)
    return function.takeError();
  llvm::Expected<SmallVector<HostTensorType>> types = getTypes(*function);
  if (!types)
    return types.takeError();
  // Before the inputs are made: the results may be what is too large.
  if (llvm::Error error = checkMemory(*types, options.simulator.memoryLimit))
    return std::move(error);
  llvm::Expected<SmallVector<HostTensor>> inputs =
      makeInputs(options.inputs, ArrayRef(*types).take_front(function->getNumArguments()),
                 options.simulator.memoryLimit);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<SmallVector<std::optional<HostTensor>>> wanted = readExpectedOutputs(
      options.expectedOutputs, ArrayRef(*types).drop_front(function->getNumArguments()));
  if (!wanted)
    return wanted.takeError();
  llvm::Expected<SmallVector<HostTensor>> outputs = runner.run(*chosen, *inputs);
  if (!outputs)
    return outputs.takeError();
  RunReport report = std::move(runner.report);
  for (auto [number, output] : llvm::enumerate(*outputs))
    report.outputs.push_back(
        {"output" + std::to_string(number), std::move(output), std::nullopt, std::nullopt});
  if (llvm::Error error = compareWithExpected(report, *wanted, options.tolerance))
    return std::move(error);
  if (!options.check)
    return report;
  // The dispatch is the whole model.
  if (const DispatchRecord &dispatch = report.dispatches.front();
      dispatch.placement == Placement::NPU) {
    for (auto [record, check] : llvm::zip_equal(report.outputs, dispatch.checks))
      record.check = check;
    return report;
  }
  llvm::Expected<SmallVector<HostTensor>> expected = runner.runOnHost(*chosen, *inputs);
  if (!expected)
    return expected.takeError();
  if (llvm::Error error =
          compareOutputs(report, *expected, *inputs, /*distances=*/{}, /*mayMoveIntegers=*/false))
    return std::move(error);
  return report;
}

/// Whether the loops, branches and calls of `module` are all in functions that upstream can
/// compile. Only then is there a reference that does not share the interpreter.
static bool hasUpstreamControlFlow(ModuleOp module) {
  if (!module.getOps<util::GlobalOp>().empty() || !module.getOps<util::FuncOp>().empty())
    return false;
  bool hasControl = false, hasDispatches = false;
  module.walk([&](Operation *op) {
    hasControl |= llvm::isa<CallOpInterface, BranchOpInterface, RegionBranchOpInterface>(op);
    hasDispatches |= llvm::isa_and_nonnull<flow::FlowDialect>(op->getDialect());
  });
  return hasControl && !hasDispatches;
}

/// `model` is the reference for the outputs; null: the same host function around dispatches that
/// the host runs.
static llvm::Expected<RunReport> runHostProgram(ModuleOp module, Runner &runner,
                                                const HostModel *model, const RunOptions &options) {
  auto run = [&](HostProgramCallbacks callbacks, SmallVector<HostTensor> &inputs,
                 auto collectOutputs) -> llvm::Expected<SmallVector<HostTensor>> {
    callbacks.parameter = options.parameter;
    callbacks.memoryLimit = options.simulator.memoryLimit;
    callbacks.opLimit = options.hostOpLimit;
    llvm::Expected<std::unique_ptr<HostProgram>> program =
        HostProgram::create(module, options.function, std::move(callbacks));
    if (!program)
      return program.takeError();
    SmallVector<HostTensorType> types;
    for (const HostProgramValue &input : (*program)->getInputs())
      types.push_back(input.type);
    llvm::Expected<SmallVector<HostTensor>> made =
        makeInputs(options.inputs, types, options.simulator.memoryLimit);
    if (!made)
      return made.takeError();
    inputs = *made;
    if (llvm::Error error = collectOutputs((*program)->getOutputs()))
      return std::move(error);
    return (*program)->run(inputs);
  };

  SmallVector<HostTensor> inputs;
  std::vector<std::string> names;
  SmallVector<std::optional<HostTensor>> wanted;
  HostProgramCallbacks callbacks;
  callbacks.dispatch = [&](const DispatchCall &call) {
    return runner.run(call.index, call.inputs);
  };
  callbacks.executed = options.onHostOp;
  llvm::Expected<SmallVector<HostTensor>> outputs =
      run(std::move(callbacks), inputs, [&](ArrayRef<HostProgramValue> values) -> llvm::Error {
        SmallVector<HostTensorType> types;
        for (const HostProgramValue &value : values) {
          names.push_back(value.name.empty() ? "output" + std::to_string(names.size())
                                             : value.name);
          types.push_back(value.type);
        }
        return readExpectedOutputs(options.expectedOutputs, types).moveInto(wanted);
      });
  if (!outputs)
    return outputs.takeError();
  RunReport report = std::move(runner.report);
  for (auto [name, output] : llvm::zip(names, *outputs))
    report.outputs.push_back({name, std::move(output), std::nullopt, std::nullopt});
  if (llvm::Error error = compareWithExpected(report, wanted, options.tolerance))
    return std::move(error);
  if (!options.check)
    return report;

  auto runDispatchesOnHost = [&](auto dispatch) {
    HostProgramCallbacks onHost;
    onHost.dispatch = std::move(dispatch);
    return run(std::move(onHost), inputs,
               [](ArrayRef<HostProgramValue>) { return llvm::Error::success(); });
  };
  auto runUnmoved = [&] {
    return runDispatchesOnHost(
        [&](const DispatchCall &call) { return runner.runOnHost(call.index, call.inputs); });
  };
  llvm::Expected<SmallVector<HostTensor>> expected =
      model ? runner.runOnHost(*model, inputs) : runUnmoved();
  if (!expected)
    return expected.takeError();

  SmallVector<HostTensor> distances;
  if (runner.hasErrorsToPropagate()) {
    llvm::Expected<SmallVector<HostTensor>> base = model ? runUnmoved() : *expected;
    if (!base)
      return base.takeError();
    for (const HostTensor &output : *base)
      distances.emplace_back(ElementType::F64, output.getShape());
    for (unsigned pattern = 0; pattern < numMovePatterns; ++pattern) {
      size_t position = 0;
      llvm::Expected<SmallVector<HostTensor>> moved =
          runDispatchesOnHost([&](const DispatchCall &call) {
            return runner.runMoved(call.index, call.inputs, position++, pattern);
          });
      // Data that the model does not have may end it; that allows nothing.
      if (moved)
        accumulateDistances(distances, *base, *moved);
      else
        llvm::consumeError(moved.takeError());
    }
  }
  if (llvm::Error error =
          compareOutputs(report, *expected, inputs, distances, runner.mayMoveIntegers()))
    return std::move(error);
  return report;
}

llvm::Expected<RunReport> npu::runtime::runModel(ModuleOp module, const RunOptions &options) {
  llvm::Expected<TargetDesc> target = parseTarget(options.target);
  if (!target)
    return target.takeError();
  PartitionOptions partitionOptions;
  partitionOptions.fallback = options.hostOnly ? Fallback::Host : options.fallback;
  partitionOptions.placements = options.placements;
  if (llvm::Error error = specializeToInputs(module, options.function, options.inputs,
                                             options.simulator.memoryLimit))
    return std::move(error);
  std::unique_ptr<HostModel> model;
  if (options.check && hasUpstreamControlFlow(module))
    if (llvm::Error error =
            HostModel::create(module, options.function, options.parameter).moveInto(model))
      return std::move(error);
  DispatchCompiler compiler(options.target);
  FailureOr<Partition> partition =
      placeModel(module, partitionOptions, compiler, /*formsDispatches=*/!options.hostOnly);
  if (failed(partition))
    return makeError("the model's dispatches were not placed");
  Runner runner(module, options, std::move(*target), std::move(*partition), compiler);
  if (module.getOps<util::FuncOp>().empty())
    return runFunction(module, runner, options);
  if (llvm::Error error = runner.compile())
    return std::move(error);
  return runHostProgram(module, runner, model.get(), options);
}
