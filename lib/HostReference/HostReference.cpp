//===- HostReference.cpp - host execution of tensor functions -------------===//

#include "NPU/HostReference/HostReference.h"

#include "HostCall.h"
#include "HostCode.h"
#include "HostContext.h"
#include "NPU/Tensor/FloatFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace npu::runtime;

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

static std::optional<ElementType> getElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return parseElementType("i" + std::to_string(integer.getWidth()));
  if (isa<Float16Type>(type))
    return ElementType::F16;
  if (isa<BFloat16Type>(type))
    return ElementType::BF16;
  if (isa<Float32Type>(type))
    return ElementType::F32;
  if (isa<Float64Type>(type))
    return ElementType::F64;
  return std::nullopt;
}

std::optional<HostTensorType> HostTensorType::get(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  std::optional<ElementType> elementType = getElementType(tensor.getElementType());
  if (!elementType || !countElements(tensor.getShape(), *elementType))
    return std::nullopt;
  return HostTensorType{*elementType, llvm::SmallVector<int64_t>(tensor.getShape())};
}

bool HostTensorType::matches(const HostTensor &tensor) const {
  return tensor.getElementType() == elementType && tensor.getShape() == ArrayRef<int64_t>(shape);
}

std::string HostTensorType::str() const { return getTypeString(elementType, shape); }

llvm::Expected<HostTensor> npu::runtime::getHostTensor(Attribute value) {
  auto typed = dyn_cast<TypedAttr>(value);
  std::optional<HostTensorType> type;
  if (typed && isa<IntegerAttr, FloatAttr>(value)) {
    if (std::optional<ElementType> elementType = getElementType(typed.getType()))
      type = HostTensorType{*elementType, {}};
  } else if (typed) {
    type = HostTensorType::get(typed.getType());
  }
  std::string description;
  llvm::raw_string_ostream(description)
      << (typed ? "of type " : "") << (typed ? typed.getType() : Type());
  if (!type)
    return llvm::createStringError("constant " + description +
                                   " has no static shape or an unsupported element type");

  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob && resource.getRawHandle().getKey().starts_with("__elided__"))
      return llvm::createStringError("constant " + description +
                                     " has no data; print the IR again without "
                                     "--mlir-elide-resource-strings-if-larger");
    if (!blob)
      return llvm::createStringError("constant " + description + " has no data for resource '" +
                                     resource.getRawHandle().getKey() + "'");
    ArrayRef<char> data = blob->getData();
    return HostTensor::create(type->elementType, type->shape,
                              std::vector<uint8_t>(data.begin(), data.end()));
  }
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements && !isa<IntegerAttr, FloatAttr>(value))
    return llvm::createStringError("constant " + description +
                                   " is neither dense nor a dense resource");
  HostTensor tensor(type->elementType, type->shape);
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    tensor.setInt(0, integer.getValue().getZExtValue());
    return tensor;
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    tensor.setFloat(0, number.getValueAsDouble());
    return tensor;
  }
  int64_t count = tensor.getNumElements();
  // Wide elements are stored as the tensor stores them; i1 is packed into bits.
  ArrayRef<char> raw = elements.getRawData();
  if (!elements.isSplat() && raw.size() == tensor.getBytes().size() &&
      type->elementType != ElementType::I1) {
    llvm::copy(raw, tensor.getMutableBytes().begin());
    return tensor;
  }
  if (elements.isSplat() && count > 0 && isFloat(type->elementType)) {
    tensor.fill(elements.getSplatValue<FloatAttr>().getValueAsDouble());
    return tensor;
  }
  if (isFloat(type->elementType)) {
    for (auto [index, element] : llvm::enumerate(elements.getValues<FloatAttr>()))
      tensor.setFloat(index, element.getValueAsDouble());
    return tensor;
  }
  for (auto [index, element] : llvm::enumerate(elements.getValues<APInt>()))
    tensor.setInt(index, element.getZExtValue());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

// Conversions that LLVM calls where the host has no instruction. It passes 16-bit floats, bf16 too,
// where C passes _Float16.
static _Float16 toRegister(uint16_t bits) { return llvm::bit_cast<_Float16>(bits); }
static float extendHalf(_Float16 value) {
  return static_cast<float>(decodeF16(llvm::bit_cast<uint16_t>(value)));
}
static _Float16 truncateFloatToHalf(float value) { return toRegister(encodeF16(value)); }
static _Float16 truncateDoubleToHalf(double value) { return toRegister(encodeF16(value)); }
static _Float16 truncateFloatToBFloat(float value) { return toRegister(encodeBF16(value)); }
static _Float16 truncateDoubleToBFloat(double value) { return toRegister(encodeBF16(value)); }

llvm::orc::SymbolMap npu::runtime::getRuntimeSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols = getCallSymbols(mangle);
  auto add = [&](StringRef name, auto *function) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  };
  add("__extendhfsf2", &extendHalf);
  add("__truncsfhf2", &truncateFloatToHalf);
  add("__truncdfhf2", &truncateDoubleToHalf);
  add("__truncsfbf2", &truncateFloatToBFloat);
  add("__truncdfbf2", &truncateDoubleToBFloat);
  return symbols;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
