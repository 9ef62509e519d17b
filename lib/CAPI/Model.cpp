//===- Model.cpp - models of the C API ------------------------------------===//

#include "Handles.h"

#include "NPU/Support/InputFile.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

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

/// Calls `work` with a copy of the model's module, as the compiler changes it.
template <typename Function>
static Error workOn(NpuModel &model, Function work) {
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

NpuStatus npuModelPlan(NpuModel *model, const NpuOptions *options, char **json, char **error) {
  auto plan = [&]() -> Error {
    if (Error error = checkPointer(model, "a model"))
      return error;
    if (Error error = checkPointer(json, "a place for the plan"))
      return error;
    NpuOptions given = getOptions(options);
    runtime::RunOptions runOptions;
    runOptions.target = given.target;
    runOptions.function = given.function;
    runOptions.fallback = given.fallback;
    runOptions.formSegments = given.formSegments;
    runOptions.effort = given.effort;
    runOptions.simulator = given.simulator;
    runOptions.hostOpLimit = given.hostOpLimit;
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
    taskgraph::BuildOptions buildOptions;
    buildOptions.target = given.target;
    buildOptions.function = given.function;
    buildOptions.fallback = given.fallback;
    buildOptions.formSegments = given.formSegments;
    buildOptions.effort = given.effort;
    buildOptions.memoryLimit = given.simulator.memoryLimit;
    return workOn(*model, [&](mlir::ModuleOp module) -> Error {
      Expected<taskgraph::TaskGraph> graph = taskgraph::buildTaskGraph(module, buildOptions);
      if (!graph)
        return graph.takeError();
      *program = new NpuProgram{std::move(*graph), /*isOurs=*/true};
      return Error::success();
    });
  };
  return report(compile(), error);
}
