//===- RunCommandLine.h - the options of npu-run --------------------------===//

#ifndef NPU_TOOLS_NPURUN_RUNCOMMANDLINE_H
#define NPU_TOOLS_NPURUN_RUNCOMMANDLINE_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Execution/Progress.h"
#include "NPU/Execution/RunTensors.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Support/ByteSize.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

namespace npu::runtime {

enum class Device { NPU, Host, Compare };
enum class ProgressMode { Auto, On, Off };
enum class AssumedType { None, I8 };
enum class EqualityMode { Approximate, Exact };
/// What is run, as bits of a set.
enum class RunInput : unsigned {
  MLIR = 1,
  ONNX = 2,
  Tests = 4, ///< of ONNX, in a directory
  TaskGraph = 8,
  Program = 16,
  Kernel = 32, ///< in a form of the compiler
};

/// The options of npu-run. Those that iree-run-module has too are spelled as there. Constructed in
/// runMain, after LLVM's own have been hidden.
struct RunCommandLine {
  RunCommandLine();

  llvm::cl::opt<std::string> file, module, testData, function;
  llvm::cl::opt<TargetName> target;
  llvm::cl::list<std::string> inputs, parameters, outputs, expectedOutputs;
  llvm::cl::opt<double> f16Threshold, bf16Threshold, f32Threshold, f64Threshold, relativeTolerance;
  llvm::cl::opt<EqualityMode> equalityMode;
  llvm::cl::opt<int64_t> maxPrintedElements;
  llvm::cl::opt<Device> device;
  llvm::cl::opt<bool> check, bisect, timingOnly, plan, json, compareSchedules, allowHostCode;
  llvm::cl::opt<AssumedType> assumeType;
  llvm::cl::opt<unsigned> numAdvised;
  llvm::cl::list<std::string> replacePrograms, replaceForms;
  llvm::cl::opt<std::string> dumpForms;
  llvm::cl::opt<Switch> segments;
  llvm::cl::opt<SegmentEffort> effort;
  llvm::cl::opt<Fallback> fallback;
  llvm::cl::opt<std::string> placement;
  llvm::cl::opt<std::string> schedule;
  /// Spellings of npu-compile, or without npu-.
  llvm::cl::alias npuFunction{"npu-function", llvm::cl::aliasopt(function),
                              llvm::cl::desc("The same as --function")};
  OptionAliases aliases{{&segments, &effort, &fallback, &placement, &schedule}};
  llvm::cl::opt<std::string> dumpIntermediates, trace, report, compareReport, sarif, modelExplorer;
  llvm::cl::opt<ProgressMode> progress;
  llvm::cl::opt<int64_t> cycleLimit, hostOpLimit;
  llvm::cl::opt<ByteSize> memoryLimit;
  /// Read before the other options are parsed.
  llvm::cl::opt<std::string> flagfile;

  /// Fails when the values do not go together.
  llvm::Error verify() const;

  /// Fails for an option that has no effect on such an input.
  llvm::Error checkFor(RunInput input) const;

  /// The model or program; - stands for the standard input.
  const std::string &getPath() const { return file.empty() ? module : file; }
  sim::Options getSimulatorOptions() const;
  /// Null where it is not to be shown.
  std::unique_ptr<Progress> createProgress() const;
  ExpectedTolerance getTolerance() const;
  /// The number of kernels that get advice.
  unsigned getNumAdvised() const;
  /// What looks for a wrong dispatch: what is replaced, a report of where it comes from, which is
  /// appended to `bisection`, and the forms, which are added to `files`.
  void addDebugging(RunOptions &run, std::string &bisection, OutputFiles &files) const;

private:
  llvm::Error verifyNumbers() const;
  llvm::Error verifyComparison() const;
  llvm::Error verifyPaths() const;
};

/// Replaces every `--flagfile=<path>` of a command line by the flags in that file: one per line,
/// empty lines and those that start with # or // left out. `saver` owns the result's strings.
llvm::Expected<llvm::SmallVector<const char *>> expandFlagfiles(llvm::ArrayRef<char *> arguments,
                                                                llvm::StringSaver &saver);

} // namespace npu::runtime

#endif // NPU_TOOLS_NPURUN_RUNCOMMANDLINE_H
