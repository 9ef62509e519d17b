//===- HostCall.cpp - calls of generated code -----------------------------===//

#include "HostCall.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <csetjmp>
#include <cstdlib>
#include <string>

using namespace npu::runtime;

namespace {
/// One call of generated code in this thread.
class HostCall {
public:
  explicit HostCall(int64_t memoryLimit) : memoryLimit(memoryLimit), outer(current) {
    current = this;
  }
  ~HostCall() {
    for (auto [address, bytes] : blocks)
      std::free(address);
    current = outer;
  }

  llvm::Error run(llvm::function_ref<void()> code) {
    if (!setjmp(exit))
      code();
    else
      return llvm::createStringError(message);
    return llvm::Error::success();
  }

  void *allocate(size_t bytes, bool isZero) {
    if (bytes > static_cast<size_t>(memoryLimit) ||
        bytesInUse > static_cast<size_t>(memoryLimit) - bytes) {
      refusal = llvm::formatv(": its {0} bytes and the {1} of other temporaries are more than the "
                              "limit of {2}; use smaller shapes or a larger memory limit",
                              bytes, bytesInUse, memoryLimit);
      return nullptr;
    }
    void *address = isZero ? std::calloc(bytes, 1) : std::malloc(bytes);
    if (!address) {
      refusal = llvm::formatv(": the host has no {0} bytes; use smaller shapes", bytes);
      return nullptr;
    }
    blocks[address] = bytes;
    bytesInUse += bytes;
    return address;
  }

  void free(void *address) {
    auto block = blocks.find(address);
    if (block == blocks.end())
      return;
    bytesInUse -= block->second;
    blocks.erase(block);
    std::free(address);
  }

  void tell(const char *text) { message = text; }

  /// Has no object to destroy between here and `run`.
  [[noreturn]] void fail() {
    message += refusal;
    std::longjmp(exit, 1);
  }

  static thread_local HostCall *current;

private:
  std::jmp_buf exit;
  size_t bytesInUse = 0;
  int64_t memoryLimit;
  HostCall *outer;
  /// Beside the blocks, so that sanitizers see their first byte.
  llvm::DenseMap<void *, size_t> blocks;
  std::string message, refusal;
};
} // namespace

thread_local HostCall *HostCall::current = nullptr;

static void *allocate(size_t bytes) { return HostCall::current->allocate(bytes, false); }
static void *allocateZeros(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total))
    total = SIZE_MAX;
  return HostCall::current->allocate(total, true);
}
static void release(void *address) { HostCall::current->free(address); }
static int tell(const char *text) {
  HostCall::current->tell(text);
  return 0;
}
static void fail() { HostCall::current->fail(); }

llvm::orc::SymbolMap npu::runtime::getCallSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  };
  add("malloc", &allocate);
  add("calloc", &allocateZeros);
  add("free", &release);
  add("puts", &tell);
  add("abort", &fail);
  return symbols;
}

llvm::Error npu::runtime::callHostCode(int64_t memoryLimit, llvm::function_ref<void()> code) {
  return HostCall(memoryLimit).run(code);
}
