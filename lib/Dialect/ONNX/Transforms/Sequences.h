//===- Sequences.h - lists of tensors that are known while importing ------===//

#ifndef NPU_LIB_DIALECT_ONNX_TRANSFORMS_SEQUENCES_H
#define NPU_LIB_DIALECT_ONNX_TRANSFORMS_SEQUENCES_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// What became of a node: it has nothing to do with sequences; it lists the tensors of one, and
/// stays; other nodes are in its place; it was refused.
enum class SequenceOutcome { None, Listed, Replaced, Refused };

/// There are no sequences in a compiled model. Nodes that make one become a SequenceConstruct of
/// its tensors, those that read one become what they read.
SequenceOutcome replaceSequenceNode(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_TRANSFORMS_SEQUENCES_H
