//===- AgreementTest.cpp - the verifier against the simulator -------------===//
//
// Random single instructions, in loops or not, with good and bad types, memories, addresses and
// regions. What the verifier accepts must not trap for a reason that does not depend on data or
// timing, and what it refuses must trap.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Verify/Verify.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <map>
#include <random>

using namespace llvm;
using namespace npu;
using namespace npu::isa;

namespace {
/// Fills an instruction with small numbers, so that some programs are right and some are not.
class Filler {
public:
  Filler(std::mt19937_64 &random, unsigned loops) : random(random), loops(loops) {}

  template <typename G>
  void part(StringLiteral, unsigned, G &group) {
    G::visit(*this, group);
    adjust(group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned max, SmallVector<G, 0> &entries) {
    entries.resize(pick(0, max));
    for (G &entry : entries)
      part("", 0, entry);
    if constexpr (std::is_same_v<G, BoxDim>)
      join(entries);
  }

  void unsignedField(const FieldInfo &info, int64_t &value) {
    if (info.name == "clusters")
      value = one(12) ? pick(0, 7) : 0;
    else if (info.name.ends_with("_bytes")) // pitches
      value = makeDistance(16, 8);
    else
      value = pick(0, 4) * info.scale;
  }
  void signedField(const FieldInfo &info, int64_t &value) {
    if (info.name == "low")
      value = one(2) ? 0 : pick(-4, 3);
    else if (info.name == "high")
      value = pick(0, 8);
    else
      value = one(20) ? extreme(info) : makeDistance(8, 4) * (one(5) ? -1 : 1);
  }
  void affineField(const FieldInfo &, Affine &value) {
    value.base = pick(-1, 6);
    for (unsigned k = 0; k < loops; ++k)
      value.coefficients[k] = one(3) ? pick(-3, 3) : 0;
  }
  void floatField(const FieldInfo &, float &value) { value = 0.5; }
  void flagField(const FieldInfo &, bool &value) { value = one(2); }
  void countersField(const FieldInfo &, CounterSet &value) {
    value = random() & ((1u << loops) - 1);
  }
  template <typename E>
  void enumField(const FieldInfo &, E &value) {
    value = EnumTraits<E>::cases[random() % std::size(EnumTraits<E>::cases)].value;
    // Types that agree by chance are rare.
    if constexpr (std::is_same_v<E, ElementType>) {
      if (!usual)
        usual = value;
      else if (!one(4))
        value = *usual;
    }
  }
  void reserved(unsigned, unsigned, unsigned) {}

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  bool one(unsigned of) { return random() % of == 0; }

private:
  int64_t extreme(const FieldInfo &info) {
    int64_t most = (int64_t(1) << (info.width - 1)) - 1;
    return one(2) ? most : -most - 1;
  }
  int64_t makeDistance(int64_t most, int64_t unit) {
    int64_t value = pick(0, most);
    return one(6) ? value : value / unit * unit;
  }

  template <typename G>
  void adjust(G &) {}
  void adjust(Sync &sync) { sync = Sync(); }
  void adjust(Address &address) {
    address.base.base = one(8) ? pick(-4, 1030) : 8 * pick(0, 24);
    for (unsigned k = 0; k < loops; ++k)
      address.base.coefficients[k] = one(2) ? makeDistance(16, 8) * (one(4) ? -1 : 1) : 0;
    address.depth = one(3) ? pick(2, 3) : 1;
    if (address.depth == 1)
      address.slot_bytes = 0, address.position = Affine();
    // As the array wants it, most of the time.
    if (one(3))
      address.space = one(2) ? MemorySpace::Sram : MemorySpace::Acc;
    else
      address.space = numAddresses++ == 2 ? MemorySpace::Acc : MemorySpace::Sram;
  }
  void adjust(Extent &extent) {
    extent.full = one(10) ? 0 : pick(1, 4);
    if (one(3)) {
      extent.limit = fixedExtent(extent.full).limit;
      return;
    }
    if (extent.limit.isConstant())
      extent.limit.base = std::clamp<int64_t>(extent.limit.base, 0, extent.full);
  }
  void adjust(Accumulate &accumulate) {
    adjustAccumulation(accumulate);
    if (!accumulate.biased)
      accumulate.start = makeAddress();
    numAddresses = 0;
  }
  void adjust(Reduction &reduction) { adjustAccumulation(reduction); }
  template <typename G>
  void adjustAccumulation(G &group) {
    if (group.counters == 0 && group.mode == AccumulateMode::Unless)
      group.mode = AccumulateMode::Always;
    if (group.mode != AccumulateMode::Unless)
      group.counters = 0;
  }
  void adjust(DramSide &side) {
    side.region = pick(0, 3);
    side.base = one(8) ? pick(-4, 260) : 4 * pick(0, 20);
    for (unsigned k = 0; k < loops; ++k)
      side.base.coefficients[k] = one(2) ? pick(-9, 9) : 0;
  }
  void join(SmallVectorImpl<BoxDim> &dims) {
    for (BoxDim &dim : dims)
      dim.block = dim.outer = 0;
    for (size_t d = 1; d < dims.size(); ++d)
      if (one(2) && dims[0].block == 0)
        dims[d].block = one(20) ? 4294967295 : pick(1, 4);
  }

  std::mt19937_64 &random;
  unsigned loops;
  unsigned numAddresses = 0;
  std::optional<ElementType> usual;
};

struct Judgment {
  std::string verifier;
  std::optional<sim::TrapKind> trap;
  std::string trapMessage;
};
} // namespace

static bool isWellFormed(const Instruction &instruction) {
  return test::getMessage(checkInstruction(instruction)).empty();
}

static std::string print(const Program &program) {
  std::string text;
  raw_string_ostream os(text);
  printAssembly(program, os);
  return text;
}

template <size_t I = 0>
static Instruction makeInstruction(size_t kind, Filler &filler) {
  if constexpr (I + 1 < std::variant_size_v<Instruction>)
    if (kind != I)
      return makeInstruction<I + 1>(kind, filler);
  std::variant_alternative_t<I, Instruction> instruction;
  using T = decltype(instruction);
  T::visit(filler, instruction);
  if constexpr (std::is_same_v<T, VpuReduce> || std::is_same_v<T, VpuArgReduce>)
    instruction.dst.stride3 = 0;
  return instruction;
}

/// A program with the instruction in `trips` loops, after everything on chip has been filled with
/// bytes that are a legal shift.
static std::optional<Program> makeProgram(std::mt19937_64 &random, const std::string &target) {
  Program program;
  program.name = "random";
  program.target = target;
  program.regions = {{RegionKind::Input, "x", 256, {}},
                     {RegionKind::Output, "y", 256, {}},
                     {RegionKind::InOut, "z", 256, {}},
                     {RegionKind::Constants, "c", 64, std::vector<uint8_t>(64, 5)}};
  unsigned loops = random() % 3;
  size_t kind = random() % std::variant_size_v<Instruction>;
  Filler filler(random, loops);
  Instruction instruction = makeInstruction(kind, filler);
  if (std::holds_alternative<Loop>(instruction) || std::holds_alternative<EndLoop>(instruction) ||
      std::holds_alternative<Halt>(instruction) || !isWellFormed(instruction))
    return std::nullopt;

  auto fill = [](MemorySpace space, int64_t bytes) {
    VpuFill fill;
    fill.shape.d0 = fill.shape.d1 = fill.shape.d2 = fixedExtent(1);
    fill.shape.d3 = fixedExtent(bytes / 4);
    fill.dst.at = fixedAddress(space, 0);
    fill.dst.type = ElementType::I32;
    fill.dst.stride3 = 4;
    fill.value.bits = 0x05050505;
    return fill;
  };
  Synchronize ready, wait;
  ready.sync.signal0 = wait.sync.wait0 = 1;
  wait.sync.value0 = 1;
  std::vector<Instruction> first = {fill(MemorySpace::Sram, 1024), fill(MemorySpace::Acc, 256),
                                    ready};
  std::vector<Instruction> body = {wait};
  for (unsigned k = 0; k < loops; ++k) {
    Loop loop;
    loop.count.trips = filler.pick(1, 3);
    body.push_back(loop);
  }
  body.push_back(instruction);
  body.insert(body.end(), loops, EndLoop());
  unsigned engines = getEngines(instruction);
  EngineKind engine = EngineKind(llvm::countr_zero(engines));
  if (engine == EngineKind::Vpu) {
    first.insert(first.end(), body.begin() + 1, body.end());
  } else {
    body.push_back(Halt());
    program.streams.push_back({0, engine, body});
  }
  first.push_back(Halt());
  program.streams.push_back({0, EngineKind::Vpu, first});
  return program;
}

/// Kinds of traps that the program alone decides.
static bool isStatic(sim::TrapKind kind) {
  switch (kind) {
  case sim::TrapKind::OutOfBounds:
  case sim::TrapKind::Misaligned:
  case sim::TrapKind::ReadOnlyRegion:
  case sim::TrapKind::UnsupportedType:
  case sim::TrapKind::BadOperand:
    return true;
  default:
    return false;
  }
}

static Judgment judge(const Program &program) {
  Judgment verdict;
  verdict.verifier = test::getMessage(verifyRanges(program));
  std::vector<std::vector<uint8_t>> data;
  for (const Region &region : program.regions)
    data.emplace_back(region.kind == RegionKind::Constants ? 0 : region.bytes, 5);
  std::vector<MutableArrayRef<uint8_t>> regions(data.begin(), data.end());
  // An instruction that overlaps itself is no matter of ranges.
  sim::Options options;
  options.checkRaces = false;
  Expected<sim::Result> result = sim::simulate(program, regions, options);
  if (!result)
    handleAllErrors(result.takeError(), [&](const sim::Trap &trap) {
      verdict.trap = trap.kind;
      verdict.trapMessage = trap.message();
    });
  return verdict;
}

TEST(Agreement, VerifierAndSimulatorRefuseTheSameInstructions) {
  const char *rounds = std::getenv("NPU_FUZZ_ROUNDS"), *seed = std::getenv("NPU_FUZZ_SEED");
  std::mt19937_64 random(seed ? std::atoll(seed) : 7);
  const std::string targets[] = {
      "npu-v1:sramBytes=1024,accBytes=256,macRows=4,macCols=4,macsPerCycleI8=16,"
      "macsPerCycleI16I8=16,macsPerCycleF16=16,macsPerCycleF32=4,clusters=2",
      "npu-tiny:sramBytes=1024,accBytes=256"};
  std::map<std::string, unsigned> accepted, refused;
  unsigned disagreements = 0;
  for (int64_t left = rounds ? std::atoll(rounds) : 20000; left > 0;) {
    std::optional<Program> program = makeProgram(random, targets[random() % 2]);
    if (!program)
      continue;
    --left;
    Judgment verdict = judge(*program);
    // What a shift or an index is depends on the bytes in memory.
    bool isData = StringRef(verdict.trapMessage).contains("operand 'shift' must lie in") ||
                  StringRef(verdict.trapMessage).contains("chooses none of the");
    bool traps = verdict.trap && isStatic(*verdict.trap) && !isData;
    if (verdict.trap && !traps) // an uninitialized output, say
      continue;
    std::string rule = StringRef(verdict.verifier).split(':').first.str();
    ++(verdict.verifier.empty() ? accepted[""] : refused[rule]);
    if (traps == !verdict.verifier.empty())
      continue;
    if (++disagreements <= 5)
      ADD_FAILURE() << "verifier: " << verdict.verifier << "\nsimulator: " << verdict.trapMessage
                    << "\n"
                    << print(*program);
  }
  EXPECT_EQ(disagreements, 0u);
  // All rules are hit, and programs pass.
  EXPECT_GT(accepted[""], 1000u);
  for (const char *rule : {"range", "alignment", "access rights", "operand space", "operand type"})
    EXPECT_GT(refused[rule], 50u) << rule;
}
