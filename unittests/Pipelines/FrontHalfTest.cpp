//===- FrontHalfTest.cpp - forming dispatches keeps what is computed ------===//

#include "../Runtime/Unwrap.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Runtime/Compare.h"
#include "NPU/Runtime/HostModel.h"
#include "NPU/Runtime/HostReference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// What a network computes from random inputs, and by how much that may differ.
struct Expectation {
  Tensors inputs, results, bounds;
};

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

  void run(ModuleOp module, llvm::function_ref<void(OpPassManager &)> populate) {
    PassManager pm(&context);
    populate(pm);
    ASSERT_TRUE(succeeded(pm.run(module)));
  }

  /// Runs the network as it came.
  Expectation runInput() {
    OwningOpRef<ModuleOp> module = parse();
    run(*module, [](OpPassManager &pm) { pm.addPass(linalg_ext::createDecomposeAttention()); });
    auto model = unwrap(HostModel::create(*module, "", makeParameter));
    size_t numInputs = model->getFunction().getNumArguments() - model->getArguments({}).size();
    Expectation expectation;
    expectation.inputs = makeInputs(model->getFunction(), numInputs);
    Tensors arguments = model->getArguments(expectation.inputs);
    expectation.results =
        unwrap(unwrap(HostReference::create(model->getFunction()))->run(arguments));
    expectation.bounds = unwrap(computeContractionBound(model->getFunction(), arguments));
    return expectation;
  }

  /// Turns dispatches, if there are any, into plain ops again and compares what they compute.
  void check(ModuleOp phase, const Expectation &expectation) {
    OwningOpRef<ModuleOp> module = phase.clone();
    run(*module, [](OpPassManager &pm) {
      pm.addPass(flow::createOutlineDispatchRegions());
      pm.addPass(flow::createImportDispatches());
      pm.addPass(flow::createInlineDispatches());
      pm.addPass(linalg_ext::createDecomposeAttention());
    });
    EXPECT_TRUE(module->getOps<flow::ExecutableOp>().empty());
    auto model = unwrap(HostModel::create(*module, "", makeParameter));
    Tensors actual = unwrap(unwrap(HostReference::create(model->getFunction()))
                                ->run(model->getArguments(expectation.inputs)));
    ASSERT_EQ(actual.size(), expectation.results.size());
    for (auto [index, result] : llvm::enumerate(actual)) {
      // A bias that was where a sum starts is added at its end.
      Tolerance tolerance = Tolerance::fromBound(expectation.bounds[index], /*ulps=*/4);
      CompareReport report = unwrap(compare(expectation.results[index], result, tolerance));
      std::string text;
      llvm::raw_string_ostream os(text);
      report.print(os);
      EXPECT_TRUE(report.passed) << text;
    }
  }

  MLIRContext context;
};

TEST_P(FrontHalfTest, EveryPhaseKeepsTheMeaning) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module);
  Expectation expectation = runInput();
  run(*module, [](OpPassManager &pm) {
    populateInputPipeline(pm);
    populateABIPipeline(pm, ABIOptions());
  });
  {
    SCOPED_TRACE("ABI");
    check(*module, expectation);
  }
  run(*module, populateGlobalOptimizationPipeline);
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
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module);
  Expectation expectation = runInput();
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
