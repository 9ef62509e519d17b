//===- HostObjectTest.cpp - the launching functions of host objects -------===//

#include "HostObject.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace llvm;
using namespace npu::hook;

namespace {
/// What npu_launch was called with last.
struct Launch {
  std::vector<uint8_t> program;
  std::vector<void *> buffers;
};
Launch lastLaunch;
} // namespace

static void recordLaunch(const void *program, size_t programBytes, void *const *buffers,
                         size_t numBuffers) {
  auto *bytes = static_cast<const uint8_t *>(program);
  lastLaunch.program.assign(bytes, bytes + programBytes);
  lastLaunch.buffers.assign(buffers, buffers + numBuffers);
}

TEST(HostObject, LaunchesItsProgramOnTheBuffers) {
  std::vector<uint8_t> program(1000);
  for (size_t index = 0; index < program.size(); ++index)
    program[index] = index * 7;
  auto object = createHostObject(program, "entry_npu", 2, sys::getProcessTriple());
  ASSERT_TRUE(bool(object)) << toString(object.takeError());

  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto jit = cantFail(orc::LLJITBuilder().create());
  cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(
      {{jit->mangleAndIntern("npu_launch"),
        {orc::ExecutorAddr::fromPtr(recordLaunch), JITSymbolFlags::Exported}}})));
  cantFail(jit->addObjectFile(
      MemoryBuffer::getMemBufferCopy(StringRef(object->data(), object->size()))));
  auto *entry =
      cantFail(jit->lookup("entry_npu")).toPtr<void (*)(char *, size_t, char *, size_t)>();

  char first[64], second[64];
  entry(first, 0, second, 48);
  EXPECT_EQ(lastLaunch.program, program);
  EXPECT_EQ(lastLaunch.buffers, (std::vector<void *>{first, second + 48}));
}

// IREE's embedded executables are linked without libraries and have no writable data.
TEST(HostObject, NeedsNothingButTheDriver) {
  for (StringRef triple : {"x86_64-unknown-unknown-eabi-elf", "aarch64-unknown-unknown-eabi-elf",
                           "riscv32-unknown-unknown-eabi-elf"}) {
    auto object = createHostObject({1, 2, 3}, "entry_npu", 3, triple);
    ASSERT_TRUE(bool(object)) << toString(object.takeError());
    auto file = cantFail(object::ObjectFile::createObjectFile(
        MemoryBufferRef(StringRef(object->data(), object->size()), triple)));
    std::vector<std::string> undefined;
    for (const object::SymbolRef &symbol : file->symbols())
      if ((cantFail(symbol.getFlags()) & object::SymbolRef::SF_Undefined) &&
          !cantFail(symbol.getName()).empty())
        undefined.push_back(cantFail(symbol.getName()).str());
    EXPECT_EQ(undefined, std::vector<std::string>{"npu_launch"}) << triple.str();
    for (object::ELFSectionRef section : file->sections()) {
      constexpr uint64_t loaded = ELF::SHF_WRITE | ELF::SHF_ALLOC;
      EXPECT_NE(section.getFlags() & loaded, loaded) << cantFail(section.getName()).str();
    }
  }
}

TEST(HostObject, ReportsUnknownTriples) {
  auto object = createHostObject({1}, "entry_npu", 0, "npu-unknown-unknown");
  ASSERT_FALSE(bool(object));
  EXPECT_NE(toString(object.takeError()).find("npu-unknown-unknown"), std::string::npos);
}
