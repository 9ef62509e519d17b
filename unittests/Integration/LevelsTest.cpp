//===- LevelsTest.cpp - every level can be left and entered ---------------===//
//
// The kernels of all models of the corpus, distinct ones once. After each form the IR is printed
// and read again, and the rest of the pipeline works on what was read: the program is the same,
// byte for byte, as the one of the whole pipeline. On the way the contract of a kernel's form must
// hold after every single pass.
//
//===----------------------------------------------------------------------===//

#include "../Shared.h"
#include "Harness.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/InitAll/ModelFile.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Target/Binary/Binary.h"
#include "NPU/Target/Translate/Translate.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace npu;
using namespace npu::integration;

namespace {

/// Runs the contract of the form that a pass leaves a kernel in.
class ContractCheck : public PassInstrumentation {
public:
  ContractCheck(std::string &fault, int64_t &checks) : fault(fault), checks(checks) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "npu-choose-tiles")
      return check(pass, op, createNPUVerifyTensorForm());
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      return;
    bool isPlanned = !kernel.getBody().getOps<StreamOp>().empty();
    check(pass, op, isPlanned ? createNPUVerifyPlannedForm() : createNPUVerifyTileForm());
  }

private:
  void check(Pass *after, Operation *op, std::unique_ptr<Pass> contract) {
    PassManager pm(op->getContext(), op->getName().getStringRef());
    StringRef name = contract->getArgument();
    pm.addPass(std::move(contract));
    ++checks;
    if (failed(pm.run(op)) && fault.empty())
      fault = (name + " fails after " + after->getArgument()).str();
  }

  std::string &fault;
  int64_t &checks;
};

/// A target and the least number of kernels that the corpus has for it.
struct Chip {
  const char *target;
  size_t kernels;
};

class Levels : public ::testing::TestWithParam<Chip> {
protected:
  /// What is wrong with the levels of a dispatch; empty if nothing is.
  std::string findFault(func::FuncOp function);

  int64_t checks = 0;

private:
  using Populate = llvm::function_ref<void(OpPassManager &)>;

  /// Runs a part of the pipeline; empty, or which part failed.
  std::string run(ModuleOp module, StringRef part, Populate populate);
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The program's source table is made of locations.
  module.print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

std::vector<uint8_t> encode(ModuleOp module) {
  FailureOr<isa::Program> program = getProgram(module);
  return failed(program) ? std::vector<uint8_t>() : cantFail(isa::encodeBinary(*program));
}

OwningOpRef<ModuleOp> wrap(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  OpBuilder::atBlockEnd(module->getBody()).clone(*function);
  return module;
}

std::string Levels::run(ModuleOp module, StringRef part, Populate populate) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  populate(pm);
  std::string fault;
  pm.addInstrumentation(std::make_unique<ContractCheck>(fault, checks));
  if (failed(pm.run(module)))
    return "the way to " + part.str() + " fails";
  return fault;
}

std::string Levels::findFault(func::FuncOp function) {
  CodegenPipelineOptions options;
  options.target = GetParam().target;
  OwningOpRef<ModuleOp> whole = wrap(function);
  PassManager pm(whole->getContext(), ModuleOp::getOperationName());
  populateCodegenPipeline(pm, options);
  if (failed(pm.run(*whole)))
    return "does not compile";
  std::vector<uint8_t> expected = encode(*whole);
  if (expected.empty())
    return "has no program";

  std::pair<StringRef, std::function<void(OpPassManager &)>> parts[] = {
      {"tensor form", [&](OpPassManager &pm) { populateTensorFormPipeline(pm, options); }},
      {"tile form", populateTileFormPipeline},
      {"planned form", populatePlannedFormPipeline},
      {"the program", populateProgramPipeline}};
  OwningOpRef<ModuleOp> module = wrap(function);
  for (const auto &[part, populate] : parts) {
    if (std::string fault = run(*module, part, populate); !fault.empty())
      return fault;
    std::string text = print(*module);
    OwningOpRef<ModuleOp> entered =
        parseSourceString<ModuleOp>(text, ParserConfig(module->getContext()));
    if (!entered)
      return (part + " is not read again:\n" + text).str();
    if (print(*entered) != text)
      return (part + " reads differently, from\n" + text + "to\n" + print(*entered)).str();
    module = std::move(entered);
  }
  return encode(*module) == expected ? "" : "gives another program in parts";
}

TEST_P(Levels, CanBeLeftAndEntered) {
  NPU_NEEDS_SHARED();
  std::vector<std::string> models;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(getSharedPath("corpus/iree"), error), end;
       it != end && !error; it.increment(error))
    models.push_back(it->path() + "/flow.mlir");
  for (llvm::sys::fs::directory_iterator it(getSharedPath("corpus/onnx"), error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".onnx"))
      models.push_back(it->path());
  ASSERT_FALSE(error) << error.message();
  llvm::sort(models);

  llvm::StringSet<> known;
  for (const std::string &path : models) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(buffer)) << path;
    llvm::Expected<std::unique_ptr<ModelFile>> file =
        ModelFile::read(path, std::move(*buffer), ONNXImportOptions());
    ASSERT_TRUE(bool(file)) << path << ": " << llvm::toString(file.takeError());
    ASSERT_TRUE(*file) << path;
    PartitionOptions options;
    DispatchCompiler compiler(GetParam().target);
    options.fallback = Fallback::Host;
    FailureOr<Partition> partition = runtime::placeModel((*file)->getModule(), options, compiler);
    ASSERT_TRUE(succeeded(partition)) << path;
    for (const PartitionedFunction &function : partition->getFunctions()) {
      if (function.placement != Placement::NPU)
        continue;
      func::FuncOp source = function.function;
      OwningOpRef<func::FuncOp> clone = source.clone();
      clone->setSymName("kernel");
      std::string key;
      llvm::raw_string_ostream os(key);
      clone->print(os, OpPrintingFlags().useLocalScope());
      if (known.insert(key).second) {
        EXPECT_EQ(findFault(source), "") << path << ": " << function.name;
      }
    }
  }
  EXPECT_GE(known.size(), GetParam().kernels);
  EXPECT_GT(checks, int64_t(known.size()) * 8);
  llvm::outs() << known.size() << " kernels, " << checks << " contracts\n";
}

INSTANTIATE_TEST_SUITE_P(Targets, Levels,
                         ::testing::Values(Chip{"npu-v1-x4", 200}, Chip{"npu-tiny", 10}),
                         [](const auto &info) {
                           return info.index == 0 ? "clusters" : "integers";
                         });

} // namespace
