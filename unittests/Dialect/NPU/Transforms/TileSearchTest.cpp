//===- TileSearchTest.cpp - the search on random shapes and chips ---------===//

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "NestSearch.h"

#include "NPU/Target/ISA/Instructions.h"
#include "NPU/Target/ISA/Timing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace llvm;
using namespace npu;
using namespace npu::tile;

namespace {

TargetDesc getTarget(StringRef specification) {
  Expected<TargetDesc> target = parseTarget(specification);
  if (!target)
    ADD_FAILURE() << toString(target.takeError());
  return *target;
}

Axis makeAxis(std::initializer_list<Term> terms, int64_t extent, int64_t stride,
              int64_t offset = 0) {
  Axis axis;
  axis.terms = terms;
  axis.extent = extent;
  axis.strideBytes = stride;
  axis.offset = offset;
  return axis;
}

Dim makeDim(StringRef name, int64_t extent, MxuRole role, int64_t granule) {
  Dim dim;
  dim.name = name.str();
  dim.extent = extent;
  dim.role = role;
  dim.isReduction = role == MxuRole::K;
  dim.granule = granule;
  return dim;
}

Buffer makeBuffer(BufferRole role, int64_t elementBytes, SmallVector<Axis> axes,
                  SmallVector<unsigned> order, int64_t panelColumns = 0) {
  Buffer buffer;
  buffer.role = role;
  buffer.elementBytes = elementBytes;
  buffer.axes = std::move(axes);
  buffer.order = std::move(order);
  buffer.panelColumns = panelColumns;
  buffer.hasPanelAxis = panelColumns > 0;
  return buffer;
}

ArrayWork makeArrayWork(isa::MacType type) {
  return {isa::toString(type).str(),
          [type](const TargetDesc &target, int64_t m, int64_t n, int64_t k) {
            return isa::getMatmulCycles(target, type, m, n, k);
          },
          [type](const TargetDesc &target) { return isa::getMacRate(target, type); }};
}

/// C = A * B with the accumulator stored, or with one element-wise op to i8.
Problem makeMatmul(const TargetDesc &target, int64_t m, int64_t n, int64_t k, isa::MacType type,
                   bool hasTail = false) {
  Problem problem;
  int64_t bytes = type == isa::MacType::I8 ? 1 : 2;
  problem.array = makeArrayWork(type);
  problem.dims = {makeDim("m", m, MxuRole::M, target.macRows),
                  makeDim("n", n, MxuRole::N, target.macCols),
                  makeDim("k", k, MxuRole::K, target.macRows)};
  SmallVector<Axis> result = {makeAxis({{0, 1}}, m, n * 4), makeAxis({{1, 1}}, n, 4)};
  problem.buffers = {makeBuffer(BufferRole::Input, bytes,
                                {makeAxis({{0, 1}}, m, k * bytes), makeAxis({{2, 1}}, k, bytes)},
                                {0, 1}),
                     makeBuffer(BufferRole::Input, bytes,
                                {makeAxis({{2, 1}}, k, n * bytes), makeAxis({{1, 1}}, n, bytes)},
                                {1, 0}, target.macCols),
                     makeBuffer(BufferRole::Accumulator, 4, result, {0, 1})};
  if (hasTail) {
    problem.buffers.push_back(makeBuffer(BufferRole::Value, 1, result, {0, 1}));
    problem.vectorOps.push_back({{0, 1}, 2});
  }
  problem.accumulatorIsStored = !hasTail;
  int64_t outputBytes = hasTail ? 1 : 4;
  problem.stores.push_back(
      {hasTail ? 3u : 2u,
       {makeAxis({{0, 1}}, m, n * outputBytes), makeAxis({{1, 1}}, n, outputBytes)}});
  return problem;
}

/// "Same" convolution of stride 1.
Problem makeConv(const TargetDesc &target, int64_t h, int64_t w, int64_t f, int64_t c,
                 int64_t taps) {
  Problem problem;
  problem.array = makeArrayWork(isa::MacType::I8);
  problem.dims = {makeDim("h", h, MxuRole::M, 1),
                  makeDim("w", w, MxuRole::M, 1),
                  makeDim("f", f, MxuRole::N, target.macCols),
                  makeDim("c", c, MxuRole::K, target.macRows),
                  makeDim("y", taps, MxuRole::K, 1),
                  makeDim("x", taps, MxuRole::K, 1)};
  problem.dims[4].isReluctant = problem.dims[5].isReluctant = true;
  int64_t pad = taps / 2;
  SmallVector<Axis> result = {makeAxis({{0, 1}}, h, w * f * 4), makeAxis({{1, 1}}, w, f * 4),
                              makeAxis({{2, 1}}, f, 4)};
  problem.buffers = {
      makeBuffer(BufferRole::Input, 1,
                 {makeAxis({{0, 1}, {4, 1}}, h, w * c, -pad),
                  makeAxis({{1, 1}, {5, 1}}, w, c, -pad), makeAxis({{3, 1}}, c, 1)},
                 {0, 1, 2}),
      makeBuffer(BufferRole::Input, 1,
                 {makeAxis({{4, 1}}, taps, taps * c * f), makeAxis({{5, 1}}, taps, c * f),
                  makeAxis({{3, 1}}, c, f), makeAxis({{2, 1}}, f, 1)},
                 {3, 0, 1, 2}, target.macCols),
      makeBuffer(BufferRole::Accumulator, 4, result, {0, 1, 2}),
      makeBuffer(BufferRole::Value, 1, result, {0, 1, 2})};
  problem.vectorOps.push_back({{0, 1, 2}, 2});
  problem.stores.push_back(
      {3, {makeAxis({{0, 1}}, h, w * f), makeAxis({{1, 1}}, w, f), makeAxis({{2, 1}}, f, 1)}});
  return problem;
}

double search(const Problem &problem, const TargetDesc &target, int64_t *numSchedules = nullptr) {
  std::optional<Schedule> schedule = searchTiles(problem, target, numSchedules);
  if (!schedule) {
    ADD_FAILURE() << "nothing fits";
    return 0;
  }
  Footprint footprint = getFootprint(problem, *schedule);
  EXPECT_LE(footprint.sramBytes, target.sramBytes);
  EXPECT_LE(footprint.accBytes, target.accBytes);
  EXPECT_GE(schedule->predictedCycles, getLeastCycles(problem, target));
  EXPECT_DOUBLE_EQ(schedule->predictedCycles, predictCycles(problem, *schedule, target));
  return schedule->predictedCycles;
}

TEST(TileSearchTest, RandomShapesOnRandomChipsFit) {
  std::mt19937 random(3);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 1000; ++i) {
    TargetDesc target = getTarget("npu-v1");
    target.macRows = pick(4, 64);
    target.macCols = pick(4, 64);
    target.macsPerCycleI8 = target.macRows * target.macCols;
    target.macsPerCycleF16 = std::max<int64_t>(1, target.macsPerCycleI8 / pick(1, 4));
    target.sramBytes = 16384 << pick(0, 7);
    target.accBytes = 2048 << pick(0, 8);
    target.dramBytesPerCycle = 4 << pick(0, 5);
    target.vpuLanes = 4 << pick(0, 5);
    target.dmaOutstanding = pick(1, 4);
    target.macPipelined = pick(0, 1);
    target.clusters = pick(1, 8);
    auto size = [&] { return pick(0, 3) == 0 ? pick(1, 4096) : pick(1, 300); };
    Problem problem =
        pick(0, 1) ? makeMatmul(target, size(), size(), size(),
                                pick(0, 1) ? isa::MacType::I8 : isa::MacType::F16, pick(0, 1))
                   : makeConv(target, pick(1, 230), pick(1, 230), size(), size(), pick(1, 7));
    search(problem, target);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "in problem " << i << ": " << problem.getKey();
      return;
    }
  }
}

