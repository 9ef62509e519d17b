//===- Loop.h - the parts of a Loop node ----------------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_LOOP_H
#define NPU_DIALECT_ONNX_SPECS_LOOP_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// A `Loop`: its inputs are the number of iterations, the condition, and initial values of what an
/// iteration hands to the next; its outputs are the last of these, then of each other value of the
/// body all that iterations gave.
class Loop {
public:
  /// Nothing if numbers of inputs, outputs and arguments are not those of a Loop.
  static std::optional<Loop> match(Node &node);

  mlir::Region &body() const { return *graph; }
  mlir::ValueRange initial() const { return node.getOp().getInputs().drop_front(2); }
  unsigned numScanned() const { return node.getOp().getNumResults() - initial().size(); }
  mlir::Operation *yield() const { return graph->front().getTerminator(); }

  /// Whether the condition is true as long as it was, so that only the number ends the loop.
  bool isCounted() const;
  /// The number of iterations, if it is a constant.
  std::optional<int64_t> getTrips() const;

private:
  Loop(const Node &node, mlir::Region *graph) : node(node), graph(graph) {}

  Node node;
  mlir::Region *graph;
};

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_LOOP_H
