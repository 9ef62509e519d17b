//===- TargetMain.cpp - npu-translate --target-to-json --------------------===//

#include "TargetMain.h"

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
                                     cl::desc("Write a target as a file that --target=@file reads"),
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
  cl::opt<std::string> output("o", cl::desc("Output file"), cl::value_desc("file"), cl::init("-"));
  if (!cl::ParseCommandLineOptions(argc, argv, "NPU targets\n", &errs()))
    return 2;
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
  std::string message = toString(std::move(error));
  errs() << "npu-translate: error: " << escapeText(message) << "\n";
  log.addError(message);
  return 1;
}
