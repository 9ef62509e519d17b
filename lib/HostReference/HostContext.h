//===- HostContext.h - functions to compile for the host ------------------===//

#ifndef NPU_LIB_HOSTREFERENCE_HOSTCONTEXT_H
#define NPU_LIB_HOSTREFERENCE_HOSTCONTEXT_H

#include "NPU/HostReference/HostReference.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace npu::runtime {

/// Name of the function in the modules below.
inline constexpr llvm::StringLiteral hostEntryName("npu_reference");

/// A context of its own with what the lowering needs, so that the input's context is not changed,
/// may be in use by other threads and need not know upstream's lowering interfaces.
class HostContext {
public:
  explicit HostContext(const HostReferenceOptions &options);

  mlir::MLIRContext *get() { return &context; }

  /// The module of `func` and of what it calls, read into this context, with `func` as
  /// `hostEntryName` and after `HostReferenceOptions::prepare`. The text that is read has resources
  /// by name only, or, with `readsResources`, as dense constants.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> import(mlir::func::FuncOp func,
                                                           bool readsResources = false);

  /// Names what failed, with the diagnostics reported in this context since the last call.
  llvm::Error makeError(llvm::StringRef what);

private:
  const HostReferenceOptions &options;
  mlir::MLIRContext context;
  std::string diagnostics;
};

/// The IR of `func` and of what it calls as text, with `func` as `hostEntryName`.
llvm::Expected<std::string> printHostModule(mlir::func::FuncOp func, bool withLocations,
                                            bool readsResources = false);

/// Runs `npu-host-pipeline` (NPU/HostLowering/HostPipeline.h) to its end.
mlir::LogicalResult lowerToLLVMDialect(mlir::ModuleOp module);

/// Runs the part of it that leaves `linalg.generic` as the only compute op.
mlir::LogicalResult generalizeTensorOps(mlir::ModuleOp module);

} // namespace npu::runtime

#endif // NPU_LIB_HOSTREFERENCE_HOSTCONTEXT_H
