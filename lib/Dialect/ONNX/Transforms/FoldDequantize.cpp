//===- FoldDequantize.cpp - constants that are dequantized once -----------===//

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"

#include "llvm/ADT/STLExtras.h"

namespace npu::onnx_ir {
#define GEN_PASS_DEF_ONNXFOLDDEQUANTIZE
#include "NPU/Dialect/ONNX/Transforms/Passes.h.inc"
} // namespace npu::onnx_ir

using namespace mlir;
using namespace npu::onnx_ir;

/// Whether all that reads the weights are products with them on the right: a kernel makes floats of
/// its weights on chip, so that DRAM keeps the bytes.
static bool isWeightOfProducts(NodeOp op) {
  return cast<RankedTensorType>(op.getResult(0).getType()).getRank() == 2 &&
         llvm::all_of(op.getResult(0).getUses(), [](OpOperand &use) {
           auto user = dyn_cast<NodeOp>(use.getOwner());
           return user && (user.getOpType() == "MatMul" || user.getOpType() == "Gemm") &&
                  use.getOperandNumber() == 1;
         });
}

namespace {
struct FoldDequantize : npu::onnx_ir::impl::ONNXFoldDequantizeBase<FoldDequantize> {
  using ONNXFoldDequantizeBase::ONNXFoldDequantizeBase;

  void runOnOperation() override {
    SmallVector<NodeOp> nodes;
    getOperation().walk([&](NodeOp op) {
      if (op.getOpType() == "DequantizeLinear" && lookupOpSpec(op))
        nodes.push_back(op);
    });
    int64_t bytes = 0;
    for (NodeOp op : nodes) {
      Node node(op, getOpset(op));
      // Weights in blocks are to take little memory.
      if (node.getInt("block_size", 0) != 0 || isWeightOfProducts(op))
        continue;
      RankedTensorType type = node.getOutputType(0);
      int64_t count = type.getNumElements(), size = count * type.getElementTypeBitWidth() / 8;
      if (count > maxConstantElements || size > maxBytes - bytes)
        continue;
      ElementsAttr value = dequantizeConstant(node);
      if (!value)
        continue;
      bytes += value.isSplat() ? 0 : size;
      OpBuilder builder(op);
      SmallVector<Value> inputs(op.getInputs());
      op.getResult(0).replaceAllUsesWith(ConstantOp::create(builder, op.getLoc(), value));
      op.erase();
      for (Value input : inputs)
        if (Operation *constant = input.getDefiningOp(); constant && constant->use_empty())
          constant->erase();
    }
  }
};
} // namespace
