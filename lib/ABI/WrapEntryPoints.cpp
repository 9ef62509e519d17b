//===- WrapEntryPoints.cpp - entry points on buffer views -----------------===//

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

static constexpr StringLiteral kNameAttr = "iree.abi.name";
static constexpr StringLiteral kStubAttr = "iree.abi.stub";

/// The type of a value at the boundary of the module.
static Type getOuterType(Type type) {
  return isa<TensorType>(type) ? hal::BufferViewType::get(type.getContext()) : type;
}

static FunctionType getOuterType(FunctionType type) {
  return FunctionType::get(
      type.getContext(),
      llvm::map_to_vector(type.getInputs(), [](Type type) { return getOuterType(type); }),
      llvm::map_to_vector(type.getResults(), [](Type type) { return getOuterType(type); }));
}

/// The name that `attrs` give to a value, or `prefix` and its number.
static StringAttr getValueName(MLIRContext *context, DictionaryAttr attrs, StringRef prefix,
                               size_t number) {
  if (auto name = attrs ? attrs.getAs<StringAttr>(kNameAttr) : StringAttr())
    return name;
  return StringAttr::get(context, prefix + Twine(number));
}

/// `sync func @f(%input0: T) -> (%output0: T)`: what a user of the module should know.
static std::string printDeclaration(util::FuncOp func) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MLIRContext *context = func.getContext();
  os << "sync func @" << func.getName() << "(";
  llvm::interleaveComma(llvm::enumerate(func.getArgumentTypes()), os, [&](auto argument) {
    DictionaryAttr attrs = func.getArgAttrDict(argument.index());
    os << "%" << getValueName(context, attrs, "input", argument.index()).getValue() << ": "
       << argument.value();
  });
  os << ") -> (";
  llvm::interleaveComma(llvm::enumerate(func.getResultTypes()), os, [&](auto result) {
    DictionaryAttr attrs = func.getResultAttrDict(result.index());
    os << "%" << getValueName(context, attrs, "output", result.index()).getValue() << ": "
       << result.value();
  });
  os << ")";
  return text;
}

/// Tensor `type` in `buffer`; the sizes of dynamic dimensions come with the buffer.
static Value importTensor(OpBuilder &builder, Location loc, Value buffer, Type type,
                          StringAttr name) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<Value> dims;
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (ShapedType::isDynamic(size))
      dims.push_back(hal::BufferViewDimOp::create(builder, loc, builder.getIndexType(), buffer,
                                                  builder.getIndexAttr(dim)));
  return hal::TensorImportOp::create(builder, loc, tensor, buffer, TypeAttr::get(tensor),
                                     /*consume=*/UnitAttr(), dims, /*wait_fence=*/Value(),
                                     /*byte_offset=*/Value(), name, /*affinity=*/Attribute());
}

static Value exportTensor(OpBuilder &builder, Location loc, Value tensor, StringAttr name) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> dims;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size))
      continue;
    Value index = arith::ConstantIndexOp::create(builder, loc, dim);
    dims.push_back(tensor::DimOp::create(builder, loc, tensor, index));
  }
  return hal::TensorExportOp::create(builder, loc, hal::BufferViewType::get(builder.getContext()),
                                     tensor, TypeAttr::get(type), dims, name,
                                     /*affinity=*/Attribute());
}

/// Marks `func` as the inner side of a wrapper.
static void setSynchronous(util::FuncOp func) {
  // The attribute is IREE's and kept as text by the dialect.
  func->setAttr("hal.abi.convention",
                parseAttribute("#hal.abi.convention<synchronous>", func.getContext()));
}

/// A new function `name` of `type` before `position`.
static util::FuncOp createFunction(util::FuncOp position, StringRef name, FunctionType type,
                                   StringRef visibility) {
  OpBuilder builder(position);
  return util::FuncOp::create(builder, position.getLoc(), builder.getStringAttr(name),
                              TypeAttr::get(type), /*tied_operands=*/ArrayAttr(),
                              builder.getStringAttr(visibility), position.getArgAttrsAttr(),
                              position.getResAttrsAttr(), /*inlining_policy=*/Attribute());
}

