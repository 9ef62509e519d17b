//===- TileFormTest.cpp - hand-written tile form on the simulator ---------===//
//
// Kernels in tile form go through the second half of the pipeline and run on the simulator, which
// traps on races, uninitialized reads and accesses out of bounds. Results are compared with plain
// loops; the data are small integers, so every type is exact. Every wait of these programs is
// needed: without it the simulator finds a race.
//
//===----------------------------------------------------------------------===//

#include "NPU/Codegen/Steps.h"
#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Simulator/Simulator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace npu;

namespace {

/// A region's contents as elements of T.
template <typename T>
std::vector<uint8_t> toBytes(const std::vector<T> &values) {
  auto *begin = reinterpret_cast<const uint8_t *>(values.data());
  return std::vector<uint8_t>(begin, begin + values.size() * sizeof(T));
}

template <typename T>
std::vector<T> fromBytes(const std::vector<uint8_t> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Small integers that depend on the position.
template <typename T>
std::vector<T> makeData(size_t size, int seed) {
  std::vector<T> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = static_cast<T>(static_cast<int>((i * 7 + i / 13 + seed) % 9) - 4);
  return values;
}

class TileFormTest : public ::testing::Test {
protected:
  TileFormTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The program of the only kernel of a module in tile form.
  isa::Program compile(llvm::StringRef source) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    mlir::PassManager pm(&context);
    populatePlannedFormPipeline(pm);
    pm.addPass(createConvertNPUToNPUISA());
    EXPECT_TRUE(mlir::succeeded(pm.run(*module)));
    for (auto op : module->getOps<isa::ProgramOp>()) {
      llvm::FailureOr<isa::Program> program = isa::toProgram(op);
      EXPECT_TRUE(mlir::succeeded(program));
      return *program;
    }
    ADD_FAILURE() << "no program";
    return {};
  }

  /// Runs the program on `regions`; returns the message of the trap, or nothing.
  static std::string run(const isa::Program &program, std::vector<std::vector<uint8_t>> &regions) {
    std::vector<llvm::MutableArrayRef<uint8_t>> views(regions.begin(), regions.end());
    llvm::Expected<sim::Result> result = sim::simulate(program, views);
    return result ? "" : llvm::toString(result.takeError());
  }

  /// Removes one wait after the other and expects a race each time.
  static void expectEveryWaitNeeded(const isa::Program &program,
                                    const std::vector<std::vector<uint8_t>> &regions) {
    for (size_t s = 0; s < program.streams.size(); ++s) {
      for (size_t i = 0; i < program.streams[s].code.size(); ++i) {
        for (unsigned which : {0, 1}) {
          isa::Program changed = program;
          isa::Sync *sync = isa::getSync(changed.streams[s].code[i]);
          if (!sync || (which == 0 ? sync->wait0 : sync->wait1) == 0)
            continue;
          if (which == 0) {
            sync->wait0 = sync->wait1;
            sync->value0 = sync->value1;
          }
          sync->wait1 = 0;
          sync->value1 = isa::Affine();
          std::vector<std::vector<uint8_t>> scratch = regions;
          EXPECT_NE(run(changed, scratch), "")
              << isa::describe(program.streams[s]) << ", instruction " << i << ", wait " << which;
        }
      }
    }
  }

  mlir::MLIRContext context;
};

constexpr llvm::StringLiteral matmulSource = R"(
#row = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
npu.kernel @matmul(%A: memref<20x40xf32, #npu.space<dram>>, %B: memref<40x70xf32, #npu.space<dram>>,
                   %bias: memref<70xf32, #npu.space<dram>>,
                   %out: memref<20x70xf32, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"TARGET">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %m = affine.min affine_map<(d0) -> (20 - d0 * 8, 8)>(%i)
      %n = affine.min affine_map<(d0) -> (70 - d0 * 32, 32)>(%j)
      %om = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      %on = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<8x32xf32, #npu.space<acc>>
      scf.for %kk = %c0 to %c3 step %c1 {
        %k = affine.min affine_map<(d0) -> (40 - d0 * 16, 16)>(%kk)
        %ok = affine.apply affine_map<(d0) -> (d0 * 16)>(%kk)
        %a = memref.alloc() {npu.buffers = 2 : i64} : memref<8x16xf32, #npu.space<sram>>
        npu.dma_load %A[%om, %ok] -> %a extents(%m, %k)
            : memref<20x40xf32, #npu.space<dram>> to memref<8x16xf32, #npu.space<sram>>
        %b = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16x32xf32, #npu.space<sram>>
        npu.dma_load %B[%ok, %on] -> %b extents(%c1, %k, %c32) fill(0.0 : f32)
            {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>}
            : memref<40x70xf32, #npu.space<dram>> to memref<1x16x32xf32, #npu.space<sram>>
        npu.matmul %a, %b -> %acc extents(%m, %n, %k) init(%kk) {packed}
            : memref<8x16xf32, #npu.space<sram>>, memref<1x16x32xf32, #npu.space<sram>>
           -> memref<8x32xf32, #npu.space<acc>>
      }
      %bt = memref.alloc() {npu.buffers = 2 : i64} : memref<32xf32, #npu.space<sram>>
      npu.dma_load %bias[%on] -> %bt extents(%n)
          : memref<70xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
      %t = memref.alloc() {npu.buffers = 2 : i64} : memref<8x32xf32, #npu.space<sram>>
      npu.binary add %acc, %bt -> %t extents(%m, %n) {indexing_maps = [#id, #row, #id]}
          : memref<8x32xf32, #npu.space<acc>>, memref<32xf32, #npu.space<sram>>
         -> memref<8x32xf32, #npu.space<sram>>
      npu.binary max %t -> %t extents(%m, %n) {imm = 0.0 : f32}
          : memref<8x32xf32, #npu.space<sram>> -> memref<8x32xf32, #npu.space<sram>>
      npu.dma_store %t -> %out[%om, %on] extents(%m, %n)
          : memref<8x32xf32, #npu.space<sram>> to memref<20x70xf32, #npu.space<dram>>
    } {npu.clusters = SPLIT1 : i64}
  } {npu.clusters = SPLIT0 : i64}
  npu.return
})";

