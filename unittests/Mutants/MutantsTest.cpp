//===- MutantsTest.cpp - compiled programs with one mistake ---------------===//
//
// How much does a correct verdict of the compiler's last pass mean? Every program of a suite of
// compiled kernels gets every mistake of Mutate.h, one at a time.
//
// Mistakes in synchronization must be found by the verifier alone. What is a mistake: a mutant that
// orders the same instances as the original is the same program. One that orders more of them and
// still ends is safe, if perhaps slower; waiting for one more signal can only do that or deadlock,
// because a stream's signals come in order. Both are counted apart, and every one of the second
// kind must be what verifyTightWaits is for. Mistakes in addresses must be found by the verifier,
// by a trap of the simulator, or in the results.
//
//===----------------------------------------------------------------------===//

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/HostReference/HostReference.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Target/Verify/Mutate.h"
#include "NPU/Target/Verify/Verify.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace npu;
using namespace npu::runtime;

namespace {

/// A function of kernels.mlir, or one of networks.mlir with a segment, and what it is compiled for.
/// Small memories give many tiles.
struct Kernel {
  llvm::StringLiteral function;
  llvm::StringLiteral target;
};

constexpr Kernel kernels[] = {
    {"matmul_f32", "npu-v1:sramBytes=32768,accBytes=8192"},
    {"matmul_f32", "npu-v1-x4:sramBytes=16384,accBytes=8192"},
    {"matmul_long", "npu-v1:sramBytes=32768,accBytes=4096,dramBytesPerCycle=1"},
    {"matmul_init", "npu-v1:sramBytes=8192,accBytes=8192"},
    {"matmul_bias_relu", "npu-v1:sramBytes=24576,accBytes=8192"},
    {"matmul_bias_relu", "npu-v1-x4:sramBytes=16384,accBytes=8192"},
    {"matmul_residual", "npu-v1:sramBytes=40960,accBytes=8192"},
    {"matmul_requant", "npu-tiny:sramBytes=4096,accBytes=2048"},
    {"matmul_requant", "npu-v1"},
    {"matmul_i16", "npu-tiny:sramBytes=2048,accBytes=1024"},
    {"batch_matmul", "npu-v1:sramBytes=16384,accBytes=8192"},
    {"batch_matmul", "npu-v1-x4"},
    {"conv_padded", "npu-v1:sramBytes=16384,accBytes=8192"},
    {"conv_padded", "npu-tiny:sramBytes=8192,accBytes=2048"},
    {"conv_strided", "npu-v1:sramBytes=32768,accBytes=8192"},
    {"conv_bias", "npu-v1:sramBytes=32768,accBytes=8192"},
    {"conv_bias", "npu-v1-x4:sramBytes=16384,accBytes=8192"},
    {"depthwise", "npu-v1:sramBytes=16384,accBytes=8192"},
    {"depthwise", "npu-v1-x4:sramBytes=16384,accBytes=8192"},
    {"elementwise", "npu-v1:sramBytes=16384"},
    {"elementwise", "npu-v1-x4:sramBytes=16384"},
    {"gather", "npu-v1:sramBytes=4096"},
    {"gather", "npu-v1-x4:sramBytes=4096"},
    {"table", "npu-tiny:sramBytes=2048,accBytes=1024"},
    {"table", "npu-v1-x4:sramBytes=8192"},
    {"softmax", "npu-v1:sramBytes=4096"},
    {"scan", "npu-v1:sramBytes=8192"},
    {"argmax", "npu-v1:sramBytes=8192"},
    {"topk", "npu-v1:sramBytes=8192"},
    {"max_pool", "npu-v1:sramBytes=8192"},
    {"attention", "npu-v1:sramBytes=16384,accBytes=8192"},
    {"attention", "npu-v1"},
    {"attention", "npu-v1-x4"},
    {"long_attention", "npu-v1:sramBytes=8192,accBytes=4096"},
    {"long_attention", "npu-v1-x4:sramBytes=8192,accBytes=4096"},
};

constexpr Kernel networks[] = {
    {"chain", "npu-v1:sramBytes=16384,accBytes=8192"},
    {"chain", "npu-v1:sramBytes=8192,accBytes=4096"},
    {"chain", "npu-v1"},
    {"chain", "npu-v1:dmaOutstanding=4,macPipelined=1"},
    {"branches", "npu-v1:sramBytes=8192,accBytes=8192"},
    {"branches", "npu-tiny"},
    {"branches", "npu-tiny:sramBytes=4096,accBytes=2048"},
    {"branches", "npu-v1"},
    {"branches", "npu-v1:sramBytes=4096,accBytes=4096"},
    {"rows", "npu-v1:sramBytes=8192,accBytes=8192"},
    {"rows", "npu-v1:sramBytes=4096,accBytes=2048"},
    {"rows", "npu-v1"},
    {"rows", "npu-v1:sramBytes=3072,accBytes=2048"},
    {"rows", "npu-v1:sramBytes=65536,vpuLanes=16"},
    {"image", "npu-v1"},
    {"image", "npu-v1:dramBytesPerCycle=4"},
    {"image", "npu-v1:sramBytes=32768,dramBytesPerCycle=4"},
    {"chain", "npu-v1-x4"},
    {"chain", "npu-v1-x4:sramBytes=8192,accBytes=4096"},
    {"branches", "npu-v1-x4:sramBytes=8192,accBytes=8192"},
    {"rows", "npu-v1-x4"},
    {"image", "npu-v1-x4"},
};

/// What became of the mutants of one kind.
struct Tally {
  unsigned total = 0;
  unsigned same = 0;      ///< the same order: no mistake
  unsigned stricter = 0;  ///< more order and no deadlock: no mistake
  unsigned slower = 0;    ///< of the stricter ones: it takes more cycles
  unsigned tight = 0;     ///< of the stricter ones: refused by verifyTightWaits
  unsigned verifier = 0;  ///< refused by the verifier
  unsigned simulator = 0; ///< accepted by the verifier, trapped by the simulator
  unsigned output = 0;    ///< accepted by both, wrong results
  unsigned unnoticed = 0; ///< accepted by both, right results

