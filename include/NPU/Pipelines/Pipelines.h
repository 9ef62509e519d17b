//===- Pipelines.h - named pipelines of passes ----------------------------===//

#ifndef NPU_PIPELINES_PIPELINES_H
#define NPU_PIPELINES_PIPELINES_H

#include "NPU/DispatchCreation/FusionMode.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace npu {

/// Options of `--npu-codegen-pipeline`.
struct CodegenPipelineOptions : mlir::PassPipelineOptions<CodegenPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Target to compile for: a known name, optionally followed by overrides"),
      llvm::cl::init("npu-v1")};
  Option<std::string> fallback{
      *this, "fallback",
      llvm::cl::desc("What becomes of dispatches that the target does not run: host or error"),
      llvm::cl::init("error")};
  Option<std::string> placement{*this, "placement",
                                llvm::cl::desc("JSON file with placements to keep to")};
};

/// From IREE's flow level or functions on tensors (linalg) to programs: every dispatch, or every
/// func.func that works on tensors, becomes an npu_isa.program. See docs/codegen.md for the forms
/// between the passes.
void populateCodegenPipeline(mlir::OpPassManager &pm, const CodegenPipelineOptions &options);

/// Options of `--npu-dispatch-creation-pipeline` and `--npu-front-half`.
struct DispatchCreationOptions : mlir::PassPipelineOptions<DispatchCreationOptions> {
  Option<dispatch_creation::FusionMode> mode{
      *this, "mode", llvm::cl::desc("Whose rules form dispatches"),
      llvm::cl::init(dispatch_creation::FusionMode::NPU),
      llvm::cl::values(clEnumValN(dispatch_creation::FusionMode::IREE, "iree",
                                  "IREE's at its default optimization level"),
                       clEnumValN(dispatch_creation::FusionMode::NPU, "npu",
                                  "What an NPU wants in one kernel"))};
  Option<bool> horizontalFusion{
      *this, "horizontal-fusion",
      llvm::cl::desc("With mode=npu, let contractions that read one operand share a dispatch"),
      llvm::cl::init(false)};
};

/// The front half: what IREE does between a model in linalg and its flow level, phase by phase.
/// docs/front-half.md compares the steps with IREE's.
void populateABIPipeline(mlir::OpPassManager &pm);
void populateGlobalOptimizationPipeline(mlir::OpPassManager &pm);
void populateDispatchCreationPipeline(mlir::OpPassManager &pm,
                                      const DispatchCreationOptions &options);
void populateFlowPipeline(mlir::OpPassManager &pm);
/// All of them, after upstream's lowering of tosa.
void populateFrontHalfPipeline(mlir::OpPassManager &pm, const DispatchCreationOptions &options);

/// Registers the named pipelines with npu-opt.
void registerPipelines();
void registerFrontHalfPipelines();

} // namespace npu

#endif // NPU_PIPELINES_PIPELINES_H
