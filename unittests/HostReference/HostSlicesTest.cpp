//===- HostSlicesTest.cpp - any slice of any tensor stays inside ----------===//
//
// Functions with random slices: offsets, sizes and strides are constants or data, tensors have
// constant extents or such that are data, and may be empty. Each runs on random data as native
// code, and must give what plain loops give; see HostBounds.h.
//
//===----------------------------------------------------------------------===//

#include "HostBounds.h"

using namespace mlir;
using namespace npu::runtime;

namespace {

constexpr int64_t numSourceRows = 8, numSourceColumns = 6, maxSize = 10, maxIndices = 16;

/// A number in a function: a constant, or data.
struct Number {
  int64_t constant = 0;
  std::optional<size_t> index; ///< of the data

  int64_t get(ArrayRef<int64_t> data) const { return index ? data[*index] : constant; }
  std::string str() const {
    return index ? "%i" + std::to_string(*index) : std::to_string(constant);
  }
  std::string getExtent() const { return index ? "?" : std::to_string(constant); }
};

struct Dim {
  Number extent, offset, size, stride;
  Number length; ///< of what is inserted; the size if that is a constant
};

struct SliceData {
  std::vector<int32_t> x, y; ///< of 8x6 and 10x10
  std::vector<int64_t> i;
};

/// What a call has to give.
struct SliceResult {
  SliceResult(std::vector<int32_t> values, bool mayFail = false)
      : values(std::move(values)), mayFail(mayFail) {}
  SliceResult(std::nullopt_t) {}
  /// Whatever it is, it is in the buffer.
  static SliceResult getAny() {
    SliceResult result(std::nullopt);
    result.mayFail = true;
    return result;
  }

  std::optional<std::vector<int32_t>> values; ///< nothing if it has to fail
  bool isEndless = false;                     ///< loops over nothing take too long
  bool mayFail = false;                       ///< depends on what is dropped, as nothing needs it
};

class HostSlicesTest : public ::testing::Test {
protected:
  HostSlicesTest() { loadHostDialects(context); }

  int64_t getSmall(int64_t end) { return random() % end; }

  /// SliceData or, as often, a constant.
  Number getNumber(function_ref<int64_t()> getConstant) {
    Number number;
    if (random() % 2)
      number.index = numUsed++;
    else
      number.constant = getConstant();
    return number;
  }
  int64_t getConstantIndex() { return random() % 4 ? getSmall(7) - 1 : getRandomIndex(random); }

  Dim getDim(int64_t most) {
    Dim dim;
    dim.extent = getNumber([&] { return random() % 3 ? most : getSmall(most + 1); });
    dim.offset = getNumber([&] { return std::max<int64_t>(getConstantIndex(), 0); });
    dim.size = getNumber([&] { return getSmall(random() % 4 ? 4 : maxSize + 1); });
    dim.stride = getNumber([&] { return getConstantIndex(); });
    dim.length = dim.size;
    if (dim.size.index && random() % 2)
      dim.length.index = numUsed++;
    return dim;
  }

  static std::string join(ArrayRef<Dim> dims, Number Dim::*which) {
    return "[" + (dims[0].*which).str() + ", " + (dims[1].*which).str() + "]";
  }
  static std::string getType(ArrayRef<Dim> dims, Number Dim::*which) {
    return "tensor<" + (dims[0].*which).getExtent() + "x" + (dims[1].*which).getExtent() + "xi32>";
  }

