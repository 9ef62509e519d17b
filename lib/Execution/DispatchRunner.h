//===- DispatchRunner.h - runs a model's dispatches -------------*- C++ -*-===//

#ifndef NPU_LIB_EXECUTION_DISPATCHRUNNER_H
#define NPU_LIB_EXECUTION_DISPATCHRUNNER_H

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/Execution/WrongDispatch.h"
#include "NPU/HostProgram/HostModel.h"
#include "NPU/HostReference/ErrorPropagation.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/Roofline/Limit.h"
#include "NPU/Target/ISA/Traffic.h"

namespace npu::runtime {

/// Runs dispatches on the simulator and, for the comparison, on the host.
class DispatchRunner {
public:
  /// Places the dispatches of `module`, which goes through the phases that it lacks. `compiler` is
  /// for the target of `options`; both must outlive the runner.
  static llvm::Expected<std::unique_ptr<DispatchRunner>>
  create(mlir::ModuleOp module, const RunOptions &options, DispatchCompiler &compiler);

  /// Reads what is to run in the place of dispatches.
  llvm::Error readReplacements();
  /// Compiles the dispatches that the NPU runs, all at once, and puts those that follow each other
  /// into segments.
  llvm::Error compile(mlir::ModuleOp module);
  using ReadValues = llvm::function_ref<llvm::Expected<llvm::SmallVector<HostTensor>>(
      llvm::ArrayRef<mlir::Value>)>;
  /// The segment, and each of its dispatches recorded in the report.
  llvm::Expected<llvm::SmallVector<HostTensor>> run(SegmentOp segment, ReadValues read);
  /// Dispatch `index` where the partition places it; recorded in the report.
  llvm::Expected<llvm::SmallVector<HostTensor>> run(unsigned index,
                                                    llvm::ArrayRef<HostTensor> inputs);
  /// Dispatch `index` on the host; not recorded.
  llvm::Expected<llvm::SmallVector<HostTensor>> runOnHost(unsigned index,
                                                          llvm::ArrayRef<HostTensor> inputs);
  /// All of a model as it came.
  llvm::Expected<llvm::SmallVector<HostTensor>> runOnHost(const HostModel &model,
                                                          llvm::ArrayRef<HostTensor> inputs);
  /// How far its results may be from those, by its own sums and elementary functions; see
  /// `ContractionBound`.
  llvm::Expected<llvm::SmallVector<HostTensor>> getBounds(const HostModel &model,
                                                          llvm::ArrayRef<HostTensor> inputs);

  /// As `runOnHost` of a dispatch that was the `position`th to run, with results moved as far as
  /// the check of that run allows.
  llvm::Expected<llvm::SmallVector<HostTensor>>
  runMoved(unsigned index, llvm::ArrayRef<HostTensor> inputs, size_t position, unsigned pattern);
  /// Whether errors of dispatches are to be followed to what was compared with a tolerance relative
  /// to the largest element. That does not cover what is rounded coarsely, nor what is left where
  /// numbers of alike size are subtracted.
  bool mustPropagateErrors(const CompareReport &compared) const {
    return hasErrors && (isCoarse || compared.getVerdict() == CheckVerdict::Mismatch);
  }
  /// To integers as well: as within a dispatch, elementary functions and sums of floats excuse
  /// those.
  bool mayMoveIntegers() const { return mayMove; }

  /// Of a module without a host function, the function that it is about, or that was asked for.
  llvm::Expected<unsigned> findOnlyFunction() const;

  /// What the segment or dispatch takes; recorded in the report, where it ran on the NPU and where
  /// on the host.
  llvm::Error time(SegmentOp segment);
  llvm::Error time(unsigned index);

  /// What the compiler chose and predicts for them; recorded likewise.
  llvm::Error plan(SegmentOp segment);
  llvm::Error plan(unsigned index);

  unsigned getNumDispatches() const { return sites.size(); }
  mlir::Operation *getOp(unsigned index) const { return sites[index].op; }

  llvm::Expected<mlir::func::FuncOp> getFunction(unsigned index) const;
  /// As in the model before segments were formed.
  unsigned getNumber(mlir::Operation *dispatch) const { return numbers.lookup(dispatch); }

  /// Compares with the reference, within the bound of the function's sums and elementary functions.
  llvm::Expected<CompareReport> compareResult(Judgment judgment, const HostTensor &actual,
                                              llvm::ArrayRef<HostTensor> inputs);

  /// The report on all that ran, with its limit.
  RunReport takeReport();

