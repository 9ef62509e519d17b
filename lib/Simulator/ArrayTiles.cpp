//===- ArrayTiles.cpp - the array's inner loops per vector width ----------===//
//
// Written once for vectors of any width, and compiled once for each instruction set extension: the
// program runs on any CPU and asks it what it has. Four rows of two vectors are enough sums under
// way to hide the latency of an addition, and few enough for 16 registers.
//
//===----------------------------------------------------------------------===//

#include "ArrayTiles.h"

#include "NPU/Simulator/Clones.h"

#include "llvm/ADT/SmallVector.h"

#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace npu::sim;

static constexpr int64_t vectorsAtOnce = 2;

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

template <typename Vector>
NPU_INLINE void multiplyFloats(const float *left, int64_t leftPitch, const float *right,
                               int64_t depth, float *out, int64_t outPitch, int64_t columns) {
  constexpr int64_t width = vectorsAtOnce * sizeof(Vector) / sizeof(float);
  static_assert(tileColumns % width == 0);
  for (int64_t j = 0; j < columns; j += width) {
    Vector sums[tileRows][vectorsAtOnce];
    for (int64_t r = 0; r < tileRows; ++r)
      std::memcpy(sums[r], out + r * outPitch + j, sizeof(sums[r]));
    for (int64_t k = 0; k < depth; ++k) {
      Vector row[vectorsAtOnce];
      std::memcpy(row, right + k * tileColumns + j, sizeof(row));
      for (int64_t r = 0; r < tileRows; ++r)
        for (int64_t v = 0; v < vectorsAtOnce; ++v)
          sums[r][v] += row[v] * left[r * leftPitch + k];
    }
    for (int64_t r = 0; r < tileRows; ++r)
      std::memcpy(out + r * outPitch + j, sums[r], sizeof(sums[r]));
  }
}

/// `Groups` computes on `Groups::Vector`, 32-bit sums: `addProducts(sum, row, factor)` adds to each
/// sum the products of a pair or four of the row, 32 bits, with those of `factor`.
template <typename Groups, typename Left, typename Right>
NPU_INLINE void multiplyGroups(const Left *left, int64_t leftPitch, const Right *right,
                               int64_t depth, uint32_t *out, int64_t outPitch, int64_t columns) {
  using Vector = typename Groups::Vector;
  constexpr int64_t size = sizeof(uint32_t) / sizeof(Left);
  constexpr int64_t width = vectorsAtOnce * sizeof(Vector) / sizeof(uint32_t);
  static_assert(tileColumns % width == 0);
  for (int64_t j = 0; j < columns; j += width) {
    Vector sums[tileRows][vectorsAtOnce];
    for (int64_t r = 0; r < tileRows; ++r)
      std::memcpy(sums[r], out + r * outPitch + j, sizeof(sums[r]));
    for (int64_t k = 0; k < depth; ++k) {
      Vector row[vectorsAtOnce];
      std::memcpy(row, right + size * (k * tileColumns + j), sizeof(row));
      for (int64_t r = 0; r < tileRows; ++r) {
        int32_t factor;
        std::memcpy(&factor, left + size * (r * leftPitch + k), sizeof(factor));
        for (int64_t v = 0; v < vectorsAtOnce; ++v)
          Groups::addProducts(sums[r][v], row[v], factor);
      }
    }
    for (int64_t r = 0; r < tileRows; ++r)
      std::memcpy(out + r * outPitch + j, sums[r], sizeof(sums[r]));
  }
}

template <typename T>
NPU_INLINE void multiplyRows(const T *a, const T *b, int64_t count, T *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] += a[i] * b[i];
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

namespace {
template <typename T, size_t bytes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(bytes)));
};

/// Sums of pairs without an instruction for them.
struct PortablePairs {
  using Vector = VectorOf<uint32_t, 16>::Type;
  static inline void addProducts(Vector &sum, const Vector &row, int32_t factor) {
    using Signed = VectorOf<int32_t, 16>::Type;
    Signed first = Signed(row << 16) >> 16, second = Signed(row) >> 16;
    sum += Vector(first * int32_t(int16_t(factor))) + Vector(second * (factor >> 16));
  }
};
} // namespace