  /// Compiles `body`, which makes `%r` of `%x`, `%y` and indices, and runs it on random data.
  /// Returns whether it is a function at all.
  bool check(const std::string &body, int64_t rows, int64_t columns, bool mustCompile,
             function_ref<SliceResult(const SliceData &)> expect) {
    std::string type = "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "xi32>";
    std::string text =
        "func.func @f(%x: tensor<8x6xi32>, %y: tensor<10x10xi32>, %i: tensor<16xi64>) -> " + type +
        " {\n  %z = arith.constant 0 : i32\n  %none = arith.constant -1 : i32\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n";
    for (size_t number = 0; number < numUsed; ++number) {
      std::string n = std::to_string(number);
      text += "  %a" + n + " = arith.constant " + n + " : index\n  %k" + n +
              " = tensor.extract %i[%a" + n + "] : tensor<16xi64>\n  %i" + n +
              " = arith.index_cast %k" + n + " : i64 to index\n";
    }
    text += body + "  return %r : " + type + "\n}";
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> module;
    {
      // Upstream's verifier refuses most slices of constants that are outside.
      ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
      module = parseSourceString<ModuleOp>(text, &context);
    }
    if (!module)
      return false;
    HostReferenceOptions options;
    options.optLevel = 1;
    if (usesSanitizer())
      options.instrument = addSanitizer;
    auto object = compileHostObject(*module->getOps<func::FuncOp>().begin(), "f", options);
    if (!mustCompile) {
      EXPECT_FALSE(bool(object));
      EXPECT_NE(llvm::toString(object.takeError()).find("; use a smaller slice"),
                std::string::npos);
      return true;
    }
    HostObject code = unwrap(std::move(object));
    auto loader = unwrap(HostObjectLoader::create(/*callsAnything=*/usesSanitizer()));
    HostObjectLoader::Function function = unwrap(loader->load(code.code, "f"));
    for (int64_t run = 0; run < 20 && !HasFailure(); ++run)
      this->run(function, rows * columns, expect);
    return true;
  }

  void run(HostObjectLoader::Function function, size_t resultSize,
           function_ref<SliceResult(const SliceData &)> expect) {
    SliceData data;
    for (int64_t n = 0; n < numSourceRows * numSourceColumns; ++n)
      data.x.push_back(n + 1);
    for (int64_t n = 0; n < maxSize * maxSize; ++n)
      data.y.push_back(n + 1001);
    bool isTame = random() % 2;
    for (int64_t n = 0; n < maxIndices; ++n)
      data.i.push_back(isTame ? getSmall(random() % 2 ? 3 : 8) : getRandomIndex(random));
    SliceResult expected = expect(data);
    if (expected.isEndless)
      return;
    GuardedBuffer x(data.x.data(), data.x.size() * 4), y(data.y.data(), data.y.size() * 4),
        i(data.i.data(), data.i.size() * 8), result(nullptr, resultSize * 4);
    void *buffers[] = {x.get(), y.get(), i.get(), result.get()};
    llvm::Error error = HostObjectLoader::call(function, buffers, /*memoryLimit=*/1 << 20);
    std::string indices;
    for (int64_t index : data.i)
      indices += " " + std::to_string(index);
    SCOPED_TRACE("indices" + indices);
    bool isDone = !error;
    std::string message = llvm::toString(std::move(error));
    if (!expected.mayFail) {
      EXPECT_EQ(isDone, expected.values.has_value()) << message;
    }
    if (isDone && expected.values) {
      auto *actual = static_cast<int32_t *>(result.get());
      EXPECT_EQ(std::vector<int32_t>(actual, actual + resultSize), *expected.values);
    }
    EXPECT_TRUE(x.isIntact() && y.isIntact() && i.isIntact() && result.isIntact());
    EXPECT_EQ(std::memcmp(x.get(), data.x.data(), data.x.size() * 4), 0);
    EXPECT_EQ(std::memcmp(y.get(), data.y.data(), data.y.size() * 4), 0);
    ++numRuns;
  }

  /// Calls `tryOne` until it has given as many functions as asked for.
  void repeat(function_ref<bool()> tryOne) {
    int64_t numFunctions = getSetting("NPU_HOST_BOUNDS_FUNCTIONS", 12);
    for (int64_t done = 0; done < numFunctions && !HasFailure();) {
      numUsed = 0;
      done += tryOne();
    }
    RecordProperty("runs", std::to_string(numRuns));
  }