TEST(TileSearchTest, LargeMatmulIsNearThePeak) {
  TargetDesc target = getTarget("npu-v1");
  double cycles = search(makeMatmul(target, 1024, 1024, 1024, isa::MacType::F16), target);
  EXPECT_LT(cycles, (1 << 20) / 0.85);
}

TEST(TileSearchTest, SerialOpsGiveEveryLaneARow) {
  TargetDesc target = getTarget("npu-v1:sramBytes=262144");
  // 512 rows of 100 f32 elements, with passes enough that the lanes take longer than the DRAM.
  Problem problem;
  problem.dims = {makeDim("r", 512, MxuRole::None, 1), makeDim("l", 100, MxuRole::None, 1)};
  problem.dims[1].isReduction = true;
  problem.dims[1].fixedTile = 100;
  SmallVector<Axis> axes = {makeAxis({{0, 1}}, 512, 400), makeAxis({{1, 1}}, 100, 4)};
  problem.buffers = {makeBuffer(BufferRole::Operand, 4, axes, {0, 1}),
                     makeBuffer(BufferRole::Value, 4, axes, {0, 1})};
  problem.vectorOps = {{{0, 1}, 32}};
  problem.vectorOps[0].serialDims = {1};
  problem.stores = {{1, axes}};
  std::optional<Schedule> schedule = searchTiles(problem, target);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->tiles[0] % target.vpuLanes, 0) << schedule->tiles[0];
  // Half of the lanes take as long for half of the rows.
  auto predict = [&](int64_t rows) {
    Schedule changed = *schedule;
    changed.tiles[0] = rows;
    return predictCycles(problem, changed, target);
  };
  Problem parallel = problem;
  parallel.vectorOps[0].serialDims.clear();
  EXPECT_NE(problem.getKey(), parallel.getKey());
  EXPECT_GT(predict(target.vpuLanes / 2), 1.5 * predict(target.vpuLanes));
}

