//===- npu.h - the toolchain in C -----------------------------------------===//
//
// Reads a model, says what of it runs where, compiles it and runs it on the simulated NPU. For C
// and whatever can call C; in libNPU.so.
//
// * Handles are opaque. What a function gives by a pointer to a handle is freed by the function
//   `Free` of its type, which takes NULL as well; strings are freed by npuFreeString.
// * Functions that can fail return a status. If `error` is not NULL, `*error` is then a message
//   that says what was expected and what was found, and NULL after success. Nothing else is written
//   to the caller's variables after an error, and nothing is printed.
// * Different handles may be used by different threads at the same time, one handle by one thread
//   at a time. Functions that write files install handlers of signals that remove unfinished ones.
// * Functions and values of enumerations are only added as long as NPU_ABI_VERSION stays the same,
//   and structs stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_C_NPU_H
#define NPU_C_NPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPU_ABI_VERSION 1

/// NPU_ABI_VERSION of the library: compare it with the header's before anything else.
uint32_t npuGetAbiVersion(void);

/// The version of the toolchain, as `0.1.0`. Static.
const char *npuGetVersion(void);

void npuFreeString(char *string);

/// What a function returns; the same numbers as npu-run's exit codes.
typedef enum NpuStatus {
  NPU_OK = 0,
  NPU_BAD_INPUT = 1, ///< what a model, a file or a tensor contains
  NPU_BAD_USAGE = 2, ///< how the function was called: NULL, an unknown option, too few tensors
  NPU_TRAP = 4       ///< the simulator has stopped the program
} NpuStatus;

/// Gives what the option `target` calls a chip, which is checked. `chip` is a specification, as
/// "npu-v1:clusters=2"; or "@" and the name of a chip's file; or the text of such a file, a JSON
/// object.
NpuStatus npuTargetRead(const char *chip, char **specification, char **error);

/// Gives a chip as the text of such a file, with every parameter. Takes what npuTargetRead gives.
NpuStatus npuTargetPrint(const char *specification, char **json, char **error);

/// Gives the names of the known chips as a JSON array.
NpuStatus npuTargetList(char **json, char **error);

/// Names and values, as npu-run's flags; NULL stands for none of them.
typedef struct NpuOptions NpuOptions;

NpuOptions *npuOptionsCreate(void);
void npuOptionsFree(NpuOptions *options);

/// Sets an option. Those with a * may be set several times, and each counts.
///
///   target            chip to compile for, e.g. "npu-v1:clusters=2"; default "npu-v1". A chip in a
///                     file becomes one by npuTargetRead
///   function          function of the model; default: the only public one
///   npu-fallback      "host" (default) or "error": dispatches that the NPU does not run
///   npu-segments      "on" (default) or "off": dispatches that follow each other are one program
///   npu-search        "auto" (default), "quick" or "full": whether schedules of kernels that
///                     follow each other are chosen together; auto: on several clusters
///   onnx-dim *        "name=size", for npuModelRead: a named dimension of an ONNX model's inputs
///   onnx-output *     for npuModelRead: a value that an ONNX model gives instead of its outputs
///   onnx-seed-weights a number, for npuModelRead: an ONNX model's constant weights become random
///   input *           an input as npu-run's flag has it, in order, for the shapes of a model whose
///                     own are dynamic; npuReportRun has inputs of its own
///   schedule          a schedule to follow: the text of a file of npu-run's --npu-schedule
///   check             "on" or "off" (default), for npuReportRun: compare with the host
///   trace             for npuReportTime and npuReportRun: a file for the timeline
///   advise            a number of kernels, those that lose most, to give advice on; 0 (default)
///   assume-type       "i8", for npuModelPlan, npuReportPlan and npuReportTime: as if an ONNX model
///                     in f32 were quantized
///   report            "quick" (default) or "full": whether npuReportWrite also writes the timeline
///                     trace.pftrace and graphs of the model at every level, which take time
///   parameters *      "[scope=]file": where the weights are that the model names and does not have
///   cycle-limit       trap after this many simulated cycles
///   memory-limit      refuse what needs more bytes for its tensors
///   host-op-limit     stop after this many tasks
///   allow-host-code   "on" or "off" (default): whether programs that npuProgramRead has read may
///                     run their native code, which can do whatever this process can
NpuStatus npuOptionsSet(NpuOptions *options, const char *name, const char *value, char **error);

/// A model, as it was read.
typedef struct NpuModel NpuModel;

/// Reads a file: ONNX, or MLIR of any level that npu-run takes, as text or bytecode.
NpuStatus npuModelRead(const char *path, const NpuOptions *options, NpuModel **model, char **error);

/// Reads `numBytes` bytes of memory, which are copied. `name` stands for them in messages; one that
/// ends in .onnx says that they are ONNX. External data of ONNX is looked for beside `name`.
NpuStatus npuModelReadBuffer(const void *data, size_t numBytes, const char *name,
                             const NpuOptions *options, NpuModel **model, char **error);
void npuModelFree(NpuModel *model);

/// Describes inputs and outputs of the model, of the options' function, as JSON. A dimension is
/// null that is not known; so are type and shape of what is no tensor.
///
///   {"inputs": [{"name": "x", "shape": [null, 3], "type": "f32"}], "outputs": [...]}
NpuStatus npuModelDescribe(NpuModel *model, const NpuOptions *options, char **json, char **error);