  unsigned faults() const { return total - same - stricter; }
  void operator+=(const Tally &other) {
    total += other.total;
    same += other.same;
    stricter += other.stricter;
    slower += other.slower;
    tight += other.tight;
    verifier += other.verifier;
    simulator += other.simulator;
    output += other.output;
    unnoticed += other.unnoticed;
  }
};

constexpr unsigned numKinds = 5;
constexpr llvm::StringLiteral kindNames[numKinds] = {"wait deleted", "signal deleted", "wait + 1",
                                                     "wait - 1", "address moved"};
static_assert(unsigned(MutationKind::ShiftAddress) == 4);
using Tallies = std::array<Tally, numKinds>;

double percent(unsigned part, unsigned whole) { return whole ? 100.0 * part / whole : 100.0; }

class MutantsTest : public ::testing::Test {
protected:
  MutantsTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef file) {
    std::string path = (NPU_SOURCE_DIR "/unittests/Mutants/" + file).str();
    return mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  }

  /// Breaks the program of a kernel or a segment in every way.
  void breakKernel(mlir::func::FuncOp function, llvm::StringRef target, Tallies &tallies);
  void breakSegment(npu::SegmentOp segment, llvm::StringRef target, Tallies &tallies);
  void breakProgram(const CompiledProgram &compiled, mlir::TypeRange inputs,
                    mlir::TypeRange outputs, Tallies &tallies);

  /// Breaks all of them with `breakOne(kernel, tallies)`, prints what became of the mutants, and
  /// expects it to be what it must be.
  void breakAll(llvm::ArrayRef<Kernel> kernels, unsigned leastFaults,
                llvm::function_ref<void(const Kernel &, Tallies &)> breakOne);

  mlir::MLIRContext context;
};

/// The program with what it is run on.
struct Subject {
  const isa::Program &program;
  llvm::SmallVector<HostTensor> inputs, outputs;

  bool traps(const isa::Program &mutant) const {
    llvm::Expected<LaunchResult> result = launch(mutant, inputs, outputs);
    if (result)
      return false;
    llvm::consumeError(result.takeError());
    return true;
  }

  /// Where the mutant shows itself when it runs.
  void run(const isa::Program &mutant, Tally &tally) const {
    sim::Options options;
    options.stepLimit = 10'000'000;
    llvm::Expected<LaunchResult> result = launch(mutant, inputs, outputs, options);
    if (!result) {
      llvm::consumeError(result.takeError());
      ++tally.simulator;
    } else if (result->outputs != outputs) {
      ++tally.output;
    } else {
      ++tally.unnoticed;
    }
  }
};

} // namespace

