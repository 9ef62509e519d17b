//===- FoldBody.cpp - bodies of which the operands are known --------------===//

#include "FoldBody.h"

#include "NPU/Preparation/ContractionBody.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

Attribute npu::findBodyConstant(linalg::GenericOp op, Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= unsigned(op.getNumDpsInputs()))
    return {};
  Value operand = op.getDpsInputs()[argument.getArgNumber()];
  if (!isa<ShapedType>(operand.getType()))
    return {};
  return getSplatConstant(operand);
}

Attribute npu::foldBodyOp(Operation *op, llvm::function_ref<Attribute(Value)> getValue) {
  Operation *copy = op->clone();
  Attribute result;
  // A fold may change the op and give nothing yet.
  for (unsigned tries = 0; tries < 4 && !result; ++tries) {
    SmallVector<Attribute> operands = llvm::map_to_vector(copy->getOperands(), getValue);
    SmallVector<OpFoldResult> results;
    if (llvm::is_contained(operands, Attribute()) || failed(copy->fold(operands, results)))
      break;
    if (results.empty())
      continue;
    auto value = dyn_cast<Value>(results.front());
    result = value ? getValue(value) : cast<Attribute>(results.front());
  }
  copy->destroy();
  return result;
}
