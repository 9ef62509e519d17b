//===- npu-function-accuracy.cpp - errors of the vector unit's functions --===//
//
// Runs every float function of `vpu.unary` in the simulator on every f32 pattern and compares the
// results, also rounded to f16 and bf16, with the C library's functions in binary64. Those are
// within a few units of binary64's last place, which is 2^-29 of f32's. The tool fails where an
// error is larger than docs/isa-math.md allows.
//
//===----------------------------------------------------------------------===//

#include "NPU/Simulator/Numbers.h"
#include "NPU/Simulator/VectorKernels.h"

#include "NPU/Support/CommandLine.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ThreadPool.h"

#include <cmath>
#include <mutex>

using namespace npu;
using namespace npu::sim;
using isa::UnaryKind;

static llvm::ExitOnError exitOnError("npu-function-accuracy: error: ");

/// What a function should be, and how many ulps of f32 it may be off.
struct Reference {
  double (*exact)(double);
  double limit;
};

/// For f32 results rounded to f16 and bf16: half an ulp, and little more for f32's error.
static constexpr double narrowLimit = 0.51;
/// For the error of the reference where the limit is half an ulp.
static constexpr double slack = 1e-6;

static Reference getReference(UnaryKind kind) {
  constexpr double none = 0, rounded = 0.5 + slack, approximate = 1.5;
  switch (kind) {
  case UnaryKind::Copy:
    return {[](double x) { return x; }, none};
  case UnaryKind::Neg:
    return {[](double x) { return -x; }, none};
  case UnaryKind::Abs:
    return {[](double x) { return std::fabs(x); }, none};
  case UnaryKind::Floor:
    return {[](double x) { return std::floor(x); }, none};
  case UnaryKind::Ceil:
    return {[](double x) { return std::ceil(x); }, none};
  case UnaryKind::Roundeven:
    return {[](double x) { return std::nearbyint(x); }, none};
  case UnaryKind::Exp:
    return {[](double x) { return std::exp(x); }, approximate};
  case UnaryKind::Log:
    return {[](double x) { return std::log(x); }, approximate};
  case UnaryKind::Tanh:
    return {[](double x) { return std::tanh(x); }, approximate};
  case UnaryKind::Sigmoid:
    return {[](double x) { return 1 / (1 + std::exp(-x)); }, approximate};
  case UnaryKind::Erf:
    return {[](double x) { return std::erf(x); }, approximate};
  case UnaryKind::Sqrt:
    return {[](double x) { return std::sqrt(x); }, rounded};
  case UnaryKind::Rsqrt:
    // The sequence divides in binary64 itself; x87 takes long for NaN.
    return {
        [](double x) { return x > 0 ? double(1 / std::sqrt((long double)(x))) : 1 / std::sqrt(x); },
        rounded};
  case UnaryKind::Reciprocal:
    return {[](double x) { return 1 / x; }, rounded};
  case UnaryKind::Exp2:
    return {[](double x) { return std::exp2(x); }, approximate};
  case UnaryKind::Sin:
    return {[](double x) { return std::sin(x); }, approximate};
  case UnaryKind::Cos:
    return {[](double x) { return std::cos(x); }, approximate};
  case UnaryKind::Not:
    break;
  }
  llvm_unreachable("not a float function");
}

namespace {
/// A binary format of `precision` bits, whose normal numbers have exponents down to `least`.
struct Format {
  int precision, least, most;

  /// Distance from a finite `exact` other than 0 in units of the last place of its binade. Infinity
  /// counts as the power of two that is too large, as in rounding.
  double getUlps(double found, double exact) const {
    double tooLarge = powerOfTwo(most + 1);
    found = std::fmin(std::fmax(found, -tooLarge), tooLarge);
    exact = std::fmin(std::fmax(exact, -tooLarge), tooLarge);
    int exponent = int(llvm::bit_cast<uint64_t>(exact) >> 52 & 0x7ff) - 1023;
    exponent = exponent < least ? least : exponent > most ? most : exponent;
    return std::fabs(found - exact) * powerOfTwo(precision - 1 - exponent);
  }

private:
  static double powerOfTwo(int n) { return llvm::bit_cast<double>(uint64_t(n + 1023) << 52); }
};

/// The largest error so far and the pattern of its operand, the first of equals.
struct Worst {
  double ulps = 0;
  uint32_t at = 0;

  void add(double otherUlps, uint32_t otherAt) {
    if (otherUlps > ulps || (otherUlps == ulps && otherAt < at)) {
      ulps = otherUlps;
      at = otherAt;
    }
  }
};

struct Errors {
  uint64_t numPatterns = 0, numSpecialErrors = 0;
  Worst single, half, brain;

  void add(const Errors &other) {
    numPatterns += other.numPatterns;
    numSpecialErrors += other.numSpecialErrors;
    single.add(other.single.ulps, other.single.at);
    half.add(other.half.ulps, other.half.at);
    brain.add(other.brain.ulps, other.brain.at);
  }
};
} // namespace

