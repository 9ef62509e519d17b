//===- Shared.h - inputs that lie beside the repository ---------*- C++ -*-===//
//
// Some tests read real inputs (dumps of IREE, networks, public instances) from ../shared, which is
// no part of the repository. Where it is absent they are skipped. With NPU_REQUIRE_CORPUS=1, as
// continuous integration has it, they run and fail.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_UNITTESTS_SHARED_H
#define NPU_UNITTESTS_SHARED_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <string>

namespace npu {

/// The path of a file or folder of ../shared.
inline std::string getSharedPath(const llvm::Twine &name) {
  return (NPU_SOURCE_DIR "/../shared/" + name).str();
}

/// Whether tests on ../shared are to be skipped.
inline bool lacksShared() {
  const char *required = std::getenv("NPU_REQUIRE_CORPUS");
  return !llvm::sys::fs::is_directory(getSharedPath("corpus")) &&
         !(required && llvm::StringRef(required) == "1");
}

} // namespace npu

/// The first statement of a test that reads ../shared.
#define NPU_NEEDS_SHARED()                                                                         \
  if (npu::lacksShared())                                                                          \
  GTEST_SKIP() << "no corpus at " << npu::getSharedPath("corpus")

#endif // NPU_UNITTESTS_SHARED_H
