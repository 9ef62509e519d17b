//===- ArrayKernels.cpp - the systolic array's arithmetic -----------------===//
//
// Every output element adds its products in increasing k; columns and rows are independent, so the
// kernels work on blocks of them. Operands are converted once per block: floats to f32, integers to
// i16. Integer sums wrap and do not depend on their order; they take two elements along k at a
// time. Where the CPU multiplies bytes, bytes stay bytes and are taken four at a time: those on the
// left as unsigned ones, 128 too large, for which 128 times the sum of each column is taken off.
//
//===----------------------------------------------------------------------===//

#include "ArrayKernels.h"

#include "ArrayTiles.h"
#include "NPU/Simulator/Numbers.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace npu;
using namespace npu::sim;
using isa::ElementType;
using isa::MacType;

static constexpr int64_t blockRows = 128, blockColumns = 1024, blockDepth = 512;

/// Contiguous floats, in f32.
static void widen(const uint8_t *from, ElementType type, int64_t count, float *to) {
  loadRow({const_cast<uint8_t *>(from), isa::getByteSize(type), type}, count, to);
}

NPU_CLONES static void widenBytes(const uint8_t *from, int64_t count, int16_t *to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = int8_t(from[i]);
}
static void widenBytes(const uint8_t *from, int64_t count, uint32_t *to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = int8_t(from[i]);
}

/// Contiguous i8, each plus 128.
NPU_CLONES static void makeUnsigned(const uint8_t *from, int64_t count, uint8_t *to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] ^ 0x80;
}
static void widen(const uint8_t *from, ElementType, int64_t count, uint8_t *to) {
  makeUnsigned(from, count, to);
}
static void widen(const uint8_t *from, ElementType, int64_t count, int8_t *to) {
  if (count == tileColumns)
    std::memcpy(to, from, tileColumns); // inline
  else
    std::memcpy(to, from, count);
}

/// Contiguous i8 or i16 as wider integers.
template <typename T>
static void widen(const uint8_t *from, ElementType type, int64_t count, T *to) {
  if (type == ElementType::I8)
    return widenBytes(from, count, to);
  for (int64_t i = 0; i < count; ++i)
    to[i] = load<int16_t>(from + 2 * i);
}

template <typename T>
static T *getBuffer(std::vector<uint32_t> &buffer, int64_t count) {
  if (int64_t(buffer.size()) < count)
    buffer.resize(count);
  return reinterpret_cast<T *>(buffer.data());
}

/// Calls `body(position, y, x, c, count)` for the parts of taps that make up sum elements
/// [begin, begin + depth).
template <typename Body>
static void forEachTap(const ArrayProblem &problem, int64_t begin, int64_t depth, Body body) {
  int64_t c = begin % problem.c, tap = begin / problem.c;
  int64_t y = tap / problem.x, x = tap % problem.x;
  for (int64_t position = 0; position < depth;) {
    int64_t count = std::min(problem.c - c, depth - position);
    body(position, y, x, c, count);
    position += count;
    c = 0;
    if (++x == problem.x) {
      x = 0;
      ++y;
    }
  }
}

static uint8_t *getResult(const ArrayProblem &problem, int64_t pixel, int64_t column) {
  return problem.out + pixel / problem.w * problem.outRow + pixel % problem.w * problem.outPixel +
         column * 4;
}

namespace {
/// Rows of pixels, columns and sum elements worked on at a time.
struct Block {
  int64_t pixel, pixels, column, columns, begin, depth;
};
} // namespace

/// Elements along k that are taken at a time, of operands converted to T.
template <typename T>
static constexpr int64_t groupSize = std::is_same_v<T, float> ? 1 : 4 / sizeof(T);

template <typename T>
static int64_t getPaddedDepth(const Block &block) {
  return llvm::alignTo(block.depth, groupSize<T>);
}

/// The pixels' sum elements, one row of `blockDepth` per pixel, whole groups of them; the last
/// tile's missing rows are 0.
template <typename T>
static void gatherLeft(const ArrayProblem &problem, const Block &block, T *to) {
  ElementType type = isa::getLeftType(problem.type);
  int64_t bytes = isa::getByteSize(type);
  for (int64_t p = 0; p < block.pixels; ++p) {
    int64_t h = (block.pixel + p) / problem.w, w = (block.pixel + p) % problem.w;
    const uint8_t *pixel = problem.left + h * problem.leftRow + w * problem.leftPixel;
    forEachTap(problem, block.begin, block.depth,
               [&](int64_t position, int64_t y, int64_t x, int64_t c, int64_t count) {
                 widen(pixel + y * problem.leftTapRow + x * problem.leftTap + c * bytes, type,
                       count, to + p * blockDepth + position);
               });
    std::fill_n(to + p * blockDepth + block.depth, getPaddedDepth<T>(block) - block.depth, T(0));
  }
  for (int64_t p = block.pixels; p % tileRows != 0; ++p)
    std::fill_n(to + p * blockDepth, getPaddedDepth<T>(block), T(0));
}

