//===- TensorNames.h - how inputs and outputs of models are called --*- C++ -*-===//

#ifndef NPU_INITALL_TENSORNAMES_H
#define NPU_INITALL_TENSORNAMES_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace npu {

/// How the inputs and outputs of what runs are called, in order.
struct TensorNames {
  std::vector<std::string> inputs, outputs;
};

/// Those of `function` of a model that is not compiled yet, or of its only public one: as ONNX or
/// IREE's ABI names them, else `input0` and so on. Nothing when there is no such function.
std::optional<TensorNames> getTensorNames(mlir::ModuleOp module, llvm::StringRef function);

/// An input or output, as far as it is known: its name, and its type, null unless it is a tensor or
/// is imported or exported as one.
struct TensorPort {
  std::string name;
  mlir::RankedTensorType type;
};

/// The inputs and outputs of a model.
struct TensorPorts {
  std::vector<TensorPort> inputs, outputs;
};

/// The inputs and outputs whose names getTensorNames gives.
std::optional<TensorPorts> getTensorPorts(mlir::ModuleOp module, llvm::StringRef function);

/// A result of which only the first elements along a dimension count, and the result, a scalar,
/// that says how many.
struct ResultLength {
  unsigned result, dimension, count;
};

/// The lengths of results of `function`, or of the only public one of a model, once it is in
/// linalg: ONNX operators such as NonMaxSuppression have them.
std::vector<ResultLength> getResultLengths(mlir::ModuleOp module, llvm::StringRef function);

} // namespace npu

#endif // NPU_INITALL_TENSORNAMES_H