TEST(TileSearchTest, KeysTellProblemsApart) {
  TargetDesc target = getTarget("npu-v1");
  Problem problem = makeMatmul(target, 512, 512, 512, isa::MacType::F16, /*hasTail=*/true);
  std::optional<Schedule> schedule = searchTiles(problem, target);
  ASSERT_TRUE(schedule);
  // A slice whose rows begin within a beat of DRAM takes longer.
  Problem moved = problem;
  moved.buffers[0].axes[1].start = 1;
  EXPECT_GT(predictCycles(moved, *schedule, target), predictCycles(problem, *schedule, target));
  const std::pair<StringRef, void (*)(Problem &)> changes[] = {
      {"start", [](Problem &p) { p.buffers[0].axes[1].start = 1; }},
      {"step", [](Problem &p) { p.buffers[0].axes[1].step = 2; }},
      {"offset", [](Problem &p) { p.buffers[0].axes[1].offset = 1; }},
      {"span", [](Problem &p) { p.buffers[0].axes[1].span = 2; }},
      {"extent of an axis", [](Problem &p) { p.buffers[0].axes[1].extent = 2; }},
      {"stride", [](Problem &p) { p.buffers[0].axes[1].strideBytes = 4; }},
      {"coefficient", [](Problem &p) { p.buffers[0].axes[1].terms[0].coefficient = 2; }},
      {"axis of a store", [](Problem &p) { p.stores[0].axes[0].start = 1; }},
      {"left out", [](Problem &p) { p.stores[0].isLeftOut = true; }},
      {"extent", [](Problem &p) { p.dims[0].extent = 500; }},
      {"role", [](Problem &p) { p.dims[0].role = MxuRole::None; }},
      {"reduction", [](Problem &p) { p.dims[0].isReduction = true; }},
      {"unit", [](Problem &p) { p.dims[0].isUnit = true; }},
      {"must be in tile", [](Problem &p) { p.dims[0].mustBeInTile = true; }},
      {"whole", [](Problem &p) { p.dims[0].isWhole = true; }},
      {"reluctant", [](Problem &p) { p.dims[0].isReluctant = true; }},
      {"granule", [](Problem &p) { p.dims[0].granule = 3; }},
      {"fixed tile", [](Problem &p) { p.dims[0].fixedTile = 64; }},
      {"order", [](Problem &p) { std::swap(p.buffers[0].order[0], p.buffers[0].order[1]); }},
      {"role of a buffer", [](Problem &p) { p.buffers[0].role = BufferRole::Start; }},
      {"bytes", [](Problem &p) { p.buffers[0].elementBytes = 1; }},
      {"panel axis", [](Problem &p) { p.buffers[1].hasPanelAxis = false; }},
      {"dim of a term", [](Problem &p) { p.buffers[0].axes[1].terms[0].dim = 1; }},
      {"stored buffer", [](Problem &p) { p.stores[0].buffer = 2; }},
      {"dims of an op", [](Problem &p) { p.vectorOps[0].dims = {0}; }},
      {"serial dims", [](Problem &p) { p.vectorOps[0].serialDims = {1}; }},
      {"op made for", [](Problem &p) { p.vectorOps[0].madeFor = 3; }},
      {"dim of a split", [](Problem &p) { p.fixedSplits.emplace().push_back({0, 2}); }},
      {"other dim of a split", [](Problem &p) { p.fixedSplits.emplace().push_back({1, 2}); }},
      {"clusters of a split", [](Problem &p) { p.fixedSplits.emplace().push_back({0, 4}); }},
      {"panels", [](Problem &p) { p.buffers[1].panelColumns = 4; }},
      {"private", [](Problem &p) { p.buffers[3].isPrivate = true; }},
      {"from chip", [](Problem &p) { p.buffers[0].isFromChip = true; }},
      {"made", [](Problem &p) { p.buffers[0].isMade = true; }},
      {"made for", [](Problem &p) { p.buffers[3].madeFor = 0; }},
      {"passes", [](Problem &p) { p.vectorOps[0].passes = 3; }},
      {"transfers", [](Problem &p) { p.vectorOps[0].transferBytes = 4; }},
      {"in reductions", [](Problem &p) { p.vectorOps[0].isInReductions = true; }},
      {"work", [](Problem &p) { p.vectorOps[0].work = VectorWork{"w", nullptr}; }},
      {"parts", [](Problem &p) { p.vectorOps[0].parts = 2; }},
      {"array", [](Problem &p) { p.array = makeArrayWork(isa::MacType::I8); }},
      {"start from an operand", [](Problem &p) { p.startsFromOperand = true; }},
      {"stored", [](Problem &p) { p.accumulatorIsStored = true; }},
      {"split", [](Problem &p) { p.fixedSplits.emplace(); }},
      {"allowed split", [](Problem &p) { p.allowedSplits = {0}; }},
      {"alone", [](Problem &p) { p.isAlone = true; }},
      {"hidden", [](Problem &p) { p.hidden = 30; }},
  };
  std::map<std::string, StringRef> keys = {{problem.getKey(), "nothing"}};
  for (const auto &[name, change] : changes) {
    Problem changed = problem;
    change(changed);
    auto [known, isNew] = keys.try_emplace(changed.getKey(), name);
    EXPECT_TRUE(isNew) << name.str() << " has the key of " << known->second.str();
  }
}

