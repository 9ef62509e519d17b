//===- ModelRunner.cpp - runs a model and reports on it -------------------===//

#include "NPU/Execution/ModelRunner.h"

#include "DispatchRunner.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Execution/InputShapes.h"
#include "NPU/Execution/OutputLengths.h"
#include "NPU/HostProgram/HostProgram.h"
#include "NPU/HostReference/ErrorPropagation.h"
#include "NPU/Pipelines/ReferenceModel.h"
#include "NPU/Support/PresentOps.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// The inputs of a run, which are of `types`.
static llvm::Expected<SmallVector<HostTensor>> getInputs(const RunOptions &options,
                                                         ArrayRef<HostTensorType> types) {
  if (!options.inputValues)
    return makeInputs(options.inputs, types, options.simulator.memoryLimit);
  ArrayRef<HostTensor> values = *options.inputValues;
  if (values.size() != types.size())
    return llvm::make_error<UsageError>(
        llvm::formatv("expected {0} inputs, found {1}", types.size(), values.size()).str());
  for (auto [number, type, value] : llvm::enumerate(types, values))
    if (!type.matches(value))
      return llvm::createStringError(llvm::formatv("input {0}: expected a {1}, found a {2}", number,
                                                   type.str(), value.getTypeString())
                                         .str());
  return SmallVector<HostTensor>(values);
}

/// The outputs of a report.
static SmallVector<HostTensor> getValues(const RunReport &report) {
  return llvm::map_to_vector(report.outputs,
                             [](const OutputRecord &output) { return output.value; });
}

/// `distances` tells how far dispatches move the outputs; empty: not at all. Of outputs with
/// `lengths`, only what counts is compared.
static llvm::Error compareOutputs(RunReport &report, ArrayRef<HostTensor> expected,
                                  ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> distances,
                                  bool mayMoveIntegers, ArrayRef<ResultLength> lengths) {
  SmallVector<HostTensor> values = getValues(report);
  for (auto [number, record] : llvm::enumerate(report.outputs)) {
    HostTensor reference = takeCounted(expected[number], number, lengths, expected);
    HostTensor actual = takeCounted(record.value, number, lengths, values);
    // Their counts differ then, which are outputs, too.
    if (actual.getShape() != reference.getShape())
      actual = takeCounted(record.value, number, lengths, expected);
    std::optional<HostTensor> distance;
    if (!distances.empty() && (mayMoveIntegers || isFloat(reference.getElementType())))
      distance = takeCounted(distances[number], number, lengths, expected);
    llvm::Expected<CompareReport> check =
        compare(reference, actual, getEndToEndTolerance(reference, inputs, std::move(distance)));
    if (!check)
      return check.takeError();
    record.check = std::move(*check);
  }
  return llvm::Error::success();
}

/// Raises all elements to the largest one.
static void levelUp(HostTensor &bound) {
  double most = 0;
  for (int64_t i = 0, e = bound.getNumElements(); i < e; ++i)
    most = std::max(most, bound.getFloat(i));
  bound.fill(most);
}

/// Compares outputs that differ too much again, within what sums and elementary functions of the
/// model itself allow. Between them and those of the dispatches are steps that no dispatch has, as
/// that of an integer which ONNX computes from floats.
static llvm::Error allowOwnErrors(RunReport &report, DispatchRunner &runner, const HostModel &model,
                                  ArrayRef<HostTensor> expected, ArrayRef<HostTensor> inputs,
                                  ArrayRef<ResultLength> lengths) {
  auto isWrong = [](const OutputRecord &output) { return !output.check->passed; };
  if (llvm::none_of(report.outputs, isWrong))
    return llvm::Error::success();
  llvm::Expected<SmallVector<HostTensor>> bounds = runner.getBounds(model, inputs);
  if (!bounds)
    return bounds.takeError();
  auto allow = [&](ArrayRef<HostTensor> distances) -> llvm::Error {
    RunReport again;
    again.outputs = report.outputs;
    if (llvm::Error error = compareOutputs(again, expected, inputs, distances,
                                           isInexact(model.getFunction()), lengths))
      return error;
    for (auto [output, other] : llvm::zip_equal(report.outputs, again.outputs))
      if (isWrong(output))
        output.check = std::move(other.check);
    return llvm::Error::success();
  };
  if (llvm::Error error = allow(*bounds))
    return error;
  // A sum next to a tie between two steps moves what depends on it by a whole one, or not at all.
  // The bounds come of a few patterns of signs, in which not every element moves that may.
  if (llvm::none_of(report.outputs, isWrong) || !roundsCoarsely(model.getFunction().getBody()))
    return llvm::Error::success();
  llvm::for_each(*bounds, levelUp);
  return allow(*bounds);
}

