//===- ImportInterface.cpp - executables' functions become functions on tensors -===//

#include "NPU/Hook/ImportInterface.h"

#include "LaunchOffset.h"

#include "NPU/Dialect/IREE/Flow/Transforms/ImportDispatches.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"

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

/// Where `subspan` starts.
static FailureOr<LaunchOffset> getOffset(hal::InterfaceBindingSubspanOp subspan,
                                         const KnownIntegers &integers) {
  Value offset = subspan.getByteOffset();
  if (!offset)
    return LaunchOffset();
  auto known = integers.find(offset);
  if (known == integers.end()) {
    std::string value = ("of binding " + Twine(subspan.getBinding().getSExtValue())).str();
    if (Operation *op = offset.getDefiningOp())
      value += (", computed by '" + op->getName().getStringRef() + "'").str();
    return emitRejection(subspan, {RejectionKind::LaunchOffset, value});
  }
  const LaunchOffset &value = known->second.value;
  auto isNegative = [](uint64_t number) { return int64_t(number) < 0; };
  if (isNegative(value.bytes) ||
      llvm::any_of(value.terms, [&](auto &term) { return isNegative(term.factor); }))
    return subspan.emitOpError("expected an offset without negative parts, found ")
           << (value.terms.empty() ? std::to_string(int64_t(value.bytes)) : value.str());
  return value;
}

/// The bytes that `subspan` stands for.
static FailureOr<BufferRange> getRange(hal::InterfaceBindingSubspanOp subspan,
                                       const KnownIntegers &integers) {
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
  FailureOr<LaunchOffset> offset = getOffset(subspan, integers);
  if (failed(offset))
    return failure();
  range.offset = std::move(*offset);

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

using Subspan = std::pair<hal::InterfaceBindingSubspanOp, BufferRange>;

/// Whether two tensors of one buffer share no byte at a place that `integers` are known for.
static bool areDisjoint(const Subspan &a, const Subspan &b, const KnownIntegers &integers) {
  auto precedes = [&](const Subspan &first, const Subspan &second) {
    auto find = [&](const Subspan &subspan) {
      Value offset = const_cast<Subspan &>(subspan).first.getByteOffset();
      return offset ? integers.find(offset)->second : KnownInteger{{}, 0, 0, 0};
    };
    bool overflows = false;
    uint64_t end = llvm::SaturatingAdd(find(first).max, uint64_t(first.second.bytes), &overflows);
    return !overflows && end <= find(second).min;
  };
  return precedes(a, b) || precedes(b, a);
}

/// The same, at every place from which the function is launched. Whatever is not known to be
/// disjoint may overlap.
static bool areDisjoint(const Subspan &a, const Subspan &b, Block &block,
                        const KnownIntegers &integers) {
  const BufferRange &left = a.second, &right = b.second;
  if (left.offset.terms == right.offset.terms)
    return left.offset.bytes < right.offset.bytes
               ? right.offset.bytes - left.offset.bytes >= uint64_t(left.bytes)
               : left.offset.bytes - right.offset.bytes >= uint64_t(right.bytes);
  if (areDisjoint(a, b, integers))
    return true;
  return llvm::any_of(block.getOps<util::AssumeIntOp>(), [&](util::AssumeIntOp assume) {
    size_t numRows = 0;
    for (auto rows : assume.getAssumptions().getAsRange<ArrayAttr>())
      numRows = std::max(numRows, rows.size());
    return numRows && llvm::all_of(llvm::seq<size_t>(0, numRows), [&](size_t row) {
             return areDisjoint(a, b, readIntegers(block, {assume, unsigned(row)}));
           });
  });
}

/// An NPU's inputs do not change while it runs, and its outputs do not overlap.
static LogicalResult checkOverlaps(ArrayRef<Subspan> subspans, Block &block,
                                   const KnownIntegers &integers) {
  auto isWritable = [](hal::InterfaceBindingSubspanOp subspan) {
    return cast<DispatchTensorType>(subspan.getType()).isWritable();
  };
  for (auto [index, entry] : llvm::enumerate(subspans)) {
    hal::InterfaceBindingSubspanOp subspan = entry.first;
    for (const Subspan &otherEntry : subspans.take_front(index)) {
      hal::InterfaceBindingSubspanOp other = otherEntry.first;
      if (entry.second.binding != otherEntry.second.binding ||
          (!isWritable(subspan) && !isWritable(other)) ||
          areDisjoint(entry, otherEntry, block, integers))
        continue;
      bool atLaunch = entry.second.offset.terms != otherEntry.second.offset.terms;
      InFlightDiagnostic diag =
          emitRejection(subspan, {RejectionKind::SharedBuffer,
                                  "binding " + Twine(entry.second.binding) +
                                      (atLaunch ? ", at offsets that may overlap" : "")});
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

  SmallVector<Subspan> subspans;
  Block &block = func.getBody().front();
  KnownIntegers integers = readIntegers(block);
  for (auto subspan : block.getOps<hal::InterfaceBindingSubspanOp>()) {
    FailureOr<BufferRange> range = getRange(subspan, integers);
    if (failed(range))
      return failure();
    range->subspan = subspans.size();
    subspans.push_back({subspan, std::move(*range)});
  }
  // What is changed in place comes last, as kernels want it.
  auto getKey = [](const Subspan &entry) {
    auto subspan = entry.first;
    const BufferRange &range = entry.second;
    return std::tuple(cast<DispatchTensorType>(subspan.getType()).isWritable(), range.binding,
                      range.offset.bytes, range.subspan);
  };
  llvm::sort(subspans, [&](const Subspan &a, const Subspan &b) { return getKey(a) < getKey(b); });
  if (failed(checkOverlaps(subspans, block, integers)))
    return failure();
  func.walk([](util::AssumeIntOp assume) {
    assume.replaceAllUsesWith(assume.getOperands());
    assume.erase();
  });

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
