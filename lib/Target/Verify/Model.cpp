//===- Model.cpp - a program as the verifier sees it ----------------------===//

#include "Model.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu;
using namespace npu::isa;
using namespace npu::verify;

namespace {
/// Collects the footprints of one instruction.
class SiteBuilder : public InstructionVisitor<void> {
public:
  SiteBuilder(const Model &model, const Stream &stream, Site &site)
      : model(model), stream(stream), site(site) {}

  void visit(const Loop &) override {}
  void visit(const EndLoop &) override {}
  void visit(const Synchronize &) override {}
  void visit(const Halt &) override {}

  void visit(const DmaLoad &load) override {
    addDims(load.dims);
    addDram("from", load.from, load.dims, /*writes=*/false);
    addLoaded(load);
  }
  void visit(const DmaGather &gather) override {
    addDims(gather.dims);
    // Any row may be read: all of them are a dimension more.
    BoxDim rows;
    rows.dram_stride = gather.chosen.row_bytes;
    rows.extent = fixedExtent(gather.chosen.rows);
    rows.high = gather.chosen.rows;
    site.chosenBox = std::make_unique<SmallVector<BoxDim, 0>>(gather.dims);
    site.chosenBox->push_back(rows);
    addDram("from", gather.from, *site.chosenBox, /*writes=*/false);
    int64_t bytes = getByteSize(ElementType::I32);
    add("indices", gather.indices, bytes, bytes, {}, /*writes=*/false);
    for (auto [d, stride] : llvm::enumerate(getIndexStrides(gather.chosen)))
      if (stride != 0)
        site.accesses.back().dims.push_back({unsigned(d), stride});
    addLoaded(gather);
    site.extents.push_back(&site.chosenBox->back().extent);
  }
  void visit(const DmaCopy &copy) override {
    addDims(copy.dims);
    addBox("from", copy.from, model.chipMemory(stream.cluster, MemorySpace::Sram), copy.dims,
           /*writes=*/false);
    addLoaded(copy);
  }
  void visit(const DmaStore &store) override {
    addDims(store.dims);
    addDram("to", store.to, store.dims, /*writes=*/true);
    addDmaChip("from", store.from, store.to.type, store.dims, stream.cluster, /*writes=*/false);
  }

  void visit(const MxuMatmul &op) override {
    enum { M, N, K };
    site.extents = {&op.m, &op.n, &op.k};
    int64_t left = getByteSize(getLeftType(op.accumulate.type));
    int64_t right = getByteSize(getRightType(op.accumulate.type));
    int64_t cols = model.target.macCols;
    add("a", op.a, left, left, {{M, op.a_pitch.row_bytes}, {K, left}}, false);
    add("b", op.b, right, cols * right, {{N, op.b_panel.panel_bytes, cols}, {K, cols * right}},
        false);
    addStart(op, N);
    int64_t sum = getByteSize(getAccumulatorType(op.accumulate.type));
    add("out", op.out, sum, sum, {{M, op.out_pitch.row_bytes}, {N, sum}}, true);
  }

  void visit(const MxuConv &op) override {
    enum { H, W, F, C, Y, X };
    site.extents = {&op.h, &op.w, &op.f, &op.c, &op.y, &op.x};
    int64_t right = getByteSize(getRightType(op.accumulate.type));
    int64_t cols = model.target.macCols;
    addImage(op, H, W, Y, X, C);
    add("weights", op.weights, right, cols * right,
        {{F, op.weights_panel.panel_bytes, cols},
         {Y, op.window.tap_row_bytes},
         {X, op.window.tap_bytes},
         {C, cols * right}},
        false);
    addResult(op, H, W, F);
  }

  void visit(const MxuDepthwise &op) override {
    enum { H, W, G, Y, X };
    site.extents = {&op.h, &op.w, &op.g, &op.y, &op.x};
    int64_t right = getByteSize(getRightType(op.accumulate.type));
    addImage(op, H, W, Y, X, G);
    add("weights", op.weights, right, right,
        {{Y, op.window.tap_row_bytes}, {X, op.window.tap_bytes}, {G, right}}, false);
    addResult(op, H, W, G);
  }

