//===- FirstTilesTest.cpp - any contraction, begun and ended in parts -----===//
//
// Random products and convolutions with random schedules that begin with parts of the first tile
// and end with parts of the last one: what is kept, what is loaded where, in rings or not, over
// clusters. Tile form, which adds up in the order of the parts, and the program give the same bits;
// both orders of loads lie in one stream, where no verifier of synchronization would see that one
// writes over the other.
//
//===----------------------------------------------------------------------===//

#include "LevelTrace.h"

#include "NPU/InitAll/InitAll.h"
#include "NPU/Tensor/Compare.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

namespace {

class FirstTiles : public ::testing::TestWithParam<unsigned> {
protected:
  FirstTiles() : random(GetParam()) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += diagnostic.str() + '\n';
    });
  }

  int64_t in(int64_t low, int64_t high) { return low + int64_t(random() % (high - low + 1)); }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[in(0, values.size() - 1)];
  }

  /// The parts of a first tile of so many indices.
  std::string getBegin(StringRef stage, StringRef dim, int64_t tile) {
    int64_t first = in(1, tile - 1), second = in(1, tile);
    std::string text = formatv("@{0} begin {1} = ", stage, dim).str();
    switch (in(0, first + 1 < tile ? 3 : 2)) {
    case 0:
      return "@" + stage.str();
    case 1:
      return text + std::to_string(first);
    case 2:
      return text + formatv("[{0}, {1}]", first, second).str();
    default:
      return text + formatv("[{0}, {1}, {2}]", first, tile - first - 1, tile).str();
    }
  }
  /// How the tail reads tiles of `tile` of `extent` indices, and how the contraction ends.
  struct Tail {
    std::string text, end;
  };
  Tail getTail(StringRef dim, int64_t tile, int64_t extent) {
    tile = std::min(tile, extent);
    int64_t size = in(1, tile);
    while (tile < extent && tile % size != 0)
      size = in(1, tile);
    if (size == tile || in(0, 3) == 0)
      return {"@tail -> sram" + getRing(), ""};
    return {formatv("for {0} = {1} {{@tail -> sram{2}}", dim, size, getRing()).str(),
            in(0, 3) == 0 ? "" : formatv(" end {0}", dim).str()};
  }

  std::string makeMatmul();
  std::string makeConv();
  void check(StringRef text);

  std::string getKernel(StringRef op, StringRef a, StringRef b, StringRef c, StringRef schedule) {
    return formatv(R"(
npu.kernel @k(%a: {1}, %b: {2}) -> {6} attributes {{target = #npu.target<"{4}">, schedule = #npu.schedule<{5}>} {{
  %e = tensor.empty() : {3}
  %r = tensor.empty() : {6}
  %0 = npu.{0} : {1}, {2} -> {3}
  %1 = npu.{7} : {3} -> {6}
  npu.return %1 : {6}
})",
                   op, a, b, c, target, schedule,
                   StringRef(c).drop_back(4).str() + (sumType == "i32" ? "i8>" : "f16>"),
                   sumType == "i32"
                       ? "requantize %0 -> %r {hi = 127, lo = -128, scale = 0.25 : f32}"
                       : "cast truncf %0 -> %r");
  }
  std::string getRing() { return of<std::string>({"", " x2", " x3"}); }
  std::string getSplit() { return clusters == 1 ? "" : formatv(" clusters {0}", clusters).str(); }
  void chooseChip() {
    clusters = of<int64_t>({1, 1, 2, 4});
    target =
        clusters == 1 ? of<std::string>({"npu-v1", "npu-v1:macRows=64,macCols=16"}) : "npu-v1-x4";
    type = of<std::string>({"i8", "f16", "f32"});
    sumType = type == "i8" ? "i32" : "f32";
  }

  std::mt19937_64 random;
  MLIRContext context;
  int64_t clusters = 1;
  std::string target, type, sumType;
  int64_t checked = 0, asked = 0, split = 0;
  std::string errors; ///< of compiling
};

std::string FirstTiles::makeMatmul() {
  chooseChip();
  int64_t m = in(2, 80), n = in(2, 80), k = in(8, 200), tileK = in(4, k);
  bool isTransposed = in(0, 1);
  std::string keep, whole;
  (in(0, 1) ? keep : whole) = clusters == 1 ? of<std::string>({"lhs", "rhs", ""}) : "";
  std::string loads;
  for (StringRef operand : {"lhs", "rhs"})
    if (operand != whole)
      loads += formatv("load @matmul.{0}{1}, ", operand, operand == keep ? "" : getRing());
  int64_t tileM = in(1, clusters == 1 ? m : m / 2);
  Tail tail = getTail("m", tileM, m);
  std::string rows = formatv("m = {0}", tileM),
              columns = formatv("n = {0}", std::min(n, of<int64_t>({32, 48, 64})));
  if (clusters == 1 && in(0, 1))
    std::swap(rows, columns);
  std::string before = !keep.empty()    ? "keep @matmul." + keep + ", "
                       : !whole.empty() ? "load @matmul." + whole + ", "
                                        : "";
  std::string schedule = formatv("{{{0}for {1}{2} {{for {3} {{value @matmul -> acc x2, for k = {4} "
                                 "{{{5}{6}{7}}, {8}}}}",
                                 before, rows, getSplit(), columns, tileK, loads,
                                 getBegin("matmul", "k", tileK), tail.end, tail.text);
  return getKernel(isTransposed ? "matmul %a, %b -> %e {layout_b = #npu.layout<nk>}"
                                : "matmul %a, %b -> %e",
                   formatv("tensor<{0}x{1}x{2}>", m, k, type).str(),
                   isTransposed ? formatv("tensor<{0}x{1}x{2}>", n, k, type).str()
                                : formatv("tensor<{0}x{1}x{2}>", k, n, type).str(),
                   formatv("tensor<{0}x{1}x{2}>", m, n, sumType).str(), schedule);
}

