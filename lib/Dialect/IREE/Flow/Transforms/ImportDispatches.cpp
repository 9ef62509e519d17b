//===- ImportDispatches.cpp - dispatch functions become functions on tensors ===//

#include "NPU/Dialect/IREE/Flow/Transforms/ImportDispatches.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DropEncodings.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace npu::flow {
#define GEN_PASS_DEF_IMPORTDISPATCHES
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;
using namespace npu::tensor_ext;

using Signature = DispatchSignature;

DispatchSignature npu::flow::getSignatureFromTypes(func::FuncOp func) {
  Signature signature;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    auto tensor = dyn_cast<DispatchTensorType>(type);
    signature.isArgument.push_back(!tensor || tensor.getAccess() != TensorAccess::WriteOnly);
    if (tensor && tensor.isWritable())
      signature.resultArguments.push_back(index);
  }
  return signature;
}

/// The type outside a dispatch of what `type` is inside.
static Type getOuterType(Type type) {
  auto tensor = dyn_cast<DispatchTensorType>(type);
  return tensor ? Type(tensor.getTensorType()) : type;
}

/// The signature as a dispatch sees it: its arguments, then one argument for each untied result.
static FailureOr<Signature> getSignatureFromDispatch(func::FuncOp func, DispatchOp dispatch) {
  Signature signature;
  SmallVector<Type> outerTypes(dispatch.getArguments().getTypes());
  for (auto [tied, type] :
       llvm::zip(getTiedOperandIndices(dispatch.getTiedOperandsAttr(), dispatch.getNumResults()),
                 dispatch.getResultTypes())) {
    signature.resultArguments.push_back(tied == kUntiedIndex ? outerTypes.size() : tied);
    if (tied == kUntiedIndex)
      outerTypes.push_back(type);
  }

  auto reportMismatch = [&](const Twine &message) -> LogicalResult {
    InFlightDiagnostic diag = dispatch.emitOpError(message);
    diag.attachNote(func.getLoc()) << "the dispatched function is defined here";
    return diag;
  };
  if (outerTypes.size() != func.getNumArguments())
    return reportMismatch("expected " + Twine(func.getNumArguments()) +
                          " arguments and untied results, as the function has, found " +
                          Twine(outerTypes.size()));
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    signature.isArgument.push_back(index < dispatch.getArguments().size());
    if (getOuterType(type) != outerTypes[index]) {
      std::string expected, found;
      llvm::raw_string_ostream(expected) << getOuterType(type);
      llvm::raw_string_ostream(found) << outerTypes[index];
      return reportMismatch("expected type '" + expected + "' for argument " + Twine(index) +
                            " of the function, found '" + found + "'");
    }
    auto tensor = dyn_cast<DispatchTensorType>(type);
    bool isWritable = tensor && tensor.isWritable();
    bool isResult = llvm::is_contained(signature.resultArguments, index);
    if (isResult && !isWritable)
      return reportMismatch("expected argument " + Twine(index) +
                            " of the function, a result of the dispatch, to be writable");
    if (!isResult && isWritable)
      return reportMismatch("expected a result for argument " + Twine(index) +
                            " of the function, which is writable");
  }
  return signature;
}

/// Returns the block argument behind a value that is a dispatch tensor.
static BlockArgument getRootArgument(Value value) {
  while (auto tie = value.getDefiningOp<DispatchTieShapeOp>())
    value = tie.getOperand();
  return dyn_cast<BlockArgument>(value);
}