  void visit(const VpuFill &op) override { addVector(op); }
  void visit(const VpuUnary &op) override { addVector(op); }
  void visit(const VpuBinary &op) override { addVector(op); }
  void visit(const VpuBinaryImm &op) override { addVector(op); }
  void visit(const VpuSelect &op) override { addVector(op); }
  void visit(const VpuClamp &op) override { addVector(op); }
  void visit(const VpuCast &op) override { addVector(op); }
  void visit(const VpuReduce &op) override {
    addVector(op);
    // Nothing to reduce still has a result.
    site.accesses.front().gates = maskTrailingOnes<unsigned>(maxVectorDims - 1);
  }
  void visit(const VpuArgReduce &op) override { addVector(op); }
  void visit(const VpuScan &op) override { addVector(op); }
  void visit(const VpuIota &op) override { addVector(op); }
  void visit(const VpuTable8 &op) override { addLookUp(op); }
  void visit(const VpuTable16 &op) override { addLookUp(op); }
  void visit(const VpuRescale &op) override { addVector(op); }
  void visit(const VpuRequant &op) override { addVector(op); }
  void visit(const VpuRequantImm &op) override { addVector(op); }

  // The operands of a vector instruction, destination first.
  template <typename E>
  void function(E) {}
  void operand(const OperandType &rule, const VectorOperand &operand) {
    int64_t bytes = getByteSize(operand.type);
    add(rule.operand, operand.at, bytes, bytes,
        {{0, operand.stride0}, {1, operand.stride1}, {2, operand.stride2}, {3, operand.stride3}},
        /*writes=*/site.accesses.empty());
  }

private:
  Access makeAccess(StringLiteral operand, unsigned memory, bool writes) const {
    Access access;
    access.operand = operand;
    access.memory = memory;
    access.writes = writes;
    // An instruction with an extent of 0 touches nothing.
    access.gates = uint8_t(maskTrailingOnes<unsigned>(unsigned(site.extents.size())));
    return access;
  }

  void add(StringLiteral operand, const Address &address, int64_t elementBytes, int64_t runBytes,
           std::initializer_list<ChipDim> dims, bool writes) {
    Access access = makeAccess(operand, model.chipMemory(stream.cluster, address.space), writes);
    access.elementBytes = elementBytes;
    access.runBytes = runBytes;
    access.chip = &address;
    access.dims.append(dims.begin(), dims.end());
    site.accesses.push_back(std::move(access));
  }

  template <typename Op>
  void addImage(const Op &op, unsigned h, unsigned w, unsigned y, unsigned x, unsigned channels) {
    int64_t left = getByteSize(getLeftType(op.accumulate.type));
    const Window &window = op.window;
    const Pitch &pitch = op.in_pitch;
    add("in", op.in, left, left,
        {{h, window.stride_h * pitch.row_bytes},
         {y, window.dilation_h * pitch.row_bytes},
         {w, window.stride_w * pitch.pixel_bytes},
         {x, window.dilation_w * pitch.pixel_bytes},
         {channels, left}},
        false);
  }
  template <typename Op>
  void addStart(const Op &op, unsigned columns) {
    int64_t sum = getByteSize(getAccumulatorType(op.accumulate.type));
    if (op.accumulate.biased)
      add("start", op.accumulate.start, sum, sum, {{columns, sum}}, false);
  }
  template <typename Op>
  void addResult(const Op &op, unsigned h, unsigned w, unsigned channels) {
    addStart(op, channels);
    int64_t sum = getByteSize(getAccumulatorType(op.accumulate.type));
    add("out", op.out, sum, sum,
        {{h, op.out_pitch.row_bytes}, {w, op.out_pitch.pixel_bytes}, {channels, sum}}, true);
  }

  template <typename Op>
  void addVector(const Op &op) {
    site.extents = {&op.shape.d0, &op.shape.d1, &op.shape.d2, &op.shape.d3};
    Op::visitTypes(*this, op);
  }
  template <typename Op>
  void addLookUp(const Op &op) {
    addVector(op);
    int64_t bytes = getByteSize(Op::tableType);
    add("table", op.table, bytes, Op::tableEntries * bytes, {}, false);
  }