npu::runtime::createTargetMachine(unsigned optLevel, HostCPU cpu) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> builder =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  // The conversion instructions to bf16 flush subnormals, and results should not depend on whether
  // the host has 16-bit arithmetic.
  if (builder->getTargetTriple().isX86())
    builder->addFeatures({"-avx512fp16", "-avx512bf16", "-avxneconvert"});
  if (cpu == HostCPU::AnyOfArchitecture) {
    builder = llvm::orc::JITTargetMachineBuilder(builder->getTargetTriple());
    builder->setRelocationModel(llvm::Reloc::PIC_);
  }
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  builder->setCodeGenOptLevel(optLevel == 0   ? llvm::CodeGenOptLevel::None
                              : optLevel == 1 ? llvm::CodeGenOptLevel::Less
                              : optLevel == 2 ? llvm::CodeGenOptLevel::Default
                                              : llvm::CodeGenOptLevel::Aggressive);
  return builder->createTargetMachine();
}

/// LLVM's standard pipeline. Unrolling and straight-line vectorization double the time to compile
/// these loops and do not make them faster: vectorized loops are interleaved anyway.
llvm::Error npu::runtime::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                                         unsigned optLevel) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const llvm::OptimizationLevel level = optLevel == 0   ? llvm::OptimizationLevel::O0
                                        : optLevel == 1 ? llvm::OptimizationLevel::O1
                                        : optLevel == 2 ? llvm::OptimizationLevel::O2
                                                        : llvm::OptimizationLevel::O3;
  llvm::ModulePassManager passes = optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                                                 : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  return llvm::Error::success();
}

struct HostReference::Code {
  std::unique_ptr<ExecutionEngine> engine;
  void (*entry)(void **) = nullptr;
};

HostReference::HostReference() : code(std::make_unique<Code>()) {}
HostReference::~HostReference() = default;

static llvm::Error collectTypes(TypeRange types, StringRef what,
                                llvm::SmallVectorImpl<HostTensorType> &result) {
  for (auto [index, type] : llvm::enumerate(types)) {
    std::optional<HostTensorType> tensorType = HostTensorType::get(type);
    if (!tensorType) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return llvm::createStringError(
          "host reference: expected a statically shaped tensor of i1, i8, i16, i32, i64, f16, "
          "bf16, f32 or f64 as " +
          what + " " + Twine(index) + " but found " + text);
    }
    result.push_back(std::move(*tensorType));
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<HostReference>>
HostReference::compile(HostContext &context, ModuleOp module, const HostReferenceOptions &options) {
  std::unique_ptr<HostReference> reference(new HostReference());
  reference->memoryLimit = options.memoryLimit;
  FunctionType type = module.lookupSymbol<func::FuncOp>(hostEntryName).getFunctionType();
  if (llvm::Error error = collectTypes(type.getInputs(), "input", reference->inputTypes))
    return std::move(error);
  if (llvm::Error error = collectTypes(type.getResults(), "result", reference->resultTypes))
    return std::move(error);
  if (failed(lowerToLLVMDialect(module)))
    return context.makeError("cannot lower the function for the host");

  // The interface of the entry is its only caller, into which it is inlined: a model with hundreds
  // of weights has thousands of arguments, as each field of a memref is one.
  module.lookupSymbol<LLVM::LLVMFuncOp>(hostEntryName).setLinkage(LLVM::Linkage::Internal);

  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(options.optLevel, HostCPU::ThisOne);
  if (!machine)
    return machine.takeError();
  // The engine takes the machine, and runs this when the entry is looked up below.
  llvm::TargetMachine &target = **machine;
  auto optimize = [&](llvm::Module *llvmModule) {
    if (options.instrument)
      options.instrument(*llvmModule);
    return optimizeModule(*llvmModule, target, options.optLevel);
  };
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = optimize;
  engineOptions.jitCodeGenOptLevel = (*machine)->getOptLevel();
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  llvm::Expected<std::unique_ptr<ExecutionEngine>> engine =
      ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!engine)
    return llvm::joinErrors(context.makeError("cannot compile the function for the host"),
                            engine.takeError());
  (*engine)->registerSymbols(getRuntimeSymbols);
  llvm::Expected<void (*)(void **)> entry =
      (*engine)->lookupPacked(("_mlir_ciface_" + hostEntryName).str());
  if (!entry)
    return entry.takeError();
  reference->code->engine = std::move(*engine);
  reference->code->entry = *entry;
  return reference;
}

