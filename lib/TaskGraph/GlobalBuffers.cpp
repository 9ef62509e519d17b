//===- GlobalBuffers.cpp - the globals of a host program in memory --------===//

#include "GlobalBuffers.h"

#include "NPU/HostProgram/HostConstants.h"
#include "NPU/HostReference/LocatedError.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;
using runtime::HostTensor;
using runtime::HostTensorType;
using runtime::makeOpError;

llvm::Error GlobalBuffers::convertLoad(util::GlobalLoadOp load) {
  if (auto known = bufferOf.find(load.getGlobal()); known != bufferOf.end()) {
    values.hold(load.getResult(), known->second);
    return llvm::Error::success();
  }
  auto global = module.lookupSymbol<util::GlobalOp>(load.getGlobal());
  if (global && global.getIsMutable()) {
    llvm::Expected<unsigned> state = getState(load, global);
    if (!state)
      return state.takeError();
    // What is stored later does not change it.
    const Buffer &buffer = graph.buffers[*state];
    HostTensorType type{buffer.dtype, SmallVector<int64_t>(ArrayRef(buffer.shape))};
    unsigned loaded = values.addBuffer(load.getGlobal().str(), type, MemoryRegion::Intermediates);
    values.addCopy(load.getLoc(), *state, loaded);
    values.hold(load.getResult(), loaded);
    return llvm::Error::success();
  }
  if (!global || !global.getInitialValueAttr())
    return makeOpError(load, "expected global '" + load.getGlobal() +
                                 "' to have an initial value or an initializer");
  Attribute value = global.getInitialValueAttr();
  std::optional<runtime::ParameterName> parameter = runtime::getParameter(value);
  if (!parameter && !llvm::isa<ShapedType>(global.getType())) {
    llvm::Expected<HostTensor> tensor =
        runtime::loadConstant(global, value, nullptr, compiler.getBytesLeft());
    if (!tensor)
      return tensor.takeError();
    values.holdScalar(load.getResult(), std::move(*tensor));
    return llvm::Error::success();
  }
  unsigned buffer = 0;
  if (parameter) {
    llvm::Expected<HostTensorType> type = runtime::requireValueType(load, global.getType());
    if (!type)
      return type.takeError();
    buffer = values.addBuffer(load.getGlobal().str(), *type, MemoryRegion::Parameters);
    graph.parameters.push_back({parameter->scope, parameter->key, buffer});
  } else {
    llvm::Expected<HostTensor> tensor =
        runtime::loadConstant(global, value, nullptr, compiler.getBytesLeft());
    if (!tensor)
      return tensor.takeError();
    buffer = compiler.addConstant(load.getGlobal().str(), *tensor);
  }
  bufferOf[load.getGlobal()] = buffer;
  values.hold(load.getResult(), buffer);
  return llvm::Error::success();
}

llvm::Expected<unsigned> GlobalBuffers::getState(Operation *op, util::GlobalOp global) {
  auto [known, isNew] = stateOf.try_emplace(global.getSymName(), 0);
  if (!isNew)
    return known->second;
  Attribute value = global.getInitialValueAttr();
  if (!value || runtime::getParameter(value) || op->getParentOfType<util::InitializerOp>())
    return makeOpError(op, "expected mutable global '" + global.getSymName() +
                               "' to have an initial value in the module, which a task graph "
                               "begins with; run the model with npu-run");
  llvm::Expected<HostTensor> tensor =
      runtime::loadConstant(global, value, nullptr, compiler.getBytesLeft());
  if (!tensor)
    return tensor.takeError();
  return known->second = compiler.addState(global.getSymName().str(), *tensor);
}

/// An initializer's result, which every run computes again: it must not be overwritten.
llvm::Error GlobalBuffers::convertStore(util::GlobalStoreOp store) {
  auto global = module.lookupSymbol<util::GlobalOp>(store.getGlobal());
  if (global && global.getIsMutable()) {
    llvm::Expected<unsigned> state = getState(store, global);
    if (!state)
      return state.takeError();
    llvm::Expected<unsigned> value = values.getBuffer(store, store.getValue());
    if (!value)
      return value.takeError();
    values.addCopy(store.getLoc(), *value, *state);
    return llvm::Error::success();
  }
  if (!global)
    return makeOpError(store, "expected global '" + store.getGlobal() + "' to be defined");
  llvm::Expected<unsigned> buffer = values.getBuffer(store, store.getValue());
  if (!buffer)
    return buffer.takeError();
  bufferOf[store.getGlobal()] = *buffer;
  values.keep(*buffer);
  return llvm::Error::success();
}
