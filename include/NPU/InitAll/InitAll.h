//===- InitAll.h - registration of everything the tools offer -------------===//
//
// One place that names every dialect, pass and pipeline, so that npu-opt, npu-translate, npu-run
// and the language server agree on what they read.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_INITALL_INITALL_H
#define NPU_INITALL_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace npu {

/// Adds the project's dialects, the upstream dialects it reads, and their interface
/// implementations.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers every pass and named pipeline of the project, and the upstream passes its tests use.
void registerAllPasses();

/// Those of them that compile models: what --mlir-print-ir-after may name where no pipeline is
/// typed.
void registerCompilerPasses();

/// Registers MLIR's context options with one default of ours: diagnostics show the place, not a
/// dump of the op (`--mlir-print-op-on-diagnostic` brings it back). Call it before MLIR's own main
/// functions.
void registerContextOptions();

} // namespace npu

#endif // NPU_INITALL_INITALL_H
