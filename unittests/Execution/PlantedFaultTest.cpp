//===- PlantedFaultTest.cpp - --check sees what any pass breaks -----------===//
//
// Models run with --check, and wherever one pass of the way from model to program runs, it leaves
// one op that has been made another, as if the pass were wrong. The check has to see it, whichever
// pass it is.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

/// The name of an op that computes something else from the same types; empty if there is none. No
/// op leads back to itself: a pass may run more than once.
StringRef getOther(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("arith.addf", "arith.subf")
      .Case("arith.mulf", "arith.addf")
      .Case("arith.addi", "arith.subi")
      .Case("arith.maximumf", "arith.minimumf")
      .Case("arith.maxsi", "arith.minsi")
      .Case("linalg.add", "linalg.sub")
      .Case("tosa.add", "tosa.sub")
      .Case("Add", "Sub")
      .Default("");
}

/// By which `getOther` knows an op.
StringRef getKind(Operation *op) {
  if (auto node = dyn_cast<onnx_ir::NodeOp>(op))
    return node.getOpType();
  auto binary = dyn_cast<BinaryOp>(op);
  return binary && binary.getKind() == BinaryKind::Add ? "Add" : op->getName().getStringRef();
}

/// The first op of `root` that can be made another. Index arithmetic is not: what it computes need
/// not be a place.
Operation *findChangeable(Operation *root) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!getOther(getKind(op)).empty() &&
        !llvm::any_of(op->getResultTypes(), llvm::IsaPred<IndexType>)) {
      found = op;
      return WalkResult::interrupt();
    }
    // The body of a named op follows from its name. Without its product, what was a contraction
    // runs on the host, as it was given.
    auto linalg = dyn_cast<linalg::LinalgOp>(op);
    bool isLeftAlone =
        linalg && (!llvm::isa<linalg::GenericOp>(op) || linalg.getNumReductionLoops());
    return isLeftAlone ? WalkResult::skip() : WalkResult::advance();
  });
  return found;
}

void change(Operation *op) {
  OpBuilder builder(op);
  StringRef other = getOther(getKind(op));
  if (auto node = dyn_cast<onnx_ir::NodeOp>(op))
    return node.setOpType(other);
  if (auto binary = dyn_cast<BinaryOp>(op))
    return binary.setKind(BinaryKind::Sub);
  if (auto add = dyn_cast<linalg::AddOp>(op)) {
    auto sub = linalg::SubOp::create(builder, op->getLoc(), add.getInputs(), add.getOutputs());
    op->replaceAllUsesWith(sub);
  } else {
    OperationState state(op->getLoc(), other, op->getOperands(), op->getResultTypes());
    op->replaceAllUsesWith(builder.create(state));
  }
  op->erase();
}

struct Model {
  const char *name, *target, *text;
};

/// Inputs of products that are values, a sum that a chain of elementwise ops reads, a reshape, a
/// transposition, pads, and a concatenation.
constexpr const char *floats = R"mlir(
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>,
             %w: tensor<8x32xf32>, %k: tensor<4x3x3x1xf32>) -> (tensor<1x8x8x4xf32>, tensor<8x12xf32>) {
  %z = arith.constant 0.0 : f32
  %1 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e1 = tensor.empty() : tensor<8x32xf32>
  %s = linalg.add ins(%1, %w : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %et = tensor.empty() : tensor<32x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x32xf32>) outs(%et : tensor<32x8xf32>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<8x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%s, %t : tensor<8x32xf32>, tensor<32x8xf32>) outs(%f2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %image = tensor.expand_shape %2 [[0, 1], [2, 3]] output_shape [1, 8, 8, 1] : tensor<8x8xf32> into tensor<1x8x8x1xf32>
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %l: index, %m: index):
    tensor.yield %z : f32
  } : tensor<1x8x8x1xf32> to tensor<1x10x10x1xf32>
  %e3 = tensor.empty() : tensor<1x8x8x4xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = linalg.conv_2d_nhwc_fhwc ins(%padded, %k : tensor<1x10x10x1xf32>, tensor<4x3x3x1xf32>) outs(%f3 : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %e4 = tensor.empty() : tensor<1x8x8x4xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%3 : tensor<1x8x8x4xf32>) outs(%e4 : tensor<1x8x8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %d = arith.addf %x, %x : f32
    %r = arith.maximumf %d, %z : f32
    linalg.yield %r : f32
  } -> tensor<1x8x8x4xf32>
  %part = tensor.extract_slice %1[0, 4] [8, 4] [1, 1] : tensor<8x32xf32> to tensor<8x4xf32>
  %joined = tensor.concat dim(1) %2, %part : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x12xf32>
  return %4, %joined : tensor<1x8x8x4xf32>, tensor<8x12xf32>
}
)mlir";

