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

using namespace llvm;

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
  });
}

/// Adds the launching function. Offsets and counts are as wide as pointers.
static void createFunction(Module &module, ArrayRef<uint8_t> program, StringRef name,
                           unsigned numBuffers) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  PointerType *pointer = builder.getPtrTy();
  Type *size = module.getDataLayout().getIntPtrType(context);
  Type *nothing = builder.getVoidTy();

  Constant *bytes = ConstantDataArray::get(context, program);
  auto *data = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, bytes, "program");
  data->setAlignment(Align(64));

  SmallVector<Type *> parameters;
  for (unsigned buffer = 0; buffer < numBuffers; ++buffer)
    parameters.append({pointer, size});
  auto *function = Function::Create(FunctionType::get(nothing, parameters, /*isVarArg=*/false),
                                    GlobalValue::ExternalLinkage, name, module);
  FunctionCallee launch = module.getOrInsertFunction(
      "npu_launch", FunctionType::get(nothing, {pointer, size, pointer, size}, false));

  builder.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  auto *arrayType = ArrayType::get(pointer, numBuffers);
  Value *buffers = builder.CreateAlloca(arrayType);
  for (unsigned buffer = 0; buffer < numBuffers; ++buffer) {
    Value *address =
        builder.CreatePtrAdd(function->getArg(2 * buffer), function->getArg(2 * buffer + 1));
    builder.CreateStore(address, builder.CreateConstInBoundsGEP2_32(arrayType, buffers, 0, buffer));
  }
  builder.CreateCall(launch, {data, ConstantInt::get(size, program.size()), buffers,
                              ConstantInt::get(size, numBuffers)});
  builder.CreateRetVoid();
}

Expected<SmallVector<char>> npu::hook::createHostObject(ArrayRef<uint8_t> program,
                                                        StringRef function, unsigned numBuffers,
                                                        StringRef tripleText) {
  initializeTargets();
  Triple triple(tripleText);
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(inconvertibleErrorCode(), message);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, /*CPU=*/"", /*Features=*/"", TargetOptions(), Reloc::PIC_));

  LLVMContext context;
  Module module("npu", context);
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  createFunction(module, program, function, numBuffers);

  SmallVector<char> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr, CodeGenFileType::ObjectFile))
    return createStringError(inconvertibleErrorCode(),
                             "LLVM writes no object files for '" + tripleText + "'");
  passes.run(module);
  return object;
}