llvm::Error npu::runtime::compareWithExpected(RunReport &report,
                                              ArrayRef<std::optional<HostTensor>> expected,
                                              const ExpectedTolerance &tolerance,
                                              ArrayRef<ResultLength> lengths) {
  SmallVector<HostTensor> values = getValues(report);
  for (auto [number, record, wanted] : llvm::enumerate(report.outputs, expected)) {
    if (!wanted)
      continue;
    HostTensor counted = takeCounted(record.value, number, lengths, values);
    llvm::Expected<CompareReport> result =
        compare(*wanted, counted, tolerance.get(wanted->getElementType()));
    if (!result)
      return result.takeError();
    record.expectation = std::move(*result);
  }
  return llvm::Error::success();
}

/// A module without a host function: its only (or the named) function is the one dispatch. `model`
/// is the reference for the outputs; null: the dispatch is as it was given.
static llvm::Expected<RunReport> runFunction(ModuleOp module, DispatchRunner &runner,
                                             const HostModel *model, const RunOptions &options) {
  llvm::Expected<unsigned> chosen = runner.findOnlyFunction();
  if (!chosen)
    return chosen.takeError();
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
      getInputs(options, ArrayRef(*types).take_front(function->getNumArguments()));
  if (!inputs)
    return inputs.takeError();
  ArrayRef<HostTensorType> outputTypes = ArrayRef(*types).drop_front(function->getNumArguments());
  std::vector<ResultLength> lengths = getLengths(module, options.function, outputTypes);
  llvm::Expected<SmallVector<std::optional<HostTensor>>> wanted =
      readExpectedOutputs(options.expectedOutputs, outputTypes, lengths);
  if (!wanted)
    return wanted.takeError();
  llvm::Expected<SmallVector<HostTensor>> outputs = runner.run(*chosen, *inputs);
  if (!outputs)
    return outputs.takeError();
  RunReport report = runner.takeReport();
  for (auto [number, output] : llvm::enumerate(*outputs))
    report.outputs.push_back(
        {"output" + std::to_string(number), std::move(output), std::nullopt, std::nullopt});
  if (llvm::Error error = compareWithExpected(report, *wanted, options.tolerance, lengths))
    return std::move(error);
  if (!options.check)
    return report;
  // The dispatch is the whole model.
  if (const DispatchRecord &dispatch = report.dispatches.front();
      !model && dispatch.placement == Placement::NPU) {
    for (auto [record, check] : llvm::zip_equal(report.outputs, dispatch.checks))
      record.check = check;
    return report;
  }
  llvm::Expected<SmallVector<HostTensor>> expected =
      model ? runner.runOnHost(*model, *inputs) : runner.runOnHost(*chosen, *inputs);
  if (!expected)
    return expected.takeError();
  if (llvm::Error error = compareOutputs(report, *expected, *inputs, /*distances=*/{},
                                         /*mayMoveIntegers=*/false, lengths))
    return std::move(error);
  if (model)
    if (llvm::Error error = allowOwnErrors(report, runner, *model, *expected, *inputs, lengths))
      return std::move(error);
  return report;
}

