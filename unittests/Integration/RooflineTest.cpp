//===- RooflineTest.cpp - the limits against hand and published formulas --===//

#include "../Shared.h"
#include "Harness.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <random>
#include <set>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::StringRef;

namespace {

TargetDesc getTarget(StringRef specification) { return llvm::cantFail(parseTarget(specification)); }

ContractionShape makeShape(int64_t m, int64_t n, int64_t k, int64_t bytes = 1,
                           bool isFloat = false) {
  ContractionShape shape;
  shape.m = m, shape.n = n, shape.k = k;
  shape.lhsBytes = shape.rhsBytes = bytes;
  shape.isFloat = isFloat;
  return shape;
}

TEST(Roofline, PeakRates) {
  TargetDesc target = getTarget("npu-v1");
  EXPECT_EQ(getPeakMacRate(target, makeShape(1, 1, 1, 1)), 1024);
  EXPECT_EQ(getPeakMacRate(target, makeShape(1, 1, 1, 2)), 512);
  EXPECT_EQ(getPeakMacRate(target, makeShape(1, 1, 1, 2, true)), 1024);
  EXPECT_EQ(getPeakMacRate(target, makeShape(1, 1, 1, 4, true)), 256);
  EXPECT_EQ(getPeakMacRate(getTarget("npu-tiny"), makeShape(1, 1, 1, 4, true)), 0);
}

TEST(Roofline, ArrayCycles) {
  TargetDesc target = getTarget("npu-v1");
  // Whole tiles: every cell works all the time.
  EXPECT_EQ(getArrayCycles(target, makeShape(64, 64, 64)), 64 * 64 * 64 / 1024);
  EXPECT_EQ(getArrayCycles(target, makeShape(64, 64, 64, 2, true)), 256);
  EXPECT_EQ(getArrayCycles(target, makeShape(64, 64, 64, 2)), 512);
  EXPECT_EQ(getArrayCycles(target, makeShape(64, 64, 64, 4, true)), 1024);
  // 33 of each: two by two tiles, through each of which 33 rows stream.
  EXPECT_EQ(getArrayCycles(target, makeShape(33, 33, 33)), 2 * 2 * 33);
  // A matrix-vector product is bound by the ingest of weights: 32 cycles per tile of them.
  EXPECT_EQ(getArrayCycles(target, makeShape(1, 1024, 1024)), 32 * 32 * 32);
  // One batch after the other.
  ContractionShape batch = makeShape(64, 64, 64);
  batch.batches = 5;
  EXPECT_EQ(getArrayCycles(target, batch), 5 * 256);
  // Depthwise: a channel per column, the nine taps on the rows.
  ContractionShape depthwise = makeShape(100, 1, 9);
  depthwise.batches = 70;
  depthwise.isDepthwise = true;
  EXPECT_EQ(getArrayCycles(target, depthwise), 3 * 100);
  // No array for the type, no limit.
  EXPECT_EQ(getArrayCycles(getTarget("npu-tiny"), makeShape(64, 64, 64, 4, true)), 0);
}

/// The bounds of the only function of `text`.
Roofline getAlone(Harness &harness, StringRef text, StringRef target) {
  mlir::OwningOpRef<mlir::ModuleOp> module = harness.parse(text);
  if (!module)
    return {};
  return computeRoofline(*module->getOps<mlir::func::FuncOp>().begin(), getTarget(target));
}

/// Its limit as a program.
Limit getLimit(Harness &harness, StringRef text, StringRef target) {
  return computeLimit(makeLimitNode(getAlone(harness, text, target)), getTarget(target));
}

/// A dispatch of `cycles` of the array that reads `bytes` of tensor `number` (0: none), behind
/// others.
LimitNode makeNode(int64_t cycles, uintptr_t number, int64_t bytes,
                   std::initializer_list<unsigned> after) {
  LimitNode node;
  node.alone.arrayCycles = cycles;
  if (number)
    node.loads.push_back({reinterpret_cast<const void *>(number), bytes, /*feedsArray=*/true});
  node.after.assign(after);
  return node;
}

TEST(Limit, WorkAddsUpAndBytesCountOnce) {
  TargetDesc target = getTarget("npu-v1");
  LimitNode first = makeNode(1000, 1, 64000, {}), second = makeNode(500, 1, 32000, {0});
  second.storedBytes = 320;
  Limit limit = computeLimit({first, second}, target);
  EXPECT_EQ(limit.computeCycles, 1500);
  EXPECT_EQ(limit.dramBytes, 64000 + 320);
  EXPECT_EQ(limit.dramCycles, 2010);
  EXPECT_TRUE(limit.isMemoryBound());
  // The vector unit works beside the array.
  second.alone.vectorCycles = 4000;
  EXPECT_EQ(computeLimit({first, second}, target).getCycles(), 4000);
  EXPECT_EQ(computeLimit({first, second}, getTarget("npu-v1-x4")).getCycles(), 2010);
}

TEST(Limit, OperandsBehindACutComeAfterIt) {
  TargetDesc target = getTarget("npu-v1");
  int64_t onChip = target.sramBytes + target.accBytes;
  // 3.2 MB behind a million cycles: what the memories hold of it can be there before.
  LimitNode work = makeNode(1'000'000, 0, 0, {}), heavy = makeNode(10, 2, 3'200'000, {0});
  Limit limit = computeLimit({work, heavy}, target);
  EXPECT_EQ(limit.cutCycles, 1'000'000 + (3'200'000 - onChip + 31) / 32);
  EXPECT_EQ(limit.getCycles(), limit.cutCycles);
  // It can come at the same time if it does not depend on that work.
  heavy.after.clear();
  EXPECT_EQ(computeLimit({work, heavy}, target).getCycles(), 1'000'010);
  // Two branches meet: either may be the last, so that both are before what is behind.
  LimitNode other = makeNode(2'000'000, 0, 0, {}), joined = makeNode(10, 2, 3'200'000, {0, 1});
  EXPECT_EQ(computeLimit({work, other, joined}, target).cutCycles,
            3'000'000 + (3'200'000 - onChip + 31) / 32);
  // Of a tensor that is also read before, the rest still has to come again, or to be kept.
  work.loads.push_back({reinterpret_cast<const void *>(2), 100, true});
  heavy.after.push_back(0);
  EXPECT_EQ(computeLimit({work, heavy}, target).cutCycles, 1'000'010);
}

TEST(Limit, KernelsOfAProgram) {
  TargetDesc target = getTarget("npu-v1:clusters=2");
  std::vector<LimitNode> nodes = {makeNode(1001, 1, 100, {}), makeNode(500, 2, 100, {0}),
                                  makeNode(10, 3, 6'400'000, {1})};
  // The only kernel of a program has its limit.
  EXPECT_EQ(computeKernelLimits(nodes, 3u, target).front().getCycles(),
            computeLimit(nodes, target).getCycles());
  std::vector<Limit> limits = computeKernelLimits(nodes, {2, 1}, target);
  EXPECT_EQ(limits[0].getCycles(), 1501 / 2);
  // What both clusters' memories hold may be there; the rest is brought to two clusters.
  EXPECT_EQ(limits[1].getCycles(),
            (6'400'000 - 2 * (target.sramBytes + target.accBytes)) / (32 * 2));
}

std::string makeMatmul(int64_t m, int64_t n, int64_t k, StringRef input, StringRef output) {
  return llvm::formatv(R"(
func.func @f(%a: tensor<{0}x{2}x{3}>, %b: tensor<{2}x{1}x{3}>, %c: tensor<{0}x{1}x{4}>) -> tensor<{0}x{1}x{4}> {{
  %zero = arith.constant {5} : {4}
  %empty = tensor.empty() : tensor<{0}x{1}x{4}>
  %init = linalg.fill ins(%zero : {4}) outs(%empty : tensor<{0}x{1}x{4}>) -> tensor<{0}x{1}x{4}>
  %r = linalg.matmul ins(%a, %b : tensor<{0}x{2}x{3}>, tensor<{2}x{1}x{3}>) outs(%init : tensor<{0}x{1}x{4}>) -> tensor<{0}x{1}x{4}>
  return %r : tensor<{0}x{1}x{4}>
})",
                       m, n, k, input, output, output.starts_with("f") ? "0.0" : "0");
}

TEST(Roofline, Matmul) {
  Harness harness;
  // 16 MiB of i32 results leave at 32 B/cycle; %c is not read.
  Limit limit = getLimit(harness, makeMatmul(2048, 2048, 128, "i8", "i32"), "npu-v1");
  Roofline alone = getAlone(harness, makeMatmul(2048, 2048, 128, "i8", "i32"), "npu-v1");
  EXPECT_EQ(alone.macs, 2048ll * 2048 * 128);
  EXPECT_EQ(alone.peakMacRate, 1024);
  EXPECT_EQ(limit.computeCycles, 2048 * 2048 * 128 / 1024);
  EXPECT_EQ(limit.dramBytes, 2 * 2048 * 128 + 4 * 2048 * 2048);
  EXPECT_EQ(limit.dramCycles, limit.dramBytes / 32);
  EXPECT_EQ(limit.getCycles(), limit.dramCycles);
  EXPECT_TRUE(limit.isMemoryBound());

  // Clusters share the work and the bandwidth.
  Limit shared = getLimit(harness, makeMatmul(512, 512, 512, "i8", "i32"), "npu-v1-x4");
  EXPECT_EQ(shared.computeCycles, 512 * 512 * 512 / 1024 / 4);
  EXPECT_EQ(shared.dramCycles, (2 * 512 * 512 + 4 * 512 * 512) / 32);

  // What does not fit on the chip has to come again: 2 * MACs * sqrt(2 * 2 * 4 / S) - 2 * S loads,
  // without those of 4-byte sums, which start at zero, and the results.
  Limit large = getLimit(harness, makeMatmul(4096, 4096, 4096, "f16", "f32"), "npu-v1");
  double onChip = 1048576 + 262144;
  EXPECT_EQ(large.dramBytes, int64_t(2 * std::pow(4096.0, 3) * std::sqrt(16 / onChip) - 2 * onChip -
                                     4 * 4096.0 * 4096) +
                                 4ll * 4096 * 4096);
  EXPECT_GT(large.dramBytes, 2 * 2 * 4096ll * 4096 + 4 * 4096ll * 4096);
}

TEST(Roofline, WhatNoResultDependsOnIsFree) {
  Harness harness;
  // The result depends on %c only.
  Limit limit = getLimit(harness, R"(
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b, %c : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %old: f32):
    %unused = arith.addf %x, %y : f32
    %n = arith.negf %z : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
})",
                         "npu-v1");
  EXPECT_EQ(limit.computeCycles, 0);
  EXPECT_EQ(limit.dramBytes, 2 * 4 * 64 * 64);
}

