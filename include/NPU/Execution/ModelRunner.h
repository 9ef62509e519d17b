//===- ModelRunner.h - runs a model and reports on it ---------------------===//
//
// What npu-run does: compiles the dispatches of a flow-level or linalg-level module, runs its host
// function with every dispatch in the simulator, and compares with the host reference if asked to.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_EXECUTION_MODELRUNNER_H
#define NPU_EXECUTION_MODELRUNNER_H

#include "NPU/Codegen/SegmentEffort.h"
#include "NPU/Execution/Advice.h"
#include "NPU/Execution/Progress.h"
#include "NPU/Execution/RunTensors.h"
#include "NPU/HostProgram/HostProgram.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Roofline/Limit.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Tensor/Compare.h"
#include "NPU/Tensor/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

namespace npu::runtime {

struct DispatchRecord;
struct WrongDispatch;

/// A dispatch that has run, as passed to RunOptions::onDispatch.
struct DispatchEvent {
  const DispatchRecord &record;
  const isa::Program *program; ///< null: it ran on the host, or in a segment
  /// Of a dispatch in a segment empty, unless RunOptions::keepValues is set.
  llvm::ArrayRef<HostTensor> inputs, outputs;
};

/// A segment that has run, as passed to RunOptions::onSegment before its dispatches.
struct SegmentEvent {
  llvm::ArrayRef<unsigned> dispatches; ///< their numbers
  /// By entry of the program's source table, the place of its dispatch among these.
  llvm::ArrayRef<unsigned> dispatchOfSource;
  const isa::Program &program;
  const sim::Result &statistics;
};

/// A file whose kernel is to run in the place of a dispatch's own.
struct ReplacementRequest {
  std::string name; ///< of the dispatch: its number or its function's name
  std::string path;
  bool isProgram; ///< or else a kernel in tensor form, tile form or planned form
};

/// The only RunOptions::assumedType.
inline constexpr char assumableType[] = "i8";

struct RunOptions {
  std::string target;              ///< specification, see parseTarget
  std::string function;            ///< host function; empty: the only public one
  std::vector<std::string> inputs; ///< see makeInputs
  /// The inputs themselves, instead of `inputs`, for runModel.
  std::optional<llvm::ArrayRef<HostTensor>> inputValues;
  std::vector<std::string> expectedOutputs; ///< see readExpectedOutputs
  ExpectedTolerance tolerance;              ///< for the expected outputs
  ParameterCallback parameter;              ///< null: the model has no parameters
  bool check = false;    ///< compare every dispatch and the outputs with the host
  bool hostOnly = false; ///< run every dispatch on the host
  /// `assumableType`: answer as if an ONNX model of f32 were quantized to it. Only for timeModel
  /// and planModel. Empty: the model is as it is.
  std::string assumedType;
  /// LLVM's optimization level for what runs on the host, 0 to 3.
  unsigned hostOptLevel = HostReferenceOptions().optLevel;
  /// What becomes of dispatches that the target does not run.
  Fallback fallback = Fallback::Host;
  PlacementMap placements; ///< by function, see Partition.h
  /// One program for dispatches that follow each other; otherwise one for each dispatch.
  bool formSegments = true;
  /// What is chosen of the NPU's kernels, or is told. May be null.
  ScheduleFile *schedule = nullptr;
  SegmentEffort effort = SegmentEffort::Auto; ///< for what that does not say
  /// Also find out what dispatches within segments give, which takes another run of theirs.
  bool keepValues = false;
  /// Called when it is decided what runs where. May be null.
  std::function<void(const Partition &, DispatchCompiler &)> onPartition;
  /// Called after every segment. May be null.
  std::function<void(const SegmentEvent &)> onSegment;
  /// Called after every dispatch. May be null.
  std::function<llvm::Error(const DispatchEvent &)> onDispatch;
  std::vector<ReplacementRequest> replacements;
  /// Called for the first dispatch that differs from the host, or that traps, while its values are
  /// there; needs `check`. May be null.
  std::function<llvm::Error(const WrongDispatch &, DispatchCompiler &, const sim::Options &)>
      onWrongDispatch;
  /// Called with the forms and the program of every dispatch that the NPU runs, as
  /// `dispatch_3.tile.mlir` and its text. May be null.
  std::function<llvm::Error(llvm::StringRef name, llvm::StringRef text)> onForm;
  HostOpCallback onHostOp;                              ///< see HostProgramCallbacks::executed
  int64_t hostOpLimit = HostProgramCallbacks().opLimit; ///< see HostProgramCallbacks
  sim::Options simulator;
  /// The number of kernels, those that lose most, that get advice on what would make them faster.
  unsigned numAdvised = 0;
  Progress *progress = nullptr; ///< told what is under way, unless it is null
};

/// What the compiler chose for a dispatch on the NPU.
struct PlanRecord {
  /// The number of the first dispatch of its kernel: dispatches that follow each other may share
  /// one.
  unsigned kernel = 0;
  std::string tile;            ///< of the kernel, e.g. `m = 32, n = 64`; empty: unknown
  std::string schedule;        ///< of the kernel, as its attribute prints it; empty: unknown
  int64_t predictedCycles = 0; ///< of the whole kernel; 0: unknown
  /// Bytes that the program uses of each on-chip memory, of a cluster; 0: unknown.
  int64_t sramBytes = 0, accBytes = 0;
};

/// One executed dispatch. Dispatches that share a kernel follow each other; what the kernel did as
/// a whole is in the record of the first of them, and the others have nothing of it.
struct DispatchRecord {
  unsigned index = 0;
  std::string description; ///< e.g. `op: linalg.matmul M=128 N=512 K=256 dtype: f16`
  /// What it is of in the model: names of ONNX nodes, or places in files. May be empty.
  llvm::SmallVector<std::string> sources;
  /// The one of them that its main op is of, and the operator of ONNX that this is. May be empty.
  std::string layer, layerOp;
  Placement placement = Placement::NPU;
  /// In a plan: its code is in another file, so that nothing is decided about it.
  bool isExternal = false;
  int64_t macs = 0;
  // On the NPU, of the whole kernel:
  sim::Result statistics;
  PlanRecord plan;
  Limit limit;
  int64_t peakMacRate = 0; ///< MAC/cycle of one cluster for the fastest operands; 0 without any
  /// Cycles of the program of several kernels that it is part of; 0 if it is one alone.
  int64_t programCycles = 0;
  std::vector<CompareReport> checks; ///< one per result, when checked
  // On the host:
  std::vector<std::string> reasons;

