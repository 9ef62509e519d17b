//===- Model.cpp - models of the C API ------------------------------------===//

#include "Handles.h"

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Execution/InputShapes.h"
#include "NPU/InitAll/TensorNames.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace npu;
using namespace npu::capi;

/// The error, unless diagnostics of the model say it already.
static Error explain(Error error, bool hasReported, NpuModel &model) {
  if (error && hasReported) {
    consumeError(std::move(error));
    error = createStringError(model.diagnostics);
  }
  model.diagnostics.clear();
  return error;
}

static Expected<std::unique_ptr<NpuModel>> readModel(std::unique_ptr<MemoryBuffer> buffer,
                                                     StringRef name, const NpuOptions *options) {
  auto model = std::make_unique<NpuModel>();
  model->name = sys::path::filename(name).str();
  Expected<std::unique_ptr<ModelFile>> file =
      ModelFile::read(name, std::move(buffer), getOptions(options).onnx, model->os);
  if (!file)
    return file.takeError();
  if (!*file)
    return createStringError(model->diagnostics);
  model->diagnostics.clear();
  model->file = std::move(*file);
  return model;
}

Error capi::workOn(NpuModel &model, function_ref<Error(mlir::ModuleOp)> work) {
  mlir::OwningOpRef<mlir::ModuleOp> module = model.file->getModule().clone();
  bool hasReported = false;
  mlir::ScopedDiagnosticHandler observer(module->getContext(), [&](mlir::Diagnostic &diagnostic) {
    hasReported |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return failure(); // the file's handler writes it down
  });
  Error error = work(*module);
  return explain(std::move(error), hasReported, model);
}

NpuStatus npuModelRead(const char *path, const NpuOptions *options, NpuModel **model,
                       char **error) {
  auto read = [&]() -> Error {
    if (Error error = checkPointer(path, "a path"))
      return error;
    if (Error error = checkPointer(model, "a place for the model"))
      return error;
    Expected<std::unique_ptr<MemoryBuffer>> buffer = readInput(path);
    if (!buffer)
      return createStringError("cannot read '" + Twine(path) +
                               "': " + toString(buffer.takeError()));
    Expected<std::unique_ptr<NpuModel>> result = readModel(std::move(*buffer), path, options);
    if (!result)
      return result.takeError();
    *model = result->release();
    return Error::success();
  };
  return report(read(), error);
}

NpuStatus npuModelReadBuffer(const void *data, size_t numBytes, const char *name,
                             const NpuOptions *options, NpuModel **model, char **error) {
  auto read = [&]() -> Error {
    if (Error error = checkPointer(data, "a model's bytes"))
      return error;
    if (Error error = checkPointer(name, "a name"))
      return error;
    if (Error error = checkPointer(model, "a place for the model"))
      return error;
    StringRef bytes(static_cast<const char *>(data), numBytes);
    Expected<std::unique_ptr<NpuModel>> result =
        readModel(MemoryBuffer::getMemBufferCopy(bytes, name), name, options);
    if (!result)
      return result.takeError();
    *model = result->release();
    return Error::success();
  };
  return report(read(), error);
}

void npuModelFree(NpuModel *model) { delete model; }

/// Type and shape, as far as they are known.
static json::Array describe(ArrayRef<TensorPort> ports) {
  json::Array array;
  for (const TensorPort &port : ports) {
    json::Object object{{"name", json::fixUTF8(port.name)}, {"type", nullptr}, {"shape", nullptr}};
    if (port.type) {
      json::Array shape;
      for (int64_t size : port.type.getShape())
        shape.push_back(mlir::ShapedType::isDynamic(size) ? json::Value(nullptr)
                                                          : json::Value(size));
      object["shape"] = std::move(shape);
      std::string type;
      raw_string_ostream(type) << port.type.getElementType();
      object["type"] = json::fixUTF8(type);
    }
    array.push_back(std::move(object));
  }
  return array;
}

NpuStatus npuModelDescribe(NpuModel *model, const NpuOptions *options, char **json, char **error) {
  auto run = [&]() -> Error {
    if (Error error = checkPointer(model, "a model"))
      return error;
    if (Error error = checkPointer(json, "a place for the description"))
      return error;
    std::string function = getOptions(options).function;
    std::optional<TensorPorts> ports = getTensorPorts(model->file->getModule(), function);
    if (!ports)
      return createStringError(function.empty()
                                   ? "expected one public function, found none or several; name "
                                     "one by the option 'function'"
                                   : "there is no function '" + function + "' in the model");
    json::Value value(
        json::Object{{"inputs", describe(ports->inputs)}, {"outputs", describe(ports->outputs)}});
    *json = copyString(escapeJSON(formatv("{0:2}", value).str()));
    return Error::success();
  };
  return report(run(), error);
}

/// The schedule to follow; null without one.
static Expected<std::unique_ptr<ScheduleFile>> parseSchedule(const NpuOptions &options) {
  if (options.schedule.empty())
    return nullptr;
  return ScheduleFile::parse(options.schedule, "schedule", options.target);
}

NpuStatus npuModelPlan(NpuModel *model, const NpuOptions *options, char **json, char **error) {
  auto plan = [&]() -> Error {
    if (Error error = checkPointer(model, "a model"))
      return error;
    if (Error error = checkPointer(json, "a place for the plan"))
      return error;
    NpuOptions given = getOptions(options);
    runtime::RunOptions runOptions = getRunOptions(given);
    std::unique_ptr<ScheduleFile> schedule;
    if (Error error = parseSchedule(given).moveInto(schedule))
      return error;
    runOptions.schedule = schedule.get();
    return workOn(*model, [&](mlir::ModuleOp module) -> Error {
      Expected<runtime::RunReport> result = runtime::planModel(module, runOptions);
      if (!result)
        return result.takeError();
      *json = copyString(toJSON(*result, given.target));
      return Error::success();
    });
  };
  return report(plan(), error);
}

NpuStatus npuModelCompile(NpuModel *model, const NpuOptions *options, NpuProgram **program,
                          char **error) {
  auto compile = [&]() -> Error {
    if (Error error = checkPointer(model, "a model"))
      return error;
    if (Error error = checkPointer(program, "a place for the program"))
      return error;
    NpuOptions given = getOptions(options);
    if (!given.assumedType.empty())
      return make_error<runtime::UsageError>(
          "a model that is taken for a quantized one computes no values; compile it without "
          "assume-type, or make the quantized model with npu-quantize");
    taskgraph::BuildOptions buildOptions;
    buildOptions.target = given.target;
    buildOptions.function = given.function;
    buildOptions.fallback = given.fallback;
    buildOptions.formSegments = given.formSegments;
    buildOptions.effort = given.effort;
    buildOptions.memoryLimit = given.simulator.memoryLimit;
    std::unique_ptr<ScheduleFile> schedule;
    if (Error error = parseSchedule(given).moveInto(schedule))
      return error;
    buildOptions.schedule = schedule.get();
    return workOn(*model, [&](mlir::ModuleOp module) -> Error {
      if (Error error =
              runtime::specializeToInputs(module, given.function, given.inputs,
                                          runtime::InputUse::Values, given.simulator.memoryLimit))
        return error;
      Expected<taskgraph::TaskGraph> graph = taskgraph::buildTaskGraph(module, buildOptions);
      if (!graph)
        return graph.takeError();
      *program = new NpuProgram{std::move(*graph), /*isOurs=*/true};
      return Error::success();
    });
  };
  return report(compile(), error);
}
