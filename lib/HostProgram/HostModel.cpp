//===- HostModel.cpp - a model as one function for the host ---------------===//

#include "NPU/HostProgram/HostModel.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
/// Rewrites the body of a model's function in a clone of its module.
class ModelBuilder {
public:
  ModelBuilder(ModuleOp module, const ParameterCallback &parameter, int64_t memoryLimit,
               llvm::SmallVectorImpl<HostTensor> &constants)
      : module(module), parameter(parameter), memoryLimit(memoryLimit), constants(constants) {}

  llvm::Expected<func::FuncOp> build(FunctionOpInterface source);

private:
  llvm::Error convert(Operation *op);
  llvm::Error importArguments();
  llvm::Error replaceByArgument(Operation *op, Operation *holder, Attribute value);
  llvm::Error loadGlobal(util::GlobalLoadOp load);
  void passScalarsAsTensors(func::FuncOp function);

  ModuleOp module;
  const ParameterCallback &parameter;
  int64_t memoryLimit;
  llvm::SmallVectorImpl<HostTensor> &constants;
  Block *body = nullptr;
  /// Arguments of globals that were loaded before.
  llvm::StringMap<Value> globals;
};
} // namespace

/// The tensor argument of a buffer is what the caller sees; nothing converts it here.
llvm::Error ModelBuilder::importArguments() {
  for (BlockArgument argument : body->getArguments()) {
    if (!isa<hal::BufferViewType, hal::BufferType>(argument.getType()))
      continue;
    SmallVector<hal::TensorImportOp> imports;
    for (Operation *user : argument.getUsers()) {
      auto import = dyn_cast<hal::TensorImportOp>(user);
      if (!import)
        return makeOpError(user, "uses an input buffer without importing it as a tensor");
      if (import.getTargetEncoding() != import.getTarget().getType() || import.getByteOffset())
        return makeOpError(import, "changes the type of its buffer, which is not supported");
      if (!imports.empty() && imports.front().getTarget().getType() != import.getTarget().getType())
        return makeOpError(import, "imports a buffer as a second type, which is not supported");
      imports.push_back(import);
    }
    if (imports.empty())
      return makeOpError(body->getParentOp(), "the type of argument " +
                                                  Twine(argument.getArgNumber()) +
                                                  " is unknown, as nothing imports it");
    argument.setType(imports.front().getTarget().getType());
    for (hal::TensorImportOp import : imports) {
      import.getTarget().replaceAllUsesWith(argument);
      import.erase();
    }
  }
  return llvm::Error::success();
}

/// The caller has tensors only: scalars are of rank 0, `index` is i64.
void ModelBuilder::passScalarsAsTensors(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  Type i64 = builder.getI64Type();
  for (BlockArgument argument : body->getArguments()) {
    Type type = argument.getType();
    if (!type.isIntOrIndexOrFloat())
      continue;
    Location loc = argument.getLoc();
    argument.setType(RankedTensorType::get({}, type.isIndex() ? i64 : type));
    Value scalar = tensor::ExtractOp::create(builder, loc, argument);
    Operation *reader = scalar.getDefiningOp();
    if (type.isIndex())
      scalar = arith::IndexCastOp::create(builder, loc, type, scalar);
    argument.replaceAllUsesExcept(scalar, reader);
  }
  for (auto returnOp : function.getOps<func::ReturnOp>()) {
    builder.setInsertionPoint(returnOp);
    for (OpOperand &operand : returnOp->getOpOperands()) {
      Value scalar = operand.get();
      if (!scalar.getType().isIntOrIndexOrFloat())
        continue;
      Location loc = returnOp.getLoc();
      if (scalar.getType().isIndex())
        scalar = arith::IndexCastOp::create(builder, loc, i64, scalar);
      auto type = RankedTensorType::get({}, scalar.getType());
      operand.set(tensor::FromElementsOp::create(builder, loc, type, scalar));
    }
  }
}

/// Replaces the only result of `op` by an argument with the data of `value`, which `holder` holds.
llvm::Error ModelBuilder::replaceByArgument(Operation *op, Operation *holder, Attribute value) {
  llvm::Expected<HostTensor> tensor = loadConstant(holder, value, parameter, memoryLimit);
  if (!tensor)
    return tensor.takeError();
  Value result = op->getResult(0);
  if (isa<IndexType>(result.getType()))
    return makeOpError(op, "of type 'index' is not supported in a model");
  auto type = dyn_cast<RankedTensorType>(result.getType());
  Value argument =
      body->addArgument(type ? type : RankedTensorType::get({}, result.getType()), op->getLoc());
  constants.push_back(std::move(*tensor));
  if (!type) {
    OpBuilder builder(op);
    argument = tensor::ExtractOp::create(builder, op->getLoc(), argument);
  }
  result.replaceAllUsesWith(argument);
  op->erase();
  return llvm::Error::success();
}

