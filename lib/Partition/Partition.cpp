//===- Partition.cpp - which dispatches the NPU runs ----------------------===//

#include "NPU/Partition/Partition.h"
#include "NPU/Conversion/FuncToKernel/FuncToKernel.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/NPU/Transforms/CarryRejection.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Roofline/Roofline.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu;

StringRef npu::toString(Placement placement) { return stringifyPlacement(placement); }

/// The symbols from the module's body down, joined by `::`.
static std::string getPath(func::FuncOp function) {
  std::string path = function.getSymName().str();
  for (Operation *op = function->getParentOp(); op; op = op->getParentOp())
    if (auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path = (name.getValue() + "::" + path).str();
  return path;
}

/// Refuses code whose tensors are not visible: it is not imported.
static LogicalResult checkFunction(func::FuncOp function) {
  if (function->getParentOfType<hal::ExecutableOp>())
    return function.emitOpError("expected a dispatch before IREE's code generation, found one in a "
                                "hal.executable; compile that with npu-opt --npu-iree-hook, or "
                                "print the model after IREE's phase flow");
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (llvm::isa<tensor_ext::DispatchTensorType>(type))
      return function.emitOpError("expected a function on tensors, found ")
             << type << " as argument " << index << "; run npu-import-dispatches before";
  return success();
}

LogicalResult npu::checkDispatched(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa_and_nonnull<onnx_ir::ONNXDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("expected dispatches to be formed of linalg, found ONNX; run npu-onnx-pipeline "
                    "before");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  if (Operation *op = flow::findUndispatched(module))
    return op->emitOpError("expected to be in a dispatch, found it in a host function; run "
                           "npu-front-half on the model, or npu-global-optimization-pipeline, "
                           "npu-dispatch-creation-pipeline and npu-flow-pipeline from here on");
  return success();
}

static LogicalResult collectFunctions(ModuleOp module, std::vector<PartitionedFunction> &functions,
                                      std::vector<ExternalDispatch> &externals) {
  DenseMap<Operation *, size_t> known;
  for (auto [number, site] : llvm::enumerate(flow::collectDispatches(module))) {
    if (!site.body) {
      externals.push_back({unsigned(number), flow::describeDispatch(site)});
      continue;
    }
    auto function = dyn_cast<func::FuncOp>(site.body->getParentOp());
    if (!function)
      return site.op->emitOpError("expected a dispatch of a function, found its code in place; run "
                                  "npu-flow-pipeline and npu-import-dispatches before");
    if (failed(checkFunction(function)))
      return failure();
    // Other functions on scalars are not dispatches and do not become kernels.
    if (site.op == function && !hasTensors(function)) {
      warnOfBuffers(function);
      continue;
    }
    auto [place, isNew] = known.try_emplace(function, functions.size());
    if (isNew) {
      PartitionedFunction &entry = functions.emplace_back();
      entry.function = function;
      entry.name = getPath(function);
      entry.description = flow::describeDispatch(site);
    }
    functions[place->second].numbers.push_back(number);
  }
  return success();
}

/// Whether work can be counted.
static bool isStatic(func::FuncOp function) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  return !function
              .walk([&](Operation *op) {
                bool hasDynamic = llvm::any_of(op->getOperandTypes(), isDynamic) ||
                                  llvm::any_of(op->getResultTypes(), isDynamic);
                return hasDynamic ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether it is a model that no dispatches were formed of: several ops beside each other that
/// compute something.
static bool isModel(func::FuncOp function) {
  if (!llvm::isa<ModuleOp>(function->getParentOp()) || function->getParentOp()->getParentOp())
    return false;
  return llvm::count_if(function.getOps(), [](Operation &op) {
           return llvm::isa<linalg::LinalgOp, tosa::TosaOp>(&op) && !llvm::isa<linalg::FillOp>(&op);
         }) > 1;
}

/// Reports all reasons of a dispatch that may not run on the host.
static void emitReasons(const PartitionedFunction &function) {
  for (const RejectedOp &reason : function.reasons) {
    InFlightDiagnostic diagnostic = emitError(reason.loc, "Dispatch #")
                                    << function.numbers.front() << " not supported: ";
    std::string text;
    llvm::raw_string_ostream(text) << reason.rejection;
    diagnostic << text;
    if (isModel(function.function))
      diagnostic << "; of a whole model, npu-opt --npu-front-half forms dispatches first";
    carryRejection(*diagnostic.getUnderlyingDiagnostic(), reason.loc->getContext(),
                   reason.rejection, reason.op);
    if (function.numbers.size() > 1) {
      std::string others;
      llvm::raw_string_ostream os(others);
      llvm::interleaveComma(ArrayRef(function.numbers).drop_front(), os,
                            [&](unsigned number) { os << '#' << number; });
      diagnostic.attachNote() << "the same is true of dispatches " << others;
    }
  }
}

FailureOr<Partition> Partition::compute(ModuleOp module, const PartitionOptions &options,
                                        DispatchCompiler &compiler) {
  llvm::Expected<TargetDesc> target = parseTarget(compiler.getTarget());
  if (!target)
    return module.emitError() << llvm::toString(target.takeError());
  Partition partition;
  partition.target = compiler.getTarget();
  if (failed(checkDispatched(module)) ||
      failed(collectFunctions(module, partition.functions, partition.externals)))
    return failure();
  auto functions = llvm::map_to_vector(
      partition.functions, [](const PartitionedFunction &function) { return function.function; });
  if (failed(compiler.legalize(functions)))
    return failure();
  PlacementMap unused = options.placements;
  bool isComplete = true;
  for (PartitionedFunction &function : partition.functions) {
    FailureOr<std::vector<RejectedOp>> reasons = compiler.getReasons(function.function);
    if (failed(reasons))
      return failure();
    function.reasons = std::move(*reasons);
    function.isDynamic = !isStatic(function.function);
    if (!function.isDynamic)
      function.macs = runtime::computeRoofline(function.function, *target).macs;
    function.placement = function.reasons.empty() ? Placement::NPU : Placement::Host;
    bool mayFallBack = options.fallback == Fallback::Host;
    if (auto asked = unused.find(function.name); asked != unused.end()) {
      function.isForced = true;
      mayFallBack = asked->second == Placement::Host;
      if (mayFallBack)
        function.placement = Placement::Host;
      unused.erase(asked);
    }
    if (!function.reasons.empty() && !mayFallBack) {
      emitReasons(function);
      isComplete = false;
    }
  }
  if (!unused.empty())
    return module.emitError("the placement of '")
           << unused.begin()->first
           << "' is for no dispatch of the module; see npu-partition-report for their names";
  if (!isComplete)
    return failure();
  return partition;
}

const PartitionedFunction *Partition::find(unsigned number) const {
  for (const PartitionedFunction &function : functions)
    if (llvm::binary_search(function.numbers, number))
      return &function;
  return nullptr;
}
