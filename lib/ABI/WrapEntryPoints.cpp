//===- WrapEntryPoints.cpp - entry points on buffer views -----------------===//

#include "EntryPoint.h"
#include "NPU/ABI/Passes.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace npu::abi {
#define GEN_PASS_DEF_WRAPENTRYPOINTS
#include "NPU/ABI/Passes.h.inc"
} // namespace npu::abi

using namespace mlir;
using namespace npu;
using namespace npu::abi;

/// The type of a function at the boundary of the module.
static FunctionType getOuterType(FunctionType type, InvocationModel model) {
  Builder builder(type.getContext());
  auto convert = [&](Type type) -> Type {
    return isa<TensorType>(type) ? hal::BufferViewType::get(builder.getContext()) : type;
  };
  SmallVector<Type> inputs = llvm::map_to_vector(type.getInputs(), convert);
  if (model == InvocationModel::CoarseFences)
    inputs.append(2, hal::FenceType::get(builder.getContext()));
  return builder.getFunctionType(inputs, llvm::map_to_vector(type.getResults(), convert));
}

/// Tensor `type` in `buffer`; the sizes of dynamic dimensions come with the buffer.
static Value importTensor(OpBuilder &builder, Location loc, Value buffer, const Slot &slot,
                          Value waitFence, bool isNamed) {
  auto tensor = cast<RankedTensorType>(slot.type);
  SmallVector<Value> dims;
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (ShapedType::isDynamic(size))
      dims.push_back(hal::BufferViewDimOp::create(builder, loc, builder.getIndexType(), buffer,
                                                  builder.getIndexAttr(dim)));
  return hal::TensorImportOp::create(builder, loc, tensor, buffer, slot.encoding,
                                     slot.isConsumed ? builder.getUnitAttr() : nullptr, dims,
                                     waitFence, /*byte_offset=*/Value(),
                                     isNamed ? slot.name : StringAttr(), slot.affinity);
}

static SmallVector<Value> getDynamicSizes(OpBuilder &builder, Location loc, Value tensor) {
  SmallVector<Value> dims;
  for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(tensor.getType()).getShape())) {
    if (!ShapedType::isDynamic(size))
      continue;
    Value index = arith::ConstantIndexOp::create(builder, loc, dim);
    dims.push_back(tensor::DimOp::create(builder, loc, tensor, index));
  }
  return dims;
}

static Value exportTensor(OpBuilder &builder, Location loc, Value tensor, const Slot &slot,
                          bool isNamed) {
  SmallVector<Value> dims = getDynamicSizes(builder, loc, tensor);
  return hal::TensorExportOp::create(builder, loc, hal::BufferViewType::get(builder.getContext()),
                                     tensor, slot.encoding, dims,
                                     isNamed ? slot.name : StringAttr(), slot.affinity);
}

/// Replaces the tensors among `values` by what a barrier makes of them; `fence` is signalled when
/// all are available. Returns whether there are tensors.
static bool joinTensors(OpBuilder &builder, Location loc, MutableArrayRef<Value> values,
                        Value fence) {
  SmallVector<Value *> tensors;
  for (Value &value : values)
    if (isa<TensorType>(value.getType()))
      tensors.push_back(&value);
  if (tensors.empty())
    return false;
  SmallVector<Value> sources = llvm::map_to_vector(tensors, [](Value *value) { return *value; });
  auto barrier =
      hal::TensorBarrierOp::create(builder, loc, TypeRange(ValueRange(sources)), sources, fence);
  for (auto [value, result] : llvm::zip_equal(tensors, barrier.getResults()))
    *value = result;
  return true;
}

/// Marks `func` as the inner side of a wrapper.
static void setConvention(util::FuncOp func, InvocationModel model) {
  // The attribute is IREE's and kept as text by the dialect.
  func->setAttr("hal.abi.convention", parseAttribute(model == InvocationModel::Sync
                                                         ? "#hal.abi.convention<synchronous>"
                                                         : "#hal.abi.convention<coarse_fences>",
                                                     func.getContext()));
}

/// A new function `name` of `type` before `position`, with the attributes of its values.
static util::FuncOp createFunction(util::FuncOp position, StringRef name, FunctionType type,
                                   StringRef visibility) {
  OpBuilder builder(position);
  ArrayAttr argAttrs = position.getArgAttrsAttr();
  if (argAttrs) {
    // The fences have none.
    SmallVector<Attribute> attrs(argAttrs.getValue());
    attrs.resize(type.getNumInputs(), builder.getDictionaryAttr({}));
    argAttrs = builder.getArrayAttr(attrs);
  }
  return util::FuncOp::create(builder, position.getLoc(), builder.getStringAttr(name),
                              TypeAttr::get(type), /*tied_operands=*/ArrayAttr(),
                              builder.getStringAttr(visibility), argAttrs,
                              position.getResAttrsAttr(), /*inlining_policy=*/Attribute());
}

