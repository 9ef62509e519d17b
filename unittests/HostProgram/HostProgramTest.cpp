//===- HostProgramTest.cpp - interpretation of host functions -------------===//

#include "NPU/HostProgram/HostProgram.h"
#include "../Shared.h"
#include "../Tensor/Unwrap.h"
#include "NPU/HostProgram/HostModel.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Tensor/Compare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DJB.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu::runtime;
using llvm::StringRef;

namespace {

using Tensors = llvm::SmallVector<HostTensor>;

HostTensor tensor(StringRef spec) { return unwrap(parseTensor(spec)); }

class HostProgramTest : public ::testing::Test {
protected:
  HostProgramTest() {
    context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                        tensor::TensorDialect, npu::flow::FlowDialect, npu::hal::HALDialect,
                        npu::tensor_ext::TensorExtDialect, npu::util::UtilDialect,
                        tosa::TosaDialect>();
    // Doubles its first input.
    callbacks.dispatch = [&](const DispatchCall &call) -> llvm::Expected<Tensors> {
      calls.push_back(std::to_string(call.index) + " " + call.callee.getLeafReference().str());
      HostTensor result = call.inputs.front();
      for (int64_t i = 0; i < result.getNumElements(); ++i)
        result.setFloat(i, 2 * result.getFloat(i));
      return Tensors{result};
    };
  }

  std::unique_ptr<HostProgram> create(StringRef text, StringRef name = "") {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context), "test.mlir");
    EXPECT_TRUE(module);
    return unwrap(HostProgram::create(*module, name, callbacks));
  }

  /// The error of running `body` in a function without inputs.
  std::string runError(StringRef body) {
    auto program = create(("util.global private @unset : tensor<2xf32>\n"
                           "util.func public @main() -> tensor<4xf32> {\n" +
                           body + "\n}")
                              .str());
    auto results = program->run({});
    if (!results)
      return llvm::toString(results.takeError());
    ADD_FAILURE() << "expected an error";
    return "";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  HostProgramCallbacks callbacks;
  std::vector<std::string> calls;
};