/// Zero points, sums of bytes, and a scaling back to bytes.
constexpr const char *integers = R"mlir(
func.func @f(%a: tensor<8x16xi8>, %b: tensor<16x32xi8>, %w: tensor<32x8xi8>, %d: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %c3 = arith.constant 3 : i32
  %z = arith.constant 0 : i32
  %e1 = tensor.empty() : tensor<8x32xi32>
  %f1 = linalg.fill ins(%z : i32) outs(%e1 : tensor<8x32xi32>) -> tensor<8x32xi32>
  %1 = linalg.quantized_matmul ins(%a, %b, %c3, %z : tensor<8x16xi8>, tensor<16x32xi8>, i32, i32) outs(%f1 : tensor<8x32xi32>) -> tensor<8x32xi32>
  %e2 = tensor.empty() : tensor<8x32xi8>
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %six = arith.constant 6 : i32
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<8x32xi32>) outs(%e2 : tensor<8x32xi8>) {
  ^bb0(%x: i32, %o: i8):
    %s = arith.addi %x, %high : i32
    %y = arith.shrsi %s, %six : i32
    %l = arith.maxsi %y, %low : i32
    %h = arith.minsi %l, %high : i32
    %t = arith.trunci %h : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8x32xi8>
  %3 = linalg.matmul ins(%2, %w : tensor<8x32xi8>, tensor<32x8xi8>) outs(%d : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %3 : tensor<8x8xi32>
}
)mlir";

constexpr const char *tosa = R"mlir(
func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>, %v: tensor<1x8x8x8xf32>, %u: tensor<1x8x5xf32>) -> tensor<1x64x5xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shape = tosa.const_shape {values = dense<[1, 64, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x8xf32>
  %1 = tosa.add %0, %v : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = tosa.reshape %1, %shape : (tensor<1x8x8x8xf32>, !tosa.shape<3>) -> tensor<1x64x8xf32>
  %3 = tosa.matmul %2, %u, %z, %z : (tensor<1x64x8xf32>, tensor<1x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x64x5xf32>
  return %3 : tensor<1x64x5xf32>
}
)mlir";

constexpr const char *onnx = R"mlir(
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>, %w: tensor<32x8xf32>) -> !onnx.unknown {
    %0 = onnx.node "MatMul"(%a, %b) : (tensor<8x16xf32>, tensor<16x32xf32>) -> !onnx.unknown
    %1 = onnx.node "Add"(%0, %c) : (!onnx.unknown, tensor<8x32xf32>) -> !onnx.unknown
    %2 = onnx.node "Relu"(%1) : (!onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "MatMul"(%2, %w) : (!onnx.unknown, tensor<32x8xf32>) -> !onnx.unknown
    return %3 : !onnx.unknown
  }
}
)mlir";

