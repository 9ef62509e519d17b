//===- ForeignDialects.h - dialects of which no op is known ---------------===//
//
// IREE dumps carry attributes and types of dialects that this project does not define: target
// configurations, affinities, encodings, resources. Registering such a dialect with no ops lets
// them pass through verbatim, while its ops are still reported as unknown.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_FOREIGNDIALECTS_H
#define NPU_DIALECT_IREE_UTIL_IR_FOREIGNDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace npu {

/// Registers `stream`, `iree_codegen`, `iree_cpu` and `iree_gpu`.
void registerForeignDialects(mlir::DialectRegistry &registry);

} // namespace npu

#endif // NPU_DIALECT_IREE_UTIL_IR_FOREIGNDIALECTS_H
