//===- ImportInterface.cpp - executables' functions become functions on tensors -===//

#include "NPU/Hook/ImportInterface.h"

#include "NPU/Dialect/IREE/Flow/Transforms/ImportDispatches.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir;
using namespace npu;
using namespace npu::hook;
using npu::tensor_ext::DispatchTensorType;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The bytes that `subspan` stands for.
static FailureOr<BufferRange> getRange(hal::InterfaceBindingSubspanOp subspan) {
  auto type = dyn_cast<DispatchTensorType>(subspan.getType());
  if (!type)
    return emitRejection(subspan, {RejectionKind::NotATensor, print(subspan.getType())});
  RankedTensorType tensor = type.getTensorType();
  if (!tensor.hasStaticShape())
    return emitRejection(subspan, {RejectionKind::DynamicShape, print(tensor)});
  if (!tensor.getElementType().isIntOrFloat())
    return emitRejection(subspan, {RejectionKind::ElementType, print(tensor.getElementType())});

  BufferRange range;
  range.binding = subspan.getBinding().getSExtValue();
  range.bytes = tensor.getNumElements() * llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  if (Value offset = subspan.getByteOffset()) {
    APInt value;
    if (!matchPattern(offset, m_ConstantInt(&value)))
      return emitRejection(subspan,
                           {RejectionKind::LaunchOffset, "of binding " + Twine(range.binding)});
    range.offset = value.getSExtValue();
  }

  auto isReadOnly = [](hal::DescriptorFlags flags) {
    return bitEnumContainsAny(flags, hal::DescriptorFlags::ReadOnly);
  };
  hal::PipelineBindingAttr binding = subspan.getLayout().getBindings()[range.binding];
  if (type.isWritable() &&
      (isReadOnly(binding.getFlags()) ||
       isReadOnly(subspan.getDescriptorFlags().value_or(hal::DescriptorFlags::None))))
    return subspan.emitOpError("expected a readonly tensor, since binding ")
           << range.binding << " is ReadOnly, found " << subspan.getType();
  return range;
}

/// An NPU's inputs do not change while it runs, and its outputs do not overlap.
static LogicalResult
checkOverlaps(MutableArrayRef<std::pair<hal::InterfaceBindingSubspanOp, BufferRange>> subspans) {
  for (auto [index, entry] : llvm::enumerate(subspans)) {
    auto &[subspan, range] = entry;
    for (auto &[other, otherRange] : subspans.take_front(index)) {
      bool isWritten = cast<DispatchTensorType>(subspan.getType()).isWritable() ||
                       cast<DispatchTensorType>(other.getType()).isWritable();
      if (!isWritten || range.binding != otherRange.binding ||
          range.offset >= otherRange.offset + otherRange.bytes ||
          otherRange.offset >= range.offset + range.bytes)
        continue;
      InFlightDiagnostic diag =
          emitRejection(subspan, {RejectionKind::SharedBuffer, "binding " + Twine(range.binding)});
      diag.attachNote(other.getLoc()) << "the other access is here";
      return diag;
    }
  }
  return success();
}

static void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

FailureOr<ImportedFunction> npu::hook::importInterface(func::FuncOp func) {
  if (func.isExternal() || !llvm::hasSingleElement(func.getBody()))
    return emitRejection(func, {RejectionKind::ControlFlow,
                                func.isExternal() ? "function without body" : "several blocks"});
  if (func.getNumArguments())
    return func.emitOpError("expected the function of an executable to take no arguments, found ")
           << func.getNumArguments();
  func.walk([](util::AssumeIntOp assume) {
    assume.replaceAllUsesWith(assume.getOperands());
    assume.erase();
  });

  SmallVector<std::pair<hal::InterfaceBindingSubspanOp, BufferRange>> subspans;
  Block &block = func.getBody().front();
  for (auto subspan : block.getOps<hal::InterfaceBindingSubspanOp>()) {
    FailureOr<BufferRange> range = getRange(subspan);
    if (failed(range))
      return failure();
    subspans.push_back({subspan, *range});
  }
  // What is changed in place comes last, as kernels want it.
  auto getKey = [](auto &entry) {
    auto &[subspan, range] = entry;
    return std::tuple(cast<DispatchTensorType>(subspan.getType()).isWritable(), range.binding,
                      range.offset);
  };
  llvm::sort(subspans, [&](auto &a, auto &b) { return getKey(a) < getKey(b); });
  if (failed(checkOverlaps(subspans)))
    return failure();

  SmallVector<BufferRange> ranges;
  for (auto &[subspan, range] : subspans) {
    subspan.replaceAllUsesWith(block.addArgument(subspan.getType(), subspan.getLoc()));
    subspan.erase();
    ranges.push_back(range);
  }
  func.setFunctionType(
      FunctionType::get(func.getContext(), block.getArgumentTypes(), /*results=*/{}));
  flow::DispatchSignature signature = flow::getSignatureFromTypes(func);
  if (failed(flow::importFunction(func, signature)))
    return failure();
  eraseDeadOps(block);
  for (auto constant : block.getOps<hal::InterfaceConstantLoadOp>())
    return emitRejection(
        constant, {RejectionKind::NotATensor,
                   "constant " + Twine(constant.getOrdinal().getSExtValue()) + " of the launch"});

  ImportedFunction imported;
  for (auto [range, isArgument] : llvm::zip(ranges, signature.isArgument))
    if (isArgument)
      imported.arguments.push_back(range);
  for (unsigned index : signature.resultArguments)
    imported.results.push_back(ranges[index]);
  return imported;
}
