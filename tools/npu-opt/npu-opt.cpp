//===- npu-opt.cpp - runs passes and pipelines on MLIR files --------------===//

#include "HookMain.h"

#include "NPU/InitAll/IdlePasses.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/InitAll/NestPasses.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/Nesting.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/IREE/CarryHost.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/InitLLVM.h"

#include <unistd.h>

using namespace mlir;

/// Why the contents of a file are nothing that MLIR's parser reads, to follow the file's name;
/// empty if nothing says so.
static std::string findMismatch(StringRef contents, const DialectRegistry &registry,
                                const MlirOptMainConfig &config) {
  npu::FileKind kind = npu::recognizeFile(contents);
  if (!npu::mayBeMLIR(kind))
    return " " + npu::describeMismatch("MLIR", kind);
  if (kind == npu::FileKind::Bytecode || config.shouldAllowUnregisteredDialects())
    return "";
  auto isKnown = [&](StringRef dialect) { return bool(registry.getDialectAllocator(dialect)); };
  return npu::findUnloweredOp(contents, isKnown).value_or("");
}

/// What MlirOptMain does with files, with a look at the text before it is parsed.
static LogicalResult processFile(StringRef inputName, StringRef outputName,
                                 DialectRegistry &registry, const MlirOptMainConfig &config) {
  auto fail = [](const Twine &message) {
    llvm::errs() << "npu-opt: error: " << npu::escapeText(message.str()) << "\n";
    return failure();
  };
  npu::InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      npu::readInput(inputName, inputOptions);
  if (!input)
    return fail("cannot read '" + inputName + "': " + llvm::toString(input.takeError()));
  // Passes write files as well.
  npu::protectInput(inputName, /*isReplaceable=*/true);
  if (std::string mismatch = findMismatch((*input)->getBuffer(), registry, config);
      !mismatch.empty())
    return fail(inputName + ":" + mismatch);
  if (!npu::checkNesting(**input))
    return failure();
  if (std::optional<std::string> text = npu::iree::carryHost(**input))
    *input = llvm::MemoryBuffer::getMemBufferCopy(*text, (*input)->getBufferIdentifier());
  npu::OutputFiles files;
  llvm::Expected<llvm::raw_ostream *> os =
      files.open(outputName, npu::OutputFiles::Inputs::Replace);
  if (!os)
    return fail(llvm::toString(os.takeError()));
  if (failed(MlirOptMain(**os, std::move(*input), registry, config)))
    return failure();
  if (llvm::Error error = files.commit())
    return fail(llvm::toString(std::move(error)));
  return success();
}

/// Loads the plugins of the command line before upstream's options do. These say that a plugin was
/// ignored, but not why, and load it when it is too late for options of its passes.
static llvm::Error loadPlugins(llvm::ArrayRef<char *> arguments) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    auto [name, path] = StringRef(argument).split('=');
    bool isPass = name.trim('-') == "load-pass-plugin";
    if (!name.starts_with("-") || (!isPass && name.trim('-') != "load-dialect-plugin"))
      continue;
    if (path.empty() && index + 1 < arguments.size())
      path = arguments[index + 1];
    auto load = [isPass](const std::string &path) -> llvm::Error {
      if (!isPass)
        return DialectPlugin::load(path).takeError();
      llvm::Expected<PassPlugin> plugin = PassPlugin::load(path);
      if (!plugin)
        return plugin.takeError();
      plugin->registerPassRegistryCallbacks();
      return llvm::Error::success();
    };
    if (llvm::Error error = load(path.str()))
      return llvm::createStringError(
          "cannot load plugin '" + path + "': " + llvm::toString(std::move(error)) +
          "; build it from this tree's headers, against this npu-opt and its MLIR, see \"A pass of "
          "one's own\" in docs/pipeline.md");
  }
  return llvm::Error::success();
}

/// Tries the options of every pass and pipeline of the command line. Of one that does not take
/// them, upstream says only which word is wrong; this adds which pass it is, and what that takes.
static LogicalResult checkPassOptions(llvm::ArrayRef<char *> arguments) {
  for (StringRef argument : arguments) {
    auto [name, options] = argument.split('=');
    const PassRegistryEntry *entry = PassInfo::lookup(name.ltrim('-'));
    if (!entry)
      entry = PassPipelineInfo::lookup(name.ltrim('-'));
    if (!name.starts_with("-") || !entry || options.empty())
      continue;
    std::string message;
    OpPassManager scratch(ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
    auto keep = [&](const Twine &text) {
      message = text.str();
      return failure();
    };
    if (succeeded(entry->addToPipeline(scratch, options, keep)))
      continue;
    StringRef reason = message;
    reason.consume_front("<Pass-Options-Parser>: ");
    // Upstream's indentation counts, too.
    constexpr size_t indent = 2;
    bool takesNone = entry->getOptionWidth() <= indent;
    llvm::errs() << "npu-opt: error: " << argument << ": "
                 << (reason.empty() ? "found what is no option or no value of it" : reason.rtrim())
                 << (takesNone ? "; the pass takes no options\n" : "; expected:\n");
    if (takesNone)
      return failure();
    // The list goes to the standard output, which is for IR.
    llvm::errs().flush();
    dup2(STDERR_FILENO, STDOUT_FILENO);
    entry->printHelpStr(indent, std::max(entry->getOptionWidth() + indent, name.size() + 7));
    llvm::outs().flush();
    return failure();
  }
  return success();
}

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::hideLLVMOptions();
  npu::registerVersion();
  // As the tool for iree-compile, it reads and writes one executable and nothing else.
  if (llvm::is_contained(llvm::ArrayRef(argv, argc), llvm::StringRef("--npu-iree-hook")))
    return npu::hook::hookMain(argc, argv);
  if (llvm::Error error = loadPlugins(llvm::ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << "npu-opt: error: " << npu::escapeText(llvm::toString(std::move(error))) << "\n";
    return 1;
  }
  npu::registerContextOptions();
  DialectRegistry registry;
  npu::registerAllDialects(registry);
  npu::registerAllPasses();
  std::string overview = registerCLIOptions(
      "NPU compiler pass driver; --help-hidden lists its passes and pipelines\n", registry);
  npu::hidePasses();
  npu::groupOptions({{"Printing, timing and debugging", {"mlir-*", "log-*", "dump-*", "run-*"}},
                     {"Tests", {"verify-*", "split-*", "output-split*", "show-*", "test-*"}},
                     {"Plugins", {"load-*", "irdl-*"}}});
  auto [inputName, outputName] = parseCLIOptions(argc, argv, overview);
  if (failed(checkPassOptions(llvm::ArrayRef(argv, argc).drop_front())))
    return 1;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // A pass on functions may be asked for on the command line, where the pipeline is for modules.
  auto nestPasses = [asAskedFor = config](PassManager &pm) {
    if (failed(asAskedFor.setupPassPipeline(pm)))
      return failure();
    npu::nestInterfacePasses(pm);
    npu::warnAboutIdlePasses(pm);
    return success();
  };
  config.setPassPipelineSetupFn(nestPasses);
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(processFile(inputName, outputName, registry, config));
}
