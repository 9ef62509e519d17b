//===- PreprocessExecutables.cpp - tools and pipelines for executables ----===//

#include "RunTool.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Hook/Passes.h"
#include "NPU/Support/Nesting.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <map>

namespace npu::hook {
#define GEN_PASS_DEF_PREPROCESSEXECUTABLES
#include "NPU/Hook/Passes.h.inc"
} // namespace npu::hook

using namespace mlir;
using namespace npu;
using namespace npu::hook;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// What the rest of the program relies on: a line of text for each symbol, parents first.
using Signatures = std::map<std::string, std::string>;

template <typename... Args>
static std::string concat(Args &&...args) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (os << ... << args);
  return text;
}

static void addExport(hal::ExecutableExportOp exportOp, StringRef parent, Signatures &signatures) {
  std::string &text = signatures[concat(parent, "::@", exportOp.getSymName())];
  if (std::optional<APInt> ordinal = exportOp.getOrdinal())
    text = concat("ordinal ", ordinal->getZExtValue(), ", ");
  text += concat(exportOp.getLayout());
  if (Region &count = exportOp.getWorkgroupCount(); !count.empty())
    text += concat(", count(", count.getArgumentTypes(), ")");
}

static void addExport(flow::ExecutableExportOp exportOp, StringRef parent, Signatures &signatures) {
  std::string &text = signatures[concat(parent, "::@", exportOp.getSymName())];
  if (FunctionOpInterface function = exportOp.getFunction())
    text = concat(function.getFunctionType());
  if (Region &count = exportOp.getWorkgroupCount(); !count.empty())
    text += concat(", workgroups(", count.getArgumentTypes(), ")");
}

static Signatures collectSignatures(Operation *executable) {
  Signatures signatures;
  std::string name = concat("@", SymbolTable::getSymbolName(executable).getValue());
  signatures[name] = executable->getName().getStringRef().str();
  executable->walk([&](Operation *op) {
    if (auto exportOp = dyn_cast<flow::ExecutableExportOp>(op)) {
      addExport(exportOp, name, signatures);
    } else if (auto variant = dyn_cast<hal::ExecutableVariantOp>(op)) {
      signatures[concat(name, "::@", variant.getSymName())] =
          concat("target ", variant.getTarget().getBackend());
    } else if (auto exportOp = dyn_cast<hal::ExecutableExportOp>(op)) {
      auto parent = cast<SymbolOpInterface>(exportOp->getParentOp());
      addExport(exportOp, concat(name, "::@", parent.getName()), signatures);
    }
  });
  return signatures;
}

/// Verifies that the answer defines what the executable did.
static LogicalResult compareSignatures(Operation *executable, Operation *answer) {
  Signatures answered = collectSignatures(answer);
  for (auto &[name, signature] : collectSignatures(executable)) {
    auto found = answered.find(name);
    if (found == answered.end())
      return executable->emitOpError("expected the answer to define ")
             << name << " as well, found no such symbol";
    if (found->second != signature)
      return executable->emitOpError("expected ")
             << name << " to stay " << signature << ", found " << found->second << " in the answer";
  }
  return success();
}

/// Takes over the body and the attributes of dialects. Everything else is known to other ops.
static void replaceContents(Operation *executable, Operation *answer) {
  for (NamedAttribute attribute : llvm::to_vector(executable->getDialectAttrs()))
    executable->removeAttr(attribute.getName());
  for (NamedAttribute attribute : answer->getDialectAttrs())
    executable->setAttr(attribute.getName(), attribute.getValue());
  executable->getRegion(0).takeBody(answer->getRegion(0));
}

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

namespace {
/// One run of the tool.
struct ToolRun {
  std::string input;
  ToolOutput output;
  std::string failure; ///< empty if there is none
};
} // namespace

static InFlightDiagnostic &addStandardError(InFlightDiagnostic &diag, const ToolRun &run) {
  if (StringRef errors = StringRef(run.output.errors).trim(); !errors.empty())
    diag.attachNote() << "its standard error: " << errors;
  return diag;
}

/// Reads what a tool printed; null, after an error, unless it is an executable.
static OwningOpRef<Operation *> parseAnswer(Operation *executable, const ToolRun &run,
                                            StringRef tool) {
  std::optional<std::pair<Location, std::string>> first;
  OwningOpRef<Operation *> answer;
  bool isNested = !checkNesting(llvm::MemoryBufferRef(run.output.text, "standard output"));
  if (!isNested && !StringRef(run.output.text).trim().empty()) {
    ScopedDiagnosticHandler handler(executable->getContext(), [&](Diagnostic &diagnostic) {
      if (!first)
        first.emplace(diagnostic.getLocation(), diagnostic.str());
    });
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(run.output.text, executable->getContext(), "standard output");
    if (module)
      for (Operation &op : *module->getBody())
        if (!answer && op.getName() == executable->getName())
          answer = OwningOpRef<Operation *>(&op);
    if (answer)
      answer->remove();
  }
  if (answer)
    return answer;
  InFlightDiagnostic diag = executable->emitOpError("expected the tool '")
                            << tool << "' to print one " << executable->getName() << ", found "
                            << (first || isNested         ? "text that cannot be read"
                                : run.output.text.empty() ? "nothing"
                                                          : "none");
  if (first)
    diag.attachNote(first->first) << first->second;
  addStandardError(diag, run);
  return {};
}

