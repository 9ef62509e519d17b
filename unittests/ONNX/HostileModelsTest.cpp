//===- HostileModelsTest.cpp - damaged ONNX models ------------------------===//
//
// Models come from anywhere. Whatever a file holds, importing, compiling and running it must end
// soon, with a result or a diagnostic. The models are those of Debian's
// libonnx-testdata, damaged in reproducible ways.
//
//===----------------------------------------------------------------------===//

#include "NPU/Execution/ModelRunner.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Pipelines/PlaceModel.h"
#include "NPU/Target/ONNX/ImportONNX.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <onnx/onnx_pb.h>
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

/// Takes models all the way to their results.
class HostileModels : public testing::Test {
protected:
  HostileModels() : models(loadModels()) { registerAllDialects(registry); }

  /// Returns whether the model was good in spite of its damage.
  bool process(llvm::StringRef name, llvm::StringRef bytes) {
    SCOPED_TRACE(name.str());
    llvm::errs() << name << "\n";
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    unsigned numErrors = 0;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      numErrors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    });
    std::unique_ptr<llvm::MemoryBuffer> file =
        llvm::MemoryBuffer::getMemBuffer(bytes, "<stdin>", /*RequiresNullTerminator=*/false);
    bool isGood = compile(*file, context);
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
    // Compiling for the host takes most of the time: one in eight runs.
    if (file.getBuffer().size() % 8 != 0) {
      PartitionOptions options;
      options.fallback = Fallback::Host;
      DispatchCompiler compiler("npu-v1");
      return succeeded(runtime::placeModel(*module, options, compiler));
    }
    runtime::RunOptions options;
    options.target = "npu-v1";
    options.simulator.memoryLimit = int64_t(1) << 26;
    options.simulator.cycleLimit = int64_t(1) << 24;
    llvm::Expected<runtime::RunReport> report = runtime::runModel(*module, options);
    if (report)
      return true;
    mlir::emitError(module->getLoc()) << llvm::toString(report.takeError());
    return false;
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

/// Damage that parses: numbers in attributes, shapes and constants, element types, names of
/// operators and numbers of inputs become other ones.
class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  void mutate(onnx::ModelProto &model) {
    onnx::GraphProto &graph = *model.mutable_graph();
    switch (random() % 8) {
    case 0:
      if (model.opset_import_size() > 0)
        model.mutable_opset_import(0)->set_version(1 + random() % 22);
      break;
    case 1:
      if (graph.input_size() > 0)
        mutateType(*graph.mutable_input(random() % graph.input_size()));
      break;
    case 2:
      if (graph.initializer_size() > 0)
        mutateTensor(*graph.mutable_initializer(random() % graph.initializer_size()));
      break;
    default:
      if (graph.node_size() > 0)
        mutateNode(*graph.mutable_node(random() % graph.node_size()));
    }
  }

private:
  int64_t number() {
    const int64_t numbers[] = {0,         1,         -1,        2,         3,
                               -2,        7,         64,        -64,       1000003,
                               INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, int64_t(1) << 33};
    return numbers[random() % std::size(numbers)];
  }
  float real() {
    const float numbers[] = {0.0f,  1.0f,      -1.0f,    0.5f, 1e-30f, 1e30f,
                             3e38f, -INFINITY, INFINITY, NAN,  -0.0f,  2.5f};
    return numbers[random() % std::size(numbers)];
  }

  void mutateType(onnx::ValueInfoProto &value) {
    auto &tensor = *value.mutable_type()->mutable_tensor_type();
    if (random() % 4 == 0)
      tensor.set_elem_type(random() % 18);
    else if (random() % 4 == 0)
      tensor.mutable_shape()->add_dim()->set_dim_value(number());
    else if (tensor.shape().dim_size() > 0 && random() % 4 == 0)
      tensor.mutable_shape()->mutable_dim()->RemoveLast();
    else if (tensor.shape().dim_size() > 0)
      tensor.mutable_shape()
          ->mutable_dim(random() % tensor.shape().dim_size())
          ->set_dim_value(number());
  }

  void mutateTensor(onnx::TensorProto &tensor) {
    std::string &raw = *tensor.mutable_raw_data();
    if (tensor.data_type() == onnx::TensorProto::INT64 && raw.size() >= 8) {
      int64_t value = number();
      std::memcpy(&raw[random() % (raw.size() / 8) * 8], &value, 8);
    } else if (tensor.dims_size() > 0) {
      tensor.set_dims(random() % tensor.dims_size(), number());
    }
  }

  void mutateNode(onnx::NodeProto &node) {
    if (node.attribute_size() == 0 || random() % 4 == 0) {
      switch (random() % 4) {
      case 0:
        if (node.input_size() > 0)
          node.mutable_input(random() % node.input_size())->clear();
        break;
      case 1:
        if (node.input_size() > 1)
          node.mutable_input()->SwapElements(0, random() % node.input_size());
        break;
      case 2:
        if (node.input_size() > 0)
          node.add_input(node.input(0));
        break;
      default:
        node.add_output("another");
      }
      return;
    }
    onnx::AttributeProto &attribute = *node.mutable_attribute(random() % node.attribute_size());
    if (attribute.ints_size() > 0 && random() % 4 == 0)
      attribute.mutable_ints()->RemoveLast();
    else if (attribute.ints_size() > 0)
      attribute.set_ints(random() % attribute.ints_size(), number());
    else if (attribute.floats_size() > 0)
      attribute.set_floats(random() % attribute.floats_size(), real());
    else if (attribute.has_f())
      attribute.set_f(real());
    else if (attribute.has_s())
      attribute.set_s(random() % 2 ? "" : "NOTSET");
    else if (attribute.has_t())
      mutateTensor(*attribute.mutable_t());
    else
      attribute.set_i(number());
  }

  std::mt19937_64 random;
};

TEST_F(HostileModels, WithOtherNumbers) {
  unsigned numGood = 0;
  for (auto [number, model] : llvm::enumerate(models)) {
    Mutator mutator(number);
    for (unsigned mutant = 0; mutant < 10; ++mutant) {
      onnx::ModelProto proto;
      ASSERT_TRUE(proto.ParseFromString(model.bytes));
      for (unsigned i = 0; i <= mutant % 3; ++i)
        mutator.mutate(proto);
      numGood +=
          process(model.name + " mutant " + std::to_string(mutant), proto.SerializeAsString());
    }
  }
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
