//===- RandomPipeline.cpp - small random programs that keep step ----------===//

#include "RandomPipeline.h"

using namespace npu::isa;
using namespace npu::test;

namespace {
class Generator {
public:
  explicit Generator(std::mt19937_64 &random) : random(random) {}

  Program makePipeline() {
    outer = pick(1, 14);
    inner = pick(1, 3);
    isNested = inner > 1 || pick(0, 1);
    inputDepth = pick(1, 3);
    outputDepth = pick(1, 3);
    rows = pick(1, 3);
    cols = pick(1, 8);
    isRagged = pick(0, 2) == 0;
    hasWeights = pick(0, 2) == 0;
    hasReader = pick(0, 2) == 0;
    prefetches = !isNested && outer > 2 && pick(0, 3) == 0;
    clusters = pick(1, 2);
    Program program = makeProgram();
    for (cluster = 0; cluster < clusters; ++cluster) {
      program.streams.push_back(makeStream(EngineKind::Dmai, prefetches));
      program.streams.push_back(makeStream(EngineKind::Dmao, false));
      program.streams.push_back(makeStream(EngineKind::Vpu, false));
    }
    return program;
  }

  Program makeChaos() {
    outer = pick(1, 10);
    inner = pick(1, 2);
    rows = pick(1, 2);
    cols = pick(1, 8);
    Program program = makeProgram();
    for (cluster = 0; cluster < 2; ++cluster)
      for (EngineKind engine : {EngineKind::Dmai, EngineKind::Dmao, EngineKind::Vpu})
        if (pick(0, 3))
          program.streams.push_back(makeChaosStream(engine));
    return program;
  }

  Program makeStores() {
    Program program = makeProgram();
    program.regions[1].bytes = 400;
    for (cluster = 0; cluster < 2; ++cluster) {
      Stream stream;
      stream.cluster = cluster;
      stream.engine = EngineKind::Dmao;
      bool hasLoop = pick(0, 1);
      if (hasLoop)
        open(stream.code, pick(1, 3));
      stream.code.push_back(makeRandomStore(hasLoop));
      if (hasLoop)
        stream.code.push_back(EndLoop());
      stream.code.push_back(Halt());
      program.streams.push_back(stream);
    }
    return program;
  }

private:
  DmaStore makeRandomStore(bool hasLoop) {
    DmaStore store;
    store.to.region = 1;
    store.to.base = pick(60, 120);
    if (hasLoop)
      store.to.base.coefficients[0] = pick(-1, 1) * pick(0, 60);
    store.from = fixedAddress(MemorySpace::Sram, 4096);
    store.dims.resize(size_t(pick(1, 4)));
    for (BoxDim &dim : store.dims) {
      dim.extent = fixedExtent(pick(1, 4));
      if (hasLoop && pick(0, 1)) {
        dim.extent.limit = pick(1, 6);
        dim.extent.limit.coefficients[0] = pick(1, 2) * (pick(0, 1) ? 1 : -1);
        dim.origin.coefficients[0] = pick(0, 4);
      }
      dim.origin.base = pick(-3, 3);
      dim.dram_stride = pick(0, 3) ? pick(-1, 2) * pick(1, 20) : 1;
      dim.chip_stride = pick(-8, 8);
      dim.low = pick(-4, 0);
      dim.high = pick(2, 12);
    }
    for (BoxDim &dim : store.dims) {
      dim.outer = pick(0, int64_t(store.dims.size()) - 1);
      if (pick(0, 2) == 0 && &dim != &store.dims[size_t(dim.outer)] &&
          store.dims[size_t(dim.outer)].block == 0 && !isOuter(store, dim))
        dim.block = pick(1, 5);
      else
        dim.outer = 0;
    }
    return store;
  }

  /// Whether another dimension is joined to this one.
  static bool isOuter(const DmaStore &store, const BoxDim &dim) {
    for (const BoxDim &other : store.dims)
      if (other.block && &store.dims[size_t(other.outer)] == &dim)
        return true;
    return false;
  }

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }

  Program makeProgram() {
    Program program;
    program.name = "random";
    program.target = "npu-v1-x4";
    for (auto [kind, name] : {std::pair(RegionKind::Input, "x"), {RegionKind::Output, "y"}}) {
      Region region;
      region.kind = kind;
      region.name = name;
      region.bytes = 65536;
      program.regions.push_back(region);
    }
    return program;
  }

  /// The number of the iteration, plus `shift`.
  Affine iteration(int64_t shift) const {
    Affine affine(shift);
    affine.coefficients[0] = inner;
    affine.coefficients[1] = isNested ? 1 : 0;
    return affine;
  }

  Address ring(int64_t base, int64_t depth, int64_t shift) const {
    Address address = fixedAddress(MemorySpace::Sram, base + 1024 * cluster);
    if (depth == 1)
      return address;
    address.depth = depth;
    address.slot_bytes = 32;
    address.position = iteration(shift);
    return address;
  }

  Extent rowsExtent(int64_t shift) const {
    if (!isRagged)
      return fixedExtent(rows);
    // The last iteration of the outer loop has one row less.
    Extent extent;
    extent.full = rows;
    extent.limit = rows * (outer - shift) - 1;
    extent.limit.coefficients[0] = -rows;
    return extent;
  }

  /// Each cluster has its columns of a row-major tensor; blocks of rows follow each other.
  llvm::SmallVector<BoxDim, 0> makeBox(int64_t shift) const {
    BoxDim row, col;
    row.extent = rowsExtent(shift);
    row.origin = iteration(shift);
    row.origin.base *= rows;
    for (int64_t &coefficient : row.origin.coefficients)
      coefficient *= rows;
    row.dram_stride = 64;
    row.chip_stride = 8;
    row.high = 1000;
    col.extent = fixedExtent(cols);
    col.origin = 8 * cluster;
    col.dram_stride = col.chip_stride = 1;
    col.high = 64;
    return {row, col};
  }

  static void wait(Sync &sync, int64_t semaphore, Affine value) {
    (sync.wait0 ? sync.wait1 : sync.wait0) = semaphore;
    (sync.wait1 ? sync.value1 : sync.value0) = value;
  }

  Instruction makeBody(EngineKind engine, int64_t shift) const {
    int64_t s = 10 * cluster;
    int64_t filled = s + 1, freed = s + 2, done = s + 3, stored = s + 4;
    if (engine == EngineKind::Dmai) {
      DmaLoad load;
      load.to = ring(0, inputDepth, shift);
      load.dims = makeBox(shift);
      wait(load.sync, freed, iteration(shift + 1 - inputDepth));
      load.sync.signal0 = filled;
      return load;
    }
    if (engine == EngineKind::Dmao) {
      DmaStore store;
      store.to.region = 1;
      store.from = ring(256, outputDepth, shift);
      store.dims = makeBox(shift);
      wait(store.sync, done, iteration(shift + 1));
      store.sync.signal0 = stored;
      return store;
    }
    VpuUnary copy;
    copy.shape.d0 = copy.shape.d1 = fixedExtent(1);
    copy.shape.d2 = rowsExtent(shift);
    copy.shape.d3 = fixedExtent(cols);
    copy.a.at = ring(0, inputDepth, shift);
    copy.dst.at = ring(256, outputDepth, shift);
    copy.a.stride2 = copy.dst.stride2 = 8;
    copy.a.stride3 = copy.dst.stride3 = 1;
    wait(copy.sync, filled, iteration(shift + 1));
    wait(copy.sync, stored, iteration(shift + 1 - outputDepth));
    copy.sync.signal0 = freed;
    copy.sync.signal1 = done;
    return copy;
  }

  static void open(std::vector<Instruction> &code, int64_t trips) {
    Loop loop;
    loop.count.trips = trips;
    code.push_back(loop);
  }