std::string replaceAll(std::string text, llvm::StringRef from, llvm::StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to.str());
  return text;
}

std::string getMatmul(llvm::StringRef target, int dim, int count) {
  std::string source = replaceAll(matmulSource.str(), "TARGET", target);
  source = replaceAll(source, "SPLIT0", std::to_string(dim == 0 ? count : 1));
  return replaceAll(source, "SPLIT1", std::to_string(dim == 1 ? count : 1));
}

struct MatmulData {
  MatmulData() {
    for (int m = 0; m < 20; ++m) {
      for (int n = 0; n < 70; ++n) {
        float sum = 0;
        for (int k = 0; k < 40; ++k)
          sum = std::fma(a[m * 40 + k], b[k * 70 + n], sum);
        expected[m * 70 + n] = std::max(sum + bias[n], 0.0f);
      }
    }
  }
  std::vector<std::vector<uint8_t>> getRegions() const {
    return {toBytes(a), toBytes(b), toBytes(bias), std::vector<uint8_t>(20 * 70 * 4)};
  }
  std::vector<float> a = makeData<float>(20 * 40, 1), b = makeData<float>(40 * 70, 2),
                     bias = makeData<float>(70, 3), expected = std::vector<float>(20 * 70);
};

TEST_F(TileFormTest, MatmulWithTail) {
  MatmulData data;
  isa::Program program = compile(getMatmul("npu-v1", 0, 1));
  std::vector<std::vector<uint8_t>> regions = data.getRegions();
  EXPECT_EQ(run(program, regions), "");
  EXPECT_EQ(fromBytes<float>(regions.back()), data.expected);
  expectEveryWaitNeeded(program, data.getRegions());
}

TEST_F(TileFormTest, MatmulOnClusters) {
  MatmulData data;
  // Three tiles on two, and on four clusters: some have less or nothing to do.
  for (int dim : {0, 1}) {
    for (int count : {2, 4}) {
      isa::Program program = compile(getMatmul("npu-v1-x4", dim, count));
      std::vector<std::vector<uint8_t>> regions = data.getRegions();
      EXPECT_EQ(run(program, regions), "");
      EXPECT_EQ(fromBytes<float>(regions.back()), data.expected) << dim << " " << count;
    }
  }
}

TEST_F(TileFormTest, MatmulInLittleMemoryHasSingleBuffers) {
  MatmulData data;
  isa::Program program = compile(getMatmul("npu-v1:sramBytes=5120,accBytes=1024", 0, 1));
  std::vector<std::vector<uint8_t>> regions = data.getRegions();
  EXPECT_EQ(run(program, regions), "");
  EXPECT_EQ(fromBytes<float>(regions.back()), data.expected);
  expectEveryWaitNeeded(program, data.getRegions());
}

