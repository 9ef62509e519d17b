//===- PrefetchOperands.cpp - operands on chip before their kernel begins -===//
//
// The loads of a loop run ahead as far as its rings reach. Where a kernel needs more of DRAM than
// of the array, as one with many weights for few pixels, the array waits, though DRAM may have had
// nothing to do in the kernels before. What kernels are given from outside can be loaded there.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"
#include "NestWork.h"
#include "TileLoad.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/TileSearch.h"
#include "NPU/Target/ISA/Limits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

#include <numeric>

namespace npu {
#define GEN_PASS_DEF_NPUPREFETCHOPERANDS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// How often fewer tiles are tried.
static constexpr int64_t kMaxAttempts = 8;

/// What part of its time a nest loads for all clusters if those that do not are to wait for it.
static constexpr double kShareForAll = 0.6;

namespace {
/// A ring that loads of a nest fill.
struct Ring {
  explicit Ring(memref::AllocOp alloc)
      : alloc(alloc), array(getIterations(alloc)), vector(array.size()) {}

  int64_t getFills() const { return array.size(); }
  /// Cycles of the busier of array and vector unit when the slot of the last fill becomes free, of
  /// so many slots.
  double getRest(int64_t slots) const {
    size_t first = std::max<int64_t>(0, getFills() - slots);
    return std::max(array[first], vector[first]);
  }
  void setOps(scf::ForOp nest, const TargetDesc &target);

  memref::AllocOp alloc;
  std::vector<double> array, vector; ///< cycles between a fill and the end of the nest

private:
  void add(NPUComputeOpInterface op, const TargetDesc &target);
};

/// The loops of a cluster that are one op of `getNest`, and what is in front of them. In cycles.
struct Nest {
  scf::ForOp loop;
  Operation *last = nullptr; ///< of the loop and the prefetches behind it
  int64_t position = 0;      ///< among the ops of `getNest`
  double dram = 0;           ///< for all transfers
  double compute = 0;        ///< of the busier of array and vector unit, as far as it counts
  double firstTiles = 0;     ///< of DRAM, for a tile of each of its loads
  double idle = 0;           ///< of DRAM, while others work
  double forAll = 0;         ///< of DRAM, for loads for all clusters
  double prefetches = 0;     ///< of DRAM, for tiles of later nests
  SmallVector<Ring> rings;
  std::optional<TileLoad> load; ///< the one that moves the most
};

/// What a nest does for a later one.
struct Help {
  size_t host = 0;
  double cycles = 0;           ///< of DRAM, between the nest's last load and its end
  int64_t parts = 0;           ///< that it loads
  SmallVector<int64_t> depths; ///< of its rings, for that
};

/// Prefetches operands of the nests of a kernel.
class Prefetcher {
public:
  Prefetcher(KernelOp kernel, const TargetDesc &target, double part)
      : kernel(kernel), target(target), part(part) {}
  void run();

private:
  void collectNests();
  void prefetch(size_t user);
  bool findHelp(size_t user, int64_t bytes, int64_t parts, double partCycles,
                SmallVectorImpl<Help> &helps) const;
  Help getHelp(size_t host, double wanted, int64_t bytes) const;
  bool hasPlacement(const PlannedBuffer &share, ArrayRef<Help> helps) const;
  void runAhead(size_t user);
  void occupy(size_t first, size_t last, int64_t bytes);
  Help getOwnDepths(size_t user, int64_t count, int64_t bytes) const;
  int64_t getAddedBytes(const Help &help) const;
  void deepen(size_t number, memref::AllocOp ring, int64_t depth);
  int64_t getRoom(size_t first, size_t last) const;
  /// From where on buffers take up memory: loads into them run ahead of nest `number`.
  int64_t getBegin(size_t number) const { return nests[number == 0 ? 0 : number - 1].position; }

