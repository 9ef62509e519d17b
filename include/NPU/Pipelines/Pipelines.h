//===- Pipelines.h - named pipelines of passes ----------------------------===//

#ifndef NPU_PIPELINES_PIPELINES_H
#define NPU_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace npu {

/// Options of `--npu-codegen-pipeline`.
struct CodegenPipelineOptions : mlir::PassPipelineOptions<CodegenPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Target to compile for: a known name, optionally followed by overrides"),
      llvm::cl::init("npu-v1")};
};

/// From IREE's flow level or functions on tensors (linalg) to programs: every dispatch, or every
/// func.func that works on tensors, becomes an npu_isa.program. See docs/codegen.md for the forms
/// between the passes.
void populateCodegenPipeline(mlir::OpPassManager &pm, const CodegenPipelineOptions &options);

/// Registers the named pipelines with npu-opt.
void registerPipelines();

} // namespace npu

#endif // NPU_PIPELINES_PIPELINES_H
