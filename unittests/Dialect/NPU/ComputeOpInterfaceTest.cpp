//===- ComputeOpInterfaceTest.cpp - iterators, maps and ranges ------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;

namespace {

class ComputeOpInterfaceTest : public ::testing::Test {
protected:
  ComputeOpInterfaceTest() { context.loadDialect<func::FuncDialect, NPUDialect>(); }

  /// Parses a function and returns its first compute op.
  NPUComputeOpInterface parse(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    NPUComputeOpInterface found;
    if (module)
      module->walk([&](NPUComputeOpInterface op) { found = op; });
    return found;
  }

  /// The maps as text, separated by blanks.
  static std::string printMaps(NPUComputeOpInterface op) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleave(op.getIndexingMapsArray(), stream, "; ");
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr utils::IteratorType parallel = utils::IteratorType::parallel;
constexpr utils::IteratorType reduction = utils::IteratorType::reduction;

TEST_F(ComputeOpInterfaceTest, BatchMatmulIteratesInFixedOrder) {
  NPUComputeOpInterface op = parse(R"(
    func.func @f(%a: tensor<2x8x4xi8>, %b: tensor<16x8xi8>, %c: tensor<2x4x16xi32>) {
      npu.matmul %a, %b -> %c {layout_a = #npu.layout<bkm>, layout_b = #npu.layout<nk>, layout_c = #npu.layout<bmn>, tile_n = 8}
        : tensor<2x8x4xi8>, tensor<16x8xi8> -> tensor<2x4x16xi32>
      return
    })");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getDimLetters(), "bmnk");
  EXPECT_EQ(op.getStaticLoopRanges(), (SmallVector<int64_t>{2, 4, 16, 8}));
  EXPECT_EQ(op.getIteratorTypes(),
            (SmallVector<utils::IteratorType>{parallel, parallel, parallel, reduction}));
  EXPECT_EQ(printMaps(op), "(d0, d1, d2, d3) -> (d0, d3, d1); (d0, d1, d2, d3) -> (d2, d3); "
                           "(d0, d1, d2, d3) -> (d0, d1, d2)");
  EXPECT_EQ(op.getTileSizes(), (SmallVector<int64_t>{1, 0, 8, 0}));
  op.setTileSizes({1, 2, 0, 4});
  EXPECT_EQ(op.getTileSizes(), (SmallVector<int64_t>{1, 2, 0, 4}));
  EXPECT_EQ(op.getEngine(), Engine::Mxu);
}

TEST_F(ComputeOpInterfaceTest, PackedPanelsSplitTheColumn) {
  NPUComputeOpInterface op = parse(R"(
    func.func @f(%a: memref<64x128xf16>, %b: memref<2x128x32xf16>, %c: memref<64x48xf32>,
                 %e: index) {
      npu.matmul %a, %b -> %c extents(%e, %e, %e) init(%e) {packed}
        : memref<64x128xf16>, memref<2x128x32xf16> -> memref<64x48xf32>
      return
    })");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getStaticLoopRanges(), (SmallVector<int64_t>{64, 48, 128}));
  EXPECT_EQ(printMaps(op), "(d0, d1, d2) -> (d0, d2); "
                           "(d0, d1, d2) -> (d1 floordiv 32, d2, d1 mod 32); "
                           "(d0, d1, d2) -> (d0, d1)");
  EXPECT_EQ(op.getDataOperands().size(), 3u);
  EXPECT_EQ(op.getTileExtents().size(), 3u);
  EXPECT_TRUE(op.readsDestination());
  EXPECT_TRUE(op.hasBufferForm());
}

TEST_F(ComputeOpInterfaceTest, ConvolutionReadsPaddedCoordinates) {
  NPUComputeOpInterface op = parse(R"(
    func.func @f(%i: tensor<1x8x112x112xf32>, %f: tensor<16x8x3x3xf32>,
                 %o: tensor<1x16x56x56xf32>) {
      npu.conv %i, %f -> %o {layout_input = #npu.layout<nchw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<nfhw>,
          stride = array<i64: 2, 2>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>}
        : tensor<1x8x112x112xf32>, tensor<16x8x3x3xf32> -> tensor<1x16x56x56xf32>
      return
    })");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getDimLetters(), "nhwfcyx");
  EXPECT_EQ(op.getStaticLoopRanges(), (SmallVector<int64_t>{1, 56, 56, 16, 8, 3, 3}));
  EXPECT_EQ(printMaps(op),
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1 * 2 + d5 - 1, d2 * 2 + d6); "
            "(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6); "
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1, d2)");
}

TEST_F(ComputeOpInterfaceTest, DepthwiseTilesItsGroups) {
  NPUComputeOpInterface op = parse(R"(
    func.func @f(%i: tensor<10x10x32xi8>, %f: tensor<3x3x32xi8>, %o: tensor<8x8x32xi32>) {
      npu.conv %i, %f -> %o {layout_input = #npu.layout<hwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<hwg>,
          tile_g = 16}
        : tensor<10x10x32xi8>, tensor<3x3x32xi8> -> tensor<8x8x32xi32>
      return
    })");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getDimLetters(), "ghwyx");
  EXPECT_EQ(op.getTileSizes(), (SmallVector<int64_t>{16, 0, 0, 0, 0}));
  EXPECT_EQ(op.getIteratorTypes(),
            (SmallVector<utils::IteratorType>{parallel, parallel, parallel, reduction, reduction}));
}

TEST_F(ComputeOpInterfaceTest, ElementwiseDefaultsToIdentities) {
  NPUComputeOpInterface op = parse(R"(
    func.func @f(%x: tensor<4x16xf32>) {
      npu.binary max %x -> %x {imm = 0.0 : f32} : tensor<4x16xf32> -> tensor<4x16xf32>
      return
    })");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getStaticLoopRanges(), (SmallVector<int64_t>{4, 16}));
  EXPECT_EQ(printMaps(op), "(d0, d1) -> (d0, d1); (d0, d1) -> (d0, d1)");
  EXPECT_EQ(op.getEngine(), Engine::Vpu);
  EXPECT_FALSE(op.readsDestination());
}

} // namespace
