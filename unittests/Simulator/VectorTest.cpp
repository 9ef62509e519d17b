//===- VectorTest.cpp - vector instructions -------------------------------===//

#include "SimulatorTest.h"

#include "NPU/Simulator/MathSequences.h"

#include <limits>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

static const float infinity = std::numeric_limits<float>::infinity();
static const float nan32 = math::getNaN();

/// `type sram[address] strides(0, 0, 0, bytes)`.
static std::string operand(StringRef type, int address) {
  unsigned bytes = type == "i8" ? 1 : type.contains("16") ? 2 : 4;
  return formatv("{0} sram[{1}] strides(0, 0, 0, {2})", type, address, bytes);
}

/// Runs a vector instruction on contiguous operands.
template <typename Out>
static std::vector<Out> run(StringRef mnemonic, StringRef dstType,
                            std::vector<std::pair<std::string, std::string>> operands,
                            std::vector<std::vector<uint8_t>> inputs, StringRef rest,
                            size_t count) {
  std::string text = formatv("shape=[1, 1, 1, {0}], dst={1}", count, operand(dstType, 262144));
  for (auto [index, named] : llvm::enumerate(operands))
    text += ", " + named.first + "=" + operand(named.second, 16384 * index);
  if (!rest.empty())
    text += ", " + rest.str();
  return fromBytes<Out>(
      runInstruction(inputs, "vpu", mnemonic.str(), text, "sram[262144]", count * sizeof(Out)));
}

template <typename T>
static std::vector<T> runUnary(StringRef kind, StringRef type, const std::vector<T> &a) {
  return run<T>("vpu.unary", type, {{"a", type.str()}}, {toBytes(a)},
                ("op={kind=" + kind + "}").str(), a.size());
}

template <typename T, typename Out = T>
static std::vector<Out> runBinary(StringRef kind, StringRef type, const std::vector<T> &a,
                                  const std::vector<T> &b, StringRef outType = "") {
  return run<Out>("vpu.binary", outType.empty() ? type : outType,
                  {{"a", type.str()}, {"b", type.str()}}, {toBytes(a), toBytes(b)},
                  ("op={kind=" + kind + "}").str(), a.size());
}

template <typename T>
static std::vector<uint32_t> getPatterns(const std::vector<T> &values) {
  return fromBytes<uint32_t>(toBytes(values));
}

using Ints = std::vector<int32_t>;
using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;
using Floats = std::vector<float>;

TEST(Vector, Iota) {
  auto run = [](StringRef type, unsigned bytes, StringRef values) {
    return runInstruction({}, "vpu", "vpu.iota",
                          formatv("shape=[1, 2, 1, 3], dst={0} sram[64] strides(0, {1}, 0, {2}), "
                                  "values={{{3}}",
                                  type, 3 * bytes, bytes, values)
                              .str(),
                          "sram[64]", 6 * bytes);
  };
  EXPECT_EQ(fromBytes<int32_t>(run("i32", 4, "start=-5, step1=100, step3=-2")),
            (Ints{-5, -7, -9, 95, 93, 91}));
  // Results wrap, in i32 and in the destination's type.
  EXPECT_EQ(fromBytes<int8_t>(run("i8", 1, "start=126, step1=256, step3=1")),
            (Bytes{126, 127, -128, 126, 127, -128}));
  EXPECT_EQ(fromBytes<int32_t>(run("i32", 4, "start=2147483647, step3=1"))[1],
            std::numeric_limits<int32_t>::min());
}

TEST(Vector, Fill) {
  EXPECT_EQ(run<int16_t>("vpu.fill", "i16", {}, {}, "value={bits=65541}", 3), Shorts({5, 5, 5}));
  EXPECT_EQ(run<uint16_t>("vpu.fill", "f16", {}, {}, "value={bits=1065353216}", 2),
            std::vector<uint16_t>({0x3c00, 0x3c00}));
}

TEST(Vector, UnaryIntegers) {
  Ints a = {5, -5, INT32_MIN, 0};
  EXPECT_EQ(runUnary("neg", "i32", a), Ints({-5, 5, INT32_MIN, 0}));
  EXPECT_EQ(runUnary("abs", "i32", a), Ints({5, 5, INT32_MIN, 0}));
  EXPECT_EQ(runUnary("not", "i32", a), Ints({-6, 4, INT32_MAX, -1}));
  EXPECT_EQ(runUnary("abs", "i8", Bytes({-128, -3})), Bytes({-128, 3}));
}