/// `model` is the reference for the outputs; null: the same host function around dispatches that
/// the host runs.
static llvm::Expected<RunReport> runHostProgram(ModuleOp module, DispatchRunner &runner,
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
    llvm::Expected<SmallVector<HostTensor>> made = getInputs(options, types);
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
  std::vector<ResultLength> lengths;
  HostProgramCallbacks callbacks;
  callbacks.dispatch = [&](const DispatchCall &call) {
    return runner.run(runner.getNumber(call.op), call.inputs);
  };
  callbacks.wholeOp = [&](Operation *op, DispatchRunner::ReadValues read)
      -> llvm::Expected<std::optional<SmallVector<HostTensor>>> {
    auto segment = dyn_cast<SegmentOp>(op);
    if (!segment)
      return std::nullopt;
    llvm::Expected<SmallVector<HostTensor>> results = runner.run(segment, read);
    if (!results)
      return results.takeError();
    return std::optional(std::move(*results));
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
        lengths = getLengths(module, options.function, types);
        return readExpectedOutputs(options.expectedOutputs, types, lengths).moveInto(wanted);
      });
  if (!outputs)
    return outputs.takeError();
  RunReport report = runner.takeReport();
  for (auto [name, output] : llvm::zip(names, *outputs))
    report.outputs.push_back({name, std::move(output), std::nullopt, std::nullopt});
  if (llvm::Error error = compareWithExpected(report, wanted, options.tolerance, lengths))
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
    return runDispatchesOnHost([&](const DispatchCall &call) {
      return runner.runOnHost(runner.getNumber(call.op), call.inputs);
    });
  };
  llvm::Expected<SmallVector<HostTensor>> expected =
      model ? runner.runOnHost(*model, inputs) : runUnmoved();
  if (!expected)
    return expected.takeError();

  SmallVector<HostTensor> distances;
  auto compareAll = [&] {
    return compareOutputs(report, *expected, inputs, distances, runner.mayMoveIntegers(), lengths);
  };
  if (llvm::Error error = compareAll())
    return std::move(error);
  if (llvm::any_of(report.outputs, [&](const OutputRecord &output) {
        return runner.mustPropagateErrors(*output.check);
      })) {
    llvm::Expected<SmallVector<HostTensor>> base = model ? runUnmoved() : *expected;
    if (!base)
      return base.takeError();
    for (const HostTensor &output : *base)
      distances.emplace_back(ElementType::F64, output.getShape());
    for (unsigned pattern = 0; pattern < numMovePatterns; ++pattern) {
      size_t position = 0;
      llvm::Expected<SmallVector<HostTensor>> moved =
          runDispatchesOnHost([&](const DispatchCall &call) {
            return runner.runMoved(runner.getNumber(call.op), call.inputs, position++, pattern);
          });
      // Data that the model does not have may end it; that allows nothing.
      if (moved)
        accumulateDistances(distances, *base, *moved);
      else
        llvm::consumeError(moved.takeError());
    }
    if (llvm::Error error = compareAll())
      return std::move(error);
  }
  if (model)
    if (llvm::Error error = allowOwnErrors(report, runner, *model, *expected, inputs, lengths))
      return std::move(error);
  return report;
}

llvm::Expected<RunReport> npu::runtime::runModel(ModuleOp module, const RunOptions &options) {
  if (!options.assumedType.empty())
    return llvm::make_error<UsageError>(
        "a model that is taken for a quantized one computes no values; time or plan it, or make "
        "the quantized model with npu-quantize");
  std::vector<std::string> inputs = options.inputs;
  if (options.inputValues) {
    inputs.clear();
    for (const HostTensor &value : *options.inputValues)
      inputs.push_back(value.getTypeString());
  }
  if (llvm::Error error = specializeToInputs(module, options.function, inputs, InputUse::Values,
                                             options.simulator.memoryLimit))
    return std::move(error);
  // Functions of other dialects stay as they are where they are no models.
  const bool isONNX = PresentOps(module).holdsAnyOf<onnx_ir::ONNXDialect>();
  std::unique_ptr<HostModel> model;
  if (options.check)
    if (llvm::Error error = createReferenceModel(module, options.function, options.parameter,
                                                 options.simulator.memoryLimit)
                                .moveInto(model))
      return std::move(error);
  DispatchCompiler compiler(options.target, options.schedule, options.effort);
  llvm::Expected<std::unique_ptr<DispatchRunner>> runner =
      DispatchRunner::create(module, options, compiler);
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = (*runner)->readReplacements())
    return std::move(error);
  auto run = [&]() -> llvm::Expected<RunReport> {
    if (module.getOps<util::FuncOp>().empty()) {
      if (llvm::Error error = compiler.checkSchedule(module))
        return std::move(error);
      return runFunction(module, **runner, isONNX ? model.get() : nullptr, options);
    }
    if (llvm::Error error = (*runner)->compile(module))
      return std::move(error);
    return runHostProgram(module, **runner, model.get(), options);
  };
  llvm::Expected<RunReport> report = run();
  if (!report)
    return report;
  SmallVector<HostTensorType> types;
  for (const OutputRecord &output : report->outputs)
    types.push_back({output.value.getElementType(), SmallVector<int64_t>(output.value.getShape())});
  keepCounted(*report, getLengths(module, options.function, types));
  return report;
}