/// Instantiates the loops for code that may use `ATTRIBUTES`.
#define NPU_DEFINE_TILES(NAME, ATTRIBUTES, BYTES, PAIRS)                                           \
  ATTRIBUTES static void floats##NAME(const float *left, int64_t leftPitch, const float *right,    \
                                      int64_t depth, float *out, int64_t outPitch,                 \
                                      int64_t columns) {                                           \
    multiplyFloats<VectorOf<float, BYTES>::Type>(left, leftPitch, right, depth, out, outPitch,     \
                                                 columns);                                         \
  }                                                                                                \
  ATTRIBUTES static void pairs##NAME(const int16_t *left, int64_t leftPitch, const int16_t *right, \
                                     int64_t depth, uint32_t *out, int64_t outPitch,               \
                                     int64_t columns) {                                            \
    multiplyGroups<PAIRS>(left, leftPitch, right, depth, out, outPitch, columns);                  \
  }                                                                                                \
  ATTRIBUTES static void floatRows##NAME(const float *a, const float *b, int64_t count,            \
                                         float *out) {                                             \
    multiplyRows(a, b, count, out);                                                                \
  }                                                                                                \
  ATTRIBUTES static void integerRows##NAME(const uint32_t *a, const uint32_t *b, int64_t count,    \
                                           uint32_t *out) {                                        \
    multiplyRows(a, b, count, out);                                                                \
  }                                                                                                \
  static constexpr ArrayTiles tiles##NAME = {#NAME,   floats##NAME,    pairs##NAME,                \
                                             nullptr, floatRows##NAME, integerRows##NAME};

#ifdef __x86_64__

namespace {
struct SSE2Pairs {
  using Vector = VectorOf<uint32_t, 16>::Type;
  static inline void addProducts(Vector &sum, const Vector &row, int32_t factor) {
    sum += Vector(_mm_madd_epi16(__m128i(row), _mm_set1_epi32(factor)));
  }
};

struct AVX2Pairs {
  using Vector = VectorOf<uint32_t, 32>::Type;
  __attribute__((target("avx2"))) static inline void addProducts(Vector &sum, const Vector &row,
                                                                 int32_t factor) {
    sum += Vector(_mm256_madd_epi16(__m256i(row), _mm256_set1_epi32(factor)));
  }
};

struct AVX512Pairs {
  using Vector = VectorOf<uint32_t, 64>::Type;
  __attribute__((target("avx512bw"))) static inline void addProducts(Vector &sum, const Vector &row,
                                                                     int32_t factor) {
    sum += Vector(_mm512_madd_epi16(__m512i(row), _mm512_set1_epi32(factor)));
  }
};

struct VNNIQuads {
  using Vector = VectorOf<uint32_t, 64>::Type;
  __attribute__((target("avx512bw,avx512vnni"))) static inline void
  addProducts(Vector &sum, const Vector &row, int32_t factor) {
    sum = Vector(_mm512_dpbusd_epi32(__m512i(sum), _mm512_set1_epi32(factor), __m512i(row)));
  }
};
} // namespace

__attribute__((target("avx512bw,avx512vnni"))) static void
quadsVNNI(const uint8_t *left, int64_t leftPitch, const int8_t *right, int64_t depth, uint32_t *out,
          int64_t outPitch, int64_t columns) {
  multiplyGroups<VNNIQuads>(left, leftPitch, right, depth, out, outPitch, columns);
}

NPU_DEFINE_TILES(SSE2, , 16, SSE2Pairs)
NPU_DEFINE_TILES(AVX2, __attribute__((target("avx2"))), 32, AVX2Pairs)
NPU_DEFINE_TILES(AVX512, __attribute__((target("avx512bw"))), 64, AVX512Pairs)

#endif // __x86_64__

NPU_DEFINE_TILES(Portable, , 16, PortablePairs)

llvm::ArrayRef<ArrayTiles> npu::sim::getArrayTiles() {
  static const llvm::SmallVector<ArrayTiles, 4> tiles = [] {
    llvm::SmallVector<ArrayTiles, 4> result;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw")) {
      ArrayTiles tiles = tilesAVX512;
      if (__builtin_cpu_supports("avx512vnni"))
        tiles.multiplyQuads = quadsVNNI;
      result.push_back(tiles);
    }
    if (__builtin_cpu_supports("avx2"))
      result.push_back(tilesAVX2);
    result.push_back(tilesSSE2);
#endif
    result.push_back(tilesPortable);
    return result;
  }();
  return tiles;
}
