//===- ToolLog.cpp - what a tool says, for a log file ---------------------===//

#include "NPU/Support/ToolLog.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int npu::ToolLog::fail(const Twine &message, int exitCode) {
  errs() << tool << ": error: " << escapeText(message.str()) << "\n";
  addError(message);
  return exitCode;
}

int npu::ToolLog::fail(Error error) { return fail(toString(std::move(error))); }
