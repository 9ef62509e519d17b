//===- HostMemory.cpp - how much memory this process may take -------------===//

#include "NPU/Support/HostMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

/// A file with a number; INT64_MAX for "max", as for files that do not exist.
static int64_t readLimit(const Twine &path) {
  // Such files have no size, and so nothing to map.
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFileAsStream(path);
  int64_t limit;
  if (!file || (*file)->getBuffer().trim().getAsInteger(10, limit))
    return INT64_MAX;
  return limit;
}

int64_t npu::getGroupMemoryLimit(StringRef membership, StringRef mountPoint) {
  int64_t limit = INT64_MAX;
  SmallVector<StringRef> lines;
  membership.split(lines, '\n');
  for (StringRef line : lines) {
    // <number>:<controllers>:<path>; version 2 has number 0 and no controllers.
    auto [controllers, path] = line.split(':').second.split(':');
    SmallVector<StringRef> names;
    controllers.split(names, ',');
    bool isOld = is_contained(names, "memory");
    if (!isOld && !controllers.empty())
      continue;
    StringRef file = isOld ? "memory.limit_in_bytes" : "memory.max";
    std::string root = (mountPoint + (isOld ? "/memory" : "")).str();
    // What limits a group limits those in it.
    for (StringRef group = path.rtrim('/');; group = group.rsplit('/').first) {
      limit = std::min(limit, readLimit(root + group + "/" + file));
      if (group.empty())
        break;
    }
  }
  return limit;
}

int64_t npu::getHostMemoryBytes() {
  static const int64_t bytes = [] {
    int64_t limit = INT64_MAX;
    int64_t pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && pageBytes > 0)
      limit = pages * pageBytes;
    if (auto membership = MemoryBuffer::getFileAsStream("/proc/self/cgroup"))
      limit = std::min(limit, getGroupMemoryLimit((*membership)->getBuffer(), "/sys/fs/cgroup"));
    for (auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
      rlimit given;
      if (getrlimit(resource, &given) == 0 && given.rlim_cur != RLIM_INFINITY)
        limit = std::min<uint64_t>(limit, given.rlim_cur);
    }
    return limit;
  }();
  return bytes;
}

Expected<npu::LazyMemory> npu::LazyMemory::create(uint64_t bytes) {
  LazyMemory result;
  if (bytes == 0)
    return std::move(result);
  void *address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    return createStringError("cannot reserve " + Twine(bytes) +
                             " bytes of memory: " + std::generic_category().message(errno));
  result.address = static_cast<uint8_t *>(address);
  result.bytes = bytes;
  return std::move(result);
}

npu::LazyMemory::~LazyMemory() {
  if (address)
    ::munmap(address, bytes);
}
