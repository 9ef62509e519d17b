//===- InputFile.cpp - reading files of any kind and size -----------------===//

#include "NPU/Support/InputFile.h"

#include "NPU/Support/HostMemory.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

static Error makeErrno(int code) {
  return createStringError(std::error_code(code, std::generic_category()).message());
}

static Error makeTooLong(uint64_t maxBytes) {
  return createStringError("expected at most " + Twine(maxBytes) + " bytes, found more");
}

static const char *describeKind(mode_t mode) {
  return S_ISFIFO(mode)   ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
         : S_ISDIR(mode)  ? "a directory"
                          : "a device";
}

/// Whether reading something other than a regular file comes to an end.
static bool mayEnd(int descriptor, const struct stat &status) {
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(descriptor))
    return true;
  struct stat null;
  return S_ISCHR(status.st_mode) && ::stat("/dev/null", &null) == 0 &&
         null.st_rdev == status.st_rdev;
}

/// Reads to the end.
static Expected<std::unique_ptr<MemoryBuffer>> readStream(int descriptor, StringRef name,
                                                          uint64_t maxBytes) {
  constexpr size_t pieceBytes = 1 << 16;
  SmallString<0> contents;
  for (;;) {
    size_t size = contents.size();
    contents.resize_for_overwrite(size + pieceBytes);
    ssize_t count =
        sys::RetryAfterSignal(-1, ::read, descriptor, contents.data() + size, pieceBytes);
    if (count < 0)
      return makeErrno(errno);
    contents.truncate(size + count);
    if (contents.size() > maxBytes)
      return makeTooLong(maxBytes);
    if (count == 0)
      return std::make_unique<SmallVectorMemoryBuffer>(std::move(contents), name);
  }
}

Expected<std::unique_ptr<MemoryBuffer>> npu::readInput(StringRef path,
                                                       const InputOptions &options) {
  uint64_t maxBytes = options.maxBytes ? options.maxBytes : uint64_t(getHostMemoryBytes());
  if (options.allowsStdin && path == "-")
    return readStream(STDIN_FILENO, "<stdin>", maxBytes);
  // The file system would take what is before it.
  if (path.contains('\0'))
    return createStringError("expected a file name without a zero byte, found one");
  // Opening a pipe waits for its other end, and that of a terminal makes it ours.
  int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (options.isNamedByData ? O_NONBLOCK : 0);
  int descriptor = sys::RetryAfterSignal(-1, ::open, path.str().c_str(), flags);
  if (descriptor < 0)
    return makeErrno(errno);
  scope_exit close([&] { ::close(descriptor); });
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return makeErrno(errno);
  if (S_ISDIR(status.st_mode))
    return makeErrno(EISDIR);
  if (!S_ISREG(status.st_mode)) {
    if (options.isNamedByData || !mayEnd(descriptor, status))
      return createStringError(Twine("expected a regular file") +
                               (options.isNamedByData ? "" : " or a pipe") + ", found " +
                               describeKind(status.st_mode));
    return readStream(descriptor, path, maxBytes);
  }
  if (uint64_t(status.st_size) > maxBytes)
    return makeTooLong(maxBytes);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getOpenFile(
      descriptor, path, status.st_size, options.needsTerminator, options.isVolatile);
  if (!buffer)
    return createStringError(buffer.getError().message());
  return std::move(*buffer);
}
