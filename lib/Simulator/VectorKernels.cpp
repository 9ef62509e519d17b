//===- VectorKernels.cpp - the vector unit's arithmetic -------------------===//

#include "NPU/Simulator/VectorKernels.h"

#include "NPU/Simulator/Clones.h"
#include "NPU/Simulator/Numbers.h"

#include "NPU/Simulator/MathSequences.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace npu;
using namespace npu::sim;
using isa::BinaryKind;
using isa::UnaryKind;

template <typename In, typename Out, typename Function>
NPU_INLINE void map(const In *a, int64_t count, Out *out, Function function) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = function(a[i]);
}

template <typename In, typename Out, typename Function>
NPU_INLINE void map(const In *a, const In *b, int64_t count, Out *out, Function function) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = function(a[i], b[i]);
}

NPU_CLONES static void runIntegers(UnaryKind kind, const int32_t *a, int64_t count, int32_t *out) {
  switch (kind) {
  case UnaryKind::Copy:
    return map(a, count, out, [](int32_t x) { return x; });
  case UnaryKind::Neg:
    return map(a, count, out, [](int32_t x) { return int32_t(0u - uint32_t(x)); });
  case UnaryKind::Abs:
    return map(a, count, out, [](int32_t x) { return x < 0 ? int32_t(0u - uint32_t(x)) : x; });
  case UnaryKind::Not:
    return map(a, count, out, [](int32_t x) { return ~x; });
  default:
    llvm_unreachable("not an integer function");
  }
}

NPU_CLONES static void runFloats(UnaryKind kind, const float *a, int64_t count, float *out) {
  switch (kind) {
  case UnaryKind::Copy:
    return map(a, count, out, [](float x) { return x; });
  case UnaryKind::Neg:
    return map(a, count, out, [](float x) { return -x; });
  case UnaryKind::Abs:
    return map(a, count, out, math::getMagnitude);
  case UnaryKind::Floor:
    return map(a, count, out, [](float x) { return std::floor(x); });
  case UnaryKind::Ceil:
    return map(a, count, out, [](float x) { return std::ceil(x); });
  case UnaryKind::Roundeven:
    return map(a, count, out, math::roundEven);
  case UnaryKind::Exp:
    return map(a, count, out, math::exp);
  case UnaryKind::Log:
    return map(a, count, out, math::log);
  case UnaryKind::Tanh:
    return map(a, count, out, math::tanh);
  case UnaryKind::Sigmoid:
    return map(a, count, out, math::sigmoid);
  case UnaryKind::Erf:
    return map(a, count, out, math::erf);
  case UnaryKind::Sqrt:
    return map(a, count, out, math::sqrt);
  case UnaryKind::Rsqrt:
    return map(a, count, out, math::rsqrt);
  case UnaryKind::Reciprocal:
    return map(a, count, out, math::reciprocal);
  case UnaryKind::Exp2:
    return map(a, count, out, math::exp2);
  case UnaryKind::Sin:
    return map(a, count, out, math::sin);
  case UnaryKind::Cos:
    return map(a, count, out, math::cos);
  case UnaryKind::Not:
    break;
  }
  llvm_unreachable("not a float function");
}

static int32_t divide(int32_t a, int32_t b) {
  if (b == 0)
    return 0;
  return b == -1 ? int32_t(0u - uint32_t(a)) : a / b; // wraps for the least integer
}