TEST(Vector, UnaryFloats) {
  Floats a = {0.5f, 1.5f, -2.5f, -0.5f, 8388609.0f, -0.0f};
  EXPECT_EQ(getPatterns(runUnary("roundeven", "f32", a)),
            getPatterns(Floats({0, 2, -2, -0.0f, 8388609.0f, -0.0f})));
  EXPECT_EQ(runUnary("floor", "f32", a), Floats({0, 1, -3, -1, 8388609.0f, 0}));
  EXPECT_EQ(runUnary("ceil", "f32", a), Floats({1, 2, -2, 0, 8388609.0f, 0}));
  EXPECT_EQ(runUnary("copy", "f32", a), a);
  EXPECT_EQ(runUnary("abs", "f32", a), Floats({0.5f, 1.5f, 2.5f, 0.5f, 8388609.0f, 0}));
  Floats x = {0.25f, 2.0f, 3.75f, 1e-3f, 80.0f};
  auto check = [&](StringRef kind, float (*function)(float)) {
    Floats expected;
    for (float value : x)
      expected.push_back(function(value));
    EXPECT_EQ(runUnary(kind, "f32", x), expected) << kind.str();
  };
  check("exp", math::exp);
  check("log", math::log);
  check("tanh", math::tanh);
  check("sigmoid", math::sigmoid);
  check("erf", math::erf);
  check("sqrt", math::sqrt);
  check("rsqrt", math::rsqrt);
  check("reciprocal", math::reciprocal);
  check("exp2", math::exp2);
  check("sin", math::sin);
  check("cos", math::cos);
  EXPECT_EQ(getPatterns(runUnary("neg", "f32", Floats({nan32, 1}))),
            getPatterns(Floats({nan32, -1})));
}

TEST(Vector, BinaryIntegers) {
  Ints a = {7, -7, INT32_MAX, INT32_MIN, 6}, b = {2, 2, 1, -1, 0};
  EXPECT_EQ(runBinary("add", "i32", a, b), Ints({9, -5, INT32_MIN, INT32_MAX, 6}));
  EXPECT_EQ(runBinary("sub", "i32", a, b), Ints({5, -9, INT32_MAX - 1, INT32_MIN + 1, 6}));
  EXPECT_EQ(runBinary("mul", "i32", a, b), Ints({14, -14, INT32_MAX, INT32_MIN, 0}));
  EXPECT_EQ(runBinary("div", "i32", a, b), Ints({3, -3, INT32_MAX, INT32_MIN, 0}));
  EXPECT_EQ(runBinary("min", "i32", a, b), Ints({2, -7, 1, INT32_MIN, 0}));
  EXPECT_EQ(runBinary("max", "i32", a, b), Ints({7, 2, INT32_MAX, -1, 6}));
  EXPECT_EQ(runBinary("and", "i32", Ints({6}), Ints({3})), Ints({2}));
  EXPECT_EQ(runBinary("or", "i32", Ints({6}), Ints({3})), Ints({7}));
  EXPECT_EQ(runBinary("xor", "i32", Ints({6}), Ints({3})), Ints({5}));
  Ints shifts = {1, 31, 32, -1}, value = {-8, -8, -8, -8};
  EXPECT_EQ(runBinary("shl", "i32", value, shifts), Ints({-16, 0, 0, 0}));
  EXPECT_EQ(runBinary("shr", "i32", value, shifts), Ints({-4, -1, -1, -8}));
  EXPECT_EQ(runBinary("shru", "i32", value, shifts), Ints({0x7ffffffc, 1, 0, 0}));
  EXPECT_EQ(runBinary("add", "i8", Bytes({127, -1}), Bytes({1, 1})), Bytes({-128, 0}));
}

