//===- RaggedConvTest.cpp - a pipelined program and its mutants -----------===//

#include "SimulatorTest.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <random>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

static constexpr int height = 13, width = 9, channels = 5, features = 11;

static std::vector<int8_t> makeRandom(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<int8_t> values(count);
  for (int8_t &value : values)
    value = int8_t(generator());
  return values;
}

static Simulation load() {
  auto buffer = MemoryBuffer::getFile(NPU_SOURCE_DIR "/test/Simulator/ragged-conv.npuasm");
  Simulation simulation(buffer ? (*buffer)->getBuffer().str() : "");
  simulation.set(0, makeRandom(height * width * channels, 1));
  simulation.set(1, makeRandom(3 * 3 * channels * features, 2));
  return simulation;
}

static std::vector<int8_t> compute(const std::vector<int8_t> &x, const std::vector<int8_t> &w) {
  std::vector<int8_t> y(height * width * features);
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j)
      for (int f = 0; f < features; ++f) {
        int sum = 0;
        for (int v = 0; v < 3; ++v)
          for (int u = 0; u < 3; ++u)
            for (int c = 0; c < channels; ++c) {
              int row = i + v - 1, column = j + u - 1;
              bool isInside = row >= 0 && row < height && column >= 0 && column < width;
              int pixel = isInside ? x[(row * width + column) * channels + c] : 2;
              sum += pixel * w[((v * 3 + u) * channels + c) * features + f];
            }
        float scaled = std::nearbyint(float(sum) * 0.00390625f) - 3;
        y[(i * width + j) * features + f] = int8_t(std::min(std::max(scaled, -128.0f), 127.0f));
      }
  return y;
}

TEST(RaggedConv, EqualsTheLoopNest) {
  Simulation simulation = load();
  Result result = simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(2),
            compute(simulation.get<int8_t>(0), simulation.get<int8_t>(1)));
  EXPECT_EQ(result.macs, int64_t(height) * width * features * 9 * channels);
  EXPECT_EQ(result.dramBytesWritten, height * width * features);
  EXPECT_EQ(result.unwrittenOutputBytes, 0);
  // The engines overlap: in sequence they would take longer.
  int64_t work = 0;
  for (const StreamStats &stats : result.streams)
    work += stats.busy + stats.issue;
  EXPECT_LT(result.cycles, work);
}

namespace {
/// Collects the places of an instruction where an address begins.
struct AddressCollector {
  template <typename G>
  void part(StringLiteral, unsigned, G &group) {
    if constexpr (std::is_same_v<G, isa::Address> || std::is_same_v<G, isa::DramSide>)
      bases.push_back(&group.base);
    G::visit(*this, group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned, SmallVector<G, 0> &) {}
  void affineField(const isa::FieldInfo &, isa::Affine &) {}
  void countersField(const isa::FieldInfo &, isa::CounterSet &) {}
  void unsignedField(const isa::FieldInfo &, int64_t &) {}
  void signedField(const isa::FieldInfo &, int64_t &) {}
  void floatField(const isa::FieldInfo &, float &) {}
  void flagField(const isa::FieldInfo &, bool &) {}
  template <typename E>
  void enumField(const isa::FieldInfo &, E &) {}
  void reserved(unsigned, unsigned, unsigned) {}

  std::vector<isa::Affine *> bases;
};
} // namespace

/// Calls `mutate(simulation, instruction)` for a fresh copy of each instruction of the program.
template <typename Mutate>
static void forEachInstruction(Mutate mutate) {
  Simulation original = load();
  for (size_t s = 0; s < original.program.streams.size(); ++s)
    for (size_t i = 0; i < original.program.streams[s].code.size(); ++i)
      mutate(original, [&](Simulation &copy) -> isa::Instruction & {
        return copy.program.streams[s].code[i];
      });
}

TEST(RaggedConv, EveryWaitIsNeeded) {
  int mutants = 0;
  forEachInstruction([&](const Simulation &original, auto getInstruction) {
    for (bool second : {false, true}) {
      Simulation mutant = original;
      isa::Sync *sync = getSync(getInstruction(mutant));
      if (!sync || !(second ? sync->wait1 : sync->wait0))
        continue;
      if (!second) {
        sync->wait0 = sync->wait1;
        sync->value0 = sync->value1;
      }
      sync->wait1 = 0;
      sync->value1 = isa::Affine();
      ++mutants;
      Expected<Result> result = mutant.run();
      EXPECT_FALSE(bool(result)) << "mutant " << mutants << " ran";
      EXPECT_TRUE(bool(result) || result.errorIsA<Trap>());
      consumeError(result.takeError());
    }
  });
  EXPECT_EQ(mutants, 6);
}

TEST(RaggedConv, EverySignalIsNeeded) {
  int mutants = 0;
  forEachInstruction([&](const Simulation &original, auto getInstruction) {
    for (bool second : {false, true}) {
      Simulation mutant = original;
      isa::Sync *sync = getSync(getInstruction(mutant));
      if (!sync || !(second ? sync->signal1 : sync->signal0))
        continue;
      if (!second)
        sync->signal0 = sync->signal1;
      sync->signal1 = 0;
      ++mutants;
      mutant.mustTrap(TrapKind::Deadlock);
    }
  });
  EXPECT_EQ(mutants, 6);
}

TEST(RaggedConv, EveryWaitNeedsItsValue) {
  // One signal less is too early.
  int mutants = 0;
  forEachInstruction([&](const Simulation &original, auto getInstruction) {
    for (bool second : {false, true}) {
      Simulation mutant = original;
      isa::Sync *sync = getSync(getInstruction(mutant));
      if (!sync || !(second ? sync->wait1 : sync->wait0))
        continue;
      --(second ? sync->value1 : sync->value0).base;
      ++mutants;
      Expected<Result> result = mutant.run();
      EXPECT_FALSE(bool(result)) << "mutant " << mutants << " ran";
      consumeError(result.takeError());
    }
  });
  EXPECT_EQ(mutants, 6);
}

TEST(RaggedConv, EveryAddressMatters) {
  std::vector<int8_t> expected;
  {
    Simulation original = load();
    original.mustRun();
    expected = original.get<int8_t>(2);
  }
  int mutants = 0, trapped = 0;
  forEachInstruction([&](const Simulation &original, auto getInstruction) {
    for (int shift : {-4, -1, 1, 4})
      for (size_t k = 0;; ++k) {
        Simulation mutant = original;
        AddressCollector addresses;
        std::visit([&](auto &held) { std::decay_t<decltype(held)>::visit(addresses, held); },
                   getInstruction(mutant));
        if (k >= addresses.bases.size())
          break;
        addresses.bases[k]->base += shift;
        ++mutants;
        Expected<Result> result = mutant.run();
        trapped += !result;
        if (result) {
          EXPECT_NE(mutant.get<int8_t>(2), expected);
        }
        consumeError(result.takeError());
      }
  });
  EXPECT_EQ(mutants, 48);
  EXPECT_GT(trapped, 20);
}