/// Makes the resources that the imported function reads arguments behind its own, as its text has
/// their names only and weights do not belong in code. Returns their tensors in `weights`; `source`
/// is the function before it was imported.
static llvm::Error passResources(func::FuncOp imported, func::FuncOp source,
                                 llvm::SmallVectorImpl<HostTensor> &weights) {
  llvm::StringMap<DenseResourceElementsAttr> resources;
  source.walk([&](arith::ConstantOp constant) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
      resources[resource.getRawHandle().getKey()] = resource;
  });
  if (resources.empty())
    return llvm::Error::success();
  SmallVector<arith::ConstantOp> constants;
  imported.walk([&](arith::ConstantOp constant) {
    if (isa<DenseResourceElementsAttr>(constant.getValue()))
      constants.push_back(constant);
  });
  for (arith::ConstantOp constant : constants) {
    StringRef key = cast<DenseResourceElementsAttr>(constant.getValue()).getRawHandle().getKey();
    llvm::Expected<HostTensor> tensor = getHostTensor(resources.lookup(key));
    if (!tensor)
      return tensor.takeError();
    unsigned index = imported.getNumArguments();
    if (failed(imported.insertArgument(index, constant.getType(), {}, constant.getLoc())))
      return llvm::createStringError("host reference: cannot pass resource '" + key + "'");
    constant.replaceAllUsesWith(Value(imported.getArgument(index)));
    constant.erase();
    weights.push_back(std::move(*tensor));
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<HostReference>>
HostReference::create(func::FuncOp func, const HostReferenceOptions &options) {
  if (func.isDeclaration())
    return llvm::createStringError("host reference: '" + func.getName() + "' has no body");
  HostContext context(options);
  llvm::Expected<OwningOpRef<ModuleOp>> module = context.import(func);
  if (!module)
    return module.takeError();
  llvm::SmallVector<HostTensor> weights;
  if (llvm::Error error =
          passResources((*module)->lookupSymbol<func::FuncOp>(hostEntryName), func, weights))
    return std::move(error);
  auto reference = compile(context, **module, options);
  if (!reference)
    return reference;
  (*reference)->inputTypes.pop_back_n(weights.size());
  (*reference)->weights = std::move(weights);
  return reference;
}

llvm::Expected<std::unique_ptr<HostReference>>
HostReference::create(ModuleOp module, StringRef name, const HostReferenceOptions &options) {
  auto func = module.lookupSymbol<func::FuncOp>(name);
  if (!func)
    return llvm::createStringError("host reference: there is no function '" + name + "'");
  return create(func, options);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {
/// A memref descriptor as the LLVM lowering lays it out.
class Descriptor {
public:
  Descriptor(const void *data, ArrayRef<int64_t> shape) {
    auto address = static_cast<int64_t>(reinterpret_cast<uintptr_t>(data));
    words.append({address, address, /*offset=*/0});
    llvm::append_range(words, shape);
    size_t firstStride = words.size();
    words.append(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      words[firstStride + dim - 1] = words[firstStride + dim] * shape[dim];
  }

  void *get() { return words.data(); }

private:
  llvm::SmallVector<int64_t, 16> words;
};
} // namespace

llvm::Expected<llvm::SmallVector<HostTensor>> HostReference::run(ArrayRef<HostTensor> inputs) {
  if (inputs.size() != inputTypes.size())
    return llvm::createStringError("host reference: expected " + Twine(inputTypes.size()) +
                                   " inputs but found " + Twine(inputs.size()));
  std::vector<Descriptor> descriptors;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (!inputTypes[index].matches(input))
      return llvm::createStringError("host reference: expected a " + inputTypes[index].str() +
                                     " as input " + Twine(index) + " but found a " +
                                     input.getTypeString());
    descriptors.emplace_back(input.getBytes().data(), input.getShape());
  }
  for (const HostTensor &weight : weights)
    descriptors.emplace_back(weight.getBytes().data(), weight.getShape());
  llvm::SmallVector<HostTensor> results;
  for (const HostTensorType &type : resultTypes) {
    results.emplace_back(type.elementType, type.shape);
    descriptors.emplace_back(results.back().getMutableBytes().data(), type.shape);
  }
  // The packed interface takes the addresses of the arguments, which are descriptors' addresses.
  llvm::SmallVector<void *> arguments, packed;
  for (Descriptor &descriptor : descriptors)
    arguments.push_back(descriptor.get());
  for (void *&argument : arguments)
    packed.push_back(&argument);
  if (llvm::Error error = callHostCode(memoryLimit, [&] { code->entry(packed.data()); }))
    return llvm::createStringError("host reference: " + llvm::toString(std::move(error)));
  return results;
}

//===----------------------------------------------------------------------===//
// Cache
//===----------------------------------------------------------------------===//

/// The value of `func` in `map`, made by `T::create` if it is not there yet.
template <typename T>
static llvm::Expected<T *> getOrCreate(llvm::StringMap<std::unique_ptr<T>> &map, func::FuncOp func,
                                       const HostReferenceOptions &options) {
  llvm::Expected<std::string> key = printHostModule(func, /*withLocations=*/false);
  if (!key)
    return key.takeError();
  std::unique_ptr<T> &value = map[*key];
  if (value)
    return value.get();
  llvm::Expected<std::unique_ptr<T>> created = T::create(func, options);
  if (!created) {
    map.erase(*key);
    return created.takeError();
  }
  value = std::move(*created);
  return value.get();
}

llvm::Expected<HostReference *> HostReferenceCache::getReference(func::FuncOp func) {
  return getOrCreate(references, func, options);
}

llvm::Expected<ContractionBound *> HostReferenceCache::getBound(func::FuncOp func) {
  return getOrCreate(bounds, func, options);
}