void MutantsTest::breakKernel(mlir::func::FuncOp function, llvm::StringRef target,
                              Tallies &tallies) {
  DispatchCompiler compiler(target);
  mlir::FailureOr<const CompiledProgram *> compiled = compiler.getProgram(function);
  ASSERT_TRUE(mlir::succeeded(compiled));
  breakProgram(**compiled, function.getArgumentTypes(), function.getResultTypes(), tallies);
}

void MutantsTest::breakSegment(npu::SegmentOp segment, llvm::StringRef target, Tallies &tallies) {
  DispatchCompiler compiler(target);
  ASSERT_TRUE(mlir::succeeded(compiler.compile(segment)));
  llvm::SmallVector<mlir::Value> inputs = getSegmentInputs(segment);
  breakProgram(compiler.getProgram(segment), mlir::ValueRange(inputs).getTypes(),
               segment.getResultTypes(), tallies);
}

void MutantsTest::breakProgram(const CompiledProgram &compiled, mlir::TypeRange inputs,
                               mlir::TypeRange outputs, Tallies &tallies) {
  const isa::Program *program = &compiled.code;
  ASSERT_FALSE(bool(verifyProgram(*program)));
  EXPECT_FALSE(bool(verifyTightWaits(*program))) << "the compiler's own waits have slack";

  Subject subject{*program, {}, {}};
  for (auto [index, type] : llvm::enumerate(inputs)) {
    HostTensorType host = *HostTensorType::get(type);
    subject.inputs.emplace_back(host.elementType, host.shape).fillSmallInts(index + 1);
  }
  for (mlir::Type type : outputs) {
    HostTensorType host = *HostTensorType::get(type);
    subject.outputs.emplace_back(host.elementType, host.shape);
  }
  llvm::Expected<LaunchResult> result = launch(*program, subject.inputs, subject.outputs);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  subject.outputs = result->outputs;

  bool isVerbose = std::getenv("NPU_MUTANTS_VERBOSE");
  for (const Mutation &mutation : enumerateMutations(*program)) {
    Tally &tally = tallies[unsigned(mutation.kind)];
    ++tally.total;
    isa::Program mutant = applyMutation(*program, mutation);
    bool isAddress = mutation.kind == MutationKind::ShiftAddress;
    llvm::Error error = isa::checkProgram(mutant);
    bool isProgram = !error;
    if (isProgram)
      error = verifyProgram(mutant);
    if (error) {
      // No false alarm: a race or a deadlock does not depend on the data, so the simulator traps.
      if (isProgram && !isAddress) {
        EXPECT_TRUE(subject.traps(mutant)) << mutation.describe(*program);
      }
      llvm::consumeError(std::move(error));
      ++tally.verifier;
      continue;
    }
    if (!isAddress && sameHappensBefore(mutant, *program)) {
      ++tally.same;
      if (isVerbose)
        llvm::outs() << "same order: " << mutation.describe(*program) << "\n";
    } else if (!isAddress && containsHappensBefore(mutant, *program)) {
      ++tally.stricter;
      // It must be what it is taken for: safe and right.
      llvm::Expected<LaunchResult> delayed = launch(mutant, subject.inputs, subject.outputs);
      ASSERT_TRUE(bool(delayed)) << mutation.describe(*program) << ": "
                                 << llvm::toString(delayed.takeError());
      EXPECT_TRUE(delayed->outputs == subject.outputs) << mutation.describe(*program);
      llvm::Error slack = verifyTightWaits(mutant);
      EXPECT_TRUE(bool(slack)) << mutation.describe(*program);
      tally.tight += bool(slack);
      llvm::consumeError(std::move(slack));
      tally.slower += delayed->statistics.cycles > result->statistics.cycles;
    } else {
      unsigned trapped = tally.simulator;
      subject.run(mutant, tally);
      // The verifier and the simulator are two implementations of the same rules.
      if (!isAddress) {
        EXPECT_EQ(tally.simulator, trapped)
            << "the simulator traps on what the verifier accepts: " << mutation.describe(*program);
      }
      if (isVerbose)
        llvm::outs() << (tally.simulator > trapped ? "trap: " : "no trap: ")
                     << mutation.describe(*program) << "\n";
    }
  }
}

