//===- HostBoundsTest.cpp - indices from data stay inside of tensors ------===//
//
// Every op on tensors that takes an index, offset, size or stride runs on random ones, most of them
// out of range, as native code. Results must be those of plain loops that follow
// docs/host-reference.md, so no byte of them can come from elsewhere, and the bytes around every
// buffer must stay.
//
//===----------------------------------------------------------------------===//

#include "HostBounds.h"

using namespace mlir;
using namespace npu::runtime;

namespace {

constexpr int64_t numRows = 8, numColumns = 6, partRows = 4, partColumns = 3, numIndices = 6;

/// What a function is given: x of 8x6, y of 4x3, both i32, and indices.
struct Data {
  std::vector<int32_t> x, y;
  std::vector<int64_t> i;

  int32_t at(int64_t row, int64_t column) const { return x[row * numColumns + column]; }
};

using Result = std::optional<std::vector<int32_t>>;

/// A function `f(x, y, i) -> result` and what it computes; nothing if the call has to fail.
struct Case {
  const char *name;
  const char *resultType;
  size_t resultSize;
  const char *body;
  std::function<Result(const Data &)> expect;
};

/// The indices that `body` uses, in its text.
constexpr const char *prologue = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %k0 = tensor.extract %i[%c0] : tensor<6xi64>
  %k1 = tensor.extract %i[%c1] : tensor<6xi64>
  %k2 = tensor.extract %i[%c2] : tensor<6xi64>
  %k3 = tensor.extract %i[%c3] : tensor<6xi64>
  %k4 = tensor.extract %i[%c4] : tensor<6xi64>
  %k5 = tensor.extract %i[%c5] : tensor<6xi64>
  %i0 = arith.index_cast %k0 : i64 to index
  %i1 = arith.index_cast %k1 : i64 to index
  %i2 = arith.index_cast %k2 : i64 to index
  %i3 = arith.index_cast %k3 : i64 to index
  %i4 = arith.index_cast %k4 : i64 to index
  %i5 = arith.index_cast %k5 : i64 to index
)";

bool isIn(int64_t value, int64_t most) { return value >= 0 && value <= most; }

std::vector<int32_t> slice(const Data &data, SliceRange rows, SliceRange columns) {
  std::vector<int32_t> result;
  for (int64_t r = 0; r < rows.size; ++r)
    for (int64_t c = 0; c < columns.size; ++c)
      result.push_back(data.at(rows.offset + r * rows.stride, columns.offset + c * columns.stride));
  return result;
}

/// x with y at rows `row`, columns `column` and every second one from there, if all of it is in x.
std::vector<int32_t> insert(const Data &data, int64_t row, int64_t column) {
  std::vector<int32_t> result = data.x;
  if (isIn(row, numRows - partRows) && isIn(column, numColumns - 5))
    for (int64_t r = 0; r < partRows; ++r)
      for (int64_t c = 0; c < partColumns; ++c)
        result[(row + r) * numColumns + column + 2 * c] = data.y[r * partColumns + c];
  return result;
}

std::vector<int32_t> one(int64_t value) { return {static_cast<int32_t>(value)}; }

