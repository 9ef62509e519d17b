//===- FuncToKernel.cpp - functions on tensors to kernels -----------------===//

#include "NPU/Conversion/FuncToKernel/FuncToKernel.h"

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace npu {
#define GEN_PASS_DEF_CONVERTFUNCTOKERNEL
#include "NPU/Conversion/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// Whether the function runs on the host, as partition has decided.
static bool isOnHost(func::FuncOp func) {
  auto placement = func->getAttrOfType<PlacementAttr>(kPlacementAttrName);
  return placement && placement.getValue() == Placement::Host;
}

bool npu::hasTensors(func::FuncOp func) {
  FunctionType type = func.getFunctionType();
  return !func.isDeclaration() &&
         llvm::any_of(llvm::concat<const Type>(type.getInputs(), type.getResults()),
                      llvm::IsaPred<TensorType>);
}

void npu::warnOfBuffers(func::FuncOp func) {
  bool computes =
      func.walk([](linalg::LinalgOp op) {
            return op.hasPureBufferSemantics() ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (computes)
    func.emitWarning("'") << func.getSymName()
                          << "' stays as it is: expected linalg on tensors, found it on memrefs; "
                             "give the IR from before bufferization";
}

static LogicalResult rejectType(func::FuncOp func, RejectionKind kind, const Twine &what,
                                Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type << ", " << what;
  return emitRejection(func, {kind, text});
}

/// Rejects the first argument or result for whose type `isWrong` holds.
static LogicalResult checkTypes(func::FuncOp func, RejectionKind kind,
                                llvm::function_ref<bool(Type)> isWrong) {
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isWrong(type))
      return rejectType(func, kind, "argument " + Twine(index), type);
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (isWrong(type))
      return rejectType(func, kind, "result " + Twine(index), type);
  return success();
}

/// The elements of `resource`, a value of `constant`. As in MLIR's own kinds of resources, elements
/// take whole bytes, those of i1 one each.
static FailureOr<DenseElementsAttr> readResource(arith::ConstantOp constant,
                                                 DenseResourceElementsAttr resource) {
  StringRef key = resource.getRawHandle().getKey();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return constant.emitOpError("expected data for resource '")
           << key << "', found none; print the IR again without "
           << "--mlir-elide-resource-strings-if-larger";
  ShapedType type = resource.getType();
  unsigned bits = type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  uint64_t expected = type.getNumElements() * llvm::divideCeil(bits, 8);
  ArrayRef<char> data = blob->getData();
  if (data.size() != expected)
    return constant.emitOpError("expected ") << expected << " bytes of data for resource '" << key
                                             << "' of type " << type << ", found " << data.size();
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, data);
  auto bools = llvm::map_to_vector(data, [](char byte) { return byte != 0; });
  return DenseElementsAttr::get(type, ArrayRef<bool>(bools));
}

/// Takes the elements of constants out of resources: what follows looks at elements, and a program
/// has them in itself.
static LogicalResult readResources(func::FuncOp func) {
  WalkResult result = func.walk([](arith::ConstantOp constant) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (!resource || !resource.getElementType().isIntOrIndexOrFloat())
      return WalkResult::advance();
    FailureOr<DenseElementsAttr> elements = readResource(constant, resource);
    if (succeeded(elements))
      constant.setValueAttr(*elements);
    return WalkResult(elements);
  });
  return failure(result.wasInterrupted());
}

/// Rejects the first op that refers to a symbol: a kernel knows its arguments only.
static LogicalResult checkSymbols(func::FuncOp func) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&func.getBody());
  if (!uses || uses->empty())
    return success();
  const SymbolTable::SymbolUse &use = *uses->begin();
  std::string text;
  llvm::raw_string_ostream(text) << use.getSymbolRef() << " by " << use.getUser()->getName();
  return emitRejection(use.getUser(), {RejectionKind::Symbol, text});
}

/// What a kernel cannot have.
static LogicalResult checkFunction(func::FuncOp func) {
  // Dynamic shapes first: they are why sizes are passed, which are not tensors.
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  auto isNoTensor = [](Type type) { return !isa<RankedTensorType>(type); };
  if (failed(checkTypes(func, RejectionKind::DynamicShape, isDynamic)) ||
      failed(checkTypes(func, RejectionKind::NotATensor, isNoTensor)))
    return failure();
  if (!func.getBody().hasOneBlock())
    return emitRejection(
        func, {RejectionKind::ControlFlow, Twine(llvm::range_size(func.getBody())) + " blocks"});
  for (func::CallOp call : func.getBody().getOps<func::CallOp>())
    return emitRejection(call, {RejectionKind::Call, "'" + call.getCallee() + "'"});
  return checkSymbols(func);
}

FailureOr<KernelOp> npu::convertFuncToKernel(func::FuncOp func, TargetAttr target) {
  if (failed(checkFunction(func)) || failed(readResources(func)))
    return failure();
  OpBuilder builder(func);
  auto kernel =
      KernelOp::create(builder, func.getLoc(), func.getSymName(), func.getFunctionType(), target);
  for (NamedAttribute attribute : func->getDiscardableAttrs())
    kernel->setAttr(attribute.getName(), attribute.getValue());
  kernel.setSymVisibilityAttr(func.getSymVisibilityAttr());
  kernel.setArgAttrsAttr(func.getArgAttrsAttr());
  kernel.setResAttrsAttr(func.getResAttrsAttr());
  kernel.getBody().takeBody(func.getBody());
  Operation *terminator = kernel.getBody().front().getTerminator();
  builder.setInsertionPoint(terminator);
  auto results = ReturnOp::create(builder, terminator->getLoc());
  results->setOperands(terminator->getOperands());
  terminator->erase();
  func.erase();
  return kernel;
}

void npu::moveToModule(KernelOp kernel, SymbolTable &symbols) {
  auto module = cast<ModuleOp>(symbols.getOp());
  if (kernel->getParentOp() == module)
    return;
  OpBuilder builder(kernel);
  func::FuncOp::create(builder, kernel.getLoc(), kernel.getSymName(), kernel.getFunctionType())
      .setPrivate();
  kernel->remove();
  symbols.insert(kernel, module.getBody()->end());
}

namespace {
struct ConvertFuncToKernel : npu::impl::ConvertFuncToKernelBase<ConvertFuncToKernel> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<TargetDesc> desc = parseTarget(target);
    if (!desc) {
      module.emitError() << llvm::toString(desc.takeError());
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions;
    module.walk([&](func::FuncOp func) {
      if (isOnHost(func))
        return;
      if (hasTensors(func))
        functions.push_back(func);
      else
        warnOfBuffers(func);
    });
    auto attribute = TargetAttr::get(&getContext(), StringAttr::get(&getContext(), target));
    bool isValid = true;
    SymbolTable symbols(module);
    for (func::FuncOp func : functions) {
      FailureOr<KernelOp> kernel = convertFuncToKernel(func, attribute);
      isValid &= succeeded(kernel);
      if (succeeded(kernel))
        moveToModule(*kernel, symbols);
    }
    if (!isValid)
      signalPassFailure();
  }
};
} // namespace
