//===- HostConstants.cpp - functions, types and constants of host programs ===//

#include "NPU/HostProgram/HostConstants.h"

#include "NPU/HostReference/LocatedError.h"

using namespace mlir;
using namespace npu::runtime;

llvm::Expected<FunctionOpInterface> npu::runtime::findHostFunction(ModuleOp module,
                                                                   StringRef name) {
  if (!name.empty()) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(module.lookupSymbol(name));
    if (!function || function.isExternal())
      return llvm::createStringError("there is no host function '" + name + "' with a body");
    return function;
  }
  FunctionOpInterface only;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    if (only)
      return llvm::createStringError("there are several public host functions, '" + only.getName() +
                                     "' and '" + function.getName() + "'; name the one to run");
    only = function;
  }
  if (!only)
    return llvm::createStringError("there is no public host function with a body");
  return only;
}

std::optional<HostTensorType> npu::runtime::getValueType(Type type) {
  if (isa<IndexType>(type))
    type = IntegerType::get(type.getContext(), 64);
  if (type.isIntOrFloat())
    type = RankedTensorType::get({}, type);
  return HostTensorType::get(type);
}

bool npu::runtime::setsValue(util::InitializerOp initializer) {
  return initializer
      .walk([](util::GlobalStoreOp store) {
        return getValueType(store.getValue().getType()) ? WalkResult::interrupt()
                                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<HostTensorType> npu::runtime::requireValueType(Operation *op, Type type) {
  if (std::optional<HostTensorType> valueType = getValueType(type))
    return *valueType;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isDynamic = tensor && !tensor.hasStaticShape();
  return makeOpError(op, "expected a statically shaped tensor or a scalar but found '" + text +
                             (isDynamic ? "'; give npu-run inputs with their shapes, as in "
                                          "--input=4x8xf32=1, or run npu-specialize-shapes before"
                                        : "'"));
}

llvm::Error npu::runtime::requireMemory(Operation *op, const HostTensorType &type,
                                        int64_t memoryLimit) {
  std::optional<int64_t> count = countElements(type.shape, type.elementType);
  if (count && *count <= memoryLimit / getElementByteSize(type.elementType))
    return llvm::Error::success();
  return makeOpError(op, "a " + type.str() + " needs more memory than the limit of " +
                             Twine(memoryLimit) + " bytes; use a smaller shape or a larger limit");
}

/// `parameter.named<"scope"::"key">` or `parameter.named<"key">`.
std::optional<ParameterName> npu::runtime::getParameter(Attribute value) {
  auto opaque = dyn_cast<OpaqueAttr>(value);
  if (!opaque || opaque.getDialectNamespace() != "flow")
    return std::nullopt;
  StringRef text = opaque.getAttrData();
  if (!text.consume_front("parameter.named<"))
    return std::nullopt;
  auto consumeQuoted = [&](std::string &result) {
    text = text.ltrim();
    if (!text.consume_front("\""))
      return false;
    auto [quoted, rest] = text.split('"');
    result = quoted.str();
    text = rest.ltrim();
    return true;
  };
  ParameterName name;
  if (!consumeQuoted(name.key))
    return std::nullopt;
  if (!text.consume_front("::"))
    return name;
  name.scope = std::exchange(name.key, "");
  if (!consumeQuoted(name.key))
    return std::nullopt;
  return name;
}

llvm::Expected<HostTensor> npu::runtime::loadConstant(Operation *op, Attribute value,
                                                      const ParameterCallback &parameter,
                                                      int64_t memoryLimit) {
  if (auto typed = dyn_cast<TypedAttr>(value); typed && isa<IndexType>(typed.getType()))
    value = IntegerAttr::get(IntegerType::get(op->getContext(), 64),
                             cast<IntegerAttr>(value).getValue().getSExtValue());
  std::optional<ParameterName> named = getParameter(value);
  if (auto typed = dyn_cast<TypedAttr>(value))
    if (std::optional<HostTensorType> type = getValueType(typed.getType()))
      if (llvm::Error error = requireMemory(op, *type, memoryLimit))
        return std::move(error);
  if (!named) {
    llvm::Expected<HostTensor> tensor = getHostTensor(value);
    if (!tensor) {
      auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      return makeOpError(op, (name ? "@" + name.str() + ": " : "") +
                                 llvm::toString(tensor.takeError()));
    }
    return tensor;
  }
  const auto &[scope, key] = *named;
  std::string name = scope.empty() ? key : scope + "::" + key;
  llvm::Expected<HostTensorType> type = requireValueType(op, cast<TypedAttr>(value).getType());
  if (!type)
    return type.takeError();
  if (!parameter)
    return makeOpError(op, "needs parameter '" + name + "' but no parameters were given");
  llvm::Expected<HostTensor> tensor = parameter(scope, key, *type);
  if (!tensor)
    return makeOpError(op, "cannot load parameter '" + name +
                               "': " + llvm::toString(tensor.takeError()));
  if (!type->matches(*tensor))
    return makeOpError(op, "expected a " + type->str() + " as parameter '" + name +
                               "' but found a " + tensor->getTypeString());
  return tensor;
}
