//===- Pipelines.h - named pipelines of passes ----------------------------===//

#ifndef NPU_PIPELINES_PIPELINES_H
#define NPU_PIPELINES_PIPELINES_H

#include "NPU/ABI/Passes.h"
#include "NPU/DispatchCreation/FusionMode.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace npu {

/// Options of `--npu-codegen-pipeline`.
struct CodegenPipelineOptions : mlir::PassPipelineOptions<CodegenPipelineOptions> {
  Option<TargetName> target{
      *this, "target",
      llvm::cl::desc(
          "The chip to compile for: a known name, optionally with parameters, or @chip.json"),
      llvm::cl::init("npu-v1")};
  Option<std::string> fallback{
      *this, "fallback",
      llvm::cl::desc("The treatment of dispatches that the target does not support: host or error"),
      llvm::cl::init("error")};
  Option<std::string> placement{*this, "placement",
                                llvm::cl::desc("A JSON file of placements to keep")};
};

/// From IREE's flow level or functions on tensors (linalg) to programs: every dispatch, or every
/// func.func that works on tensors, becomes an npu_isa.program. See docs/codegen.md for the forms
/// between the passes.
void populateCodegenPipeline(mlir::OpPassManager &pm, const CodegenPipelineOptions &options);

/// The first part of it, as far as kernels in tensor form with a schedule. The others are in
/// NPU/Codegen/Steps.h.
void populateTensorFormPipeline(mlir::OpPassManager &pm, const CodegenPipelineOptions &options);

/// The values of `invocation-model`.
inline auto getInvocationModels() {
  return llvm::cl::values(
      clEnumValN(abi::InvocationModel::Sync, "sync", "What a function returns is available"),
      clEnumValN(abi::InvocationModel::CoarseFences, "coarse-fences",
                 "One fence is waited for, one is signalled"));
}

/// Options of `--npu-abi-pipeline`.
struct ABIOptions : mlir::PassPipelineOptions<ABIOptions> {
  Option<abi::InvocationModel> invocationModel{
      *this, "invocation-model", llvm::cl::desc("The synchronization between caller and function"),
      llvm::cl::init(abi::InvocationModel::Sync), getInvocationModels()};
};

/// The values of `mode`.
inline auto getFusionModes() {
  return llvm::cl::values(
      clEnumValN(dispatch_creation::FusionMode::IREE, "iree",
                 "the rules of IREE at its default optimization level"),
      clEnumValN(dispatch_creation::FusionMode::NPU, "npu", "the rules for kernels of the NPU"));
}

/// Options of `--npu-global-optimization-pipeline`.
struct GlobalOptimizationOptions : mlir::PassPipelineOptions<GlobalOptimizationOptions> {
  Option<dispatch_creation::FusionMode> mode{
      *this, "mode", llvm::cl::desc("The rules by which dispatches are formed"),
      llvm::cl::init(dispatch_creation::FusionMode::NPU), getFusionModes()};
};

/// Options of `--npu-dispatch-creation-pipeline`.
struct DispatchCreationOptions : mlir::PassPipelineOptions<DispatchCreationOptions> {
  Option<dispatch_creation::FusionMode> mode{
      *this, "mode", llvm::cl::desc("The rules by which dispatches are formed"),
      llvm::cl::init(dispatch_creation::FusionMode::NPU), getFusionModes()};
  Option<bool> horizontalFusion{
      *this, "horizontal-fusion",
      llvm::cl::desc("Fuse contractions with a common operand (mode=npu)"), llvm::cl::init(false)};
  Option<bool> fuseAttention{
      *this, "fuse-attention",
      llvm::cl::desc("Fuse two contractions and the softmax between them (mode=npu)"),
      llvm::cl::init(true)};
  Option<bool> keepIntegers{
      *this, "keep-integers",
      llvm::cl::desc(
          "Compute norms of quantized rows in integers, and keep floats out of the "
          "dispatches of integer contractions, for a vector unit without floats (mode=npu)"),
      llvm::cl::init(false)};
  Option<bool> detensorize{
      *this, "detensorize",
      llvm::cl::desc("Convert single-element tensors of branch conditions to scalars"),
      llvm::cl::init(false)};
  Option<int64_t> splitMatmulReduction{
      *this, "split-matmul-reduction",
      llvm::cl::desc("The number of partial sums of a matmul, where 1 does not split it"),
      llvm::cl::init(1)};
  Option<std::string> transformSpec{
      *this, "transform-spec-filename",
      llvm::cl::desc("A file with a transform script to run before dispatches are formed")};
};

/// Options of `--npu-flow-pipeline`.
struct FlowOptions : mlir::PassPipelineOptions<FlowOptions> {
  Option<bool> traceDispatchTensors{
      *this, "trace-dispatch-tensors",
      llvm::cl::desc("Print the inputs and outputs of every dispatch when the program runs"),
      llvm::cl::init(false)};
  Option<bool> zeroFillEmptyTensors{*this, "zero-fill-empty-tensors",
                                    llvm::cl::desc("Fill uninitialized tensors with zeros"),
                                    llvm::cl::init(false)};
};

/// Options of `--npu-front-half` and `--npu-classic-pipeline`: those of all phases.
struct FrontHalfOptions : DispatchCreationOptions {
  Option<abi::InvocationModel> invocationModel{
      *this, "invocation-model", llvm::cl::desc("The synchronization between caller and function"),
      llvm::cl::init(abi::InvocationModel::Sync), getInvocationModels()};
  Option<bool> traceDispatchTensors{
      *this, "trace-dispatch-tensors",
      llvm::cl::desc("Print the inputs and outputs of every dispatch when the program runs"),
      llvm::cl::init(false)};
  Option<bool> zeroFillEmptyTensors{*this, "zero-fill-empty-tensors",
                                    llvm::cl::desc("Fill uninitialized tensors with zeros"),
                                    llvm::cl::init(false)};
};

/// The front half: what IREE does between a model in linalg and its flow level, phase by phase.
/// docs/front-half.md compares the steps with IREE's.
void populateInputPipeline(mlir::OpPassManager &pm);
/// From ONNX graphs to functions on tensors; part of the input pipeline.
void populateONNXPipeline(mlir::OpPassManager &pm);
void populateABIPipeline(mlir::OpPassManager &pm, const ABIOptions &options);
void populateGlobalOptimizationPipeline(mlir::OpPassManager &pm,
                                        const GlobalOptimizationOptions &options);
void populateDispatchCreationPipeline(mlir::OpPassManager &pm,
                                      const DispatchCreationOptions &options);
void populateFlowPipeline(mlir::OpPassManager &pm, const FlowOptions &options);
/// All of them.
void populateFrontHalfPipeline(mlir::OpPassManager &pm, const FrontHalfOptions &options);

/// The same steps in IREE's order of 2023, for readers of documents from that time.
void populateClassicPipeline(mlir::OpPassManager &pm, const FrontHalfOptions &options);

/// Registers the named pipelines with npu-opt.
void registerPipelines();
void registerFrontHalfPipelines();

} // namespace npu

#endif // NPU_PIPELINES_PIPELINES_H
