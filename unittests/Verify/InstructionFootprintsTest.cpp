//===- FootprintsTest.cpp - the on-chip bytes that instructions touch -----===//

#include "Oracle.h"

#include "NPU/Target/Verify/InstructionFootprints.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::test;
using namespace npu::verify;

/// `w sram 0..256` and the like of the instruction after as many loops as there are counters.
static std::string touch(const std::string &body, const std::string &engine,
                         std::vector<int64_t> counters, unsigned instruction) {
  isa::Program program = parse(".kernel \"k\"\n.target \"npu-v1\"\n.region 0 input \"x\" 4096\n"
                               ".stream 0 " +
                               engine + "\n" + body + "\nhalt\n");
  llvm::Expected<Footprints> footprints = Footprints::create(program);
  if (!footprints)
    return llvm::toString(footprints.takeError());
  isa::Counters values{};
  llvm::copy(counters, values.begin());
  std::string text;
  for (const InstructionFootprint &footprint : footprints->get(0, instruction, values))
    text += llvm::formatv("{0}{1} {2} {3}..{4};", footprint.reads ? "r" : "",
                          footprint.writes ? "w" : "", isa::toString(footprint.space),
                          footprint.begin, footprint.end);
  return text;
}

TEST(InstructionFootprints, FromTheFirstByteToTheLast) {
  std::string copy = "loop 3\nvpu.unary shape=[1, 1, clamp(130 - 64*i0, 64), 8], "
                     "dst=f32 sram[1024, ring(i0, depth=2, slot=65536)] strides(0, 0, 64, 4), "
                     "a=f32 acc[256*i0] strides(0, 0, 32, 4), op={kind=neg}\nendloop";
  // 64 rows that are 64 bytes apart, of 32 bytes each.
  EXPECT_EQ(touch(copy, "vpu", {0}, 1), "w sram 1024..5088;r acc 0..2048;");
  EXPECT_EQ(touch(copy, "vpu", {1}, 1), "w sram 66560..70624;r acc 256..2304;");
  // Two rows are left.
  EXPECT_EQ(touch(copy, "vpu", {2}, 1), "w sram 1024..1120;r acc 512..576;");
}

TEST(InstructionFootprints, Nothing) {
  EXPECT_EQ(touch("vpu.fill shape=[1, 1, 0, 1], dst=i8 sram[64] strides(0, 0, 256, 1), "
                  "value={bits=0}",
                  "vpu", {}, 0),
            "");
  EXPECT_EQ(touch("", "vpu", {}, 0), "");
}

TEST(InstructionFootprints, SumsReadWhatTheyAddTo) {
  auto matmul = [](const std::string &mode, std::vector<int64_t> counters) {
    return touch("loop 2\nmxu.matmul accumulate=i8 " + mode +
                     ", a=sram[0], a_pitch={row_bytes=64}, b=sram[4096], "
                     "b_panel={panel_bytes=2048}, out=acc[0], out_pitch={row_bytes=128}, m=2, "
                     "n=32, k=64\nendloop",
                 "mxu", counters, 1);
  };
  const std::string operands = "r sram 0..128;r sram 4096..6144;";
  EXPECT_EQ(matmul("never", {1}), operands + "w acc 0..256;");
  EXPECT_EQ(matmul("always", {0}), operands + "rw acc 0..256;");
  EXPECT_EQ(matmul("unless(i0)", {0}), operands + "w acc 0..256;");
  EXPECT_EQ(matmul("unless(i0)", {1}), operands + "rw acc 0..256;");
}
