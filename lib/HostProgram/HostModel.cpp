//===- HostModel.cpp - a model as one function for the host ---------------===//

#include "NPU/HostProgram/HostModel.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

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
  Value addConstant(HostTensor tensor, Type type, Location loc);
  llvm::Error replaceByArgument(Operation *op, Attribute value);
  llvm::Expected<Value> addInitialValue(util::GlobalOp global, Operation *user);
  void inlineInitializers();
  llvm::Error promoteGlobals(func::FuncOp function);
  void passScalarsAsTensors(func::FuncOp function);

  ModuleOp module;
  const ParameterCallback &parameter;
  int64_t memoryLimit;
  llvm::SmallVectorImpl<HostTensor> &constants;
  Block *body = nullptr;
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

/// An argument of type `type` that is always `tensor`. `passScalarsAsTensors` deals with scalars.
Value ModelBuilder::addConstant(HostTensor tensor, Type type, Location loc) {
  constants.push_back(std::move(tensor));
  return body->addArgument(type, loc);
}

/// Replaces the only result of `op`, which holds `value`, by an argument with its data.
llvm::Error ModelBuilder::replaceByArgument(Operation *op, Attribute value) {
  llvm::Expected<HostTensor> tensor = loadConstant(op, value, parameter, memoryLimit);
  if (!tensor)
    return tensor.takeError();
  Value result = op->getResult(0);
  result.replaceAllUsesWith(addConstant(std::move(*tensor), result.getType(), op->getLoc()));
  op->erase();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

/// An argument with what `global` is before the first store, as the host program has it.
llvm::Expected<Value> ModelBuilder::addInitialValue(util::GlobalOp global, Operation *user) {
  llvm::Expected<HostTensorType> type = requireValueType(global, global.getType());
  if (!type)
    return type.takeError();
  if (llvm::Error error = requireMemory(global, *type, memoryLimit))
    return std::move(error);
  HostTensor tensor(type->elementType, type->shape);
  if (Attribute initial = global.getInitialValueAttr()) {
    llvm::Expected<HostTensor> loaded = loadConstant(global, initial, parameter, memoryLimit);
    if (!loaded)
      return loaded.takeError();
    tensor = std::move(*loaded);
  } else if (isa<util::GlobalLoadOp>(user) && !global.getIsMutable()) {
    return makeOpError(user, "loads global '" + global.getSymName() +
                                 "', which has neither an initial value nor an initializer");
  }
  return addConstant(std::move(tensor), global.getType(), global.getLoc());
}

/// Puts the code of initializers in front of the function's own.
void ModelBuilder::inlineInitializers() {
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  for (auto initializer : module.getOps<util::InitializerOp>()) {
    if (!setsValue(initializer))
      continue;
    auto inlined = scf::ExecuteRegionOp::create(builder, initializer.getLoc(), TypeRange());
    inlined.getRegion().takeBody(initializer.getBody());
    for (auto returnOp : llvm::make_early_inc_range(inlined.getRegion().getOps<util::ReturnOp>())) {
      OpBuilder atReturn(returnOp);
      scf::YieldOp::create(atReturn, returnOp.getLoc());
      returnOp.erase();
    }
  }
}

/// Replaces every load of a global by the value that is current there: `initial`, or what was
/// stored last. Every block but the first takes that value as an argument.
static void replaceLoads(Region &body, StringRef global, Value initial) {
  DenseMap<Block *, Value> values{{&body.front(), initial}};
  for (Block &block : llvm::drop_begin(body))
    values[&block] = block.addArgument(initial.getType(), initial.getLoc());
  for (Block &block : body) {
    Value current = values.lookup(&block);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto load = dyn_cast<util::GlobalLoadOp>(op); load && load.getGlobal() == global) {
        load.getResult().replaceAllUsesWith(current);
        load.erase();
      } else if (auto store = dyn_cast<util::GlobalStoreOp>(op);
                 store && store.getGlobal() == global) {
        current = store.getValue();
        store.erase();
      }
    }
    Operation *terminator = block.getTerminator();
    if (auto branch = dyn_cast<BranchOpInterface>(terminator))
      for (unsigned successor = 0; successor < terminator->getNumSuccessors(); ++successor)
        branch.getSuccessorOperands(successor).append(current);
  }
}

