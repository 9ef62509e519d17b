//===- HostProgram.cpp - the host function around the dispatches ----------===//

#include "NPU/HostProgram/HostProgram.h"

#include "HostProgramScalars.h"
#include "HostProgramTensors.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

using Tensors = llvm::SmallVector<HostTensor>;

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

llvm::Expected<HostTensor> HostProgram::loadGlobal(Operation *user, StringRef name) {
  auto known = globals.find(name);
  if (known != globals.end())
    return known->second;
  auto global = module.lookupSymbol<util::GlobalOp>(name);
  if (!global)
    return makeOpError(user, "refers to an unknown global '" + name + "'");
  llvm::Expected<HostTensorType> type = requireValueType(user, global.getType());
  if (!type)
    return type.takeError();
  if (llvm::Error error = requireMemory(user, *type, callbacks.memoryLimit))
    return std::move(error);
  if (Attribute initial = global.getInitialValueAttr()) {
    llvm::Expected<HostTensor> value =
        loadConstant(global, initial, callbacks.parameter, callbacks.memoryLimit);
    if (!value)
      return value.takeError();
    return globals[name] = std::move(*value);
  }
  if (!global.getIsMutable())
    return makeOpError(user, "loads global '" + name +
                                 "', which has neither an initial value nor an initializer");
  // IREE's mutable globals are zero before the first store.
  return globals[name] = HostTensor(type->elementType, type->shape);
}

