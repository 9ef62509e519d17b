//===- DispatchRunner.cpp - runs a model's dispatches ---------------------===//

#include "DispatchRunner.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Partition/Segments.h"
#include "NPU/Pipelines/HostDispatches.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Support/SourceNames.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

int64_t npu::runtime::getBusyCycles(const sim::Result &result, isa::EngineKind engine) {
  int64_t cycles = 0;
  for (const sim::StreamStats &stream : result.streams)
    if (stream.engine == engine)
      cycles += stream.busy;
  return cycles;
}

static HostReferenceOptions getReferenceOptions(const RunOptions &options) {
  HostReferenceOptions result = getHostDispatchOptions();
  result.memoryLimit = options.simulator.memoryLimit;
  result.optLevel = options.hostOptLevel;
  return result;
}

DispatchRunner::DispatchRunner(ModuleOp module, const RunOptions &options, TargetDesc target,
                               Partition partition, DispatchCompiler &compiler)
    : options(options), target(std::move(target)), partition(std::move(partition)),
      compiler(compiler), references(getReferenceOptions(options)),
      sites(flow::collectDispatches(module)) {
  report.assumedType = options.assumedType;
  if (options.onPartition)
    options.onPartition(this->partition, compiler);
  for (auto [number, site] : llvm::enumerate(sites)) {
    numbers[site.op] = number;
    isCoarse |= site.body && roundsCoarsely(*site.body);
    auto function = site.body ? dyn_cast<func::FuncOp>(site.body->getParentOp()) : func::FuncOp();
    mayMove |= function && isInexact(function);
  }
  propagatesErrors = options.check && (isCoarse || mayMove);
}

llvm::Expected<std::unique_ptr<DispatchRunner>>
DispatchRunner::create(ModuleOp module, const RunOptions &options, DispatchCompiler &compiler) {
  llvm::Expected<TargetDesc> target = parseTarget(options.target);
  if (!target)
    return target.takeError();
  PartitionOptions partitionOptions;
  partitionOptions.fallback = options.hostOnly ? Fallback::Host : options.fallback;
  partitionOptions.placements = options.placements;
  if (options.progress)
    options.progress->beginPhase("compiling");
  FailureOr<Partition> partition =
      placeModel(module, partitionOptions, compiler, /*formsDispatches=*/!options.hostOnly);
  if (failed(partition))
    return llvm::createStringError("the model's dispatches were not placed");
  return std::unique_ptr<DispatchRunner>(
      new DispatchRunner(module, options, std::move(*target), std::move(*partition), compiler));
}

llvm::Error DispatchRunner::compile(ModuleOp module) {
  if (options.formSegments && !options.hostOnly) {
    SmallVector<SegmentOp> segments = npu::formSegments(module, [&](flow::DispatchOp dispatch) {
      unsigned number = numbers.lookup(dispatch);
      return partition.find(number)->placement == Placement::NPU && !replacements.count(number);
    });
    bool needsValues = options.check || options.keepValues;
    if (failed(compiler.compile(segments)) ||
        (needsValues && failed(compiler.compile(segments, SegmentOutputs::All))))
      return llvm::createStringError("the model's segments were not compiled");
  } else {
    npu::dissolveSegments(module);
  }
  // What is launched outside of segments.
  SmallVector<func::FuncOp> functions;
  for (const PartitionedFunction &function : partition.getFunctions())
    if (function.placement == Placement::NPU && !options.hostOnly &&
        !llvm::all_of(function.numbers, [&](unsigned number) {
          return sites[number].op->getParentOfType<SegmentOp>();
        }))
      functions.push_back(function.function);
  if (failed(compiler.compile(functions)))
    return llvm::createStringError("the model's dispatches were not compiled");
  if (llvm::Error error = compiler.checkSchedule(module))
    return error;
  beginRun(module, functions);
  return llvm::Error::success();
}

/// Of all its kernels.
static int64_t getPredictedCycles(const CompiledProgram &program) {
  int64_t cycles = 0;
  for (const PlannedKernel &kernel : program.kernels)
    cycles += kernel.schedule ? kernel.schedule.getCycles() : 0;
  return cycles;
}

