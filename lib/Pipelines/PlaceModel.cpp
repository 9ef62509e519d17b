//===- PlaceModel.cpp - from an input model to placed dispatches ----------===//

#include "NPU/Pipelines/PlaceModel.h"

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/HostProgram/HostConstants.h"
#include "NPU/Pipelines/FormDispatches.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Support/PassManagers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// Whether a host can pass what public functions take and return.
static bool hasHostSignatures(ModuleOp module) {
  auto isHostValue = [](Type type) { return getValueType(type).has_value(); };
  return llvm::all_of(module.getOps<func::FuncOp>(), [&](func::FuncOp function) {
    return function.isPrivate() || (llvm::all_of(function.getArgumentTypes(), isHostValue) &&
                                    llvm::all_of(function.getResultTypes(), isHostValue));
  });
}

LogicalResult npu::runtime::verifyElementTypes(ModuleOp module) {
  auto findNarrow = [](TypeRange types) -> Type {
    for (Type type : types) {
      auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
      if (element && element.getWidth() < 16)
        return element;
    }
    return {};
  };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    Type narrow = findNarrow(op->getOperandTypes());
    if (!narrow)
      narrow = findNarrow(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!narrow)
          narrow = findNarrow(block.getArgumentTypes());
    if (!narrow)
      return WalkResult::advance();
    return op->emitOpError("has the element type ")
           << narrow
           << ", expected floats of 16, 32 or 64 bits; neither the NPU nor the host "
              "computes narrower ones, so convert the model";
  });
  return failure(result.wasInterrupted());
}

namespace {
/// Types of the arguments of a module's functions on tensors, by function.
using ArgumentTypes = llvm::StringMap<SmallVector<Type>>;
} // namespace

static ArgumentTypes collectArgumentTypes(ModuleOp module) {
  ArgumentTypes types;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      llvm::append_range(types[function.getSymName()], function.getArgumentTypes());
  return types;
}

/// Imports every buffer that nothing imports, because the model ignores it, and exports it again
/// where the model returns it as it is: a buffer alone does not say what is in it.
static void importRemainingBuffers(ModuleOp module, const ArgumentTypes &types) {
  for (auto function : module.getOps<util::FuncOp>()) {
    auto known = types.find(function.getSymName());
    if (function.isExternal() || known == types.end() ||
        known->second.size() != function.getNumArguments())
      continue;
    for (auto [argument, type] : llvm::zip(function.getArguments(), known->second)) {
      auto isReturned = llvm::any_of(argument.getUsers(), llvm::IsaPred<util::ReturnOp>);
      auto isImported = llvm::any_of(argument.getUsers(), llvm::IsaPred<hal::TensorImportOp>);
      if (!llvm::isa<hal::BufferViewType>(argument.getType()) ||
          !llvm::isa<RankedTensorType>(type) || (isImported && !isReturned))
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
      auto name = builder.getStringAttr("input" + Twine(argument.getArgNumber()));
      Value tensor = hal::TensorImportOp::create(
          builder, argument.getLoc(), type, argument, TypeAttr::get(type), /*consume=*/nullptr,
          /*target_dims=*/ValueRange(), Value(), Value(), name, /*affinity=*/nullptr);
      for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
        if (!llvm::isa<util::ReturnOp>(use.getOwner()))
          continue;
        builder.setInsertionPoint(use.getOwner());
        use.set(hal::TensorExportOp::create(
            builder, argument.getLoc(), argument.getType(), tensor, TypeAttr::get(type),
            /*source_dims=*/ValueRange(),
            builder.getStringAttr("output" + Twine(use.getOperandNumber())),
            /*affinity=*/nullptr));
      }
    }
  }
}

FailureOr<Partition> npu::runtime::placeModel(ModuleOp module, const PartitionOptions &options,
                                              DispatchCompiler &compiler, bool formsDispatches) {
  PassManager onnx(module->getContext(), ModuleOp::getOperationName());
  populateONNXPipeline(onnx);
  applyPassManagerOptions(onnx);
  if (failed(runAndVerify(onnx, module)) || failed(verifyElementTypes(module)))
    return failure();
  formsDispatches |= needsHostProgram(module);
  // What no host can run either is left for others to report.
  FailureOr<bool> isModel =
      formsDispatches && hasHostSignatures(module) ? needsFrontHalf(module, compiler) : false;
  if (failed(isModel))
    return failure();
  ArgumentTypes argumentTypes = collectArgumentTypes(module);
  if (failed(finishFrontHalf(module, compiler, /*fromInput=*/*isModel)))
    return failure();
  importRemainingBuffers(module, argumentTypes);
  return Partition::compute(module, options, compiler);
}
