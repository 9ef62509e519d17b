//===- Prefixes.h - nodes on results whose length data decide -------------===//

#ifndef NPU_LIB_DIALECT_ONNX_TRANSFORMS_PREFIXES_H
#define NPU_LIB_DIALECT_ONNX_TRANSFORMS_PREFIXES_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// If `node` works on the elements of an `onnx.prefix` one by one along its dimension, lets it work
/// on all of them, and makes an `onnx.prefix` of its result instead. The types of its inputs are
/// known. Does nothing to other nodes.
void movePrefixBehind(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_TRANSFORMS_PREFIXES_H
