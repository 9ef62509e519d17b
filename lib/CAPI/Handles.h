//===- Handles.h - what the handles of the C API are ----------------------===//

#ifndef NPU_LIB_CAPI_HANDLES_H
#define NPU_LIB_CAPI_HANDLES_H

#include "npu-c/npu.h"

#include "NPU/InitAll/ModelFile.h"
#include "NPU/RunReport/RecordedRun.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/Support/raw_ostream.h"

struct NpuOptions {
  NpuOptions();

  std::string target; ///< the first that is known, unless it is set
  std::string function;
  npu::Fallback fallback = npu::Fallback::Host;
  bool formSegments = true;
  npu::SegmentEffort effort = npu::SegmentEffort::Auto;
  npu::ONNXImportOptions onnx;
  std::vector<std::string> parameters, inputs;
  std::string schedule, trace, assumedType;
  bool check = false, fullReport = false;
  unsigned numAdvised = 0;
  npu::sim::Options simulator;
  int64_t hostOpLimit;
  bool allowHostCode = false;
};

struct NpuModel {
  std::string name; ///< of the file, for people
  /// What is said about the model while it is worked on.
  std::string diagnostics;
  llvm::raw_string_ostream os{diagnostics};
  std::unique_ptr<npu::ModelFile> file;
};

struct NpuProgram {
  npu::taskgraph::TaskGraph graph;
  bool isOurs = false; ///< its native code has been compiled by this process
};

struct NpuReport {
  std::unique_ptr<npu::runtime::RecordedRun> run;
};

namespace npu::capi {

/// Gives the caller a copy of `text`.
char *copyString(llvm::StringRef text);

/// Tells the caller of an error, or that there is none.
NpuStatus report(llvm::Error error, char **message);

/// A UsageError if a pointer is NULL that must not be; `what` says what it should point to.
llvm::Error checkPointer(const void *pointer, llvm::StringRef what);

/// What NULL stands for as well.
NpuOptions getOptions(const NpuOptions *options);

/// The number of an element type in C, and the type of a number if there is one.
NpuElementType toC(runtime::ElementType type);
std::optional<runtime::ElementType> fromC(int32_t type);

/// The run that the options describe; parameters are not loaded.
runtime::RunOptions getRunOptions(const NpuOptions &options);

/// Calls `work` with a copy of the model's module, as the compiler changes it. Its error is what
/// the diagnostics say, if they say one.
llvm::Error workOn(NpuModel &model, llvm::function_ref<llvm::Error(mlir::ModuleOp)> work);

/// A report as JSON; what it looks like stands at npuModelPlan.
std::string toJSON(const runtime::RunReport &report, llvm::StringRef target);

} // namespace npu::capi

#endif // NPU_LIB_CAPI_HANDLES_H
