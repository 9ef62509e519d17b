//===- HostileTest.cpp - random programs do no more than be refused -------===//
//
// Meant for the sanitizers (preset `sanitize`); elsewhere it checks that nothing crashes or hangs.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTest.h"

#include "../Target/RandomProgram.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

namespace {
/// Makes most fields small, so that some instructions get past the checks.
class Tamer {
public:
  Tamer(std::mt19937_64 &random, unsigned wildness) : random(random), wildness(wildness) {}

  template <typename G>
  void part(StringLiteral, unsigned, G &group) {
    G::visit(*this, group);
    if constexpr (std::is_same_v<G, isa::Extent>)
      if (group.limit.isConstant())
        group.limit.base = std::clamp<int64_t>(group.limit.base, 0, group.full);
    if constexpr (std::is_same_v<G, isa::Address>) {
      group.depth = std::max<int64_t>(1, group.depth);
      if (group.depth == 1)
        group.slot_bytes = 0, group.position = isa::Affine();
    }
    if constexpr (std::is_same_v<G, isa::BoxDim>)
      if (isTame()) {
        group.block = group.outer = group.low = 0;
        group.dram_stride = random() % 2;
        group.high = random() % 40;
      }
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned, SmallVector<G, 0> &entries) {
    for (G &entry : entries)
      part("", 0, entry);
  }
  void unsignedField(const isa::FieldInfo &info, int64_t &value) {
    if (isTame() && info.width > 8)
      value = int64_t(random() % 20) * info.scale;
  }
  void signedField(const isa::FieldInfo &info, int64_t &value) {
    if (isTame() && info.width > 8)
      value = (int64_t(random() % 24) - 4) * info.scale;
  }
  void affineField(const isa::FieldInfo &, isa::Affine &value) {
    if (isTame())
      value = isa::Affine(int64_t(random() % 24) - 1);
  }
  void countersField(const isa::FieldInfo &, isa::CounterSet &) {}
  void floatField(const isa::FieldInfo &, float &) {}
  void flagField(const isa::FieldInfo &, bool &) {}
  template <typename E>
  void enumField(const isa::FieldInfo &, E &) {}
  void reserved(unsigned, unsigned, unsigned) {}

private:
  bool isTame() { return random() % 100 >= wildness; }

  std::mt19937_64 &random;
  unsigned wildness; ///< per cent
};
} // namespace

/// Gives a gather indices that there are. Each is what lies in the memory, 0x05050505, so there are
/// more rows than that, all at the same place.
static void tameGather(isa::DmaGather &gather, std::mt19937_64 &random) {
  gather.to.space = gather.indices.space = isa::MemorySpace::Sram;
  gather.indices.base = isa::Affine(random() % 500 * sizeof(int32_t));
  gather.from.region = 0;
  gather.flags.clusters = 0;
  SmallVector<int64_t> strides;
  for (const isa::BoxDim &dim : gather.dims)
    strides.push_back(dim.block == 0 && random() % 2 ? sizeof(int32_t) : 0);
  setIndexStrides(gather.chosen, strides);
  gather.chosen.rows = std::numeric_limits<uint32_t>::max();
  gather.chosen.row_bytes = 0;
}

/// The instruction alone, inside loops, once all memories are initialized.
static isa::Program makeProgram(isa::Instruction instruction, std::mt19937_64 &random) {
  isa::Program program = cantFail(isa::parseAssembly(R"(
.kernel "hostile"
.target "npu-v1:sramBytes=4096,accBytes=1024,clusters=2"
.region 0 constants "c" 100
.data 0 ")" + std::string(200, '1') + R"("
.region 1 output "y" 1000
.source 1 "source"
.stream 0 vpu
  vpu.fill shape=[1, 1, 1, 4096], dst=i8 sram[0] strides(0, 0, 0, 1), value={bits=5}
  vpu.fill signal(s65535) shape=[1, 1, 1, 1024], dst=i8 acc[0] strides(0, 0, 0, 1), value={bits=5}
  halt
)",
                                                     "hostile"));
  isa::Sync &sync = *getSync(instruction);
  sync = isa::Sync();
  sync.wait0 = 65535;
  sync.value0 = isa::Affine(1);
  auto engine = isa::EngineKind(countr_zero(getEngines(instruction)));
  std::vector<isa::Instruction> code;
  for (unsigned depth = 0; depth < isa::maxLoopDepth; ++depth) {
    isa::Loop loop;
    loop.count.trips = random() % 20 == 0 ? 4294967295 : 1 + random() % 2;
    code.push_back(loop);
  }
  code.push_back(instruction);
  code.resize(code.size() + isa::maxLoopDepth, isa::EndLoop());
  if (engine == isa::EngineKind::Vpu) {
    std::vector<isa::Instruction> &vpu = program.streams[0].code;
    vpu.insert(vpu.end() - 1, code.begin(), code.end());
  } else {
    code.push_back(isa::Halt());
    isa::Stream stream{0, engine, code};
    bool isFirst = engine < isa::EngineKind::Vpu;
    program.streams.insert(isFirst ? program.streams.begin() : program.streams.end(), stream);
  }
  return program;
}

TEST(Hostile, RandomInstructions) {
  std::mt19937_64 random(1);
  std::map<std::string, int> ran;
  for (int i = 0; i < 40000; ++i) {
    isa::Instruction instruction = isa::makeRandomInstruction(random);
    if (!getSync(instruction))
      continue;
    unsigned wildness = i % 3 == 0 ? 30 : i % 3 == 1 ? 5 : 0;
    Tamer tamer(random, wildness);
    std::visit([&](auto &held) { std::decay_t<decltype(held)>::visit(tamer, held); }, instruction);
    if (auto *gather = std::get_if<isa::DmaGather>(&instruction); gather && wildness == 0)
      tameGather(*gather, random);
    isa::Program program = makeProgram(instruction, random);
    std::vector<uint8_t> y(1000);
    std::vector<MutableArrayRef<uint8_t>> regions = {{}, y};
    Options options;
    options.cycleLimit = 20000;
    options.stepLimit = 20000;
    options.checkRaces = i % 4 != 0;
    Expected<Result> result = simulate(program, regions, options);
    ran[getMnemonic(instruction).str()] += bool(result);
    if (!result)
      consumeError(result.takeError());
  }
  for (auto &[mnemonic, count] : ran)
    EXPECT_GT(count, 0) << mnemonic << " never got past its checks";
}

TEST(Hostile, RandomPrograms) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    isa::Program program = isa::makeRandomProgram(random, 20);
    std::vector<uint8_t> scratch(1 << 20);
    std::vector<MutableArrayRef<uint8_t>> regions = {{}, scratch};
    Options options;
    options.cycleLimit = 100000;
    options.stepLimit = 100000;
    consumeError(simulate(program, regions, options).takeError());
  }
}

TEST(HostileTest, LargeRegionsAreRefusedBeforeTheyAreAllocated) {
  isa::Program program = cantFail(isa::parseAssembly(R"(
.kernel "hostile"
.target "npu-v1"
.region 0 input "x" 1099511627776
.region 1 output "y" 1000
.stream 0 mxu
  halt
)",
                                                     "hostile.npuasm"));
  Options options;
  EXPECT_EQ(toString(checkMemory(program, options)),
            "the regions of kernel 'hostile' need 1099511632776 bytes of memory, more than the "
            "limit of 17179869184; use smaller shapes or a larger --memory-limit");
  options.memoryLimit = 1099511632776;
  EXPECT_EQ(toString(checkMemory(program, options)), "");
}
