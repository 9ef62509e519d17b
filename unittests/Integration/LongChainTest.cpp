//===- LongChainTest.cpp - kernels of thousands of ops --------------------===//

#include "Harness.h"

#include "benchmarks/BenchmarkKernels.h"

using namespace npu;
using namespace npu::integration;

namespace {

// Nothing recurses over a chain of ops, or it would leave the stack. How the time grows with the
// length is in docs/benchmarks.md.
TEST(LongChain, Compiles) {
  Harness harness;
  isa::Program program = llvm::cantFail(harness.compile(benchmarks::makeChain(5000), "npu-v1"));
  size_t instructions = 0;
  for (const isa::Stream &stream : program.streams)
    instructions += stream.code.size();
  EXPECT_GE(instructions, 5000u);
}

} // namespace
