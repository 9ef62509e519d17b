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

/// Whether the one that reads the weights is a convolution with them as its filter, and bytes pay
/// off. They do where floats would take at least as much memory as the images that are read and
/// written: of small filters, kernels of several convolutions make the most, which read floats. Of
/// f16, which take twice the memory, not four times, the array multiplies faster than the vector
/// unit makes them. Those in groups find their filters in an order of their own.
static bool isFilter(NodeOp op) {
  Value weights = op.getResult(0);
  auto type = cast<RankedTensorType>(weights.getType());
  if (!weights.hasOneUse() || !type.getElementType().isF32() ||
      cast<ShapedType>(op.getInputs()[0].getType()).getElementTypeBitWidth() > 8)
    return false;
  OpOperand &use = *weights.use_begin();
  auto user = dyn_cast<NodeOp>(use.getOwner());
  if (!user || user.getOpType() != "Conv" || use.getOperandNumber() != 1 ||
      Node(user, getOpset(user)).getInt("group", 1) != 1)
    return false;
  int64_t imageElements = 0;
  for (Value image : {user.getInputs()[0], Value(user.getResult(0))}) {
    auto imageType = dyn_cast<ShapedType>(image.getType());
    if (!imageType || !imageType.hasStaticShape())
      return false;
    imageElements += imageType.getNumElements();
  }
  return type.getNumElements() >= imageElements;
}

/// Puts what is dequantized in each run right before the one that reads it, as dispatches that
/// share a kernel follow each other.
static void moveToReader(NodeOp op) {
  Value result = op.getResult(0);
  if (!result.hasOneUse() || (*result.user_begin())->getBlock() != op->getBlock())
    return;
  if (llvm::all_of(op.getInputs(), [](Value input) {
        Operation *definition = input.getDefiningOp();
        return isa_and_nonnull<ConstantOp, NoneOp>(definition);
      }))
    op->moveBefore(*result.user_begin());
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
      if (node.getInt("block_size", 0) != 0 || isWeightOfProducts(op) || isFilter(op)) {
        moveToReader(op);
        continue;
      }
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
