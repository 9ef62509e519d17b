//===- FootprintsTest.cpp - on-chip memory that a program touches -----------===//

#include "Oracle.h"

#include "NPU/Target/Verify/Footprints.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::test;

/// `<stream>.<instruction> <operand> <r or w> <memory>[<begin>, <end>)`, a line each.
static std::string describe(const std::string &streams, const std::string &target = "npu-v1") {
  std::string text;
  for (const Footprint &footprint : llvm::cantFail(collectFootprints(
           parse(".kernel \"k\"\n.target \"" + target +
                 "\"\n.region 0 input \"x\" 1024\n.region 1 output \"y\" 1024\n" + streams))))
    text += llvm::formatv("{0}.{1} {2} {3} {4} {5}[{6}, {7})\n", footprint.stream,
                          footprint.instruction, footprint.operand, footprint.writes ? "w" : "r",
                          footprint.cluster, isa::toString(footprint.space), footprint.begin,
                          footprint.end);
  return text;
}

TEST(Footprints, HoldAllIterations) {
  // A slice of 16 bytes per iteration; a ring of 3 slots; nothing, as there is nothing to fill.
  EXPECT_EQ(describe(R"(.stream 0 vpu
loop 4
vpu.fill shape=[1, 1, 1, 16], dst=i8 sram[64 + 16*i0] strides(0, 0, 256, 1), value={bits=0}
vpu.fill shape=[1, 1, 2, 16], dst=i8 acc[0, ring(i0, depth=3, slot=64)] strides(0, 0, 32, 1), value={bits=0}
vpu.fill shape=[1, 1, 0, 16], dst=i8 sram[0] strides(0, 0, 256, 1), value={bits=0}
endloop
halt
)"),
            "0.1 dst w 0 sram[64, 128)\n"
            "0.2 dst w 0 acc[0, 176)\n");
}

TEST(Footprints, NameOperandsAndClusters) {
  EXPECT_EQ(describe(R"(.stream 1 vpu
vpu.unary shape=[1, 1, 4, 16], dst=i8 sram[256] strides(0, 0, 16, 1), a=i8 sram[64] strides(0, 0, -16, 1), op={kind=neg}
halt
)",
                     "npu-v1-x4"),
            "0.0 dst w 1 sram[256, 320)\n"
            "0.0 a r 1 sram[16, 80)\n");
}
