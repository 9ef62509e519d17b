//===- npu-host-benchmark.cpp - how fast the host's code is ---------------===//
//
// Products and long sums of f32 as the host reference runs them, in one thread.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostReference/HostReference.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/CommandLine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

static llvm::ExitOnError exitOnError("npu-host-benchmark: error: ");

/// The least of five runs of a function of tensors of f32.
static double getSeconds(MLIRContext &context, const std::string &text,
                         ArrayRef<SmallVector<int64_t>> shapes) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  auto function = exitOnError(HostReference::create(*module->getOps<func::FuncOp>().begin()));
  std::vector<HostTensor> inputs;
  for (ArrayRef<int64_t> shape : shapes)
    inputs.emplace_back(ElementType::F32, shape).fillRandom(inputs.size());
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 5; ++repetition) {
    auto start = std::chrono::steady_clock::now();
    exitOnError(function->run(inputs));
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    least = std::min(least, seconds.count());
  }
  return least;
}

static void printMatmul(MLIRContext &context, int64_t size, bool isTransposed) {
  std::string text = llvm::formatv(
      R"(
func.func @f(%a: {0}, %b: {0}, %init: {0}) -> {0} {{
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {1}>,
                                      affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : {0}, {0}) outs(%init : {0}) -> {0}
  return %0 : {0}
})",
      llvm::formatv("tensor<{0}x{0}xf32>", size), isTransposed ? "(n, k)" : "(k, n)");
  double seconds = getSeconds(context, text, {{size, size}, {size, size}, {size, size}});
  llvm::outs() << llvm::formatv("matmul of {0}^3{1}: {2:F1} GFLOP/s\n", size,
                                isTransposed ? " with transposed B" : "",
                                2e-9 * size * size * size / seconds);
}

static void printSum(MLIRContext &context, int64_t dimension) {
  std::string text = llvm::formatv(R"(
func.func @sum(%x: tensor<2048x2048xf32>) -> tensor<2048xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048xf32>) -> tensor<2048xf32>
  %0 = linalg.reduce ins(%x : tensor<2048x2048xf32>) outs(%init : tensor<2048xf32>) dimensions = [{0}]
    (%in: f32, %acc: f32) {{
      %t = math.absf %in : f32
      %s = arith.addf %acc, %t : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<2048xf32>
})",
                                   dimension);
  llvm::outs() << llvm::formatv("sum of 2048x2048 along dimension {0}: {1:F2} GB/s\n", dimension,
                                2048 * 2048 * 4e-9 / getSeconds(context, text, {{2048, 2048}}));
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  hideLLVMOptions();
  llvm::cl::ParseCommandLineOptions(argc, argv, "measures code for the host\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  for (int64_t size : {512, 1024})
    for (bool isTransposed : {false, true})
      printMatmul(context, size, isTransposed);
  for (int64_t dimension : {0, 1})
    printSum(context, dimension);
  return 0;
}