/// Adds the error of one result and returns whether NaN, an infinity, a zero or a sign is wrong.
static bool addError(Format format, double found, double exact, uint32_t at, Worst &worst) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) != std::isnan(found);
  if (std::signbit(exact) != std::signbit(found))
    return true;
  if (std::isinf(exact) || exact == 0)
    return found != exact;
  double ulps = format.getUlps(found, exact);
  if (ulps >= worst.ulps)
    worst.add(ulps, at);
  return false;
}

static void measure(UnaryKind kind, llvm::ArrayRef<uint32_t> patterns, Errors &errors) {
  constexpr Format single = {24, -126, 127}, half = {11, -14, 15}, brain = {8, -126, 127};
  Reference reference = getReference(kind);
  std::vector<float> operands(patterns.size()), results(patterns.size());
  for (auto [operand, pattern] : llvm::zip_equal(operands, patterns))
    operand = fromBits(pattern);
  runUnary(kind, operands.data(), int64_t(operands.size()), results.data());
  for (auto [operand, pattern, result] : llvm::zip_equal(operands, patterns, results)) {
    double exact = reference.exact(operand);
    bool isWrong = addError(single, result, exact, pattern, errors.single);
    isWrong |= addError(half, fromHalf(toHalf(result)), exact, pattern, errors.half);
    isWrong |= addError(brain, fromBrain(toBrain(result)), exact, pattern, errors.brain);
    errors.numSpecialErrors += isWrong;
  }
  errors.numPatterns += patterns.size();
}

/// Every `stride`-th pattern from 0 on, and always those at the edges of the format.
static Errors measureAll(UnaryKind kind, uint64_t stride, llvm::ThreadPoolInterface &pool) {
  constexpr uint64_t numAll = uint64_t(1) << 32, blockSize = 1 << 12, numBlocksPerTask = 1 << 8;
  Errors total;
  std::mutex mutex;
  for (uint64_t start = 0; start < numAll; start += blockSize * numBlocksPerTask * stride)
    pool.async([&, start] {
      Errors errors;
      std::vector<uint32_t> patterns;
      uint64_t bits = start;
      for (uint64_t block = 0; block < numBlocksPerTask && bits < numAll; ++block) {
        patterns.clear();
        for (; patterns.size() < blockSize && bits < numAll; bits += stride)
          patterns.push_back(uint32_t(bits));
        measure(kind, patterns, errors);
      }
      std::lock_guard<std::mutex> lock(mutex);
      total.add(errors);
    });
  pool.wait();
  if (stride > 1)
    for (uint32_t magnitude : {0x00000000u, 0x00000001u, 0x007fffffu, 0x00800000u, 0x3f800000u,
                               0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu})
      measure(kind, {magnitude, magnitude | 0x80000000}, total);
  return total;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  npu::hideLLVMOptions();
  llvm::cl::list<std::string> names(llvm::cl::Positional, llvm::cl::desc("[function...]"));
  llvm::cl::opt<uint64_t> stride("stride", llvm::cl::init(1),
                                 llvm::cl::desc("Measure every N-th pattern only"));
  llvm::cl::ParseCommandLineOptions(argc, argv, "errors of the vector unit's functions\n");
  auto require = [](bool isGood, const llvm::Twine &message) {
    if (!isGood)
      exitOnError(llvm::createStringError(llvm::inconvertibleErrorCode(), message));
  };
  require(stride > 0 && stride < uint64_t(1) << 32, "expected a stride from 1 to 2^32 - 1");
  auto isFloat = [](const auto &c) { return c.domain != isa::Domain::Integers; };
  auto functions = llvm::make_filter_range(isa::EnumTraits<UnaryKind>::cases, isFloat);
  for (llvm::StringRef name : names)
    require(llvm::any_of(functions, [&](const auto &c) { return c.name == name; }),
            "no float function '" + name + "'");

  llvm::DefaultThreadPool pool(llvm::hardware_concurrency());
  bool isGood = true;
  llvm::outs()
      << "| function | patterns | special values wrong | f32 ulp | at | f16 ulp | bf16 ulp |\n"
      << "|---|---|---|---|---|---|---|\n";
  for (const auto &function : functions) {
    if (!names.empty() && !llvm::is_contained(names, function.name))
      continue;
    Errors errors = measureAll(function.value, stride, pool);
    llvm::outs() << llvm::formatv("| `{0}` | {1} | {2} | {3:F3} | 0x{4:x-8} | {5:F4} | {6:F4} |\n",
                                  function.name, errors.numPatterns, errors.numSpecialErrors,
                                  errors.single.ulps, errors.single.at, errors.half.ulps,
                                  errors.brain.ulps);
    llvm::outs().flush();
    isGood &= errors.numSpecialErrors == 0 &&
              errors.single.ulps <= getReference(function.value).limit &&
              errors.half.ulps <= narrowLimit && errors.brain.ulps <= narrowLimit;
  }
  if (!isGood)
    llvm::errs() << "npu-function-accuracy: error: a function is less accurate than its limit\n";
  return isGood ? 0 : 1;
}