  Stream makeStream(EngineKind engine, bool isPrefetching) {
    Stream stream;
    stream.cluster = cluster;
    stream.engine = engine;
    std::vector<Instruction> &code = stream.code;
    int64_t weights = 10 * cluster + 5;
    DmaLoad weightLoad;
    weightLoad.to = fixedAddress(MemorySpace::Sram, 512 + 1024 * cluster);
    weightLoad.dims = makeBox(0);
    weightLoad.dims[0].extent = fixedExtent(1);
    weightLoad.dims[0].origin = 0;
    weightLoad.sync.signal0 = weights;
    if (hasWeights && engine == EngineKind::Dmai)
      code.push_back(weightLoad);
    if (hasWeights && engine == EngineKind::Vpu) {
      auto copy = std::get<VpuUnary>(makeBody(engine, 0));
      copy.sync = Sync();
      wait(copy.sync, weights, 1);
      copy.a.at = weightLoad.to;
      copy.dst.at = fixedAddress(MemorySpace::Sram, 544 + 1024 * cluster);
      copy.shape.d2 = fixedExtent(1);
      code.push_back(copy);
    }
    if (isPrefetching) {
      Instruction first = makeBody(engine, 0);
      // Constant counters outside of the loop.
      auto &load = std::get<DmaLoad>(first);
      load.sync.value0.coefficients = {};
      load.to.position.coefficients = {};
      if (load.to.depth > 1 && load.to.position == Affine())
        load.to.position = 0;
      load.dims[0].origin.coefficients = {};
      load.dims[0].extent = fixedExtent(rows);
      code.push_back(first);
    }
    open(code, outer - isPrefetching);
    if (isNested)
      open(code, inner);
    code.push_back(makeBody(engine, isPrefetching));
    if (isNested)
      code.push_back(EndLoop());
    code.push_back(EndLoop());
    if (hasReader && engine == EngineKind::Dmai) {
      // Reads everything back into free memory.
      DmaLoad load;
      load.from.region = 1;
      load.to = fixedAddress(MemorySpace::Sram, 4096 + 16384 * cluster);
      load.dims = makeBox(0);
      load.dims[0].extent = fixedExtent(outer * inner * rows - isRagged);
      load.dims[0].origin = 0;
      wait(load.sync, 10 * cluster + 4, outer * inner);
      code.push_back(load);
    }
    code.push_back(Halt());
    return stream;
  }

  Stream makeChaosStream(EngineKind engine) {
    isNested = inner > 1;
    inputDepth = pick(1, 3);
    outputDepth = pick(1, 3);
    isRagged = false;
    Stream stream;
    stream.cluster = cluster;
    stream.engine = engine;
    open(stream.code, outer);
    if (isNested)
      open(stream.code, inner);
    int64_t own = 1 + 10 * cluster + int64_t(engine);
    for (int64_t count = pick(1, 2); count > 0; --count) {
      Instruction instruction = makeBody(engine, 0);
      Sync &sync = *getSync(instruction);
      sync = Sync();
      sync.signal0 = pick(0, 3) ? own : 0;
      for (int64_t waits = pick(0, 2); waits > 0; --waits) {
        int64_t other = 1 + 10 * pick(0, 1) + pick(0, 3);
        Affine value = iteration(pick(-3, 1));
        if (pick(0, 1))
          value.base -= inner;
        if (other != own && sync.wait0 != other)
          wait(sync, other, value);
      }
      if (auto *store = std::get_if<DmaStore>(&instruction); store && pick(0, 1))
        store->dims[1].origin = 8 * pick(0, 1);
      stream.code.push_back(instruction);
    }
    if (isNested)
      stream.code.push_back(EndLoop());
    stream.code.push_back(EndLoop());
    stream.code.push_back(Halt());
    return stream;
  }

  std::mt19937_64 &random;
  int64_t cluster = 0, clusters = 1, outer = 1, inner = 1;
  int64_t inputDepth = 1, outputDepth = 1, rows = 1, cols = 1;
  bool isNested = false, isRagged = false, hasWeights = false, hasReader = false,
       prefetches = false;
};
} // namespace

Program npu::test::makeRandomPipeline(std::mt19937_64 &random) {
  return Generator(random).makePipeline();
}

Program npu::test::makeRandomChaos(std::mt19937_64 &random) {
  return Generator(random).makeChaos();
}

Program npu::test::makeRandomStores(std::mt19937_64 &random) {
  return Generator(random).makeStores();
}