/// A 3x3 convolution with stride 2 and padding 1, quantized to i8.
TEST_F(TileFormTest, ConvolutionWithPadding) {
  isa::Program program = compile(R"(
npu.kernel @conv(%I: memref<1x11x11x5xi8, #npu.space<dram>>, %F: memref<3x3x5x10xi8, #npu.space<dram>>,
                 %out: memref<1x6x6x10xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %cm1 = arith.constant -1 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %h = affine.min affine_map<(d0) -> (6 - d0 * 4, 4)>(%i)
    %rows = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%h)
    %oh = affine.apply affine_map<(d0) -> (d0 * 8 - 1)>(%i)
    %hs = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %in = memref.alloc() {npu.buffers = 2 : i64} : memref<9x13x5xi8, #npu.space<sram>>
    %c13 = arith.constant 13 : index
    npu.dma_load %I[%c0, %oh, %cm1, %c0] -> %in extents(%rows, %c13, %c5) fill(3 : i8)
        {map = affine_map<(d0, d1, d2) -> (0, d0, d1, d2)>}
        : memref<1x11x11x5xi8, #npu.space<dram>> to memref<9x13x5xi8, #npu.space<sram>>
    scf.for %j = %c0 to %c2 step %c1 {
      %f = affine.min affine_map<(d0) -> (10 - d0 * 8, 8)>(%j)
      %of = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
      %w = memref.alloc() {npu.buffers = 2 : i64} : memref<1x3x3x5x8xi8, #npu.space<sram>>
      npu.dma_load %F[%c0, %c0, %c0, %of] -> %w extents(%c1, %c3, %c3, %c5, %c8) fill(0 : i8)
          {map = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0 * 8 + d4)>}
          : memref<3x3x5x10xi8, #npu.space<dram>> to memref<1x3x3x5x8xi8, #npu.space<sram>>
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<4x6x8xi32, #npu.space<acc>>
      npu.conv %in, %w -> %acc extents(%h, %c6, %f, %c5, %c3, %c3)
          {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed, stride = array<i64: 2, 2>}
          : memref<9x13x5xi8, #npu.space<sram>>, memref<1x3x3x5x8xi8, #npu.space<sram>>
         -> memref<4x6x8xi32, #npu.space<acc>>
      %q = memref.alloc() {npu.buffers = 2 : i64} : memref<4x6x8xi8, #npu.space<sram>>
      npu.requantize %acc -> %q extents(%h, %c6, %f) {scale = 0.25 : f32, zero_point = 1, lo = -128, hi = 127}
          : memref<4x6x8xi32, #npu.space<acc>> -> memref<4x6x8xi8, #npu.space<sram>>
      npu.dma_store %q -> %out[%c0, %hs, %c0, %of] extents(%h, %c6, %f)
          {map = affine_map<(d0, d1, d2) -> (0, d0, d1, d2)>}
          : memref<4x6x8xi8, #npu.space<sram>> to memref<1x6x6x10xi8, #npu.space<dram>>
    }
  }
  npu.return
})");
  std::vector<int8_t> input = makeData<int8_t>(11 * 11 * 5, 1),
                      filter = makeData<int8_t>(3 * 3 * 5 * 10, 2), expected(6 * 6 * 10);
  for (int h = 0; h < 6; ++h) {
    for (int w = 0; w < 6; ++w) {
      for (int f = 0; f < 10; ++f) {
        int sum = 0;
        for (int y = 0; y < 3; ++y) {
          for (int x = 0; x < 3; ++x) {
            int row = h * 2 + y - 1, column = w * 2 + x - 1;
            bool inside = row >= 0 && row < 11 && column >= 0 && column < 11;
            for (int c = 0; c < 5; ++c)
              sum += (inside ? input[(row * 11 + column) * 5 + c] : 3) *
                     filter[((y * 3 + x) * 5 + c) * 10 + f];
          }
        }
        float scaled = __builtin_roundevenf(static_cast<float>(sum) * 0.25f) + 1;
        expected[(h * 6 + w) * 10 + f] =
            static_cast<int8_t>(std::min(std::max(scaled, -128.0f), 127.0f));
      }
    }
  }
  std::vector<std::vector<uint8_t>> regions = {toBytes(input), toBytes(filter),
                                               std::vector<uint8_t>(expected.size())};
  std::vector<std::vector<uint8_t>> fresh = regions;
  EXPECT_EQ(run(program, regions), "");
  EXPECT_EQ(fromBytes<int8_t>(regions.back()), expected);
  expectEveryWaitNeeded(program, fresh);
}

