//===- DynamicShapesTest.cpp - dispatches of dynamic shape keep the meaning ===//
//
// Each network is run with static shapes, and compared with what the dispatches of the network with
// dynamic shapes compute when they are given these shapes after they were formed.
//
//===----------------------------------------------------------------------===//

#include "MeaningCheck.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Pipelines/Pipelines.h"

#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

struct Network {
  const char *name;
  std::vector<std::string> shapes; ///< of the arguments of dynamic shape
};

class DynamicShapesTest : public MeaningCheck, public ::testing::TestWithParam<Network> {
protected:
  OwningOpRef<ModuleOp> parse() {
    return MeaningCheck::parse(std::string(NPU_SOURCE_DIR "/unittests/Pipelines/Inputs/dynamic-") +
                               GetParam().name + ".mlir");
  }

  Expectation runStatic() {
    OwningOpRef<ModuleOp> module = parse();
    input::SpecializeShapesOptions options;
    llvm::append_range(options.shapes, GetParam().shapes);
    run(*module, [&](OpPassManager &pm) { pm.addPass(input::createSpecializeShapes(options)); });
    return runInput(*module);
  }

  /// Tells the program what it is given.
  void makeStatic(ModuleOp module, ArrayRef<HostTensor> inputs) {
    auto getInput = [&](Value buffer) -> const HostTensor & {
      return inputs[cast<BlockArgument>(buffer).getArgNumber()];
    };
    module.walk([&](hal::BufferViewDimOp op) {
      OpBuilder builder(op);
      int64_t size = getInput(op.getBufferView()).getShape()[op.getIndex().getZExtValue()];
      op.replaceAllUsesWith(arith::ConstantIndexOp::create(builder, op.getLoc(), size).getResult());
      op.erase();
    });
    module.walk([&](hal::TensorImportOp op) {
      auto type = cast<RankedTensorType>(op.getType());
      if (type.hasStaticShape())
        return;
      OpBuilder builder(op);
      auto known = type.clone(getInput(op.getSource()).getShape());
      Value tensor = hal::TensorImportOp::create(
          builder, op.getLoc(), known, op.getSource(), TypeAttr::get(known), /*consume=*/nullptr,
          /*target_dims=*/ValueRange(), Value(), Value(), op.getNameAttr(), /*affinity=*/nullptr);
      op.replaceAllUsesWith(tensor::CastOp::create(builder, op.getLoc(), type, tensor).getResult());
      op.erase();
    });
    run(module, [](OpPassManager &pm) {
      for (unsigned i = 0; i < 2; ++i) {
        pm.addPass(memref::createResolveShapedTypeResultDimsPass());
        pm.addPass(createCanonicalizerPass());
      }
    });
    module.walk([&](hal::TensorExportOp op) {
      auto cast = op.getSource().getDefiningOp<tensor::CastOp>();
      if (!cast)
        return;
      op.getSourceMutable().assign(cast.getSource());
      op.getSourceDimsMutable().clear();
      op.setSourceEncodingAttr(TypeAttr::get(cast.getSource().getType()));
    });
  }

  void checkDynamic(ModuleOp phase, const Expectation &expectation) {
    OwningOpRef<ModuleOp> module = inlineDispatches(phase);
    makeStatic(*module, expectation.inputs);
    check(*module, expectation);
  }
};

TEST_P(DynamicShapesTest, DispatchesKeepTheMeaning) {
  Expectation expectation = runStatic();
  for (StringRef mode : {"mode=iree", "mode=npu", "mode=npu horizontal-fusion=true"}) {
    SCOPED_TRACE(mode.str());
    FrontHalfOptions options;
    ASSERT_TRUE(succeeded(options.parseFromString(mode)));
    OwningOpRef<ModuleOp> module = parse();
    run(*module, [&](OpPassManager &pm) { populateFrontHalfPipeline(pm, options); });
    EXPECT_FALSE(module->getOps<flow::ExecutableOp>().empty());
    checkDynamic(*module, expectation);
  }
  SCOPED_TRACE("classic");
  OwningOpRef<ModuleOp> module = parse();
  run(*module, [](OpPassManager &pm) { populateClassicPipeline(pm, FrontHalfOptions()); });
  checkDynamic(*module, expectation);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, DynamicShapesTest,
    ::testing::Values(Network{"matmul-bias-relu", {"5x64"}}, Network{"cast", {"5x6"}},
                      Network{"conv-pad", {"2x3x10x12"}}, Network{"reduce", {"4x5", "4x5"}},
                      Network{"attention", {"3x8x16", "3x6x16", "3x6x16"}},
                      Network{"reshape", {"6x64"}}, Network{"resplit", {"8x6"}},
                      Network{"loop", {"5x8"}}, Network{"concat", {"3x8", "4x8"}},
                      Network{"transpose", {"5x7"}}, Network{"tosa-conv", {"2x8x8x4"}}),
    [](const auto &info) {
      std::string name = info.param.name;
      llvm::replace(name, '-', '_');
      return name;
    });

} // namespace
