//===- CompileFunctions.h - the code of a task graph's tasks --------------===//

#ifndef NPU_LIB_TASKGRAPH_COMPILEFUNCTIONS_H
#define NPU_LIB_TASKGRAPH_COMPILEFUNCTIONS_H

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/HostReference/HostObject.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Roofline/Limit.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/DenseMap.h"

namespace npu::taskgraph {

inline Limits toLimits(const runtime::Limit &limit) {
  return {limit.computeCycles, limit.dramBytes, limit.dramCycles, limit.cutCycles};
}

/// Compiles segments, and the functions of other dispatches, into a task graph. What is the same
/// except for names and locations is compiled once.
class FunctionCompiler {
public:
  FunctionCompiler(TaskGraph &graph, TargetDesc target, DispatchCompiler &compiler,
                   int64_t memoryLimit)
      : graph(graph), target(std::move(target)), compiler(compiler), memoryLimit(memoryLimit) {}

  /// A segment and the functions of its dispatches.
  struct Segment {
    SegmentOp op;
    llvm::SmallVector<const PartitionedFunction *> functions;
  };

  /// Compiles `functions` where they are placed, and segments, in parallel. Call it once, before
  /// what follows.
  llvm::Error compile(llvm::ArrayRef<const PartitionedFunction *> functions,
                      llvm::ArrayRef<Segment> segments = {});

  /// The index of the program of `function`. Its regions are the arguments, then the results; one
  /// that is changed in place is both.
  unsigned getProgram(const PartitionedFunction &function);

  /// The index of the program of a segment; its regions are those of DispatchCompiler::getProgram.
  unsigned getProgram(SegmentOp segment);

  /// The index of the host function of `function`.
  unsigned getHostFunction(const PartitionedFunction &function);

  /// The buffers with the contents of the program's constant regions, in order.
  llvm::ArrayRef<unsigned> getConstants(unsigned program) const { return constants[program]; }

  /// How many bytes may be added by the functions that follow: besides what was added, which is in
  /// an image and in the side file, a tensor is there three times.
  int64_t getBytesLeft() const {
    int64_t added = constantImage.size() + stateImage.size();
    return std::max<int64_t>((memoryLimit - 2 * added) / 3, 0);
  }
  /// A new buffer of region Constants.
  unsigned addConstant(std::string name, const runtime::HostTensor &value);
  /// A new buffer of region State that begins with `value`.
  unsigned addState(std::string name, const runtime::HostTensor &value);

  const TargetDesc &getTarget() const { return target; }

  /// Puts code and constants into the side file. Call it last.
  void finish();

private:
  unsigned addToImage(std::vector<uint8_t> &image, MemoryRegion region, std::string name,
                      const runtime::HostTensor &value);

  /// What one function, one segment or several equal ones became.
  struct Compiled {
    llvm::SmallVector<const PartitionedFunction *> functions;
    SegmentOp segment;                        ///< null: one function
    const CompiledProgram *program = nullptr; ///< null: it is for the host
    std::vector<uint8_t> bytes;               ///< of the program
    std::optional<int64_t> cycles;            ///< simulated, unless that takes long
    std::string symbol;
    runtime::HostObject object;
    std::string error;
    std::optional<unsigned> index; ///< in the graph
  };

  /// Fills in what `compiled` lacks. Called from several threads.
  void finish(Compiled &compiled) const;
  unsigned addProgram(Compiled &compiled);
  std::vector<runtime::LimitNode> makeNodes(const Compiled &compiled) const;
  void addLimits(Program &program, const Compiled &compiled) const;

  TaskGraph &graph;
  TargetDesc target;
  DispatchCompiler &compiler;
  int64_t memoryLimit;
  std::vector<std::unique_ptr<Compiled>> results;
  llvm::DenseMap<mlir::Operation *, Compiled *> resultOf; ///< of functions and segments
  std::vector<llvm::SmallVector<unsigned>> constants;
  std::vector<uint8_t> constantImage;
  std::vector<uint8_t> stateImage;
};

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_COMPILEFUNCTIONS_H
