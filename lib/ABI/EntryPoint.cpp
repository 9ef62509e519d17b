//===- EntryPoint.cpp - what a function says of its calling convention ----===//

#include "EntryPoint.h"

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::abi;

static constexpr StringLiteral kNameAttr = "iree.abi.name";
static constexpr StringLiteral kEncodingAttr = "iree.abi.encoding";
static constexpr StringLiteral kConsumeAttr = "iree.abi.consume";
static constexpr StringLiteral kOutputAttr = "iree.abi.output";
static constexpr StringLiteral kTransientsAttr = "iree.abi.transients";
static constexpr StringLiteral kCoarseFences = "coarse-fences";

static FailureOr<InvocationModel> getModel(util::FuncOp func, InvocationModel model) {
  Attribute attr = func->getAttr(kModelAttr);
  if (!attr)
    return model;
  auto text = dyn_cast<StringAttr>(attr);
  if (text && text.getValue() == "sync")
    return InvocationModel::Sync;
  if (text && text.getValue() == kCoarseFences)
    return InvocationModel::CoarseFences;
  return func.emitOpError("expected '")
             << kModelAttr << "' to be \"sync\" or \"coarse-fences\", found " << attr,
         failure();
}

/// Reads what `attrs` say of the value of `type` with number `number`, called `prefix` if it has no
/// name.
static FailureOr<Slot> getSlot(util::FuncOp func, Type type, DictionaryAttr attrs, StringRef prefix,
                               size_t number) {
  Builder builder(func.getContext());
  if (isa<UnrankedTensorType>(type))
    return func.emitOpError("expected ranked tensors at the boundary of the module, found ")
               << type,
           failure();
  Slot slot;
  slot.type = type;
  slot.name = builder.getStringAttr(prefix + Twine(number));
  slot.encoding = TypeAttr::get(type);
  slot.affinity = func->getAttr(kAffinityAttr);
  if (!attrs)
    return slot;
  if (auto name = attrs.getAs<StringAttr>(kNameAttr))
    slot.name = name;
  if (Attribute encoding = attrs.get(kEncodingAttr)) {
    slot.encoding = dyn_cast<TypeAttr>(encoding);
    if (!slot.encoding || !isa<TensorType>(slot.encoding.getValue()))
      return func.emitOpError("expected '") << kEncodingAttr << "' of '" << slot.name.getValue()
                                            << "' to be a tensor type, found " << encoding,
             failure();
  }
  if (Attribute affinity = attrs.get(kAffinityAttr))
    slot.affinity = affinity;
  slot.isConsumed = attrs.contains(kConsumeAttr);
  return slot;
}

/// Verifies that argument `number` is a buffer, as attribute `attr` demands.
static LogicalResult verifyBuffer(util::FuncOp func, unsigned number, StringRef attr) {
  Type type = func.getArgumentTypes()[number];
  if (isa<hal::BufferType, hal::BufferViewType>(type))
    return success();
  return func.emitOpError("expected argument ")
         << number << " with '" << attr << "' to be a !hal.buffer or !hal.buffer_view, found "
         << type;
}

/// Gives the result that argument `number` is storage for its storage.
static LogicalResult setStorage(util::FuncOp func, unsigned number, Attribute attr,
                                EntryPoint &entry) {
  auto index = dyn_cast<IntegerAttr>(attr);
  if (!index || index.getInt() < 0 ||
      index.getInt() >= static_cast<int64_t>(entry.results.size()) ||
      !entry.results[index.getInt()].isTensor())
    return func.emitOpError("expected '")
           << kOutputAttr << "' of argument " << number
           << " to be the number of a tensor among the results, found " << attr;
  std::optional<unsigned> &storage = entry.results[index.getInt()].storage;
  if (storage)
    return func.emitOpError("expected one argument as storage of result ")
           << index.getInt() << ", found " << *storage << " and " << number;
  storage = number;
  return verifyBuffer(func, number, kOutputAttr);
}

FailureOr<EntryPoint> abi::getEntryPoint(util::FuncOp func, InvocationModel model) {
  FailureOr<InvocationModel> ownModel = getModel(func, model);
  if (failed(ownModel))
    return failure();
  EntryPoint entry;
  entry.model = *ownModel;
  entry.hasNoSideEffects = func->hasAttr("nosideeffects");
  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes())) {
    FailureOr<Slot> slot = getSlot(func, type, func.getArgAttrDict(number), "input", number);
    if (failed(slot))
      return failure();
    entry.arguments.push_back(*slot);
  }
  for (auto [number, type] : llvm::enumerate(func.getResultTypes())) {
    FailureOr<Slot> slot = getSlot(func, type, func.getResultAttrDict(number), "output", number);
    if (failed(slot))
      return failure();
    entry.results.push_back(*slot);
  }
  for (unsigned number = 0; number < entry.arguments.size(); ++number) {
    if (Attribute output = func.getArgAttr(number, kOutputAttr))
      if (failed(setStorage(func, number, output, entry)))
        return failure();
    if (!func.getArgAttr(number, kTransientsAttr))
      continue;
    if (entry.transients)
      return func.emitOpError("expected one argument with '")
                 << kTransientsAttr << "', found " << *entry.transients << " and " << number,
             failure();
    entry.transients = number;
    if (failed(verifyBuffer(func, number, kTransientsAttr)))
      return failure();
  }
  return entry;
}

/// `sync func @f(%input0: T) -> (%output0: T)`.
static std::string printDeclaration(util::FuncOp func, const EntryPoint &entry) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto printSlot = [&](const Slot &slot) {
    os << "%" << slot.name.getValue() << ": " << slot.encoding.getValue();
  };
  os << (entry.model == InvocationModel::Sync ? "sync" : "async") << " func @" << func.getName()
     << "(";
  llvm::interleaveComma(entry.arguments, os, printSlot);
  os << ") -> (";
  llvm::interleaveComma(entry.results, os, printSlot);
  os << ")";
  return text;
}

NamedAttrList abi::getReflection(util::FuncOp func, const EntryPoint &entry) {
  Builder builder(func.getContext());
  NamedAttrList reflection(func->getAttrOfType<DictionaryAttr>(kReflectionAttr));
  auto declaration = func->getAttrOfType<StringAttr>(kDeclarationAttr);
  reflection.set(kDeclarationAttr,
                 declaration ? declaration : builder.getStringAttr(printDeclaration(func, entry)));
  if (entry.model == InvocationModel::CoarseFences)
    reflection.set(kModelAttr, builder.getStringAttr(kCoarseFences));
  return reflection;
}
