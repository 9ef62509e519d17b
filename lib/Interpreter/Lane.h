//===- Lane.h - where an interpreted stream is ------------------*- C++ -*-===//

#ifndef NPU_LIB_INTERPRETER_LANE_H
#define NPU_LIB_INTERPRETER_LANE_H

#include "NPU/Dialect/NPU/IR/NPU.h"

namespace npu::interpreter {

/// A counter of a loop and its values.
struct LoopRange {
  mlir::Value variable;
  int64_t begin, end, step;
};

/// A stack of blocks that are executed, those of loops once per iteration.
class Lane {
public:
  using Indices = llvm::DenseMap<mlir::Value, int64_t>;

  Lane(StreamOp stream, mlir::Block &block);

  /// The next op; null at the end. Goes on to the next iteration where one is over, for which
  /// `indices` get the counters.
  mlir::Operation *peek(Indices &indices);
  void advance() { ++frames.back().next; }
  /// Goes through `block` for all values of `loops`, the last one innermost, and once without any.
  void enter(mlir::Block &block, llvm::ArrayRef<LoopRange> loops, Indices &indices);

  llvm::SmallVector<int64_t> getCounters() const;
  int64_t getCluster() { return stream ? stream.getCluster() : 0; }

  StreamOp stream; ///< null if it is no stream

private:
  struct Frame {
    mlir::Block *block;
    mlir::Block::iterator next;
    llvm::SmallVector<LoopRange, 1> loops;
    llvm::SmallVector<int64_t, 1> counters;
  };
  llvm::SmallVector<Frame, 8> frames;
};

} // namespace npu::interpreter

#endif // NPU_LIB_INTERPRETER_LANE_H