  KernelOp kernel;
  const TargetDesc &target;
  double part; ///< of the time that engines work, which counts
  std::vector<Nest> nests;
  std::vector<PlannedBuffer> buffers; ///< at the positions before any change
  std::vector<int64_t> live;          ///< bytes of SRAM in use, by position
};
} // namespace

/// Gives the ring the times of all that computes in the nest.
void Ring::setOps(scf::ForOp nest, const TargetDesc &target) {
  nest.walk([&](NPUComputeOpInterface op) { add(op, target); });
  for (std::vector<double> *sums : {&array, &vector})
    std::partial_sum(sums->rbegin(), sums->rend(), sums->rbegin());
}

/// Adds what the op does in the iteration of each fill.
void Ring::add(NPUComputeOpInterface op, const TargetDesc &target) {
  SmallVector<scf::ForOp> own = getLoopsAround(alloc), others = getLoopsAround(op);
  int64_t inner = getFills(), innerOfOp = getIterations(op);
  Block *block = nullptr; // around both
  while (!own.empty() && !others.empty() && own.back() == others.back()) {
    block = own.back().getBody();
    inner /= *getTripCount(own.pop_back_val());
    innerOfOp /= *getTripCount(others.pop_back_val());
  }
  // In front of the ring's own loops it belongs to their first iteration, behind them to the last.
  bool isInFront =
      block->findAncestorOpInBlock(*op)->isBeforeInBlock(block->findAncestorOpInBlock(*alloc));
  std::vector<double> &sums = op.getEngine() == Engine::Mxu ? array : vector;
  for (auto [iteration, cycles] : llvm::enumerate(getIterationCycles(op, target)))
    sums[iteration / innerOfOp * inner + (isInFront ? 0 : inner - 1)] += cycles;
}

void Prefetcher::collectNests() {
  Work work;
  for (auto [position, op] : llvm::enumerate(getNest(kernel))) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop) {
      work += getWork(op, target);
      continue;
    }
    Nest nest;
    nest.loop = loop;
    nest.last = loop;
    nest.position = position;
    DmaLoadOp heaviest;
    double most = 0;
    loop.walk([&](Operation *inner) {
      Work ofOp = getWork(inner, target);
      work += ofOp;
      auto load = dyn_cast<DmaLoadOp>(inner);
      auto ring = load ? load.getDst().getDefiningOp<memref::AllocOp>() : memref::AllocOp();
      if (!ring || !llvm::isa<scf::ForOp>(ring->getParentOp()))
        return;
      if (llvm::none_of(nest.rings, [&](const Ring &other) { return other.alloc == ring; }))
        nest.rings.emplace_back(ring);
      nest.firstTiles += ofOp.dram / double(getIterations(load));
      if (load.getClusters())
        nest.forAll += ofOp.dram;
      if (ofOp.dram > most) {
        most = ofOp.dram;
        heaviest = load;
      }
    });
    for (Ring &ring : nest.rings)
      ring.setOps(loop, target);
    if (heaviest)
      nest.load = TileLoad::get(heaviest);
    nest.dram = work.dram;
    nest.compute = part * std::max(work.array, work.vector);
    nest.idle = std::max(0.0, nest.compute - nest.dram);
    work = {};
    nests.push_back(std::move(nest));
  }
}

/// Bytes that are free while loads for nest `first` may run, and up to the end of nest `last`.
int64_t Prefetcher::getRoom(size_t first, size_t last) const {
  auto begin = live.begin() + getBegin(first), end = live.begin() + nests[last].position + 1;
  return target.sramBytes - *std::max_element(begin, end);
}

void Prefetcher::occupy(size_t first, size_t last, int64_t bytes) {
  for (int64_t position = getBegin(first); position <= nests[last].position; ++position)
    live[position] += bytes;
}

/// What nest `host` can do, up to `wanted` cycles, if its rings get slots of at most so many
/// `bytes` more. The load of the last iteration begins when the slot is free that it fills, as many
/// iterations before the end as the ring has slots; behind that DRAM has nothing to do but to bring
/// the first tiles of the nest behind it. Loads get ahead by as many cycles as DRAM is idle.
Help Prefetcher::getHelp(size_t host, double wanted, int64_t bytes) const {
  const Nest &nest = nests[host]; // never the last one
  double firstTiles = nest.firstTiles + nests[host + 1].firstTiles;
  Help help;
  help.host = host;
  for (const Ring &ring : nest.rings)
    help.depths.push_back(getRingDepth(ring.alloc));
  while (true) {
    double least = nest.compute;
    const Ring *shortest = nullptr;
    for (auto [ring, depth] : llvm::zip_equal(nest.rings, help.depths))
      if (double rest = part * ring.getRest(depth); depth < ring.getFills() && rest < least) {
        least = rest;
        shortest = &ring;
      }
    double behind = least - firstTiles - nest.prefetches;
    help.cycles = std::max(0.0, std::min(behind, nest.idle));
    if (!shortest || behind >= std::min(wanted, nest.idle))
      return help;
    bytes -= getSlotBytes(memref::AllocOp(shortest->alloc).getType());
    if (bytes < 0)
      return help;
    ++help.depths[shortest - nest.rings.data()];
  }
}

