//===- HostObject.cpp - host functions as object files --------------------===//

#include "NPU/HostReference/HostObject.h"

#include "HostCall.h"
#include "HostCode.h"
#include "HostContext.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace npu::runtime;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Adds `void symbol(ptr buffers)`, which calls the entry. The entry takes every memref apart:
/// allocated and aligned address, offset, extents, strides.
static llvm::Error addPlainEntry(llvm::Module &module, StringRef symbol, FunctionType type) {
  llvm::Function *entry = module.getFunction(hostEntryName);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);

  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *pointer = builder.getPtrTy();
  auto *plain =
      llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false),
                             llvm::GlobalValue::ExternalLinkage, symbol, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", plain));
  llvm::SmallVector<llvm::Value *> arguments;
  unsigned number = 0;
  for (Type tensor : llvm::concat<const Type>(type.getInputs(), type.getResults())) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor).getShape();
    llvm::Value *slot = builder.CreateConstGEP1_32(pointer, plain->getArg(0), number++);
    llvm::Value *address = builder.CreateLoad(pointer, slot);
    arguments.append({address, address, builder.getInt64(0)});
    for (int64_t extent : shape)
      arguments.push_back(builder.getInt64(extent));
    llvm::SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * shape[dim];
    for (int64_t stride : strides)
      arguments.push_back(builder.getInt64(stride));
  }
  if (!entry || entry->arg_size() != arguments.size() || !entry->getReturnType()->isVoidTy())
    return llvm::createStringError("host object: the lowered function has another signature");
  builder.CreateCall(entry, arguments);
  builder.CreateRetVoid();
  return llvm::Error::success();
}

llvm::Expected<HostObject> npu::runtime::compileHostObject(func::FuncOp func, StringRef symbol,
                                                           const HostReferenceOptions &options) {
  HostContext context(options);
  llvm::Expected<OwningOpRef<ModuleOp>> module = context.import(func, /*readsResources=*/true);
  if (!module)
    return module.takeError();
  FunctionType type = (*module)->lookupSymbol<func::FuncOp>(hostEntryName).getFunctionType();
  for (Type tensor : llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (!HostTensorType::get(tensor)) {
      std::string text;
      llvm::raw_string_ostream(text) << tensor;
      return llvm::createStringError("host object: expected statically shaped tensors of i1, i8, "
                                     "i16, i32, i64, f16, bf16, f32 or f64 but '" +
                                     func.getName() + "' has a " + text);
    }
  if (failed(lowerToLLVMDialect(**module)))
    return context.makeError("cannot lower the function for the host");

  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(options.optLevel, HostCPU::AnyOfArchitecture);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(**module, llvmContext);
  if (!code)
    return context.makeError("cannot compile the function for the host");
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  if (llvm::Error error = addPlainEntry(*code, symbol, type))
    return std::move(error);
  if (options.instrument)
    options.instrument(*code);
  if (llvm::Error error = optimizeModule(*code, **machine, options.optLevel))
    return std::move(error);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager emitter;
  if ((*machine)->addPassesToEmitFile(emitter, os, /*DwoOut=*/nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("host object: this host has no object files");
  emitter.run(*code);
  return HostObject{(*machine)->getTargetTriple().str(), {bytes.begin(), bytes.end()}};
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

struct HostObjectLoader::State {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  bool callsAnything = false;
};

std::string HostObjectLoader::getTriple() { return llvm::sys::getProcessTriple(); }

HostObjectLoader::HostObjectLoader() : state(std::make_unique<State>()) {}
HostObjectLoader::~HostObjectLoader() = default;

llvm::Expected<std::unique_ptr<HostObjectLoader>> HostObjectLoader::create(bool callsAnything) {
  // Initializes the native target.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(/*optLevel=*/0, HostCPU::AnyOfArchitecture);
  if (!machine)
    return machine.takeError();
  // Neither this process's symbols nor what runs when a library is loaded.
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder()
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
          .create();
  if (!jit)
    return jit.takeError();
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  llvm::orc::MangleAndInterner mangle((*jit)->getExecutionSession(), (*jit)->getDataLayout());
  if (llvm::Error error = library.define(llvm::orc::absoluteSymbols(getHostSymbols(mangle))))
    return std::move(error);
  if (callsAnything) {
    auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        (*jit)->getDataLayout().getGlobalPrefix());
    if (!process)
      return process.takeError();
    library.addGenerator(std::move(*process));
  }
  std::unique_ptr<HostObjectLoader> loader(new HostObjectLoader());
  loader->state->jit = std::move(*jit);
  loader->state->callsAnything = callsAnything;
  return loader;
}

llvm::Expected<HostObjectLoader::Function> HostObjectLoader::load(ArrayRef<uint8_t> code,
                                                                  StringRef symbol) {
  auto object = llvm::MemoryBuffer::getMemBufferCopy(llvm::toStringRef(code), symbol);
  if (!state->callsAnything)
    if (llvm::Error error = checkHostSymbols(*object, state->jit->getExecutionSession(),
                                             state->jit->getDataLayout()))
      return std::move(error);
  if (llvm::Error error = state->jit->addObjectFile(std::move(object)))
    return std::move(error);
  llvm::Expected<llvm::orc::ExecutorAddr> address = state->jit->lookup(symbol);
  if (!address)
    return address.takeError();
  return address->toPtr<Function>();
}

llvm::Error HostObjectLoader::call(Function function, void *const *buffers, int64_t memoryLimit) {
  return callHostCode(memoryLimit, [&] { function(buffers); });
}
