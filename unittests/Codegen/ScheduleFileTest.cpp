//===- ScheduleFileTest.cpp - schedules that are written and followed -----===//

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Binary/Binary.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;

namespace {

/// Counts the choices of tiles, which a search tells by remarks.
class TiledCounter : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit TiledCounter(unsigned &count) : count(count) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    count += remark.getRemarkName() == "Tiled";
  }

private:
  unsigned &count;
};

struct CountingSession {
  CountingSession() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    remark::RemarkCategories categories;
    categories.analysis = "npu-tile";
    EXPECT_TRUE(succeeded(remark::enableOptimizationRemarks(
        context, std::make_unique<TiledCounter>(numSearched),
        std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)));
  }

  unsigned numSearched = 0;
  MLIRContext context;
};

constexpr llvm::StringLiteral product = R"(
func.func @product(%x: tensor<64x256xf32>, %y: tensor<256x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%x, %y : tensor<64x256xf32>, tensor<256x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
)";

constexpr llvm::StringLiteral segment = R"(
flow.executable private @e {
  flow.executable.export public @square
  builtin.module {
    func.func @square(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
      %0 = tensor.empty() : tensor<64x64xf16>
      %1 = linalg.mul ins(%x, %x : tensor<64x64xf16>, tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) -> tensor<64x64xf16>
      return %1 : tensor<64x64xf16>
    }
  }
}
util.func public @main(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %s = npu.segment -> tensor<64x64xf16> {
    %0 = flow.dispatch @e::@square(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %1 = flow.dispatch @e::@square(%0) : (tensor<64x64xf16>) -> tensor<64x64xf16>
    npu.yield %1 : tensor<64x64xf16>
  }
  util.return %s : tensor<64x64xf16>
}
)";

class ScheduleFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("schedule", directory));
    path = directory;
    llvm::sys::path::append(path, "schedule.json");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  struct Result {
    bool isFollowed = false;
    unsigned numSearched = 0;
    std::vector<uint8_t> bytes;
    unsigned numDispatches = 0; ///< of the first kernel
    int64_t predicted = 0, measured = 0;
  };

  /// Compiles the segment or the function of a text, and writes the file if there is none.
  Result compile(StringRef text, StringRef target = "npu-v1") {
    Result result;
    CountingSession session;
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&session.context));
    std::unique_ptr<ScheduleFile> file = llvm::cantFail(ScheduleFile::open(path, target));
    result.isFollowed = file->isFollowed();
    DispatchCompiler compiler(target, file.get());
    SegmentOp segment;
    module->walk([&](SegmentOp op) { segment = op; });
    const CompiledProgram *program = nullptr;
    if (segment) {
      EXPECT_TRUE(succeeded(compiler.compile(segment)));
      program = &compiler.getProgram(segment);
    } else {
      program = *compiler.getProgram(*module->getOps<func::FuncOp>().begin());
    }
    llvm::cantFail(compiler.checkSchedule(*module));
    OutputFiles files;
    llvm::cantFail(file->write(files));
    llvm::cantFail(files.commit());
    result.numSearched = session.numSearched;
    result.bytes = llvm::cantFail(isa::encodeBinary(program->code));
    result.numDispatches = program->kernels.front().numDispatches;
    result.predicted = program->kernels.front().schedule.getCycles();
    result.measured = llvm::cantFail(sim::measure(program->code)).cycles;
    return result;
  }

  std::string read() {
    return llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))
        ->getBuffer()
        .str();
  }
  /// Replaces the first `from` in the file.
  void replace(StringRef from, StringRef to) {
    std::string text = read();
    size_t place = text.find(from.str());
    ASSERT_NE(place, std::string::npos) << text;
    text.replace(place, from.size(), to.str());
    OutputFiles files;
    llvm::cantFail(files.write(path, text));
    llvm::cantFail(files.commit());
  }

  llvm::SmallString<128> directory, path;
};

TEST_F(ScheduleFileTest, FollowedWithoutASearch) {
  for (StringRef text : {StringRef(product), StringRef(segment)}) {
    Result written = compile(text);
    EXPECT_FALSE(written.isFollowed);
    EXPECT_GT(written.numSearched, 0u);
    Result followed = compile(text);
    EXPECT_TRUE(followed.isFollowed);
    EXPECT_EQ(followed.numSearched, 0u);
    EXPECT_EQ(followed.bytes, written.bytes);
    EXPECT_EQ(followed.predicted, written.predicted);
    EXPECT_EQ(followed.numDispatches, text == segment ? 2u : 1u);
    llvm::sys::fs::remove(path);
  }
}

