//===- Harness.h - compiles and runs functions for integration tests ------===//

#ifndef NPU_UNITTESTS_INTEGRATION_HARNESS_H
#define NPU_UNITTESTS_INTEGRATION_HARNESS_H

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/Roofline/DispatchNodes.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

#include <map>

namespace npu::integration {

using Tensors = llvm::SmallVector<runtime::HostTensor>;

/// Deterministic on every host, unlike the distributions of <random>.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}

  uint64_t next() {
    // SplitMix64.
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high].
  int64_t in(int64_t low, int64_t high) { return low + int64_t(next() % (high - low + 1)); }
  bool chance(int64_t percent) { return in(1, 100) <= percent; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[in(0, values.size() - 1)];
  }
  template <typename T>
  void shuffle(std::vector<T> &values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[in(0, i - 1)]);
  }

private:
  uint64_t state;
};

/// Limits of random chips, inclusive.
struct ChipRange {
  int64_t minArray = 4, maxArray = 64;        ///< rows and columns
  int64_t minSramLog2 = 14, maxSramLog2 = 21; ///< of bytes
  int64_t minAccLog2 = 11, maxAccLog2 = 19;   ///< of bytes
};

/// The specification of a chip that somebody could build: rates follow from the array, the rest is
/// independent.
std::string makeRandomTarget(Random &random, const ChipRange &range);

/// What one function gave on the NPU.
struct KernelRun {
  Tensors outputs;
  sim::Result statistics;
  runtime::Limit limit;
};

/// Where the dispatches of models ran.
struct Placements {
  int64_t models = 0, modelsOnNPU = 0;    ///< with dispatches, and none on the host
  int64_t onNPU = 0, onHost = 0;          ///< dispatches
  std::map<std::string, int64_t> reasons; ///< of what ran on the host

  void add(const runtime::RunReport &report);
  void print() const;
  /// Fails the test unless so many percent of the models ran on the NPU: nothing is told by what
  /// the host alone runs.
  void expectOnNPU(int64_t percent) const;
};

/// Everything between the text of a function and its results on a target.
class Harness {
public:
  Harness();

  /// The module of `text`, null after a test failure.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);

  /// The program of the only function of `text`, accepted by the verifier.
  llvm::Expected<isa::Program> compile(llvm::StringRef text, llvm::StringRef target);

  /// Compiles and runs the only function of `text`.
  llvm::Expected<KernelRun> run(llvm::StringRef text, llvm::StringRef target,
                                llvm::ArrayRef<runtime::HostTensor> inputs,
                                llvm::ArrayRef<runtime::HostTensor> outputTypes);

  /// Why the only function of `text` does not give `expected` on the target, bit for bit and within
  /// what is possible; empty if it does.
  std::string findFault(llvm::StringRef text, llvm::StringRef target,
                        llvm::ArrayRef<runtime::HostTensor> inputs,
                        llvm::ArrayRef<runtime::HostTensor> expected);
  /// What the only function of `text` gives on the host.
  llvm::Expected<Tensors> runOnHost(llvm::StringRef text,
                                    llvm::ArrayRef<runtime::HostTensor> inputs);
  /// Likewise to `findFault`, on the host.
  std::string findHostFault(llvm::StringRef text, llvm::ArrayRef<runtime::HostTensor> inputs,
                            llvm::ArrayRef<runtime::HostTensor> expected);

  /// Fails the test unless the target and the host give `expected`; `seed` is for the message.
  void expectExact(uint64_t seed, llvm::StringRef target, llvm::StringRef text,
                   llvm::ArrayRef<runtime::HostTensor> inputs,
                   llvm::ArrayRef<runtime::HostTensor> expected);

  /// Runs a module as `npu-run --check` does, with random inputs unless some are given.
  llvm::Expected<runtime::RunReport> runModule(mlir::ModuleOp module, llvm::StringRef target,
                                               llvm::ArrayRef<runtime::HostTensor> inputs = {},
                                               unsigned hostOptLevel = fastOptLevel);

  /// Runs a model. Fails the test unless all that the partition accepts compiles, and all
  /// dispatches and outputs are as far as allowed from the host's. Returns the outputs, none after
  /// an error.
  Tensors expectHostResults(uint64_t seed, llvm::StringRef target, llvm::StringRef text,
                            llvm::ArrayRef<runtime::HostTensor> inputs, Placements &placements);

  /// The errors since the last call.
  std::string takeDiagnostics();

  /// Runs a model file as `npu-run --check` does.
  llvm::Expected<runtime::RunReport> runModelFile(llvm::StringRef path, llvm::StringRef target);

private:
  /// Small functions take longer to compile for the host than to run once.
  static constexpr unsigned fastOptLevel = 0;

  /// Adds the diagnostics since the last call to an error.
  llvm::Error withDiagnostics(llvm::Error error);

  std::string diagnostics;
  mlir::MLIRContext context;
};

/// Why the figures of a run are impossible, empty if they are not: no program beats the roofline or
/// leaves output unwritten.
std::string findBrokenBound(const sim::Result &statistics, const runtime::Limit &limit);

/// Describes the first difference in value or in the sign of zero; empty when there is none.
std::string findDifference(const runtime::HostTensor &expected, const runtime::HostTensor &actual);

/// Describes the first element of a result that is further from what is expected than `bound`, an
/// f64 tensor, and the two roundings of expectation and result; empty if there is none.
std::string findDistance(const runtime::HostTensor &expected, const runtime::HostTensor &bound,
                         const runtime::HostTensor &actual);

/// Describes the first dispatch that the NPU ran otherwise than the host; empty if there is none.
std::string findDifference(const runtime::RunReport &report);

/// `4x5xf32`.
std::string getTypeString(llvm::ArrayRef<int64_t> shape, llvm::StringRef element);

/// How to see a failure of a random test again.
std::string describeCase(uint64_t seed, llvm::StringRef target, llvm::StringRef text);

using Position = llvm::SmallVector<int64_t, 8>;

/// Calls `visit` for all positions of a loop nest, the last loop innermost.
void forEachPosition(llvm::ArrayRef<int64_t> extents,
                     llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// The entries of `values` that `loops` number.
Position select(llvm::ArrayRef<int64_t> values, llvm::ArrayRef<int> loops);

/// What an op of arith, as `arith.maxui`, makes of two numbers, in 64 bits: what is stored wraps.
int64_t combine(llvm::StringRef op, int64_t a, int64_t b, runtime::ElementType type);

/// The row-major index of an element.
int64_t getOffset(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> position);

} // namespace npu::integration

#endif // NPU_UNITTESTS_INTEGRATION_HARNESS_H
