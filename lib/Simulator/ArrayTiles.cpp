//===- ArrayTiles.cpp - the array's inner loops per vector width ----------===//
//
// Written once for vectors of any width, and compiled once for each instruction set extension: the
// program runs on any CPU and asks it what it has. The sums under way hide the latency of a step:
// four rows of two vectors where there are 16 registers, eight where there are 32.
//
//===----------------------------------------------------------------------===//

#include "ArrayTiles.h"

#include "NPU/Simulator/Numbers.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace npu::sim;

static constexpr int64_t vectorsAtOnce = 2;

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// `addProducts(sums, row, r, k)` adds what row `r` of the left side and `row`, row `k` of the
/// right one, come to; `begin` and `end` change sums that are loaded, and sums to be stored.
template <typename Vector, int64_t rows, typename Left, typename Right, typename Sum,
          typename AddProducts, typename Begin, typename End>
NPU_INLINE void multiplyTile(const ArrayTile<Left, Right, Sum> &tile, AddProducts addProducts,
                             Begin begin, End end) {
  constexpr int64_t width = vectorsAtOnce * sizeof(Vector) / sizeof(Sum);
  constexpr int64_t group = sizeof(Sum) / sizeof(Right);
  static_assert(tileColumns % width == 0 && tileRows % rows == 0);
  for (int64_t j = 0; j < tile.columns; j += width)
    for (int64_t first = 0; first < tileRows; first += rows) {
      Vector sums[rows][vectorsAtOnce] = {};
      for (int64_t r = 0; r < rows; ++r) {
        if (tile.accumulates)
          std::memcpy(sums[r], tile.out + (first + r) * tile.outPitch + j, sizeof(sums[r]));
        begin(sums[r], j);
      }
      for (int64_t k = 0; k < tile.depth; ++k) {
        Vector row[vectorsAtOnce];
        std::memcpy(row, tile.right + group * (k * tile.rightPitch + j), sizeof(row));
        for (int64_t r = 0; r < rows; ++r)
          addProducts(sums[r], row, first + r, k);
      }
      for (int64_t r = 0; r < rows; ++r) {
        end(sums[r]);
        std::memcpy(tile.out + (first + r) * tile.outPitch + j, sums[r], sizeof(sums[r]));
      }
    }
}

/// `Floats::addProducts(sum, row, factor)` adds the products, each step rounded once.
template <typename Floats>
NPU_INLINE void multiplyFloats(const ArrayTile<float, float, float> &tile) {
  using Vector = typename Floats::Vector;
  auto addProducts = [&](Vector *sums, const Vector *row, int64_t r, int64_t k)
                         __attribute__((always_inline)) {
                           float factor;
                           std::memcpy(&factor, tile.left + r * tile.leftPitch + k, sizeof(factor));
                           for (int64_t v = 0; v < vectorsAtOnce; ++v)
                             Floats::addProducts(sums[v], row[v], factor - Vector{});
                         };
  auto makeCanonical = [](Vector *sums) __attribute__((always_inline)) {
    for (int64_t v = 0; v < vectorsAtOnce; ++v)
      sums[v] = sums[v] == sums[v] ? sums[v] : fromBits(quietNaN) - Vector{};
  };
  multiplyTile<Vector, Floats::rows>(tile, addProducts, [](Vector *, int64_t) {}, makeCanonical);
}

template <typename Floats>
NPU_INLINE void multiplyFloatRows(const float *a, const float *b, int64_t count, float *out) {
  using Vector = typename Floats::Vector;
  constexpr int64_t width = sizeof(Vector) / sizeof(float);
  for (int64_t i = 0; i < count; i += width) {
    size_t bytes = std::min(width, count - i) * sizeof(float);
    Vector left = {}, right = {}, sum = {};
    std::memcpy(&left, a + i, bytes);
    std::memcpy(&right, b + i, bytes);
    std::memcpy(&sum, out + i, bytes);
    Floats::addProducts(sum, left, right);
    std::memcpy(out + i, &sum, bytes);
  }
}