TEST_F(ScheduleFileTest, ChangesAreMeasured) {
  Result written = compile(product);
  StringRef text = "for k = ";
  std::string before = read();
  size_t place = before.find(text.str());
  ASSERT_NE(place, std::string::npos) << before;
  std::string size =
      StringRef(before).substr(place).take_until([](char c) { return c == '{'; }).str();
  replace(size, "for k = 16 ");
  Result changed = compile(product);
  EXPECT_EQ(changed.numSearched, 0u);
  EXPECT_NE(changed.bytes, written.bytes);
  EXPECT_GT(changed.measured, written.measured);
  EXPECT_EQ(changed.predicted, changed.measured);
}

// Who changes what was predicted is not believed.
TEST_F(ScheduleFileTest, CyclesAreNoPromise) {
  Result written = compile(product);
  replace("\"cycles\": " + std::to_string(written.predicted), "\"cycles\": 1");
  Result followed = compile(product);
  EXPECT_EQ(followed.predicted, followed.measured);
  EXPECT_EQ(followed.measured, written.measured);
}

// Blanks are no change.
TEST_F(ScheduleFileTest, SpacesAreNoChange) {
  Result written = compile(product);
  replace("#npu.schedule<{", "#npu.schedule<  {  ");
  Result followed = compile(product);
  EXPECT_EQ(followed.bytes, written.bytes);
  EXPECT_EQ(followed.predicted, written.predicted);
}

// Windows that are divided need kernels that the file does not have.
TEST_F(ScheduleFileTest, DividedWindowsAreSearched) {
  compile(segment);
  replace("\", \"#1", "\"]}, {\"dispatches\": [\"#1");
  Result divided = compile(segment);
  EXPECT_EQ(divided.numDispatches, 1u);
  EXPECT_GT(divided.numSearched, 0u);
}

// A window may be longer than those that are searched.
TEST_F(ScheduleFileTest, FollowsLongWindows) {
  std::string text = segment.str();
  size_t end = text.find("    npu.yield");
  std::string more;
  for (int number = 2; number < 6; ++number)
    more += "%" + std::to_string(number) + " = flow.dispatch @e::@square(%" +
            std::to_string(number - 1) + ") : (tensor<64x64xf16>) -> tensor<64x64xf16>\n";
  text.insert(end, more);
  text.replace(text.find("npu.yield %1"), 12, "npu.yield %5");
  EXPECT_LT(compile(text).numDispatches, 6u);
  std::string windows = read();
  size_t first = windows.find("\"windows\""), last = windows.find("]}],", first);
  ASSERT_NE(last, std::string::npos);
  std::string together;
  for (int number = 0; number < 6; ++number)
    together += (number ? ", \"#" : "\"#") + std::to_string(number) + " square\"";
  replace(StringRef(windows).slice(first, last),
          "\"windows\": [{\"dispatches\": [" + together + "]}");
  EXPECT_EQ(compile(text).numDispatches, 6u);
}

/// The key of the first kernel of a module.
static std::string getKey(MLIRContext &context, const Twine &text) {
  auto module = parseSourceString<ModuleOp>(text.str(), ParserConfig(&context));
  return ScheduleFile::getKey(*module->getOps<KernelOp>().begin());
}

// Names, places, numbers in large constants and the chip change nothing of what a kernel is.
TEST(ScheduleKey, IsOfWhatAKernelComputes) {
  CountingSession session;
  auto get = [&](const Twine &name, const Twine &target, const Twine &values, const Twine &kind) {
    return getKey(session.context,
                  "npu.kernel @" + name +
                      "(%a: tensor<20xf32>) -> tensor<20xf32> attributes "
                      "{target = #npu.target<\"" +
                      target +
                      "\">} {\n"
                      "%c = arith.constant dense<[" +
                      values +
                      "]> : tensor<20xf32>\n"
                      "%e = tensor.empty() : tensor<20xf32>\n"
                      "%0 = npu.binary " +
                      kind +
                      " %a, %c -> %e : tensor<20xf32>, tensor<20xf32> -> tensor<20xf32>\n"
                      "npu.return %0 : tensor<20xf32>\n}");
  };
  std::string ones = "1.0", others = "2.0";
  for (int i = 1; i < 20; ++i) {
    ones += ", " + std::to_string(i) + ".5";
    others += ", " + std::to_string(2 * i) + ".5";
  }
  std::string key = get("a", "npu-v1", ones, "add");
  EXPECT_EQ(key.size(), 16u);
  EXPECT_EQ(get("\"b c\"", "npu-v1", ones, "add"), key);
  EXPECT_EQ(get("a", "npu-v1-x4", ones, "add"), key);
  EXPECT_EQ(get("a", "npu-v1", others, "add"), key);
  EXPECT_NE(get("a", "npu-v1", ones, "mul"), key);
}

} // namespace