/// Calls `callee` with the arguments of the empty function `wrapper`, converted by
/// `convertArgument` (value, number), and returns its results, converted by `convertResult`.
static void buildWrapper(util::FuncOp wrapper, util::FuncOp callee,
                         function_ref<Value(OpBuilder &, Value, size_t)> convertArgument,
                         function_ref<Value(OpBuilder &, Value, size_t)> convertResult) {
  Block *body = wrapper.addEntryBlock();
  auto builder = OpBuilder::atBlockBegin(body);
  SmallVector<Value> arguments, results;
  for (auto [number, argument] : llvm::enumerate(body->getArguments()))
    arguments.push_back(convertArgument(builder, argument, number));
  auto call = util::CallOp::create(builder, wrapper.getLoc(), callee.getResultTypes(),
                                   FlatSymbolRefAttr::get(callee), arguments,
                                   /*tied_operands=*/ArrayAttr(), /*arg_attrs=*/ArrayAttr(),
                                   /*res_attrs=*/ArrayAttr());
  for (auto [number, result] : llvm::enumerate(call.getResults()))
    results.push_back(convertResult(builder, result, number));
  util::ReturnOp::create(builder, wrapper.getLoc(), results);
}

/// Gives a public function a wrapper under its name.
static LogicalResult wrapExport(util::FuncOp func, SymbolTable &symbols) {
  std::string declaration = printDeclaration(func);
  StringAttr name = func.getSymNameAttr();
  FunctionType innerType = func.getFunctionType();
  std::string innerName = ("_" + name.getValue()).str();
  if (symbols.lookup(innerName))
    return func.emitOpError("expected the name '") << innerName << "' to be free";
  if (failed(symbols.rename(func, innerName)))
    return func.emitOpError("expected all uses of the function to be known");
  func.setPrivate();
  setSynchronous(func);

  OpBuilder builder(func);
  MLIRContext *context = func.getContext();
  util::FuncOp wrapper = createFunction(func, name, getOuterType(innerType), "public");
  wrapper->setAttr(kStubAttr, builder.getUnitAttr());
  wrapper->setAttr("iree.reflection",
                   builder.getDictionaryAttr(builder.getNamedAttr(
                       "iree.abi.declaration", builder.getStringAttr(declaration))));
  buildWrapper(
      wrapper, func,
      [&](OpBuilder &builder, Value value, size_t number) {
        Type type = innerType.getInput(number);
        return isa<TensorType>(type)
                   ? importTensor(
                         builder, func.getLoc(), value, type,
                         getValueName(context, func.getArgAttrDict(number), "input", number))
                   : value;
      },
      [&](OpBuilder &builder, Value value, size_t number) {
        return isa<TensorType>(value.getType())
                   ? exportTensor(
                         builder, func.getLoc(), value,
                         getValueName(context, func.getResultAttrDict(number), "output", number))
                   : value;
      });
  symbols.insert(wrapper);
  return success();
}

/// Gives a declared function a tensor wrapper that its callers use from now on.
static LogicalResult wrapImport(util::FuncOp func, SymbolTable &symbols) {
  FunctionType innerType = func.getFunctionType();
  std::string name = ("_" + func.getName()).str();
  if (symbols.lookup(name))
    return func.emitOpError("expected the name '") << name << "' to be free";
  func.setFunctionType(getOuterType(innerType));
  func->setAttr(kStubAttr, UnitAttr::get(func.getContext()));
  if (failed(SymbolTable::replaceAllSymbolUses(func, StringAttr::get(func.getContext(), name),
                                               func->getParentOp())))
    return func.emitOpError("expected uses in calls only");

  util::FuncOp wrapper = createFunction(func, name, innerType, "private");
  wrapper->moveAfter(func);
  setSynchronous(wrapper);
  buildWrapper(
      wrapper, func,
      [&](OpBuilder &builder, Value value, size_t) {
        return isa<TensorType>(value.getType())
                   ? exportTensor(builder, func.getLoc(), value, StringAttr())
                   : value;
      },
      [&](OpBuilder &builder, Value value, size_t number) {
        Type type = innerType.getResult(number);
        return isa<TensorType>(type)
                   ? importTensor(builder, func.getLoc(), value, type, StringAttr())
                   : value;
      });
  symbols.insert(wrapper);
  return success();
}

namespace {
struct WrapEntryPoints : npu::abi::impl::WrapEntryPointsBase<WrapEntryPoints> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<util::FuncOp>())) {
      if (func->hasAttr(kStubAttr) || (!func.isExternal() && !func.isPublic()))
        continue;
      auto isUnranked = llvm::IsaPred<UnrankedTensorType>;
      if (llvm::any_of(func.getArgumentTypes(), isUnranked) ||
          llvm::any_of(func.getResultTypes(), isUnranked)) {
        func.emitOpError("expected ranked tensors at the boundary of the module");
        return signalPassFailure();
      }
      if (failed(func.isExternal() ? wrapImport(func, symbols) : wrapExport(func, symbols)))
        return signalPassFailure();
    }
  }
};
} // namespace