  MLIRContext context;
  std::mt19937_64 random{20240611};
  size_t numUsed = 0;
  int64_t numRuns = 0;
};

/// The extent of a tensor that is the first part of another.
int64_t getExtent(const Number &extent, int64_t most, ArrayRef<int64_t> data) {
  return clamp(extent.get(data), 0, most);
}

/// Whether constants ask for more elements than there are.
bool isTooLarge(const Dim &dim) {
  return !dim.size.index && !dim.extent.index && dim.size.constant > dim.extent.constant;
}

constexpr int64_t extents[] = {numSourceRows, numSourceColumns};

/// `%t`, the first elements of `%x`: as many as `extents` say, if there are. Folding makes of a
/// `tensor.dim` of a slice the size that was asked for, so it is one that the slice can have.
std::string getSource(ArrayRef<Number> numbers) {
  std::string text, shape, type = "tensor<";
  for (auto [dim, number] : llvm::enumerate(numbers)) {
    std::string d = std::to_string(dim), extent = number.str();
    if (number.index) {
      extent = "%e" + d;
      text += "  %most" + d + " = arith.constant " + std::to_string(extents[dim]) +
              " : index\n  %least" + d + " = arith.maxsi " + number.str() + ", %c0 : index\n  %e" +
              d + " = arith.minsi %least" + d + ", %most" + d + " : index\n";
    }
    shape += (dim ? ", " : "") + extent;
    type += number.getExtent() + "x";
  }
  return text + "  %t = tensor.extract_slice %x[0, 0] [" + shape +
         "] [1, 1] : tensor<8x6xi32> to " + type + "i32>\n";
}

TEST_F(HostSlicesTest, ExtractSlice) {
  repeat([&] {
    Dim dims[] = {getDim(numSourceRows), getDim(numSourceColumns)};
    std::string type = getType(dims, &Dim::extent), part = getType(dims, &Dim::size);
    std::string body = getSource({dims[0].extent, dims[1].extent}) +
                       "  %s = tensor.extract_slice %t" + join(dims, &Dim::offset) + " " +
                       join(dims, &Dim::size) + " " + join(dims, &Dim::stride) + " : " + type +
                       " to " + part +
                       "\n  %r = tensor.generate {\n  ^bb0(%a: index, %b: index):\n"
                       "    %e = tensor.extract %s[%a, %b] : " +
                       part + "\n    tensor.yield %e : i32\n  } : tensor<10x10xi32>\n";
    bool mustCompile = llvm::none_of(dims, isTooLarge);
    return check(body, maxSize, maxSize, mustCompile, [&](const SliceData &data) -> SliceResult {
      SmallVector<SliceRange> ranges;
      for (auto [dim, most] : llvm::zip_equal(dims, extents)) {
        int64_t extent = getExtent(dim.extent, most, data.i);
        if (!dim.size.index && dim.size.constant > extent)
          return std::nullopt;
        ranges.emplace_back(extent, dim.offset.get(data.i), dim.size.get(data.i),
                            dim.stride.get(data.i), !dim.size.index);
      }
      std::vector<int32_t> result;
      for (int64_t r = 0; r < maxSize; ++r)
        for (int64_t c = 0; c < maxSize; ++c) {
          // Behind the last element, that is the nearest; of none, 0 is.
          auto getIndex = [](const SliceRange &range, int64_t index) {
            return range.offset + std::min(index, range.size - 1) * range.stride;
          };
          bool isEmpty = ranges[0].size == 0 || ranges[1].size == 0;
          result.push_back(
              isEmpty ? 0
                      : data.x[getIndex(ranges[0], r) * numSourceColumns + getIndex(ranges[1], c)]);
        }
      return result;
    });
  });
}

/// Whether every element of a slice is inside, and no two are one.
bool isInside(const Dim &dim, int64_t extent, ArrayRef<int64_t> data) {
  __int128 offset = dim.offset.get(data), size = dim.size.get(data), stride = dim.stride.get(data);
  if (size <= 0)
    return size == 0 && offset >= 0 && offset <= extent;
  __int128 last = offset + (size - 1) * stride;
  return offset >= 0 && offset < extent && last >= 0 && last < extent && (size == 1 || stride != 0);
}

/// Whether types say that nothing is written, and folding may drop the op and what it checks.
bool isNothing(ArrayRef<Dim> dims) {
  return llvm::any_of(dims, [](const Dim &dim) {
    return (!dim.size.index && dim.size.constant == 0) ||
           (!dim.extent.index && dim.extent.constant == 0);
  });
}

/// What is left of x after y was inserted.
SliceResult insert(ArrayRef<Dim> dims, const SliceData &data) {
  bool areInside = true, fit = true;
  for (auto [dim, most] : llvm::zip_equal(dims, extents)) {
    areInside &= isInside(dim, getExtent(dim.extent, most, data.i), data.i);
    fit &= getExtent(dim.length, maxSize, data.i) == dim.size.get(data.i);
  }
  std::vector<int32_t> result = data.x;
  bool isNothing =
      llvm::any_of(dims, [](const Dim &dim) { return !dim.size.index && dim.size.constant == 0; });
  if (!areInside || isNothing)
    return result;
  if (!fit)
    return std::nullopt;
  for (int64_t r = 0; r < dims[0].size.get(data.i); ++r)
    for (int64_t c = 0; c < dims[1].size.get(data.i); ++c)
      result[(dims[0].offset.get(data.i) + r * dims[0].stride.get(data.i)) * numSourceColumns +
             dims[1].offset.get(data.i) + c * dims[1].stride.get(data.i)] = data.y[r * maxSize + c];
  return result;
}

/// `%p`, the first elements of `%y`, and `%r`, which is `%x` with `%d` in place of `%t`.
std::pair<std::string, std::string> getFrame(ArrayRef<Dim> dims, const std::string &lengths,
                                             const std::string &type, const std::string &part) {
  auto getSize = [&](unsigned dim) {
    return dims[dim].extent.index ? "%e" + std::to_string(dim) : dims[dim].extent.str();
  };
  return {"  %p = tensor.extract_slice %y[0, 0] " + lengths + " [1, 1] : tensor<10x10xi32> to " +
              part + "\n",
          "  %r = tensor.insert_slice %d into %x[0, 0] [" + getSize(0) + ", " + getSize(1) +
              "] [1, 1] : " + type + " into tensor<8x6xi32>\n"};
}

TEST_F(HostSlicesTest, InsertSlice) {
  repeat([&] {
    Dim dims[] = {getDim(numSourceRows), getDim(numSourceColumns)};
    std::string type = getType(dims, &Dim::extent), part = getType(dims, &Dim::size);
    auto [before, after] = getFrame(dims, join(dims, &Dim::length), type, part);
    std::string body = getSource({dims[0].extent, dims[1].extent}) + before +
                       "  %d = tensor.insert_slice %p into %t" + join(dims, &Dim::offset) + " " +
                       join(dims, &Dim::size) + " " + join(dims, &Dim::stride) + " : " + part +
                       " into " + type + "\n" + after;
    return check(body, numSourceRows, numSourceColumns, /*mustCompile=*/true,
                 [&](const SliceData &data) { return insert(dims, data); });
  });
}

TEST_F(HostSlicesTest, ParallelInsertSlice) {
  repeat([&] {
    Dim dims[] = {getDim(numSourceRows), getDim(numSourceColumns)};
    for (Dim &dim : dims)
      dim.length = dim.size; // what fits
    std::string type = getType(dims, &Dim::extent), part = getType(dims, &Dim::size);
    auto [before, after] = getFrame(dims, join(dims, &Dim::length), type, part);
    std::string body = getSource({dims[0].extent, dims[1].extent}) + before +
                       "  %d = scf.forall (%n) in (1) shared_outs(%u = %t) -> " + type +
                       " {\n    scf.forall.in_parallel {\n"
                       "      tensor.parallel_insert_slice %p into %u" +
                       join(dims, &Dim::offset) + " " + join(dims, &Dim::size) + " " +
                       join(dims, &Dim::stride) + " : " + part + " into " + type +
                       "\n    }\n  }\n" + after;
    bool mustCompile = llvm::none_of(dims, isTooLarge);
    if (!mustCompile && isNothing(dims))
      return false;
    return check(body, numSourceRows, numSourceColumns, mustCompile,
                 [&](const SliceData &data) -> SliceResult {
                   if (isNothing(dims))
                     return {data.x, /*mayFail=*/true};
                   bool areInside = true, fit = true;
                   for (auto [dim, most] : llvm::zip_equal(dims, extents)) {
                     int64_t extent = getExtent(dim.extent, most, data.i);
                     if (!dim.size.index && dim.size.constant > extent)
                       return std::nullopt;
                     areInside &= isInside(dim, extent, data.i);
                     // What is there is written again, which must fit, too.
                     SliceRange range(extent, dim.offset.get(data.i), dim.size.get(data.i),
                                      dim.stride.get(data.i), !dim.size.index);
                     fit &= getExtent(dim.length, maxSize, data.i) == range.size;
                   }
                   if (!areInside)
                     return data.x;
                   return fit ? insert(dims, data) : std::nullopt;
                 });
  });
}

TEST_F(HostSlicesTest, Pad) {
  repeat([&] {
    struct Edges {
      Number extent, low, high, result;
    };
    SmallVector<Edges> dims;
    for (int64_t most : extents) {
      Edges edges;
      edges.extent = getNumber([&] { return getSmall(most + 1); });
      edges.low = getNumber([&] { return getSmall(4); });
      edges.high = getNumber([&] { return getSmall(4); });
      bool isData = edges.extent.index || edges.low.index || edges.high.index;
      edges.result.constant = edges.extent.constant + edges.low.constant + edges.high.constant;
      if (isData && random() % 2)
        edges.result.index = 0;
      else if (isData)
        edges.result.constant = getSmall(maxSize + 1);
      dims.push_back(edges);
    }
    auto join = [&](Number Edges::*which) {
      return "[" + (dims[0].*which).str() + ", " + (dims[1].*which).str() + "]";
    };
    auto getType = [&](Number Edges::*which) {
      return "tensor<" + (dims[0].*which).getExtent() + "x" + (dims[1].*which).getExtent() +
             "xi32>";
    };
    std::string type = getType(&Edges::extent), padded = getType(&Edges::result);
    // Of the result, one element and the number of elements.
    std::string j0 = std::to_string(numUsed++), j1 = std::to_string(numUsed++);
    std::string body =
        getSource({dims[0].extent, dims[1].extent}) + "  %q = tensor.pad %t low" +
        join(&Edges::low) + " high" + join(&Edges::high) +
        " {\n  ^bb0(%a: index, %b: index):\n    tensor.yield %none : i32\n  } : " + type + " to " +
        padded + "\n  %m = tensor.dim %q, %c0 : " + padded +
        "\n  %n = tensor.dim %q, %c1 : " + padded +
        "\n  %mn = arith.muli %m, %n : index\n  %count = arith.index_cast %mn : index to i32"
        "\n  %e = tensor.extract %q[%i" +
        j0 + ", %i" + j1 + "] : " + padded +
        "\n  %r = tensor.from_elements %e, %count : tensor<1x2xi32>\n";
    size_t firstIndex = numUsed - 2;
    // Of these, nothing is copied.
    bool isKnownEmpty = llvm::any_of(dims, [](const Edges &edges) {
      return (!edges.extent.index && edges.extent.constant == 0) ||
             (!edges.result.index && edges.result.constant == 0);
    });
    bool mustCompile = llvm::none_of(dims, [](const Edges &edges) {
      return !edges.extent.index && !edges.result.index &&
             edges.extent.constant > edges.result.constant;
    });
    if (!mustCompile)
      return false;
    return check(body, 1, 2, mustCompile, [&](const SliceData &data) -> SliceResult {
      int64_t position[2];
      __int128 elements = 1;
      bool isEdge = false, isEmpty = false, isLong = false, isTooLong = false, isTooBig = false;
      for (auto [d, edges] : llvm::enumerate(dims)) {
        int64_t extent = getExtent(edges.extent, extents[d], data.i);
        int64_t low = std::max<int64_t>(edges.low.get(data.i), 0),
                high = std::max<int64_t>(edges.high.get(data.i), 0);
        __int128 length = __int128(extent) + low + high;
        if (!edges.result.index) {
          length = edges.result.constant;
          if (extent > length)
            return isKnownEmpty ? SliceResult::getAny() : std::nullopt;
          low = std::min<int64_t>(low, int64_t(length) - extent);
        }
        constexpr __int128 maxElements = __int128(1) << 56;
        isLong |= length > (1 << 20);
        isTooLong |= length > INT64_MAX;
        isTooBig |= length > maxElements / std::max<__int128>(elements, 1);
        isEmpty |= length == 0;
        elements *= length;
        if (length == 0)
          continue;
        position[d] = clamp(data.i[firstIndex + d], 0, int64_t(length) - 1) - low;
        isEdge |= position[d] < 0 || position[d] >= extent;
      }
      // As nothing is too much for the memory.
      SliceResult endless = SliceResult::getAny();
      endless.isEndless = true;
      if (isLong && isEmpty)
        return endless;
      // Sums that do not fit 64 bits wrap around.
      if (isTooLong)
        return SliceResult::getAny();
      if (isTooBig || elements * 4 + 64 > (1 << 20))
        return std::nullopt;
      int32_t element = isEmpty  ? 0
                        : isEdge ? -1
                                 : data.x[position[0] * numSourceColumns + position[1]];
      return std::vector<int32_t>{element, int32_t(elements)};
    });
  });
}

TEST_F(HostSlicesTest, Elements) {
  repeat([&] {
    Dim dims[] = {getDim(numSourceRows), getDim(numSourceColumns)};
    std::string type = getType(dims, &Dim::extent);
    auto [before, after] = getFrame(dims, "[1, 1]", type, "tensor<1x1xi32>");
    auto at = [&](Number Dim::*which) {
      std::string text;
      for (unsigned d = 0; d < 2; ++d) {
        const Number &number = dims[d].*which;
        std::string name = "%at" + std::to_string(d) + (which == &Dim::offset ? "o" : "s");
        text += "  " + name + " = ";
        text += number.index ? "arith.addi " + number.str() + ", %c0 : index\n"
                             : "arith.constant " + number.str() + " : index\n";
      }
      return text;
    };
    std::string body = getSource({dims[0].extent, dims[1].extent}) + at(&Dim::offset) +
                       at(&Dim::stride) + "  %v = tensor.extract %t[%at0s, %at1s] : " + type +
                       "\n  %d = tensor.insert %v into %t[%at0o, %at1o] : " + type + "\n" + after;
    return check(body, numSourceRows, numSourceColumns, /*mustCompile=*/true,
                 [&](const SliceData &data) -> SliceResult {
                   int64_t length[2], from[2], to[2];
                   bool areInside = true;
                   for (unsigned d = 0; d < 2; ++d) {
                     length[d] = getExtent(dims[d].extent, extents[d], data.i);
                     from[d] =
                         clamp(dims[d].stride.get(data.i), 0, std::max<int64_t>(length[d] - 1, 0));
                     to[d] = dims[d].offset.get(data.i);
                     areInside &= to[d] >= 0 && to[d] < length[d];
                   }
                   std::vector<int32_t> result = data.x;
                   if (areInside)
                     result[to[0] * numSourceColumns + to[1]] =
                         data.x[from[0] * numSourceColumns + from[1]];
                   return result;
                 });
  });
}

} // namespace
