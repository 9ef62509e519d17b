//===- Report.cpp - plans, timings and runs of the C API ------------------===//

#include "Handles.h"

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Tensor/Parameters.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace npu;
using namespace npu::capi;
using runtime::ElementType;
using runtime::HostTensor;
using runtime::RecordedRun;

static Error makeUsageError(const Twine &message) {
  return make_error<runtime::UsageError>(message.str());
}

/// A copy of a tensor of the caller's.
static Expected<HostTensor> copyTensor(const NpuTensor &tensor, size_t number) {
  auto fail = [&](const Twine &message) {
    return createStringError("input " + Twine(number) + ": " + message);
  };
  std::optional<ElementType> type = fromC(tensor.elementType);
  if (!type)
    return fail("found an element type of number " + Twine(tensor.elementType));
  constexpr int32_t maxRank = 64;
  if (tensor.rank < 0 || tensor.rank > maxRank)
    return fail("expected a rank of 0 to " + Twine(maxRank) + ", found " + Twine(tensor.rank));
  if (tensor.rank > 0 && !tensor.shape)
    return fail("found a shape that is NULL");
  ArrayRef<int64_t> shape(tensor.shape, tensor.rank);
  // Before any byte is read: there may be fewer than `numBytes` says of such a shape.
  int64_t expected = runtime::getElementByteSize(*type);
  for (int64_t size : shape)
    if (size < 0 || MulOverflow(expected, size, expected))
      return fail("tensor shape is negative or too large");
  if (tensor.numBytes != uint64_t(expected))
    return fail(formatv("expected {0} bytes for a {1}, found {2}", expected,
                        runtime::getTypeString(*type, shape), tensor.numBytes)
                    .str());
  if (expected > 0)
    if (Error error = checkPointer(tensor.data, ("data of input " + Twine(number)).str()))
      return std::move(error);
  const auto *bytes = static_cast<const uint8_t *>(tensor.data);
  return HostTensor::create(*type, shape, std::vector<uint8_t>(bytes, bytes + expected));
}

/// Makes a report of a model.
static Error record(NpuModel *model, const NpuOptions *options, RecordedRun::Kind kind,
                    const NpuTensor *inputs, size_t numInputs, NpuReport **report) {
  if (Error error = checkPointer(model, "a model"))
    return error;
  if (Error error = checkPointer(report, "a place for the report"))
    return error;
  NpuOptions given = getOptions(options);
  runtime::RunOptions run = getRunOptions(given);
  runtime::ParameterSet parameters;
  SmallVector<HostTensor> values;
  if (kind == RecordedRun::Kind::Run) {
    if (numInputs > 0)
      if (Error error = checkPointer(inputs, "inputs"))
        return error;
    for (size_t number = 0; number < numInputs; ++number) {
      Expected<HostTensor> value = copyTensor(inputs[number], number);
      if (!value)
        return value.takeError();
      values.push_back(std::move(*value));
    }
    run.inputs.clear();
    run.inputValues = values;
    for (const std::string &source : given.parameters)
      if (Error error = parameters.add(source))
        return error;
    run.parameter = [&](StringRef scope, StringRef key, const runtime::HostTensorType &type) {
      return parameters.load(scope, key, type.elementType, type.shape);
    };
  }
  RecordedRun::Options recording;
  recording.kind = kind;
  recording.model = model->name;
  recording.tool = "libNPU";
  recording.schedule = given.schedule;
  recording.trace = kind == RecordedRun::Kind::Plan ? "" : given.trace;
  recording.isFull = given.fullReport;
  return workOn(*model, [&](mlir::ModuleOp module) -> Error {
    std::unique_ptr<RecordedRun> result;
    if (Error error = RecordedRun::record(module, run, recording).moveInto(result))
      return error;
    *report = new NpuReport{std::move(result)};
    return Error::success();
  });
}

