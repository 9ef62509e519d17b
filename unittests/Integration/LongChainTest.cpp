//===- LongChainTest.cpp - compile time grows with the length of chains ---===//

#include "Harness.h"

#include "benchmarks/BenchmarkKernels.h"

#include <chrono>

using namespace npu;
using namespace npu::integration;

namespace {

// Takes some 3 s. Sweeps over all ops for each op, whether for the dimensions of their results or
// for the order of an engine's ops, take half a minute and more.
TEST(LongChain, CompilesInTime) {
  Harness harness;
  std::string chain = benchmarks::makeChain(5000);
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(llvm::cantFail(harness.compile(chain, "npu-v1")).streams.empty());
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), 10.0);
}

} // namespace
