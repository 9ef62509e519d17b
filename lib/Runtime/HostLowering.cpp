//===- HostLowering.cpp - from tensors to the LLVM dialect ----------------===//

#include "HostLowering.h"
#include "NPU/Runtime/LocatedError.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu::runtime;

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

static void registerHostDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
              cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect, linalg::LinalgDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
              tensor::TensorDialect, tosa::TosaDialect, ub::UBDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  func::registerInlinerExtension(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

static DialectRegistry makeRegistry(const HostReferenceOptions &options) {
  DialectRegistry registry;
  registerHostDialects(registry);
  if (options.registerDialects)
    options.registerDialects(registry);
  return registry;
}

HostContext::HostContext(const HostReferenceOptions &options)
    : options(options), context(makeRegistry(options), MLIRContext::Threading::DISABLED) {
  context.allowUnregisteredDialects();
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    llvm::raw_string_ostream os(diagnostics);
    os << ": " << formatLocation(diagnostic.getLocation()) << diagnostic;
    // Upstream's messages rarely name the op.
    for (Diagnostic &note : diagnostic.getNotes())
      os << " (" << note << ")";
  });
}

llvm::Error HostContext::makeError(StringRef what) {
  return llvm::createStringError("host reference: " + what + std::exchange(diagnostics, {}));
}

llvm::Expected<std::string> npu::runtime::printHostModule(func::FuncOp func, bool withLocations) {
  llvm::SetVector<Operation *> functions;
  functions.insert(func);
  for (size_t i = 0; i < functions.size(); ++i) {
    auto result = functions[i]->walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
      if (!callee)
        return WalkResult::interrupt();
      functions.insert(callee);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return llvm::createStringError("host reference: '" + func.getName() +
                                     "' calls an unknown function");
  }

  OwningOpRef<ModuleOp> module = ModuleOp::create(func.getLoc());
  for (Operation *function : functions) {
    auto clone = cast<func::FuncOp>(function->clone());
    module->push_back(clone);
    // Attributes of the boundary belong to the program around the function.
    for (NamedAttribute attr : llvm::to_vector(clone->getDiscardableAttrs()))
      clone->removeDiscardableAttr(attr.getName());
    clone.removeArgAttrsAttr();
    clone.removeResAttrsAttr();
    clone.setVisibility(function == func ? SymbolTable::Visibility::Public
                                         : SymbolTable::Visibility::Private);
    if (function != func)
      continue;
    if (failed(SymbolTable::replaceAllSymbolUses(
            clone, StringAttr::get(func.getContext(), hostEntryName), *module)))
      return llvm::createStringError("host reference: cannot rename '" + func.getName() + "'");
    clone.setName(hostEntryName);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.useLocalScope();
  flags.enableDebugInfo(withLocations);
  flags.elideLargeElementsAttrs(INT64_MAX).elideLargeResourceString(INT64_MAX);
  module->print(os, flags);
  return text;
}

llvm::Expected<OwningOpRef<ModuleOp>> HostContext::import(func::FuncOp func) {
  llvm::Expected<std::string> text = printHostModule(func, /*withLocations=*/true);
  if (!text)
    return text.takeError();
  std::string name = func.getName().str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(*text, ParserConfig(&context));
  if (!module)
    return makeError("cannot read '" + name + "'");
  if (options.prepare) {
    PassManager pm(&context);
    options.prepare(pm);
    if (failed(pm.run(*module)))
      return makeError("cannot prepare '" + name + "'");
  }
  return module;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// linalg.pack and linalg.unpack as upstream lowers them.
static LogicalResult lowerPacks(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  auto result = module.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      return WalkResult(LogicalResult(linalg::lowerPack(rewriter, pack)));
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      return WalkResult(LogicalResult(linalg::lowerUnPack(rewriter, unpack)));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Aggregates such as linalg.softmax.
static LogicalResult decomposeAggregates(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  module.walk([&](linalg::AggregatedOpInterface op) { aggregates.push_back(op); });
  for (linalg::AggregatedOpInterface op : aggregates) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return op->emitOpError("cannot be decomposed");
    rewriter.replaceOp(op, *values);
  }
  return success();
}

/// Everything that is not linalg to linalg: tosa, and arith and math ops on tensors.
static LogicalResult convertToLinalg(ModuleOp module) {
  PassManager pm(module.getContext());
  if (module.walk([](Operation *op) { return WalkResult(failure(isa<tosa::TosaOp>(op))); })
          .wasInterrupted()) {
    TosaToLinalgNamedOptions namedOptions;
    namedOptions.preferConv2DKernelLayoutHWCF = true;
    tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(), namedOptions,
                                /*validationOptions=*/std::nullopt);
    TosaToArithPassOptions arithOptions;
    arithOptions.includeApplyRescale = true;
    pm.addNestedPass<func::FuncOp>(createTosaToArithPass(arithOptions));
    pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  }
  pm.addPass(createConvertElementwiseToLinalgPass());
  return pm.run(module);
}

LogicalResult npu::runtime::generalizeTensorOps(ModuleOp module) {
  if (failed(convertToLinalg(module)) || failed(lowerPacks(module)) ||
      failed(decomposeAggregates(module)))
    return failure();
  RewritePatternSet patterns(module.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();

  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    // A fill is bufferized and vectorized well as it is, and tells eliminate-empty-tensors more.
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op->emitOpError("cannot be turned into a linalg.generic");
  }
  return success();
}

/// `value` made to be at least 0 and at most `last`.
static Value clampIndex(OpBuilder &builder, Location loc, Value value, int64_t last) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value limit = arith::ConstantIndexOp::create(builder, loc, last);
  value = arith::MaxSIOp::create(builder, loc, value, zero);
  return arith::MinSIOp::create(builder, loc, value, limit);
}