NpuStatus npuReportPlan(NpuModel *model, const NpuOptions *options, NpuReport **result,
                        char **error) {
  return report(record(model, options, RecordedRun::Kind::Plan, nullptr, 0, result), error);
}

NpuStatus npuReportTime(NpuModel *model, const NpuOptions *options, NpuReport **result,
                        char **error) {
  return report(record(model, options, RecordedRun::Kind::Timing, nullptr, 0, result), error);
}

NpuStatus npuReportRun(NpuModel *model, const NpuOptions *options, const NpuTensor *inputs,
                       size_t numInputs, NpuReport **result, char **error) {
  return report(record(model, options, RecordedRun::Kind::Run, inputs, numInputs, result), error);
}

void npuReportFree(NpuReport *report) { delete report; }

/// Fails for a plan, which has no files.
static Error checkRun(const RecordedRun &run) {
  if (!run.getReport().isPlan)
    return Error::success();
  return makeUsageError("expected a report of npuReportTime or npuReportRun, found a plan, which "
                        "has no tables, no page and no files");
}

static Expected<std::string> getText(const RecordedRun &run, int32_t which) {
  switch (which) {
  case NPU_REPORT_SUMMARY:
    return run.getReport().isPlan ? toJSON(run.getReport(), run.getTarget().name)
                                  : run.getSummary();
  case NPU_REPORT_KERNELS:
    return run.getKernels();
  case NPU_REPORT_SCHEDULE:
    return run.getSchedule();
  case NPU_REPORT_DIAGNOSTICS:
    return run.getDiagnostics();
  case NPU_REPORT_LOSSES:
    return run.getLosses();
  case NPU_REPORT_TABLES:
  case NPU_REPORT_PAGE:
    if (Error error = checkRun(run))
      return std::move(error);
    return which == NPU_REPORT_TABLES ? run.getTables() : run.getPage();
  default:
    return makeUsageError("expected an NpuReportText, found number " + Twine(which));
  }
}

NpuStatus npuReportGetText(NpuReport *given, int32_t which, char **text, char **error) {
  auto get = [&]() -> Error {
    if (Error error = checkPointer(given, "a report"))
      return error;
    if (Error error = checkPointer(text, "a place for the text"))
      return error;
    Expected<std::string> result = getText(*given->run, which);
    if (!result)
      return result.takeError();
    *text = copyString(*result);
    return Error::success();
  };
  return report(get(), error);
}

size_t npuReportGetNumOutputs(const NpuReport *report) {
  return report ? report->run->getReport().outputs.size() : 0;
}

NpuStatus npuReportGetOutput(const NpuReport *given, size_t index, NpuTensor *tensor,
                             char **error) {
  auto get = [&]() -> Error {
    if (Error error = checkPointer(given, "a report"))
      return error;
    if (Error error = checkPointer(tensor, "a place for the tensor"))
      return error;
    ArrayRef<runtime::OutputRecord> outputs = given->run->getReport().outputs;
    if (index >= outputs.size())
      return makeUsageError(
          formatv("expected an index less than {0}, found {1}", outputs.size(), index).str());
    const HostTensor &value = outputs[index].value;
    ArrayRef<uint8_t> bytes = value.getBytes();
    *tensor = {outputs[index].name.c_str(), value.getShape().data(),
               // C has one struct for what is read and what is written.
               const_cast<uint8_t *>(bytes.data()), bytes.size(), toC(value.getElementType()),
               int32_t(value.getShape().size())};
    return Error::success();
  };
  return report(get(), error);
}

NpuStatus npuReportWrite(NpuReport *given, const char *directory, char **error) {
  auto write = [&]() -> Error {
    if (Error error = checkPointer(given, "a report"))
      return error;
    if (Error error = checkPointer(directory, "a directory"))
      return error;
    if (Error error = checkRun(*given->run))
      return error;
    OutputFiles files;
    if (Error error = given->run->write(directory, files))
      return error;
    return files.commit();
  };
  return report(write(), error);
}