llvm::Error ModelBuilder::loadGlobal(util::GlobalLoadOp load) {
  auto global = module.lookupSymbol<util::GlobalOp>(load.getGlobal());
  if (!global || global.getIsMutable() || !global.getInitialValueAttr())
    return makeOpError(load, "expected global '" + load.getGlobal() +
                                 "' to be immutable and to have an initial value");
  Value &argument = globals[load.getGlobal()];
  if (argument) {
    load.getResult().replaceAllUsesWith(argument);
    load.erase();
    return llvm::Error::success();
  }
  if (llvm::Error error = replaceByArgument(load, global, global.getInitialValueAttr()))
    return error;
  // A scalar is extracted at every load: the first one need not dominate the others.
  if (isa<RankedTensorType>(global.getType()))
    argument = body->getArguments().back();
  return llvm::Error::success();
}

llvm::Error ModelBuilder::convert(Operation *op) {
  auto replace = [&](ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
    return llvm::Error::success();
  };
  OpBuilder builder(op);
  if (auto load = dyn_cast<util::GlobalLoadOp>(op))
    return loadGlobal(load);
  if (isa<util::OptimizationBarrierOp, flow::TensorCloneOp, flow::TensorTransferOp,
          flow::TensorBarrierOp, flow::TensorTieShapeOp>(op))
    return replace(op->getOperands().take_front(op->getNumResults()));
  if (auto exported = dyn_cast<hal::TensorExportOp>(op)) {
    if (exported.getSourceEncoding() != exported.getSource().getType())
      return makeOpError(op, "changes the type of its tensor, which is not supported");
    return replace(exported.getSource());
  }
  if (isa<arith::ConstantOp, flow::TensorConstantOp, util::UnfoldableConstantOp>(op)) {
    auto value = op->getAttrOfType<TypedAttr>("value");
    if (getParameter(value))
      return replaceByArgument(op, op, value);
    if (isa<arith::ConstantOp>(op))
      return llvm::Error::success();
    return replace(arith::ConstantOp::create(builder, op->getLoc(), value).getResult());
  }
  if (isa<CallOpInterface>(op))
    return makeOpError(op, "is a call that cannot be inlined, which a model's function must be "
                           "without; call no function recursively, and inside of loops only those "
                           "of one block");
  if (isa<util::ReturnOp>(op)) {
    func::ReturnOp::create(builder, op->getLoc(), op->getOperands());
    op->erase();
  }
  return llvm::Error::success();
}

llvm::Expected<func::FuncOp> ModelBuilder::build(FunctionOpInterface source) {
  OpBuilder builder(source);
  auto function = func::FuncOp::create(builder, source.getLoc(), source.getName(),
                                       builder.getFunctionType({}, {}));
  function.getBody().takeBody(source.getFunctionBody());
  source.erase();
  body = &function.getBody().front();
  if (llvm::Error error = importArguments())
    return std::move(error);

  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (llvm::Error error = convert(op))
      return std::move(error);
  passScalarsAsTensors(function);
  auto returns = function.getOps<func::ReturnOp>();
  if (returns.empty())
    return makeOpError(body->getTerminator(), "is not supported in a model");
  function.setType(
      builder.getFunctionType(body->getArgumentTypes(), (*returns.begin()).getOperandTypes()));
  return function;
}

/// Upstream's inliner, where there is something to do for it. Calls that are left are reported
/// where they stand.
static void inlineCalls(ModuleOp module) {
  if (!module.walk([](CallOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
    return;
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addPass(createInlinerPass());
  (void)pm.run(module);
}

llvm::Expected<std::unique_ptr<HostModel>> HostModel::create(ModuleOp module, StringRef name,
                                                             const ParameterCallback &parameter,
                                                             int64_t memoryLimit) {
  std::unique_ptr<HostModel> model(new HostModel());
  model->module = module.clone();
  inlineCalls(*model->module);
  llvm::Expected<FunctionOpInterface> source = findHostFunction(*model->module, name);
  if (!source)
    return source.takeError();
  ModelBuilder builder(*model->module, parameter, memoryLimit, model->constants);
  llvm::Expected<func::FuncOp> function = builder.build(*source);
  if (!function)
    return function.takeError();
  model->function = *function;
  return model;
}

llvm::SmallVector<HostTensor> HostModel::getArguments(ArrayRef<HostTensor> inputs) const {
  llvm::SmallVector<HostTensor> arguments(inputs);
  llvm::append_range(arguments, constants);
  return arguments;
}