void DispatchRunner::beginRun(ModuleOp module, ArrayRef<func::FuncOp> functions) {
  if (!options.progress)
    return;
  int64_t cycles = 0;
  module.walk([&](SegmentOp segment) {
    cycles += getPredictedCycles(compiler.getProgram(segment));
    if (options.check || options.keepValues)
      cycles += getPredictedCycles(compiler.getProgram(segment, SegmentOutputs::All));
  });
  for (func::FuncOp function : functions) {
    FailureOr<const CompiledProgram *> program = compiler.getProgram(function);
    for (const PartitionedFunction &placed : partition.getFunctions())
      if (succeeded(program) && placed.function == function)
        cycles += getPredictedCycles(**program) * placed.numbers.size();
  }
  options.progress->begin("running", cycles);
}

void DispatchRunner::finishProgram(const sim::Result &result) const {
  if (options.progress)
    options.progress->finishPart(result.cycles);
}

llvm::Expected<unsigned> DispatchRunner::findOnlyFunction() const {
  std::optional<unsigned> chosen;
  unsigned count = 0;
  std::string names; // of functions that may be chosen
  for (auto [index, site] : llvm::enumerate(sites)) {
    auto function = dyn_cast<func::FuncOp>(site.op);
    if (function && function.isPublic())
      names += (names.empty() ? "'" : ", '") + function.getSymName().str() + "'";
    if (!function || (!options.function.empty() && function.getSymName() != options.function) ||
        (options.function.empty() && function.isPrivate()))
      continue;
    chosen = index;
    ++count;
  }
  if (count == 0)
    return llvm::createStringError(options.function.empty()
                                       ? "the module has no public function to run"
                                       : "the module has no function '" + options.function +
                                             "'; its public ones are " +
                                             (names.empty() ? "none" : names));
  if (count > 1)
    return llvm::createStringError("the module has " + Twine(count) + " public functions, " +
                                   names + "; choose one with --function=<name>");
  return *chosen;
}

llvm::Expected<func::FuncOp> DispatchRunner::getFunction(unsigned index) const {
  Region *body = index < sites.size() ? sites[index].body : nullptr;
  auto function = body ? dyn_cast<func::FuncOp>(body->getParentOp()) : func::FuncOp();
  if (!function)
    return llvm::createStringError(
        "its code is not in this file; give a flow-level module with its executables");
  return function;
}

llvm::Expected<SmallVector<HostTensorType>> npu::runtime::getTypes(func::FuncOp function) {
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
      return llvm::createStringError("the function cannot run");
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = append("argument", function.getArgumentTypes()))
    return std::move(error);
  if (llvm::Error error = append("result", function.getResultTypes()))
    return std::move(error);
  return result;
}

llvm::Expected<CompareReport> DispatchRunner::compareResult(Judgment judgment,
                                                            const HostTensor &actual,
                                                            ArrayRef<HostTensor> inputs) {
  const HostTensor &expected = judgment.expected;
  Tolerance &tolerance = judgment.tolerance;
  tolerance.allowDegenerate = inputsForceDegenerateOutput(inputs);
  if (propagatesErrors) {
    HostTensor allowed = getAllowed(expected, tolerance);
    hasErrors |= llvm::any_of(allowed.getBytes(), [](uint8_t byte) { return byte != 0; });
    errors.back().add(expected, actual, std::move(allowed));
  }
  return compare(expected, actual, tolerance);
}