TEST(Vector, BinaryFloats) {
  Floats a = {1, -0.0f, nan32, 3, infinity}, b = {2, 0.0f, 1, nan32, -infinity};
  EXPECT_EQ(getPatterns(runBinary("min", "f32", a, b)),
            getPatterns(Floats({1, -0.0f, nan32, nan32, -infinity})));
  EXPECT_EQ(getPatterns(runBinary("max", "f32", b, a)),
            getPatterns(Floats({2, 0.0f, nan32, nan32, infinity})));
  EXPECT_EQ(getPatterns(runBinary("add", "f32", a, b)),
            getPatterns(Floats({3, 0.0f, nan32, nan32, nan32})));
  EXPECT_EQ(runBinary("div", "f32", Floats({1, 1}), Floats({4, 0})), Floats({0.25f, infinity}));
  EXPECT_EQ((runBinary<float, int8_t>("cmplt", "f32", a, b, "i8")), Bytes({1, 0, 0, 0, 0}));
  EXPECT_EQ((runBinary<float, int8_t>("cmpne", "f32", a, b, "i8")), Bytes({1, 0, 1, 1, 1}));
  // 2049 lies between two f16 and rounds to the even one; 65520 rounds to infinity.
  using Halves = std::vector<uint16_t>;
  EXPECT_EQ(
      runBinary("add", "f16", Halves({0x6800, 0x7bff, 0x0001}), Halves({0x3c00, 0x4c00, 0x0001})),
      Halves({0x6800, 0x7c00, 0x0002}));
  EXPECT_EQ(runBinary("add", "bf16", Halves({0x4380}), Halves({0x3f80})), Halves({0x4380}));
}

TEST(Vector, Comparisons) {
  Ints a = {1, 2, 3}, b = {2, 2, 2};
  EXPECT_EQ(runBinary("cmpeq", "i32", a, b), Ints({0, 1, 0}));
  EXPECT_EQ(runBinary("cmpne", "i32", a, b), Ints({1, 0, 1}));
  EXPECT_EQ(runBinary("cmplt", "i32", a, b), Ints({1, 0, 0}));
  EXPECT_EQ(runBinary("cmple", "i32", a, b), Ints({1, 1, 0}));
  EXPECT_EQ(runBinary("cmpgt", "i32", a, b), Ints({0, 0, 1}));
  EXPECT_EQ(runBinary("cmpge", "i32", a, b), Ints({0, 1, 1}));
}

TEST(Vector, BinaryImm) {
  EXPECT_EQ(run<int32_t>("vpu.binary_imm", "i32", {{"a", "i32"}}, {toBytes(Ints({1, 2}))},
                         "op={kind=sub, immediate=4294967295}", 2),
            Ints({2, 3}));
  EXPECT_EQ(run<float>("vpu.binary_imm", "f32", {{"a", "f32"}}, {toBytes(Floats({1, 3}))},
                       "op={kind=mul, immediate=1073741824}", 2),
            Floats({2, 6}));
}

TEST(Vector, Select) {
  EXPECT_EQ(run<float>("vpu.select", "f32", {{"condition", "i8"}, {"a", "f32"}, {"b", "f32"}},
                       {toBytes(Bytes({1, 0, -4})), toBytes(Floats({1, 2, 3})),
                        toBytes(Floats({4, 5, 6}))},
                       "", 3),
            Floats({1, 5, 3}));
}

TEST(Vector, Clamp) {
  EXPECT_EQ(run<int8_t>("vpu.clamp", "i8", {{"a", "i32"}}, {toBytes(Ints({-5, 3, 900}))},
                        "bounds={low=0, high=127}", 3),
            Bytes({0, 3, 127}));
  EXPECT_EQ(run<float>("vpu.clamp", "f32", {{"a", "f32"}}, {toBytes(Floats({-5, 3, 9}))},
                       "bounds={low=0, high=1086324736}", 3),
            Floats({0, 3, 6}));
}

TEST(Vector, Cast) {
  auto castTo = [](StringRef dst, StringRef a, auto values, StringRef mode, auto zero) {
    return run<decltype(zero)>("vpu.cast", dst, {{"a", a.str()}}, {toBytes(values)},
                               mode.empty() ? "" : ("mode={" + mode + "}").str(), values.size());
  };
  EXPECT_EQ(castTo("i8", "i32", Ints({300, -300}), "", int8_t()), Bytes({44, -44}));
  EXPECT_EQ(castTo("i8", "i32", Ints({300, -300}), "saturate=1", int8_t()), Bytes({127, -128}));
  EXPECT_EQ(castTo("i32", "i8", Bytes({-1, 5}), "unsigned_source=1", int32_t()), Ints({255, 5}));
  EXPECT_EQ(castTo("f32", "i32", Ints({16777217, -3}), "", float()), Floats({16777216, -3}));
  EXPECT_EQ(castTo("f32", "i32", Ints({-1}), "unsigned_source=1", float()), Floats({4294967296}));
  Floats values = {2.5f, -2.5f, 1e10f, nan32};
  EXPECT_EQ(castTo("i32", "f32", values, "", int32_t()), Ints({2, -2, INT32_MAX, 0}));
  EXPECT_EQ(castTo("i8", "f32", Floats({3.5f, -4.5f, 200}), "rounding=even", int8_t()),
            Bytes({4, -4, 127}));
  EXPECT_EQ(castTo("f16", "f32", Floats({1, 65504, 1e-8f, 6e-8f}), "", uint16_t()),
            std::vector<uint16_t>({0x3c00, 0x7bff, 0, 1}));
  // Rounded once: through f32, 2^25 + 2^17 + 1 would become a tie.
  EXPECT_EQ(castTo("bf16", "i32", Ints({(1 << 25) + (1 << 17) + 1}), "", uint16_t()),
            std::vector<uint16_t>({0x4c01}));
}

