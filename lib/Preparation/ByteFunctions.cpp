//===- ByteFunctions.cpp - what bodies compute in floats of bytes ---------===//

#include "ByteFunctions.h"

#include "FoldBody.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npu;

std::optional<ByteFunction> npu::findByteFunction(linalg::GenericOp op, Operation *tail,
                                                  bool fromArguments, unsigned numInputs) {
  ByteFunction function;
  DenseSet<Operation *> needed = {tail};
  for (Operation *body = tail; body; body = body->getPrevNode()) {
    if (!needed.contains(body))
      continue;
    if (body->getNumResults() != 1 || body->getNumRegions() != 0 || !isMemoryEffectFree(body))
      return std::nullopt;
    function.ops.push_back(body);
    for (Value operand : body->getOperands()) {
      if (findBodyConstant(op, operand))
        continue;
      Operation *producer = operand.getDefiningOp();
      bool isInput = !producer || producer->getBlock() != op.getBody() ||
                     (!fromArguments && isByte(operand.getType()));
      if (!isInput) {
        needed.insert(producer);
        continue;
      }
      if (llvm::is_contained(function.inputs, operand))
        continue;
      if (!isByte(operand.getType()) || function.inputs.size() == numInputs)
        return std::nullopt;
      function.inputs.push_back(operand);
    }
  }
  bool hasFloats = llvm::any_of(
      function.ops, [](Operation *body) { return isa<FloatType>(body->getResult(0).getType()); });
  if (function.inputs.size() != numInputs || !hasFloats)
    return std::nullopt;
  std::reverse(function.ops.begin(), function.ops.end());
  return function;
}

SmallVector<Operation *> npu::getByteOps(linalg::GenericOp op) {
  SmallVector<Operation *> tails;
  for (Operation &body : llvm::reverse(op.getBody()->without_terminator()))
    if (body.getNumResults() == 1 && isByte(body.getResult(0).getType()))
      tails.push_back(&body);
  return tails;
}

void npu::replaceByteFunction(const ByteFunction &function, Value value,
                              DenseSet<Operation *> &erased) {
  function.ops.back()->getResult(0).replaceAllUsesWith(value);
  for (Operation *body : llvm::reverse(function.ops))
    if (body->use_empty()) {
      erased.insert(body);
      body->erase();
    }
}

void npu::rewriteByteFunctions(
    Operation *root,
    function_ref<void(linalg::GenericOp, Operation *, DenseSet<Operation *> &)> rewrite) {
  root->walk([&](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics())
      return;
    DenseSet<Operation *> erased;
    for (Operation *tail : getByteOps(op))
      if (!erased.contains(tail))
        rewrite(op, tail, erased);
  });
}
