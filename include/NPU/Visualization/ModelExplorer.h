//===- ModelExplorer.h - a model at every level, for Model Explorer -------===//

#ifndef NPU_VISUALIZATION_MODELEXPLORER_H
#define NPU_VISUALIZATION_MODELEXPLORER_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Visualization/ModuleGraph.h"

namespace npu::runtime {

/// Collects the graphs of a run: the input, the dispatches, the kernel of each in tile form, and
/// the programs; and what is measured of dispatches.
class ModelExplorer {
public:
  /// How much is collected. Only what has all of it can be written.
  enum class Depth { Dispatches, All };

  /// The model as it came.
  explicit ModelExplorer(mlir::ModuleOp input, Depth depth = Depth::All);
  /// A compiled model: its dispatches and programs are all that is known of it.
  explicit ModelExplorer(const taskgraph::TaskGraph &graph);

  void add(const Partition &partition, DispatchCompiler &compiler);
  /// `program` is null if the dispatch ran on the host or in a segment.
  void add(const DispatchRecord &record, const isa::Program *program);
  void add(const SegmentEvent &event);

  Depth getDepth() const { return depth; }

  /// Pairs of dispatches, the second of which uses what the first computes, in order.
  std::vector<std::pair<unsigned, unsigned>> getDispatchEdges() const;

  /// Needs Depth::All. Writes `graphs.json` and a file of values for each of what the run measured
  /// into `directory`, which is created, and the dispatches to `dotPath`.
  llvm::Error write(const RunReport &report, llvm::StringRef label, llvm::StringRef directory,
                    llvm::StringRef dotPath, OutputFiles &files);

private:
  void addKernel(const PartitionedFunction &function, DispatchCompiler &compiler);
  void addProgram(llvm::ArrayRef<unsigned> dispatches, const isa::Program &program);
  void addMeasured(const DispatchRecord &record);
  ModelGraph linkInput(NodeValues &placements) const;
  ModelGraph linkDispatches() const;

  Depth depth = Depth::All;
  ModelGraph input, dispatches;
  std::vector<ModelGraph> kernels, programs;
  std::map<unsigned, size_t> nodeOfDispatch; ///< in `dispatches`
  /// Ids of the graphs of kernels and programs, by dispatch.
  std::map<unsigned, std::vector<std::string>> kernelOfDispatch, programOfDispatch;
  std::map<std::string, std::vector<unsigned>> dispatchesOfPlace; ///< see describePlaces
  /// The worst of a dispatch's runs, by what is measured.
  std::map<std::string, std::map<unsigned, double>> measured;
  std::map<unsigned, Placement> placements;
};

} // namespace npu::runtime

#endif // NPU_VISUALIZATION_MODELEXPLORER_H
