//===- ExpandNormalization.cpp - fused normalizations and activations -----===//

#include "OpSpecFunctions.h"

using namespace mlir;
using namespace npu::onnx_ir;

LogicalResult npu::onnx_ir::expandSimplifiedLayerNormalization(Expansion &b) {
  b.setResult(0, b.op("RMSNormalization", {b.input(0), b.input(1)},
                      b.copied({"axis", "epsilon", "stash_type"})));
  return success();
}

/// Output 3 is the sum that is normalized.
LogicalResult npu::onnx_ir::expandSkipLayerNormalization(Expansion &b) {
  bool isSimplified = b.getNode().getOpType() == "SkipSimplifiedLayerNormalization";
  Value beta = isSimplified ? Value() : b.input(3);
  Value bias = b.input(isSimplified ? 3 : 4);
  Value sum = b.op("Add", {b.input(0), b.input(1)});
  if (bias)
    sum = b.op("Add", {sum, bias});
  SmallVector<NamedAttribute> attributes{
      b.integer("axis", -1), b.number("epsilon", b.getNode().getFloat("epsilon", 1e-12))};
  b.setResult(0, isSimplified ? b.op("RMSNormalization", {sum, b.input(2)}, attributes)
                              : b.op("LayerNormalization",
                                     beta ? Expansion::Values{sum, b.input(2), beta}
                                          : Expansion::Values{sum, b.input(2)},
                                     attributes));
  if (b.getResults().size() > 3)
    b.setResult(3, sum);
  return success();
}

/// Words, positions and segments are looked up and added up, and the sums normalized.
LogicalResult npu::onnx_ir::expandEmbedLayerNormalization(Expansion &b) {
  Node &node = b.getNode();
  // Inputs 1 and 4, the segments, may be left out between the others.
  for (unsigned input : {0, 2, 3, 5, 6})
    if (!node.hasInput(input))
      return node.reject() << "expected input " << input << ", found none";
  if (node.getRank(0) != 2)
    return node.reject() << "expected word numbers in 2 dimensions, found " << node.getInputType(0);
  int64_t batch = node.getShape(0)[0], length = node.getShape(0)[1];
  if (failed(node.spendOrReject(length)))
    return failure();
  Value sum = b.op("Gather", {b.input(2), b.input(0)});
  SmallVector<int64_t> positions = llvm::to_vector(llvm::seq<int64_t>(0, length));
  Value position = b.input(8) ? b.input(8) : b.ints(positions);
  sum = b.op("Add", {sum, b.op("Gather", {b.input(3), position})});
  if (b.input(4) && b.input(1))
    sum = b.op("Add", {sum, b.op("Gather", {b.input(4), b.input(1)})});
  b.setResult(0,
              b.op("LayerNormalization", {sum, b.input(5), b.input(6)},
                   {b.integer("axis", -1), b.number("epsilon", node.getFloat("epsilon", 1e-12))}));
  if (node.hasOutput(1))
    b.setResult(1, b.input(7)
                       ? b.op("ReduceSum", {b.input(7), b.ints({1})}, {b.integer("keepdims", 0)})
                       : b.constant(b.getI32Type(), {batch}, 0));
  if (node.hasOutput(2))
    b.setResult(2, sum);
  return success();
}

LogicalResult npu::onnx_ir::expandBiasGelu(Expansion &b) {
  Value sum = b.input(1) ? b.op("Add", {b.input(0), b.input(1)}) : b.input(0);
  b.setResult(0, b.op("Gelu", {sum}));
  return success();
}

LogicalResult npu::onnx_ir::expandFastGelu(Expansion &b) {
  Value sum = b.input(1) ? b.op("Add", {b.input(0), b.input(1)}) : b.input(0);
  b.setResult(0, b.op("Gelu", {sum}, {b.string("approximate", "tanh")}));
  return success();
}

LogicalResult npu::onnx_ir::expandQuickGelu(Expansion &b) {
  b.setResult(
      0, b.op("Swish", {b.input(0)}, {b.number("alpha", b.getNode().getFloat("alpha", 1.702))}));
  return success();
}

/// The gate is an input of its own, as large as what passes it.
LogicalResult npu::onnx_ir::expandSwiGLU(Expansion &b) {
  Node &node = b.getNode();
  if (node.getInputType(0) != node.getInputType(1))
    return node.reject() << "expected a gate and values of one type, found " << node.getInputType(0)
                         << " and " << node.getInputType(1);
  Value gate = b.op("Swish", {b.input(0)}, {b.number("alpha", node.getFloat("alpha", 1))});
  b.setResult(0, b.op("Mul", {gate, b.input(1)}));
  return success();
}
