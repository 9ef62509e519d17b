//===- FrontHalfTest.cpp - forming dispatches keeps what is computed ------===//

#include "../Runtime/Unwrap.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Runtime/Compare.h"
#include "NPU/Runtime/HostModel.h"
#include "NPU/Runtime/HostReference.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DJB.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

using Tensors = llvm::SmallVector<HostTensor>;

llvm::Expected<HostTensor> makeParameter(StringRef, StringRef key, const HostTensorType &type) {
  HostTensor tensor(type.elementType, type.shape);
  tensor.fillRandom(llvm::djbHash(key), type.shape.empty() ? 1 : type.shape.front());
  return tensor;
}

Tensors makeInputs(func::FuncOp function, size_t number) {
  Tensors inputs;
  for (Type type : llvm::ArrayRef(function.getArgumentTypes()).take_front(number)) {
    HostTensorType tensorType = *HostTensorType::get(type);
    HostTensor tensor(tensorType.elementType, tensorType.shape);
    // Indices stay small; what is quantized uses its range, or requantization leaves nothing.
    if (tensorType.elementType == ElementType::I32)
      tensor.fillSmallInts(inputs.size() + 1);
    else
      tensor.fillRandom(inputs.size() + 1);
    inputs.push_back(tensor);
  }
  return inputs;
}

class FrontHalfTest : public ::testing::TestWithParam<const char *> {
protected:
  FrontHalfTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse() {
    std::string file =
        std::string(NPU_SOURCE_DIR "/../shared/corpus/iree/") + GetParam() + "/input.mlir";
    return parseSourceFile<ModuleOp>(file, ParserConfig(&context));
  }

  using Pipeline = void (*)(OpPassManager &, const FrontHalfOptions &);

  /// Compares what a network computes as it came and after `populate` and the way back.
  void checkPipeline(Pipeline populate);

  MLIRContext context;
};

void FrontHalfTest::checkPipeline(Pipeline populate) {
  OwningOpRef<ModuleOp> input = parse(), output = parse();
  ASSERT_TRUE(input && output);
  PassManager pm(&context);
  populate(pm, FrontHalfOptions());
  ASSERT_TRUE(succeeded(pm.run(*output)));
  EXPECT_FALSE(output->getOps<flow::ExecutableOp>().empty());
  PassManager back(&context);
  back.addPass(flow::createImportDispatches());
  back.addPass(flow::createInlineDispatches());
  ASSERT_TRUE(succeeded(back.run(*output)));
  EXPECT_TRUE(output->getOps<flow::ExecutableOp>().empty());

  auto expectedModel = unwrap(HostModel::create(*input, "", makeParameter));
  auto actualModel = unwrap(HostModel::create(*output, "", makeParameter));
  size_t numInputs =
      expectedModel->getFunction().getNumArguments() - expectedModel->getArguments({}).size();
  Tensors inputs = makeInputs(expectedModel->getFunction(), numInputs);
  Tensors arguments = expectedModel->getArguments(inputs);

  Tensors expected =
      unwrap(unwrap(HostReference::create(expectedModel->getFunction()))->run(arguments));
  Tensors actual = unwrap(unwrap(HostReference::create(actualModel->getFunction()))
                              ->run(actualModel->getArguments(inputs)));
  Tensors bounds = unwrap(computeContractionBound(expectedModel->getFunction(), arguments));
  ASSERT_EQ(actual.size(), expected.size());
  for (auto [index, result] : llvm::enumerate(actual)) {
    // A bias that was where a sum starts is added at its end.
    Tolerance tolerance = Tolerance::fromBound(bounds[index], /*ulps=*/4);
    CompareReport report = unwrap(compare(expected[index], result, tolerance));
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    EXPECT_TRUE(report.passed) << text;
  }
}

TEST_P(FrontHalfTest, InlinedDispatchesAgreeWithTheInput) {
  checkPipeline(populateFrontHalfPipeline);
}

TEST_P(FrontHalfTest, DispatchesInTheOrderOf2023AgreeWithTheInput) {
  checkPipeline(populateClassicPipeline);
}

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
                      "pad_f32", "quantized_matmul_i8", "reduce_sum_f32",
                      "resnet_basic_block_nchw_f32", "softmax_f32", "tosa_conv2d_bias_relu_f32",
                      "tosa_conv2d_bias_relu_i8", "tosa_lenet_f32_args", "tosa_matmul_i8_i32",
                      "transformer_encoder_f32", "transformer_encoder_f32_params", "transpose_f32"),
    [](const auto &info) { return std::string(info.param); });

} // namespace
