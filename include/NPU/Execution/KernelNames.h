//===- KernelNames.h - what kernels are called ---------------------*- C++ -*-===//
//
// A kernel is called by its layer and by what it is: `conv1: Conv 7x7 s2`. The layer is the node of
// the model that the main dispatch of the kernel comes from.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_EXECUTION_KERNELNAMES_H
#define NPU_EXECUTION_KERNELNAMES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace npu::runtime {

/// A node of the model, or a place in its file.
struct Layer {
  std::string name;
  std::string op; ///< operator of ONNX, e.g. `Conv`; empty: unknown
};

/// The layer of a dispatch whose main op is `root`, which may be null: of the places that
/// `sources` is made of the one that such an op is from, else the first. A node that only changes
/// between integers and floats is none as long as there is another.
Layer findLayer(mlir::Operation *root, mlir::LocationAttr sources);

/// The kind of a dispatch: `Conv 3x3 s2 depthwise`, `MatMul 128x768x768`, `Softmax`. `description`
/// is as describeDispatch writes it, `op` the operator of its layer or empty.
std::string getKernelKind(llvm::StringRef description, llvm::StringRef op);

/// A dispatch of a kernel, as far as the name of the kernel depends on it.
struct NamedDispatch {
  llvm::StringRef description;
  Layer layer;
  int64_t macs = 0;
  unsigned index = 0;
};

/// The name of a kernel by its dispatches: that of the one with the most work.
std::string getKernelName(llvm::ArrayRef<NamedDispatch> dispatches);

} // namespace npu::runtime

#endif // NPU_EXECUTION_KERNELNAMES_H
