//===- LevelTrace.h - what a kernel does, step by step ----------*- C++ -*-===//
//
// A step is an op or an instruction that writes elements. Steps are numbered per lane: the streams
// of planned form and of programs, one lane otherwise. Traces keep a digest of what each step
// wrote; the step that is asked for by its number is described in full.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_BISECTION_LEVELTRACE_H
#define NPU_LIB_BISECTION_LEVELTRACE_H

#include "NPU/Execution/KernelLevels.h"
#include "NPU/Simulator/Simulator.h"

#include <map>

namespace npu::runtime {

/// A step by number.
struct StepId {
  uint32_t lane = 0, ordinal = 0;

  bool operator<(const StepId &other) const {
    return std::pair(lane, ordinal) < std::pair(other.lane, other.ordinal);
  }
};

/// An element as a step wrote it.
struct WrittenElement {
  std::string value;
  std::string place; ///< `element [1, 3] of memref<…>`, `element 35 of cluster 0 sram`
};

/// All about a step.
struct Step {
  std::string text;  ///< the op or the instruction, on one line
  std::string place; ///< `f.mlir:3:5`; where in the program, and from where
  std::string loops; ///< `in iteration [0, 2] of the loops around it`; empty without loops
  /// By where their bytes are.
  std::map<std::pair<std::string, int64_t>, WrittenElement> written;
};

/// An op on one line.
std::string printOp(mlir::Operation *op);

Step describeWrite(const interpreter::Write &write);
Step describeExecution(const isa::Program &program, const sim::Execution &execution);

/// A number for a value at a place of a memory. Those of a step add up, so that their order does
/// not matter.
uint64_t getDigest(llvm::StringRef memory, int64_t offset, llvm::ArrayRef<uint8_t> bytes);

/// The type of the elements that an instruction writes.
isa::ElementType getWrittenType(const isa::Instruction &instruction);

/// What a run of a level did.
struct Trace {
  llvm::SmallVector<HostTensor> outputs;
  /// In the order in which they took effect.
  std::vector<std::pair<StepId, uint64_t>> steps;
  std::optional<Step> wanted;
  /// Why the run did not come to its end; empty if it did. Then there are no outputs.
  std::string failure;
};

/// Runs a level of a kernel on inputs of its regions; outputs have the types that the level has,
/// those of a program bytes. With `wanted`, that step is described.
Trace trace(const KernelLevels &kernel, Level level, llvm::ArrayRef<HostTensor> inputs,
            const sim::Options &simulator, std::optional<StepId> wanted = std::nullopt);

} // namespace npu::runtime

#endif // NPU_LIB_BISECTION_LEVELTRACE_H