llvm::Expected<SmallVector<Judgment>> DispatchRunner::judge(func::FuncOp function,
                                                            ArrayRef<HostTensor> inputs,
                                                            ContractionBound::Effort effort) {
  llvm::Expected<HostReference *> reference = references.getReference(function);
  if (!reference)
    return reference.takeError();
  llvm::Expected<SmallVector<HostTensor>> expected = (*reference)->run(inputs);
  if (!expected)
    return expected.takeError();
  // An integer that is rounded from an elementary function, or from a sum, may be the next one.
  bool mayMoveIntegers = isInexact(function), isRoundedTwice = hasMathErrors(function);
  bool hasFloats = llvm::any_of(
      *expected, [](const HostTensor &tensor) { return isFloat(tensor.getElementType()); });
  SmallVector<HostTensor> bounds;
  if (hasFloats || mayMoveIntegers) {
    llvm::Expected<ContractionBound *> bound = references.getBound(function);
    if (!bound)
      return bound.takeError();
    llvm::Expected<SmallVector<HostTensor>> evaluated = (*bound)->evaluate(inputs, effort);
    if (!evaluated)
      return evaluated.takeError();
    bounds = std::move(*evaluated);
    isRoundedTwice |= (*bound)->rejoinsSums();
  }
  SmallVector<Judgment> judgments;
  for (auto [number, tensor] : llvm::enumerate(*expected)) {
    Tolerance tolerance = Tolerance::exact();
    if (mayMoveIntegers || isFloat(tensor.getElementType())) {
      bool mayMove =
          llvm::any_of(bounds[number].getBytes(), [](uint8_t byte) { return byte != 0; });
      tolerance = Tolerance::fromBound(bounds[number], mayMove && isRoundedTwice ? tailUlps : 0);
    }
    judgments.push_back({std::move(tensor), std::move(tolerance)});
  }
  return judgments;
}

llvm::Error DispatchRunner::check(func::FuncOp function, DispatchRecord &record,
                                  ArrayRef<HostTensor> inputs, ArrayRef<HostTensor> outputs) {
  using Effort = ContractionBound::Effort;
  for (Effort effort : {Effort::Quick, Effort::Thorough}) {
    llvm::Expected<SmallVector<Judgment>> judgments = judge(function, inputs, effort);
    if (!judgments)
      return judgments.takeError();
    record.checks.clear();
    if (propagatesErrors)
      errors.back() = {record.index, {}, {}};
    for (auto [judgment, output] : llvm::zip_equal(*judgments, outputs)) {
      llvm::Expected<CompareReport> result = compareResult(judgment, output, inputs);
      if (!result)
        return result.takeError();
      record.checks.push_back(std::move(*result));
    }
    if (record.getVerdict() != CheckVerdict::Mismatch)
      break;
    // Few patterns of signs may move alike what meets again; what is wrong also is by more of them.
    if (effort == Effort::Thorough || !isInexact(function))
      return reportWrong(function, record.index, inputs, *judgments);
  }
  return llvm::Error::success();
}

llvm::Error DispatchRunner::reportWrong(func::FuncOp function, unsigned index,
                                        ArrayRef<HostTensor> inputs, ArrayRef<Judgment> judgments) {
  if (!options.onWrongDispatch || hasReportedWrong)
    return llvm::Error::success();
  hasReportedWrong = true;
  auto replacement = replacements.find(index);
  return options.onWrongDispatch(
      {index, function, replacement == replacements.end() ? nullptr : replacement->second.get(),
       inputs, judgments},
      compiler, options.simulator);
}

SmallVector<ReplaceableDispatch> DispatchRunner::getReplaceable() const {
  SmallVector<ReplaceableDispatch> dispatches;
  for (unsigned index = 0; index < sites.size(); ++index) {
    if (options.hostOnly || !partition.find(index) ||
        partition.find(index)->placement != Placement::NPU)
      continue;
    llvm::Expected<func::FuncOp> function = getFunction(index);
    if (function)
      dispatches.push_back({index, *function});
    else
      llvm::consumeError(function.takeError());
  }
  return dispatches;
}

