//===- ControlTasks.h - branches, loops and integers as tasks ---*- C++ -*-===//

#ifndef NPU_LIB_TASKGRAPH_CONTROLTASKS_H
#define NPU_LIB_TASKGRAPH_CONTROLTASKS_H

#include "ValueBuffers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npu::taskgraph {

/// Makes tasks of what depends on data. What a block gives is copied to buffers that all of its
/// ways write; what an iteration hands on has a buffer of its own, from before the loop on.
class ControlTasks {
public:
  /// `convert` makes tasks of an op in a block.
  ControlTasks(TaskGraph &graph, ValueBuffers &values,
               llvm::unique_function<llvm::Error(mlir::Operation *)> convert)
      : graph(graph), values(values), convert(std::move(convert)) {}

  llvm::Error convertIf(mlir::scf::IfOp op);
  llvm::Error convertWhile(mlir::scf::WhileOp op);
  llvm::Error convertFor(mlir::scf::ForOp op);

  /// Whether `op` computes one integer of others as a task can.
  static bool isArithmetic(mlir::Operation *op);
  llvm::Error convertArithmetic(mlir::Operation *op);

private:
  using Buffers = llvm::SmallVector<unsigned>;

  llvm::Expected<unsigned> addLike(mlir::Operation *op, mlir::Value value, llvm::StringRef name);
  llvm::Expected<unsigned> addScalar(mlir::Operation *op, mlir::Type type);
  llvm::Error copyTo(mlir::Operation *user, mlir::Value value, unsigned target);
  llvm::Error copyAll(mlir::Operation *user, mlir::ValueRange from, llvm::ArrayRef<unsigned> to);
  /// Buffers of what a loop hands on, with what it begins with.
  llvm::Expected<Buffers> addCarried(mlir::Operation *op, mlir::ValueRange initial);
  llvm::Error convertBlock(mlir::Block &block);
  unsigned beginTask(TaskKind kind, mlir::Operation *op, llvm::StringRef name);
  void addCompute(mlir::Location loc, ScalarOp scalarOp, llvm::ArrayRef<unsigned> operands,
                  unsigned result);

  TaskGraph &graph;
  ValueBuffers &values;
  llvm::unique_function<llvm::Error(mlir::Operation *)> convert;
};

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_CONTROLTASKS_H
