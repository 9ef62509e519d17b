//===- NPUStructureOps.cpp - kernels, streams, semaphores -----------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "NPU/Support/ElementBits.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// KernelOp, ReturnOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                     TargetAttr target) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (target)
    state.addAttribute(getTargetAttrName(state.name), target);
  state.addRegion();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildFunctionType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                              function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name),
      buildFunctionType, getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

/// Whether memory cannot hold a value of `type`: one of buffers whose elements have no bytes.
static bool hasNoBytes(Type type) {
  return llvm::isa<BaseMemRefType>(type) && !findElementBytes(type);
}

/// Buffers are of integers and floats: whatever plans, moves and counts bytes relies on it.
static LogicalResult verifyBuffers(KernelOp kernel) {
  auto fail = [](Operation *op, Type type) {
    op->emitOpError("expected buffers of integers or floats in a kernel but found ") << type;
    return WalkResult::interrupt();
  };
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (hasNoBytes(type))
            return fail(op, type);
    for (Type type : op->getResultTypes())
      if (hasNoBytes(type))
        return fail(op, type);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult KernelOp::verify() {
  if (getBody().empty())
    return emitOpError("expected a body; a kernel cannot be declared");
  FunctionType type = getFunctionType();
  auto types = llvm::concat<const Type>(type.getInputs(), type.getResults());
  bool hasMemRef = llvm::any_of(types, llvm::IsaPred<BaseMemRefType>);
  if (hasMemRef && llvm::any_of(types, llvm::IsaPred<TensorType>))
    return emitOpError("expected tensors or memrefs in the signature but found both: ") << type;
  if (hasMemRef && type.getNumResults() != 0)
    return emitOpError("expected no results from a kernel on memrefs but found ")
           << type.getNumResults() << "; pass each as an argument marked '" << kOutputAttrName
           << "'";
  if (ResidentAttr resident = getResidentAttr())
    for (auto [what, numbers, count] :
         {std::tuple("argument", resident.getArguments(), type.getNumInputs()),
          std::tuple("result", resident.getResults(), type.getNumResults())})
      if (!numbers.empty() && numbers.back() >= count)
        return emitOpError("expected a resident ")
               << what << " of the " << count << " that there are but found number "
               << numbers.back();
  return verifyBuffers(*this);
}

LogicalResult ReturnOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  ArrayRef<Type> expected = kernel.getResultTypes();
  if (!llvm::equal(getOperandTypes(), expected))
    return emitOpError("expected operands of the kernel's result types (")
           << expected << ") but found (" << getOperandTypes() << ")";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expected a kernel but found ") << getCalleeAttr();
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (callee.getTargetAttr() != kernel.getTargetAttr())
    return emitOpError("expected a kernel for ")
           << kernel.getTargetAttr() << " but " << getCalleeAttr() << " is for "
           << callee.getTargetAttr();
  SmallVector<Type> expected;
  for (auto [index, type] : llvm::enumerate(callee.getArgumentTypes())) {
    if (!llvm::isa<MemRefType>(type))
      return emitOpError("expected a kernel in tile form but ")
             << getCalleeAttr() << " has an argument of type " << type
             << "; run npu-choose-tiles and npu-lower-to-tiles on it";
    if (!callee.getConstant(index))
      expected.push_back(type);
  }
  if (!llvm::equal(getOperandTypes(), expected))
    return emitOpError("expected memory of the types (")
           << expected << ") that " << getCalleeAttr() << " works on but found ("
           << getOperandTypes() << ')';
  return success();
}

//===----------------------------------------------------------------------===//
// SegmentOp
//===----------------------------------------------------------------------===//

void SegmentOp::getSuccessorRegions(RegionBranchPoint point,
                                    SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.push_back(RegionSuccessor(&getBody()));
  else
    regions.push_back(RegionSuccessor(getOperation(), getResults()));
}

LogicalResult SegmentOp::verify() {
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (llvm::equal(yield.getOperandTypes(), getResultTypes()))
    return success();
  return yield.emitOpError("expected operands of the segment's result types (")
         << getResultTypes() << ") but found (" << yield.getOperandTypes() << ')';
}

//===----------------------------------------------------------------------===//
// StreamOp
//===----------------------------------------------------------------------===//

void StreamOp::build(OpBuilder &builder, OperationState &state, Engine engine, int64_t cluster) {
  state.addAttribute(getEngineAttrName(state.name), EngineAttr::get(builder.getContext(), engine));
  state.addAttribute(getClusterAttrName(state.name), builder.getI64IntegerAttr(cluster));
  state.addRegion()->emplaceBlock();
}