/// One dimension of a window over a slice of an input, of whose results a slice is returned.
struct Sliding {
  int64_t input, offset, step, sliced; ///< `sliced` elements of the input, `step` apart
  int64_t low, high;                   ///< padding of the slice
  int64_t kernel, stride, dilation, windows;
  int64_t first, every, results; ///< the windows that count

  /// Coordinates of the input that the results depend on.
  std::set<int64_t> getTouched() const {
    std::set<int64_t> touched;
    for (int64_t r = 0; r < results; ++r)
      for (int64_t k = 0; k < kernel; ++k) {
        int64_t inSlice = (first + r * every) * stride + k * dilation - low;
        if (inSlice >= 0 && inSlice < sliced)
          touched.insert(offset + inSlice * step);
      }
    return touched;
  }
};

Sliding makeSliding(std::mt19937_64 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  Sliding s;
  s.offset = pick(0, 3), s.step = pick(1, 2), s.sliced = pick(1, 12);
  s.input = s.offset + (s.sliced - 1) * s.step + 1 + pick(0, 3);
  s.low = pick(0, 2), s.high = pick(0, 2);
  s.stride = pick(1, 4), s.dilation = pick(1, 3);
  int64_t padded = s.low + s.sliced + s.high;
  s.kernel = pick(1, std::min<int64_t>(3, (padded - 1) / s.dilation + 1));
  s.windows = pick(1, (padded - (s.kernel - 1) * s.dilation - 1) / s.stride + 1);
  s.first = pick(0, s.windows - 1), s.every = pick(1, 2);
  s.results = pick(1, (s.windows - 1 - s.first) / s.every + 1);
  return s;
}

