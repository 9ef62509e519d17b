//===- SegmentTest.cpp - what the programs of segments are ----------------===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/InitAll/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;

namespace {

constexpr llvm::StringLiteral kernels = R"(
flow.executable private @e {
  flow.executable.export public @square
  flow.executable.export public @half
  flow.executable.export public @row
  flow.executable.export public @relative
  builtin.module {
    func.func @square(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
      %0 = tensor.empty() : tensor<64x64xf16>
      %1 = linalg.mul ins(%x, %x : tensor<64x64xf16>, tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) -> tensor<64x64xf16>
      return %1 : tensor<64x64xf16>
    }
    func.func @half(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>) -> tensor<64x64xf16> {
      %0 = tensor.empty() : tensor<64x64xf16>
      %1 = linalg.sub ins(%x, %y : tensor<64x64xf16>, tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) -> tensor<64x64xf16>
      return %1 : tensor<64x64xf16>
    }
    func.func @row(%x: tensor<4096xf16>) -> tensor<4096xf16> {
      %0 = tensor.empty() : tensor<4096xf16>
      %1 = linalg.add ins(%x, %x : tensor<4096xf16>, tensor<4096xf16>) outs(%0 : tensor<4096xf16>) -> tensor<4096xf16>
      return %1 : tensor<4096xf16>
    }
    func.func @relative(%x: tensor<4096xf16>) -> tensor<4096xf16> {
      %low = arith.constant 0xFC00 : f16
      %0 = tensor.empty() : tensor<f16>
      %1 = linalg.fill ins(%low : f16) outs(%0 : tensor<f16>) -> tensor<f16>
      %2 = linalg.reduce {arith.maximumf} ins(%x : tensor<4096xf16>) outs(%1 : tensor<f16>) dimensions = [0]
      %3 = tensor.empty() : tensor<4096xf16>
      %4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                           iterator_types = ["parallel"]}
          ins(%x, %2 : tensor<4096xf16>, tensor<f16>) outs(%3 : tensor<4096xf16>) {
      ^bb0(%a: f16, %b: f16, %c: f16):
        %d = arith.subf %a, %b : f16
        linalg.yield %d : f16
      } -> tensor<4096xf16>
      return %4 : tensor<4096xf16>
    }
  }
}
)";

class SegmentTest : public ::testing::Test {
protected:
  SegmentTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Parses the ops of one segment on %x, which gives %r, and compiles it.
  SegmentOp parse(StringRef ops) {
    std::string text = (kernels +
                        "util.func public @main(%x: tensor<64x64xf16>) -> "
                        "tensor<64x64xf16> {\n%s = npu.segment -> tensor<64x64xf16> {\n" +
                        ops +
                        "npu.yield %r : tensor<64x64xf16>\n}\n"
                        "util.return %s : tensor<64x64xf16>\n}")
                           .str();
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    SegmentOp segment;
    if (module)
      module->walk([&](SegmentOp op) { segment = op; });
    return segment;
  }