llvm::Error HostProgram::runInitializers() {
  for (auto initializer : module.getOps<util::InitializerOp>()) {
    if (!setsValue(initializer))
      continue;
    llvm::Expected<Tensors> results = call(initializer.getBody(), {});
    if (!results)
      return results.takeError();
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Boundary
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<HostProgram>> HostProgram::create(ModuleOp module, StringRef name,
                                                                 HostProgramCallbacks callbacks) {
  std::unique_ptr<HostProgram> program(new HostProgram(module, std::move(callbacks)));
  llvm::Expected<FunctionOpInterface> function = findHostFunction(module, name);
  if (!function)
    return function.takeError();
  program->function = *function;
  for (auto [index, site] : llvm::enumerate(flow::collectDispatches(module)))
    program->dispatchIndices[site.op] = index;
  if (llvm::Error error = program->collectBoundary())
    return std::move(error);
  return program;
}

/// What a return gives to the caller.
static llvm::Expected<llvm::SmallVector<HostProgramValue>> collectOutputs(Operation *returnOp) {
  llvm::SmallVector<HostProgramValue> outputs;
  for (Value result : returnOp->getOperands()) {
    HostProgramValue output;
    Type type = result.getType();
    if (auto exported = result.getDefiningOp<hal::TensorExportOp>()) {
      type = exported.getSourceEncoding();
      output.name = exported.getName().value_or("").str();
    }
    llvm::Expected<HostTensorType> valueType = requireValueType(returnOp->getParentOp(), type);
    if (!valueType)
      return valueType.takeError();
    output.type = std::move(*valueType);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

llvm::Error HostProgram::collectBoundary() {
  Region &body = function.getFunctionBody();
  for (BlockArgument argument : body.getArguments()) {
    HostProgramValue input;
    Type type = argument.getType();
    for (Operation *user : argument.getUsers())
      if (auto import = dyn_cast<hal::TensorImportOp>(user)) {
        type = import.getTargetEncoding();
        input.name = import.getName().value_or("").str();
      }
    // An unused buffer has no type of its own.
    if (isa<hal::BufferViewType, hal::BufferType>(type) && argument.use_empty())
      return makeOpError(function, "the type of argument " + Twine(argument.getArgNumber()) +
                                       " is unknown, as nothing imports it");
    llvm::Expected<HostTensorType> valueType = requireValueType(function, type);
    if (!valueType)
      return valueType.takeError();
    input.type = std::move(*valueType);
    inputs.push_back(std::move(input));
  }
  bool isFirst = true;
  for (Block &block : body) {
    if (!isa<util::ReturnOp, func::ReturnOp>(block.back()))
      continue;
    llvm::Expected<llvm::SmallVector<HostProgramValue>> returned = collectOutputs(&block.back());
    if (!returned)
      return returned.takeError();
    if (std::exchange(isFirst, false))
      outputs = std::move(*returned);
    for (auto [known, output] : llvm::zip(outputs, *returned))
      if (known.type.str() != output.type.str())
        return makeOpError(&block.back(), "returns a " + output.type.str() +
                                              " where another return of the function gives a " +
                                              known.type.str() + "; return the same types");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

llvm::Expected<Tensors> HostProgram::run(ArrayRef<HostTensor> arguments) {
  if (arguments.size() != inputs.size())
    return llvm::createStringError("'" + function.getName() + "' expects " + Twine(inputs.size()) +
                                   " inputs, found " + Twine(arguments.size()));
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (!inputs[index].type.matches(argument))
      return llvm::createStringError("'" + function.getName() + "' expects a " +
                                     inputs[index].type.str() + " as input " + Twine(index) +
                                     " but a " + argument.getTypeString() + " was given");
  numExecuted = 0;
  if (!initialized) {
    if (llvm::Error error = runInitializers())
      return std::move(error);
    initialized = true;
  }
  return call(function.getFunctionBody(), arguments);
}

llvm::Expected<Tensors> HostProgram::executeDispatch(Operation *op, ArrayRef<HostTensor> operands) {
  auto dispatch = cast<flow::DispatchOp>(op);
  if (!callbacks.dispatch)
    return makeOpError(op, "cannot be run, as the program was given no dispatches");
  if (dispatch.getEntryPoints().empty())
    return makeOpError(op, "names no entry point");
  // Of several variants of an executable, the first is as good as the others.
  auto callee = cast<SymbolRefAttr>(dispatch.getEntryPoints()[0]);
  ArrayRef<HostTensor> arguments =
      operands.slice(dispatch.getWorkload().size(), dispatch.getArguments().size());
  llvm::Expected<Tensors> results =
      callbacks.dispatch({dispatchIndices.lookup(op), callee, op, arguments});
  if (!results)
    // An error of a kind of its own, such as a trap, keeps it.
    return llvm::handleErrors(
        results.takeError(), [&](const llvm::StringError &error) -> llvm::Error {
          return makeOpError(op, "dispatch #" + Twine(dispatchIndices.lookup(op)) +
                                     " failed: " + error.getMessage());
        });
  if (results->size() != op->getNumResults())
    return makeOpError(op, "expected " + Twine(op->getNumResults()) +
                               " results but the dispatch "
                               "gave " +
                               Twine(results->size()));
  for (auto [index, result] : llvm::enumerate(*results)) {
    llvm::Expected<HostTensorType> type = requireValueType(op, op->getResult(index).getType());
    if (!type)
      return type.takeError();
    if (!type->matches(result))
      return makeOpError(op, "expected a " + type->str() + " as result " + Twine(index) +
                                 " but the dispatch gave a " + result.getTypeString());
  }
  return results;
}

/// One result of type `type` with the bytes of `value`.
static llvm::Expected<Tensors> bitcastTo(Operation *op, const HostTensor &value, Type type) {
  llvm::Expected<HostTensorType> target = requireValueType(op, type);
  if (!target)
    return target.takeError();
  std::optional<int64_t> count = countElements(target->shape, target->elementType);
  if (!count ||
      uint64_t(*count) * getElementByteSize(target->elementType) != value.getBytes().size())
    return makeOpError(op, "cannot turn a " + value.getTypeString() + " into a " + target->str() +
                               " of another size in bytes");
  return Tensors{value.bitcast(target->elementType, target->shape)};
}

static llvm::Expected<Tensors> single(llvm::Expected<HostTensor> value) {
  if (!value)
    return value.takeError();
  return Tensors{std::move(*value)};
}

llvm::Expected<Tensors> HostProgram::execute(Operation *op, ArrayRef<HostTensor> operands) {
  using Result = llvm::Expected<Tensors>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<flow::DispatchOp>([&](auto) { return executeDispatch(op, operands); })
      .Case([&](hal::TensorImportOp import) -> Result {
        if (import.getByteOffset())
          return makeOpError(op, "at a byte offset is not supported in a host program");
        return bitcastTo(op, operands.front(), import.getTarget().getType());
      })
      .Case([&](hal::TensorExportOp exported) -> Result {
        return bitcastTo(op, operands.front(), exported.getSourceEncoding());
      })
      .Case<flow::TensorReshapeOp, flow::TensorBitCastOp>(
          [&](auto) { return bitcastTo(op, operands.front(), op->getResult(0).getType()); })
      .Case<flow::TensorTieShapeOp, flow::TensorCloneOp, flow::TensorTransferOp,
            flow::TensorBarrierOp>([&](auto) -> Result { return Tensors{operands.front()}; })
      .Case<util::OptimizationBarrierOp>([&](auto) -> Result { return Tensors(operands); })
      .Case<flow::TensorEmptyOp, flow::TensorAllocaOp, flow::TensorSplatOp>([&](auto) -> Result {
        llvm::Expected<HostTensorType> type = requireValueType(op, op->getResult(0).getType());
        if (!type)
          return type.takeError();
        if (llvm::Error error = requireMemory(op, *type, callbacks.memoryLimit))
          return std::move(error);
        HostTensor tensor(type->elementType, type->shape);
        if (isa<flow::TensorSplatOp>(op))
          splat(tensor, operands.front());
        return Tensors{std::move(tensor)};
      })
      .Case([&](flow::TensorSliceOp slice) -> Result {
        size_t rank = slice.getStartIndices().size();
        ArrayRef<HostTensor> offsets = operands.slice(1 + slice.getSourceDims().size(), rank);
        ArrayRef<HostTensor> lengths =
            operands.slice(1 + slice.getSourceDims().size() + rank, slice.getLengths().size());
        llvm::Expected<HostTensor> box =
            extractBox(operands.front(), toIndices(offsets), toIndices(lengths));
        if (!box)
          return makeOpError(op, llvm::toString(box.takeError()));
        return bitcastTo(op, *box, slice.getResult().getType());
      })
      .Case([&](flow::TensorUpdateOp update) -> Result {
        size_t numDims = update.getTargetDims().size(), rank = update.getStartIndices().size();
        llvm::Expected<HostTensor> updated =
            insertBox(operands.front(), toIndices(operands.slice(1 + numDims, rank)),
                      operands[1 + numDims + rank]);
        if (!updated)
          return makeOpError(op, llvm::toString(updated.takeError()));
        return Tensors{std::move(*updated)};
      })
      .Case([&](flow::TensorLoadOp load) -> Result {
        size_t numDims = load.getSourceDims().size();
        llvm::Expected<HostTensor> element =
            extractElement(operands.front(), toIndices(operands.drop_front(1 + numDims)));
        if (!element)
          return makeOpError(op, llvm::toString(element.takeError()));
        return Tensors{std::move(*element)};
      })
      .Case([&](flow::TensorStoreOp store) -> Result {
        size_t numDims = store.getTargetDims().size();
        llvm::Expected<HostTensor> updated = insertElement(
            operands[1], toIndices(operands.drop_front(2 + numDims)), operands.front());
        if (!updated)
          return makeOpError(op, llvm::toString(updated.takeError()));
        return Tensors{std::move(*updated)};
      })
      .Case([&](arith::ConstantOp constant) -> Result {
        return single(
            loadConstant(op, constant.getValue(), callbacks.parameter, callbacks.memoryLimit));
      })
      .Case<flow::TensorConstantOp, flow::TensorDynamicConstantOp, util::UnfoldableConstantOp>(
          [&](auto constant) -> Result {
            return single(
                loadConstant(op, constant.getValue(), callbacks.parameter, callbacks.memoryLimit));
          })
      .Case([&](util::GlobalLoadOp load) -> Result {
        return single(loadGlobal(op, load.getGlobal()));
      })
      .Case([&](util::GlobalStoreOp store) -> Result {
        globals[store.getGlobal()] = operands.front();
        return Tensors{};
      })
      .Case<util::CallOp, func::CallOp>([&](auto callOp) -> Result {
        auto callee = module.lookupSymbol<FunctionOpInterface>(callOp.getCallee());
        if (!callee || callee.isExternal())
          return makeOpError(op, "calls '" + callOp.getCallee() + "', which has no body");
        return call(callee.getFunctionBody(), operands);
      })
      .Case([&](tensor::ExtractOp) -> Result {
        llvm::Expected<HostTensor> element =
            extractElement(operands.front(), toIndices(operands.drop_front()));
        if (!element)
          return makeOpError(op, llvm::toString(element.takeError()));
        return Tensors{std::move(*element)};
      })
      .Case([&](tensor::InsertOp) -> Result {
        llvm::Expected<HostTensor> updated =
            insertElement(operands[1], toIndices(operands.drop_front(2)), operands.front());
        if (!updated)
          return makeOpError(op, llvm::toString(updated.takeError()));
        return Tensors{std::move(*updated)};
      })
      .Case([&](tensor::FromElementsOp) -> Result {
        llvm::Expected<HostTensorType> type = requireValueType(op, op->getResult(0).getType());
        if (!type)
          return type.takeError();
        return Tensors{joinElements(type->elementType, type->shape, operands)};
      })
      .Case<flow::TensorTraceOp>([&](auto) -> Result { return Tensors{}; })
      .Default([&](Operation *) { return evaluateScalars(op, operands, callbacks.memoryLimit); });
}
