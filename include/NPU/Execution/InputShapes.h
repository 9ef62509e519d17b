//===- InputShapes.h - models of dynamic shape and what they are given ----===//

#ifndef NPU_EXECUTION_INPUTSHAPES_H
#define NPU_EXECUTION_INPUTSHAPES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace npu::runtime {

/// What the inputs of a model are read for.
enum class InputUse {
  Shapes, ///< nothing reads them again: they are checked here
  Values,
};

/// Gives the arguments of dynamic shape of `function` (empty: the only public one) the shapes of
/// the inputs of at most `memoryLimit` bytes that `specifications` are (see makeInputs). Changes
/// nothing if the specifications are for all inputs alike, and for models without such arguments
/// whose inputs are read for their values later. Fails for arguments whose shape is still dynamic,
/// unless the model is one of ONNX, which has an error of its own.
/// Errors of the model are emitted besides.
llvm::Error specializeToInputs(mlir::ModuleOp module, llvm::StringRef function,
                               llvm::ArrayRef<std::string> specifications, InputUse use,
                               int64_t memoryLimit);

} // namespace npu::runtime

#endif // NPU_EXECUTION_INPUTSHAPES_H