/// Products of bytes as exporters write them.
constexpr const char *quantized = R"mlir(
module attributes {onnx.opset = {ai.onnx = 17 : i64}} {
  func.func @f(%a: tensor<8x16xi8>, %w: tensor<16x32xi8>, %v: tensor<32x8xi8>, %b: tensor<8x32xi8>) -> !onnx.unknown {
    %s = onnx.constant dense<5.000000e-02> : tensor<f32>
    %t = onnx.constant dense<5.000000e-01> : tensor<f32>
    %u = onnx.constant dense<2.000000e+01> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %da = onnx.node "DequantizeLinear"(%a, %s, %z) : (tensor<8x16xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %dw = onnx.node "DequantizeLinear"(%w, %s, %z) : (tensor<16x32xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %dv = onnx.node "DequantizeLinear"(%v, %s, %z) : (tensor<32x8xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %db = onnx.node "DequantizeLinear"(%b, %t, %z) : (tensor<8x32xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %0 = onnx.node "MatMul"(%da, %dw) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %1 = onnx.node "QuantizeLinear"(%0, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%1, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %3 = onnx.node "Add"(%2, %db) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "QuantizeLinear"(%3, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %5 = onnx.node "DequantizeLinear"(%4, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %6 = onnx.node "MatMul"(%5, %dv) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %7 = onnx.node "QuantizeLinear"(%6, %u, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %7 : !onnx.unknown
  }
}
)mlir";

/// A value that a loop and a called function set.
constexpr const char *globals = R"mlir(
ml_program.global private mutable @state(dense<1.5> : tensor<8x8xf32>) : tensor<8x8xf32>
func.func private @step(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = ml_program.global_load @state : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.add ins(%x, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  ml_program.global_store @state = %0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @f(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<8x8xf32> {
    %b = func.call @step(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m = linalg.matmul ins(%b, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %m : tensor<8x8xf32>
  }
  %s = ml_program.global_load @state : tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.add ins(%r, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
)mlir";

const Model models[] = {{"floats", "npu-v1", floats},       {"integers", "npu-tiny", integers},
                        {"tosa", "npu-v1", tosa},           {"onnx", "npu-v1", onnx},
                        {"quantized", "npu-v1", quantized}, {"globals", "npu-v1", globals}};

class PlantedFault : public ::testing::Test {
protected:
  PlantedFault() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
    context.disableMultithreading();
    context.registerActionHandler(
        [this](llvm::function_ref<void()> run, const tracing::Action &action) {
          run();
          if (auto *pass = dyn_cast<PassExecutionAction>(&action))
            plantBehind(*pass);
        });
  }

  void plantBehind(const PassExecutionAction &action) {
    // The reference is made first, of a clone of the model.
    Operation *root = action.getOp();
    while (Operation *parent = root->getParentOp())
      root = parent;
    isCompiling |= root == compiled;
    if (!isCompiling)
      return;
    StringRef pass = action.getPass().getArgument();
    // Kernels are compared with the dispatches that they are made of.
    if (pass.empty() || llvm::isa<KernelOp>(action.getOp()))
      return;
    Operation *op = findChangeable(action.getOp());
    if (!op)
      return;
    passes.insert(pass);
    if (pass == culprit)
      change(op);
  }

  /// Runs the model with faults behind the pass, or with none.
  CheckVerdict run(const Model &model, StringRef pass) {
    culprit = pass;
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model.text, &context);
    EXPECT_TRUE(module);
    compiled = module->getOperation();
    isCompiling = false;
    RunOptions options;
    options.target = model.target;
    options.check = true;
    options.hostOptLevel = 0;
    llvm::Expected<RunReport> report = runModel(*module, options);
    if (!report) {
      ADD_FAILURE() << pass.str() << ": " << llvm::toString(report.takeError());
      return CheckVerdict::Inconclusive;
    }
    return report->getHostVerdict();
  }

  MLIRContext context;
  llvm::SetVector<StringRef> passes; ///< behind which there was something to change
  StringRef culprit;
  Operation *compiled = nullptr;
  bool isCompiling = false;
};

/// The names of all passes of a pipeline, those of pipelines in it included.
llvm::SetVector<StringRef> collectPasses(StringRef pipeline) {
  llvm::SetVector<StringRef> result;
  while (!pipeline.empty()) {
    StringRef name =
        pipeline.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
    if (PassInfo::lookup(name))
      result.insert(name);
    pipeline = pipeline.drop_front(std::max<size_t>(name.size(), 1));
  }
  return result;
}

TEST_F(PlantedFault, IsSeenBehindEveryPass) {
  llvm::SetVector<StringRef> seen;
  for (const Model &model : models) {
    SCOPED_TRACE(model.name);
    passes.clear();
    EXPECT_EQ(run(model, ""), CheckVerdict::Match);
    llvm::SmallVector<StringRef> known(passes.begin(), passes.end());
    // Of each kind of model all that comes first, and behind that what no other one has had.
    constexpr size_t always = 12;
    for (auto [number, pass] : llvm::enumerate(known)) {
      if (seen.insert(pass) || number < always) {
        EXPECT_EQ(run(model, pass), CheckVerdict::Mismatch) << "behind " << pass.str();
      }
    }
  }
  EXPECT_TRUE(seen.contains("npu-onnx-fold-qdq"));
  OpPassManager frontHalf(ModuleOp::getOperationName());
  populateFrontHalfPipeline(frontHalf, FrontHalfOptions());
  std::string text;
  llvm::raw_string_ostream os(text);
  frontHalf.printAsTextualPipeline(os);
  // Those that no model here gives anything to do: sizes that are data.
  const llvm::StringSet<> idle = {"resolve-shaped-type-result-dims",
                                  "npu-flow-cleanup-tensor-shapes"};
  for (StringRef pass : collectPasses(text))
    EXPECT_NE(seen.contains(pass), idle.contains(pass)) << pass.str();
}

} // namespace