TEST(TileSearchTest, LongSumsGiveEveryLaneARow) {
  // Of 64 rows of 1024 f32 elements, all rows' parts rather than a few whole rows.
  TargetDesc target = getTarget("npu-v1");
  Problem problem;
  problem.dims = {makeDim("r", 64, MxuRole::None, 1), makeDim("l", 1024, MxuRole::None, 1)};
  problem.dims[1].isReduction = true;
  Axis row = makeAxis({{0, 1}}, 64, 4096), sum = makeAxis({{0, 1}}, 64, 4);
  Axis element = makeAxis({{1, 1}}, 1024, 4);
  problem.buffers = {makeBuffer(BufferRole::Operand, 4, {row, element}, {0, 1}),
                     makeBuffer(BufferRole::Value, 4, {sum}, {0})};
  problem.vectorOps = {{{0, 1}, 1}};
  problem.vectorOps[0].serialDims = {1};
  problem.vectorOps[0].isInReductions = true;
  problem.stores = {{1, {sum}}};
  std::optional<Schedule> schedule = searchTiles(problem, target);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->tiles[0], 64);
  EXPECT_LT(schedule->tiles[1], 1024);
}

/// A product that moves more bytes than DRAM has time for where its sums are in the accumulator.
TEST(TileSearchTest, SumsInSramMoveFewerBytes) {
  TargetDesc target = getTarget("npu-v1:dramBytesPerCycle=4");
  Problem problem = makeMatmul(target, 512, 4096, 11008, isa::MacType::I8, /*hasTail=*/true);
  std::optional<Schedule> spilled = searchTiles(problem, target);
  ASSERT_TRUE(spilled && spilled->spilled);
  search(problem, target);
  // Two tiles of 256 x 256 sums fill the accumulator: 2 * K * 256 bytes for each of 32.
  double inAccumulator = 512.0 * 4096 + 32 * 2 * 11008.0 * 256;
  EXPECT_LT(predictDramBytes(problem, *spilled, target), 0.7 * inAccumulator);
  // Each operand is moved once for every tile along the other one's dimension.
  auto tiles = [&](unsigned dim) { return spilled->getTrips(problem, dim); };
  EXPECT_EQ(predictDramBytes(problem, *spilled, target),
            512.0 * 11008 * tiles(1) + 11008.0 * 4096 * tiles(0) + 512.0 * 4096);
  // Sums, two parts of one operand, all parts of the other one, and two parts of the tail.
  auto [buffer, dim, part] = spilled->spilled->outer;
  auto [keptBuffer, keptDim, keptPart] = spilled->spilled->inner;
  int64_t rows = spilled->tiles[dim], columns = spilled->tiles[keptDim], sums = spilled->tiles[2];
  ASSERT_TRUE(!spilled->getLoop(dim) && spilled->partDim == dim);
  rows = std::max(alignTo(rows, part), alignTo(rows, spilled->partSize));
  Footprint footprint = getFootprint(problem, *spilled);
  EXPECT_EQ(footprint.accBytes, 2 * getSlotBytes(part * keptPart * 4));
  EXPECT_EQ(footprint.sramBytes, getSlotBytes(rows * columns * 4) + 2 * getSlotBytes(part * sums) +
                                     getSlotBytes(columns * sums) +
                                     2 * getSlotBytes(problem, *spilled, 3));
}