static SmallVector<Value> createCall(OpBuilder &builder, Location loc, util::FuncOp callee,
                                     ValueRange arguments) {
  auto call = util::CallOp::create(builder, loc, callee.getResultTypes(),
                                   FlatSymbolRefAttr::get(callee), arguments,
                                   /*tied_operands=*/ArrayAttr(), /*arg_attrs=*/ArrayAttr(),
                                   /*res_attrs=*/ArrayAttr());
  return SmallVector<Value>(call.getResults());
}

/// The ops that refer to each symbol. To search the module for every function takes too long.
using SymbolUsers = DenseMap<StringAttr, SmallVector<Operation *>>;

static FailureOr<SymbolUsers> collectUsers(ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return module.emitError(
        "expected to know which ops define symbols, found one that is not registered");
  SymbolUsers users;
  for (const SymbolTable::SymbolUse &use : *uses)
    users[use.getSymbolRef().getRootReference()].push_back(use.getUser());
  return users;
}

/// Lets all that refer to `func` refer to `name`.
static void redirectUsers(util::FuncOp func, StringAttr name, const SymbolUsers &users) {
  for (Operation *user : users.lookup(func.getSymNameAttr()))
    (void)SymbolTable::replaceAllSymbolUses(func, name, user);
}

//===----------------------------------------------------------------------===//
// Exports
//===----------------------------------------------------------------------===//

/// The body of the public function that imports its arguments, calls `inner` and exports what that
/// returns.
static void buildExport(util::FuncOp wrapper, util::FuncOp inner, const EntryPoint &entry) {
  Block *body = wrapper.addEntryBlock();
  auto builder = OpBuilder::atBlockBegin(body);
  Location loc = wrapper.getLoc();
  Value waitFence, signalFence;
  if (entry.model == InvocationModel::CoarseFences) {
    waitFence = body->getArgument(entry.arguments.size());
    signalFence = body->getArgument(entry.arguments.size() + 1);
  }

  SmallVector<Value> arguments;
  for (auto [value, slot] : llvm::zip(body->getArguments(), entry.arguments))
    arguments.push_back(slot.isTensor() ? importTensor(builder, loc, value, slot, waitFence,
                                                       /*isNamed=*/true)
                                        : Value(value));
  // No source calls it, so that what is inlined in the place of the call stays where it was.
  SmallVector<Value> results = createCall(builder, builder.getUnknownLoc(), inner, arguments);

  if (signalFence && !joinTensors(builder, loc, results, signalFence))
    hal::FenceSignalOp::create(builder, loc, signalFence);
  for (auto [value, slot] : llvm::zip_equal(results, entry.results)) {
    if (!slot.isTensor())
      continue;
    if (entry.transients) {
      SmallVector<Value> dims = getDynamicSizes(builder, loc, value);
      value = hal::TensorTransientsOp::create(builder, loc, value.getType(), value, dims,
                                              body->getArgument(*entry.transients), slot.affinity);
    }
    if (slot.storage) {
      SmallVector<Value> dims = getDynamicSizes(builder, loc, value);
      value =
          hal::TensorAliasOp::create(builder, loc, value.getType(), value, dims,
                                     body->getArgument(*slot.storage), waitFence, slot.affinity);
    }
    value = exportTensor(builder, loc, value, slot, /*isNamed=*/true);
  }
  util::ReturnOp::create(builder, loc, results);
}

/// Gives a public function a wrapper under its name.
static LogicalResult wrapExport(util::FuncOp func, const EntryPoint &entry, SymbolTable &symbols,
                                const SymbolUsers &users) {
  StringAttr name = func.getSymNameAttr();
  auto innerName = StringAttr::get(func.getContext(), "_" + name.getValue());
  if (symbols.lookup(innerName))
    return func.emitOpError("expected the name '") << innerName.getValue() << "' to be free";
  NamedAttrList reflection = getReflection(func, entry);
  redirectUsers(func, innerName, users);
  symbols.remove(func);
  func.setSymNameAttr(innerName);
  symbols.insert(func);
  func.setPrivate();
  setConvention(func, entry.model);

  OpBuilder builder(func);
  util::FuncOp wrapper =
      createFunction(func, name, getOuterType(func.getFunctionType(), entry.model), "public");
  wrapper->setAttr(kStubAttr, builder.getUnitAttr());
  wrapper->setAttr(kReflectionAttr, reflection.getDictionary(func.getContext()));
  for (StringRef attr : {kModelAttr, kDeclarationAttr, kAffinityAttr, kReflectionAttr})
    func->removeAttr(attr);
  buildExport(wrapper, func, entry);
  symbols.insert(wrapper);
  return success();
}

//===----------------------------------------------------------------------===//
// Imports
//===----------------------------------------------------------------------===//

