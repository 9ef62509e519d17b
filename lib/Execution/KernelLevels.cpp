//===- KernelLevels.cpp - a dispatch at every level of the compiler -------===//

#include "NPU/Execution/KernelLevels.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/Assembly/Assembly.h"
#include "NPU/Target/Translate/Translate.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

StringRef npu::runtime::toString(Level level) {
  return level == Level::Program ? "program" : interpreter::toString(interpreter::Form(level));
}

Level npu::runtime::getLevel(interpreter::Form form) { return Level(form); }

KernelOp KernelLevels::getKernel(Level level) const {
  return *forms[int(level)].get().getOps<KernelOp>().begin();
}

/// Runs a part of the pipeline on a copy of `module`.
static llvm::Expected<OwningOpRef<ModuleOp>>
lowerCopy(ModuleOp module, llvm::function_ref<void(OpPassManager &)> populate) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  populate(pm);
  if (failed(pm.run(*copy)))
    return llvm::createStringError("the kernel was not compiled further");
  return copy;
}

llvm::Error KernelLevels::lower(Level from) {
  if (from == Level::Tensor)
    if (llvm::Error error = lowerCopy(*forms[0], populateTileFormPipeline).moveInto(forms[1]))
      return error;
  if (from <= Level::Tile)
    if (llvm::Error error = lowerCopy(*forms[1], populatePlannedFormPipeline).moveInto(forms[2]))
      return error;
  OwningOpRef<ModuleOp> module;
  if (llvm::Error error = lowerCopy(*forms[2], populateProgramPipeline).moveInto(module))
    return error;
  FailureOr<isa::Program> made = npu::getProgram(*module);
  if (failed(made))
    return llvm::createStringError("the kernel has no program");
  program = std::move(*made);
  return llvm::Error::success();
}

llvm::Expected<KernelLevels> KernelLevels::compile(OwningOpRef<ModuleOp> form) {
  KernelLevels levels;
  KernelOp kernel = *form.get().getOps<KernelOp>().begin();
  levels.first = getLevel(interpreter::getForm(kernel));
  // What has no schedule gets one.
  if (levels.first == Level::Tensor)
    if (llvm::Error error = lowerCopy(*form, [](OpPassManager &pm) {
                              pm.addPass(createNPUChooseTiles());
                            }).moveInto(form))
      return std::move(error);
  levels.forms[int(levels.first)] = std::move(form);
  if (llvm::Error error = levels.lower(levels.first))
    return std::move(error);
  return levels;
}

llvm::Expected<KernelLevels> KernelLevels::compile(DispatchCompiler &compiler,
                                                   func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  if (failed(compiler.createKernel(builder, function)))
    return llvm::createStringError("'" + function.getSymName() + "' was not legalized");
  return compile(std::move(module));
}

KernelLevels KernelLevels::get(isa::Program program) {
  KernelLevels levels;
  levels.first = Level::Program;
  levels.program = std::move(program);
  return levels;
}

llvm::Error KernelLevels::print(StringRef prefix,
                                llvm::function_ref<llvm::Error(StringRef, StringRef)> write) const {
  for (auto [level, suffix] :
       {std::pair(Level::Tensor, ".tensor.mlir"), std::pair(Level::Tile, ".tile.mlir"),
        std::pair(Level::Planned, ".planned.mlir")}) {
    if (!has(level))
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    forms[int(level)].get().print(os);
    os << '\n';
    if (llvm::Error error = write((prefix + suffix).str(), text))
      return error;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  isa::printAssembly(program, os);
  return write((prefix + ".npuasm").str(), text);
}