/// `Groups` computes on `Groups::Vector`, 32-bit sums: `addProducts(sum, row, factor)` adds to each
/// sum the products of a pair or four of the row, 32 bits, with those of `factor`.
template <typename Groups, typename Left, typename Right>
NPU_INLINE void multiplyGroups(const ArrayTile<Left, Right, uint32_t> &tile,
                               const uint32_t *surplus) {
  using Vector = typename Groups::Vector;
  constexpr int64_t size = sizeof(uint32_t) / sizeof(Left);
  auto addProducts = [&](Vector *sums, const Vector *row, int64_t r,
                         int64_t k) __attribute__((always_inline)) {
    int32_t factor;
    std::memcpy(&factor, tile.left + size * (r * tile.leftPitch + k), sizeof(factor));
    for (int64_t v = 0; v < vectorsAtOnce; ++v)
      Groups::addProducts(sums[v], row[v], factor);
  };
  auto takeOffSurplus = [&](Vector *sums, int64_t j) __attribute__((always_inline)) {
    if (!surplus)
      return;
    Vector less[vectorsAtOnce];
    std::memcpy(less, surplus + j, sizeof(less));
    for (int64_t v = 0; v < vectorsAtOnce; ++v)
      sums[v] -= less[v];
  };
  multiplyTile<Vector, Groups::rows>(tile, addProducts, takeOffSurplus, [](Vector *) {});
}

NPU_INLINE void multiplyRows(const uint32_t *a, const uint32_t *b, int64_t count, uint32_t *out) {
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

/// Fused steps for a CPU without them. A product of two floats is exact in binary64, and the sum
/// with a third one is rounded to odd there: then the rounding to binary32 is the only one that
/// counts.
struct PortableFloats {
  using Vector = VectorOf<float, 16>::Type;
  static constexpr int64_t rows = 4;
  static inline void addProducts(Vector &sum, const Vector &left, const Vector &right) {
#ifdef __FP_FAST_FMAF
    for (int i = 0; i < 4; ++i)
      sum[i] = __builtin_fmaf(left[i], right[i], sum[i]);
#else
    using Doubles = VectorOf<double, 32>::Type;
    using Longs = VectorOf<int64_t, 32>::Type;
    Doubles product =
        __builtin_convertvector(left, Doubles) * __builtin_convertvector(right, Doubles);
    Doubles term = __builtin_convertvector(sum, Doubles), rounded = product + term;
    // What the rounding of the sum leaves, exactly; NaN where the sum is not finite.
    Doubles part = rounded - product;
    Doubles rest = (product - (rounded - part)) + (term - part);
    Longs isLess = rest < 0, isMore = rest > 0, isAwayFromZero = ~(isMore ^ (rounded > 0));
    Longs bits = Longs(rounded), isEven = (bits & 1) - 1;
    bits += (isLess | isMore) & isEven & ((isAwayFromZero & 2) - 1);
    sum = __builtin_convertvector(Doubles(bits), Vector);
#endif
  }
};

/// Sums of pairs without an instruction for them.
struct PortablePairs {
  using Vector = VectorOf<uint32_t, 16>::Type;
  static constexpr int64_t rows = 4;
  static inline void addProducts(Vector &sum, const Vector &row, int32_t factor) {
    using Signed = VectorOf<int32_t, 16>::Type;
    Signed first = Signed(row << 16) >> 16, second = Signed(row) >> 16;
    sum += Vector(first * int32_t(int16_t(factor))) + Vector(second * (factor >> 16));
  }
};
} // namespace

/// Instantiates the loops for code that may use `ATTRIBUTES`.
#define NPU_DEFINE_TILES(NAME, ATTRIBUTES, FLOATS, PAIRS)                                          \
  ATTRIBUTES static void floats##NAME(const ArrayTile<float, float, float> &tile) {                \
    multiplyFloats<FLOATS>(tile);                                                                  \
  }                                                                                                \
  ATTRIBUTES static void pairs##NAME(const ArrayTile<int16_t, int16_t, uint32_t> &tile) {          \
    multiplyGroups<PAIRS>(tile, /*surplus=*/nullptr);                                              \
  }                                                                                                \
  ATTRIBUTES static void floatRows##NAME(const float *a, const float *b, int64_t count,            \
                                         float *out) {                                             \
    multiplyFloatRows<FLOATS>(a, b, count, out);                                                   \
  }                                                                                                \
  ATTRIBUTES static void integerRows##NAME(const uint32_t *a, const uint32_t *b, int64_t count,    \
                                           uint32_t *out) {                                        \
    multiplyRows(a, b, count, out);                                                                \
  }                                                                                                \
  static constexpr ArrayTiles tiles##NAME = {#NAME,   floats##NAME,    pairs##NAME,      nullptr,  \
                                             nullptr, floatRows##NAME, integerRows##NAME};