  static int64_t getScratch(const CompiledProgram &program) {
    int64_t bytes = 0;
    for (const isa::Region &region : program.code.regions)
      bytes += region.kind == isa::RegionKind::Scratch ? region.bytes : 0;
    return bytes;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  DispatchCompiler compiler{"npu-v1"};
};

constexpr llvm::StringLiteral dispatch = "(tensor<64x64xf16>) -> tensor<64x64xf16>\n";

// A value that one dispatch hands to the next in the same shape stays on chip.
TEST_F(SegmentTest, KeepsValuesOnChip) {
  SegmentOp segment = parse(("%0 = flow.dispatch @e::@square(%x) : " + dispatch +
                             "%r = flow.dispatch @e::@square(%0) : " + dispatch)
                                .str());
  ASSERT_TRUE(segment);
  ASSERT_TRUE(succeeded(compiler.compile(segment)));
  const CompiledProgram &program = compiler.getProgram(segment);
  EXPECT_EQ(getScratch(program), 0);
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(program.kernels[0].numDispatches, 2u);
  // Both dispatches have instructions of their own.
  EXPECT_TRUE(llvm::is_contained(program.dispatchOfSource, 0u));
  EXPECT_TRUE(llvm::is_contained(program.dispatchOfSource, 1u));
  // What gives back all results stores them instead.
  ASSERT_TRUE(succeeded(compiler.compile(segment, SegmentOutputs::All)));
  EXPECT_EQ(compiler.getProgram(segment, SegmentOutputs::All).code.regions.size(), 3u);
}

// In another shape as well, where both kernels can have the dimensions of both.
TEST_F(SegmentTest, KeepsReshapedValuesOnChip) {
  SegmentOp segment = parse(("%0 = flow.dispatch @e::@square(%x) : " + dispatch +
                             "%1 = flow.tensor.reshape %0 : tensor<64x64xf16> -> tensor<4096xf16>\n"
                             "%2 = flow.dispatch @e::@row(%1) : (tensor<4096xf16>) -> "
                             "tensor<4096xf16>\n"
                             "%3 = flow.tensor.reshape %2 : tensor<4096xf16> -> tensor<64x64xf16>\n"
                             "%r = flow.dispatch @e::@square(%3) : " +
                             dispatch)
                                .str());
  ASSERT_TRUE(segment);
  ASSERT_TRUE(succeeded(compiler.compile(segment)));
  EXPECT_EQ(getScratch(compiler.getProgram(segment)), 0);
}

// What one of them needs as a whole row goes through memory, which two values whose lives are apart
// share.
TEST_F(SegmentTest, SharesMemoryBetweenKernels) {
  SegmentOp segment = parse(("%0 = flow.dispatch @e::@square(%x) : " + dispatch +
                             "%1 = flow.tensor.reshape %0 : tensor<64x64xf16> -> tensor<4096xf16>\n"
                             "%2 = flow.dispatch @e::@relative(%1) : (tensor<4096xf16>) -> "
                             "tensor<4096xf16>\n"
                             "%3 = flow.tensor.reshape %2 : tensor<4096xf16> -> tensor<64x64xf16>\n"
                             "%4 = flow.dispatch @e::@square(%3) : " +
                             dispatch +
                             "%5 = flow.tensor.reshape %4 : tensor<64x64xf16> -> tensor<4096xf16>\n"
                             "%6 = flow.dispatch @e::@relative(%5) : (tensor<4096xf16>) -> "
                             "tensor<4096xf16>\n"
                             "%7 = flow.tensor.reshape %6 : tensor<4096xf16> -> tensor<64x64xf16>\n"
                             "%r = flow.dispatch @e::@square(%7) : " +
                             dispatch)
                                .str());
  ASSERT_TRUE(segment);
  ASSERT_TRUE(succeeded(compiler.compile(segment)));
  EXPECT_EQ(getScratch(compiler.getProgram(segment)), 2 * 64 * 64 * 2);
}

// Segments that are equal share their program; a different wiring of the same kernels is another.
TEST_F(SegmentTest, SharesProgramsOfEqualSegments) {
  std::string text = (kernels + R"(
util.func public @main(%x: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) {
  %a = npu.segment -> tensor<64x64xf16> {
    %0 = flow.dispatch @e::@square(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %1 = flow.dispatch @e::@half(%0, %x) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    npu.yield %1 : tensor<64x64xf16>
  }
  %b = npu.segment -> tensor<64x64xf16> {
    %0 = flow.dispatch @e::@square(%a) : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %1 = flow.dispatch @e::@half(%0, %a) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    npu.yield %1 : tensor<64x64xf16>
  }
  %c = npu.segment -> tensor<64x64xf16> {
    %0 = flow.dispatch @e::@square(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %1 = flow.dispatch @e::@half(%x, %0) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    npu.yield %1 : tensor<64x64xf16>
  }
  util.return %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
}
)")
                         .str();
  module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(module);
  SmallVector<SegmentOp> segments;
  module->walk([&](SegmentOp op) { segments.push_back(op); });
  ASSERT_EQ(segments.size(), 3u);
  ASSERT_TRUE(succeeded(compiler.compile(segments)));
  EXPECT_EQ(&compiler.getProgram(segments[0]), &compiler.getProgram(segments[1]));
  EXPECT_NE(&compiler.getProgram(segments[0]), &compiler.getProgram(segments[2]));
}

TEST_F(SegmentTest, RefusesWhatItCannotRun) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    diagnostics += diagnostic.str();
    return success();
  });
  SegmentOp segment = parse("%r = arith.negf %x : tensor<64x64xf16>\n");
  ASSERT_TRUE(segment);
  EXPECT_TRUE(failed(compiler.compile(segment)));
  EXPECT_NE(
      diagnostics.find("is in a segment, expected flow.dispatch and flow.tensor.reshape only"),
      std::string::npos);
  diagnostics.clear();
  segment = parse(("%0 = flow.dispatch @e::@square(%x) : " + dispatch +
                   "%r = flow.tensor.reshape %0 : tensor<64x64xf16> -> tensor<64x64xf16>\n")
                      .str());
  ASSERT_TRUE(segment);
  EXPECT_TRUE(failed(compiler.compile(segment)));
  EXPECT_NE(diagnostics.find("expected results of the segment's dispatches, each once; reshape "
                             "them after the segment"),
            std::string::npos);
}

} // namespace
