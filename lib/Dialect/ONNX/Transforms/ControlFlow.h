//===- ControlFlow.h - subgraphs of If and Loop ---------------------------===//

#ifndef NPU_LIB_DIALECT_ONNX_TRANSFORMS_CONTROLFLOW_H
#define NPU_LIB_DIALECT_ONNX_TRANSFORMS_CONTROLFLOW_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// Puts the nodes of a subgraph in the place of a node whose course is known: the branch of an If
/// with a constant condition; all iterations of a Loop whose number is a small constant, if they
/// are no more nodes than `budget`, which they are taken from. Returns whether it did; the node is
/// gone then.
bool inlineKnown(Node &node, int64_t &budget);

/// Gives the arguments of a node's subgraphs the types of what they are. Errors are emitted.
mlir::LogicalResult setGraphArguments(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_TRANSFORMS_CONTROLFLOW_H
