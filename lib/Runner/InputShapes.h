//===- InputShapes.h - models of dynamic shape and what they are given ----===//

#ifndef NPU_LIB_RUNNER_INPUTSHAPES_H
#define NPU_LIB_RUNNER_INPUTSHAPES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace npu::runtime {

/// Gives the arguments of dynamic shape of `function` (empty: the only public one) the shapes of
/// the inputs of at most `memoryLimit` bytes that `specifications` are (see makeInputs). Does
/// nothing for models without such arguments, and if the specifications are for all inputs alike.
/// Errors of the model are emitted besides.
llvm::Error specializeToInputs(mlir::ModuleOp module, llvm::StringRef function,
                               llvm::ArrayRef<std::string> specifications, int64_t memoryLimit);

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_INPUTSHAPES_H
