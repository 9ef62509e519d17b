//===- FrontHalfTest.cpp - forming dispatches keeps what is computed ------===//

#include "../Shared.h"
#include "MeaningCheck.h"
#include "NPU/Pipelines/Pipelines.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

class FrontHalfTest : public MeaningCheck, public ::testing::TestWithParam<const char *> {
protected:
  OwningOpRef<ModuleOp> parse() {
    return MeaningCheck::parse(getSharedPath(Twine("corpus/iree/") + GetParam() + "/input.mlir"));
  }
};

TEST_P(FrontHalfTest, EveryPhaseKeepsTheMeaning) {
  NPU_NEEDS_SHARED();
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module);
  Expectation expectation = runInput(*module);
  run(*module, [](OpPassManager &pm) {
    populateInputPipeline(pm);
    populateABIPipeline(pm, ABIOptions());
  });
  {
    SCOPED_TRACE("ABI");
    check(*module, expectation);
  }
  run(*module, [](OpPassManager &pm) {
    populateGlobalOptimizationPipeline(pm, GlobalOptimizationOptions());
  });
  {
    SCOPED_TRACE("global optimization");
    check(*module, expectation);
  }
  for (StringRef mode : {"mode=iree", "mode=npu", "mode=npu horizontal-fusion=true"}) {
    SCOPED_TRACE(mode.str());
    DispatchCreationOptions options;
    ASSERT_TRUE(succeeded(options.parseFromString(mode)));
    OwningOpRef<ModuleOp> dispatches = module->clone();
    run(*dispatches, [&](OpPassManager &pm) { populateDispatchCreationPipeline(pm, options); });
    {
      SCOPED_TRACE("dispatch creation");
      check(*dispatches, expectation);
    }
    run(*dispatches, [](OpPassManager &pm) { populateFlowPipeline(pm, FlowOptions()); });
    EXPECT_FALSE(dispatches->getOps<flow::ExecutableOp>().empty());
    SCOPED_TRACE("flow");
    check(*dispatches, expectation);
  }
  SCOPED_TRACE("all at once");
  OwningOpRef<ModuleOp> whole = parse();
  run(*whole, [](OpPassManager &pm) { populateFrontHalfPipeline(pm, FrontHalfOptions()); });
  check(*whole, expectation);
}

TEST_P(FrontHalfTest, TheOrderOf2023KeepsTheMeaning) {
  NPU_NEEDS_SHARED();
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module);
  Expectation expectation = runInput(*module);
  run(*module, [](OpPassManager &pm) { populateClassicPipeline(pm, FrontHalfOptions()); });
  check(*module, expectation);
}

// All networks of the corpus that take at most 2 * 10^9 multiply-adds.
INSTANTIATE_TEST_SUITE_P(
    Networks, FrontHalfTest,
    ::testing::Values("attention_decomposed_f32", "avgpool_nhwc_f32", "batch_matmul_f32",
                      "concat_f32", "conv2d_nchw_bias_relu_f16", "conv2d_nchw_bias_relu_f32",
                      "conv2d_nchw_bias_relu_i8", "conv2d_nhwc_1x1_f32",
                      "conv2d_nhwc_bias_relu_f32", "conv2d_nhwc_same_pad_f32",
                      "conv2d_nhwc_stride2_f32", "depthwise_conv2d_nhwc_f32",
                      "depthwise_conv2d_nhwc_i8", "embedding_gather_f32", "global_avgpool_f32",
                      "layernorm_f32", "lenet_nchw", "lenet_nhwc_i8", "matmul_bias_relu_f16",
                      "matmul_bias_relu_f32", "matmul_bias_requant_i8", "matmul_f16",
                      "matmul_f16_f32", "matmul_f32", "matmul_i8_i32", "matmul_transpose_b_f32",
                      "matvec_f32", "maxpool_nhwc_f32", "mlp_f16", "mlp_f32", "mnist_linalg",
                      "net_bert_tiny_f32", "net_resnet18_nchw_f32", "pad_f32",
                      "quantized_matmul_i8", "reduce_sum_f32", "resnet_basic_block_nchw_f32",
                      "softmax_f32", "tosa_conv2d_bias_relu_f32", "tosa_conv2d_bias_relu_i8",
                      "tosa_lenet_f32_args", "tosa_matmul_i8_i32", "transformer_encoder_attnop_f32",
                      "transformer_encoder_f32", "transformer_encoder_f32_params", "transpose_f32"),
    [](const auto &info) { return std::string(info.param); });

} // namespace
