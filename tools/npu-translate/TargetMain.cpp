//===- TargetMain.cpp - npu-translate --target-to-json --------------------===//

#include "TargetMain.h"

#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace npu;

static constexpr char commandName[] = "target-to-json";

static cl::opt<TargetName> &getCommand() {
  static cl::opt<TargetName> command(commandName,
                                     cl::desc("Write a chip as a file for --target=@file"),
                                     cl::value_desc("name[:parameter=value,...]"));
  return command;
}

void npu::registerTargetCommand() { getCommand(); }

bool npu::isTargetCommand(int argc, char **argv) {
  return any_of(ArrayRef(argv, argc).drop_front(), [](StringRef argument) {
    return argument.starts_with("-") && argument.ltrim('-').split('=').first == commandName;
  });
}

int npu::targetMain(int argc, char **argv, ToolLog &log) {
  cl::opt<std::string> output("o", cl::desc("The output file"), cl::value_desc("file"),
                              cl::init("-"));
  if (!cl::ParseCommandLineOptions(argc, argv, "NPU targets\n", &errs()))
    return 2;
  auto fail = [&](const Twine &message, int code) {
    errs() << "npu-translate: error: " << escapeText(message.str()) << "\n";
    log.addError(message);
    return code;
  };
  if (std::optional<StringRef> other =
          findGivenOption({"mlir-*", "npu-*", "onnx-*", "target", "memory-limit", "report"}))
    return fail("--" + *other + " has no effect on --" + commandName + "; leave it out", 2);
  std::string text;
  raw_string_ostream os(text);
  Error error = printTargetAsJSON(getCommand(), os);
  OutputFiles files;
  if (!error)
    error = files.write(output, text);
  if (!error)
    error = files.commit();
  if (!error)
    return 0;
  return fail(toString(std::move(error)), 1);
}
