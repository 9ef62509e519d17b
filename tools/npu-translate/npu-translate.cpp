//===- npu-translate.cpp - models, programs and task graphs in other forms -===//
//
// One command line for all commands. What they do is in the libraries; what they are called, and
// which options have an effect on them, is here.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Partition/Partition.h"
#include "NPU/RunReport/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/Desc/TargetFile.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/Target/Translate/Translate.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace npu;

namespace {
/// An option that prints a list and ends the tool.
struct ListOption : cl::opt<bool> {
  ListOption(StringRef name, StringRef what, void (*print)(raw_ostream &))
      : opt(name, cl::desc(what), cl::callback([print](const bool &) {
              print(outs());
              exit(0);
            })) {}
};

/// The options of this tool; those of what the commands do are registered by the libraries.
struct CommandLine {
  cl::opt<std::string> input{cl::Positional, cl::desc("<input file>"), cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("The output file, or for programs a directory"),
                              cl::value_desc("file"), cl::init("-")};
  cl::list<const mlir::Translation *, bool, mlir::TranslationParser> translations{
      "", cl::desc("The translations, one on the result of the other"), cl::ZeroOrMore};
  cl::opt<bool> mlirToGraph{
      "mlir-to-npu-json", cl::desc("compile a model to a task graph in JSON, with a side file for "
                                   "code and constants; the same as npu-compile")};
  cl::opt<bool> validateGraph{"validate-npu-json",
                              cl::desc("check a task graph and its side file")};
  cl::opt<bool> onnxToMLIR{"onnx-to-mlir", cl::desc("import an ONNX model into the onnx dialect")};
  cl::opt<bool> onnxToONNX{"onnx-to-onnx",
                           cl::desc("write a copy of an ONNX model with the weights of "
                                    "--onnx-seed-weights and the outputs of --onnx-output")};
  cl::opt<TargetName> targetToJSON{"target-to-json",
                                   cl::desc("Write a chip as a file for --target=@file"),
                                   cl::value_desc("name[:parameter=value,...]")};
  ListOption listTargets{"list-targets", "Print the known chips and their parameters, and exit",
                         printTargets};
  ListOption listOps{"list-supported-ops",
                     "Print the ops that the NPU supports and all reasons for rejection in "
                     "Markdown, and exit",
                     printSupportedOps};
  ListOption listOnnxOps{
      "list-supported-onnx-ops",
      "Print the ONNX operators that the importer supports in Markdown, and exit",
      onnx_ir::printSupportedOps};
};

/// The commands, as bits; translations that take the same options share one.
enum Command : unsigned {
  MLIRToGraph = 1,
  ValidateGraph = 2,
  ONNXToMLIR = 4,
  ONNXToONNX = 8,
  TargetToJSON = 16,
  MLIRToPrograms = 32,
  MLIRToDot = 64,
  OtherTranslation = 128,
  AnyTranslation = MLIRToPrograms | MLIRToDot | OtherTranslation
};

/// The commands that a command line gives, one unless they are translations.
struct Commands {
  unsigned bits = 0; ///< of Command
  SmallVector<StringRef> names;

  explicit Commands(CommandLine &line);

  /// An option that is given and has an effect on none of them; nothing if there is none.
  std::optional<StringRef> findIdleOption() const;
};
} // namespace

Commands::Commands(CommandLine &line) {
  auto add = [&](Command bit, StringRef name) {
    bits |= bit;
    names.push_back(name);
  };
  const std::pair<const cl::opt<bool> *, Command> flags[] = {{&line.mlirToGraph, MLIRToGraph},
                                                             {&line.validateGraph, ValidateGraph},
                                                             {&line.onnxToMLIR, ONNXToMLIR},
                                                             {&line.onnxToONNX, ONNXToONNX}};
  for (const auto &[option, bit] : flags)
    if (*option)
      add(bit, option->ArgStr);
  if (line.targetToJSON.getNumOccurrences() != 0)
    add(TargetToJSON, line.targetToJSON.ArgStr);
  const auto &parser = line.translations.getParser();
  for (const mlir::Translation *translation : line.translations) {
    // A translation does not know its name; the parser does.
    auto isIt = [&](unsigned i) {
      using Value = cl::OptionValue<const mlir::Translation *>;
      return static_cast<const Value &>(parser.getOptionValue(i)).getValue() == translation;
    };
    StringRef name = parser.getOption(*find_if(seq(parser.getNumOptions()), isIt));
    add(StringSwitch<Command>(name)
            .Cases({"mlir-to-npu-asm", "mlir-to-npu-binary"}, MLIRToPrograms)
            .Case("dispatch-graph-dot", MLIRToDot)
            .Default(OtherTranslation),
        name);
  }
}