  void addDims(ArrayRef<BoxDim> dims) {
    for (const BoxDim &dim : dims)
      site.extents.push_back(&dim.extent);
  }
  void addDram(StringLiteral operand, const DramSide &dram, ArrayRef<BoxDim> dims, bool writes) {
    addBox(operand, dram, model.dramMemory(dram.region), dims, writes);
  }
  template <typename Side>
  void addBox(StringLiteral operand, const Side &side, unsigned memory, ArrayRef<BoxDim> dims,
              bool writes) {
    Access access = makeAccess(operand, memory, writes);
    access.elementBytes = access.runBytes = getByteSize(side.type);
    access.boxBase = &side.base;
    access.box = dims;
    site.accesses.push_back(std::move(access));
  }
  /// What a load writes: the same in all clusters that it names.
  template <typename Op>
  void addLoaded(const Op &load) {
    addDmaChip("to", load.to, load.from.type, load.dims, stream.cluster, /*writes=*/true);
    for (int64_t cluster = 0; cluster < model.target.clusters; ++cluster)
      if (cluster != stream.cluster && load.flags.clusters >> cluster & 1)
        addDmaChip("to", load.to, load.from.type, load.dims, cluster, /*writes=*/true);
  }
  void addDmaChip(StringLiteral operand, const Address &address, ElementType type,
                  ArrayRef<BoxDim> dims, int64_t cluster, bool writes) {
    int64_t bytes = getByteSize(type);
    add(operand, address, bytes, bytes, {}, writes);
    Access &access = site.accesses.back();
    access.memory = model.chipMemory(cluster, address.space);
    for (auto [index, dim] : llvm::enumerate(dims))
      access.dims.push_back({unsigned(index), dim.chip_stride});
  }

  const Model &model;
  const Stream &stream;
  Site &site;
};
} // namespace

Expected<Model> Model::build(const Program &program) {
  if (Error error = checkProgram(program))
    return std::move(error);
  Expected<TargetDesc> target = parseTarget(program.target);
  if (!target)
    return target.takeError();
  Model model{program, *target, {}};
  for (auto [number, stream] : llvm::enumerate(program.streams)) {
    SmallVector<int64_t, maxLoopDepth> loops;
    for (auto [index, instruction] : llvm::enumerate(stream.code)) {
      if (auto *loop = std::get_if<Loop>(&instruction)) {
        loops.push_back(loop->count.trips);
        continue;
      }
      if (std::holds_alternative<EndLoop>(instruction)) {
        loops.pop_back();
        continue;
      }
      Site site;
      site.stream = unsigned(number);
      site.index = unsigned(index);
      site.instruction = &instruction;
      site.sync = getSync(instruction);
      site.depth = unsigned(loops.size());
      site.trips.fill(1);
      llvm::copy(loops, site.trips.begin());
      SiteBuilder builder(model, stream, site);
      accept(instruction, builder);
      model.sites.push_back(std::move(site));
    }
  }
  return model;
}

int64_t Model::getMemoryBytes(unsigned memory) const {
  if (memory >= dramMemory(0))
    return program.regions[memory - dramMemory(0)].bytes;
  return MemorySpace(memory % 2) == MemorySpace::Sram ? target.sramBytes : target.accBytes;
}

std::string Model::describeMemory(unsigned memory) const {
  if (memory >= dramMemory(0))
    return formatv("region '{0}'", program.regions[memory - dramMemory(0)].name);
  return formatv("cluster {0} {1}", memory / 2, toString(MemorySpace(memory % 2)));
}

std::string Model::describe(const Site &site, const Counters *counters) const {
  std::string text =
      formatv("stream {0}, instruction {1} '{2}'", isa::describe(program.streams[site.stream]),
              site.index, getMnemonic(*site.instruction));
  if (int64_t source = getSource(*site.instruction))
    text += formatv(" (source '{0}')", program.sources[size_t(source) - 1]).str();
  if (counters && site.depth) {
    text += " at";
    for (unsigned k = 0; k < site.depth; ++k)
      text += formatv("{0}i{1} = {2}", k ? ", " : " ", k, (*counters)[k]).str();
  }
  return text;
}

Wide npu::verify::getMax(const Affine &affine, const Trips &trips) {
  Wide value = affine.base;
  for (unsigned k = 0; k < maxLoopDepth; ++k)
    value += std::max<Wide>(0, Wide(affine.coefficients[k]) * (trips[k] - 1));
  return value;
}

Wide npu::verify::getMin(const Affine &affine, const Trips &trips) {
  Wide value = affine.base;
  for (unsigned k = 0; k < maxLoopDepth; ++k)
    value += std::min<Wide>(0, Wide(affine.coefficients[k]) * (trips[k] - 1));
  return value;
}

int64_t npu::verify::getMaxExtent(const Extent &extent, const Trips &trips) {
  Wide limit = getMax(extent.limit, trips);
  return limit < 0 ? 0 : limit > extent.full ? extent.full : int64_t(limit);
}

ExtentValues npu::verify::evaluateExtents(const Site &site, const Counters &counters) {
  ExtentValues values{};
  for (size_t i = 0; i < site.extents.size(); ++i)
    values[i] = evaluate(*site.extents[i], counters);
  return values;
}