TEST_F(HostProgramTest, RunsEveryOp) {
  callbacks.parameter = [](StringRef scope, StringRef key,
                           const HostTensorType &type) -> llvm::Expected<HostTensor> {
    EXPECT_EQ(scope, "model");
    EXPECT_EQ(key, "w");
    HostTensor tensor(type.elementType, type.shape);
    tensor.fill(10);
    return tensor;
  };
  auto program = create(R"(
util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4xf32>
util.global private @c = dense<[1.0, 2.0]> : tensor<2xf32>
util.global private mutable @count : tensor<2xf32>
util.global private @set : i64
util.initializer {
  %0 = arith.constant 7 : i64
  util.global.store %0, @set : i64
  util.return
}
util.func public @main(%arg0: !hal.buffer_view, %arg1: tensor<2x2xf32>)
    -> (!hal.buffer_view, tensor<2xf32>, tensor<8xi8>, i64, f32, tensor<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = hal.tensor.import %arg0 "x" : !hal.buffer_view -> tensor<2x2xf32>
  %flat = flow.tensor.reshape %x : tensor<2x2xf32> -> tensor<4xf32>
  %0 = flow.dispatch @ex::@double(%flat) : (tensor<4xf32>) -> tensor<4xf32>
  %w = util.global.load immutable @w : tensor<4xf32>
  %1 = flow.dispatch @ex::@again[%c2](%w, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %row = flow.tensor.slice %1[%c1 for %c2] : tensor<4xf32> -> tensor<2xf32>
  %c = util.global.load @c : tensor<2xf32>
  %count = util.global.load @count : tensor<2xf32>
  %next = flow.dispatch @ex::@double(%c) : (tensor<2xf32>) -> tensor<2xf32>
  util.global.store %next, @count : tensor<2xf32>
  %bits = flow.tensor.bitcast %c : tensor<2xf32> -> tensor<8xi8>
  %set = util.global.load @set : i64
  %element = flow.tensor.load %arg1[%c1, %c0] : tensor<2x2xf32>
  %splat = flow.tensor.splat %element : tensor<2x3xf32>
  %update = flow.tensor.update %arg1, %splat[%c0, %c1] : tensor<2x2xf32> -> %splat as tensor<2x3xf32>
  %stored = flow.tensor.store %element, %update[%c0, %c2] : tensor<2x3xf32>
  %called = util.call @callee(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %out = hal.tensor.export %called "y" : tensor<4xf32> -> !hal.buffer_view
  util.return %out, %count, %bits, %set, %element, %stored
      : !hal.buffer_view, tensor<2xf32>, tensor<8xi8>, i64, f32, tensor<2x3xf32>
}
util.func private @callee(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = util.optimization_barrier %arg0 : tensor<4xf32>
  util.return %0 : tensor<4xf32>
}
)");
  ASSERT_EQ(program->getInputs().size(), 2u);
  EXPECT_EQ(program->getInputs()[0].name, "x");
  EXPECT_EQ(program->getInputs()[0].type.str(), "2x2xf32");
  EXPECT_EQ(program->getInputs()[1].name, "");
  EXPECT_EQ(program->getOutputs()[0].name, "y");
  EXPECT_EQ(program->getOutputs()[3].type.str(), "i64");

  HostTensor x = tensor("2x2xf32=1 2 3 4"), y = tensor("2x2xf32=5 6 7 8");
  Tensors results = unwrap(program->run({x, y}));
  EXPECT_EQ(results[0], tensor("4xf32=2 4 6 8"));
  EXPECT_EQ(results[1], tensor("2xf32=0"));
  EXPECT_EQ(results[2], tensor("8xi8=0 0 128 63 0 0 0 64"));
  EXPECT_EQ(results[3], tensor("i64=7"));
  EXPECT_EQ(results[4], tensor("f32=7"));
  EXPECT_EQ(results[5], tensor("2x3xf32=7 5 7 7 7 8"));
  EXPECT_EQ(calls, (std::vector<std::string>{"0 double", "1 again", "2 double"}));
  // The mutable global was stored.
  EXPECT_EQ(unwrap(program->run({x, y}))[1], tensor("2xf32=2 4"));

  EXPECT_EQ(llvm::toString(program->run({x}).takeError()), "'main' expects 2 inputs, found 1");
  EXPECT_EQ(llvm::toString(program->run({y, tensor("2x2xf16")}).takeError()),
            "'main' expects a 2x2xf32 as input 1 but a 2x2xf16 was given");
}

TEST_F(HostProgramTest, LocatesErrors) {
  context.allowUnregisteredDialects();
  EXPECT_EQ(runError("%0 = \"x.y\"() : () -> tensor<4xf32>\nutil.return %0 : tensor<4xf32>"),
            "test.mlir:3:6: 'x.y' op is not supported in a host program");
  EXPECT_EQ(runError("%c3 = arith.constant 3 : index\n%c2 = arith.constant 2 : index\n"
                     "%0 = flow.tensor.empty : tensor<4xf32>\n"
                     "%1 = flow.tensor.slice %0[%c3 for %c2] : tensor<4xf32> -> tensor<2xf32>\n"
                     "util.return %0 : tensor<4xf32>"),
            "test.mlir:6:6: 'flow.tensor.slice' op elements 3 to 5 of dimension 0 are outside of a "
            "4xf32");
  EXPECT_EQ(runError("%0 = util.global.load @unset : tensor<2xf32>\n"
                     "%1 = flow.tensor.empty : tensor<4xf32>\nutil.return %1 : tensor<4xf32>"),
            "test.mlir:3:6: 'util.global.load' op loads global 'unset', which has neither an "
            "initial value nor an initializer");
  EXPECT_EQ(
      runError("%0 = flow.tensor.constant #flow.parameter.named<\"k\"> : tensor<4xf32>\n"
               "util.return %0 : tensor<4xf32>"),
      "test.mlir:3:6: 'flow.tensor.constant' op needs parameter 'k' but no parameters were given");
  EXPECT_EQ(runError("%0 = util.call @main() : () -> tensor<4xf32>\n"
                     "util.return %0 : tensor<4xf32>"),
            "test.mlir:2:1: 'util.func' op is called recursively, which is not supported");
  callbacks.dispatch = [](const DispatchCall &) -> llvm::Expected<Tensors> {
    return llvm::createStringError("no such program");
  };
  std::string dispatch = "%e = flow.tensor.empty : tensor<4xf32>\n"
                         "%0 = flow.dispatch @a::@b(%e) : (tensor<4xf32>) -> tensor<4xf32>\n"
                         "util.return %0 : tensor<4xf32>";
  EXPECT_EQ(runError(dispatch),
            "test.mlir:4:6: 'flow.dispatch' op dispatch #0 failed: no such program");
  callbacks.dispatch = [](const DispatchCall &) -> llvm::Expected<Tensors> {
    return Tensors{tensor("3xf32")};
  };
  EXPECT_EQ(runError(dispatch), "test.mlir:4:6: 'flow.dispatch' op expected a 4xf32 as result 0 "
                                "but the dispatch gave a 3xf32");
}

TEST_F(HostProgramTest, FindsTheHostFunction) {
  StringRef two = "util.func public @a() { util.return }\nutil.func public @b() { util.return }";
  create(two, "b");
  auto error = [&](StringRef name) {
    return llvm::toString(HostProgram::create(*module, name, callbacks).takeError());
  };
  EXPECT_EQ(error(""), "there are several public host functions, 'a' and 'b'; name the one to run");
  EXPECT_EQ(error("c"), "there is no host function 'c' with a body");
}

TEST_F(HostProgramTest, RunsBlocksAndRegions) {
  // Rank-0 values for what is asked of every iteration; the dispatch doubles.
  auto program = create(R"(
util.func public @main(%n: index, %limit: f32) -> (tensor<2xf32>, i8, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %start = tensor.from_elements %one, %limit : tensor<2xf32>
  %zero = arith.constant 0 : i8
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start, %s = %zero)
      -> (tensor<2xf32>, i8) {
    %d = flow.dispatch @ex::@double(%t) : (tensor<2xf32>) -> tensor<2xf32>
    %i8 = arith.index_cast %i : index to i8
    %next = arith.addi %s, %i8 : i8
    scf.yield %d, %next : tensor<2xf32>, i8
  }
  cf.br ^head(%r#0, %c0 : tensor<2xf32>, index)
^head(%t: tensor<2xf32>, %count: index):
  %x = tensor.extract %t[%c0] : tensor<2xf32>
  %more = arith.cmpf olt, %x, %limit : f32
  %x2 = arith.mulf %x, %x : f32
  %squared = tensor.insert %x2 into %t[%c1] : tensor<2xf32>
  cf.cond_br %more, ^body, ^end(%squared : tensor<2xf32>)
^body:
  %d = flow.dispatch @ex::@again(%t) : (tensor<2xf32>) -> tensor<2xf32>
  %up = arith.addi %count, %c1 : index
  cf.br ^head(%d, %up : tensor<2xf32>, index)
^end(%result: tensor<2xf32>):
  util.return %result, %r#1, %count : tensor<2xf32>, i8, index
}
)");
  ASSERT_EQ(program->getInputs().size(), 2u);
  EXPECT_EQ(program->getInputs()[0].type.str(), "i64");
  ASSERT_EQ(program->getOutputs().size(), 3u);
  Tensors results = unwrap(program->run({tensor("i64=2"), tensor("f32=10")}));
  EXPECT_EQ(results[0], tensor("2xf32=16 256"));
  EXPECT_EQ(results[1], tensor("i8=1"));
  EXPECT_EQ(results[2], tensor("i64=2"));
  EXPECT_EQ(calls, (std::vector<std::string>{"0 double", "0 double", "1 again", "1 again"}));
  // Integers wrap: 0 + 1 + .. + 16 = 136.
  results = unwrap(program->run({tensor("i64=17"), tensor("f32=0")}));
  EXPECT_EQ(results[1], tensor("i8=-120"));
}

TEST_F(HostProgramTest, StopsEndlessLoops) {
  callbacks.opLimit = 100;
  EXPECT_EQ(runError("cf.br ^a\n^a:\ncf.br ^a"),
            "test.mlir:5:1: 'cf.br' op is past the limit of 100 executed ops of the host program, "
            "which stops endless loops; raise it (--host-op-limit of npu-run) if the loop ends");
}

TEST_F(HostProgramTest, ComparesReturns) {
  module = parseSourceString<ModuleOp>(R"(
util.func public @main(%c: i1, %a: tensor<4xf32>, %b: tensor<2xf32>) -> !hal.buffer_view {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = hal.tensor.export %a "y" : tensor<4xf32> -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
^b:
  %1 = hal.tensor.export %b "y" : tensor<2xf32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}
)",
                                       ParserConfig(&context), "test.mlir");
  ASSERT_TRUE(module);
  EXPECT_EQ(llvm::toString(HostProgram::create(*module, "", callbacks).takeError()),
            "test.mlir:9:3: 'util.return' op returns a 2xf32 where another return of the function "
            "gives a 4xf32; return the same types");
}

/// The function that npu-run compares with does not share the interpreter.
TEST_F(HostProgramTest, ModelsHaveControlFlow) {
  module = parseSourceString<ModuleOp>(R"(
util.func private @scale(%t: tensor<2xf32>, %f: f32) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %s = linalg.fill ins(%f : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.mul ins(%t, %s : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>)
      -> tensor<2xf32>
  util.return %r : tensor<2xf32>
}
util.func public @main(%t: tensor<2xf32>, %f: f32, %n: index) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%t, %c0 : tensor<2xf32>, index)
^head(%a: tensor<2xf32>, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %next = util.call @scale(%a, %f) : (tensor<2xf32>, f32) -> tensor<2xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%next, %j : tensor<2xf32>, index)
^end:
  util.return %a, %i : tensor<2xf32>, index
}
)",
                                       ParserConfig(&context), "test.mlir");
  ASSERT_TRUE(module);
  auto model = unwrap(HostModel::create(*module, "", callbacks.parameter));
  HostReferenceCache cache;
  HostReference *reference = unwrap(cache.getReference(model->getFunction()));
  Tensors inputs{tensor("2xf32=1 2"), tensor("f32=3"), tensor("i64=2")};
  Tensors results = unwrap(reference->run(model->getArguments(inputs)));
  EXPECT_EQ(results[0], tensor("2xf32=9 18"));
  EXPECT_EQ(results[1], tensor("i64=2"));
}