TEST(Roofline, OnlyWhatWindowsAndSlicesTouchIsRead) {
  Harness harness;
  std::mt19937_64 random(3);
  unsigned partly = 0;
  for (int round = 0; round < 300; ++round) {
    Sliding y = makeSliding(random), x = makeSliding(random);
    // A convolution reads each tap of its filter; a sum reads its windows only.
    bool isConvolution = random() % 2;
    std::string text = llvm::formatv(
        R"(
#in = affine_map<(y, x, j, i) -> (y * {0} + j * {1}, x * {2} + i * {3})>
#taps = affine_map<(y, x, j, i) -> (j, i)>
#out = affine_map<(y, x, j, i) -> (y, x)>
#id = affine_map<(y, x) -> (y, x)>
func.func @f(%x: tensor<{4}x{5}xf32>, %w: tensor<{6}x{7}xf32>) -> tensor<{8}x{9}xf32> {{
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %x[{10}, {11}] [{12}, {13}] [{14}, {15}] : tensor<{4}x{5}xf32> to tensor<{12}x{13}xf32>
  %e = tensor.empty() : tensor<{12}x{13}xf32>
  %n = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%slice : tensor<{12}x{13}xf32>) outs(%e : tensor<{12}x{13}xf32>) {{
  ^bb0(%v: f32, %old: f32):
    %r = arith.negf %v : f32
    linalg.yield %r : f32
  } -> tensor<{12}x{13}xf32>
  %p = tensor.pad %n low[{16}, {17}] high[{18}, {19}] {{
  ^bb0(%j: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<{12}x{13}xf32> to tensor<{20}x{21}xf32>
)",
        y.stride, y.dilation, x.stride, x.dilation, y.input, x.input, y.kernel, x.kernel, y.results,
        x.results, y.offset, x.offset, y.sliced, x.sliced, y.step, x.step, y.low, x.low, y.high,
        x.high, y.low + y.sliced + y.high, x.low + x.sliced + x.high);
    text += llvm::formatv(
        R"(  %empty = tensor.empty() : tensor<{0}x{1}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %sum = linalg.generic {{indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<{2}x{3}xf32>, tensor<{4}x{5}xf32>) outs(%init : tensor<{0}x{1}xf32>) {{
  ^bb0(%v: f32, %t: f32, %s: f32):
    %m = arith.mulf %v, {6} : f32
    %r = arith.addf %m, %s : f32
    linalg.yield %r : f32
  } -> tensor<{0}x{1}xf32>
  %r = tensor.extract_slice %sum[{7}, {8}] [{9}, {10}] [{11}, {12}] : tensor<{0}x{1}xf32> to tensor<{9}x{10}xf32>
  return %r : tensor<{9}x{10}xf32>
})",
        y.windows, x.windows, y.low + y.sliced + y.high, x.low + x.sliced + x.high, y.kernel,
        x.kernel, isConvolution ? "%t" : "%v", y.first, x.first, y.results, x.results, y.every,
        x.every);
    Limit limit = getLimit(harness, text, "npu-v1");
    int64_t touched = int64_t(y.getTouched().size() * x.getTouched().size());
    int64_t taps = isConvolution ? y.kernel * x.kernel : 0;
    ASSERT_EQ(limit.dramBytes, 4 * (touched + taps + y.results * x.results)) << text;
    partly += touched < y.input * x.input;
  }
  EXPECT_GT(partly, 200u);
}

TEST(Roofline, OneElementOfAnIndexThatMovesTwoCoordinates) {
  Harness harness;
  // 4 x 4 elements of which the diagonal is read.
  Limit limit = getLimit(harness, R"(
#twice = affine_map<(i) -> (i, i)>
#once = affine_map<(i) -> (i)>
func.func @f(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#twice, #once], iterator_types = ["parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%v: f32, %old: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})",
                         "npu-v1");
  EXPECT_LE(limit.dramBytes, 4 * (4 + 4));
  EXPECT_GE(limit.dramBytes, 4 * (4 + 1));
}

// A strip of A stays on the chip with all of its 42 terms, and sums leave when they are complete:
// fewer loads than the capacity bound that counts those of accumulators.
TEST(Roofline, SumsStartAtZero) {
  Harness harness;
  constexpr StringRef target =
      "npu-v1:macRows=8,macCols=10,macsPerCycleI8=32,macsPerCycleF16=32,"
      "macsPerCycleI16I8=16,macsPerCycleF32=8,sramBytes=2624,accBytes=3200";
  Tensors inputs = {HostTensor(ElementType::I8, {135, 42}), HostTensor(ElementType::I8, {42, 140}),
                    HostTensor(ElementType::I32, {135, 140})};
  KernelRun run =
      llvm::cantFail(harness.run(makeMatmul(135, 140, 42, "i8", "i32"), target, inputs, inputs[2]));
  EXPECT_EQ(run.limit.dramBytes, 135 * 42 + 42 * 140 + 4 * 135 * 140);
  EXPECT_EQ(findBrokenBound(run.statistics, run.limit), "");
  double onChip = 2624 + 3200;
  EXPECT_LT(run.statistics.dramBytesRead,
            2.0 * 135 * 140 * 42 * std::sqrt(4 / onChip) - 2 * onChip);
}

using Row = llvm::StringMap<std::string>;

/// The rows of a CSV file by the names in its first line.
std::vector<Row> readTable(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << "the tables of layers are not where they should be: " << path.str();
  std::vector<Row> rows;
  if (!buffer)
    return rows;
  llvm::SmallVector<StringRef> lines, names;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  lines.front().trim().split(names, ',');
  for (StringRef line : llvm::drop_begin(lines)) {
    llvm::SmallVector<StringRef> cells;
    line.trim().split(cells, ',');
    Row row;
    for (auto [name, cell] : llvm::zip(names, cells))
      row[name] = cell.str();
    rows.push_back(std::move(row));
  }
  return rows;
}

int64_t getNumber(const Row &row, StringRef name) {
  int64_t value = 0;
  EXPECT_FALSE(StringRef(row.lookup(name)).getAsInteger(10, value)) << name.str();
  return value;
}

/// A layer as its i8 dispatch with a bias and a requantized result; empty for shapes it does not
/// know.
std::string makeLayer(const Row &row) {
  auto get = [&](StringRef name) { return getNumber(row, name); };
  std::string text, product, sumShape, input = "%x";
  StringRef maps, iterators;
  if (row.lookup("op") == "gemm") {
    int64_t m = get("gM"), n = get("gN"), k = get("gK");
    text = llvm::formatv("func.func @f(%x: tensor<{0}x{2}xi8>, %w: tensor<{2}x{1}xi8>, "
                         "%bias: tensor<{1}xi32>) -> tensor<{0}x{1}xi8> {{\n",
                         m, n, k);
    sumShape = llvm::formatv("{0}x{1}x", m, n);
    product = llvm::formatv("linalg.matmul ins(%x, %w : tensor<{0}x{2}xi8>, tensor<{2}x{1}xi8>)", m,
                            n, k);
    maps = "affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>";
    iterators = "\"parallel\", \"parallel\"";
  } else if ((row.lookup("op") == "conv" && get("G") == 1) || row.lookup("op") == "dwconv") {
    bool isDepthwise = row.lookup("op") == "dwconv";
    std::string inShape = llvm::formatv("{0}x{1}x{2}x{3}x", get("N"), get("H"), get("W"), get("C"));
    std::string filterShape = llvm::formatv("{0}x{1}x{2}x", get("KH"), get("KW"), get("C"));
    if (!isDepthwise)
      filterShape += row.lookup("OC") + "x";
    sumShape = llvm::formatv("{0}x{1}x{2}x{3}x", get("N"), get("OH"), get("OW"), get("OC"));
    std::string padded =
        llvm::formatv("{0}x{1}x{2}x{3}x", get("N"), get("PT") + get("H") + get("PB"),
                      get("PL") + get("W") + get("PR"), get("C"));
    text = llvm::formatv("func.func @f(%x: tensor<{0}i8>, %w: tensor<{1}i8>, "
                         "%bias: tensor<{2}xi32>) -> tensor<{3}i8> {{\n",
                         inShape, filterShape, get("OC"), sumShape);
    if (padded != inShape) {
      text += llvm::formatv(R"(  %p = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, {0}, {1}, 0] high[0, {2}, {3}, 0] {{
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %p : i8
  } : tensor<{4}i8> to tensor<{5}i8>
)",
                            get("PT"), get("PL"), get("PB"), get("PR"), inShape, padded);
      input = "%padded";
    }
    product = llvm::formatv(
        "linalg.{0} {{strides = dense<[{1}, {2}]> : tensor<2xi64>, dilations = dense<[{3}, {4}]> : "
        "tensor<2xi64>} ins({5}, %w : tensor<{6}i8>, tensor<{7}i8>)",
        isDepthwise ? "depthwise_conv_2d_nhwc_hwc" : "conv_2d_nhwc_hwcf", get("SH"), get("SW"),
        get("DH"), get("DW"), input, padded, filterShape);
    maps = "affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (f)>, "
           "affine_map<(n, h, w, f) -> (n, h, w, f)>";
    iterators = "\"parallel\", \"parallel\", \"parallel\", \"parallel\"";
  } else {
    return "";
  }
  int64_t channels = row.lookup("op") == "gemm" ? get("gN") : get("OC");
  return text + llvm::formatv(R"(  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<{0}i32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<{0}i32>) -> tensor<{0}i32>
  %sum = {1} outs(%init : tensor<{0}i32>) -> tensor<{0}i32>
  %e = tensor.empty() : tensor<{0}i8>
  %r = linalg.generic {{indexing_maps = [{2}], iterator_types = [{3}]}
      ins(%sum, %bias : tensor<{0}i32>, tensor<{4}xi32>) outs(%e : tensor<{0}i8>) {{
  ^bb0(%s: i32, %b: i32, %o: i8):
    %1 = arith.addi %s, %b : i32
    %2 = arith.trunci %1 : i32 to i8
    linalg.yield %2 : i8
  } -> tensor<{0}i8>
  return %r : tensor<{0}i8>
}
)",
                              sumShape, product, maps, iterators, channels)
                    .str();
}