/// Says as JSON which of the model's dispatches would run where, and why not on the NPU; runs
/// nothing. `cycles` are the cost model's, of the whole kernel, at the first of the dispatches that
/// share one; `kernel` is that dispatch's index, and only there on the NPU. `placement` is "npu",
/// "host", or "external" for code that is not in the file, which nothing is decided about.
/// `sources` are names of the model's nodes or places in its file.
///
///   {"cycles": 4912, "dispatches": [
///      {"cycles": 4912, "index": 0, "kernel": 0, "macs": 2097152,
///       "op": "op: linalg.matmul M=128 ...", "placement": "npu", "reasons": [],
///       "sources": ["model.mlir:7:3"]}],
///    "macs": 2097152, "macsOnNPU": 2097152, "target": "npu-v1"}
NpuStatus npuModelPlan(NpuModel *model, const NpuOptions *options, char **json, char **error);

/// A compiled model: a task graph.
typedef struct NpuProgram NpuProgram;

/// Compiles a model, whose shapes must be static, for the options' target.
NpuStatus npuModelCompile(NpuModel *model, const NpuOptions *options, NpuProgram **program,
                          char **error);

/// Reads a task graph, a .json file with its side file beside it, and checks it.
NpuStatus npuProgramRead(const char *path, NpuProgram **program, char **error);

/// Writes the program as a task graph, `path` (.json) and a side file; both, or none on an error.
NpuStatus npuProgramWrite(NpuProgram *program, const char *path, char **error);
void npuProgramFree(NpuProgram *program);

/// Of elements: integers are two's complement, of any sign; i1 takes a byte, which is 0 or 1.
typedef enum NpuElementType {
  NPU_I1 = 1,
  NPU_I8,
  NPU_I16,
  NPU_I32,
  NPU_I64,
  NPU_F16,
  NPU_BF16,
  NPU_F32,
  NPU_F64
} NpuElementType;

/// A dense row-major tensor, little endian.
typedef struct NpuTensor {
  const char *name;     ///< of an input or output; ignored by npuProgramRun
  const int64_t *shape; ///< `rank` numbers
  void *data;           ///< `numBytes` bytes of the caller's; NULL from npuProgramGetInput
  uint64_t numBytes;    ///< of all elements
  int32_t elementType;  ///< an NpuElementType
  int32_t rank;
} NpuTensor;

/// How many inputs and outputs there are; 0 for NULL.
size_t npuProgramGetNumInputs(const NpuProgram *program);
size_t npuProgramGetNumOutputs(const NpuProgram *program);

/// Describes an input or output. Name and shape live as long as the program.
NpuStatus npuProgramGetInput(const NpuProgram *program, size_t index, NpuTensor *tensor,
                             char **error);
NpuStatus npuProgramGetOutput(const NpuProgram *program, size_t index, NpuTensor *tensor,
                              char **error);

/// Runs the program once, from its initial state, in the simulator, and what the NPU does not run
/// natively. Inputs are read, and outputs written, where `data` says; type, shape and size of every
/// tensor must be the program's. `*report` becomes JSON as npuModelPlan's, with the cycles of this
/// run and without kernels, unless `report` is NULL.
NpuStatus npuProgramRun(NpuProgram *program, const NpuOptions *options, const NpuTensor *inputs,
                        size_t numInputs, const NpuTensor *outputs, size_t numOutputs,
                        char **report, char **error);

/// A plan, a timing or a run of a model, and all that is known of it.
typedef struct NpuReport NpuReport;

/// Plans as npuModelPlan does.
NpuStatus npuReportPlan(NpuModel *model, const NpuOptions *options, NpuReport **report,
                        char **error);

/// Says how long a model takes: simulates its programs without data, as npu-run --timing-only.
NpuStatus npuReportTime(NpuModel *model, const NpuOptions *options, NpuReport **report,
                        char **error);

/// Runs a model once, and compares every dispatch and every output with the host if the option
/// `check` says so. `inputs` are read where `data` says; names are ignored. A result that is wrong
/// is no error: the summary says it. Use npuModelCompile to run a model several times.
NpuStatus npuReportRun(NpuModel *model, const NpuOptions *options, const NpuTensor *inputs,
                       size_t numInputs, NpuReport **report, char **error);
void npuReportFree(NpuReport *report);

/// Texts of a report.
typedef enum NpuReportText {
  NPU_REPORT_SUMMARY = 1, ///< summary.json of npu-run --report; of a plan what npuModelPlan says
  NPU_REPORT_TABLES,      ///< its report.json; not of a plan
  NPU_REPORT_PAGE,        ///< its report.html; not of a plan
  NPU_REPORT_KERNELS,     ///< a table of kernels, as the tables of report.json
  NPU_REPORT_SCHEDULE,    ///< the schedule that was followed or else chosen, for the option
  NPU_REPORT_DIAGNOSTICS, ///< what was said of the model, as SARIF
  NPU_REPORT_LOSSES,      ///< kernels with what they take beyond their limit, and with advice
} NpuReportText;

/// Gives a text; `which` is an NpuReportText.
NpuStatus npuReportGetText(NpuReport *report, int32_t which, char **text, char **error);

/// How many outputs a run gave; 0 for NULL, plans and timings.
size_t npuReportGetNumOutputs(const NpuReport *report);

/// Gives an output of a run. Name, shape and data, which must not be changed, live as long as the
/// report.
NpuStatus npuReportGetOutput(const NpuReport *report, size_t index, NpuTensor *tensor,
                             char **error);

/// Writes the files of npu-run --report into a directory, which is created: those that the option
/// `report` says. Not of a plan.
NpuStatus npuReportWrite(NpuReport *report, const char *directory, char **error);

#ifdef __cplusplus
}
#endif

#endif // NPU_C_NPU_H
