//===- InterpreterTest.cpp - every level gives what the program gives -----===//
//
// The small kernels of all models of the corpus, distinct ones once, interpreted in each form and
// run as programs, on the same random inputs.
//
//===----------------------------------------------------------------------===//

#include "../Shared.h"
#include "AcrossLevels.h"
#include "LevelTrace.h"

#include "NPU/InitAll/ModelFile.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Tensor/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

/// How much of the work of a kernel the interpreter does in a reasonable time.
constexpr int64_t maxMacs = 200'000, maxBytes = 200'000;

class Interpreter : public ::testing::TestWithParam<const char *> {
protected:
  /// What is wrong with the levels of a function; empty if nothing is.
  std::string findFault(func::FuncOp function, DispatchCompiler &compiler);

  int64_t runs = 0, traps = 0;
  std::set<std::string> ops;
};

int64_t countBytes(TypeRange types) {
  int64_t bytes = 0;
  for (Type type : types)
    if (auto tensor = dyn_cast<ShapedType>(type); tensor && tensor.hasStaticShape())
      bytes += tensor.getNumElements() * 4;
  return bytes;
}

std::string Interpreter::findFault(func::FuncOp function, DispatchCompiler &compiler) {
  llvm::Expected<KernelLevels> levels = KernelLevels::compile(compiler, function);
  if (!levels)
    return llvm::toString(levels.takeError());
  levels->getKernel(Level::Tensor).walk([&](NPUComputeOpInterface op) {
    ops.insert(op->getName().getStringRef().str());
  });
  SmallVector<HostTensor> inputs;
  for (ShapedType type : interpreter::getSignature(levels->getKernel(Level::Tensor)).inputs) {
    HostTensor input(*interpreter::getHostType(type.getElementType()), type.getShape());
    if (isFloat(input.getElementType()))
      input.fillRandom(inputs.size());
    else
      input.fillSmallInts(inputs.size());
    inputs.push_back(std::move(input));
  }
  Trace program = trace(*levels, Level::Program, inputs, sim::Options());
  ++runs;
  for (Level level : {Level::Tensor, Level::Tile, Level::Planned}) {
    Trace found = trace(*levels, level, inputs, sim::Options());
    if (!program.failure.empty() && !found.failure.empty()) {
      ++traps; // an index outside of its table
      continue;
    }
    if (found.failure != program.failure)
      return (toString(level) + ": " + found.failure + ", program: " + program.failure).str();
    for (auto [output, expected] : llvm::zip_equal(found.outputs, program.outputs)) {
      HostTensor typed = expected.bitcast(output.getElementType(), output.getShape());
      // Another order of sums is another rounding.
      Tolerance tolerance;
      if (level == Level::Tensor && isFloat(output.getElementType())) {
        tolerance.absolute = 1e-4;
        tolerance.relative = output.getElementType() == ElementType::F32 ? 1e-4 : 1e-2;
      }
      tolerance.allowDegenerate = true;
      llvm::Expected<CompareReport> report = compare(typed, output, tolerance);
      if (!report)
        return llvm::toString(report.takeError());
      if (!report->passed)
        return (toString(level) + ": " + report->getReason()).str();
    }
  }
  // Nothing is blamed where nothing is wrong.
  if (!program.failure.empty())
    return "";
  for (Level level : {Level::Tensor, Level::Tile, Level::Planned}) {
    llvm::Expected<KernelLevels> numbered =
        KernelLevels::compile(numberOps(levels->getKernel(level)));
    if (!numbered)
      return llvm::toString(numbered.takeError());
    std::vector<std::string> lines = findBrokenOp(*numbered, level, inputs, sim::Options());
    if (!lines.empty())
      return ("blamed below " + toString(level)).str() + ":\n" + llvm::join(lines, "\n");
  }
  return "";
}

TEST_P(Interpreter, LevelsAgree) {
  NPU_NEEDS_SHARED();
  std::vector<std::string> models;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(getSharedPath("corpus/iree"), error), end;
       it != end && !error; it.increment(error))
    models.push_back(it->path() + "/flow.mlir");
  for (llvm::sys::fs::directory_iterator it(NPU_SOURCE_DIR "/test/Integration", error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      models.push_back(it->path());
  ASSERT_FALSE(error) << error.message();
  llvm::sort(models);
  llvm::StringSet<> known;
  for (const std::string &path : models) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(buffer)) << path;
    llvm::Expected<std::unique_ptr<ModelFile>> file =
        ModelFile::read(path, std::move(*buffer), ONNXImportOptions());
    ASSERT_TRUE(bool(file)) << path << ": " << llvm::toString(file.takeError());
    if (!*file)
      continue;
    DispatchCompiler compiler(GetParam());
    PartitionOptions options;
    options.fallback = Fallback::Host;
    FailureOr<Partition> partition = placeModel((*file)->getModule(), options, compiler);
    if (failed(partition)) // a test of what is refused
      continue;
    for (const PartitionedFunction &function : partition->getFunctions()) {
      func::FuncOp source = function.function;
      if (function.placement != Placement::NPU || function.macs > maxMacs ||
          countBytes(source.getArgumentTypes()) + countBytes(source.getResultTypes()) > maxBytes)
        continue;
      OwningOpRef<func::FuncOp> clone = source.clone();
      clone->setSymName("kernel");
      std::string key;
      llvm::raw_string_ostream os(key);
      clone->print(os, OpPrintingFlags().useLocalScope());
      if (known.insert(key).second) {
        EXPECT_EQ(findFault(source, compiler), "") << path << ": " << function.name;
      }
    }
  }
  EXPECT_GE(runs, 200);
  llvm::outs() << runs << " kernels, " << traps << " traps, ops:";
  for (const std::string &op : ops)
    llvm::outs() << ' ' << op;
  llvm::outs() << '\n';
}

INSTANTIATE_TEST_SUITE_P(Targets, Interpreter,
                         ::testing::Values("npu-v1:sramBytes=65536", "npu-v1-x4"),
                         [](const auto &info) { return info.index == 0 ? "small" : "clusters"; });

} // namespace
