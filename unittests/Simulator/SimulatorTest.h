//===- SimulatorTest.h - programs as text, regions as vectors -------------===//

#ifndef NPU_UNITTESTS_SIMULATOR_SIMULATORTEST_H
#define NPU_UNITTESTS_SIMULATOR_SIMULATORTEST_H

#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Assembly/Assembly.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cstring>

namespace npu::sim {

template <typename T>
std::vector<uint8_t> toBytes(const std::vector<T> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> fromBytes(const std::vector<uint8_t> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// A program with the contents of its regions.
struct Simulation {
  explicit Simulation(const std::string &text) {
    llvm::Expected<isa::Program> parsed = isa::parseAssembly(text, "test.npuasm");
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError()) << "\n" << text;
      return;
    }
    program = std::move(*parsed);
    for (const isa::Region &region : program.regions)
      data.emplace_back(region.kind == isa::RegionKind::Constants ? 0 : region.bytes, 0);
  }

  template <typename T>
  void set(unsigned region, const std::vector<T> &values) {
    ASSERT_LT(region, data.size());
    ASSERT_EQ(data[region].size(), values.size() * sizeof(T));
    data[region] = toBytes(values);
  }
  template <typename T>
  std::vector<T> get(unsigned region) const {
    return region >= data.size() ? std::vector<T>() : fromBytes<T>(data[region]);
  }

  llvm::Expected<Result> run(const Options &options = {}) {
    std::vector<llvm::MutableArrayRef<uint8_t>> regions(data.begin(), data.end());
    return simulate(program, regions, options);
  }
  /// Time does not depend on data.
  void checkMeasured(const Result &result, const Options &options) const {
    llvm::Expected<Result> measured = measure(program, options);
    if (!measured) {
      ADD_FAILURE() << llvm::toString(measured.takeError());
      return;
    }
    EXPECT_EQ(measured->cycles, result.cycles);
    EXPECT_EQ(measured->macs, result.macs);
    EXPECT_EQ(measured->vpuElements, result.vpuElements);
    EXPECT_EQ(measured->dramBytesRead, result.dramBytesRead);
    EXPECT_EQ(measured->dramBytesWritten, result.dramBytesWritten);
    EXPECT_EQ(measured->dramChargedBytes, result.dramChargedBytes);
  }
  /// Runs a program that must not trap.
  Result mustRun(const Options &options = {}) {
    llvm::Expected<Result> result = run(options);
    if (result) {
      checkMeasured(*result, options);
      return *result;
    }
    ADD_FAILURE() << llvm::toString(result.takeError());
    return Result();
  }
  /// Runs a program that must trap; its message.
  std::string mustTrap(TrapKind kind, const Options &options = {}) {
    llvm::Expected<Result> result = run(options);
    if (result) {
      ADD_FAILURE() << "the program ran";
      return "";
    }
    std::string message;
    llvm::handleAllErrors(
        result.takeError(),
        [&](const Trap &trap) {
          message = trap.message();
          EXPECT_EQ(toString(trap.kind).str(), toString(kind).str()) << message;
        },
        [&](const llvm::ErrorInfoBase &other) {
          message = other.message();
          ADD_FAILURE() << "not a trap: " << message;
        });
    return message;
  }

  isa::Program program;
  std::vector<std::vector<uint8_t>> data;
};

/// Loads input k to sram[16384 * k], runs one instruction of `engine` (which must wait for s1 and
/// signal s2), and stores `outBytes` bytes from `from` to the last region.
inline std::string makeProgram(const std::vector<std::vector<uint8_t>> &inputs,
                               const std::string &engine, const std::string &instruction,
                               const std::string &from, size_t outBytes,
                               const std::string &target = "npu-v1") {
  std::string text = ".kernel \"test\"\n.target \"" + target + "\"\n";
  for (size_t k = 0; k < inputs.size(); ++k)
    text += llvm::formatv(".region {0} input \"x{0}\" {1}\n", k, inputs[k].size());
  text += llvm::formatv(".region {0} output \"y\" {1}\n.stream 0 dmai\n", inputs.size(), outBytes);
  for (size_t k = 0; k < inputs.size(); ++k)
    text += llvm::formatv("dma.load from={{region={0}, type=i8}, to=sram[{1}], dims=[{{extent={2}, "
                          "dram_stride=1, chip_stride=1, high={2}}]\n",
                          k, 16384 * k, inputs[k].size());
  text += "sync signal(s1)\nhalt\n.stream 0 dmao\n";
  text += llvm::formatv("dma.store wait(s2 >= 1) to={{region={0}, type=i8}, from={1}, "
                        "dims=[{{extent={2}, dram_stride=1, chip_stride=1, high={2}}]\nhalt\n",
                        inputs.size(), from, outBytes);
  return text + ".stream 0 " + engine + "\n" + instruction + "\nhalt\n";
}

/// Runs `<mnemonic> wait(s1 >= 1) signal(s2) <operands>`; the result is at `from`.
inline std::vector<uint8_t> runInstruction(const std::vector<std::vector<uint8_t>> &inputs,
                                           const std::string &engine, const std::string &mnemonic,
                                           const std::string &operands, const std::string &from,
                                           size_t outBytes, const std::string &target = "npu-v1") {
  Simulation simulation(makeProgram(
      inputs, engine, mnemonic + " wait(s1 >= 1) signal(s2) " + operands, from, outBytes, target));
  for (size_t k = 0; k < inputs.size(); ++k)
    simulation.set(k, inputs[k]);
  simulation.mustRun();
  return simulation.data.empty() ? std::vector<uint8_t>() : simulation.data.back();
}

} // namespace npu::sim

#endif // NPU_UNITTESTS_SIMULATOR_SIMULATORTEST_H