TEST(Vector, Scan) {
  // 2 x 3 along the innermost, and the same data along the other dimension by its strides.
  Ints a = {1, 2, 3, -4, 5, 6};
  auto scan = [&](StringRef kind, bool transposed) {
    std::string operands = formatv(
        "shape=[1, 1, {0}], dst=i32 sram[262144] strides(0, 0, {1}), a=i32 sram[0] strides(0, 0, "
        "{1}), op={{kind={2}}",
        transposed ? "3, 2" : "2, 3", transposed ? "4, 12" : "12, 4", kind);
    return fromBytes<int32_t>(
        runInstruction({toBytes(a)}, "vpu", "vpu.scan", operands, "sram[262144]", 24));
  };
  EXPECT_EQ(scan("sum", false), Ints({1, 3, 6, -4, 1, 7}));
  EXPECT_EQ(scan("prod", false), Ints({1, 2, 6, -4, -20, -120}));
  EXPECT_EQ(scan("max", false), Ints({1, 2, 3, -4, 5, 6}));
  EXPECT_EQ(scan("min", false), Ints({1, 1, 1, -4, -4, -4}));
  EXPECT_EQ(scan("sum", true), Ints({1, 2, 3, -3, 7, 9}));
  // What is written wraps, what goes on does not.
  EXPECT_EQ(fromBytes<int8_t>(runInstruction(
                {toBytes(Bytes({100, 100, -100}))}, "vpu", "vpu.scan",
                "shape=[1, 1, 1, 3], dst=i8 sram[262144] strides(0, 0, 0, 1), a=i8 sram[0] "
                "strides(0, 0, 0, 1), op={kind=sum}",
                "sram[262144]", 3)),
            Bytes({100, -56, 100}));
  // Longer than what the simulator holds at once.
  Ints ones(3000, 1), counts;
  for (int32_t i = 1; i <= 3000; ++i)
    counts.push_back(i);
  EXPECT_EQ(fromBytes<int32_t>(runInstruction(
                {toBytes(ones)}, "vpu", "vpu.scan",
                "shape=[1, 1, 1, 3000], dst=i32 sram[262144] strides(0, 0, 0, 4), a=i32 sram[0] "
                "strides(0, 0, 0, 4), op={kind=sum}",
                "sram[262144]", 12000)),
            counts);
}

TEST(Vector, Reduce) {
  // 2 x 3 -> 2 along the innermost, and the same data along the other dimension by its strides.
  Ints a = {1, 2, 3, -4, 5, 6};
  auto reduce = [&](StringRef kind, bool transposed) {
    std::string operands = formatv(
        "shape=[1, 1, {0}], dst=i32 sram[262144] strides(0, 0, 4, 0), a=i32 sram[0] strides(0, 0, "
        "{1}), reduction={2} never",
        transposed ? "3, 2" : "2, 3", transposed ? "4, 12" : "12, 4", kind);
    return fromBytes<int32_t>(runInstruction({toBytes(a)}, "vpu", "vpu.reduce", operands,
                                             "sram[262144]", transposed ? 12 : 8));
  };
  EXPECT_EQ(reduce("sum", false), Ints({6, 7}));
  EXPECT_EQ(reduce("prod", false), Ints({6, -120}));
  EXPECT_EQ(reduce("max", false), Ints({3, 6}));
  EXPECT_EQ(reduce("min", false), Ints({1, -4}));
  EXPECT_EQ(reduce("sum", true), Ints({-3, 7, 9}));
  // One output takes another path.
  EXPECT_EQ(fromBytes<float>(runInstruction(
                {toBytes(Floats({1, 1e8f, -1e8f, 1}))}, "vpu", "vpu.reduce",
                "shape=[1, 1, 1, 4], dst=f32 sram[262144] strides(0, 0, 0, 0), a=f32 sram[0] "
                "strides(0, 0, 0, 4), reduction=sum never",
                "sram[262144]", 4)),
            Floats({1}));
  // Nothing to reduce.
  EXPECT_EQ(fromBytes<int8_t>(runInstruction(
                {}, "vpu", "vpu.reduce",
                "shape=[1, 1, 1, 0], dst=i8 sram[262144] strides(0, 0, 0, 0), a=i8 sram[0] "
                "strides(0, 0, 0, 1), reduction=max never",
                "sram[262144]", 1)),
            Bytes({-128}));
  // On top of the old value.
  EXPECT_EQ(fromBytes<int32_t>(runInstruction(
                {toBytes(a)}, "vpu", "vpu.reduce",
                "shape=[1, 1, 1, 2], dst=i32 sram[0] strides(0, 0, 0, 0), a=i32 sram[4] "
                "strides(0, 0, 0, 4), reduction=sum always",
                "sram[0]", 4)),
            Ints({6}));
  EXPECT_EQ(fromBytes<int32_t>(runInstruction(
                {toBytes(a)}, "vpu", "vpu.reduce",
                "shape=[1, 1, 1, 0], dst=i32 sram[0] strides(0, 0, 0, 0), a=i32 sram[4] "
                "strides(0, 0, 0, 4), reduction=sum always",
                "sram[0]", 4)),
            Ints({1}));
}

