//===- RandomProgram.cpp - random valid instructions and programs ---------===//

#include "RandomProgram.h"

#include "NPU/Target/ISA/Codec.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu::isa;

namespace {
/// Fills every field with a random value of its range, then makes the groups canonical.
class Filler {
public:
  explicit Filler(std::mt19937_64 &random) : random(random) {}

  template <typename G>
  void part(StringLiteral, unsigned, G &group) {
    G::visit(*this, group);
    makeCanonical(group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned max, SmallVector<G, 0> &entries) {
    entries.resize(pick(0, max));
    for (G &entry : entries)
      part("", 0, entry);
  }
  void unsignedField(const FieldInfo &info, int64_t &value) {
    value = pick(0, maskTrailingOnes<uint64_t>(info.width)) * info.scale;
  }
  void signedField(const FieldInfo &info, int64_t &value) {
    value = pick(minIntN(info.width), maxIntN(info.width)) * info.scale;
  }
  void affineField(const FieldInfo &info, Affine &value) {
    value.base = pick(minIntN(info.width), maxIntN(info.width));
    for (int64_t &coefficient : value.coefficients)
      coefficient = pick(0, 2) ? 0 : pick(minIntN(40), maxIntN(40));
  }
  void floatField(const FieldInfo &, float &value) { value = bit_cast<float>(uint32_t(random())); }
  void flagField(const FieldInfo &, bool &value) { value = random() & 1; }
  void countersField(const FieldInfo &info, CounterSet &value) {
    value = random() & maskTrailingOnes<uint64_t>(info.width);
  }
  template <typename E>
  void enumField(const FieldInfo &, E &value) {
    value = EnumTraits<E>::cases[random() % std::size(EnumTraits<E>::cases)].value;
  }
  void reserved(unsigned, unsigned, unsigned) {}

  /// Small, extreme and arbitrary values of [min, max] are equally likely.
  int64_t pick(int64_t min, int64_t max) {
    switch (random() % 4) {
    case 0:
      return min;
    case 1:
      return max;
    case 2:
      return std::clamp<int64_t>(int64_t(random() % 200) - 100, min, max);
    default:
      return min + static_cast<int64_t>(random() % (static_cast<uint64_t>(max - min) + 1));
    }
  }

private:
  template <typename G>
  void makeCanonical(G &) {}
  void makeCanonical(LoopCount &count) { count.trips = std::max<int64_t>(1, count.trips); }
  void makeCanonical(DramSide &side) { side.region = random() & 1; }
  void makeCanonical(Sync &sync) {
    if (!sync.wait0)
      sync.wait1 = 0, sync.value0 = Affine();
    if (!sync.wait1)
      sync.value1 = Affine();
    if (!sync.signal0)
      sync.signal1 = 0;
  }
  void makeCanonical(Address &address) {
    address.depth = std::max<int64_t>(1, address.depth);
    if (address.depth == 1)
      address.slot_bytes = 0, address.position = Affine();
  }
  void makeCanonical(Extent &extent) {
    if (extent.limit.isConstant())
      extent.limit.base = std::clamp<int64_t>(extent.limit.base, 0, extent.full);
  }
  void makeCanonical(Accumulate &accumulate) {
    makeAccumulationCanonical(accumulate);
    if (!accumulate.biased)
      accumulate.start = makeAddress();
  }
  void makeCanonical(Reduction &reduction) { makeAccumulationCanonical(reduction); }
  template <typename G>
  void makeAccumulationCanonical(G &group) {
    if (group.mode != AccumulateMode::Unless)
      group.counters = 0;
    else if (group.counters == 0)
      group.counters = 1;
  }
  void makeCanonical(BoxDim &dim) {
    dim.block = 0; // joined dimensions are made where all of them are known
    dim.outer = 0;
  }

  std::mt19937_64 &random;
};
} // namespace

static void joinDims(SmallVector<BoxDim, 0> &dims, std::mt19937_64 &random) {
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i - 1].block == 0 && random() % 3 == 0) {
      dims[i].block = 1 + random() % 64;
      dims[i].outer = i - 1;
    }
}

/// Indices lie along dimensions that there are.
static void makeCanonicalGather(DmaGather &gather) {
  auto strides = getIndexStrides(gather.chosen);
  setIndexStrides(gather.chosen, ArrayRef(strides).take_front(gather.dims.size()));
  gather.chosen.rows = std::max<int64_t>(1, gather.chosen.rows);
}

template <size_t... I>
static std::vector<Instruction> makeOneOfEach(std::index_sequence<I...>) {
  return {Instruction(std::in_place_index<I>)...};
}

Instruction npu::isa::makeRandomInstruction(std::mt19937_64 &random) {
  static const std::vector<Instruction> all =
      makeOneOfEach(std::make_index_sequence<std::variant_size_v<Instruction>>());
  Instruction instruction = all[random() % all.size()];
  Filler filler(random);
  std::visit(
      [&](auto &held) {
        std::decay_t<decltype(held)>::visit(filler, held);
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, DmaLoad> ||
                      std::is_same_v<std::decay_t<decltype(held)>, DmaStore>)
          joinDims(held.dims, random);
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, DmaGather>)
          makeCanonicalGather(held);
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, VpuReduce> ||
                      std::is_same_v<std::decay_t<decltype(held)>, VpuArgReduce>)
          held.dst.stride3 = 0;
        held.source = random() & 1;
      },
      instruction);
  return instruction;
}

Program npu::isa::makeRandomProgram(std::mt19937_64 &random, unsigned count) {
  Program program;
  program.name = "random \"quoted\" \\ kernel\n";
  program.target = "npu-v1-x4";
  program.regions = {{RegionKind::Constants, "weights", 5, {1, 2, 3, 250, 255}},
                     {RegionKind::Scratch, "scratch", 1 << 20, {}}};
  program.sources = {"a source"};
  for (int64_t cluster = 0; cluster < 4; ++cluster)
    for (const EnumCase<EngineKind> &engine : EnumTraits<EngineKind>::cases) {
      Stream stream{cluster, engine.value, {}};
      for (unsigned depth = 0; depth < maxLoopDepth; ++depth) {
        Loop loop;
        loop.count.trips = 1 + random() % 10;
        stream.code.push_back(loop);
      }
      program.streams.push_back(std::move(stream));
    }
  for (unsigned i = 0; i < count; ++i) {
    Instruction instruction = makeRandomInstruction(random);
    if (getSync(instruction) == nullptr)
      continue; // loops and halt are where the program needs them
    for (Stream &stream : program.streams)
      if (getEngines(instruction) >> unsigned(stream.engine) & 1 && random() % 4 == 0)
        stream.code.push_back(instruction);
  }
  for (Stream &stream : program.streams) {
    stream.code.resize(stream.code.size() + maxLoopDepth, EndLoop());
    stream.code.push_back(Halt());
  }
  return program;
}