NPU_CLONES static void runIntegers(BinaryKind kind, const int32_t *a, const int32_t *b,
                                   int64_t count, int32_t *out) {
  using I = int32_t;
  using U = uint32_t;
  switch (kind) {
  case BinaryKind::Add:
    return map(a, b, count, out, [](I x, I y) { return I(U(x) + U(y)); });
  case BinaryKind::Sub:
    return map(a, b, count, out, [](I x, I y) { return I(U(x) - U(y)); });
  case BinaryKind::Mul:
    return map(a, b, count, out, [](I x, I y) { return I(U(x) * U(y)); });
  case BinaryKind::Div:
    return map(a, b, count, out, divide);
  case BinaryKind::Min:
    return map(a, b, count, out, [](I x, I y) { return std::min(x, y); });
  case BinaryKind::Max:
    return map(a, b, count, out, [](I x, I y) { return std::max(x, y); });
  case BinaryKind::And:
    return map(a, b, count, out, [](I x, I y) { return x & y; });
  case BinaryKind::Or:
    return map(a, b, count, out, [](I x, I y) { return x | y; });
  case BinaryKind::Xor:
    return map(a, b, count, out, [](I x, I y) { return x ^ y; });
  case BinaryKind::Shl:
    return map(a, b, count, out, [](I x, I y) { return U(y) < 32 ? I(U(x) << (y & 31)) : 0; });
  case BinaryKind::Shr:
    return map(a, b, count, out, [](I x, I y) { return x >> std::clamp(y, 0, 31); });
  case BinaryKind::Shru:
    return map(a, b, count, out, [](I x, I y) { return U(y) < 32 ? I(U(x) >> (y & 31)) : 0; });
  default:
    llvm_unreachable("a comparison");
  }
}

/// A NaN operand gives NaN, and -0 is less than +0.
NPU_INLINE float minimum(float x, float y) {
  float least = x < y ? x : y < x ? y : math::fromBits(math::toBits(x) | math::toBits(y));
  return x != x || y != y ? math::getNaN() : least; // equal numbers differ in the zero's sign only
}

NPU_INLINE float maximum(float x, float y) {
  float most = x > y ? x : y > x ? y : math::fromBits(math::toBits(x) & math::toBits(y));
  return x != x || y != y ? math::getNaN() : most;
}

NPU_CLONES static void runFloats(BinaryKind kind, const float *a, const float *b, int64_t count,
                                 float *out) {
  switch (kind) {
  case BinaryKind::Add:
    return map(a, b, count, out, [](float x, float y) { return x + y; });
  case BinaryKind::Sub:
    return map(a, b, count, out, [](float x, float y) { return x - y; });
  case BinaryKind::Mul:
    return map(a, b, count, out, [](float x, float y) { return x * y; });
  case BinaryKind::Div:
    return map(a, b, count, out, [](float x, float y) { return x / y; });
  case BinaryKind::Min:
    return map(a, b, count, out, minimum);
  case BinaryKind::Max:
    return map(a, b, count, out, maximum);
  default:
    llvm_unreachable("not a float function");
  }
}

template <typename T>
static void compare(BinaryKind kind, const T *a, const T *b, int64_t count, int32_t *out) {
  switch (kind) {
  case BinaryKind::CmpEq:
    return map(a, b, count, out, [](T x, T y) { return int32_t(x == y); });
  case BinaryKind::CmpNe:
    return map(a, b, count, out, [](T x, T y) { return int32_t(x != y); });
  case BinaryKind::CmpLt:
    return map(a, b, count, out, [](T x, T y) { return int32_t(x < y); });
  case BinaryKind::CmpLe:
    return map(a, b, count, out, [](T x, T y) { return int32_t(x <= y); });
  case BinaryKind::CmpGt:
    return map(a, b, count, out, [](T x, T y) { return int32_t(x > y); });
  case BinaryKind::CmpGe:
    return map(a, b, count, out, [](T x, T y) { return int32_t(x >= y); });
  default:
    llvm_unreachable("not a comparison");
  }
}

void npu::sim::runComparison(BinaryKind kind, const int32_t *a, const int32_t *b, int64_t count,
                             int32_t *out) {
  compare(kind, a, b, count, out);
}

void npu::sim::runComparison(BinaryKind kind, const float *a, const float *b, int64_t count,
                             int32_t *out) {
  compare(kind, a, b, count, out);
}

void npu::sim::runUnary(UnaryKind kind, const int32_t *a, int64_t count, int32_t *out) {
  runIntegers(kind, a, count, out);
}

void npu::sim::runUnary(UnaryKind kind, const float *a, int64_t count, float *out) {
  runFloats(kind, a, count, out);
}

void npu::sim::runBinary(BinaryKind kind, const int32_t *a, const int32_t *b, int64_t count,
                         int32_t *out) {
  runIntegers(kind, a, b, count, out);
}

void npu::sim::runBinary(BinaryKind kind, const float *a, const float *b, int64_t count,
                         float *out) {
  runFloats(kind, a, b, count, out);
}