TEST(Vector, ReduceBits) {
  auto reduce = [](StringRef kind, Bytes values) {
    std::string operands =
        formatv("shape=[1, 1, 1, {0}], dst=i8 sram[262144] strides(0, 0, 0, 0), a=i8 sram[0] "
                "strides(0, 0, 0, 1), reduction={1} never",
                values.size(), kind);
    return fromBytes<int8_t>(
        runInstruction({toBytes(values)}, "vpu", "vpu.reduce", operands, "sram[262144]", 1));
  };
  EXPECT_EQ(reduce("and", {7, 13, -1}), Bytes({5}));
  EXPECT_EQ(reduce("or", {1, 4, 4}), Bytes({5}));
  EXPECT_EQ(reduce("xor", {7, 13, 1}), Bytes({11}));
  EXPECT_EQ(reduce("and", {}), Bytes({-1}));
  EXPECT_EQ(reduce("or", {}), Bytes({0}));
}

TEST(Vector, ReduceOverLoops) {
  // 2 x 2 iterations over rows of two; the sum restarts whenever i1 is 0.
  auto run = [](StringRef mode) {
    std::string loop =
        formatv("sync wait(s1 >= 1)\nloop 2\nloop 2\nvpu.reduce shape=[1, 1, 1, 2], dst=i32 "
                "sram[262144] strides(0, 0, 0, 0), a=i32 sram[16*i0 + 8*i1] strides(0, 0, 0, 4), "
                "reduction=sum {0}\nendloop\nendloop\nsync signal(s2)",
                mode);
    Ints a = {1, 2, 4, 8, 16, 32, 64, 128};
    Simulation simulation(makeProgram({toBytes(a)}, "vpu", loop, "sram[262144]", 4));
    simulation.set(0, a);
    simulation.mustRun();
    return simulation.get<int32_t>(1)[0];
  };
  EXPECT_EQ(run("never"), 192);
  EXPECT_EQ(run("unless(i1)"), 240);
  EXPECT_EQ(run("unless(i0, i1)"), 255);
}

TEST(Vector, ArgReduce) {
  auto find = [](StringRef kind, Floats values) {
    std::string operands =
        formatv("shape=[1, 1, 1, {0}], dst=i32 sram[262144] strides(0, 0, 0, 0), a=f32 sram[0] "
                "strides(0, 0, 0, 4), op={{kind={1}}",
                values.size(), kind);
    return fromBytes<int32_t>(
        runInstruction({toBytes(values)}, "vpu", "vpu.argreduce", operands, "sram[262144]", 4))[0];
  };
  EXPECT_EQ(find("argmax", {1, 7, 3, 7}), 1);
  EXPECT_EQ(find("argmin", {1, 7, 0, 0}), 2);
  EXPECT_EQ(find("argmax", {1, infinity, nan32, nan32}), 2);
  EXPECT_EQ(find("argmin", {-infinity, nan32}), 1);
}

