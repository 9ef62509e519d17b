//===- AcrossLevelsTest.cpp - finds what a pass broke ---------------------===//
//
// A kernel is compiled, and then one level is changed behind the compiler's back, which is as if
// the passes below it, or those above it, were wrong.
//
//===----------------------------------------------------------------------===//

#include "AcrossLevels.h"

#include "NPU/InitAll/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

/// A product in several tiles, the last ones ragged, and two steps on it.
constexpr const char *source = R"mlir(
func.func @kernel(%a: tensor<48x320xf16>, %b: tensor<320x72xf16>) -> tensor<48x72xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x72xf32>) -> tensor<48x72xf32>
  %m = linalg.matmul ins(%a, %b : tensor<48x320xf16>, tensor<320x72xf16>)
      outs(%f : tensor<48x72xf32>) -> tensor<48x72xf32>
  %h = tensor.empty() : tensor<48x72xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<48x72xf32>) outs(%h : tensor<48x72xf16>) {
  ^bb0(%x: f32, %o: f16):
    %s = math.tanh %x : f32
    %t = arith.addf %s, %s : f32
    %u = arith.truncf %t : f32 to f16
    linalg.yield %u : f16
  } -> tensor<48x72xf16>
  return %r : tensor<48x72xf16>
}
)mlir";

class AcrossLevels : public ::testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    DispatchCompiler compiler("npu-v1:sramBytes=16384,accBytes=4096");
    llvm::Expected<KernelLevels> levels =
        KernelLevels::compile(compiler, *module->getOps<func::FuncOp>().begin());
    ASSERT_TRUE(bool(levels)) << llvm::toString(levels.takeError());
    own = std::move(*levels);
    for (ShapedType type : interpreter::getSignature(own.getKernel(Level::Tensor)).inputs) {
      HostTensor input(*interpreter::getHostType(type.getElementType()), type.getShape());
      input.fillRandom(inputs.size());
      inputs.push_back(std::move(input));
    }
  }

  /// The levels from one on, its ops numbered.
  KernelLevels number(Level level) {
    return llvm::cantFail(KernelLevels::compile(numberOps(own.getKernel(level))));
  }

  std::string find(const KernelLevels &levels, Level upper) {
    std::string text;
    for (const std::string &line : findBrokenOp(levels, upper, inputs, sim::Options()))
      text += line + "\n";
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelLevels own;
  SmallVector<HostTensor> inputs;
};

/// The first op of a kind in a kernel.
template <typename Op>
Op findOp(KernelOp kernel) {
  Op found;
  kernel.walk([&](Op op) {
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

TEST_F(AcrossLevels, NothingIsFoundWhereNothingIsWrong) {
  for (Level level : {Level::Tensor, Level::Tile, Level::Planned})
    EXPECT_EQ(find(number(level), level), "") << toString(level).str();
}

TEST_F(AcrossLevels, KindsInTileForm) {
  KernelLevels levels = number(Level::Tensor);
  findOp<UnaryOp>(levels.getKernel(Level::Tile)).setKind(UnaryKind::Sigmoid);
  std::string text = find(levels, Level::Tensor);
  EXPECT_NE(text.find("first op that differs: npu.unary sigmoid"), std::string::npos) << text;
  EXPECT_NE(text.find("in tensor form: "), std::string::npos) << text;
}

TEST_F(AcrossLevels, AccumulationInTileForm) {
  KernelLevels levels = number(Level::Tensor);
  auto matmul = findOp<MatmulOp>(levels.getKernel(Level::Tile));
  ASSERT_FALSE(matmul.getInit().empty());
  matmul.getInitMutable().clear();
  std::string text = find(levels, Level::Tensor);
  EXPECT_NE(text.find("first op that differs: npu.matmul"), std::string::npos) << text;
}

TEST_F(AcrossLevels, OffsetsInPlannedForm) {
  KernelLevels levels = number(Level::Tile);
  auto load = findOp<DmaLoadOp>(levels.getKernel(Level::Planned));
  load.getOriginMutable()[0].assign(load.getOrigin()[1]);
  std::string text = find(levels, Level::Tile);
  EXPECT_NE(text.find("first op that differs: npu.dma_load"), std::string::npos) << text;
  EXPECT_NE(text.find("in the level above: npu.dma_load"), std::string::npos) << text;
}

TEST_F(AcrossLevels, MissingOpsInPlannedForm) {
  KernelLevels levels = number(Level::Tile);
  findOp<BinaryOp>(levels.getKernel(Level::Planned)).erase();
  std::string text = find(levels, Level::Tile);
  EXPECT_NE(text.find("first op that differs: npu.binary"), std::string::npos) << text;
  EXPECT_NE(text.find("does nothing for this op"), std::string::npos) << text;
}

TEST_F(AcrossLevels, KindsInPrograms) {
  KernelLevels levels = number(Level::Planned);
  // As if the program had another kind.
  findOp<BinaryOp>(levels.getKernel(Level::Planned)).setKind(BinaryKind::Mul);
  std::string text = find(levels, Level::Planned);
  EXPECT_NE(text.find("first op that differs: vpu.binary"), std::string::npos) << text;
  EXPECT_NE(text.find("in the level above: npu.binary mul"), std::string::npos) << text;
}

TEST_F(AcrossLevels, KindsInOtherLoops) {
  DispatchCompiler compiler("npu-v1:sramBytes=32768,accBytes=8192");
  llvm::Expected<KernelLevels> other =
      KernelLevels::compile(compiler, *module->getOps<func::FuncOp>().begin());
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  KernelOp tile = other->getKernel(Level::Tile);
  auto find = [&] {
    std::string text;
    for (const std::string &line :
         findOddOp(own.getKernel(Level::Tensor), tile, inputs, sim::Options()))
      text += line + "\n";
    return text;
  };
  EXPECT_EQ(find(), "");
  findOp<UnaryOp>(tile).setKind(UnaryKind::Sigmoid);
  EXPECT_NE(find().find("first op that differs: npu.unary sigmoid"), std::string::npos) << find();
}

} // namespace