  /// Whether the record of another dispatch has what its kernel did.
  bool isInOtherKernel() const { return placement == Placement::NPU && plan.kernel != index; }
  /// The worst of the checks.
  CheckVerdict getVerdict() const;
  /// Its lines in the table; of one that was only planned, what is predicted.
  void print(llvm::raw_ostream &os, const TargetDesc &target, bool isPlan = false) const;
};

/// One output of the model.
struct OutputRecord {
  std::string name;
  HostTensor value;
  std::optional<CompareReport> check;       ///< end to end, when checked
  std::optional<CompareReport> expectation; ///< when a value was expected
};

struct RunReport {
  bool isPlan = false;     ///< nothing ran, see planModel
  std::string assumedType; ///< see RunOptions
  Limit limit;             ///< of all that the NPU runs, as one program
  std::vector<DispatchRecord> dispatches;
  std::vector<OutputRecord> outputs;
  std::vector<Loss> losses; ///< of the kernels that have a limit, the largest first

  /// What the comparisons with the host say of the whole run: a match when nothing mismatches and
  /// some output is compared conclusively. Inner results that are inconclusive do not change that.
  CheckVerdict getHostVerdict() const;
  /// Dispatches and outputs whose comparison with the host is inconclusive, for messages.
  llvm::SmallVector<std::string> getInconclusive() const;
  /// Whether the run matches the host, as far as it was compared, and all outputs are as expected.
  bool hasPassed() const;

  /// The share that runs on the NPU, the largest losses, and then the table per dispatch.
  void print(llvm::raw_ostream &os, const TargetDesc &target) const;
  /// Of every kernel, in the order in which they ran: what the compiler predicted of its schedule,
  /// what it took, and the limit, side by side; then the sums.
  void printSchedules(llvm::raw_ostream &os) const;
  /// The largest losses, and what would make these kernels faster.
  void printLosses(llvm::raw_ostream &os) const;
  /// The share that ran, and the outputs.
  void printTotals(llvm::raw_ostream &os, const TargetDesc &target) const;
};

/// The losses of a report, without advice.
std::vector<Loss> collectLosses(const RunReport &report);

/// Runs the module, which is changed on the way. Diagnostics of the compiler are emitted; a trap of
/// the simulator comes back as sim::Trap.
llvm::Expected<RunReport> runModel(mlir::ModuleOp module, const RunOptions &options);

/// How long the dispatches of the module take, which is changed on the way: nothing is computed, so
/// neither inputs nor parameters are needed, and the report has no outputs. Fails where data decide
/// what runs.
llvm::Expected<RunReport> timeModel(mlir::ModuleOp module, const RunOptions &options);

/// What would run where, and what the compiler predicts of it: every dispatch of the module, or of
/// the function that is asked for and what it calls, once and in order, whatever decides whether
/// and how often it runs. The module is changed on the way. Nothing is run and nothing is timed:
/// the report's statistics are empty but for the bytes to and from DRAM, and `isPlan` is set.
llvm::Expected<RunReport> planModel(mlir::ModuleOp module, const RunOptions &options);

/// Compares the outputs of a report, or the parts that count, with what readExpectedOutputs gave.
llvm::Error compareWithExpected(RunReport &report,
                                llvm::ArrayRef<std::optional<HostTensor>> expected,
                                const ExpectedTolerance &tolerance,
                                llvm::ArrayRef<ResultLength> lengths = {});

/// Busy cycles of an engine, over all clusters.
int64_t getBusyCycles(const sim::Result &result, isa::EngineKind engine);

} // namespace npu::runtime

#endif // NPU_EXECUTION_MODELRUNNER_H
