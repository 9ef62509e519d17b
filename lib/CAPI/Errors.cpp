//===- Errors.cpp - errors and strings for callers in C -------------------===//

#include "Handles.h"

#include "NPU/Support/EscapeText.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace npu;

void npuFreeString(char *string) { std::free(string); }

char *capi::copyString(StringRef text) {
  char *copy = static_cast<char *>(safe_malloc(text.size() + 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

NpuStatus capi::report(Error error, char **message) {
  if (message)
    *message = nullptr;
  if (!error)
    return NPU_OK;
  NpuStatus status = error.isA<sim::Trap>()             ? NPU_TRAP
                     : error.isA<runtime::UsageError>() ? NPU_BAD_USAGE
                                                        : NPU_BAD_INPUT;
  std::string text = toString(std::move(error));
  if (message)
    *message = copyString(escapeLines(StringRef(text).rtrim()));
  return status;
}

Error capi::checkPointer(const void *pointer, StringRef what) {
  if (pointer)
    return Error::success();
  return make_error<runtime::UsageError>(("expected " + what + ", found NULL").str());
}