/// A divisor for which the division of `op` cannot trap: 1 instead of 0, and of -1 where the
/// quotient overflows.
static Value makeSafeDivisor(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(divisor.getType(), value));
  };
  unsigned width = divisor.getType().isIndex() ? 64 : divisor.getType().getIntOrFloatBitWidth();
  auto equals = [&](Value lhs, const APInt &rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, constant(rhs));
  };
  Value traps = equals(divisor, APInt::getZero(width));
  if (!isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
    Value overflows = arith::AndIOp::create(builder, loc, equals(divisor, APInt::getAllOnes(width)),
                                            equals(dividend, APInt::getSignedMinValue(width)));
    traps = arith::OrIOp::create(builder, loc, traps, overflows);
  }
  return arith::SelectOp::create(builder, loc, traps, constant(APInt(width, 1)), divisor);
}

/// Makes the result of `op` 0 where `isZero`.
static void selectZero(OpBuilder &builder, Operation *op, Value isZero) {
  builder.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  Value zero =
      arith::ConstantOp::create(builder, op->getLoc(), builder.getIntegerAttr(result.getType(), 0));
  auto select = arith::SelectOp::create(builder, op->getLoc(), isZero, zero, result);
  result.replaceAllUsesExcept(select, select);
}

/// Makes the division of `op` by zero give 0, as the instruction set has it.
static void defineDivision(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value divisor = op->getOperand(1);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(divisor.getType(), 0));
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, divisor, zero);
  op->setOperand(1, makeSafeDivisor(builder, op));
  // A remainder of the division by one is 0 already.
  if (!isa<arith::RemSIOp, arith::RemUIOp>(op))
    selectZero(builder, op, isZero);
}

/// Makes shifts by the bit width or more what the instruction set says: everything is shifted out.
/// A negative amount counts as 0 for the arithmetic shift, and as too large for the others.
static void defineShift(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value amount = op->getOperand(1);
  unsigned width = amount.getType().isIndex() ? 64 : amount.getType().getIntOrFloatBitWidth();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(amount.getType(), APInt(width, value)));
  };
  if (isa<arith::ShRSIOp>(op)) {
    Value least = arith::MaxSIOp::create(builder, loc, amount, constant(0));
    op->setOperand(1, arith::MinSIOp::create(builder, loc, least, constant(width - 1)));
    return;
  }
  Value isOut =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, amount, constant(width - 1));
  op->setOperand(1, arith::SelectOp::create(builder, loc, isOut, constant(0), amount));
  selectZero(builder, op, isOut);
}

