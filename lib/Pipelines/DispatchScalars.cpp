//===- DispatchScalars.cpp - scalars that dispatches read -----------------===//

#include "DispatchScalars.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

/// Makes `tensor`, of rank 0, an input of `op` in place of the scalar `value` in its body.
static void addInput(linalg::GenericOp op, Value value, Value tensor) {
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned position = inputs.size();
  inputs.push_back(tensor);
  maps.insert(maps.begin() + position,
              AffineMap::get(op.getNumLoops(), /*symbolCount=*/0, op.getContext()));
  IRRewriter rewriter(op);
  auto widened = linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                           op.getOutputs(), maps, op.getIteratorTypesArray());
  widened->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  widened.getRegion().takeBody(op.getRegion());
  BlockArgument element = widened.getBody()->insertArgument(position, value.getType(), op.getLoc());
  value.replaceUsesWithIf(element, [&](OpOperand &use) {
    return widened.getRegion().isAncestor(use.getOwner()->getParentRegion());
  });
  rewriter.replaceOp(op, widened);
}

static void replaceArgument(BlockArgument argument) {
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  Location loc = argument.getLoc();
  Type type = argument.getType();
  argument.setType(RankedTensorType::get({}, type.isIndex() ? builder.getI64Type() : type));
  Value scalar = tensor::ExtractOp::create(builder, loc, argument);
  Operation *reader = scalar.getDefiningOp();
  if (type.isIndex())
    scalar = arith::IndexCastOp::create(builder, loc, type, scalar);
  argument.replaceAllUsesExcept(scalar, reader);

  llvm::SetVector<linalg::GenericOp> bodies;
  if (!type.isIndex())
    for (Operation *user : scalar.getUsers())
      if (auto generic = user->getParentOfType<linalg::GenericOp>())
        if (generic.hasPureTensorSemantics())
          bodies.insert(generic);
  for (linalg::GenericOp generic : bodies)
    addInput(generic, scalar, argument);
  if (scalar.use_empty() && scalar.getDefiningOp() != reader)
    scalar.getDefiningOp()->erase();
  if (reader->use_empty())
    reader->erase();
}

void npu::passScalarsAsTensors(ModuleOp module) {
  for (auto executable : module.getOps<flow::ExecutableOp>())
    executable.walk([](func::FuncOp function) {
      if (function.isExternal())
        return;
      for (BlockArgument argument : function.getArguments())
        if (argument.getType().isIntOrIndexOrFloat())
          replaceArgument(argument);
      function.setType(FunctionType::get(function.getContext(), function.front().getArgumentTypes(),
                                         function.getResultTypes()));
    });
}
