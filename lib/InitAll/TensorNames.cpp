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

/// The function of that name, or the only public one; null if there is none, or several.
static FunctionOpInterface findModelFunction(ModuleOp module, StringRef name) {
  FunctionOpInterface found;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal() ||
        (name.empty() ? !function.isPublic() : SymbolTable::getSymbolName(function) != name))
      continue;
    if (found)
      return {};
    found = function;
  }
  return found;
}

std::vector<ResultLength> npu::getResultLengths(ModuleOp module, StringRef name) {
  std::vector<ResultLength> lengths;
  FunctionOpInterface function = findModelFunction(module, name);
  for (unsigned number = 0; function && number < function.getNumResults(); ++number) {
    auto values = function.getResultAttrOfType<DenseI64ArrayAttr>(number, onnx_ir::lengthAttrName);
    // A file may say anything.
    if (values && values.size() == 2 && values[0] >= 0 && values[1] >= 0 &&
        values[1] < function.getNumResults() && values[1] != number)
      lengths.push_back(
          {number, static_cast<unsigned>(values[0]), static_cast<unsigned>(values[1])});
  }
  return lengths;
}

std::optional<TensorNames> npu::getTensorNames(ModuleOp module, StringRef name) {
  FunctionOpInterface found = findModelFunction(module, name);
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

/// The type as which an argument of IREE's ABI is imported, or its own.
static RankedTensorType findArgumentType(BlockArgument argument) {
  for (Operation *user : argument.getUsers())
    if (auto import = dyn_cast<hal::TensorImportOp>(user))
      return dyn_cast<RankedTensorType>(import.getTarget().getType());
  return dyn_cast<RankedTensorType>(argument.getType());
}

/// The type that a result has before IREE's ABI exports it, or its own.
static RankedTensorType findResultType(FunctionOpInterface function, unsigned number) {
  Region &body = function.getFunctionBody();
  if (body.hasOneBlock() && !body.front().empty()) {
    Operation &end = body.front().back();
    if (number < end.getNumOperands())
      if (auto exported = end.getOperand(number).getDefiningOp<hal::TensorExportOp>())
        return dyn_cast<RankedTensorType>(exported.getSource().getType());
  }
  return dyn_cast<RankedTensorType>(function.getResultTypes()[number]);
}

std::optional<TensorPorts> npu::getTensorPorts(ModuleOp module, StringRef name) {
  FunctionOpInterface found = findModelFunction(module, name);
  std::optional<TensorNames> names = getTensorNames(module, name);
  if (!found || !names)
    return std::nullopt;
  TensorPorts ports;
  for (auto [number, input] : llvm::enumerate(names->inputs))
    ports.inputs.push_back({input, findArgumentType(found.getArgument(number))});
  for (auto [number, output] : llvm::enumerate(names->outputs))
    ports.outputs.push_back({output, findResultType(found, number)});
  return ports;
}
