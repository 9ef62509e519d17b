//===- HostPipeline.h - from tensors to the host's code -------------------===//
//
// One pipeline for all code that runs on the host's CPU: the reference that judges NPU results, and
// what the NPU does not run. It consists of upstream's passes and the passes in this folder, and
// does not depend on any dialect of this project, so that it is an independent check of the NPU's
// compiler.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTLOWERING_HOSTPIPELINE_H
#define NPU_HOSTLOWERING_HOSTPIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace npu::host {

/// Where the pipeline may stop, in its order.
enum class Level {
  /// `linalg.generic` and `linalg.fill` on tensors, loops in the order that suits the host.
  Linalg,
  /// The same on memrefs; results are arguments.
  Buffers,
  /// `scf` loops around loads and stores; buffers are freed.
  Loops,
  /// Blocks and branches (`cf`).
  CF,
  /// The LLVM dialect alone.
  LLVM,
};

/// Options of `--npu-host-pipeline`.
struct HostPipelineOptions : mlir::PassPipelineOptions<HostPipelineOptions> {
  Option<Level> level{
      *this, "level", llvm::cl::desc("Level to stop at"), llvm::cl::init(Level::LLVM),
      llvm::cl::values(clEnumValN(Level::Linalg, "linalg", "linalg on tensors"),
                       clEnumValN(Level::Buffers, "buffers", "linalg on memrefs"),
                       clEnumValN(Level::Loops, "loops", "scf loops on memrefs"),
                       clEnumValN(Level::CF, "cf", "Blocks and branches on memrefs"),
                       clEnumValN(Level::LLVM, "llvm", "The LLVM dialect"))};
};

/// Adds the passes that turn tosa, linalg and element-wise ops on tensors into `linalg.generic`,
/// and aggregates (softmax, pack, concat) into simpler ops. The pipeline below does that early.
void addGeneralization(mlir::OpPassManager &pm);

/// From functions on tensors to the LLVM dialect. Public functions get one more argument per
/// result, a buffer that the caller passes after the inputs, which are never written.
void populateHostPipeline(mlir::OpPassManager &pm, const HostPipelineOptions &options);

/// Adds the dialects that the pipeline reads and writes, and upstream's interface implementations
/// that its passes need.
void registerHostDialects(mlir::DialectRegistry &registry);

/// Registers the pipeline and each of its passes, upstream's too, by its name.
void registerHostPipeline();

} // namespace npu::host

#endif // NPU_HOSTLOWERING_HOSTPIPELINE_H
