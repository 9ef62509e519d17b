//===- TensorNames.cpp - how inputs and outputs of models are called ------===//

#include "NPU/InitAll/TensorNames.h"

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace npu;

static std::string findName(DictionaryAttr attributes, const Twine &otherwise) {
  for (StringRef key : {StringRef(onnx_ir::nameAttrName), StringRef("iree.abi.name")})
    if (auto name = attributes ? attributes.getAs<StringAttr>(key) : StringAttr();
        name && !name.empty())
      return name.str();
  return otherwise.str();
}

/// The name that an import of IREE's ABI gives to an argument.
static std::string findImportName(Value argument, const Twine &otherwise) {
  for (Operation *user : argument.getUsers())
    if (auto import = dyn_cast<hal::TensorImportOp>(user); import && import.getName())
      return import.getName()->str();
  return otherwise.str();
}

std::optional<TensorNames> npu::getTensorNames(ModuleOp module, StringRef name) {
  FunctionOpInterface found;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal() ||
        (name.empty() ? !function.isPublic() : SymbolTable::getSymbolName(function) != name))
      continue;
    if (found)
      return std::nullopt;
    found = function;
  }
  if (!found)
    return std::nullopt;
  TensorNames names;
  for (unsigned number = 0; number < found.getNumArguments(); ++number) {
    std::string otherwise = ("input" + Twine(number)).str();
    names.inputs.push_back(findName(found.getArgAttrDict(number),
                                    findImportName(found.getArgument(number), otherwise)));
  }
  for (unsigned number = 0; number < found.getNumResults(); ++number)
    names.outputs.push_back(findName(found.getResultAttrDict(number), "output" + Twine(number)));
  return names;
}