std::optional<StringRef> Commands::findIdleOption() const {
  // An option that is not listed has an effect on every command: --sarif, and those of LLVM.
  const std::pair<SmallVector<StringRef>, unsigned> rules[] = {
      {{"target", "memory-limit", "report", "npu-fallback", "npu-function", "npu-placement",
        "npu-schedule", "npu-search", "npu-segments", "mlir-pass-*", "mlir-print-ir-*"},
       MLIRToGraph},
      {{"onnx-bind-input", "onnx-dim"}, MLIRToGraph | ONNXToMLIR},
      {{"onnx-output", "onnx-seed-weights"}, MLIRToGraph | ONNXToMLIR | ONNXToONNX},
      {{"npu-program"}, MLIRToPrograms},
      {{"allow-unregistered-dialect"}, MLIRToPrograms | MLIRToDot},
      {{"error-diagnostics-only", "output-split-marker", "split-input-file", "verify-diagnostics"},
       AnyTranslation},
      {{"mlir-output-format", "mlir-timing*"}, MLIRToGraph | AnyTranslation},
      {{"mlir-*"}, MLIRToGraph | ONNXToMLIR | AnyTranslation},
      {{"o"}, ~ValidateGraph}};
  for (const auto &[options, commands] : rules)
    if (!(bits & commands))
      if (std::optional<StringRef> option = findGivenOption(options))
        return option;
  return std::nullopt;
}

static int writeTarget(StringRef target, StringRef path, ToolLog &log) {
  std::string text;
  raw_string_ostream os(text);
  OutputFiles files;
  Error error = printTargetAsJSON(target, os);
  if (!error)
    error = files.write(path, text);
  if (!error)
    error = files.commit();
  return error ? log.fail(std::move(error)) : 0;
}

static int run(int argc, char **argv, runtime::SarifLog &log) {
  taskgraph::registerCompileOptions();
  registerTranslations();
  registerTranslateOptions();
  PassManagerOptions passOptions;
  CommandLine line;
  groupOptions({{"Common options", {"o", "sarif"}},
                {"Programs: translations, one after the other", {"mlir-to-npu-asm", "npu-program"}},
                {"Models to task graphs, and their check",
                 {"mlir-to-npu-json", "validate-npu-json", "target", "report", "memory-limit",
                  "npu-*", "fallback", "function", "placement", "schedule", "search", "segments"}},
                {"ONNX models", {"onnx-*"}},
                {"Targets and lists", {"list-*", "target-to-json"}},
                {"Printing, timing and debugging of the compiler", {"mlir-*"}},
                {"Tests", {"verify-*", "split-*", "output-split*", "error-*", "allow-*"}}});
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Writes models, programs and task graphs in other forms\n\n"
          "EXAMPLES:\n"
          "  npu-translate --onnx-to-mlir model.onnx -o model.mlir\n"
          "  npu-translate --mlir-to-npu-asm program.mlir -o program.npuasm\n"
          "  npu-translate --validate-npu-json model.npu.json\n"
          "  npu-translate --target-to-json=npu-v1:clockMHz=800 -o chip.json\n",
          &errs()))
    return 2;
  const Commands commands(line);
  if (commands.names.empty())
    return log.fail("expected a translation such as --mlir-to-npu-asm or --onnx-to-mlir, found "
                    "none; npu-translate --help lists all",
                    2);
  if (commands.names.size() > 1 && (commands.bits & ~AnyTranslation))
    return log.fail("expected one of --target-to-json, --mlir-to-npu-json, --validate-npu-json, "
                    "--onnx-to-mlir and --onnx-to-onnx, or translations, found "
                    "several; run one after the other",
                    2);
  std::string name = "--" + join(commands.names, " and --");
  if (std::optional<StringRef> option = commands.findIdleOption())
    return log.fail((option->size() > 1 ? "--" : "-") + *option + " has no effect on " + name +
                        "; leave it out",
                    2);
  bool hasInput = line.input.getNumOccurrences() != 0;
  if (!hasInput && (commands.bits & (MLIRToGraph | ValidateGraph)))
    return log.fail("expected an input file for " + name + ", found none", 2);
  switch (commands.bits) {
  case MLIRToGraph: {
    passOptions.begin();
    runtime::GraphReporter reporter(log);
    return taskgraph::compileMain(line.input, line.output, reporter);
  }
  case ValidateGraph:
    return taskgraph::validateMain(line.input, log);
  case ONNXToMLIR:
    return onnxToMLIRMain(line.input, line.output, log);
  case ONNXToONNX:
    return onnxToONNXMain(line.input, line.output, log);
  case TargetToJSON:
    if (hasInput)
      return log.fail("expected no input file for " + name + ", found '" + line.input + "'", 2);
    return writeTarget(line.targetToJSON, line.output, log);
  default:
    return translateMain(line.translations, line.input, line.output, log);
  }
}

int main(int argc, char **argv) {
  prepareSignals();
  InitLLVM initLLVM(argc, argv);
  hideLLVMOptions();
  registerVersion();
  return runtime::runWithSarif("npu-translate", ArrayRef(argv, argc),
                               [&](runtime::SarifLog &log) { return run(argc, argv, log); });
}