/// The rows that the published script gives for configuration A, which is npu-v1.
std::vector<Row> runBoundsScript(StringRef layers) {
  llvm::SmallString<128> output;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("bounds", "csv", output));
  auto python = llvm::sys::findProgramByName("python3");
  EXPECT_TRUE(bool(python));
  if (!python)
    return {};
  std::string script = getSharedPath("tools/bounds.py");
  std::string error;
  EXPECT_EQ(llvm::sys::ExecuteAndWait(*python, {*python, script, "A", layers}, std::nullopt,
                                      {StringRef(""), output.str(), StringRef("")}, 60, 0, &error),
            0)
      << script << ": " << error;
  std::vector<Row> rows = readTable(output);
  llvm::sys::fs::remove(output);
  return rows;
}

class PublishedBounds : public ::testing::TestWithParam<std::string> {};

TEST_P(PublishedBounds, Agree) {
  NPU_NEEDS_SHARED();
  Harness harness;
  TargetDesc target = getTarget("npu-v1");
  std::string path = getSharedPath("layers/" + GetParam() + ".csv");
  std::vector<Row> layers = readTable(path), bounds = runBoundsScript(path);
  ASSERT_EQ(layers.size(), bounds.size());
  unsigned functions = 0;
  for (auto [layer, bound] : llvm::zip(layers, bounds)) {
    if (layer.lookup("macs") == "0")
      continue;
    SCOPED_TRACE(layer.lookup("name"));
    ContractionShape shape =
        makeShape(getNumber(layer, "gM"), getNumber(layer, "gN"), getNumber(layer, "gK"));
    shape.batches = getNumber(layer, "batch");
    shape.isDepthwise = layer.lookup("op") == "dwconv";
    int64_t cycles = getNumber(bound, "C_quant");
    EXPECT_EQ(shape.getMacs(), getNumber(layer, "macs"));
    EXPECT_EQ(getArrayCycles(target, shape), cycles);

    // The other types only scale the array's rate.
    ContractionShape f16 = shape, f32 = shape, i16 = shape;
    f16.lhsBytes = f16.rhsBytes = 2, f16.isFloat = true;
    f32.lhsBytes = f32.rhsBytes = 4, f32.isFloat = true;
    i16.lhsBytes = 2;
    EXPECT_EQ(getArrayCycles(target, f16), cycles);
    EXPECT_EQ(getArrayCycles(target, i16), 2 * cycles);
    EXPECT_EQ(getArrayCycles(target, f32), 4 * cycles);

    std::string text = makeLayer(layer);
    if (text.empty())
      continue;
    ++functions;
    Limit limit = getLimit(harness, text, "npu-v1");
    EXPECT_EQ(limit.computeCycles, cycles);
    // The script adds the results to a capacity bound whose loads include the accumulators;
    // programs with few terms per sum beat that (see SumsStartAtZero), so ours is lower where it
    // decides.
    if (getNumber(bound, "Q_comp") >= getNumber(bound, "Q_cap")) {
      EXPECT_EQ(limit.dramBytes, getNumber(bound, "Q_LB")) << text;
      EXPECT_EQ(limit.getCycles(), getNumber(bound, "roof"));
    } else {
      EXPECT_GE(limit.dramBytes, getNumber(bound, "Q_comp")) << text;
      EXPECT_LE(limit.dramBytes, getNumber(bound, "Q_LB")) << text;
    }
  }
  EXPECT_GT(functions, 0u);
}

INSTANTIATE_TEST_SUITE_P(Networks, PublishedBounds,
                         ::testing::Values("resnet50_v15_unique", "mobilenetv2_1.0_224_unique",
                                           "bert_base_s128_unique",
                                           "gpt2_block_decode_kv1024_unique", "onnx_vgg19_unique"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