/// Indices of a dimension whose index covers `divisor` elements.
static int64_t countIndices(int64_t elements, int64_t divisor) {
  return divisor == 1 ? elements : (elements + divisor - 1) / divisor;
}

static RawBox evaluateChip(const Access &access, const ExtentValues &extents,
                           const Counters &counters) {
  RawBox box;
  box.base = evaluate(*access.chip, counters);
  box.run = access.runBytes;
  for (const ChipDim &dim : access.dims)
    box.dims.push_back({dim.stride, countIndices(extents[dim.extent], dim.divisor)});
  return box;
}

namespace {
/// Builds the boxes of a DRAM side with joined dimensions: one group per outer dimension, whose
/// blocks are cut into stretches that the windows treat alike.
class JoinedBoxes {
public:
  JoinedBoxes(const Access &access, const ExtentValues &extents, const Counters &counters)
      : dims(access.box), extents(extents), counters(counters) {}

  bool run(RawBox start, SmallVectorImpl<RawBox> &boxes) {
    boxes.push_back(std::move(start));
    for (unsigned d = 0; d < dims.size(); ++d)
      if (dims[d].block == 0)
        addGroup(d, boxes);
    return isExact;
  }

private:
  static constexpr size_t maxBoxes = 64;

  /// Indices [begin, end) whose coordinate lies in the window, from the coordinate of index 0.
  std::pair<int64_t, int64_t> clip(unsigned d, int64_t first) const {
    int64_t begin = std::max<int64_t>(0, dims[d].low - first);
    return {begin, std::min(extents[d], dims[d].high - first)};
  }

  int64_t getOrigin(unsigned d) const { return dims[d].origin.evaluate(counters); }

  void addGroup(unsigned outer, SmallVectorImpl<RawBox> &boxes) {
    auto [begin, end] = clip(outer, getOrigin(outer));
    SmallVector<unsigned, 4> joined;
    for (unsigned d = 0; d < dims.size(); ++d)
      if (dims[d].block && dims[d].outer == outer)
        joined.push_back(d);
    SmallVector<RawBox, 4> choices;
    if (begin < end)
      addChoices(outer, begin, end, joined, choices);
    SmallVector<RawBox, 4> product;
    for (const RawBox &box : boxes)
      for (const RawBox &choice : choices) {
        product.push_back(box);
        product.back().base += choice.base;
        product.back().dims.append(choice.dims);
      }
    boxes.assign(product.begin(), product.end());
  }

  void addChoices(unsigned outer, int64_t begin, int64_t end, ArrayRef<unsigned> joined,
                  SmallVectorImpl<RawBox> &choices) {
    int64_t origin = getOrigin(outer), stride = dims[outer].dram_stride;
    bool isContiguous =
        joined.size() == 1 && stride == 0 && dims[joined[0]].block <= extents[joined[0]];
    if (joined.empty() || isContiguous || end - begin > int64_t(maxBoxes)) {
      // Independent dimensions; for several blocks with gaps that is more than what is touched
      // when a window cuts one.
      RawBox box;
      box.base = stride * (origin + begin);
      box.dims.push_back({stride, end - begin});
      bool isCut = false;
      for (unsigned d : joined) {
        int64_t first = getOrigin(d) + dims[d].block * begin;
        int64_t last = getOrigin(d) + dims[d].block * (end - 1) + extents[d];
        int64_t low = std::max(first, dims[d].low), high = std::min(last, dims[d].high);
        if (low >= high)
          return;
        isCut |= low != first || high != last;
        box.base += dims[d].dram_stride * low;
        box.dims.push_back({dims[d].dram_stride, high - low});
      }
      if (joined.empty() || isContiguous) {
        choices.push_back(std::move(box));
        return;
      }
      if (isCut) {
        isExact = false;
        choices.push_back(std::move(box));
        return;
      }
      addStretch(outer, begin, end, joined, choices);
      return;
    }
    // Blocks that no window cuts make one box; each other block is a box of its own.
    for (int64_t j = begin, from = begin; j <= end; ++j) {
      bool isWhole = j < end && llvm::all_of(
                                    joined,
                                    [&](unsigned d) {
                                      auto [low, high] = clip(d, getOrigin(d) + dims[d].block * j);
                                      return low == 0 && high == extents[d];
                                    });
      if (isWhole)
        continue;
      if (from < j)
        addStretch(outer, from, j, joined, choices);
      if (j < end)
        addStretch(outer, j, j + 1, joined, choices);
      from = j + 1;
    }
  }

