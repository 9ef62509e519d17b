//===- HostModel.h - a model as one function for the host -----------------===//
//
// The end-to-end reference: the model as it came, before dispatches are formed, as one function on
// tensors for `HostReference` and `ContractionBound`.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTPROGRAM_HOSTMODEL_H
#define NPU_HOSTPROGRAM_HOSTMODEL_H

#include "NPU/HostProgram/HostProgram.h"
#include "mlir/IR/OwningOpRef.h"

namespace npu::runtime {

/// A clone of a model's function in which inputs and outputs are tensors and every load of a global
/// and every named parameter is an argument.
class HostModel {
public:
  /// For function `name` of `module`, or its only public function if `name` is empty. `parameter`
  /// is as in `HostProgramCallbacks`, and no constant may have more than `memoryLimit` bytes. The
  /// module is not changed.
  static llvm::Expected<std::unique_ptr<HostModel>>
  create(mlir::ModuleOp module, llvm::StringRef name, const ParameterCallback &parameter,
         int64_t memoryLimit = HostProgramCallbacks().memoryLimit);

  /// The function, on the model's inputs followed by its constants.
  mlir::func::FuncOp getFunction() const { return function; }

  /// The arguments of `getFunction` for `inputs`.
  llvm::SmallVector<HostTensor> getArguments(llvm::ArrayRef<HostTensor> inputs) const;

private:
  HostModel() = default;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  llvm::SmallVector<HostTensor> constants;
};

} // namespace npu::runtime

#endif // NPU_HOSTPROGRAM_HOSTMODEL_H