/// The nests that load so many parts, the nearest first: they need the memory, `bytes`, for the
/// shortest time. False if they cannot.
bool Prefetcher::findHelp(size_t user, int64_t bytes, int64_t parts, double partCycles,
                          SmallVectorImpl<Help> &helps) const {
  for (size_t host = user; host-- > 0 && parts > 0;) {
    if (getRoom(host, user) < bytes)
      return false;
    // That of its rings has to be free for the nest alone.
    int64_t room = getRoom(host, host) - bytes;
    if (!nests[user].load->canBeBehind(nests[host].last))
      continue;
    double most = getHelp(host, double(parts) * partCycles, room).cycles;
    int64_t count = std::min(double(parts), most / partCycles);
    if (count == 0)
      continue;
    // With no more slots than they take.
    helps.push_back(getHelp(host, double(count) * partCycles, room));
    helps.back().parts = count;
    parts -= count;
  }
  return parts == 0;
}

/// Whether all buffers have a place with the share, and with the rings' new depths.
bool Prefetcher::hasPlacement(const PlannedBuffer &share, ArrayRef<Help> helps) const {
  DenseMap<Operation *, int64_t> depths;
  for (const Help &help : helps)
    for (auto [ring, depth] : llvm::zip_equal(nests[help.host].rings, help.depths))
      depths[ring.alloc] = depth;
  std::vector<PlannedBuffer> all = buffers;
  for (PlannedBuffer &buffer : all)
    if (auto depth = depths.find(buffer.alloc); depth != depths.end())
      buffer.depth = std::max(buffer.depth, depth->second);
  all.push_back(share);
  return allocate(getRequests(all), isa::bufferAlignment, target.sramBytes).peakBytes <=
         target.sramBytes;
}

/// Brings tiles of nest `user` on chip in nests before it: so many that its array need not wait for
/// DRAM, or as many as there is memory and time for.
void Prefetcher::prefetch(size_t user) {
  Nest &nest = nests[user];
  if (!nest.load)
    return;
  double missing = nest.dram - nest.compute;
  if (missing <= 0)
    return runAhead(user);
  TileLoad &load = *nest.load;
  DmaLoadOp op = load.getLoad();
  int64_t tileBytes = load.getTileBytes();
  int64_t clusters = op.getClusters() ? 1 : getClusterCount(op);
  double tileCycles = double(tileBytes * clusters) / double(target.dramBytesPerCycle);
  // A part is worth a transfer if that goes on for as long as it takes to begin.
  int64_t parts =
      load.getParts(tileCycles / double(std::max<int64_t>(1, target.dramLatencyCycles)));
  // Tiles come for whole iterations of the first loop.
  int64_t ofIteration = load.getCount(1);
  int64_t granule = load.canBeSplit() ? ofIteration : load.getCount();
  // At least half of what they take has to be missed.
  int64_t count =
      std::min<int64_t>(llvm::alignTo(std::ceil(missing / tileCycles), granule), load.getCount());
  if (double(count) * tileCycles > 2 * missing)
    count -= granule;
  PlannedBuffer share;
  SmallVector<Help> helps;
  size_t first = 0; // of the nests that help
  Help own;
  int64_t step = llvm::alignTo(llvm::divideCeil(count, kMaxAttempts), granule);
  for (; count > 0; count -= step) {
    helps.clear();
    int64_t bytes = tile::getSlotBytes(count * tileBytes);
    if (count < load.getCount())
      bytes += load.getSplitBytes();
    own = getOwnDepths(user, count, bytes);
    occupy(user, user, getAddedBytes(own));
    bool isHelped = findHelp(user, bytes, count * parts, tileCycles / double(parts), helps);
    occupy(user, user, -getAddedBytes(own));
    if (!isHelped)
      continue;
    share.slotBytes = bytes;
    first = helps.back().host;
    share.lower = nests[first].position;
    share.upper = nest.position + 1;
    helps.push_back(own);
    if (hasPlacement(share, helps))
      break;
  }
  if (count <= 0)
    return runAhead(user);

  buffers.push_back(share);
  occupy(first, user, share.slotBytes);
  memref::AllocOp memory = load.createShare(count / ofIteration);
  int64_t last = count * parts;
  for (const Help &help : helps) {
    Nest &host = nests[help.host];
    for (auto [ring, depth] : llvm::zip_equal(host.rings, help.depths))
      deepen(help.host, ring.alloc, depth);
    if (help.parts == 0)
      continue; // its own
    host.last = load.prefetch(host.last, memory, last - help.parts, last, parts,
                              kShareForAll * host.compute <= host.forAll);
    last -= help.parts;
    double cycles = double(help.parts) * tileCycles / double(parts);
    host.prefetches += cycles;
    host.idle -= cycles;
    nest.dram -= cycles;
  }
  remark::passed(op.getLoc(), remark::RemarkOpts::name("Prefetched")
                                  .category("npu-prefetch-operands")
                                  .function(kernel.getSymName()))
      << remark::metric("bytes", count * tileBytes)
      << remark::metric("kernelsBefore", int64_t(helps.size() - 1));
  load.readShare(memory, count / ofIteration);
  // What it spares is gone, and so is a ring.
  nest.rings.clear();
  nest.idle = 0;
}

