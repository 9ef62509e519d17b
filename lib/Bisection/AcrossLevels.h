//===- AcrossLevels.h - what the passes between two levels broke *- C++ -*-===//
//
// The ops of the upper level are numbered in their locations, which passes hand on. So it is known
// of an op or an instruction of the lower level what it is to compute.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_BISECTION_ACROSSLEVELS_H
#define NPU_LIB_BISECTION_ACROSSLEVELS_H

#include "NPU/Execution/KernelLevels.h"
#include "NPU/Simulator/Simulator.h"

namespace npu::runtime {

/// A copy of a kernel, alone in a module, whose ops are numbered.
mlir::OwningOpRef<mlir::ModuleOp> numberOps(KernelOp kernel);

/// Lines about the first op of `upper` that the lower level does not do so: between tensor form and
/// tile form, one that gives elements which the upper one does not give; below, one that writes
/// others. `levels` has `upper`, numbered, and the level below it. Empty if there is none.
std::vector<std::string> findBrokenOp(const KernelLevels &levels, Level upper,
                                      llvm::ArrayRef<HostTensor> inputs,
                                      const sim::Options &simulator);

/// Likewise for a form with other loops than the compiler's own, whose ops have no numbers: lines
/// about the first op of it that gives an element which no op of its name gives in tensor form.
std::vector<std::string> findOddOp(KernelOp tensorForm, KernelOp kernel,
                                   llvm::ArrayRef<HostTensor> inputs,
                                   const sim::Options &simulator);

} // namespace npu::runtime

#endif // NPU_LIB_BISECTION_ACROSSLEVELS_H