/// A strip of A stays for all columns; views move along it. The right operand is transposed in
/// DRAM.
TEST_F(TileFormTest, MatmulWithStripAndTransposedOperand) {
  isa::Program program = compile(R"(
npu.kernel @strip(%A: memref<12x40xi8, #npu.space<dram>>, %B: memref<20x40xi8, #npu.space<dram>>,
                  %out: memref<20x12xi32, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %m = affine.min affine_map<(d0) -> (12 - d0 * 8, 8)>(%i)
    %om = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %strip = memref.alloc() {npu.buffers = 2 : i64} : memref<8x48xi8, #npu.space<sram>>
    npu.dma_load %A[%om, %c0] -> %strip extents(%m, %c40)
        : memref<12x40xi8, #npu.space<dram>> to memref<8x48xi8, #npu.space<sram>>
    scf.for %j = %c0 to %c3 step %c1 {
      %n = affine.min affine_map<(d0) -> (20 - d0 * 8, 8)>(%j)
      %on = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<8x8xi32, #npu.space<acc>>
      scf.for %kk = %c0 to %c3 step %c1 {
        %k = affine.min affine_map<(d0) -> (40 - d0 * 16, 16)>(%kk)
        %ok = affine.apply affine_map<(d0) -> (d0 * 16)>(%kk)
        %a = memref.subview %strip[0, %ok] [8, 16] [1, 1]
            : memref<8x48xi8, #npu.space<sram>> to memref<8x16xi8, strided<[48, 1], offset: ?>, #npu.space<sram>>
        %b = memref.alloc() {npu.buffers = 3 : i64} : memref<1x16x8xi8, #npu.space<sram>>
        npu.dma_load %B[%on, %ok] -> %b extents(%c1, %k, %c8) fill(0 : i8)
            {map = affine_map<(d0, d1, d2) -> (d0 * 8 + d2, d1)>}
            : memref<20x40xi8, #npu.space<dram>> to memref<1x16x8xi8, #npu.space<sram>>
        npu.matmul %a, %b -> %acc extents(%m, %n, %k) init(%kk) {packed}
            : memref<8x16xi8, strided<[48, 1], offset: ?>, #npu.space<sram>>, memref<1x16x8xi8, #npu.space<sram>>
           -> memref<8x8xi32, #npu.space<acc>>
      }
      npu.dma_store %acc -> %out[%on, %om] extents(%m, %n) {map = affine_map<(d0, d1) -> (d1, d0)>}
          : memref<8x8xi32, #npu.space<acc>> to memref<20x12xi32, #npu.space<dram>>
    }
  }
  npu.return
})");
  std::vector<int8_t> a = makeData<int8_t>(12 * 40, 1), b = makeData<int8_t>(20 * 40, 2);
  std::vector<int32_t> expected(20 * 12);
  for (int m = 0; m < 12; ++m)
    for (int n = 0; n < 20; ++n)
      for (int k = 0; k < 40; ++k)
        expected[n * 12 + m] += a[m * 40 + k] * b[n * 40 + k];
  std::vector<std::vector<uint8_t>> regions = {toBytes(a), toBytes(b),
                                               std::vector<uint8_t>(expected.size() * 4)};
  std::vector<std::vector<uint8_t>> fresh = regions;
  EXPECT_EQ(run(program, regions), "");
  EXPECT_EQ(fromBytes<int32_t>(regions.back()), expected);
  expectEveryWaitNeeded(program, fresh);
}

/// Element-wise without a contraction, on two clusters, the rescaling's constants in memory.
TEST_F(TileFormTest, RescaleWithConstants) {
  isa::Program program = compile(R"(
npu.kernel @rescale(%I: memref<100x7xi8, #npu.space<dram>>, %out: memref<100x7xi16, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %m = affine.min affine_map<(d0) -> (100 - d0 * 16, 16)>(%i)
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %x = memref.alloc() {npu.buffers = 2 : i64} : memref<16x7xi8, #npu.space<sram>>
    npu.dma_load %I[%o, %c0] -> %x extents(%m, %c7)
        : memref<100x7xi8, #npu.space<dram>> to memref<16x7xi8, #npu.space<sram>>
    %y = memref.alloc() {npu.buffers = 2 : i64} : memref<16x7xi16, #npu.space<sram>>
    npu.rescale %x -> %y extents(%m, %c7) {multiplier = 1717986918, shift = 30, input_zp = 2, output_zp = 5}
        : memref<16x7xi8, #npu.space<sram>> -> memref<16x7xi16, #npu.space<sram>>
    npu.dma_store %y -> %out[%o, %c0] extents(%m, %c7)
        : memref<16x7xi16, #npu.space<sram>> to memref<100x7xi16, #npu.space<dram>>
  } {npu.clusters = 2 : i64}
  npu.return
})");
  std::vector<int8_t> input = makeData<int8_t>(100 * 7, 1);
  std::vector<int16_t> expected;
  for (int8_t x : input)
    expected.push_back(
        static_cast<int16_t>((((x - 2) * int64_t(1717986918) + (1 << 29)) >> 30) + 5));
  std::vector<std::vector<uint8_t>> regions = {toBytes(input),
                                               std::vector<uint8_t>(expected.size() * 2)};
  std::vector<std::vector<uint8_t>> fresh = regions;
  EXPECT_EQ(run(program, regions), "");
  EXPECT_EQ(fromBytes<int16_t>(regions.back()), expected);
  expectEveryWaitNeeded(program, fresh);
}

} // namespace
