//===- HostConstants.h - functions, types and constants of host programs --===//

#ifndef NPU_HOSTPROGRAM_HOSTCONSTANTS_H
#define NPU_HOSTPROGRAM_HOSTCONSTANTS_H

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostProgram.h"

namespace npu::runtime {

/// The function `name` of `module` with a body, or the only public one if `name` is empty.
llvm::Expected<mlir::FunctionOpInterface> findHostFunction(mlir::ModuleOp module,
                                                           llvm::StringRef name);

/// Tensors, and scalars as tensors of rank 0 with `index` as i64.
std::optional<HostTensorType> getValueType(mlir::Type type);

/// Whether an initializer sets a tensor or a scalar. Others, as those of devices, do not matter on
/// the host.
bool setsValue(util::InitializerOp initializer);

/// `getValueType`, or an error at `op`.
llvm::Expected<HostTensorType> requireValueType(mlir::Operation *op, mlir::Type type);

/// An error at `op` if a tensor of `type` has more than `memoryLimit` bytes.
llvm::Error requireMemory(mlir::Operation *op, const HostTensorType &type, int64_t memoryLimit);

/// A name in an archive of parameters.
struct ParameterName {
  std::string scope; ///< may be empty
  std::string key;
};

/// What `#flow.parameter.named` names; nothing for any other attribute.
std::optional<ParameterName> getParameter(mlir::Attribute value);

/// The data of constant `value`, which `op` holds, in at most `memoryLimit` bytes: a splat may be
/// of any size.
llvm::Expected<HostTensor> loadConstant(mlir::Operation *op, mlir::Attribute value,
                                        const ParameterCallback &parameter, int64_t memoryLimit);

} // namespace npu::runtime

#endif // NPU_HOSTPROGRAM_HOSTCONSTANTS_H