/// What is undefined in the IR for some data must not end this process, and is what the instruction
/// set says where it says something: an element outside of a tensor becomes the nearest one, a
/// division by zero gives 0, and a shift by too much shifts everything out.
static void defineUndefined(ModuleOp module) {
  module.walk([](Operation *op) {
    OpBuilder builder(op);
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      auto type = cast<RankedTensorType>(extract.getTensor().getType());
      for (auto [dim, index] : llvm::enumerate(extract.getIndicesMutable()))
        if (!type.isDynamicDim(dim) && !getConstantIntValue(index.get()))
          index.set(clampIndex(builder, op->getLoc(), index.get(), type.getDimSize(dim) - 1));
    } else if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                   arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op) &&
               !isa<ShapedType>(op->getResult(0).getType()) &&
               !getConstantIntValue(op->getOperand(1))) {
      defineDivision(builder, op);
    } else if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) &&
               !isa<ShapedType>(op->getResult(0).getType()) &&
               !getConstantIntValue(op->getOperand(1))) {
      defineShift(builder, op);
    }
  });
}

//===----------------------------------------------------------------------===//
// Buffers and LLVM
//===----------------------------------------------------------------------===//

/// Gives every returned buffer a value of its own: a result that becomes an argument is erased.
static void copyRepeatedResults(ModuleOp module) {
  module.walk([](func::ReturnOp op) {
    OpBuilder builder(op);
    llvm::SmallDenseSet<Value> seen;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type || seen.insert(operand.get()).second)
        continue;
      Value copy = memref::AllocOp::create(builder, op.getLoc(), type);
      linalg::makeMemRefCopyOp(builder, op.getLoc(), operand.get(), copy);
      operand.set(copy);
    }
  });
}

/// The entry's results become arguments; nothing writes to its inputs.
static LogicalResult bufferize(ModuleOp module) {
  auto entry = module.lookupSymbol<func::FuncOp>(hostEntryName);
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
    entry.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                     BoolAttr::get(module.getContext(), false));

  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(bufferization::LayoutMapOption::IdentityLayoutMap);
  options.memCpyFn = [](OpBuilder &builder, Location loc, Value from, Value to) {
    linalg::makeMemRefCopyOp(builder, loc, from, to);
    return success();
  };
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotModuleBufferize(module, options, state)))
    return failure();
  copyRepeatedResults(module);

  bufferization::BufferResultsToOutParamsOpts outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  outParams.memCpyFn = *options.memCpyFn;
  return bufferization::promoteBufferResultsToOutParams(module, outParams);
}

/// Copies that would call the runtime library of upstream's runners.
static void replaceStridedCopies(ModuleOp module) {
  module.walk([](memref::CopyOp op) {
    OpBuilder builder(op);
    linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(), op.getTarget());
    op.erase();
  });
}

LogicalResult npu::runtime::lowerToLLVMDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  PassManager early(context);
  early.addPass(createInlinerPass());
  early.addPass(createSymbolDCEPass());
  if (failed(early.run(module)) || failed(generalizeTensorOps(module)))
    return failure();
  defineUndefined(module);
  orderLoops(module);

  PassManager tensors(context);
  tensors.addPass(createCSEPass());
  tensors.addPass(bufferization::createEmptyTensorEliminationPass());
  if (failed(tensors.run(module)) || failed(bufferize(module)))
    return failure();
  replaceStridedCopies(module);
  tileLoops(module);

  auto entry = module.lookupSymbol<func::FuncOp>(hostEntryName);
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(context));

  PassManager buffers(context);
  buffers.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(buffers);
  buffers.addPass(createConvertBufferizationToMemRefPass());
  buffers.addPass(createConvertLinalgToLoopsPass());
  buffers.addPass(memref::createExpandStridedMetadataPass());
  buffers.addPass(createLowerAffinePass());
  buffers.addPass(createCanonicalizerPass());
  buffers.addPass(createCSEPass());
  buffers.addPass(arith::createArithExpandOpsPass());
  buffers.addPass(createSCFToControlFlowPass());
  // Intrinsics first, which LLVM vectorizes or expands inline; the C library for the rest.
  buffers.addPass(createConvertMathToFuncs());
  buffers.addPass(createConvertMathToLLVMPass());
  buffers.addPass(createConvertMathToLibmPass());
  buffers.addPass(createConvertToLLVMPass());
  buffers.addPass(createReconcileUnrealizedCastsPass());
  return buffers.run(module);
}