  /// The blocks [begin, end), all cut like the first.
  void addStretch(unsigned outer, int64_t begin, int64_t end, ArrayRef<unsigned> joined,
                  SmallVectorImpl<RawBox> &choices) const {
    RawBox box;
    box.base = dims[outer].dram_stride * (getOrigin(outer) + begin);
    int64_t stride = dims[outer].dram_stride;
    for (unsigned d : joined) {
      int64_t first = getOrigin(d) + dims[d].block * begin;
      auto [low, high] = clip(d, first);
      if (low >= high)
        return;
      box.base += dims[d].dram_stride * (first + low);
      box.dims.push_back({dims[d].dram_stride, high - low});
      // Where there is no second block, the way to it may be any number.
      if (end - begin > 1)
        stride += dims[d].dram_stride * dims[d].block;
    }
    box.dims.push_back({stride, end - begin});
    choices.push_back(std::move(box));
  }

  ArrayRef<BoxDim> dims;
  const ExtentValues &extents;
  const Counters &counters;
  bool isExact = true;
};
} // namespace

bool npu::verify::evaluateAccess(const Access &access, const ExtentValues &extents,
                                 const Counters &counters, SmallVectorImpl<RawBox> &boxes) {
  boxes.clear();
  if (access.chip) {
    boxes.push_back(evaluateChip(access, extents, counters));
    return true;
  }
  RawBox box;
  box.base = access.boxBase->evaluate(counters);
  box.run = access.runBytes;
  if (llvm::any_of(access.box, [](const BoxDim &dim) { return dim.block != 0; }))
    return JoinedBoxes(access, extents, counters).run(std::move(box), boxes);
  for (auto [index, dim] : llvm::enumerate(access.box)) {
    int64_t origin = dim.origin.evaluate(counters);
    int64_t low = std::max(origin, dim.low);
    int64_t high = std::min(origin + extents[index], dim.high);
    if (low >= high)
      return true;
    box.base += dim.dram_stride * low;
    box.dims.push_back({dim.dram_stride, high - low});
  }
  boxes.push_back(std::move(box));
  return true;
}

std::pair<Wide, Wide> npu::verify::getCoordinates(const Site &site, const Access &access,
                                                  unsigned index) {
  const BoxDim &dim = access.box[index];
  // Either the full extent or what is left to the edge bounds the last coordinate.
  Wide shift = 0;
  if (dim.block)
    shift = Wide(dim.block) *
            std::max<int64_t>(0, getMaxExtent(access.box[dim.outer].extent, site.trips) - 1);
  Affine edge = dim.origin;
  edge.base += dim.extent.limit.base;
  for (unsigned k = 0; k < maxLoopDepth; ++k)
    edge.coefficients[k] += dim.extent.limit.coefficients[k];
  Wide end = std::min(getMax(dim.origin, site.trips) + getMaxExtent(dim.extent, site.trips),
                      getMax(edge, site.trips)) +
             shift;
  return {std::max<Wide>(dim.low, getMin(dim.origin, site.trips)), std::min<Wide>(dim.high, end)};
}

std::optional<RawBox> npu::verify::getWholeLoopBox(const Site &site, const Access &access) {
  RawBox box;
  box.run = access.runBytes;
  for (unsigned gates = access.gates; gates; gates &= gates - 1)
    if (getMaxExtent(*site.extents[countr_zero(gates)], site.trips) == 0)
      return std::nullopt;
  const Affine &base = access.chip ? access.chip->base : *access.boxBase;
  box.base = base.base;
  for (unsigned k = 0; k < site.depth; ++k)
    box.dims.push_back({base.coefficients[k], site.trips[k]});
  if (access.boxBase) {
    for (unsigned d = 0; d < access.box.size(); ++d) {
      auto [low, high] = getCoordinates(site, access, d);
      if (low >= high)
        return std::nullopt;
      box.base += access.box[d].dram_stride * int64_t(low);
      box.dims.push_back({access.box[d].dram_stride, int64_t(high - low)});
    }
    return box;
  }
  if (access.chip->depth > 1) {
    if (access.chip->position.isConstant()) {
      Address slot = *access.chip;
      slot.base = Affine();
      box.base += evaluate(slot, Counters{});
    } else {
      box.dims.push_back({access.chip->slot_bytes, access.chip->depth});
    }
  }
  for (const ChipDim &dim : access.dims)
    box.dims.push_back(
        {dim.stride,
         countIndices(getMaxExtent(*site.extents[dim.extent], site.trips), dim.divisor)});
  return box;
}
