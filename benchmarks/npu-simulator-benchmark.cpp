//===- npu-simulator-benchmark.cpp - how fast the simulator is ------------===//
//
// Multiply-accumulates per second of the simulator (functional, timed and checked, as npu-run runs
// it) on compiled matrix products, next to those of a blocked C loop on the same operands in the
// same process, and of Eigen's f32 product where it was built with it (libeigen3-dev). All run on
// one thread; no set-up is counted. The results of simulator and loop must be equal.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkKernels.h"
#include "blocked-matmul.h"

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <cmath>
#include <cstring>
#include <ctime>
#include <optional>
#include <vector>

using namespace mlir;
using namespace npu;
using namespace npu::benchmarks;
using namespace npu::runtime;

static llvm::ExitOnError exitOnError("npu-simulator-benchmark: error: ");

static void require(bool isGood, const Twine &message) {
  if (!isGood)
    exitOnError(llvm::createStringError(llvm::inconvertibleErrorCode(), message));
}

/// CPU seconds: others on the machine do not count.
static double measure(llvm::function_ref<void()> work) {
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
  };
  double start = now();
  work();
  return now() - start;
}

template <typename Operand, typename Sum>
using Loop = void (*)(int64_t, const Operand *, const Operand *, Sum *);

/// Seconds of Eigen's f32 product; none without Eigen.
static std::optional<double> measureEigen(int64_t size) {
#ifdef NPU_HAS_EIGEN
  static std::vector<float> a(size * size, 1), b(size * size, 1), c(size * size);
  double seconds = measure([&] { eigen_matmul_f32(size, a.data(), b.data(), c.data()); });
  require(c.front() == size && c.back() == size, "Eigen computed another product");
  return seconds;
#else
  return std::nullopt;
#endif
}

/// Measures in turns, so that what else the machine does meets all; the least of `runs` counts.
template <typename Operand, typename Sum>
static void compare(MLIRContext &context, StringRef target, int64_t size, unsigned runs,
                    ElementType operandType, ElementType sumType, Loop<Operand, Sum> loop) {
  StringRef name = getElementTypeName(operandType);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(makeMatmul(size, name, getElementTypeName(sumType)), &context);
  require(bool(module), "the benchmark does not parse");
  DispatchCompiler compiler(target);
  FailureOr<const CompiledProgram *> compiled =
      compiler.getProgram(*module->getOps<func::FuncOp>().begin());
  require(succeeded(compiled), "the benchmark was not compiled");
  const isa::Program *program = &(*compiled)->code;

  HostTensor a(operandType, {size, size}), b(operandType, {size, size});
  a.fillRandom(1, size);
  b.fillRandom(2);
  std::vector<uint8_t> left = a.getBytes().vec(), right = b.getBytes().vec();
  std::vector<Sum> result(size * size), expected(size * size);
  MutableArrayRef<uint8_t> resultBytes(reinterpret_cast<uint8_t *>(result.data()),
                                       result.size() * sizeof(Sum));
  MutableArrayRef<uint8_t> regions[] = {left, right, resultBytes};

  double simulated = HUGE_VAL, looped = HUGE_VAL, eigen = HUGE_VAL;
  for (unsigned run = 0; run < runs; ++run) {
    eigen = std::min(eigen, measureEigen(size).value_or(HUGE_VAL));
    looped = std::min(looped, measure([&] {
                        loop(size, reinterpret_cast<const Operand *>(left.data()),
                             reinterpret_cast<const Operand *>(right.data()), expected.data());
                      }));
    simulated = std::min(simulated, measure([&] {
                           sim::Result statistics = exitOnError(sim::simulate(*program, regions));
                           require(statistics.macs == size * size * size,
                                   "the program does not compute the whole product");
                         }));
    require(std::memcmp(result.data(), expected.data(), resultBytes.size()) == 0,
            "the simulator and the loop computed different " + name + " products");
    std::fill(result.begin(), result.end(), Sum(0));
  }
  double macs = double(size) * size * size;
  llvm::outs() << llvm::formatv("| matmul {0}^3 {1} | {2:F2} | {3:F2} | {4:F2} |", size, name,
                                macs / simulated * 1e-9, macs / looped * 1e-9, looped / simulated);
  if (eigen < HUGE_VAL)
    llvm::outs() << llvm::formatv(" {0:F2} | {1:F2} |", macs / eigen * 1e-9, eigen / simulated);
  llvm::outs() << "\n";
}

int main(int argc, char **argv) {
  llvm::cl::OptionCategory category("benchmark options");
  llvm::cl::opt<int64_t> size("size", llvm::cl::desc("Extent of the matrices, a multiple of 128"),
                              llvm::cl::init(1024), llvm::cl::cat(category));
  llvm::cl::opt<unsigned> runs("runs", llvm::cl::desc("The least time of so many runs counts"),
                               llvm::cl::init(5), llvm::cl::cat(category));
  llvm::cl::opt<TargetName> target("target", llvm::cl::desc("The chip to simulate"),
                                   llvm::cl::init("npu-v1"), llvm::cl::cat(category));
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "How fast the simulator is\n");
  require(size > 0 && size % 128 == 0, "expected a size that is a positive multiple of 128");

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool hasEigen = measureEigen(size).has_value();
  llvm::outs() << "| kernel, " << target << " | simulator GMAC/s | C loop GMAC/s | ratio |"
               << (hasEigen ? " Eigen's f32 GMAC/s | ratio |" : "") << "\n|---|---|---|---|"
               << (hasEigen ? "---|---|" : "") << "\n";
  compare(context, target, size, runs, ElementType::I8, ElementType::I32, blocked_matmul_i8);
  compare(context, target, size, runs, ElementType::F32, ElementType::F32, blocked_matmul_f32);
  return 0;
}
