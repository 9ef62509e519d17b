//===- ArrayKernels.cpp - the systolic array's arithmetic -----------------===//
//
// Every output element adds its products in increasing k; columns and rows are independent, so the
// kernels work on blocks of them. Operands are converted once per block: floats to f32, integers to
// i16. Integer sums wrap and do not depend on their order; they take two elements along k at a
// time. Where the CPU multiplies bytes, bytes stay bytes and are taken four at a time: those on the
// left as unsigned ones, 128 too large, for which 128 times the sum of each column is taken off.
// What needs no conversion, and lies in whole tiles, is used where it is.
//
//===----------------------------------------------------------------------===//

#include "ArrayKernels.h"

#include "ArrayTiles.h"
#include "NPU/Simulator/Numbers.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

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

/// Begins where a vector does not cross the lines of the host's caches.
template <typename T>
static T *getBuffer(std::vector<uint32_t> &buffer, int64_t count) {
  constexpr int64_t lineBytes = 64, spare = lineBytes / sizeof(uint32_t);
  if (int64_t(buffer.size()) < count + spare)
    buffer.resize(count + spare);
  return reinterpret_cast<T *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(buffer.data()), lineBytes));
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
                 const uint8_t *from = panel + y * problem.rightTapRow + x * problem.rightTap +
                                       c * problem.cols * bytes;
                 T *rowsTo = to + position * tileColumns + (first - column);
                 // Panels as wide as the tile are one row as well.
                 if (count == problem.cols && count == tileColumns)
                   return widen(from, type, rows * count, rowsTo);
                 for (int64_t r = 0; r < rows; ++r)
                   widen(from + r * problem.cols * bytes, type, count, rowsTo + r * tileColumns);
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

/// Bytes from pixel to pixel where that is always the same.
static std::optional<int64_t> getPixelStep(const ArrayProblem &problem, int64_t row,
                                           int64_t pixel) {
  if (problem.h == 1 || (problem.w > 1 && row == problem.w * pixel))
    return pixel;
  return problem.w == 1 ? std::optional(row) : std::nullopt;
}

/// The left side is used where it lies: f32 numbers in rows a step apart, whole tiles of them.
static std::optional<int64_t> getLeftPitch(const ArrayProblem &problem, const Block &block) {
  std::optional<int64_t> step = getPixelStep(problem, problem.leftRow, problem.leftPixel);
  if (problem.type != MacType::F32 || problem.y * problem.x > 1 || block.pixels % tileRows != 0 ||
      !step || *step % 4 != 0)
    return std::nullopt;
  return *step / 4;
}

/// The right side is used where it lies: f32 numbers in panels that are whole tiles. The last panel
/// is whole as well, whatever is used of it.
static bool isRightInPlace(const ArrayProblem &problem) {
  int64_t row = problem.cols * 4;
  return problem.type == MacType::F32 && problem.cols % tileColumns == 0 &&
         (problem.x == 1 || problem.rightTap == problem.c * row) &&
         (problem.y == 1 || problem.rightTapRow == problem.x * problem.c * row);
}

