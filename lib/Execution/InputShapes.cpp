//===- InputShapes.cpp - models of dynamic shape and what they are given --===//

#include "NPU/Execution/InputShapes.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Execution/RunTensors.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Support/PresentOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

//===----------------------------------------------------------------------===//
// Programs of dispatches
//===----------------------------------------------------------------------===//

/// The type that all imports of a buffer have, or that of another value; null if there is none.
static Type getImportedType(BlockArgument argument) {
  if (!llvm::isa<hal::BufferViewType>(argument.getType()))
    return argument.getType();
  Type imported;
  for (Operation *user : argument.getUsers()) {
    auto import = dyn_cast<hal::TensorImportOp>(user);
    if (!import && !llvm::isa<hal::BufferViewDimOp>(user))
      return {};
    if (!import)
      continue;
    Type type = import.getTarget().getType();
    if (import.getTargetEncoding() != type || import.getByteOffset() ||
        (imported && imported != type))
      return {};
    imported = type;
  }
  return imported;
}

/// The function on tensors that `host`, of one block, is with `types` as arguments.
static void unwrap(util::FuncOp host, ArrayRef<Type> types) {
  OpBuilder builder(host);
  auto function = func::FuncOp::create(builder, host.getLoc(), host.getSymName(),
                                       builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(host.getArguments(), function.getArguments());
  for (Operation &op : host.getBody().front()) {
    // What these say is what tensors have of their own.
    if (llvm::isa<hal::TensorImportOp, hal::TensorExportOp, flow::TensorTieShapeOp>(op))
      mapping.map(op.getResult(0), mapping.lookup(op.getOperand(0)));
    else if (auto dim = dyn_cast<hal::BufferViewDimOp>(op))
      mapping.map(dim.getResult(),
                  tensor::DimOp::create(builder, op.getLoc(), mapping.lookup(dim.getBufferView()),
                                        dim.getIndex().getSExtValue()));
    else if (llvm::isa<util::ReturnOp>(op))
      func::ReturnOp::create(builder, op.getLoc(),
                             llvm::map_to_vector(op.getOperands(), [&](Value value) {
                               return mapping.lookup(value);
                             }));
    else
      builder.clone(op, mapping);
  }
  Operation *returned = function.getBody().front().getTerminator();
  function.setType(builder.getFunctionType(types, returned->getOperandTypes()));
  host.erase();
}

/// Makes functions on tensors of host functions that import tensors of dynamic shape: of
/// executables nobody could tell which sizes follow from which. The dispatches are formed again
/// afterwards.
static LogicalResult unwrapDynamicPrograms(ModuleOp module, StringRef name) {
  auto findTypes = [&](util::FuncOp host) {
    SmallVector<Type> types;
    if (host.isPrivate() || !host.getBody().hasOneBlock() ||
        (!name.empty() && host.getSymName() != name))
      return types;
    types = llvm::map_to_vector(host.getArguments(), getImportedType);
    if (!llvm::all_of(types, [](Type type) { return type; }) || llvm::none_of(types, isDynamic))
      types.clear();
    return types;
  };
  PresentOps present(module);
  bool isDispatched = present.holdsAny<flow::DispatchOp, flow::DispatchWorkgroupsOp>();
  if (llvm::all_of(module.getOps<util::FuncOp>(),
                   [&](util::FuncOp host) { return findTypes(host).empty(); }) ||
      present.holdsAny<flow::DispatchRegionOp>())
    return success();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addPass(flow::createOutlineDispatchRegions());
  pm.addPass(flow::createImportDispatches());
  pm.addPass(flow::createInlineDispatches());
  if (isDispatched && failed(pm.run(module)))
    return failure();
  for (auto host : llvm::make_early_inc_range(module.getOps<util::FuncOp>()))
    if (SmallVector<Type> types = findTypes(host); !types.empty())
      unwrap(host, types);
  return success();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Gives the arguments of dynamic shape the shapes of the inputs, so far as these have some.
static llvm::Error specialize(ModuleOp module, StringRef function,
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

/// Fails for an input of `function` whose shape is not known.
static llvm::Error checkInputShapes(FunctionOpInterface function, bool isOnly) {
  auto fail = [&](unsigned number, StringRef is, Type type) {
    return function->emitError("argument ")
           << number << " of '" << function.getName() << "' is " << is << type
           << ", expected a statically shaped tensor; ";
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (isDynamic(argument.getType())) {
      fail(number, "", argument.getType())
          << (isOnly ? ""
                     : ("choose the function by --function=" + function.getName() + " and ").str())
          << "give inputs with their shapes, as in --input=4x8xf32=1, or run "
             "npu-specialize-shapes before";
      return llvm::createStringError("the shapes of the inputs are not known");
    }
    for (Operation *user : argument.getUsers())
      if (auto import = dyn_cast<hal::TensorImportOp>(user);
          import && isDynamic(import.getTargetEncoding())) {
        fail(number, "imported as ", import.getTargetEncoding())
            << "give inputs with their shapes, as in --input=4x8xf32=1, or run "
               "npu-specialize-shapes on the model before its dispatches are formed";
        return llvm::createStringError("the shapes of the inputs are not known");
      }
  }
  return llvm::Error::success();
}

llvm::Error npu::runtime::specializeToInputs(ModuleOp module, StringRef function,
                                             ArrayRef<std::string> specifications, InputUse use,
                                             int64_t memoryLimit) {
  if (!areForAllInputs(specifications) && failed(unwrapDynamicPrograms(module, function)))
    return llvm::createStringError("the dispatches of the program cannot be formed again, which "
                                   "its inputs of dynamic shape need");
  if (llvm::Error error = specialize(module, function, specifications, use, memoryLimit))
    return error;
  // ONNX's own error has the names of dimensions.
  if (PresentOps(module).holdsAnyOf<onnx_ir::ONNXDialect>())
    return llvm::Error::success();
  SmallVector<FunctionOpInterface> chosen;
  for (auto candidate : module.getOps<FunctionOpInterface>())
    if (!candidate.isExternal() &&
        (function.empty() ? candidate.isPublic() : candidate.getName() == function))
      chosen.push_back(candidate);
  for (FunctionOpInterface candidate : chosen)
    if (llvm::Error error = checkInputShapes(candidate, chosen.size() == 1))
      return error;
  return llvm::Error::success();
}
