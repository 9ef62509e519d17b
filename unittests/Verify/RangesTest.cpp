//===- RangesTest.cpp - addresses, rights, spaces, types ------------------===//

#include "Oracle.h"

#include "NPU/Target/Verify/Verify.h"

using namespace npu;
using namespace npu::test;

static std::string verifyStream(const std::string &body, const std::string &engine = "vpu",
                                const std::string &target = "npu-v1") {
  return getMessage(verifyRanges(parse(".kernel \"k\"\n.target \"" + target + R"("
.region 0 input "x" 1024
.region 1 output "y" 1024
.region 2 constants "w" 4
.data 2 "00000000"
.stream 0 )" + engine + "\n" + body + "\nhalt\n")));
}

static std::string vpuFill(const std::string &address, const std::string &shape,
                           const std::string &type = "i8") {
  return "vpu.fill shape=[" + shape + "], dst=" + type + " " + address +
         " strides(0, 0, 256, 1), value={bits=0}";
}

TEST(Ranges, ChipAddresses) {
  EXPECT_EQ(verifyStream(vpuFill("sram[1048320]", "1, 1, 1, 256")), "");
  EXPECT_EQ(
      verifyStream("loop 3\n" + vpuFill("sram[1048064 + 128*i0]", "1, 1, 1, 256") + "\nendloop"),
      "");
  EXPECT_EQ(
      verifyStream("loop 4\n" + vpuFill("sram[1048064 + 128*i0]", "1, 1, 1, 256") + "\nendloop"),
      "range: stream cluster 0 vpu, instruction 1 'vpu.fill' at i0 = 3: operand 'dst' writes "
      "bytes [1048448, 1048704) of cluster 0 sram, which has 1048576 bytes");
  EXPECT_EQ(verifyStream("loop 4\n" + vpuFill("sram[128 - 64*i0]", "1, 1, 1, 1") + "\nendloop"),
            "range: stream cluster 0 vpu, instruction 1 'vpu.fill' at i0 = 3: operand 'dst' writes "
            "bytes [-64, -63) of cluster 0 sram, which has 1048576 bytes");
}

TEST(Ranges, RaggedRows) {
  // 130 rows of 256 bytes at the end of the memory, in tiles of 64 rows.
  auto rows = [](int64_t base) {
    return verifyStream("loop 3\n" +
                        vpuFill("sram[" + std::to_string(base) + " + 16384*i0]",
                                "1, 1, clamp(130 - 64*i0, 64), 256") +
                        "\nendloop");
  };
  EXPECT_EQ(rows(1048576 - 130 * 256), "");
  EXPECT_EQ(rows(1048576 - 130 * 256 + 1),
            "range: stream cluster 0 vpu, instruction 1 'vpu.fill' at i0 = 2: operand 'dst' writes "
            "bytes [1048065, 1048577) of cluster 0 sram, which has 1048576 bytes");
}

TEST(Ranges, IterationsThatTouchNothing) {
  // The third iteration is empty, so its address does not matter.
  EXPECT_EQ(verifyStream("loop 3\n" +
                         vpuFill("sram[256 - 256*i0]", "1, 1, clamp(128 - 64*i0, 64), 1") +
                         "\nendloop"),
            "");
  EXPECT_EQ(verifyStream(vpuFill("sram[4000000]", "1, 1, 0, 1")), "");
}

TEST(Ranges, Rings) {
  auto ring = [](std::string position, int64_t trips) {
    return verifyStream(
        "loop " + std::to_string(trips) + "\n" +
        vpuFill("sram[1048064, ring(" + position + ", depth=3, slot=256)]", "1, 1, 1, 256") +
        "\nendloop");
  };
  EXPECT_EQ(ring("i0", 2), "");
  EXPECT_EQ(ring("3*i0", 2), ""); // decided by trying
  EXPECT_EQ(ring("-1 + i0", 3),
            "range: stream cluster 0 vpu, instruction 1 'vpu.fill' at i0 = 0: operand 'dst' writes "
            "bytes [1048576, 1048832) of cluster 0 sram, which has 1048576 bytes");
}

TEST(Ranges, DramWindows) {
  auto store = [](std::string dims) {
    return verifyStream("loop 4\ndma.store to={region=1, type=i8}, from=sram[0], dims=[" + dims +
                            "]\nendloop",
                        "dmao");
  };
  // 3 rows and columns of padding on either side of a 32 x 32 tensor.
  EXPECT_EQ(store("{extent=38, dram_stride=32, chip_stride=38, origin=-3, high=32}, "
                  "{extent=38, dram_stride=1, chip_stride=1, origin=-3, high=32}"),
            "");
  EXPECT_EQ(store("{extent=10, dram_stride=32, chip_stride=38, origin=10*i0, high=33}, "
                  "{extent=32, dram_stride=1, chip_stride=1, high=32}"),
            "range: stream cluster 0 dmao, instruction 1 'dma.store' at i0 = 3: operand 'to' "
            "writes bytes [960, 1056) of region 'y', which has 1024 bytes");
  EXPECT_EQ(store("{extent=clamp(32 - 10*i0, 10), dram_stride=32, chip_stride=38, origin=10*i0, "
                  "high=1000}, {extent=32, dram_stride=1, chip_stride=1, high=32}"),
            "");
}

TEST(Ranges, JoinedDimensions) {
  auto load = [](std::string blocks, std::string high, std::string blocksHigh = "100") {
    return verifyStream("dma.load from={region=0, type=i8}, to=sram[0], dims=[{extent=" + blocks +
                            ", chip_stride=512, high=" + blocksHigh +
                            "}, {extent=8, dram_stride=32, chip_stride=8, "
                            "high=32}, {extent=8, dram_stride=1, chip_stride=1, block=8, high=" +
                            high + "}]",
                        "dmai");
  };
  EXPECT_EQ(load("4", "32"), "");
  EXPECT_EQ(load("120", "32"), "");
  EXPECT_EQ(load("120", "1000"), "");
  EXPECT_EQ(load("120", "1000", "1000"),
            "range: stream cluster 0 dmai, instruction 0 'dma.load': operand 'from' reads bytes "
            "[0, 1184) of region 'x', which has 1024 bytes");
}

TEST(Ranges, ABlockThatNoSecondFollows) {
  EXPECT_EQ(verifyStream("dma.load from={region=0, type=i8}, to=sram[0], dims=[{extent=2, high=1}, "
                         "{extent=1, dram_stride=549755813887, block=4294967295, high=1}, "
                         "{extent=2000, dram_stride=1, chip_stride=1, high=2000}]",
                         "dmai"),
            "range: stream cluster 0 dmai, instruction 0 'dma.load': operand 'from' reads bytes "
            "[0, 2000) of region 'x', which has 1024 bytes");
}

TEST(Ranges, Overflow) {
  EXPECT_EQ(verifyStream("loop 4000000000\n" + vpuFill("sram[500000000000*i0]", "1, 1, 1, 1") +
                         "\nendloop"),
            "range: stream cluster 0 vpu, instruction 1 'vpu.fill': field 'base' leaves "
            "-2^58..2^58 in some iteration");
}

TEST(Ranges, Rights) {
  EXPECT_EQ(
      verifyStream("dma.store to={region=0, type=i8}, from=sram[0], dims=[{extent=1, high=1}]",
                   "dmao"),
      "access rights: stream cluster 0 dmao, instruction 0 'dma.store': writes region 'x' of "
      "kind 'input'; only scratch, output and inout regions may be written");
  EXPECT_EQ(
      verifyStream("dma.store to={region=2, type=i8}, from=sram[0], dims=[{extent=1, high=1}]",
                   "dmao"),
      "access rights: stream cluster 0 dmao, instruction 0 'dma.store': writes region 'w' of "
      "kind 'constants'; only scratch, output and inout regions may be written");
}

TEST(Ranges, Spaces) {
  EXPECT_EQ(verifyStream("dma.load from={region=0, type=i8}, to=acc[0], dims=[{extent=1, high=1}]",
                         "dmai"),
            "operand space: stream cluster 0 dmai, instruction 0 'dma.load': operand 'to' must lie "
            "in sram, found acc");
  EXPECT_EQ(
      verifyStream("mxu.matmul accumulate=i8 never, a=sram[0], b=sram[0], out=sram[0], m=1, n=1, "
                   "k=1",
                   "mxu"),
      "operand space: stream cluster 0 mxu, instruction 0 'mxu.matmul': operand 'out' must "
      "lie in acc, found sram");
  EXPECT_EQ(verifyStream("mxu.matmul accumulate=i8 never start(acc[0]), a=sram[0], b=sram[0], "
                         "out=acc[64], m=1, n=1, k=1",
                         "mxu"),
            "operand space: stream cluster 0 mxu, instruction 0 'mxu.matmul': operand 'start' must "
            "lie in sram, found acc");
  EXPECT_EQ(verifyStream("vpu.table8 shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=i8 "
                         "sram[0] strides(0, 0, 0, 1), table=acc[0]"),
            "operand space: stream cluster 0 vpu, instruction 0 'vpu.table8': operand 'table' must "
            "lie in sram, found acc");
}

TEST(Ranges, Alignment) {
  EXPECT_EQ(verifyStream(vpuFill("sram[2]", "1, 1, 1, 1", "f32")),
            "alignment: stream cluster 0 vpu, instruction 0 'vpu.fill': operand 'dst' has base 2, "
            "expected a multiple of its 4-byte elements");
  EXPECT_EQ(verifyStream(vpuFill("sram[0]", "1, 1, 1, 2", "f16")),
            "alignment: stream cluster 0 vpu, instruction 0 'vpu.fill': operand 'dst' has stride "
            "1, expected a multiple of its 2-byte elements");
}

TEST(Ranges, AlignmentOfIterationsThatTouchNothing) {
  // The stride is no matter where there is one row, the base none where there is nothing.
  EXPECT_EQ(verifyStream("loop 2\n" + vpuFill("sram[i0]", "1, 1, 1, clamp(1 - i0, 1)", "f16") +
                         "\nendloop"),
            "");
  EXPECT_EQ(verifyStream("loop 2\n" + vpuFill("sram[i0]", "1, 1, 1, 1", "f16") + "\nendloop"),
            "alignment: stream cluster 0 vpu, instruction 1 'vpu.fill': operand 'dst' has "
            "coefficient of i0 1, expected a multiple of its 2-byte elements");
}

TEST(Ranges, DramHasNoAlignment) {
  EXPECT_EQ(verifyStream("dma.load from={region=0, type=f32, base=3}, to=sram[0], dims=[{extent=9, "
                         "dram_stride=5, chip_stride=4, high=9}]",
                         "dmai"),
            "");
}

static std::string verifyBinary(const std::string &kind, const std::string &dst,
                                const std::string &a, const std::string &b) {
  return verifyStream("vpu.binary shape=[1, 1, 1, 1], dst=" + dst +
                      " sram[0] strides(0, 0, 0, 4), a=" + a + " sram[8] strides(0, 0, 0, 4), b=" +
                      b + " sram[16] strides(0, 0, 0, 4), op={kind=" + kind + "}");
}

TEST(Ranges, FunctionsAndTheirTypes) {
  const std::string place = "operand type: stream cluster 0 vpu, instruction 0 'vpu.binary': ";
  EXPECT_EQ(verifyBinary("and", "i32", "i8", "i16"), "");
  EXPECT_EQ(verifyBinary("add", "bf16", "f32", "f16"), "");
  EXPECT_EQ(verifyBinary("cmplt", "i8", "f32", "f16"), "");
  EXPECT_EQ(verifyBinary("and", "f32", "f32", "f32"),
            place + "function 'and' has no float form, but operand 'a' is f32");
  EXPECT_EQ(verifyBinary("cmplt", "f32", "f32", "f32"),
            place + "operand 'dst' must be an integer type, found f32; the result of 'cmplt'");
  EXPECT_EQ(verifyBinary("add", "i32", "f32", "f32"),
            place + "operand 'dst' must be a float type, found i32; 'a' is f32");
  EXPECT_EQ(verifyBinary("add", "f32", "f32", "i32"),
            place + "operand 'b' must be a float type, found i32; 'a' is f32");
  EXPECT_EQ(
      verifyStream("vpu.unary shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=i8 sram[8] "
                   "strides(0, 0, 0, 1), op={kind=exp}"),
      "operand type: stream cluster 0 vpu, instruction 0 'vpu.unary': function 'exp' has no "
      "integer form, but operand 'a' is i8");
  EXPECT_EQ(
      verifyStream("vpu.select shape=[1, 1, 1, 1], dst=f32 sram[0] strides(0, 0, 0, 4), "
                   "condition=f32 sram[8] strides(0, 0, 0, 4), a=f32 sram[8] strides(0, 0, 0, 4), "
                   "b=f32 sram[8] strides(0, 0, 0, 4)"),
      "operand type: stream cluster 0 vpu, instruction 0 'vpu.select': operand 'condition' "
      "must be i8 or i16 or i32, found f32");
}

TEST(Ranges, Types) {
  EXPECT_EQ(
      verifyStream("mxu.matmul accumulate=f16 never, a=sram[0], b=sram[0], out=acc[0], m=1, n=1, "
                   "k=1",
                   "mxu", "npu-tiny"),
      "operand type: stream cluster 0 mxu, instruction 0 'mxu.matmul': the array of target "
      "'npu-tiny' does not multiply f16");
  EXPECT_EQ(verifyStream(vpuFill("sram[0]", "1, 1, 1, 1", "f32"), "vpu", "npu-tiny"),
            "operand type: stream cluster 0 vpu, instruction 0 'vpu.fill': operand 'dst' is f32, "
            "but the vector unit of target 'npu-tiny' has no floats");
  // The scale of a requantization is f32 on every target.
  EXPECT_EQ(
      verifyStream("vpu.requant shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=i32 "
                   "acc[0] strides(0, 0, 0, 4), scale=f32 sram[4] strides(0, 0, 0, 0), "
                   "op={high=127}",
                   "vpu", "npu-tiny"),
      "");
  EXPECT_EQ(verifyStream("vpu.table8 shape=[1, 1, 1, 1], dst=i16 sram[0] strides(0, 0, 0, 2), a=i8 "
                         "sram[0] strides(0, 0, 0, 1), table=sram[0]"),
            "operand type: stream cluster 0 vpu, instruction 0 'vpu.table8': operand 'dst' must be "
            "i8, found i16");
  EXPECT_EQ(verifyStream("dma.load from={region=0, type=i8}, to=sram[0], flags={clusters=2}, "
                         "dims=[{extent=1, high=1}]",
                         "dmai"),
            "operand type: stream cluster 0 dmai, instruction 0 'dma.load': the multicast mask 2 "
            "names a cluster past the 1 of target 'npu-v1'");
}

TEST(Ranges, Convolution) {
  // A 3 x 3 window of stride 2 over rows of 66 pixels of 4 bytes needs 2 * (h - 1) + 3 rows.
  auto conv = [](int64_t h) {
    return verifyStream(
        "mxu.conv accumulate=i8 never, in=sram[1044092], in_pitch={row_bytes=264, "
        "pixel_bytes=4}, weights=sram[0], weights_panel={panel_bytes=1152}, out=acc[0], "
        "out_pitch={row_bytes=4096, pixel_bytes=128}, window={stride_h=2, stride_w=2, "
        "dilation_h=1, dilation_w=1, tap_row_bytes=384, tap_bytes=128}, h=" +
            std::to_string(h) + ", w=32, f=32, c=4, y=3, x=3",
        "mxu");
  };
  EXPECT_EQ(conv(8), "");
  EXPECT_NE(conv(9), "");
}