/// `tileColumns` columns from `column`, one row per sum element; missing columns are 0.
template <typename T>
static void gatherRight(const ArrayProblem &problem, const Block &block, int64_t column, T *to) {
  ElementType type = isa::getRightType(problem.type);
  int64_t bytes = isa::getByteSize(type);
  int64_t end = std::min(column + tileColumns, problem.f);
  if (end < column + tileColumns)
    std::fill_n(to, block.depth * tileColumns, T(0));
  for (int64_t first = column; first < end;) {
    int64_t inPanel = first % problem.cols, count = std::min(problem.cols - inPanel, end - first);
    const uint8_t *panel = problem.right + first / problem.cols * problem.panel + inPanel * bytes;
    forEachTap(problem, block.begin, block.depth,
               [&](int64_t position, int64_t y, int64_t x, int64_t c, int64_t rows) {
                 const uint8_t *from = panel + y * problem.rightTapRow + x * problem.rightTap;
                 for (int64_t r = 0; r < rows; ++r)
                   widen(from + (c + r) * problem.cols * bytes, type, count,
                         to + (position + r) * tileColumns + (first - column));
               });
    first += count;
  }
}

/// `groupSize` rows of the right side become one row of groups.
template <typename T>
NPU_INLINE void joinRows(int64_t depth, T *rows) {
  constexpr int64_t size = groupSize<T>;
  for (int64_t k = 0; k < depth; k += size, rows += size * tileColumns) {
    T apart[size][tileColumns];
    std::memcpy(apart, rows, sizeof(apart));
    for (int64_t j = 0; j < tileColumns; ++j)
      for (int64_t i = 0; i < size; ++i)
        rows[size * j + i] = apart[i][j];
  }
}
NPU_CLONES static void joinPairs(int64_t depth, int16_t *rows) { joinRows(depth, rows); }
NPU_CLONES static void joinQuads(int64_t depth, int8_t *rows) { joinRows(depth, rows); }

/// Adds one block's products to `out`, rows of `blockColumns`.
template <typename T>
static void multiplyBlock(const ArrayProblem &problem, const Block &block, ArrayScratch &scratch,
                          uint32_t *out) {
  constexpr bool isBytes = std::is_same_v<T, uint8_t>;
  using Right = std::conditional_t<isBytes, int8_t, T>;
  const ArrayTiles &tiles = getArrayTiles().front();
  T *left = getBuffer<T>(scratch.left, blockRows * blockDepth);
  Right *right = getBuffer<Right>(scratch.right, blockDepth * tileColumns);
  int64_t depth = getPaddedDepth<T>(block), groups = depth / groupSize<T>;
  constexpr int64_t pitch = blockDepth / groupSize<T>;
  gatherLeft(problem, block, left);
  for (int64_t j = 0; j < block.columns; j += tileColumns) {
    int64_t columns = std::min(tileColumns, block.columns - j);
    gatherRight(problem, block, block.column + j, right);
    std::fill_n(right + block.depth * tileColumns, (depth - block.depth) * tileColumns, Right(0));
    // What 128 on the left adds to each column, in each row of a tile.
    uint32_t surplus[tileRows][tileColumns] = {};
    if constexpr (isBytes) {
      static const std::vector<uint8_t> allOf128(blockDepth, 128);
      joinQuads(depth, right);
      tiles.multiplyQuads(allOf128.data(), /*leftPitch=*/0, right, groups, surplus[0], tileColumns,
                          columns);
    } else if constexpr (std::is_same_v<T, int16_t>) {
      joinPairs(depth, right);
    }
    for (int64_t p = 0; p < block.pixels; p += tileRows) {
      uint32_t *sums = out + p * blockColumns + j;
      const T *rows = left + p * blockDepth;
      if constexpr (isBytes) {
        tiles.multiplyQuads(rows, pitch, right, groups, sums, blockColumns, columns);
        for (int64_t r = 0; r < tileRows; ++r)
          for (int64_t c = 0; c < columns; ++c)
            sums[r * blockColumns + c] -= surplus[r][c];
      } else if constexpr (std::is_same_v<T, int16_t>) {
        tiles.multiplyPairs(rows, pitch, right, groups, sums, blockColumns, columns);
      } else {
        tiles.multiplyFloats(rows, pitch, right, groups, reinterpret_cast<float *>(sums),
                             blockColumns, columns);
      }
    }
  }
}

