//===- ExternalData.cpp - weights that are in files beside a model --------===//
//
// The path is opened component by component without following links, so that there is no moment
// between a check and the use of what was checked.
//
//===----------------------------------------------------------------------===//

#include "ExternalData.h"

#include "NPU/Support/OutputFiles.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace mlir;
using namespace npu;

static llvm::Error refuse(StringRef location, const Twine &reason) {
  return createStringError("external data '" + location + "': " + reason);
}

static llvm::Error refuseErrno(StringRef location, int error) {
  if (error == ELOOP || error == ENOTDIR)
    return refuse(location, "expected a file beneath the model's directory without symbolic links");
  return refuse(location, std::generic_category().message(error));
}

llvm::Expected<ExternalData::File> ExternalData::open(StringRef location) {
  auto [known, isNew] = files.try_emplace(location);
  if (!isNew && known->second)
    return known->second;
  if (directory.empty())
    return refuse(location, "the model has no directory to look in; import it from a file");
  SmallVector<StringRef> components;
  location.split(components, '/');
  for (StringRef component : components)
    if (component.empty() || component == "." || component == ".." || component.contains('\0'))
      return refuse(location, "expected a relative path without '.' and '..'");

  int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return refuseErrno(location, errno);
  llvm::scope_exit close([&] { ::close(descriptor); });
  for (auto [index, component] : enumerate(components)) {
    bool isLast = index + 1 == components.size();
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY);
    int next = ::openat(descriptor, component.str().c_str(), flags);
    if (next < 0)
      return refuseErrno(location, errno);
    ::close(descriptor);
    descriptor = next;
  }
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return refuseErrno(location, errno);
  if (!S_ISREG(status.st_mode))
    return refuse(location, "expected a regular file");
  if (status.st_nlink != 1)
    return refuse(location, "expected a file without other hard links");
  std::error_code error;
  // An empty file cannot be mapped; tensors without elements read nothing of it.
  auto file = status.st_size == 0 ? std::make_shared<llvm::sys::fs::mapped_file_region>()
                                  : std::make_shared<llvm::sys::fs::mapped_file_region>(
                                        descriptor, llvm::sys::fs::mapped_file_region::readonly,
                                        status.st_size, /*offset=*/0, error);
  if (error)
    return refuse(location, error.message());
  protectInput(directory + "/" + location.str());
  known->second = file;
  return file;
}