llvm::Error DispatchRunner::readReplacements() {
  SmallVector<ReplaceableDispatch> dispatches = getReplaceable();
  if (llvm::Error error = npu::runtime::readReplacements(options.replacements, dispatches, compiler)
                              .moveInto(replacements))
    return error;
  if (options.onForm)
    for (const ReplaceableDispatch &dispatch : dispatches) {
      llvm::Expected<KernelLevels> levels = KernelLevels::compile(compiler, dispatch.function);
      if (!levels)
        return levels.takeError();
      if (llvm::Error error =
              levels->print("dispatch_" + std::to_string(dispatch.index), options.onForm))
        return error;
    }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>>
DispatchRunner::runOnNPU(func::FuncOp function, const isa::Program &program,
                         ArrayRef<HostTensorType> outputTypes, DispatchRecord &record,
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
    return llvm::createStringError(llvm::formatv(
        "dispatch #{0} left {1} bytes of its outputs unwritten", record.index, bytes));
  finishProgram(result->statistics);
  addLimit(record, function);
  record.statistics = std::move(result->statistics);
  if (options.check)
    if (llvm::Error error = check(function, record, inputs, result->outputs))
      return std::move(error);
  return std::move(result->outputs);
}

llvm::Expected<LaunchResult> DispatchRunner::launchSegment(SegmentOp segment,
                                                           SegmentOutputs outputs,
                                                           ArrayRef<Value> values,
                                                           ArrayRef<HostTensor> inputs) {
  const CompiledProgram &program = compiler.getProgram(segment, outputs);
  SmallVector<HostTensor> types;
  for (Value value : values) {
    std::optional<HostTensorType> type = HostTensorType::get(value.getType());
    types.push_back(HostTensor(type->elementType, type->shape));
  }
  sim::Options simulator = options.simulator;
  simulator.partOfSource = program.dispatchOfSource;
  llvm::Expected<LaunchResult> result = launch(program.code, inputs, types, simulator);
  if (result && result->statistics.unwrittenOutputBytes)
    return llvm::createStringError(
        llvm::formatv("a segment left {0} bytes of its outputs unwritten",
                      result->statistics.unwrittenOutputBytes));
  if (result)
    finishProgram(result->statistics);
  return result;
}

llvm::Expected<SmallVector<HostTensor>> DispatchRunner::run(SegmentOp segment, ReadValues read) {
  SmallVector<Value> inputValues = getSegmentInputs(segment);
  llvm::Expected<SmallVector<HostTensor>> inputs = read(inputValues);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<LaunchResult> result = launchSegment(
      segment, SegmentOutputs::Results, llvm::to_vector(ValueRange(segment.getResults())), *inputs);
  if (!result)
    return result.takeError();
  auto dispatches = llvm::to_vector(segment.getBody().getOps<flow::DispatchOp>());
  const CompiledProgram &program = compiler.getProgram(segment);
  SmallVector<unsigned> indices = getNumbers(segment);
  if (options.onSegment)
    options.onSegment({indices, program.dispatchOfSource, program.code, result->statistics});

  DenseMap<Value, HostTensor> known, given;
  bool hasValues = options.check || options.keepValues;
  if (hasValues) {
    for (auto [value, tensor] : llvm::zip_equal(inputValues, *inputs))
      known[value] = tensor;
    SmallVector<Value> values;
    for (flow::DispatchOp dispatch : dispatches)
      llvm::append_range(values, dispatch.getResults());
    llvm::Expected<LaunchResult> all = launchSegment(segment, SegmentOutputs::All, values, *inputs);
    if (!all)
      return all.takeError();
    for (auto [value, tensor] : llvm::zip_equal(values, all->outputs))
      known[value] = tensor;
    auto yield = segment.getBody().front().getTerminator();
    for (auto [value, tensor] : llvm::zip_equal(yield->getOperands(), result->outputs))
      given[value] = tensor;
  }
  size_t firstError = errors.size();
  std::vector<DispatchRecord> records = makeRecords(segment, program);
  addShares(records, program, result->statistics);
  auto next = records.begin();
  for (Operation &op : segment.getBody().front().without_terminator()) {
    if (auto view = dyn_cast<flow::TensorReshapeOp>(op)) {
      std::optional<HostTensorType> type = HostTensorType::get(view.getResult().getType());
      if (hasValues)
        known[view.getResult()] = known[view.getSource()].bitcast(type->elementType, type->shape);
      continue;
    }
    auto dispatch = cast<flow::DispatchOp>(op);
    unsigned index = numbers.lookup(dispatch);
    llvm::Expected<func::FuncOp> function = getFunction(index);
    if (!function)
      return function.takeError();
    DispatchRecord record = std::move(*next++);
    if (propagatesErrors)
      errors.push_back({index, {}, {}});
    SmallVector<HostTensor> arguments, results;
    if (hasValues) {
      for (Value argument : dispatch.getArguments())
        arguments.push_back(known.at(argument));
      for (Value value : dispatch.getResults())
        results.push_back(known.at(value));
    }
    if (options.check)
      if (llvm::Error error = check(*function, record, arguments, results))
        return std::move(error);
    for (auto [result, value] : llvm::zip(results, dispatch.getResults())) {
      auto own = given.find(value);
      if (own == given.end() || own->second.getBytes() == result.getBytes())
        continue;
      result = own->second;
      if (options.check)
        if (llvm::Error error = checkGiven(record, value, result, *inputs, firstError))
          return std::move(error);
    }
    if (options.onDispatch)
      if (llvm::Error error = options.onDispatch({record, nullptr, arguments, results}))
        return std::move(error);
    report.dispatches.push_back(std::move(record));
  }
  return std::move(result->outputs);
}

llvm::Error DispatchRunner::checkGiven(DispatchRecord &record, Value value,
                                       const HostTensor &actual, ArrayRef<HostTensor> inputs,
                                       size_t firstError) {
  auto segment = cast<SegmentOp>(value.getDefiningOp()->getParentOp());
  SmallVector<Value> inputValues = getSegmentInputs(segment);
  auto evaluate = [&](std::optional<unsigned> pattern) -> llvm::Expected<HostTensor> {
    DenseMap<Value, HostTensor> known;
    for (auto [input, tensor] : llvm::zip_equal(inputValues, inputs))
      known[input] = tensor;
    size_t position = firstError;
    for (Operation &op : segment.getBody().front().without_terminator()) {
      if (auto view = dyn_cast<flow::TensorReshapeOp>(op)) {
        std::optional<HostTensorType> type = HostTensorType::get(view.getResult().getType());
        known[view.getResult()] = known[view.getSource()].bitcast(type->elementType, type->shape);
        continue;
      }
      auto dispatch = cast<flow::DispatchOp>(op);
      unsigned index = numbers.lookup(dispatch);
      SmallVector<HostTensor> arguments;
      for (Value argument : dispatch.getArguments())
        arguments.push_back(known.at(argument));
      llvm::Expected<SmallVector<HostTensor>> results =
          pattern ? runMoved(index, arguments, position++, *pattern) : runOnHost(index, arguments);
      if (!results)
        return results.takeError();
      for (auto [result, tensor] : llvm::zip_equal(dispatch.getResults(), *results))
        known[result] = tensor;
      if (&op == value.getDefiningOp())
        break;
    }
    return known.at(value);
  };
  llvm::Expected<HostTensor> expected = evaluate(std::nullopt);
  if (!expected)
    return expected.takeError();
  auto compareWithin = [&](std::optional<HostTensor> distance) {
    return compare(*expected, actual, getEndToEndTolerance(*expected, inputs, std::move(distance)));
  };
  llvm::Expected<CompareReport> compared = compareWithin(std::nullopt);
  if (!compared)
    return compared.takeError();
  if ((mayMove || isFloat(expected->getElementType())) && mustPropagateErrors(*compared)) {
    HostTensor distance(ElementType::F64, expected->getShape());
    for (unsigned pattern = 0; pattern < numMovePatterns; ++pattern) {
      llvm::Expected<HostTensor> moved = evaluate(pattern);
      if (!moved)
        return moved.takeError();
      accumulateDistances(distance, *expected, *moved);
    }
    compared = compareWithin(std::move(distance));
    if (!compared)
      return compared.takeError();
  }
  record.checks.push_back(std::move(*compared));
  return llvm::Error::success();
}

llvm::Expected<const sim::Result *> DispatchRunner::measure(const CompiledProgram &program) {
  if (auto known = measured.find(&program); known != measured.end()) {
    finishProgram(known->second);
    return &known->second;
  }
  sim::Options simulator = options.simulator;
  simulator.partOfSource = program.dispatchOfSource;
  llvm::Expected<sim::Result> result = sim::measure(program.code, simulator);
  if (!result)
    return result.takeError();
  finishProgram(*result);
  return &(measured[&program] = std::move(*result));
}

SmallVector<unsigned> DispatchRunner::getNumbers(SegmentOp segment) const {
  SmallVector<unsigned> result;
  for (flow::DispatchOp dispatch : segment.getBody().getOps<flow::DispatchOp>())
    result.push_back(numbers.lookup(dispatch));
  return result;
}

llvm::Error DispatchRunner::time(SegmentOp segment) {
  const CompiledProgram &program = compiler.getProgram(segment);
  llvm::Expected<const sim::Result *> result = measure(program);
  if (!result)
    return result.takeError();
  if (options.onSegment)
    options.onSegment({getNumbers(segment), program.dispatchOfSource, program.code, **result});
  std::vector<DispatchRecord> records = makeRecords(segment, program);
  addShares(records, program, **result);
  for (DispatchRecord &record : records) {
    report.dispatches.push_back(std::move(record));
    if (options.onDispatch)
      if (llvm::Error error = options.onDispatch({report.dispatches.back(), nullptr, {}, {}}))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error DispatchRunner::time(unsigned index) {
  llvm::Expected<func::FuncOp> function = getFunction(index);
  if (!function)
    return function.takeError();
  DispatchRecord record = makeRecord(index);
  const isa::Program *program = nullptr;
  if (record.placement == Placement::NPU) {
    FailureOr<const CompiledProgram *> compiled = compiler.getProgram(*function);
    if (failed(compiled))
      return llvm::createStringError("'" + function->getSymName() + "' was not compiled");
    llvm::Expected<const sim::Result *> result = measure(**compiled);
    if (!result)
      return result.takeError();
    program = &(*compiled)->code;
    record.plan = describePlans(**compiled, index).front();
    addLimit(record, *function);
    record.statistics = **result;
  }
  if (options.onDispatch)
    if (llvm::Error error = options.onDispatch({record, program, {}, {}}))
      return error;
  record.statistics.events.clear();
  report.dispatches.push_back(std::move(record));
  return llvm::Error::success();
}

llvm::Error DispatchRunner::plan(SegmentOp segment) {
  const CompiledProgram &program = compiler.getProgram(segment);
  std::vector<DispatchRecord> records = makeRecords(segment, program);
  std::vector<isa::Traffic> shares =
      isa::countTraffic(program.code, target, program.dispatchOfSource, records.size());
  DispatchRecord *kernel = nullptr;
  for (auto [record, share] : llvm::zip_equal(records, shares)) {
    if (!record.isInOtherKernel())
      kernel = &record;
    kernel->statistics.dramBytesRead += share.bytesRead;
    kernel->statistics.dramBytesWritten += share.bytesWritten;
  }
  llvm::move(records, std::back_inserter(report.dispatches));
  return llvm::Error::success();
}

llvm::Error DispatchRunner::plan(unsigned index) {
  const PartitionedFunction *decision = partition.find(index);
  if (!decision) {
    DispatchRecord &record = report.dispatches.emplace_back();
    record.index = index;
    record.description = flow::describeDispatch(sites[index]);
    record.sources = getSourceNames(sites[index].op->getLoc(), /*withDirectory=*/false);
    record.isExternal = true;
    return llvm::Error::success();
  }
  if (decision->placement == Placement::Host || options.hostOnly) {
    report.dispatches.push_back(makeRecord(index));
    return llvm::Error::success();
  }
  FailureOr<const CompiledProgram *> compiled = compiler.getProgram(decision->function);
  if (failed(compiled))
    return llvm::createStringError("'" + decision->name + "' was not compiled");
  DispatchRecord &record = report.dispatches.emplace_back(makeRecord(index));
  record.plan = describePlans(**compiled, index).front();
  addLimit(record, decision->function);
  isa::Traffic traffic = isa::countTraffic((*compiled)->code, target).front();
  record.statistics.dramBytesRead = traffic.bytesRead;
  record.statistics.dramBytesWritten = traffic.bytesWritten;
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>> DispatchRunner::run(unsigned index,
                                                            ArrayRef<HostTensor> inputs) {
  llvm::Expected<func::FuncOp> function = getFunction(index);
  if (!function)
    return function.takeError();
  llvm::Expected<SmallVector<HostTensorType>> types = getTypes(*function);
  if (!types)
    return types.takeError();
  if (llvm::Error error = checkMemory(*types, options.simulator.memoryLimit))
    return std::move(error);
  DispatchRecord record = makeRecord(index);
  if (propagatesErrors)
    errors.push_back({index, {}, {}});
  const isa::Program *program = nullptr;
  if (record.placement == Placement::NPU) {
    FailureOr<const CompiledProgram *> compiled = compiler.getProgram(*function);
    if (failed(compiled))
      return llvm::createStringError("'" + function->getSymName() + "' was not compiled");
    program = &(*compiled)->code;
    record.plan = describePlans(**compiled, index).front();
    if (auto replacement = replacements.find(index); replacement != replacements.end())
      program = &replacement->second->levels.getProgram();
  }
  llvm::Expected<SmallVector<HostTensor>> outputs =
      program ? runOnNPU(*function, *program,
                         ArrayRef(*types).drop_front(function->getNumArguments()), record, inputs)
              : runOnHost(index, inputs);
  if (!outputs) {
    // A program that traps comes from somewhere, too.
    if (program && options.check && options.onWrongDispatch)
      if (llvm::Expected<SmallVector<Judgment>> judgments =
              judge(*function, inputs, ContractionBound::Effort::Quick);
          llvm::Error error =
              judgments ? reportWrong(*function, index, inputs, *judgments) : judgments.takeError())
        return llvm::joinErrors(outputs.takeError(), std::move(error));
    return outputs;
  }
  if (options.onDispatch)
    if (llvm::Error error = options.onDispatch({record, program, inputs, *outputs}))
      return std::move(error);
  record.statistics.events.clear();
  report.dispatches.push_back(std::move(record));
  return outputs;
}

llvm::Expected<SmallVector<HostTensor>> DispatchRunner::runOnHost(unsigned index,
                                                                  ArrayRef<HostTensor> inputs) {
  llvm::Expected<func::FuncOp> function = getFunction(index);
  if (!function)
    return function.takeError();
  llvm::Expected<HostReference *> reference = references.getReference(*function);
  if (!reference)
    return reference.takeError();
  return (*reference)->run(inputs);
}

llvm::Expected<SmallVector<HostTensor>> DispatchRunner::runMoved(unsigned index,
                                                                 ArrayRef<HostTensor> inputs,
                                                                 size_t position,
                                                                 unsigned pattern) {
  llvm::Expected<SmallVector<HostTensor>> results = runOnHost(index, inputs);
  // Where moved data takes another branch, dispatches of the run have no match.
  if (!results || position >= errors.size() || errors[position].index != index ||
      errors[position].distances.empty())
    return results;
  for (auto [number, result] : llvm::enumerate(*results))
    result =
        moveResult(result, errors[position], number, pattern, position * results->size() + number);
  return results;
}

llvm::Expected<SmallVector<HostTensor>> DispatchRunner::runOnHost(const HostModel &model,
                                                                  ArrayRef<HostTensor> inputs) {
  llvm::Expected<HostReference *> reference = references.getReference(model.getFunction());
  if (!reference)
    return reference.takeError();
  return (*reference)->run(model.getArguments(inputs));
}

llvm::Expected<SmallVector<HostTensor>> DispatchRunner::getBounds(const HostModel &model,
                                                                  ArrayRef<HostTensor> inputs) {
  llvm::Expected<ContractionBound *> bound = references.getBound(model.getFunction());
  if (!bound)
    return bound.takeError();
  return (*bound)->evaluate(model.getArguments(inputs));
}