/// Adds one block's products to `out`, or writes them there.
template <typename T, typename Sum>
static void multiplyBlock(const ArrayProblem &problem, const Block &block, ArrayScratch &scratch,
                          Sum *out, int64_t outPitch, bool accumulates) {
  constexpr bool isBytes = std::is_same_v<T, uint8_t>, isFloat = std::is_same_v<T, float>;
  using Right = std::conditional_t<isBytes, int8_t, T>;
  const ArrayTiles &tiles = getArrayTiles().front();
  int64_t depth = getPaddedDepth<T>(block);
  ArrayTile<T, Right, Sum> tile;
  tile.depth = depth / groupSize<T>;
  tile.outPitch = outPitch;
  tile.accumulates = accumulates;

  T *left = getBuffer<T>(scratch.left, blockRows * blockDepth);
  const T *rows = left;
  tile.leftPitch = blockDepth / groupSize<T>;
  std::optional<int64_t> leftPitch = isFloat ? getLeftPitch(problem, block) : std::nullopt;
  if (leftPitch) {
    tile.leftPitch = *leftPitch;
    rows = reinterpret_cast<const T *>(problem.left) + block.pixel * *leftPitch + block.begin;
  } else {
    gatherLeft(problem, block, left);
  }

  Right *right = getBuffer<Right>(scratch.right, blockDepth * tileColumns);
  tile.right = right;
  tile.rightPitch = tileColumns;
  bool isInPlace = isFloat && isRightInPlace(problem);
  for (int64_t j = 0; j < block.columns; j += tileColumns) {
    tile.columns = std::min(tileColumns, block.columns - j);
    uint32_t surplus[tileColumns];
    if (isInPlace) {
      int64_t column = block.column + j;
      tile.rightPitch = problem.cols;
      tile.right =
          reinterpret_cast<const Right *>(problem.right + column / problem.cols * problem.panel) +
          block.begin * problem.cols + column % problem.cols;
    } else {
      gatherRight(problem, block, block.column + j, right);
      std::fill_n(right + block.depth * tileColumns, (depth - block.depth) * tileColumns, Right(0));
    }
    if constexpr (isBytes) {
      joinQuads(depth, right);
      tiles.addUpQuads(right, tile.depth, surplus);
    } else if constexpr (!isFloat) {
      joinPairs(depth, right);
    }
    for (int64_t p = 0; p < block.pixels; p += tileRows) {
      tile.left = rows + p * tile.leftPitch * groupSize<T>;
      tile.out = out + p * outPitch + j;
      if constexpr (isBytes)
        tiles.multiplyQuads(tile, surplus);
      else if constexpr (isFloat)
        tiles.multiplyFloats(tile);
      else
        tiles.multiplyPairs(tile);
    }
  }
}

/// Runs whole sums of one block of pixels and columns.
template <typename T>
static void addUpBlock(const ArrayProblem &problem, Block block, ArrayScratch &scratch) {
  using Sum = std::conditional_t<std::is_same_v<T, float>, float, uint32_t>;
  // Whole tiles of results at one step from each other are added up in ACC.
  std::optional<int64_t> step = getPixelStep(problem, problem.outRow, problem.outPixel);
  bool isInPlace =
      step && *step % 4 == 0 && block.columns % tileColumns == 0 && block.pixels % tileRows == 0;
  int64_t pitch = isInPlace ? *step / 4 : llvm::alignTo(block.columns, tileColumns);
  Sum *out = isInPlace ? reinterpret_cast<Sum *>(getResult(problem, block.pixel, block.column))
                       : getBuffer<Sum>(scratch.out, blockRows * blockColumns);
  if (!isInPlace && problem.accumulate)
    for (int64_t p = 0; p < block.pixels; ++p)
      std::memcpy(out + p * pitch, getResult(problem, block.pixel + p, block.column),
                  block.columns * 4);
  int64_t depth = problem.y * problem.x * problem.c;
  for (block.begin = 0; block.begin < depth; block.begin += blockDepth) {
    block.depth = std::min(blockDepth, depth - block.begin);
    multiplyBlock<T>(problem, block, scratch, out, pitch, problem.accumulate || block.begin > 0);
  }
  if (!isInPlace)
    for (int64_t p = 0; p < block.pixels; ++p)
      std::memcpy(getResult(problem, block.pixel + p, block.column), out + p * pitch,
                  block.columns * 4);
}

void npu::sim::runDense(const ArrayProblem &problem, ArrayScratch &scratch) {
  int64_t pixels = problem.h * problem.w;
  bool isFloat = isa::isFloat(isa::getLeftType(problem.type));
  bool areBytes = isa::getLeftType(problem.type) == ElementType::I8 &&
                  isa::getRightType(problem.type) == ElementType::I8 &&
                  getArrayTiles().front().multiplyQuads;
  Block block = {};
  for (block.column = 0; block.column < problem.f; block.column += blockColumns) {
    block.columns = std::min(blockColumns, problem.f - block.column);
    for (block.pixel = 0; block.pixel < pixels; block.pixel += blockRows) {
      block.pixels = std::min(blockRows, pixels - block.pixel);
      if (isFloat)
        addUpBlock<float>(problem, block, scratch);
      else if (areBytes)
        addUpBlock<uint8_t>(problem, block, scratch);
      else
        addUpBlock<int16_t>(problem, block, scratch);
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