const Case cases[] = {
    {"extract", "tensor<1xi32>", 1, R"(
  %e = tensor.extract %x[%i0, %i1] : tensor<8x6xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result { return one(d.at(clamp(d.i[0], 0, 7), clamp(d.i[1], 0, 5))); }},
    {"extract_constant", "tensor<1xi32>", 1, R"(
  %far = arith.constant 123456789 : index
  %e = tensor.extract %x[%far, %i1] : tensor<8x6xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result { return one(d.at(7, clamp(d.i[1], 0, 5))); }},
    {"extract_of_nothing", "tensor<1xi32>", 1, R"(
  %none = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x6xi32> to tensor<8x0xi32>
  %e = tensor.extract %none[%i0, %i1] : tensor<8x0xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &) -> Result { return one(0); }},
    {"extract_no_wrap", "tensor<1xi32>", 1, R"(
  %sum = arith.addi %i0, %i1 overflow<nsw, nuw> : index
  %e = tensor.extract %x[%sum, %c1] : tensor<8x6xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       return one(d.at(clamp(int64_t(uint64_t(d.i[0]) + uint64_t(d.i[1])), 0, 7), 1));
     }},
    {"extract_dynamic", "tensor<1xi32>", 1, R"(
  %s = tensor.extract_slice %x[%i0, 0] [%i1, 6] [1, 1] : tensor<8x6xi32> to tensor<?x6xi32>
  %e = tensor.extract %s[%i2, %i3] : tensor<?x6xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       SliceRange rows(8, d.i[0], d.i[1], 1);
       if (rows.size == 0)
         return one(0);
       return one(d.at(rows.offset + clamp(d.i[2], 0, rows.size - 1), clamp(d.i[3], 0, 5)));
     }},
    {"gather", "tensor<6xi32>", 6, R"(
  %empty = tensor.empty() : tensor<6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
                       iterator_types = ["parallel"]} ins(%i : tensor<6xi64>)
                      outs(%empty : tensor<6xi32>) {
  ^bb0(%k: i64, %o: i32):
    %row = arith.index_cast %k : i64 to index
    %n = linalg.index 0 : index
    %column = arith.addi %n, %i0 : index
    %e = tensor.extract %x[%row, %column] : tensor<8x6xi32>
    linalg.yield %e : i32
  } -> tensor<6xi32>)",
     [](const Data &d) -> Result {
       std::vector<int32_t> result;
       for (int64_t n = 0; n < numIndices; ++n)
         result.push_back(
             d.at(clamp(d.i[n], 0, 7), clamp(int64_t(uint64_t(d.i[0]) + uint64_t(n)), 0, 5)));
       return result;
     }},
    {"insert", "tensor<8x6xi32>", 48, R"(
  %v = arith.constant -7 : i32
  %r = tensor.insert %v into %x[%i0, %i1] : tensor<8x6xi32>)",
     [](const Data &d) -> Result {
       std::vector<int32_t> result = d.x;
       if (isIn(d.i[0], 7) && isIn(d.i[1], 5))
         result[d.i[0] * numColumns + d.i[1]] = -7;
       return result;
     }},
    {"insert_in_loop", "tensor<8x6xi32>", 48, R"(
  %r = scf.for %n = %c0 to %c5 step %c1 iter_args(%t = %x) -> tensor<8x6xi32> {
    %k = tensor.extract %i[%n] : tensor<6xi64>
    %row = arith.index_cast %k : i64 to index
    %v = arith.index_cast %n : index to i32
    %u = tensor.insert %v into %t[%row, %n] : tensor<8x6xi32>
    scf.yield %u : tensor<8x6xi32>
  })",
     [](const Data &d) -> Result {
       std::vector<int32_t> result = d.x;
       for (int64_t n = 0; n < 5; ++n)
         if (isIn(d.i[n], 7))
           result[d.i[n] * numColumns + n] = n;
       return result;
     }},
    {"extract_slice", "tensor<4x3xi32>", 12, R"(
  %r = tensor.extract_slice %x[%i0, %i1] [4, 3] [1, 2] : tensor<8x6xi32> to tensor<4x3xi32>)",
     [](const Data &d) -> Result {
       return slice(d, SliceRange(8, d.i[0], 4, 1, true), SliceRange(6, d.i[1], 3, 2, true));
     }},
    {"extract_slice_of_rank_1", "tensor<3xi32>", 3, R"(
  %r = tensor.extract_slice %x[%i0, %i1] [1, 3] [1, 1] : tensor<8x6xi32> to tensor<3xi32>)",
     [](const Data &d) -> Result {
       return slice(d, SliceRange(8, d.i[0], 1, 1), SliceRange(6, d.i[1], 3, 1));
     }},
    {"extract_slice_of_any_size", "tensor<1xi32>", 1, R"(
  %s = tensor.extract_slice %x[%i0, %i1] [%i2, %i3] [%i4, %i5]
      : tensor<8x6xi32> to tensor<?x?xi32>
  %zero = tensor.splat %z : tensor<i32>
  %sum = linalg.reduce ins(%s : tensor<?x?xi32>) outs(%zero : tensor<i32>) dimensions = [0, 1]
    (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      linalg.yield %c : i32
    }
  %r = tensor.expand_shape %sum [] output_shape [1] : tensor<i32> into tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t sum = 0;
       for (int32_t value :
            slice(d, SliceRange(8, d.i[0], d.i[2], d.i[4]), SliceRange(6, d.i[1], d.i[3], d.i[5])))
         sum += value;
       return one(sum);
     }},
    {"insert_slice", "tensor<8x6xi32>", 48, R"(
  %r = tensor.insert_slice %y into %x[%i0, %i1] [4, 3] [1, 2] : tensor<4x3xi32> into tensor<8x6xi32>)",
     [](const Data &d) -> Result { return insert(d, d.i[0], d.i[1]); }},
    {"insert_computed_slice", "tensor<8x6xi32>", 48, R"(
  %empty = tensor.empty() : tensor<4x3xi32>
  %two = linalg.add ins(%y, %y : tensor<4x3xi32>, tensor<4x3xi32>)
                    outs(%empty : tensor<4x3xi32>) -> tensor<4x3xi32>
  %r = tensor.insert_slice %two into %x[%i0, %i1] [4, 3] [1, 2] : tensor<4x3xi32> into tensor<8x6xi32>)",
     [](const Data &d) -> Result {
       Data twice = d;
       for (int32_t &value : twice.y)
         value *= 2;
       return insert(twice, d.i[0], d.i[1]);
     }},
    {"insert_slice_of_rank_1", "tensor<8x6xi32>", 48, R"(
  %row = tensor.extract_slice %y[%i2, 0] [1, 3] [1, 1] : tensor<4x3xi32> to tensor<3xi32>
  %r = tensor.insert_slice %row into %x[%i0, %i1] [1, 3] [1, 1] : tensor<3xi32> into tensor<8x6xi32>)",
     [](const Data &d) -> Result {
       std::vector<int32_t> result = d.x;
       if (isIn(d.i[0], 7) && isIn(d.i[1], 3))
         for (int64_t c = 0; c < 3; ++c)
           result[d.i[0] * numColumns + d.i[1] + c] = d.y[clamp(d.i[2], 0, 3) * 3 + c];
       return result;
     }},
    {"insert_slice_of_any_size", "tensor<8x6xi32>", 48, R"(
  %s = tensor.extract_slice %x[0, 0] [%i2, 6] [1, 1] : tensor<8x6xi32> to tensor<?x6xi32>
  %n = tensor.dim %s, %c0 : tensor<?x6xi32>
  %r = tensor.insert_slice %s into %x[%i0, 0] [%n, 6] [1, 1] : tensor<?x6xi32> into tensor<8x6xi32>)",
     [](const Data &d) -> Result {
       std::vector<int32_t> result = d.x;
       int64_t rows = clamp(d.i[2], 0, 8);
       if (isIn(d.i[0], 8 - rows))
         std::copy_n(d.x.begin(), rows * numColumns, result.begin() + d.i[0] * numColumns);
       return result;
     }},
    {"parallel_insert_slice", "tensor<8x6xi32>", 48, R"(
  %r = scf.forall (%n) in (1) shared_outs(%t = %x) -> tensor<8x6xi32> {
    %at = arith.addi %n, %i0 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %t[%at, %i1] [4, 3] [1, 2]
          : tensor<4x3xi32> into tensor<8x6xi32>
    }
  })",
     [](const Data &d) -> Result { return insert(d, d.i[0], d.i[1]); }},
    {"pad", "tensor<7x3xi32>", 21, R"(
  %r = tensor.pad %y low[%i0, 0] high[%i1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : i32
  } : tensor<4x3xi32> to tensor<7x3xi32>)",
     [](const Data &d) -> Result {
       std::vector<int32_t> result(21, 0);
       std::copy(d.y.begin(), d.y.end(), result.begin() + clamp(d.i[0], 0, 3) * 3);
       return result;
     }},
    {"pad_to_any_size", "tensor<1xi32>", 1, R"(
  %few = arith.constant 100 : index
  %low = arith.remsi %i0, %few : index
  %high = arith.remsi %i1, %few : index
  %p = tensor.pad %y low[%low, 0] high[%high, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : i32
  } : tensor<4x3xi32> to tensor<?x3xi32>
  %e = tensor.extract %p[%i2, %i3] : tensor<?x3xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t low = std::max<int64_t>(d.i[0] % 100, 0), high = std::max<int64_t>(d.i[1] % 100, 0);
       int64_t row = clamp(d.i[2], 0, low + high + 3) - low;
       return one(isIn(row, 3) ? d.y[row * 3 + clamp(d.i[3], 0, 2)] : 0);
     }},
    {"dim", "tensor<1xi32>", 1, R"(
  %n = tensor.dim %x, %i0 : tensor<8x6xi32>
  %e = arith.index_cast %n : index to i32
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result { return one(d.i[0] <= 0 ? 8 : 6); }},
    {"new_tensors", "tensor<3xi32>", 3, R"(
  %few = arith.constant 50 : index
  %n0 = arith.remsi %i0, %few : index
  %n1 = arith.remsi %i1, %few : index
  %a = tensor.splat %one[%n0] : tensor<?xi32>
  %b = tensor.generate %n1 {
  ^bb0(%n: index):
    tensor.yield %one : i32
  } : tensor<?xi32>
  %c = tensor.empty(%n0, %n1) : tensor<?x?xi32>
  %f = linalg.fill ins(%one : i32) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %da = tensor.dim %a, %c0 : tensor<?xi32>
  %p = arith.index_cast %da : index to i32
  %zero = tensor.splat %z : tensor<i32>
  %sum = linalg.reduce ins(%f : tensor<?x?xi32>) outs(%zero : tensor<i32>) dimensions = [0, 1]
    (%left: i32, %right: i32) {
      %both = arith.addi %left, %right : i32
      linalg.yield %both : i32
    }
  %s = tensor.extract %sum[] : tensor<i32>
  %vector = linalg.reduce ins(%b : tensor<?xi32>) outs(%zero : tensor<i32>) dimensions = [0]
    (%left: i32, %right: i32) {
      %both = arith.addi %left, %right : i32
      linalg.yield %both : i32
    }
  %q = tensor.extract %vector[] : tensor<i32>
  %r = tensor.from_elements %p, %q, %s : tensor<3xi32>)",
     [](const Data &d) -> Result {
       int32_t first = std::max<int64_t>(d.i[0] % 50, 0),
               second = std::max<int64_t>(d.i[1] % 50, 0);
       return std::vector<int32_t>{first, second, first * second};
     }},
    {"too_big_tensor", "tensor<1xi32>", 1, R"(
  %a = tensor.splat %one[%i0, %i1] : tensor<?x?xi32>
  %p = tensor.extract %a[%i2, %i3] : tensor<?x?xi32>
  %r = tensor.from_elements %p : tensor<1xi32>)",
     [](const Data &d) -> Result {
       __int128 elements = __int128(std::max<int64_t>(d.i[0], 0)) * std::max<int64_t>(d.i[1], 0);
       bool isTooBig = elements * 4 + 64 > (1 << 20) || (d.i[0] > 0 && d.i[0] >> 56) ||
                       (d.i[1] > 0 && d.i[1] >> 56);
       if (isTooBig)
         return std::nullopt;
       return one(elements > 0);
     }},
    {"shapes_that_do_not_fit", "tensor<1xi32>", 1, R"(
  %a = tensor.extract_slice %x[0, 0] [%i0, 3] [1, 1] : tensor<8x6xi32> to tensor<?x3xi32>
  %b = tensor.extract_slice %y[0, 0] [%i1, 3] [1, 1] : tensor<4x3xi32> to tensor<?x3xi32>
  %n = tensor.dim %a, %c0 : tensor<?x3xi32>
  %empty = tensor.empty(%n) : tensor<?x3xi32>
  %s = linalg.add ins(%a, %b : tensor<?x3xi32>, tensor<?x3xi32>)
                  outs(%empty : tensor<?x3xi32>) -> tensor<?x3xi32>
  %e = tensor.extract %s[%i2, %c0] : tensor<?x3xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t rows = clamp(d.i[0], 0, 8);
       if (rows != clamp(d.i[1], 0, 4))
         return std::nullopt;
       int64_t row = clamp(d.i[2], 0, rows - 1);
       return one(rows ? d.at(row, 0) + d.y[row * 3] : 0);
     }},
    {"cast", "tensor<4x6xi32>", 24, R"(
  %a = tensor.extract_slice %x[%i0, 0] [%i1, 6] [1, 1] : tensor<8x6xi32> to tensor<?x6xi32>
  %n = tensor.dim %a, %c0 : tensor<?x6xi32>
  %empty = tensor.empty(%n) : tensor<?x6xi32>
  %s = linalg.add ins(%a, %a : tensor<?x6xi32>, tensor<?x6xi32>)
                  outs(%empty : tensor<?x6xi32>) -> tensor<?x6xi32>
  %r = tensor.cast %s : tensor<?x6xi32> to tensor<4x6xi32>)",
     [](const Data &d) -> Result {
       SliceRange rows(8, d.i[0], d.i[1], 1);
       if (rows.size != 4)
         return std::nullopt;
       std::vector<int32_t> result = slice(d, rows, SliceRange(6, 0, 6, 1));
       for (int32_t &value : result)
         value *= 2;
       return result;
     }},
    {"expand_shape", "tensor<1xi32>", 1, R"(
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<8x6xi32> into tensor<48xi32>
  %rows = arith.remui %i0, %c3 : index
  %seven = arith.constant 7 : index
  %size = arith.remui %i1, %seven : index
  %some = tensor.extract_slice %flat[0] [%size] [1] : tensor<48xi32> to tensor<?xi32>
  %a = tensor.expand_shape %some [[0, 1]] output_shape [%rows, 3] : tensor<?xi32> into tensor<?x3xi32>
  %e = tensor.extract %a[%i2, %i3] : tensor<?x3xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t rows = uint64_t(d.i[0]) % 3, elements = uint64_t(d.i[1]) % 7;
       if (rows * 3 != elements)
         return std::nullopt;
       return one(rows ? d.x[clamp(d.i[2], 0, rows - 1) * 3 + clamp(d.i[3], 0, 2)] : 0);
     }},
    {"reshape", "tensor<1xi32>", 1, R"(
  %seven = arith.constant 7 : index
  %size = arith.remui %i1, %seven : index
  %some = tensor.extract_slice %x[0, 0] [1, %size] [1, 1] : tensor<8x6xi32> to tensor<?xi32>
  %shape = tensor.from_elements %k0, %k4 : tensor<2xi64>
  %a = tensor.reshape %some(%shape) : (tensor<?xi32>, tensor<2xi64>) -> tensor<?x3xi32>
  %e = tensor.extract %a[%i2, %i3] : tensor<?x3xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t elements = uint64_t(d.i[1]) % 7;
       if (elements % 3 || d.i[0] != elements / 3)
         return std::nullopt;
       int64_t rows = elements / 3;
       return one(rows ? d.x[clamp(d.i[2], 0, rows - 1) * 3 + clamp(d.i[3], 0, 2)] : 0);
     }},
    {"unpack", "tensor<1xi32>", 1, R"(
  %empty = tensor.empty() : tensor<2x2x4x3xi32>
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %empty
      : tensor<8x6xi32> -> tensor<2x2x4x3xi32>
  %few = arith.constant 20 : index
  %rows = arith.remsi %i0, %few : index
  %target = tensor.empty(%rows) : tensor<?x6xi32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %target
      : tensor<2x2x4x3xi32> -> tensor<?x6xi32>
  %e = tensor.extract %u[%i2, %i3] : tensor<?x6xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t rows = std::max<int64_t>(d.i[0] % 20, 0);
       if (rows > 8)
         return std::nullopt;
       return one(rows ? d.at(clamp(d.i[2], 0, rows - 1), clamp(d.i[3], 0, 5)) : 0);
     }},
    {"pack", "tensor<1xi32>", 1, R"(
  %nine = arith.constant 9 : index
  %rows = arith.remui %i0, %nine : index
  %some = tensor.extract_slice %x[0, 0] [%rows, 6] [1, 1] : tensor<8x6xi32> to tensor<?x6xi32>
  %few = arith.constant 5 : index
  %tiles = arith.remui %i1, %few : index
  %empty = tensor.empty(%tiles) : tensor<?x2x4x3xi32>
  %p = linalg.pack %some padding_value(%z : i32) inner_dims_pos = [0, 1] inner_tiles = [4, 3]
      into %empty : tensor<?x6xi32> -> tensor<?x2x4x3xi32>
  %e = tensor.extract %p[%i2, %c1, %i3, %i4] : tensor<?x2x4x3xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t rows = uint64_t(d.i[0]) % 9, tiles = uint64_t(d.i[1]) % 5;
       // Upstream pads up to what it is packed into.
       if (tiles * 4 < rows)
         return std::nullopt;
       if (tiles == 0)
         return one(0);
       int64_t row = clamp(d.i[2], 0, tiles - 1) * 4 + clamp(d.i[3], 0, 3);
       return one(row < rows ? d.at(row, 3 + clamp(d.i[4], 0, 2)) : 0);
     }},
    {"windows", "tensor<4xi32>", 4, R"(
  %seven = arith.constant 7 : index
  %size = arith.remui %i1, %seven : index
  %some = tensor.extract_slice %x[0, 0] [1, %size] [1, 1] : tensor<8x6xi32> to tensor<?xi32>
  %kernel = tensor.extract_slice %y[0, 0] [1, 2] [1, 1] : tensor<4x3xi32> to tensor<2xi32>
  %zeros = tensor.splat %z : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n - k * 2 + 2)>,
                                        affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>],
                       iterator_types = ["parallel", "reduction"]}
                      ins(%some, %kernel : tensor<?xi32>, tensor<2xi32>)
                      outs(%zeros : tensor<4xi32>) {
  ^bb0(%v: i32, %k: i32, %o: i32):
    %p = arith.muli %v, %k : i32
    %q = arith.addi %p, %o : i32
    linalg.yield %q : i32
  } -> tensor<4xi32>)",
     [](const Data &d) -> Result {
       if (uint64_t(d.i[1]) % 7 < 6)
         return std::nullopt;
       std::vector<int32_t> result;
       for (int64_t n = 0; n < 4; ++n)
         result.push_back(d.x[n + 2] * d.y[0] + d.x[n] * d.y[1]);
       return result;
     }},
    {"moved_loop", "tensor<1xi32>", 1, R"(
  %some = tensor.extract_slice %x[0, 0] [1, %i0] [1, 1] : tensor<8x6xi32> to tensor<?xi32>
  %seven = arith.constant 7 : index
  %size = arith.remui %i1, %seven : index
  %empty = tensor.empty(%size) : tensor<?xi32>
  %g = linalg.generic {indexing_maps = [affine_map<(n) -> (n * -2 + 5)>,
                                        affine_map<(n) -> (n)>],
                       iterator_types = ["parallel"]}
                      ins(%some : tensor<?xi32>) outs(%empty : tensor<?xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<?xi32>
  %e = tensor.extract %g[%i2] : tensor<?xi32>
  %r = tensor.from_elements %e : tensor<1xi32>)",
     [](const Data &d) -> Result {
       int64_t length = clamp(d.i[0], 0, 6), size = uint64_t(d.i[1]) % 7;
       if (size == 0)
         return one(0);
       if (length < 6 || size > 3)
         return std::nullopt;
       return one(d.x[5 - 2 * clamp(d.i[2], 0, size - 1)]);
     }},
    {"loop_bounds", "tensor<8x6xi32>", 48, R"(
  %few = arith.constant 20 : index
  %lower = arith.remsi %i0, %few : index
  %upper = arith.remsi %i1, %few : index
  %r = scf.for %n = %lower to %upper step %i2 iter_args(%t = %x) -> tensor<8x6xi32> {
    %u = tensor.insert %one into %t[%n, %i3] : tensor<8x6xi32>
    scf.yield %u : tensor<8x6xi32>
  })",
     [](const Data &d) -> Result {
       std::vector<int32_t> result = d.x;
       for (__int128 n = d.i[0] % 20; n < d.i[1] % 20; n += std::max<int64_t>(d.i[2], 1))
         if (isIn(n, 7) && isIn(d.i[3], 5))
           result[n * numColumns + d.i[3]] = 1;
       return result;
     }},
    {"affine_maps", "tensor<2xi32>", 2, R"(
  %a = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i0)[%i1]
  %b = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i2)[%i3]
  %p = tensor.extract %x[%a, %c0] : tensor<8x6xi32>
  %q = tensor.extract %x[%b, %c1] : tensor<8x6xi32>
  %none = arith.subi %p, %p : i32
  %nothing = arith.subi %q, %q : i32
  %r = tensor.from_elements %none, %nothing : tensor<2xi32>)",
     [](const Data &) -> Result { return std::vector<int32_t>{0, 0}; }},
    {"index_arithmetic", "tensor<3xi32>", 3, R"(
  %a = index.divs %i0, %i1
  %b = index.remu %i2, %i3
  %power = math.ipowi %k4, %k5 : i64
  %c = arith.index_cast %power : i64 to index
  %p = tensor.extract %x[%a, %c0] : tensor<8x6xi32>
  %q = tensor.extract %x[%b, %c1] : tensor<8x6xi32>
  %s = tensor.extract %x[%c, %c2] : tensor<8x6xi32>
  %r = tensor.from_elements %p, %q, %s : tensor<3xi32>)",
     [](const Data &d) -> Result {
       __int128 quotient = d.i[1] ? __int128(d.i[0]) / d.i[1] : 0;
       if (quotient > INT64_MAX)
         quotient = INT64_MIN;
       int64_t rest = d.i[3] ? uint64_t(d.i[2]) % uint64_t(d.i[3]) : 0;
       uint64_t power = 1, base = d.i[4];
       int64_t exponent = d.i[5];
       if (exponent < 0) {
         int64_t b = d.i[4];
         power = b == 1 ? 1 : b == -1 ? (exponent % 2 ? -1 : 1) : 0;
         exponent = 0;
       }
       for (uint64_t e = exponent; e; e >>= 1, base *= base)
         if (e & 1)
           power *= base;
       return std::vector<int32_t>{d.at(clamp(quotient, 0, 7), 0), d.at(clamp(rest, 0, 7), 1),
                                   d.at(clamp(int64_t(power), 0, 7), 2)};
     }},
};

