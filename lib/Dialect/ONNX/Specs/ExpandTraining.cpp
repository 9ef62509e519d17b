//===- ExpandTraining.cpp - steps of optimizers ---------------------------===//
//
// Of ai.onnx.preview.training. The rate and the number of updates come first, then the values of
// all tensors, their gradients, and what the optimizer keeps of each.
//
//===----------------------------------------------------------------------===//

#include "OpSpecFunctions.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// Arithmetic on the tensors of a step.
struct Step {
  Expansion &b;
  Type type;

  Value constant(double value) { return b.constant(type, {}, value); }
  Value add(Value lhs, Value rhs) { return b.op("Add", {lhs, rhs}); }
  Value sub(Value lhs, Value rhs) { return b.op("Sub", {lhs, rhs}); }
  Value mul(Value lhs, Value rhs) { return b.op("Mul", {lhs, rhs}); }
  Value div(Value lhs, Value rhs) { return b.op("Div", {lhs, rhs}); }
  Value sqrt(Value value) { return b.op("Sqrt", {value}); }
};
} // namespace

/// The number of tensors that are updated; each has `kinds` inputs.
static FailureOr<unsigned> countTensors(Node &node, unsigned kinds) {
  unsigned inputs = node.getNumInputs();
  if (inputs < 2 + kinds || (inputs - 2) % kinds != 0 ||
      node.getNumOutputs() > (inputs - 2) / kinds * (kinds - 1))
    return node.reject() << "expected a rate, a number of updates and " << kinds
                         << " inputs for each tensor, found " << inputs << " inputs";
  return (inputs - 2) / kinds;
}

/// The gradient with what a large norm of the tensor adds.
static Value regularize(Step s, Value tensor, Value gradient) {
  double norm = s.b.getNode().getFloat("norm_coefficient", 0);
  return norm == 0 ? gradient : s.add(s.mul(s.constant(norm), tensor), gradient);
}

LogicalResult npu::onnx_ir::expandAdagrad(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<unsigned> count = countTensors(node, 3);
  if (failed(count))
    return failure();
  Step s{b, node.getElementType(2)};
  Value updates = b.cast(b.input(1), s.type);
  double decay = node.getFloat("decay_factor", 0);
  Value rate = s.div(b.input(0), s.add(s.constant(1), s.mul(updates, s.constant(decay))));
  for (unsigned i = 0; i < *count; ++i) {
    Value x = b.input(2 + i);
    Value gradient = regularize(s, x, b.input(2 + *count + i));
    Value squares = s.add(b.input(2 + 2 * *count + i), s.mul(gradient, gradient));
    Value root = s.add(s.sqrt(squares), s.constant(node.getFloat("epsilon", 0)));
    b.setResult(i, s.sub(x, s.div(s.mul(rate, gradient), root)));
    b.setResult(*count + i, squares);
  }
  return success();
}

LogicalResult npu::onnx_ir::expandMomentum(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<unsigned> count = countTensors(node, 3);
  if (failed(count))
    return failure();
  Step s{b, node.getElementType(2)};
  bool isNesterov = node.getString("mode", "standard") == "nesterov";
  double alpha = node.getFloat("alpha", 0), beta = node.getFloat("beta", 0);
  Value isLater = b.op("Greater", {b.input(1), b.constant(node.getElementType(1), {}, 0)});
  Value factor = b.op("Where", {isLater, s.constant(beta), s.constant(1)});
  for (unsigned i = 0; i < *count; ++i) {
    Value x = b.input(2 + i);
    Value gradient = regularize(s, x, b.input(2 + *count + i));
    Value momentum =
        s.add(s.mul(s.constant(alpha), b.input(2 + 2 * *count + i)), s.mul(factor, gradient));
    Value move = isNesterov ? s.add(gradient, s.mul(s.constant(alpha), momentum)) : momentum;
    b.setResult(i, s.sub(x, s.mul(b.input(0), move)));
    b.setResult(*count + i, momentum);
  }
  return success();
}