TEST(TileSearchTest, FourClustersArePaidOff) {
  TargetDesc one = getTarget("npu-v1"), four = getTarget("npu-v1-x4");
  for (bool hasTail : {false, true})
    EXPECT_LT(search(makeMatmul(four, 1024, 1024, 1024, isa::MacType::I8, hasTail), four),
              0.6 * search(makeMatmul(one, 1024, 1024, 1024, isa::MacType::I8, hasTail), one));
}

/// Rows, columns and channels of an image that is written, in tiles.
Problem makeImage(int64_t rows, int64_t columns, int64_t channels) {
  Problem problem;
  problem.dims = {makeDim("h", rows, MxuRole::None, 1), makeDim("w", columns, MxuRole::None, 1),
                  makeDim("c", channels, MxuRole::None, 1)};
  problem.buffers.push_back(makeBuffer(BufferRole::Value, 1, {}, {}));
  problem.stores.push_back(
      {0,
       {makeAxis({{0, 1}}, rows, columns * channels), makeAxis({{1, 1}}, columns, channels),
        makeAxis({{2, 1}}, channels, 1)}});
  return problem;
}

std::string print(ArrayRef<ClusterSplits> choices) {
  std::string text;
  raw_string_ostream os(text);
  for (const ClusterSplits &splits : choices) {
    os << '[';
    interleave(
        splits, os, [&](const ClusterSplit &split) { os << "hwc"[split.dim] << split.count; }, " ");
    os << ']';
  }
  return text;
}

TEST(TileSearchTest, TwoDimensionsAreSharedWhereOneIsNotSharedEvenly) {
  auto getChoices = [](const Problem &problem, ArrayRef<int64_t> tiles, StringRef target) {
    SmallVector<unsigned> loops;
    for (auto [index, dim] : enumerate(problem.dims))
      if (tiles[index] < dim.extent)
        loops.push_back(index);
    return print(getSplitChoices(problem, getTarget(target), tiles, loops));
  };
  // 14 rows are 4, 4, 4 and 2; two by two have 7 rows and columns.
  Problem image = makeImage(14, 14, 64);
  EXPECT_EQ(getChoices(image, {1, 7, 64}, "npu-v1-x4"), "[h4][w2][h2 w2]");
  EXPECT_EQ(getChoices(image, {7, 7, 64}, "npu-v1-x4"), "[h2][w2][h2 w2]");
  EXPECT_EQ(getChoices(image, {1, 14, 16}, "npu-v1-x4"), "[h4][c4]");
  EXPECT_EQ(getChoices(image, {1, 7, 64}, "npu-v1"), "");
  // Of three clusters, two dimensions would take four.
  EXPECT_EQ(getChoices(image, {1, 7, 64}, "npu-v1-x4:clusters=3"), "[h3][w2]");
  EXPECT_EQ(getChoices(image, {1, 1, 64}, "npu-v1-x4:clusters=6"), "[h5][w5][h2 w3]");
  // As many rows as clusters.
  EXPECT_EQ(getChoices(makeImage(16, 16, 64), {1, 1, 64}, "npu-v1-x4"), "[h4][w4]");
  // What is shared is given.
  image.allowedSplits = {0, 1};
  EXPECT_EQ(getChoices(image, {1, 7, 16}, "npu-v1-x4"), "[h2 w2]");
  image.allowedSplits = {2};
  EXPECT_EQ(getChoices(image, {1, 7, 16}, "npu-v1-x4"), "[c4]");
}

TEST(TileSearchTest, HugeKernelsAreSplit) {
  TargetDesc target = getTarget("npu-tiny:sramBytes=16384,accBytes=2048");
  Problem problem = makeConv(target, 32, 32, 64, 16, 61);
  std::optional<Schedule> schedule = searchTiles(problem, target);
  ASSERT_TRUE(schedule);
  EXPECT_LT(schedule->tiles[4], 61);
}

// How many schedules the cost model sees decides how long a search takes: some 1 us each.
TEST(TileSearchTest, SearchesSeeFewSchedules) {
  for (const char *name : {"npu-v1", "npu-v1-x4", "npu-tiny"}) {
    TargetDesc target = getTarget(name);
    for (const Problem &problem : {makeConv(target, 112, 112, 512, 512, 3),
                                   makeMatmul(target, 4096, 4096, 4096, isa::MacType::I8),
                                   makeMatmul(target, 1, 4096, 4096, isa::MacType::I8),
                                   makeMatmul(target, 127, 1021, 509, isa::MacType::I8, true)}) {
      int64_t numSchedules = 0;
      search(problem, target, &numSchedules);
      EXPECT_GT(numSchedules, 0) << name;
      EXPECT_LT(numSchedules, 200000) << name << ": " << problem.getKey();
    }
  }
}