void MutantsTest::breakAll(llvm::ArrayRef<Kernel> kernels, unsigned leastFaults,
                           llvm::function_ref<void(const Kernel &, Tallies &)> breakOne) {
  llvm::outs() << llvm::formatv("{0,-58} {1,8} {2,6} {3,9} {4,7} {5,9}\n", "kernel", "sync.",
                                "same", "stricter", "faults", "rejected");
  Tallies all;
  for (const Kernel &kernel : kernels) {
    Tallies tallies;
    breakOne(kernel, tallies);
    if (HasFatalFailure())
      FAIL() << kernel.function.str() << " for " << kernel.target.str();
    Tally sum;
    for (unsigned k = 0; k < numKinds; ++k) {
      if (k != unsigned(MutationKind::ShiftAddress))
        sum += tallies[k];
      all[k] += tallies[k];
    }
    llvm::outs() << llvm::formatv("{0,-58} {1,8} {2,6} {3,9} {4,7} {5,9}\n",
                                  (kernel.function + " " + kernel.target).str(), sum.total,
                                  sum.same, sum.stricter, sum.faults(), sum.verifier);
    llvm::outs().flush();
  }

  llvm::outs() << llvm::formatv(
      "\n{0,-16} {1,6} {2,6} {3,9} {4,7} {5,7} {6,9} {7,5} {8,7} {9,10} {10,8}\n", "mutation",
      "total", "same", "stricter", "slower", "faults", "verifier", "trap", "output", "unnoticed",
      "caught");
  Tally synchronization;
  for (unsigned k = 0; k < numKinds; ++k) {
    const Tally &tally = all[k];
    if (k != unsigned(MutationKind::ShiftAddress))
      synchronization += tally;
    llvm::outs() << llvm::formatv(
        "{0,-16} {1,6} {2,6} {3,9} {4,7} {5,7} {6,9} {7,5} {8,7} {9,10} {10,7:f2}%\n", kindNames[k],
        tally.total, tally.same, tally.stricter, tally.slower, tally.faults(), tally.verifier,
        tally.simulator, tally.output, tally.unnoticed,
        percent(tally.faults() - tally.unnoticed, tally.faults()));
  }
  llvm::outs() << llvm::formatv(
      "\nsynchronization: the verifier alone rejects {0} of {1} faults, {2:f2} %;\n"
      "of all {3} mutants with another order, stricter ones included, {4:f2} %,\n"
      "with tight waits demanded {5:f2} %\n",
      synchronization.verifier, synchronization.faults(),
      percent(synchronization.verifier, synchronization.faults()),
      synchronization.total - synchronization.same,
      percent(synchronization.verifier, synchronization.total - synchronization.same),
      percent(synchronization.verifier + synchronization.tight,
              synchronization.total - synchronization.same));
  llvm::outs().flush();

  EXPECT_GE(synchronization.faults(), leastFaults);
  // No wait of a compiled program is implied by others, so each fault is found.
  EXPECT_EQ(synchronization.verifier, synchronization.faults());
  // Waiting longer only ever delays or deadlocks; waiting less never orders more.
  const Tally &incremented = all[unsigned(MutationKind::IncrementWait)];
  EXPECT_EQ(incremented.faults(), incremented.verifier);
  EXPECT_EQ(all[unsigned(MutationKind::DeleteWait)].stricter, 0u);
  EXPECT_EQ(all[unsigned(MutationKind::DecrementWait)].stricter, 0u);
  const Tally &moved = all[unsigned(MutationKind::ShiftAddress)];
  EXPECT_GE(moved.total, 200u);
  EXPECT_GE(percent(moved.total - moved.unnoticed, moved.total), 95.0);
}

TEST_F(MutantsTest, CompiledKernels) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse("kernels.mlir");
  ASSERT_TRUE(module);
  breakAll(kernels, 200, [&](const Kernel &kernel, Tallies &tallies) {
    auto function = module->lookupSymbol<mlir::func::FuncOp>(kernel.function);
    ASSERT_TRUE(function);
    breakKernel(function, kernel.target, tallies);
  });
}

TEST_F(MutantsTest, CompiledSegments) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse("networks.mlir");
  ASSERT_TRUE(module);
  breakAll(networks, 500, [&](const Kernel &network, Tallies &tallies) {
    mlir::Operation *function = module->lookupSymbol(network.function);
    ASSERT_TRUE(function);
    function->walk([&](npu::SegmentOp segment) { breakSegment(segment, network.target, tallies); });
  });
}