/// A network's dispatches on the host give what its input does as one function.
class CorpusTest : public HostProgramTest, public ::testing::WithParamInterface<const char *> {};

TEST_P(CorpusTest, DispatchesAgreeWithTheInput) {
  NPU_NEEDS_SHARED();
  std::string folder = npu::getSharedPath(Twine("corpus/iree/") + GetParam());
  OwningOpRef<ModuleOp> input =
      parseSourceFile<ModuleOp>(folder + "/input.mlir", ParserConfig(&context));
  module = parseSourceFile<ModuleOp>(folder + "/flow.mlir", ParserConfig(&context));
  ASSERT_TRUE(input && module);
  PassManager pm(&context);
  pm.addPass(npu::flow::createImportDispatches());
  ASSERT_TRUE(succeeded(pm.run(*module)));

  HostReferenceCache cache;
  callbacks.parameter = [](StringRef, StringRef key,
                           const HostTensorType &type) -> llvm::Expected<HostTensor> {
    HostTensor tensor(type.elementType, type.shape);
    tensor.fillRandom(llvm::djbHash(key), type.shape.front());
    return tensor;
  };
  callbacks.dispatch = [&](const DispatchCall &call) -> llvm::Expected<Tensors> {
    auto executable = module->lookupSymbol<npu::flow::ExecutableOp>(call.callee.getRootReference());
    func::FuncOp body;
    executable.walk([&](func::FuncOp func) {
      if (func.getName() == call.callee.getLeafReference())
        body = func;
    });
    llvm::Expected<HostReference *> reference = cache.getReference(body);
    if (!reference)
      return reference.takeError();
    return (*reference)->run(call.inputs);
  };
  auto program = unwrap(HostProgram::create(*module, "", callbacks));
  Tensors inputs;
  for (auto [index, value] : llvm::enumerate(program->getInputs())) {
    HostTensor tensor(value.type.elementType, value.type.shape);
    // Indices stay small; what is quantized uses its range, or requantization leaves nothing.
    if (value.type.elementType == ElementType::I32 || value.type.elementType == ElementType::I64)
      tensor.fillSmallInts(index + 1);
    else
      tensor.fillRandom(index + 1);
    inputs.push_back(tensor);
  }
  Tensors results = unwrap(program->run(inputs));

  auto model = unwrap(HostModel::create(*input, "", callbacks.parameter));
  Tensors arguments = model->getArguments(inputs);
  Tensors expected = unwrap(unwrap(cache.getReference(model->getFunction()))->run(arguments));
  Tensors bounds = unwrap(computeContractionBound(model->getFunction(), arguments));
  ASSERT_EQ(results.size(), expected.size());
  for (auto [index, result] : llvm::enumerate(results)) {
    // Dispatch formation may reorder element-wise roundings around the sums.
    Tolerance tolerance = Tolerance::fromBound(bounds[index], /*ulps=*/4);
    CompareReport report = unwrap(compare(expected[index], result, tolerance));
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    EXPECT_TRUE(report.passed) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, CorpusTest,
                         ::testing::Values("matmul_bias_relu_f16", "lenet_nhwc_i8", "lenet_nchw",
                                           "concat_f32", "softmax_f32", "conv2d_nchw_bias_relu_i8",
                                           "conv2d_nhwc_same_pad_f32", "layernorm_f32",
                                           "mnist_linalg", "tosa_lenet_f32_args",
                                           "tosa_conv2d_bias_relu_i8", "tosa_matmul_i8_i32",
                                           "embedding_gather_f32", "transformer_encoder_f32_params",
                                           "resnet_basic_block_nchw_f32"));

} // namespace
