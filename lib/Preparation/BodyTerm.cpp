//===- BodyTerm.cpp - what a body computes before it reduces --------------===//

#include "BodyTerm.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npu;

FailureOr<BodyTerm> npu::findBodyTerm(linalg::GenericOp op, Value value,
                                      function_ref<LogicalResult(const Twine &)> reject) {
  Operation *root = value.getDefiningOp();
  if (!root || root->getBlock() != op.getBody())
    return reject("the body does not compute the value");
  BodyTerm term{value, {}, {}};
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *producer) {
    return producer->getBlock() == op.getBody() && !producer->hasTrait<OpTrait::ConstantLike>();
  };
  if (failed(getBackwardSlice(root, &term.ops, options)))
    return reject("what is computed has regions");
  for (Operation *body : term.ops) {
    if (isa<linalg::IndexOp>(body) || body->getNumRegions() != 0 || !isMemoryEffectFree(body))
      return reject("counters or memory are read");
    for (Value operand : body->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || argument.getOwner() != op.getBody())
        continue;
      OpOperand *input = op.getMatchingOpOperand(argument);
      if (!op.isDpsInput(input))
        return reject("accumulators are read");
      if (!llvm::is_contained(term.inputs, input))
        term.inputs.push_back(input);
    }
    auto isOfTerm = [&](Operation *user) { return term.ops.contains(user); };
    if (body != root && !llvm::all_of(body->getUsers(), isOfTerm))
      return reject("something else reads what the term is computed of");
  }
  return term;
}

void npu::yieldTerm(const BodyTerm &term, OpBuilder &builder, IRMapping &mapping) {
  for (Operation &body : *term.ops.back()->getBlock())
    if (term.ops.contains(&body) || body.hasTrait<OpTrait::ConstantLike>())
      builder.clone(body, mapping);
  linalg::YieldOp::create(builder, term.value.getLoc(), mapping.lookup(term.value));
}

void npu::cloneWithoutTerm(linalg::GenericOp op, const BodyTerm &term, OpBuilder &builder,
                           IRMapping &mapping) {
  for (Operation &body : *op.getBody())
    if (!term.ops.contains(&body))
      builder.clone(body, mapping);
}