/// Globals become values. A loop that stores one becomes branches first, as they can carry any
/// value; the host reference makes loops of them again.
llvm::Error ModelBuilder::promoteGlobals(func::FuncOp function) {
  inlineInitializers();
  auto getGlobal = [](Operation *op) -> StringRef {
    if (auto load = dyn_cast<util::GlobalLoadOp>(op))
      return load.getGlobal();
    auto store = dyn_cast<util::GlobalStoreOp>(op);
    return store ? store.getGlobal() : StringRef();
  };
  struct Accesses {
    Operation *first;
    Operation *unordered = nullptr; ///< where no branches say what comes before what
    bool isStored = false, isNested = false;
  };
  auto collect = [&] {
    llvm::MapVector<StringRef, Accesses> result;
    function.walk([&](Operation *op) {
      StringRef name = getGlobal(op);
      if (name.empty())
        return;
      Accesses &accesses = result.insert({name, {op}}).first->second;
      accesses.isStored |= isa<util::GlobalStoreOp>(op);
      accesses.isNested |= op->getParentOp() != function;
      for (Operation *parent = op->getParentOp(); parent != function;
           parent = parent->getParentOp())
        if (!isa<scf::ExecuteRegionOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(
                parent))
          accesses.unordered = op;
    });
    return result;
  };
  llvm::MapVector<StringRef, Accesses> globals = collect();
  for (auto &[name, accesses] : globals)
    if (accesses.isStored && accesses.unordered)
      return makeOpError(accesses.unordered, "is in a region that no branches can replace, which a "
                                             "model's function must be without; access globals "
                                             "that are set outside of it");
  if (llvm::any_of(globals, [](const auto &entry) {
        return entry.second.isStored && entry.second.isNested;
      })) {
    PassManager pm(function.getContext(), func::FuncOp::getOperationName());
    pm.addPass(createSCFToControlFlowPass());
    // The function's type follows at the end.
    pm.enableVerifier(false);
    if (failed(pm.run(function)))
      return makeOpError(function, "has loops that cannot become branches");
    body = &function.getBody().front();
    globals = collect();
  }
  for (auto &[name, accesses] : globals) {
    auto global = module.lookupSymbol<util::GlobalOp>(name);
    if (!global)
      return makeOpError(accesses.first, "refers to an unknown global '" + name + "'");
    llvm::Expected<Value> initial = addInitialValue(global, accesses.first);
    if (!initial)
      return initial.takeError();
    std::string key = name.str(); // the access that holds it is erased
    if (accesses.isStored) {
      replaceLoads(function.getBody(), key, *initial);
      continue;
    }
    SmallVector<util::GlobalLoadOp> loads;
    function.walk([&](util::GlobalLoadOp load) {
      if (load.getGlobal() == key)
        loads.push_back(load);
    });
    for (util::GlobalLoadOp load : loads) {
      load.getResult().replaceAllUsesWith(*initial);
      load.erase();
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

llvm::Error ModelBuilder::convert(Operation *op) {
  auto replace = [&](ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
    return llvm::Error::success();
  };
  OpBuilder builder(op);
  if (isa<util::OptimizationBarrierOp, flow::TensorCloneOp, flow::TensorTransferOp,
          flow::TensorBarrierOp, flow::TensorTieShapeOp, tensor_ext::ComputeBarrierStartOp,
          tensor_ext::ComputeBarrierEndOp>(op))
    return replace(op->getOperands().take_front(op->getNumResults()));
  if (auto exported = dyn_cast<hal::TensorExportOp>(op)) {
    if (exported.getSourceEncoding() != exported.getSource().getType())
      return makeOpError(op, "changes the type of its tensor, which is not supported");
    return replace(exported.getSource());
  }
  if (isa<arith::ConstantOp, flow::TensorConstantOp, util::UnfoldableConstantOp>(op)) {
    auto value = op->getAttrOfType<TypedAttr>("value");
    if (getParameter(value))
      return replaceByArgument(op, value);
    if (isa<arith::ConstantOp>(op))
      return llvm::Error::success();
    return replace(arith::ConstantOp::create(builder, op->getLoc(), value).getResult());
  }
  if (auto region = dyn_cast<flow::DispatchRegionOp>(op);
      region && region.getBody().hasOneBlock()) {
    Block &block = region.getBody().front();
    SmallVector<Value> results(block.getTerminator()->getOperands());
    block.getTerminator()->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations());
    return replace(results);
  }
  // As for the compiler: indices that are data have a defined result.
  if (isa<cf::AssertOp>(op)) {
    op->erase();
    return llvm::Error::success();
  }
  // The host reference passes the resources of these alone.
  if (auto constant = dyn_cast<tosa::ConstOp>(op))
    return isa<DenseResourceElementsAttr>(constant.getValues())
               ? replace(arith::ConstantOp::create(builder, op->getLoc(), constant.getValues())
                             .getResult())
               : llvm::Error::success();
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
  if (llvm::Error error = promoteGlobals(function))
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
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
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