std::string FirstTiles::makeConv() {
  chooseChip();
  int64_t kernel = in(1, 3), stride = in(1, 2), pad = kernel > 1 ? in(0, 1) : 0;
  int64_t h = in(kernel, 12), w = in(kernel, 12), c = in(4, 60), f = in(2, 70), tileC = in(2, c);
  if (clusters > 1)
    h = std::max<int64_t>(h, kernel + stride);
  int64_t oh = (h + 2 * pad - kernel) / stride + 1, ow = (w + 2 * pad - kernel) / stride + 1;
  int64_t place = in(0, 2);
  std::string input = "load @conv.input" + getRing() + ", ",
              filter = "load @conv.filter" + getRing() + ", ";
  int64_t tileH = in(1, clusters == 1 ? oh : std::max<int64_t>(1, oh / 2));
  Tail tail = getTail("h", tileH, oh);
  std::string schedule =
      formatv("{{for h = {0}{1} {{{2}for f = {3} {{value @conv -> acc x2, "
              "{4}for c = {5} {{{6}{7}{8}{9}}, {10}}}}",
              tileH, getSplit(), place == 0 ? "" : input, std::min(f, of<int64_t>({32, 48, 64})),
              place == 2 ? filter : "", tileC, place == 0 ? input : "", place == 2 ? "" : filter,
              getBegin("conv", "c", tileC), tail.end, tail.text);
  return getKernel(
      formatv("conv %a, %b -> %e {{stride = array<i64: {0}, {0}>, pad_low = array<i64: {1}, "
              "{1}>, pad_high = array<i64: {1}, {1}>}",
              stride, pad)
          .str(),
      formatv("tensor<1x{0}x{1}x{2}x{3}>", h, w, c, type).str(),
      formatv("tensor<{0}x{0}x{1}x{2}x{3}>", kernel, c, f, type).str(),
      formatv("tensor<1x{0}x{1}x{2}x{3}>", oh, ow, f, sumType).str(), schedule);
}

int64_t countContractions(KernelOp kernel) {
  int64_t count = 0;
  kernel.walk([&](Operation *op) { count += llvm::isa<MatmulOp, ConvOp>(op); });
  return count;
}

void FirstTiles::check(StringRef text) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(bool(module)) << text.str();
  errors.clear();
  llvm::Expected<KernelLevels> levels = KernelLevels::compile(std::move(module));
  if (!levels) {
    // What does not fit is left out.
    llvm::consumeError(levels.takeError());
    EXPECT_NE(errors.find(" bytes of "), std::string::npos) << errors << text.str();
    return;
  }
  SmallVector<HostTensor> inputs;
  for (ShapedType shaped : interpreter::getSignature(levels->getKernel(Level::Tensor)).inputs) {
    HostTensor input(*interpreter::getHostType(shaped.getElementType()), shaped.getShape());
    // Tile form has one first iteration, where each cluster has its own: sums then have two orders.
    if (isFloat(input.getElementType()) && clusters == 1)
      input.fillRandom(inputs.size());
    else
      input.fillSmallInts(inputs.size());
    inputs.push_back(std::move(input));
  }
  Trace tile = trace(*levels, Level::Tile, inputs, sim::Options()),
        program = trace(*levels, Level::Program, inputs, sim::Options());
  ASSERT_EQ(tile.failure, "") << text.str();
  ASSERT_EQ(program.failure, "") << text.str();
  const HostTensor &expected = tile.outputs.front();
  HostTensor found =
      program.outputs.front().bitcast(expected.getElementType(), expected.getShape());
  EXPECT_TRUE(found.getBytes() == expected.getBytes()) << text.str();
  ++checked;
  bool mayBeSplit = text.contains("begin") || text.contains(" end ");
  asked += mayBeSplit;
  split += mayBeSplit && countContractions(levels->getKernel(Level::Planned)) > clusters;
}

TEST_P(FirstTiles, GiveWhatTheWholeGives) {
  for (int64_t i = 0; i < 60; ++i)
    check(i % 2 ? makeMatmul() : makeConv());
  // The rest does not fit, or splits what has one iteration.
  EXPECT_GE(checked, 20);
  EXPECT_GE(4 * split, 3 * asked);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FirstTiles, ::testing::Range(0u, 4u));

} // namespace
