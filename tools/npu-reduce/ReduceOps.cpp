//===- ReduceOps.cpp - does without ops while a test holds ----------------===//

#include "ReduceOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;

namespace {

/// The ops of a module that may go, the innermost of the last first, so that users go before what
/// they use.
SmallVector<Operation *> getOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op != module && !op->hasTrait<OpTrait::IsTerminator>())
      ops.push_back(op);
  });
  return SmallVector<Operation *>(llvm::reverse(ops));
}

/// Erases an op that nobody uses.
bool erase(Operation *op) {
  if (!op->use_empty())
    return false;
  op->erase();
  return true;
}

bool replaceByOperand(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  for (Value operand : op->getOperands()) {
    if (operand.getType() != op->getResult(0).getType())
      continue;
    op->getResult(0).replaceAllUsesWith(operand);
    op->erase();
    return true;
  }
  return false;
}

bool replaceByNothing(Operation *op) {
  if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return false;
  OpBuilder builder(op);
  Type type = op->getResult(0).getType();
  Value value;
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.hasStaticShape())
    value = tensor::EmptyOp::create(builder, op->getLoc(), tensor.getShape(),
                                    tensor.getElementType(), tensor.getEncoding());
  else if (type.isIntOrIndexOrFloat())
    value = arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(type));
  else
    return false;
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

class ReduceOps : public PassWrapper<ReduceOps, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceOps)

  ReduceOps() = default;
  ReduceOps(const ReduceOps &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "reduce-ops"; }
  StringRef getDescription() const final {
    return "Do without functions and ops as long as a script finds the module interesting";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    Tester tester(test, arguments);
    if (tester.isInteresting(module).first != Tester::Interestingness::True) {
      module.emitError("'") << test
                            << "' does not find the module interesting as it is; expected exit "
                               "code 1";
      return signalPassFailure();
    }
    reduceSymbols(tester);
    while (reduceOnce(tester)) {
    }
  }

private:
  /// Keeps a change of the module if what comes of it is valid and interesting.
  bool attempt(const Tester &tester, llvm::function_ref<bool(ModuleOp)> change) {
    ModuleOp module = getOperation();
    OwningOpRef<ModuleOp> variant = module.clone();
    if (!change(*variant))
      return false;
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) { return success(); });
    if (failed(verify(*variant)) ||
        tester.isInteresting(*variant).first != Tester::Interestingness::True)
      return false;
    module.getBodyRegion().takeBody(variant->getBodyRegion());
    return true;
  }

  /// Erases the ops of the module itself, half of them at a time, then fewer.
  void reduceSymbols(const Tester &tester) {
    ModuleOp module = getOperation();
    auto count = [&] { return size_t(llvm::range_size(module.getBody()->getOperations())); };
    for (size_t size = count() / 2; size > 0; size /= 2)
      for (size_t begin = 0; begin < count();)
        if (!attempt(tester, [&](ModuleOp variant) {
              auto ops = llvm::map_to_vector(variant.getBody()->getOperations(),
                                             [](Operation &op) { return &op; });
              for (Operation *op : ArrayRef(ops).slice(begin, std::min(size, ops.size() - begin))) {
                op->dropAllReferences();
                op->erase();
              }
              return true;
            }))
          begin += size;
  }

  /// Tries to do without each op; whether that was possible for any.
  bool reduceOnce(const Tester &tester) {
    bool hasChanged = false;
    size_t count = getOps(getOperation()).size();
    for (size_t index = 0; index < count;) {
      bool isGone = false;
      for (bool (*change)(Operation *) : {&erase, &replaceByOperand, &replaceByNothing})
        if (!isGone)
          isGone =
              attempt(tester, [&](ModuleOp variant) { return change(getOps(variant)[index]); });
      hasChanged |= isGone;
      size_t left = getOps(getOperation()).size();
      if (!isGone || left == count) // or something else is in its place
        ++index;
      count = left;
    }
    return hasChanged;
  }

  Option<std::string> test{*this, "test",
                           llvm::cl::desc("A script that exits with 1 for a module that has the "
                                          "property of interest and with 0 for another one")};
  ListOption<std::string> arguments{
      *this, "test-arg",
      llvm::cl::desc("An argument of the script before the file; may be repeated")};
};

} // namespace

void npu::registerReduceOpsPass() { PassRegistration<ReduceOps>(); }