/// Verifies what the rewrite takes for granted.
static LogicalResult checkFunction(func::FuncOp func) {
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitOpError("expected a dispatch function of one block, found ")
           << func.getBody().getBlocks().size();
  if (func.getNumResults())
    return func.emitOpError("expected a dispatch function without results, found ")
           << func.getNumResults();
  for (auto [index, argument] : llvm::enumerate(func.getArguments())) {
    auto type = dyn_cast<DispatchTensorType>(argument.getType());
    if (!type)
      continue;
    if (Attribute encoding = type.getTensorType().getEncoding())
      return func.emitOpError("expected tensors without encoding, argument ")
             << index << " has " << encoding << "; only those of iree_encoding are dropped";
  }
  WalkResult result = func.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isa<DispatchTensorType>(operand.getType()))
        continue;
      if (!isa<DispatchTensorLoadOp, DispatchTensorStoreOp, DispatchTieShapeOp>(op)) {
        op->emitOpError("expected dispatch tensors to be used by loads and stores only");
        return WalkResult::interrupt();
      }
      // A tensor that nothing stores to is the same everywhere.
      bool mayNest =
          isa<DispatchTensorLoadOp>(op) &&
          cast<DispatchTensorType>(operand.getType()).getAccess() == TensorAccess::ReadOnly;
      if (!mayNest && op->getBlock() != &func.getBody().front()) {
        op->emitOpError("expected stores, and loads of what is stored to, to stand in the entry "
                        "block of the dispatch function, not in a nested region");
        return WalkResult::interrupt();
      }
      if (!getRootArgument(operand)) {
        op->emitOpError("expected the tensor to be an argument of the dispatch function");
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Verifies that the host program has its weights, in a plain layout, and runs on one device.
static LogicalResult checkHost(ModuleOp module) {
  auto hasData = [](Operation *op, StringRef name, Attribute value) -> LogicalResult {
    auto resource = dyn_cast_if_present<DenseResourceElementsAttr>(value);
    if (!resource || !resource.getRawHandle().getKey().starts_with("__elided__"))
      return success();
    return op->emitOpError("expected data for constant ")
           << (name.empty() ? "" : "@" + name.str() + " ") << "of type " << resource.getType()
           << ", found none; print the IR again without --mlir-elide-resource-strings-if-larger";
  };
  auto check = [&](Operation *op) -> LogicalResult {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ChannelType>) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<ChannelType>))
      return op->emitOpError("expected a program for one device, which the NPU is, found an op "
                             "between devices; compile the model without sharding");
    for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && tensor.getEncoding())
        return op->emitOpError("expected tensors without encoding, result ")
               << index << " has " << tensor.getEncoding()
               << "; only those of iree_encoding are dropped";
    }
    if (auto global = dyn_cast<util::GlobalOp>(op))
      return hasData(op, global.getSymName(), global.getInitialValueAttr());
    Attribute value;
    if (auto constant = dyn_cast<TensorConstantOp>(op))
      value = constant.getValueAttr();
    else if (op->getNumResults() == 1)
      (void)matchPattern(op, m_Constant(&value));
    return hasData(op, "", value);
  };
  return failure(
      module.walk([&](Operation *op) { return WalkResult(check(op)); }).wasInterrupted());
}

static void importLoad(DispatchTensorLoadOp load, Value tensor) {
  Value result = tensor;
  if (!load.isFullLoad()) {
    OpBuilder builder(load);
    result = tensor::ExtractSliceOp::create(builder, load.getLoc(), load.getType(), tensor,
                                            load.getMixedOffsets(), load.getMixedSizes(),
                                            load.getMixedStrides());
  }
  load.replaceAllUsesWith(result);
  load.erase();
}

/// Returns the tensor after the store. `tensor` is what was there before, null if nothing was.
static Value importStore(DispatchTensorStoreOp store, Value tensor) {
  Value result = store.getValue();
  if (!store.isFullStore()) {
    OpBuilder builder(store);
    if (!tensor)
      tensor = tensor::EmptyOp::create(builder, store.getLoc(),
                                       store.getTarget().getType().getTensorType(),
                                       store.getTargetDims());
    result = tensor::InsertSliceOp::create(builder, store.getLoc(), store.getValue(), tensor,
                                           store.getMixedOffsets(), store.getMixedSizes(),
                                           store.getMixedStrides());
  }
  store.erase();
  return result;
}