/// The slots of a nest's rings when `count` tiles of its load come earlier, in a share of so many
/// `bytes`: as many as the others need not to keep the loads behind them waiting, if memory has
/// room for that, and where little passes through a ring so many that it keeps none waiting either.
Help Prefetcher::getOwnDepths(size_t user, int64_t count, int64_t bytes) const {
  const TileLoad &load = *nests[user].load;
  int64_t room = getRoom(user, user) - bytes;
  Help own;
  own.host = user;
  for (const Ring &ring : nests[user].rings) {
    int64_t slotBytes = getSlotBytes(memref::AllocOp(ring.alloc).getType());
    int64_t depth = getRingDepth(ring.alloc), wanted = depth;
    if (ring.alloc == load.getTile())
      wanted = load.getCount() - count;
    else if (slotBytes * 8 <= load.getTileBytes())
      wanted = ring.getFills() * count / load.getCount();
    int64_t added = std::max<int64_t>(0, std::min(wanted - depth, room / slotBytes));
    room -= added * slotBytes;
    own.depths.push_back(depth + added);
  }
  return own;
}

/// Bytes by which the rings grow.
int64_t Prefetcher::getAddedBytes(const Help &help) const {
  int64_t bytes = 0;
  for (auto [ring, depth] : llvm::zip_equal(nests[help.host].rings, help.depths))
    bytes +=
        (depth - getRingDepth(ring.alloc)) * getSlotBytes(memref::AllocOp(ring.alloc).getType());
  return bytes;
}

void Prefetcher::deepen(size_t number, memref::AllocOp ring, int64_t depth) {
  int64_t added = depth - getRingDepth(ring);
  if (added <= 0)
    return;
  occupy(number, number, added * getSlotBytes(ring.getType()));
  ring->setAttr(kBuffersAttrName, Builder(kernel).getI64IntegerAttr(depth));
  for (PlannedBuffer &buffer : buffers)
    if (buffer.alloc == ring)
      buffer.depth = depth;
}

/// Gives the rings of the nest before `user` so many slots that DRAM is through with its loads in
/// time for the first tile of this one, or for as many as its ring holds.
void Prefetcher::runAhead(size_t user) {
  const Nest &nest = nests[user];
  size_t host = user - 1;
  // Where DRAM is what the nest waits for, each tile that comes earlier saves time.
  int64_t tiles = nest.dram > nest.compute ? getRingDepth(nest.load->getTile()) : 1;
  Help help = getHelp(host, double(tiles - 1) * nest.firstTiles, getRoom(host, host));
  if (getAddedBytes(help) == 0 || !hasPlacement({}, help))
    return;
  int64_t slots = 0;
  for (auto [ring, depth] : llvm::zip_equal(nests[host].rings, help.depths)) {
    slots += depth - getRingDepth(ring.alloc);
    deepen(host, ring.alloc, depth);
  }
  remark::passed(nest.load->getLoad().getLoc(), remark::RemarkOpts::name("RunAhead")
                                                    .category("npu-prefetch-operands")
                                                    .function(kernel.getSymName()))
      << remark::metric("slots", slots);
}

void Prefetcher::run() {
  collectNests();
  SmallVector<PlannedBuffer> collected = collectBuffers(kernel, MemorySpace::Sram);
  buffers.assign(collected.begin(), collected.end());
  // Those that are filled before their nest begins.
  extendLives(kernel, target.sramBytes, collected);
  live = getLiveBytes(kernel, collected);
  for (size_t user = 1; user < nests.size(); ++user)
    prefetch(user);
}

namespace {
struct PrefetchOperands : npu::impl::NPUPrefetchOperandsBase<PrefetchOperands> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(target))
      return signalPassFailure();
    std::optional<uint64_t> percent = kernel.getPrefetch();
    if (!percent)
      return;
    kernel.removePrefetchAttr();
    Prefetcher(kernel, *target, static_cast<double>(*percent) / 100).run();
  }
};
} // namespace
