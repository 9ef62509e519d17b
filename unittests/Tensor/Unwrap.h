//===- Unwrap.h - values of expected results in tests ---------------------===//

#ifndef NPU_UNITTESTS_RUNTIME_UNWRAP_H
#define NPU_UNITTESTS_RUNTIME_UNWRAP_H

#include "llvm/Support/Error.h"

/// The value, or the end of the test with the error's text, in every build type.
template <typename T>
T unwrap(llvm::Expected<T> value) {
  static const llvm::ExitOnError exitOnError("unexpected error: ");
  return exitOnError(std::move(value));
}

#endif // NPU_UNITTESTS_RUNTIME_UNWRAP_H