LogicalResult npu::flow::importFunction(func::FuncOp func, const DispatchSignature &signature) {
  if (failed(checkFunction(func)))
    return failure();
  Block &block = func.getBody().front();
  unsigned numOld = block.getNumArguments();

  // The new arguments follow the old ones until nothing uses these any more.
  SmallVector<Value> current(numOld);
  SmallVector<DictionaryAttr> argumentAttrs;
  for (unsigned index = 0; index < numOld; ++index) {
    BlockArgument old = block.getArgument(index);
    auto type = dyn_cast<DispatchTensorType>(old.getType());
    if (!signature.isArgument[index])
      continue;
    current[index] = block.addArgument(type ? type.getTensorType() : old.getType(), old.getLoc());
    argumentAttrs.push_back(func.getArgAttrDict(index));
    if (!type)
      old.replaceAllUsesWith(current[index]);
  }

  func.walk([&](DispatchTensorLoadOp load) {
    if (load->getBlock() != &block)
      importLoad(load, current[getRootArgument(load.getSource()).getArgNumber()]);
  });
  SmallVector<Operation *> ties;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = dyn_cast<DispatchTensorLoadOp>(op)) {
      Value tensor = current[getRootArgument(load.getSource()).getArgNumber()];
      if (!tensor)
        return load.emitOpError("expected a store before the load, the source is a new tensor");
      importLoad(load, tensor);
    } else if (auto store = dyn_cast<DispatchTensorStoreOp>(op)) {
      unsigned index = getRootArgument(store.getTarget()).getArgNumber();
      current[index] = importStore(store, current[index]);
    } else if (auto ordinal = dyn_cast<DispatchWorkloadOrdinalOp>(op)) {
      ordinal.replaceAllUsesWith(ordinal.getOperand());
      ordinal.erase();
    } else if (isa<DispatchTieShapeOp>(op)) {
      ties.push_back(&op);
    }
  }
  for (Operation *tie : llvm::reverse(ties))
    tie->erase();

  SmallVector<Value> results;
  for (unsigned index : signature.resultArguments) {
    if (!current[index])
      return func.emitOpError("expected a store to argument ")
             << index << ", which is a result of the dispatch, found none";
    results.push_back(current[index]);
  }
  block.getTerminator()->setOperands(results);
  block.eraseArguments(0, numOld);
  func.removeArgAttrsAttr();
  func.setType(FunctionType::get(func.getContext(), block.getArgumentTypes(),
                                 ValueRange(results).getTypes()));
  if (llvm::any_of(argumentAttrs, [](DictionaryAttr attrs) { return attrs && !attrs.empty(); }))
    func.setAllArgAttrs(argumentAttrs);
  return success();
}

namespace {
struct ImportDispatches : npu::flow::impl::ImportDispatchesBase<ImportDispatches> {
  void runOnOperation() override {
    if (failed(dropEncodings(getOperation())) || failed(checkHost(getOperation())))
      return signalPassFailure();
    // Two entry points may name one function, and many dispatches one entry point.
    llvm::MapVector<func::FuncOp, std::optional<Signature>> functions;
    if (failed(collectFunctions(functions)) || failed(addSignatures(functions)))
      return signalPassFailure();
    for (auto &[func, signature] : functions)
      if (failed(importFunction(func, signature ? *signature : getSignatureFromTypes(func))))
        return signalPassFailure();
  }

private:
  using FunctionMap = llvm::MapVector<func::FuncOp, std::optional<Signature>>;

  LogicalResult collectFunctions(FunctionMap &functions) {
    WalkResult result = getOperation().walk([&](ExecutableExportOp exportOp) {
      FunctionOpInterface function = exportOp.getFunction();
      if (!function || function.isExternal())
        return WalkResult::advance();
      auto func = dyn_cast<func::FuncOp>(function.getOperation());
      if (!func) {
        exportOp.emitOpError("expected the exported function to be a func.func, found ")
            << function->getName();
        return WalkResult::interrupt();
      }
      // A function without dispatch tensors has been imported before.
      if (llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<DispatchTensorType>))
        functions.insert({func, std::nullopt});
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Takes the signatures from the dispatches and verifies that all dispatches of a function agree.
  LogicalResult addSignatures(FunctionMap &functions) {
    SymbolTableCollection symbols;
    WalkResult result = getOperation().walk([&](DispatchOp dispatch) {
      for (auto entryPoint : dispatch.getEntryPoints().getAsRange<SymbolRefAttr>()) {
        auto exportOp = symbols.lookupNearestSymbolFrom<ExecutableExportOp>(dispatch, entryPoint);
        auto func = exportOp
                        ? dyn_cast_if_present<func::FuncOp>(exportOp.getFunction().getOperation())
                        : func::FuncOp();
        auto *it = functions.find(func);
        if (it == functions.end())
          continue;
        FailureOr<Signature> signature = getSignatureFromDispatch(func, dispatch);
        if (failed(signature))
          return WalkResult::interrupt();
        if (it->second && it->second->resultArguments != signature->resultArguments) {
          dispatch.emitOpError("expected results in the same order as in the other dispatches of ")
              << entryPoint;
          return WalkResult::interrupt();
        }
        it->second = *signature;
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