TEST(Vector, Tables) {
  Bytes table8(256);
  for (int i = 0; i < 256; ++i)
    table8[i] = int8_t(127 - i);
  EXPECT_EQ(fromBytes<int8_t>(runInstruction(
                {toBytes(Bytes({-128, 0, 127})), toBytes(table8)}, "vpu", "vpu.table8",
                "shape=[1, 1, 1, 3], dst=i8 sram[262144] strides(0, 0, 0, 1), a=i8 sram[0] "
                "strides(0, 0, 0, 1), table=sram[16384]",
                "sram[262144]", 3)),
            Bytes({127, -1, -128}));
  Shorts table16(513);
  for (int i = 0; i < 513; ++i)
    table16[i] = int16_t(3 * i);
  EXPECT_EQ(fromBytes<int32_t>(runInstruction(
                {toBytes(Shorts({-32768, 0, 32767, 1})), toBytes(table16)}, "vpu", "vpu.table16",
                "shape=[1, 1, 1, 4], dst=i32 sram[262144] strides(0, 0, 0, 4), a=i16 sram[0] "
                "strides(0, 0, 0, 2), table=sram[16384]",
                "sram[262144]", 16)),
            Ints({0, 3 * 32768, 3 * 65535, 3 * 32769}));
}

TEST(Vector, Rescale) {
  auto rescale = [](Ints a, Ints multiplier, Bytes shift, StringRef op) {
    return run<int8_t>("vpu.rescale", "i8", {{"a", "i32"}, {"multiplier", "i32"}, {"shift", "i8"}},
                       {toBytes(a), toBytes(multiplier), toBytes(shift)}, op, a.size());
  };
  Ints half = {1 << 30, 1 << 30, 1 << 30, 1 << 30};
  Bytes by31 = {31, 31, 31, 31};
  EXPECT_EQ(rescale({3, -3, 1000, -1000}, half, by31, ""), Bytes({2, -1, 127, -128}));
  EXPECT_EQ(rescale({3, -3, 10, 5}, half, by31, "op={input_zero=1, output_zero=-2}"),
            Bytes({-1, -4, 3, 0}));
  // -3 / 4 = -0.75 is rounded twice: away from zero at bit 30, then up.
  EXPECT_EQ(rescale({-2, 2, -6, 6}, half, {32, 32, 32, 32}, "op={double_round=1}"),
            Bytes({-1, 1, -2, 2}));
  EXPECT_EQ(rescale({-2, 2, -6, 6}, half, {32, 32, 32, 32}, ""), Bytes({0, 1, -1, 2}));
  // Bounds come after the zero point; of those beyond the type, the type's remain.
  EXPECT_EQ(
      rescale({3, -3, 1000, -1000}, half, by31, "op={bounded=1, output_zero=-2, low=-3, high=100}"),
      Bytes({0, -3, 100, -3}));
  EXPECT_EQ(rescale({3, -3, 1000, -1000}, half, by31, "op={bounded=1, low=-200, high=200}"),
            Bytes({2, -1, 127, -128}));
  EXPECT_EQ(rescale({3, -3, 1000, -1000}, half, by31, "op={bounded=1}"), Bytes({0, 0, 0, 0}));
}

TEST(Vector, Requant) {
  Ints a = {5, -5, 7, 1000000};
  Floats scale = {0.5f, 0.5f, nan32, 1.0f};
  EXPECT_EQ(run<int8_t>("vpu.requant", "i8", {{"a", "i32"}, {"scale", "f32"}},
                        {toBytes(a), toBytes(scale)}, "op={zero=1, low=-128, high=127}", 4),
            Bytes({3, -1, -128, 127}));
  EXPECT_EQ(run<int16_t>("vpu.requant_imm", "i16", {{"a", "i32"}}, {toBytes(a)},
                         "op={zero=0, low=-300, high=300}, scale={value=0.5}", 4),
            Shorts({2, -2, 4, 300}));
}

TEST(Vector, StridesBroadcastAndInPlace) {
  // x[i][j] = x[i][j] + bias[j], in place, the bias broadcast along i.
  Ints x = {1, 2, 3, 4, 5, 6}, bias = {10, 20, 30};
  EXPECT_EQ(fromBytes<int32_t>(runInstruction(
                {toBytes(x), toBytes(bias)}, "vpu", "vpu.binary",
                "shape=[1, 1, 2, 3], dst=i32 sram[0] strides(0, 0, 12, 4), a=i32 sram[0] "
                "strides(0, 0, 12, 4), b=i32 sram[16384] strides(0, 0, 0, 4), op={kind=add}",
                "sram[0]", 24)),
            Ints({11, 22, 33, 14, 25, 36}));
}