TEST(TileSearchTest, StreamsHaveNoMoreLoopsThanTheyCan) {
  TargetDesc target = getTarget("npu-v1:sramBytes=16384");
  Problem problem;
  SmallVector<Axis> axes;
  SmallVector<unsigned> order;
  for (unsigned dim : {0, 1, 2, 3, 4, 5, 6, 7}) {
    problem.dims.push_back(makeDim("d" + std::to_string(dim), 4, MxuRole::None, 1));
    axes.push_back(makeAxis({{dim, 1}}, 4, int64_t(1) << (2 * (7 - dim))));
    order.push_back(dim);
  }
  problem.buffers = {makeBuffer(BufferRole::Operand, 1, axes, order),
                     makeBuffer(BufferRole::Value, 1, axes, order)};
  problem.vectorOps.push_back({order, 1});
  problem.stores.push_back({1, axes});
  EXPECT_EQ(getSmallestSchedule(problem).order.size(), isa::maxLoopDepth);
  search(problem, target);
  EXPECT_LE(searchTiles(problem, target)->order.size(), isa::maxLoopDepth);
  // Given sizes stay, even if no stream has as many loops.
  for (Dim &dim : problem.dims)
    dim.fixedTile = 1;
  EXPECT_FALSE(fits(problem, getSmallestSchedule(problem), target));
  EXPECT_FALSE(searchTiles(problem, target).has_value());
}

TEST(TileSearchTest, HandTilesAreKept) {
  TargetDesc target = getTarget("npu-v1");
  Problem problem = makeMatmul(target, 300, 300, 300, isa::MacType::I8);
  problem.dims[0].fixedTile = 7;
  problem.dims[1].fixedTile = 5;
  std::optional<Schedule> schedule = searchTiles(problem, target);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->tiles[0], 7);
  EXPECT_EQ(schedule->tiles[1], 5);
  problem.dims[0].fixedTile = 300;
  problem.dims[1].fixedTile = 300;
  EXPECT_FALSE(searchTiles(problem, target));
  EXPECT_EQ(getFootprint(problem, getSmallestSchedule(problem)).accBytes, 300 * 300 * 4);
}

/// Two products in f16, the second of which reads the first one's result through an op of the
/// vector unit, over `m` rows: m x k, k x n, n x p.
NestProblem makeTwoProducts(const TargetDesc &target, int64_t m, int64_t k, int64_t n, int64_t p) {
  NestProblem nest;
  Problem &problem = nest.problem;
  for (auto [name, extent] : {std::pair("m", m), {"k", k}, {"n", n}, {"p", p}})
    problem.dims.push_back(makeDim(name, extent, MxuRole::None, target.macRows));
  nest.mayLoop = {true, false, false, false};
  auto box = [](unsigned a, int64_t rows, unsigned b, int64_t columns, int64_t bytes) {
    return SmallVector<Axis>{makeAxis({{a, 1}}, rows, columns * bytes),
                             makeAxis({{b, 1}}, columns, bytes)};
  };
  problem.buffers = {makeBuffer(BufferRole::Operand, 2, box(0, m, 1, k, 2), {0, 1}),
                     makeBuffer(BufferRole::Operand, 2, box(1, k, 2, n, 2), {1, 0}, target.macCols),
                     makeBuffer(BufferRole::Accumulator, 4, box(0, m, 2, n, 4), {0, 1}),
                     makeBuffer(BufferRole::Value, 2, box(0, m, 2, n, 2), {0, 1}),
                     makeBuffer(BufferRole::Operand, 2, box(2, n, 3, p, 2), {1, 0}, target.macCols),
                     makeBuffer(BufferRole::Accumulator, 4, box(0, m, 3, p, 4), {0, 1})};
  nest.stageOf = {0, 0, 0, 1, 2, 2};
  problem.vectorOps.push_back({{0, 2}, 8});
  problem.stores.push_back({5, box(0, m, 3, p, 4)});
  problem.accumulatorIsStored = true;
  ArrayWork work = makeArrayWork(isa::MacType::F16);
  using Role = MxuRole;
  nest.stages.resize(3);
  nest.stages[0] = {work, {Role::M, Role::K, Role::N, Role::None}, 0, 0, 1, {{0, 1, 2}}, {}, {}};
  nest.stages[1] = {std::nullopt, {}, 0, 1, 1, {{0, 2}}, {0}, {0}};
  nest.stages[2] = {work, {Role::M, Role::None, Role::K, Role::N}, 1, 1, 1, {{0, 2, 3}}, {1}, {1}};
  return nest;
}

