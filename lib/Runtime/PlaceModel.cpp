//===- PlaceModel.cpp - from a model as it came to placed dispatches ------===//

#include "NPU/Runtime/PlaceModel.h"

#include "DispatchScalars.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Runtime/HostConstants.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// Whether only a host function can be what `function` is: one on scalars, or with calls.
static bool needsHostFunction(func::FuncOp function) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (llvm::any_of(function.getArgumentTypes(), isScalar) ||
      llvm::any_of(function.getResultTypes(), isScalar))
    return true;
  return function.walk([](CallOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether `module` is a model whose dispatches are not formed yet: it has globals, or a function
/// that the target does not run as one kernel. What no host can run either is left for others to
/// report.
static FailureOr<bool> needsDispatches(ModuleOp module, StringRef target) {
  if (!module.getOps<util::FuncOp>().empty() || !module.getOps<flow::ExecutableOp>().empty())
    return false;
  bool needs = !module.getOps<util::GlobalOp>().empty();
  auto isHostValue = [](Type type) { return getValueType(type).has_value(); };
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    if (!llvm::all_of(function.getArgumentTypes(), isHostValue) ||
        !llvm::all_of(function.getResultTypes(), isHostValue))
      return false;
    needs |= needsHostFunction(function);
    if (needs)
      continue;
    FailureOr<std::vector<RejectedOp>> reasons = checkDispatch(function, target);
    if (failed(reasons))
      return failure();
    needs = !reasons->empty();
  }
  return needs;
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
      if (!isa<hal::BufferViewType>(argument.getType()) || !isa<RankedTensorType>(type) ||
          (isImported && !isReturned))
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
      auto name = builder.getStringAttr("input" + Twine(argument.getArgNumber()));
      Value tensor = hal::TensorImportOp::create(
          builder, argument.getLoc(), type, argument, TypeAttr::get(type), /*consume=*/nullptr,
          /*target_dims=*/ValueRange(), Value(), Value(), name, /*affinity=*/nullptr);
      for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
        if (!isa<util::ReturnOp>(use.getOwner()))
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
                                              bool formsDispatches) {
  PassManager onnx(module->getContext(), ModuleOp::getOperationName());
  populateONNXPipeline(onnx);
  if (failed(onnx.run(module)))
    return failure();
  FailureOr<bool> needs = formsDispatches ? needsDispatches(module, options.target) : false;
  if (failed(needs))
    return failure();
  ArgumentTypes argumentTypes = collectArgumentTypes(module);
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  if (*needs)
    populateFrontHalfPipeline(pm, FrontHalfOptions());
  pm.addPass(linalg_ext::createDecomposeAttention());
  pm.addPass(flow::createImportDispatches());
  if (failed(pm.run(module)))
    return failure();
  importRemainingBuffers(module, argumentTypes);
  passScalarsAsTensors(module);
  return Partition::compute(module, options);
}