#ifdef __x86_64__

namespace {
struct FMAFloats {
  using Vector = VectorOf<float, 32>::Type;
  static constexpr int64_t rows = 4;
  __attribute__((target("avx2,fma"))) static inline void
  addProducts(Vector &sum, const Vector &left, const Vector &right) {
    sum = _mm256_fmadd_ps(left, right, sum);
  }
};

struct AVX512Floats {
  using Vector = VectorOf<float, 64>::Type;
  static constexpr int64_t rows = 8;
  __attribute__((target("avx512bw"))) static inline void
  addProducts(Vector &sum, const Vector &left, const Vector &right) {
    sum = _mm512_fmadd_ps(left, right, sum);
  }
};

struct SSE2Pairs {
  using Vector = VectorOf<uint32_t, 16>::Type;
  static constexpr int64_t rows = 4;
  static inline void addProducts(Vector &sum, const Vector &row, int32_t factor) {
    sum += Vector(_mm_madd_epi16(__m128i(row), _mm_set1_epi32(factor)));
  }
};

struct AVX2Pairs {
  using Vector = VectorOf<uint32_t, 32>::Type;
  static constexpr int64_t rows = 4;
  __attribute__((target("avx2"))) static inline void addProducts(Vector &sum, const Vector &row,
                                                                 int32_t factor) {
    sum += Vector(_mm256_madd_epi16(__m256i(row), _mm256_set1_epi32(factor)));
  }
};

struct AVX512Pairs {
  using Vector = VectorOf<uint32_t, 64>::Type;
  static constexpr int64_t rows = 8;
  __attribute__((target("avx512bw"))) static inline void addProducts(Vector &sum, const Vector &row,
                                                                     int32_t factor) {
    sum += Vector(_mm512_madd_epi16(__m512i(row), _mm512_set1_epi32(factor)));
  }
};

struct VNNIQuads {
  using Vector = VectorOf<uint32_t, 64>::Type;
  static constexpr int64_t rows = 8;
  __attribute__((target("avx512bw,avx512vnni"))) static inline void
  addProducts(Vector &sum, const Vector &row, int32_t factor) {
    sum = Vector(_mm512_dpbusd_epi32(__m512i(sum), _mm512_set1_epi32(factor), __m512i(row)));
  }
};
} // namespace

__attribute__((target("avx512bw,avx512vnni"))) static void
quadsVNNI(const ArrayTile<uint8_t, int8_t, uint32_t> &tile, const uint32_t *surplus) {
  multiplyGroups<VNNIQuads>(tile, surplus);
}

__attribute__((target("avx512bw,avx512vnni"))) static void
addUpVNNI(const int8_t *right, int64_t depth, uint32_t *surplus) {
  using Vector = VNNIQuads::Vector;
  constexpr int64_t vectors = tileColumns * sizeof(uint32_t) / sizeof(Vector);
  Vector sums[vectors] = {};
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t v = 0; v < vectors; ++v) {
      Vector row;
      std::memcpy(&row, right + (k * vectors + v) * sizeof(Vector), sizeof(row));
      VNNIQuads::addProducts(sums[v], row, /*factor=*/0x80808080);
    }
  std::memcpy(surplus, sums, sizeof(sums));
}

NPU_DEFINE_TILES(SSE2, , PortableFloats, SSE2Pairs)
NPU_DEFINE_TILES(AVX2, __attribute__((target("avx2,fma"))), FMAFloats, AVX2Pairs)
NPU_DEFINE_TILES(AVX512, __attribute__((target("avx512bw"))), AVX512Floats, AVX512Pairs)

#endif // __x86_64__

NPU_DEFINE_TILES(Portable, , PortableFloats, PortablePairs)

llvm::ArrayRef<ArrayTiles> npu::sim::getArrayTiles() {
  static const llvm::SmallVector<ArrayTiles, 4> tiles = [] {
    llvm::SmallVector<ArrayTiles, 4> result;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw")) {
      ArrayTiles tiles = tilesAVX512;
      if (__builtin_cpu_supports("avx512vnni")) {
        tiles.multiplyQuads = quadsVNNI;
        tiles.addUpQuads = addUpVNNI;
      }
      result.push_back(tiles);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      result.push_back(tilesAVX2);
    result.push_back(tilesSSE2);
#endif
    result.push_back(tilesPortable);
    return result;
  }();
  return tiles;
}