class HostBoundsTest : public ::testing::TestWithParam<Case> {
protected:
  HostBoundsTest() { loadHostDialects(context); }

  std::mt19937_64 random{20240607};

  Data getData() {
    Data data;
    data.x.resize(numRows * numColumns);
    data.y.resize(partRows * partColumns);
    data.i.resize(numIndices);
    for (int32_t &value : data.x)
      value = random() % 1000 + 1;
    for (int32_t &value : data.y)
      value = random() % 1000 + 1001;
    for (int64_t &value : data.i)
      value = getRandomIndex(random);
    return data;
  }

  MLIRContext context;
};

TEST_P(HostBoundsTest, StaysInside) {
  const Case &test = GetParam();
  std::string text = std::string("func.func @f(%x: tensor<8x6xi32>, %y: tensor<4x3xi32>, "
                                 "%i: tensor<6xi64>) -> ") +
                     test.resultType + " {" + prologue +
                     "  %z = arith.constant 0 : i32\n  %one = arith.constant 1 : i32" + test.body +
                     "\n  return %r : " + test.resultType + "\n}";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  HostReferenceOptions options;
  if (usesSanitizer())
    options.instrument = addSanitizer;
  HostObject object =
      unwrap(compileHostObject(*module->getOps<func::FuncOp>().begin(), "f", options));
  auto loader = unwrap(HostObjectLoader::create(/*callsAnything=*/usesSanitizer()));
  HostObjectLoader::Function function = unwrap(loader->load(object.code, "f"));

  int64_t numFailed = 0, numRuns = getSetting("NPU_HOST_BOUNDS_RUNS", 100);
  for (int64_t run = 0; run < numRuns; ++run) {
    Data data = getData();
    GuardedBuffer x(data.x.data(), data.x.size() * 4), y(data.y.data(), data.y.size() * 4),
        i(data.i.data(), data.i.size() * 8), result(nullptr, test.resultSize * 4);
    void *buffers[] = {x.get(), y.get(), i.get(), result.get()};
    llvm::Error error = HostObjectLoader::call(function, buffers, /*memoryLimit=*/1 << 20);
    std::string indices;
    for (int64_t index : data.i)
      indices += " " + std::to_string(index);
    SCOPED_TRACE("indices" + indices);
    Result expected = test.expect(data);
    ASSERT_EQ(!error, expected.has_value()) << llvm::toString(std::move(error));
    if (error) {
      ++numFailed;
      llvm::consumeError(std::move(error));
    } else {
      auto *actual = static_cast<int32_t *>(result.get());
      ASSERT_EQ(std::vector<int32_t>(actual, actual + test.resultSize), *expected);
    }
    ASSERT_TRUE(x.isIntact() && y.isIntact() && i.isIntact() && result.isIntact());
    ASSERT_EQ(std::memcmp(x.get(), data.x.data(), data.x.size() * 4), 0);
    ASSERT_EQ(std::memcmp(y.get(), data.y.data(), data.y.size() * 4), 0);
  }
  EXPECT_LT(numFailed, numRuns) << "no call got through";
}

INSTANTIATE_TEST_SUITE_P(Ops, HostBoundsTest, ::testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