  RunReport report;

private:
  /// Finds out what would make the kernels faster that lose most.
  void adviseOnLosses();
  /// The kernel whose first dispatch is that of a record; null where it is not known.
  mlir::OwningOpRef<KernelOp> cloneKernel(size_t record);
  /// Tells the progress how much there is to run.
  void beginRun(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::FuncOp> functions);
  /// Tells it what ran.
  void finishProgram(const sim::Result &result) const;
  DispatchRunner(mlir::ModuleOp module, const RunOptions &options, TargetDesc target,
                 Partition partition, DispatchCompiler &compiler);

  DispatchRecord makeRecord(unsigned index) const;
  const Roofline &getRoofline(mlir::func::FuncOp function);
  const Roofline &getRoofline(flow::DispatchOp dispatch);
  /// Of a dispatch that is a program of its own.
  void addLimit(DispatchRecord &record, mlir::func::FuncOp function);
  /// Of the dispatches in a segment, with plans and limits.
  std::vector<DispatchRecord> makeRecords(SegmentOp segment, const CompiledProgram &program);
  /// Adds what the segment's kernels did.
  void addShares(llvm::MutableArrayRef<DispatchRecord> records, const CompiledProgram &program,
                 const sim::Result &whole) const;
  /// Of the dispatches in a segment.
  llvm::SmallVector<unsigned> getNumbers(SegmentOp segment) const;
  llvm::Expected<const sim::Result *> measure(const CompiledProgram &program);
  llvm::Expected<LaunchResult> launchSegment(SegmentOp segment, SegmentOutputs outputs,
                                             llvm::ArrayRef<mlir::Value> values,
                                             llvm::ArrayRef<HostTensor> inputs);
  llvm::Expected<llvm::SmallVector<HostTensor>> runOnNPU(mlir::func::FuncOp function,
                                                         const isa::Program &program,
                                                         llvm::ArrayRef<HostTensorType> outputTypes,
                                                         DispatchRecord &record,
                                                         llvm::ArrayRef<HostTensor> inputs);
  llvm::Error check(mlir::func::FuncOp function, DispatchRecord &record,
                    llvm::ArrayRef<HostTensor> inputs, llvm::ArrayRef<HostTensor> outputs);
  /// Compares a result that a segment gives and that is another one than the dispatch's own, which
  /// has been checked: sums that the segment's program adds up in another order may differ. As with
  /// outputs of a whole model, what the bounds of the dispatches before allow is measured, those
  /// from `firstError` on.
  llvm::Error checkGiven(DispatchRecord &record, mlir::Value value, const HostTensor &actual,
                         llvm::ArrayRef<HostTensor> inputs, size_t firstError);
  /// What the host says of the outputs of a dispatch.
  llvm::Expected<llvm::SmallVector<Judgment>> judge(mlir::func::FuncOp function,
                                                    llvm::ArrayRef<HostTensor> inputs,
                                                    ContractionBound::Effort effort);
  /// Tells where the first wrong result comes from, if that is asked for.
  llvm::Error reportWrong(mlir::func::FuncOp function, unsigned index,
                          llvm::ArrayRef<HostTensor> inputs, llvm::ArrayRef<Judgment> judgments);
  /// The dispatches that the NPU runs.
  llvm::SmallVector<ReplaceableDispatch> getReplaceable() const;

  const RunOptions &options;
  TargetDesc target;
  Partition partition;
  DispatchCompiler &compiler;
  HostReferenceCache references;
  std::map<unsigned, std::shared_ptr<const Replacement>> replacements; ///< by dispatch
  bool hasReportedWrong = false;
  std::map<const CompiledProgram *, sim::Result> measured;
  llvm::DenseMap<mlir::Operation *, Roofline> rooflines; ///< of functions
  llvm::SmallVector<flow::DispatchSite> sites;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers; ///< of the sites' ops
  bool propagatesErrors = false, hasErrors = false;
  bool isCoarse = false; ///< a dispatch rounds to steps that no relative tolerance covers
  bool mayMove = false;  ///< results of a dispatch may, and integers that are rounded from them
  /// Of every dispatch that ran, in that order, if they are to be propagated.
  std::vector<DispatchErrors> errors;
};

/// The plan of each of the dispatches that share a program.
llvm::SmallVector<PlanRecord> describePlans(const CompiledProgram &program,
                                            llvm::ArrayRef<unsigned> dispatches);

/// Types of the arguments, then of the results.
llvm::Expected<llvm::SmallVector<HostTensorType>> getTypes(mlir::func::FuncOp function);

} // namespace npu::runtime

#endif // NPU_LIB_EXECUTION_DISPATCHRUNNER_H