TEST(NestSearchTest, ProductsShareStripsOfRows) {
  TargetDesc target = getTarget("npu-v1");
  NestProblem problem = makeTwoProducts(target, 4096, 64, 256, 64);
  std::optional<Nest> nest = searchNest(problem, target);
  ASSERT_TRUE(nest);
  const Schedule &schedule = nest->schedule;
  EXPECT_TRUE(fits(problem.problem, schedule, target));
  EXPECT_EQ(schedule.order, SmallVector<unsigned>{0});
  // The weights are loaded once, and the array does not wait for the vector unit.
  EXPECT_EQ(schedule.levels[1], 0u);
  EXPECT_EQ(schedule.levels[4], 0u);
  EXPECT_TRUE(nest->firstSkewed);
  // Operands and result are all that moves.
  EXPECT_EQ(nest->dramBytes, 2 * (4096 * 64 + 64 * 256 + 256 * 64) + 4 * 4096 * 64);
}

TEST(NestSearchTest, SkewedStagesReadSecondSlots) {
  // Accumulators for one strip of 64 rows of the first product, and two of the second one.
  TargetDesc target = getTarget("npu-v1:accBytes=98304");
  auto isSkewed = [&](unsigned holder) {
    NestProblem problem = makeTwoProducts(target, 4096, 64, 256, 64);
    problem.problem.dims[0].fixedTile = 64;
    problem.stageOf[3] = holder;
    problem.stages[2].holders = {holder};
    std::optional<Nest> nest = searchNest(problem, target);
    EXPECT_TRUE(nest);
    EXPECT_TRUE(!nest || !nest->firstSkewed || nest->schedule.depths[3] == 2);
    return nest && nest->firstSkewed;
  };
  EXPECT_TRUE(isSkewed(1));
  // What takes over a buffer of the first product has as many slots as that.
  EXPECT_FALSE(isSkewed(0));
}

TEST(NestSearchTest, LargeWeightsOfLaterStagesAreLoadedWhereTheyAre) {
  TargetDesc target = getTarget("npu-v1");
  // 64 KiB and 512 KiB: the first product does not wait for the weights of the second one.
  NestProblem large = makeTwoProducts(target, 4096, 64, 512, 512);
  std::optional<Nest> nest = searchNest(large, target);
  ASSERT_TRUE(nest);
  EXPECT_TRUE(nest->loadsAtFirst);
  EXPECT_FALSE(nest->isLoadedAtFirst(large, 1));
  EXPECT_TRUE(nest->isLoadedAtFirst(large, 4));
  EXPECT_EQ(nest->schedule.depths[4], 1);
  // Small ones are loaded ahead, by whatever comes before.
  NestProblem small = makeTwoProducts(target, 4096, 64, 64, 64);
  nest = searchNest(small, target);
  ASSERT_TRUE(nest);
  EXPECT_FALSE(nest->loadsAtFirst);
}

TEST(NestSearchTest, NothingIsFoundWhereWeightsDoNotFit) {
  TargetDesc target = getTarget("npu-v1:sramBytes=65536");
  EXPECT_FALSE(searchNest(makeTwoProducts(target, 4096, 64, 256, 64), target));
  // One row of the first result is more than the accumulators.
  target = getTarget("npu-v1:accBytes=8192,sramBytes=8388608");
  EXPECT_FALSE(searchNest(makeTwoProducts(target, 16, 64, 4096, 64), target));
}

/// Tiles of `tile` rows of a matmul, whose weights stay.
Schedule makeStrips(const Problem &problem, int64_t tile, int64_t depth) {
  Schedule schedule;
  schedule.tiles = {tile, problem.dims[1].extent, problem.dims[2].extent};
  if (tile < problem.dims[0].extent)
    schedule.order = {0};
  unsigned level = schedule.order.size();
  schedule.levels = {level, 0, level, level};
  schedule.depths = {depth, 1, depth, depth};
  return schedule;
}

// 64 x 32 x 32 in f16 on a chip on which 16 bytes and 16 elements move in a cycle.
// All but the loads are issued before what they wait for is there.
TEST(PlayScheduleTest, OneTileIsTheSumOfItsSteps) {
  TargetDesc target = getTarget("npu-v1:dramBytesPerCycle=16,dmaElementsPerCycle=16");
  Problem problem = makeMatmul(target, 64, 32, 32, isa::MacType::F16, /*hasTail=*/true);
  double wait = target.issueCycles + target.dramLatencyCycles;
  double loads = (wait + 64 * 32 * 2 / 16) + (wait + 32 * 32 * 2 / 16);
  double array = isa::getMatmulCycles(target, isa::MacType::F16, 64, 32, 32);
  double tail = 2.0 * 64 * 32 / target.vpuLanes;
  double store = target.dramLatencyCycles + 64 * 32 / 16;
  EXPECT_DOUBLE_EQ(predictCycles(problem, makeStrips(problem, 64, 1), target),
                   loads + array + tail + store);
}

