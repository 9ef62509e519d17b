//===- ValueBuffers.h - the values of a host function in memory -*- C++ -*-===//
//
// A value that is another view of the same bytes becomes an alias, and a value that updates another
// in place takes over its buffer if the old contents are not needed any more.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_TASKGRAPH_VALUEBUFFERS_H
#define NPU_LIB_TASKGRAPH_VALUEBUFFERS_H

#include "CompileFunctions.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/DenseSet.h"

namespace npu::taskgraph {

/// The buffers of a task graph by value, and the tasks that fill and copy them.
class ValueBuffers {
public:
  ValueBuffers(TaskGraph &graph, FunctionCompiler &compiler) : graph(graph), compiler(compiler) {}

  unsigned addBuffer(std::string name, const runtime::HostTensorType &type, MemoryRegion region);
  Task &addTask(TaskKind kind, mlir::Location loc, const llvm::Twine &name);
  llvm::Expected<unsigned> addView(mlir::Operation *op, unsigned buffer, mlir::Type type);
  void addCopy(mlir::Location loc, unsigned source, unsigned target);

  /// Makes `buffer` hold `value`.
  void hold(mlir::Value value, unsigned buffer);
  /// `value` repeats one element; a buffer is filled with it where one is needed.
  void holdSplat(mlir::Value value, std::vector<uint8_t> element);
  void holdScalar(mlir::Value value, runtime::HostTensor scalar);
  /// What runs compute again may not be overwritten.
  void keep(unsigned buffer) { kept.insert(graph.getRoot(buffer)); }

  /// The constant scalar that `value` is; null if it is none.
  const runtime::HostTensor *getScalar(mlir::Value value) const;
  /// The buffer that holds `value`.
  llvm::Expected<unsigned> getBuffer(mlir::Operation *user, mlir::Value value);
  /// A buffer with the contents of `value` that the user may overwrite.
  llvm::Expected<unsigned> getWritable(mlir::OpOperand &operand);
  /// Makes the results of `op` its operands, seen with the types of the results.
  llvm::Error alias(mlir::Operation *op);

private:
  void addFill(mlir::Location loc, unsigned buffer, llvm::ArrayRef<uint8_t> pattern);
  bool isLastUse(mlir::OpOperand &operand, unsigned buffer) const;

  TaskGraph &graph;
  FunctionCompiler &compiler;
  llvm::DenseMap<mlir::Value, unsigned> bufferOf;
  /// The values that a buffer (no alias) holds now.
  llvm::DenseMap<unsigned, llvm::SmallVector<mlir::Value>> holders;
  llvm::DenseMap<mlir::Value, std::vector<uint8_t>> splats;
  llvm::DenseMap<mlir::Value, runtime::HostTensor> scalars;
  llvm::DenseSet<unsigned> kept;
};

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_VALUEBUFFERS_H
