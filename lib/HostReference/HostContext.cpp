//===- HostContext.cpp - functions to compile for the host ----------------===//

#include "HostContext.h"

#include "NPU/HostLowering/HostPipeline.h"
#include "NPU/HostReference/LocatedError.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::runtime;

static DialectRegistry makeRegistry(const HostReferenceOptions &options) {
  DialectRegistry registry;
  npu::host::registerHostDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
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

/// Makes dense constants of those in resources.
static llvm::Error readResources(func::FuncOp func) {
  llvm::Error error = llvm::Error::success();
  func.walk([&](arith::ConstantOp constant) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (!resource || error)
      return;
    llvm::Expected<HostTensor> tensor = getHostTensor(resource);
    if (!tensor) {
      error = llvm::joinErrors(std::move(error), tensor.takeError());
      return;
    }
    ArrayRef<uint8_t> bytes = tensor->getBytes();
    ShapedType type = resource.getType();
    if (type.getElementType().isInteger(1))
      constant.setValueAttr(DenseElementsAttr::get(
          type, ArrayRef(reinterpret_cast<const bool *>(bytes.data()), bytes.size())));
    else
      constant.setValueAttr(DenseElementsAttr::getFromRawBuffer(
          type, ArrayRef(reinterpret_cast<const char *>(bytes.data()), bytes.size())));
  });
  return error;
}

llvm::Expected<std::string> npu::runtime::printHostModule(func::FuncOp func, bool withLocations,
                                                          bool readsResources) {
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
    if (readsResources)
      if (llvm::Error error = readResources(clone))
        return std::move(error);
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

/// Turns branches between blocks into scf, which is all that upstream's deallocation of buffers
/// takes. Most functions have none.
static LogicalResult structureBranches(ModuleOp module) {
  auto hasBranches = [](func::FuncOp func) {
    return !func.isExternal() && !func.getBody().hasOneBlock();
  };
  if (llvm::none_of(module.getOps<func::FuncOp>(), hasBranches))
    return success();
  PassManager pm(module.getContext());
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addPass(createCanonicalizerPass());
  return pm.run(module);
}

/// The first integer in the types of an op that LLVM has none for.
static IntegerType findOtherInteger(Operation *op) {
  IntegerType found;
  auto find = [&](Type type) {
    type.walk([&](IntegerType integer) {
      if (integer.getWidth() == 0 || integer.getWidth() > llvm::IntegerType::MAX_INT_BITS)
        found = integer;
    });
  };
  llvm::for_each(op->getOperandTypes(), find);
  llvm::for_each(op->getResultTypes(), find);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::for_each(block.getArgumentTypes(), find);
  return found;
}

/// Functions are on tensors: an address would lead anywhere, and endless recursion, which data may
/// decide, out of the stack.
static LogicalResult verifyFunctions(ModuleOp module) {
  auto isMemory = [](Type type) { return isa<BaseMemRefType, LLVM::LLVMPointerType>(type); };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (IntegerType integer = findOtherInteger(op))
      return op->emitOpError("works on ")
             << integer << ", which the host does not have; expected integers of 1 to "
             << unsigned(llvm::IntegerType::MAX_INT_BITS) << " bits";
    if (llvm::none_of(op->getOperandTypes(), isMemory) &&
        llvm::none_of(op->getResultTypes(), isMemory) &&
        !isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    return op->emitOpError("works on memory, expected ops on tensors and scalars; read and write "
                           "elements by tensor.extract and tensor.insert");
  });
  if (result.wasInterrupted())
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    llvm::SetVector<Operation *> callees;
    auto addCallees = [&](Operation *caller) {
      caller->walk([&](func::CallOp call) {
        callees.insert(SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
      });
    };
    addCallees(function);
    for (size_t i = 0; i < callees.size(); ++i)
      addCallees(callees[i]);
    if (callees.contains(function))
      return emitError(function.getLoc())
             << "'" << function.getSymName()
             << "' calls itself, which code for the host must not; write a loop";
  }
  return success();
}

/// Constants become a part of the code, and a splat may be of any size.
static LogicalResult checkConstants(ModuleOp module, int64_t memoryLimit) {
  int64_t bytesLeft = memoryLimit;
  WalkResult result = module.walk([&](arith::ConstantOp constant) -> WalkResult {
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (!type || !isa<DenseElementsAttr>(constant.getValue()))
      return WalkResult::advance();
    int64_t bytes =
        llvm::divideCeil(type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth()
                                                              : IndexType::kInternalStorageBitWidth,
                         8);
    for (int64_t extent : type.getShape())
      bytes = std::min<uint64_t>(llvm::SaturatingMultiply<uint64_t>(bytes, extent), INT64_MAX);
    if (bytes > bytesLeft)
      return constant.emitOpError("expected constants of at most ")
             << memoryLimit << " bytes in a function for the host, found " << type
             << (bytesLeft < memoryLimit ? " and others" : "")
             << "; use smaller shapes or a larger memory limit";
    bytesLeft -= bytes;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

llvm::Expected<OwningOpRef<ModuleOp>> HostContext::import(func::FuncOp func, bool readsResources) {
  llvm::Expected<std::string> text = printHostModule(func, /*withLocations=*/true, readsResources);
  if (!text)
    return text.takeError();
  std::string name = func.getName().str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(*text, ParserConfig(&context));
  if (!module)
    return makeError("cannot read '" + name + "'");
  if (failed(verifyFunctions(*module)) || failed(checkConstants(*module, options.memoryLimit)))
    return makeError("cannot run '" + name + "'");
  if (failed(structureBranches(*module)))
    return makeError("cannot turn the branches of '" + name + "' into loops and conditions");
  if (options.prepare) {
    PassManager pm(&context);
    options.prepare(pm);
    if (failed(pm.run(*module)))
      return makeError("cannot prepare '" + name + "'");
  }
  return module;
}

LogicalResult npu::runtime::generalizeTensorOps(ModuleOp module) {
  PassManager pm(module.getContext());
  host::addGeneralization(pm);
  return pm.run(module);
}

LogicalResult npu::runtime::lowerToLLVMDialect(ModuleOp module) {
  PassManager pm(module.getContext());
  host::populateHostPipeline(pm, host::HostPipelineOptions());
  return pm.run(module);
}
