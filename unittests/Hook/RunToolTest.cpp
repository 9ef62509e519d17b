//===- RunToolTest.cpp - external programs --------------------------------===//

#include "RunTool.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace npu::hook;

/// What `sh -c script` does with `input`.
static std::string runScript(StringRef script, StringRef input, const ToolLimits &limits,
                             ToolOutput &output) {
  return toString(runTool({"sh", "-c", script.str()}, input, limits, output));
}

TEST(RunTool, PassesAllBytes) {
  std::string input(3 << 20, 'x');
  for (size_t index = 0; index < input.size(); ++index)
    input[index] = char(index * 31);
  ToolOutput output;
  EXPECT_EQ(runScript("cat", input, {}, output), "");
  EXPECT_TRUE(output.text == input);
  EXPECT_EQ(output.errors, "");
}

TEST(RunTool, ReadsBothStreamsToTheirEnd) {
  ToolOutput output;
  EXPECT_EQ(runScript("head -c 300000 /dev/zero >&2; echo end; exec >&-; sleep 0.1; echo late >&2",
                      "", {}, output),
            "");
  EXPECT_EQ(output.text, "end\n");
  EXPECT_EQ(output.errors.size(), size_t(64 << 10));
}

TEST(RunTool, KeepsToItsLimits) {
  ToolLimits limits;
  limits.outputBytes = 1 << 20;
  ToolOutput output;
  EXPECT_EQ(runScript("head -c 1048576 /dev/zero", "", limits, output), "");
  EXPECT_EQ(runScript("head -c 1048577 /dev/zero", "", limits, output), "printed more than 1 MiB");
  limits.timeout = std::chrono::seconds(1);
  ToolOutput silent;
  EXPECT_EQ(runScript("exec >&- 2>&-; sleep 1000", "", limits, silent), "did not end within 1 s");
}

TEST(RunTool, LimitsCpuTime) {
  ToolLimits limits;
  limits.cpuTime = std::chrono::seconds(1);
  ToolOutput output;
  EXPECT_EQ(runScript("while :; do :; done", "", limits, output), "used more than 1 s of CPU time");
  // Who ignores the signal is killed.
  EXPECT_EQ(runScript("trap '' XCPU; while :; do :; done", "", limits, output),
            "was killed by signal 9 (Killed)");
}

TEST(RunTool, LimitsMemory) {
  ToolLimits limits;
  ToolOutput output;
  limits.memoryBytes = uint64_t(64) << 20;
  EXPECT_EQ(runScript("ulimit -v", "", limits, output), "");
  EXPECT_EQ(output.text, "65536\n");
  // Nothing is left for a block of 256 MiB.
  EXPECT_EQ(runScript("exec dd if=/dev/zero of=/dev/null bs=256M count=1", "", limits, output),
            "exited with code 1");
  EXPECT_TRUE(StringRef(output.errors).contains("memory exhausted")) << output.errors;
}

TEST(RunTool, LimitsFilesAndLeavesNoCore) {
  ToolLimits limits;
  ToolOutput output;
  limits.fileBytes = 1 << 20;
  EXPECT_EQ(runScript("head -c 1048576 /dev/zero > $TMPDIR/file; ulimit -c", "", limits, output),
            "");
  EXPECT_EQ(output.text, "0\n");
  EXPECT_EQ(runScript("exec head -c 1048577 /dev/zero > $TMPDIR/file", "", limits, output),
            "wrote a file of more than 1 MiB");
}

TEST(RunTool, RemovesItsDirectory) {
  ToolOutput output;
  EXPECT_EQ(runScript("mkdir $TMPDIR/a; echo x > $TMPDIR/a/b; printf %s $TMPDIR", "", {}, output),
            "");
  EXPECT_FALSE(output.text.empty());
  EXPECT_FALSE(sys::fs::exists(output.text));
}

TEST(RunTool, SaysHowAToolEnded) {
  ToolOutput output;
  EXPECT_EQ(runScript("exit 7", "", {}, output), "exited with code 7");
  EXPECT_EQ(runScript("kill -ABRT $$", "", {}, output), "was killed by signal 6 (Aborted)");
  EXPECT_EQ(toString(runTool({"no-such-tool"}, "", {}, output)),
            "was found neither beside npu-opt nor in PATH");
  EXPECT_EQ(toString(runTool({"/no/such/tool"}, "", {}, output)),
            "cannot be run: No such file or directory");
}
