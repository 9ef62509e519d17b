//===- HostileModelsTest.cpp - damaged ONNX models ------------------------===//
//
// Models come from anywhere. Whatever a file holds, importing it, inferring, converting and placing
// it must end soon, with a result or a diagnostic. The models are those of Debian's
// libonnx-testdata, damaged in reproducible ways.
//
//===----------------------------------------------------------------------===//

#include "NPU/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Runtime/PlaceModel.h"
#include "NPU/Target/ONNX/ImportONNX.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>
#include <sys/resource.h>

using namespace npu;

namespace {
struct Model {
  std::string name, bytes;
};

std::vector<Model> loadModels() {
  std::vector<Model> models;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/usr/share/libonnx-testdata/data/node", error), end;
       entry != end && !error; entry.increment(error)) {
    auto buffer = llvm::MemoryBuffer::getFile(entry->path() + "/model.onnx");
    if (buffer)
      models.push_back(
          {llvm::sys::path::filename(entry->path()).str(), (*buffer)->getBuffer().str()});
  }
  llvm::sort(models, [](const Model &a, const Model &b) { return a.name < b.name; });
  return models;
}

int64_t getPeakMemoryMiB() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// Takes the models that `damage` makes of each model all the way to placed dispatches.
class HostileModels : public testing::Test {
protected:
  HostileModels() : models(loadModels()) { registerAllDialects(registry); }

  /// Returns whether the model was good in spite of its damage.
  bool process(llvm::StringRef name, llvm::StringRef bytes) {
    SCOPED_TRACE(name.str());
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    unsigned numErrors = 0;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      numErrors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    });
    auto start = std::chrono::steady_clock::now();
    std::unique_ptr<llvm::MemoryBuffer> file =
        llvm::MemoryBuffer::getMemBuffer(bytes, "<stdin>", /*RequiresNullTerminator=*/false);
    bool isGood = compile(*file, context);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    EXPECT_LT(elapsed.count(), 5.0);
    EXPECT_TRUE(isGood || numErrors > 0) << "refused without a reason";
    return isGood;
  }

  std::vector<Model> models;

private:
  static bool compile(const llvm::MemoryBuffer &file, mlir::MLIRContext &context) {
    mlir::OwningOpRef<mlir::ModuleOp> module = importONNX(file, ONNXImportOptions(), &context);
    if (!module)
      return false;
    mlir::PassManager pm(&context, mlir::ModuleOp::getOperationName());
    populateONNXPipeline(pm);
    if (failed(pm.run(*module)))
      return false;
    PartitionOptions options;
    options.target = "npu-v1";
    options.fallback = Fallback::Host;
    return succeeded(runtime::placeModel(*module, options));
  }

  mlir::DialectRegistry registry;
};

TEST_F(HostileModels, AreThere) { EXPECT_EQ(models.size(), 932u); }

TEST_F(HostileModels, WithOtherBytes) {
  unsigned numGood = 0;
  for (auto [number, model] : llvm::enumerate(models)) {
    std::mt19937_64 random(number);
    for (unsigned mutant = 0; mutant < 10; ++mutant) {
      std::string bytes = model.bytes;
      for (unsigned i = 0, count = 1 + random() % 8; i < count; ++i)
        bytes[random() % bytes.size()] = char(random());
      numGood += process(model.name + " mutant " + std::to_string(mutant), bytes);
    }
  }
  // The damage is often in a name or a description, so this is not a test of one diagnostic.
  EXPECT_GT(numGood, 100u);
  EXPECT_LT(numGood, 9000u);
  EXPECT_LE(getPeakMemoryMiB(), 1024);
}

TEST_F(HostileModels, CutOff) {
  for (auto [number, model] : llvm::enumerate(models)) {
    std::mt19937_64 random(number);
    for (unsigned cut = 0; cut < 3; ++cut)
      process(model.name + " cut " + std::to_string(cut),
              llvm::StringRef(model.bytes).take_front(random() % model.bytes.size()));
  }
  EXPECT_LE(getPeakMemoryMiB(), 1024);
}
} // namespace