/// Writes sums to ACC; floats get the canonical NaN.
static void storeSums(const uint32_t *sums, int64_t count, bool isFloat, uint8_t *to) {
  if (!isFloat) {
    std::memcpy(to, sums, count * 4);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    store(to + 4 * i, (sums[i] & 0x7fffffff) > 0x7f800000 ? quietNaN : sums[i]);
}

void npu::sim::runDense(const ArrayProblem &problem, ArrayScratch &scratch) {
  int64_t pixels = problem.h * problem.w, depth = problem.y * problem.x * problem.c;
  bool isFloat = isa::isFloat(isa::getLeftType(problem.type));
  bool areBytes = isa::getLeftType(problem.type) == ElementType::I8 &&
                  isa::getRightType(problem.type) == ElementType::I8 &&
                  getArrayTiles().front().multiplyQuads;
  uint32_t *out = getBuffer<uint32_t>(scratch.out, blockRows * blockColumns);
  Block block;
  for (block.column = 0; block.column < problem.f; block.column += blockColumns) {
    block.columns = std::min(blockColumns, problem.f - block.column);
    for (block.pixel = 0; block.pixel < pixels; block.pixel += blockRows) {
      block.pixels = std::min(blockRows, pixels - block.pixel);
      // Rows and columns of whole tiles; those that are too many are of no matter.
      for (int64_t p = 0; p < block.pixels; ++p) {
        if (problem.accumulate)
          std::memcpy(out + p * blockColumns, getResult(problem, block.pixel + p, block.column),
                      block.columns * 4);
        else
          std::fill_n(out + p * blockColumns, block.columns, 0);
      }
      for (block.begin = 0; block.begin < depth; block.begin += blockDepth) {
        block.depth = std::min(blockDepth, depth - block.begin);
        if (isFloat)
          multiplyBlock<float>(problem, block, scratch, out);
        else if (areBytes)
          multiplyBlock<uint8_t>(problem, block, scratch, out);
        else
          multiplyBlock<int16_t>(problem, block, scratch, out);
      }
      for (int64_t p = 0; p < block.pixels; ++p)
        storeSums(out + p * blockColumns, block.columns, isFloat,
                  getResult(problem, block.pixel + p, block.column));
    }
  }
}

template <typename T>
static void runDepthwiseAs(const ArrayProblem &problem, ArrayScratch &scratch) {
  constexpr int64_t blockTaps = 64;
  constexpr bool isFloat = std::is_same_v<T, float>;
  ElementType leftType = isa::getLeftType(problem.type);
  ElementType rightType = isa::getRightType(problem.type);
  int64_t leftBytes = isa::getByteSize(leftType), rightBytes = isa::getByteSize(rightType);
  int64_t taps = problem.y * problem.x;
  const ArrayTiles &tiles = getArrayTiles().front();
  T *weights = getBuffer<T>(scratch.right, blockTaps * blockColumns);
  T *left = getBuffer<T>(scratch.left, blockColumns);
  T *sums = getBuffer<T>(scratch.out, blockColumns);
  for (int64_t g = 0; g < problem.f; g += blockColumns)
    for (int64_t tap = 0; tap < taps; tap += blockTaps) {
      int64_t count = std::min(blockColumns, problem.f - g), end = std::min(tap + blockTaps, taps);
      for (int64_t t = tap; t < end; ++t)
        widen(problem.right + t / problem.x * problem.rightTapRow +
                  t % problem.x * problem.rightTap + g * rightBytes,
              rightType, count, weights + (t - tap) * blockColumns);
      for (int64_t pixel = 0; pixel < problem.h * problem.w; ++pixel) {
        const uint8_t *in = problem.left + pixel / problem.w * problem.leftRow +
                            pixel % problem.w * problem.leftPixel + g * leftBytes;
        uint8_t *out = getResult(problem, pixel, g);
        if (problem.accumulate || tap > 0)
          std::memcpy(sums, out, count * 4);
        else
          std::fill_n(sums, count, T(0));
        for (int64_t t = tap; t < end; ++t) {
          widen(in + t / problem.x * problem.leftTapRow + t % problem.x * problem.leftTap, leftType,
                count, left);
          const T *row = weights + (t - tap) * blockColumns;
          if constexpr (isFloat)
            tiles.multiplyFloatRows(left, row, count, sums);
          else
            tiles.multiplyIntegerRows(left, row, count, sums);
        }
        storeSums(reinterpret_cast<const uint32_t *>(sums), count, isFloat, out);
      }
    }
}

void npu::sim::runDepthwise(const ArrayProblem &problem, ArrayScratch &scratch) {
  if (isa::isFloat(isa::getLeftType(problem.type)))
    runDepthwiseAs<float>(problem, scratch);
  else
    runDepthwiseAs<uint32_t>(problem, scratch);
}