// Four strips: with one slot for each value nothing overlaps but the loads of what is free early.
TEST(PlayScheduleTest, SlotsAllowEnginesToOverlap) {
  TargetDesc target = getTarget("npu-v1:dramBytesPerCycle=16,dmaElementsPerCycle=16");
  Problem problem = makeMatmul(target, 1024, 32, 32, isa::MacType::F16, /*hasTail=*/true);
  double single = predictCycles(problem, makeStrips(problem, 64, 1), target);
  double both = predictCycles(problem, makeStrips(problem, 64, 2), target);
  EXPECT_LT(both, 0.8 * single);
  // The memory moves every byte once.
  EXPECT_GE(both, (1024 * 32 * 2 + 32 * 32 * 2 + 1024 * 32) / 16);
}

// Latencies pass while others move, and the array fills while it drains.
TEST(PlayScheduleTest, EnginesOverlapWithThemselves) {
  auto predict = [](StringRef parameters) {
    TargetDesc target = getTarget(("npu-v1" + parameters).str());
    Problem problem = makeMatmul(target, 1024, 32, 32, isa::MacType::F16, /*hasTail=*/true);
    return predictCycles(problem, makeStrips(problem, 64, 4), target);
  };
  // 16 strips whose loads take longest: of one after the other all wait.
  EXPECT_GE(predict(""), 17 * 116 + 1024 * 32 * 2 / 32);
  EXPECT_LT(predict(":dmaOutstanding=2"), predict("") - 9 * 100);
  // 16 products on a chip where they take longest.
  StringRef fast = ":dramBytesPerCycle=1024,dramLatencyCycles=0,dmaElementsPerCycle=1024,"
                   "vpuLanes=1024";
  EXPECT_DOUBLE_EQ(predict((fast + ",macPipelined=1").str()), predict(fast) - 15 * (16 + 32));
}

// Where loads and stores both need the memory, what is faster alone has to wait.
TEST(PlayScheduleTest, TransfersShareTheMemory) {
  TargetDesc target = getTarget("npu-v1:dramBytesPerCycle=16,dramLatencyCycles=0");
  Problem problem = makeMatmul(target, 4096, 32, 32, isa::MacType::F16, /*hasTail=*/true);
  double cycles = predictCycles(problem, makeStrips(problem, 64, 2), target);
  double loads = 4096 * 32 * 2 / 16, stores = 4096 * 32 / 16;
  EXPECT_GE(cycles, loads + stores);
  EXPECT_LE(cycles, 1.1 * (loads + stores));
}

// A last tile with a single row is no full tile.
TEST(PlayScheduleTest, RaggedTilesTakeLess) {
  TargetDesc target = getTarget("npu-v1");
  auto predict = [&](int64_t rows) {
    Problem problem = makeMatmul(target, rows, 64, 512, isa::MacType::F16);
    Schedule schedule = makeStrips(problem, 256, 2);
    schedule.levels.pop_back();
    schedule.depths.pop_back();
    return predictCycles(problem, schedule, target);
  };
  EXPECT_LT(predict(513) - predict(512), 0.6 * (predict(768) - predict(512)));
}

TEST(NestSearchTest, RandomNestsFit) {
  std::mt19937_64 random(7);
  auto pick = [&](int64_t most) { return int64_t(random() % most) + 1; };
  unsigned found = 0;
  for (unsigned i = 0; i < 300; ++i) {
    TargetDesc target = getTarget("npu-v1");
    target.sramBytes = int64_t(1) << (13 + random() % 9);
    target.accBytes = int64_t(1) << (11 + random() % 9);
    NestProblem problem = makeTwoProducts(target, pick(900), pick(200), pick(500), pick(200));
    std::optional<Nest> nest = searchNest(problem, target);
    if (!nest)
      continue;
    ++found;
    EXPECT_TRUE(fits(problem.problem, nest->schedule, target));
    // No engine does its work in less.
    double macs = 1, more = 1;
    for (unsigned dim : {0, 1, 2})
      macs *= problem.problem.dims[dim].extent;
    for (unsigned dim : {0, 2, 3})
      more *= problem.problem.dims[dim].extent;
    EXPECT_GE(nest->schedule.predictedCycles, (macs + more) / target.macsPerCycleF16);
  }
  EXPECT_GE(found, 100u);
}

} // namespace
