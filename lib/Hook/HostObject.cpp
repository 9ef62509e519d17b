//===- HostObject.cpp - an NPU program in an object file ------------------===//

#include "HostObject.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  });
}

/// Adds the launching function. Offsets and counts are as wide as pointers.
static void createFunction(llvm::Module &module, llvm::ArrayRef<uint8_t> program,
                           llvm::StringRef name, unsigned numBuffers) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::PointerType *pointer = builder.getPtrTy();
  llvm::Type *size = module.getDataLayout().getIntPtrType(context);
  llvm::Type *nothing = builder.getVoidTy();

  llvm::Constant *bytes = llvm::ConstantDataArray::get(context, program);
  auto *data = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                        llvm::GlobalValue::PrivateLinkage, bytes, "program");
  data->setAlignment(llvm::Align(64));

  llvm::SmallVector<llvm::Type *> parameters;
  for (unsigned buffer = 0; buffer < numBuffers; ++buffer)
    parameters.append({pointer, size});
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(nothing, parameters, /*isVarArg=*/false),
                             llvm::GlobalValue::ExternalLinkage, name, module);
  llvm::FunctionCallee launch = module.getOrInsertFunction(
      "npu_launch", llvm::FunctionType::get(nothing, {pointer, size, pointer, size}, false));

  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  auto *arrayType = llvm::ArrayType::get(pointer, numBuffers);
  llvm::Value *buffers = builder.CreateAlloca(arrayType);
  for (unsigned buffer = 0; buffer < numBuffers; ++buffer) {
    llvm::Value *address =
        builder.CreatePtrAdd(function->getArg(2 * buffer), function->getArg(2 * buffer + 1));
    builder.CreateStore(address, builder.CreateConstInBoundsGEP2_32(arrayType, buffers, 0, buffer));
  }
  builder.CreateCall(launch, {data, llvm::ConstantInt::get(size, program.size()), buffers,
                              llvm::ConstantInt::get(size, numBuffers)});
  builder.CreateRetVoid();
}

llvm::Expected<llvm::SmallVector<char>> npu::hook::createHostObject(llvm::ArrayRef<uint8_t> program,
                                                                    llvm::StringRef function,
                                                                    unsigned numBuffers,
                                                                    llvm::StringRef tripleText) {
  initializeTargets();
  llvm::Triple triple(tripleText);
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, /*CPU=*/"", /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_));

  llvm::LLVMContext context;
  llvm::Module module("npu", context);
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  createFunction(module, program, function, numBuffers);

  llvm::SmallVector<char> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "LLVM writes no object files for '" + tripleText + "'");
  passes.run(module);
  return object;
}