static LogicalResult applyAnswer(Operation *executable, const ToolRun &run, StringRef tool) {
  if (!run.failure.empty()) {
    InFlightDiagnostic diag = executable->emitOpError("the tool '") << tool << "' " << run.failure;
    return addStandardError(diag, run);
  }
  OwningOpRef<Operation *> answer = parseAnswer(executable, run, tool);
  if (!answer || failed(compareSignatures(executable, *answer)))
    return failure();
  if (!StringRef(run.output.errors).trim().empty()) {
    InFlightDiagnostic diag = executable->emitRemark("preprocessed by '") << tool << "'";
    addStandardError(diag, run);
  }
  replaceContents(executable, *answer);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// A pair of quotes around the whole, which pass pipelines may need, is not meant.
static StringRef dropQuotes(StringRef text) {
  text = text.trim();
  StringRef inner = text;
  bool isQuoted = inner.consume_front("\"") && inner.consume_back("\"");
  return isQuoted && !inner.contains('"') ? inner : text;
}

namespace {
struct PreprocessExecutables : npu::hook::impl::PreprocessExecutablesBase<PreprocessExecutables> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<hal::HALDialect, flow::FlowDialect>();
    OpPassManager pipeline(ModuleOp::getOperationName());
    if (isPipeline() && succeeded(parsePipeline(pipeline, llvm::nulls())))
      pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    SmallVector<Operation *> executables;
    for (Operation &op : *getOperation().getBody())
      if (llvm::isa<hal::ExecutableOp, flow::ExecutableOp>(op))
        executables.push_back(&op);
    if (failed(isPipeline() ? runPipelines(executables) : runTools(executables)))
      signalPassFailure();
  }

private:
  bool isPipeline() const { return dropQuotes(command).starts_with("builtin.module"); }

  LogicalResult parsePipeline(OpPassManager &pipeline, raw_ostream &errors) const {
    StringRef text = dropQuotes(command);
    if (!text.consume_front("builtin.module(") || !text.consume_back(")")) {
      errors << "expected a pipeline in builtin.module(...)";
      return failure();
    }
    return parsePassPipeline(text, pipeline, errors);
  }

  /// Puts each executable into a module of its own and lets MLIR run the pipeline on all of them.
  LogicalResult runPipelines(ArrayRef<Operation *> executables) {
    PassManager pm(&getContext(), ModuleOp::getOperationName());
    std::string errors;
    llvm::raw_string_ostream os(errors);
    if (failed(parsePipeline(pm.nest<ModuleOp>(), os)))
      return getOperation().emitError("'")
             << command << "' is no pipeline: " << StringRef(errors).trim();

    OwningOpRef<ModuleOp> root = ModuleOp::create(getOperation().getLoc());
    SmallVector<ModuleOp> modules;
    for (Operation *executable : executables) {
      auto builder = OpBuilder::atBlockEnd(root->getBody());
      modules.push_back(ModuleOp::create(builder, executable->getLoc()));
      OpBuilder::atBlockEnd(modules.back().getBody()).clone(*executable);
    }
    if (failed(pm.run(*root)))
      return failure();
    for (auto [executable, module] : llvm::zip(executables, modules)) {
      Operation *answer = nullptr;
      for (Operation &op : *module.getBody())
        if (!answer && op.getName() == executable->getName())
          answer = &op;
      if (!answer)
        return executable->emitOpError("expected the pipeline to keep the executable, found none");
      if (failed(compareSignatures(executable, answer)))
        return failure();
      replaceContents(executable, answer);
    }
    return success();
  }

  LogicalResult runTools(ArrayRef<Operation *> executables) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    SmallVector<const char *> words;
    llvm::cl::TokenizeGNUCommandLine(dropQuotes(command), saver, words);
    if (words.empty())
      return getOperation().emitError("expected a tool or a pipeline as command, found none");
    std::vector<std::string> arguments(words.begin(), words.end());

    ToolLimits limits;
    limits.timeout = std::chrono::seconds(timeout);
    limits.outputBytes = uint64_t(maxOutputMiB) << 20;
    limits.cpuTime = std::chrono::seconds(maxCpuSeconds);
    limits.memoryBytes = uint64_t(maxMemoryMiB) << 20;
    limits.fileBytes = uint64_t(maxFileMiB) << 20;
    std::vector<ToolRun> runs(executables.size());
    for (auto [executable, run] : llvm::zip(executables, runs)) {
      llvm::raw_string_ostream os(run.input);
      executable->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo());
      os << "\n";
    }
    {
      llvm::DefaultThreadPool pool(llvm::hardware_concurrency(maxProcesses));
      for (ToolRun &run : runs)
        pool.async([&] {
          if (llvm::Error error = runTool(arguments, run.input, limits, run.output))
            run.failure = llvm::toString(std::move(error));
        });
    }
    bool isValid = true;
    for (auto [executable, run] : llvm::zip(executables, runs))
      if (failed(applyAnswer(executable, run, arguments.front())))
        isValid = false;
    return success(isValid);
  }
};
} // namespace

void npu::hook::registerPreprocessExecutablesWith() {
  registerPassPipeline(
      "npu-hal-preprocess-executables-with",
      "Run a tool, or a pipeline in builtin.module(...), on each executable",
      [](OpPassManager &pm, StringRef command, function_ref<LogicalResult(const Twine &)>) {
        PreprocessExecutablesOptions options;
        options.command = command.str();
        pm.addPass(createPreprocessExecutables(options));
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}