/// A fence of the first device.
static Value createFence(OpBuilder &builder, Location loc, Value &device) {
  if (!device) {
    Value number = arith::ConstantIndexOp::create(builder, loc, 0);
    device =
        hal::DevicesGetOp::create(builder, loc, hal::DeviceType::get(builder.getContext()), number);
  }
  return hal::FenceCreateOp::create(builder, loc, hal::FenceType::get(builder.getContext()), device,
                                    /*flags=*/0);
}

/// The body of the tensor function that exports its arguments, calls the declaration `outer` and
/// imports what that returns.
static void buildImport(util::FuncOp wrapper, util::FuncOp outer, const EntryPoint &entry) {
  Block *body = wrapper.addEntryBlock();
  auto builder = OpBuilder::atBlockBegin(body);
  Location loc = wrapper.getLoc();
  SmallVector<Value> values(body->getArguments());
  auto isTensor = [](const Slot &slot) { return slot.isTensor(); };
  bool hasTensorResults = llvm::any_of(entry.results, isTensor);
  bool isAsync = entry.model == InvocationModel::CoarseFences;
  // Without results nothing else would wait for the effects of the call.
  bool awaits = isAsync && !hasTensorResults && !entry.hasNoSideEffects;
  Value waitFence, signalFence, device;
  if (isAsync) {
    if (llvm::any_of(entry.arguments, isTensor)) {
      waitFence = createFence(builder, loc, device);
      joinTensors(builder, loc, values, waitFence);
    } else {
      waitFence = util::NullOp::create(builder, loc, hal::FenceType::get(builder.getContext()));
    }
    if (hasTensorResults || awaits)
      signalFence = createFence(builder, loc, device);
    else
      signalFence = util::NullOp::create(builder, loc, hal::FenceType::get(builder.getContext()));
  }

  for (auto [value, slot] : llvm::zip_equal(values, entry.arguments))
    if (slot.isTensor())
      value = exportTensor(builder, loc, value, slot, /*isNamed=*/false);
  if (isAsync)
    values.append({waitFence, signalFence});
  SmallVector<Value> results = createCall(builder, loc, outer, values);
  if (awaits) {
    Value forever = arith::ConstantIntOp::create(builder, loc, /*value=*/-1, /*width=*/32);
    hal::FenceAwaitOp::create(builder, loc, builder.getI32Type(), forever, signalFence,
                              /*flags=*/0);
  }
  for (auto [value, slot] : llvm::zip_equal(results, entry.results))
    if (slot.isTensor())
      value = importTensor(builder, loc, value, slot, signalFence, /*isNamed=*/false);
  util::ReturnOp::create(builder, loc, results);
}

/// Gives a declared function a tensor wrapper that its callers use from now on.
static LogicalResult wrapImport(util::FuncOp func, const EntryPoint &entry, SymbolTable &symbols,
                                const SymbolUsers &users) {
  FunctionType innerType = func.getFunctionType();
  auto name = StringAttr::get(func.getContext(), "_" + func.getName());
  if (symbols.lookup(name))
    return func.emitOpError("expected the name '") << name.getValue() << "' to be free";
  redirectUsers(func, name, users);

  util::FuncOp wrapper = createFunction(func, name, innerType, "private");
  wrapper->moveAfter(func);
  setConvention(wrapper, entry.model);
  util::FuncOp outer = createFunction(
      func, func.getName(), getOuterType(innerType, entry.model),
      SymbolTable::getSymbolVisibility(func) == SymbolTable::Visibility::Public ? "public"
                                                                                : "private");
  for (NamedAttribute attr : func->getDiscardableAttrs())
    if (!llvm::is_contained({kModelAttr, kDeclarationAttr, kAffinityAttr}, attr.getName()))
      outer->setAttr(attr.getName(), attr.getValue());
  outer->setAttr(kStubAttr, UnitAttr::get(func.getContext()));
  symbols.erase(func);
  symbols.insert(outer);
  buildImport(wrapper, outer, entry);
  symbols.insert(wrapper);
  return success();
}

namespace {
struct WrapEntryPoints : npu::abi::impl::WrapEntryPointsBase<WrapEntryPoints> {
  using WrapEntryPointsBase::WrapEntryPointsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    FailureOr<SymbolUsers> users = collectUsers(getOperation());
    if (failed(users))
      return signalPassFailure();
    for (auto func : llvm::to_vector(getOperation().getOps<util::FuncOp>())) {
      if (func->hasAttr(kStubAttr) || (!func.isExternal() && !func.isPublic()))
        continue;
      FailureOr<EntryPoint> entry = getEntryPoint(func, invocationModel);
      if (failed(entry) || failed(func.isExternal() ? wrapImport(func, *entry, symbols, *users)
                                                    : wrapExport(func, *entry, symbols, *users)))
        return signalPassFailure();
    }
  }
};
} // namespace
