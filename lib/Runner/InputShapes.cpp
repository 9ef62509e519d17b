//===- InputShapes.cpp - models of dynamic shape and what they are given --===//

#include "InputShapes.h"

#include "NPU/HostProgram/HostConstants.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Runner/RunTensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// `4x64`
static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

llvm::Error npu::runtime::specializeToInputs(ModuleOp module, StringRef function,
                                             ArrayRef<std::string> specifications, InputUse use,
                                             int64_t memoryLimit) {
  SmallVector<func::FuncOp> found;
  for (auto candidate : module.getOps<func::FuncOp>())
    if (function.empty() ? candidate.isPublic() : candidate.getSymName() == function)
      found.push_back(candidate);
  if (found.size() != 1 || areForAllInputs(specifications))
    return llvm::Error::success();
  bool hasDynamicShapes = llvm::any_of(found.front().getArgumentTypes(), isDynamic);
  if (!hasDynamicShapes && use == InputUse::Values)
    return llvm::Error::success();

  SmallVector<std::optional<HostTensorType>> types;
  for (Type type : found.front().getArgumentTypes())
    types.push_back(getValueType(type));
  llvm::Expected<SmallVector<HostTensor>> inputs = readInputs(specifications, types, memoryLimit);
  if (!inputs)
    return inputs.takeError();
  if (!hasDynamicShapes)
    return llvm::Error::success();
  input::SpecializeShapesOptions options;
  options.function = found.front().getSymName().str();
  for (auto [type, tensor] : llvm::zip_equal(found.front().getArgumentTypes(), *inputs))
    if (isDynamic(type))
      options.shapes.push_back(printShape(tensor.getShape()));
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  // Shapes do not follow calls.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(input::createSpecializeShapes(options));
  if (failed(pm.run(module)))
    return llvm::createStringError("the inputs do not fit the model");
  return llvm::Error::success();
}
