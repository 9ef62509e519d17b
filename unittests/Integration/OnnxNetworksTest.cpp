//===- OnnxNetworksTest.cpp - whole networks from .onnx files -------------===//
//
// The networks of the corpus come without weights: seeded ones are put in, and the logits are
// compared, as a softmax of random logits is nearly one-hot. scripts/compare-onnxruntime.py
// compares the same with ONNX Runtime.
//
//===----------------------------------------------------------------------===//

#include "../Shared.h"

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Target/ONNX/ImportONNX.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace npu;
using namespace npu::runtime;

namespace {
/// The network with seeded weights, without a softmax at its end.
mlir::OwningOpRef<mlir::ModuleOp> loadNetwork(const std::string &name, mlir::MLIRContext &context) {
  std::string path = getSharedPath("corpus/onnx/light_" + name + ".onnx");
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  EXPECT_TRUE(bool(file)) << path << " is missing";
  if (!file)
    return {};
  ONNXImportOptions options;
  options.seed = 1;
  mlir::OwningOpRef<mlir::ModuleOp> module = importONNX(**file, options, &context);
  if (!module)
    return {};
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  auto returned = mlir::cast<mlir::func::ReturnOp>(function.front().getTerminator());
  auto last = returned.getOperand(0).getDefiningOp<onnx_ir::NodeOp>();
  if (last && last.getOpType() == "Softmax") {
    returned.setOperand(0, last.getInputs()[0]);
    function.removeResultAttr(0, mlir::StringAttr::get(&context, onnx_ir::typeAttrName));
  }
  return module;
}

llvm::Expected<RunReport> run(const std::string &name, mlir::MLIRContext &context, bool hostOnly) {
  mlir::OwningOpRef<mlir::ModuleOp> module = loadNetwork(name, context);
  if (!module)
    return llvm::createStringError("cannot import " + name);
  RunOptions options;
  options.target = "npu-v1";
  options.hostOnly = hostOnly;
  return runModel(*module, options);
}

int64_t findLargest(const HostTensor &tensor) {
  int64_t largest = 0;
  for (int64_t i = 1; i < tensor.getNumElements(); ++i)
    if (tensor.getFloat(i) > tensor.getFloat(largest))
      largest = i;
  return largest;
}

class OnnxNetworks : public testing::TestWithParam<std::string> {};

TEST_P(OnnxNetworks, GiveTheLogitsOfTheHost) {
  NPU_NEEDS_SHARED();
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  llvm::Expected<RunReport> report = run(GetParam(), context, /*hostOnly=*/false);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  llvm::Expected<RunReport> reference = run(GetParam(), context, /*hostOnly=*/true);
  ASSERT_TRUE(bool(reference)) << llvm::toString(reference.takeError());

  int64_t macs = 0, macsOnNPU = 0;
  for (const DispatchRecord &record : report->dispatches) {
    macs += record.macs;
    macsOnNPU += record.placement == Placement::NPU ? record.macs : 0;
  }
  EXPECT_GE(double(macsOnNPU), 0.95 * double(macs));
  EXPECT_GT(macs, 100'000'000);

  ASSERT_EQ(report->outputs.size(), 1u);
  const HostTensor &actual = report->outputs[0].value, &expected = reference->outputs[0].value;
  ASSERT_EQ(actual.getNumElements(), 1000);
  ASSERT_EQ(expected.getNumElements(), 1000);
  double largest = 0, error = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(std::isfinite(expected.getFloat(i)));
    largest = std::max(largest, std::abs(expected.getFloat(i)));
    error = std::max(error, std::abs(expected.getFloat(i) - actual.getFloat(i)));
  }
  EXPECT_LE(error, 1e-3 * largest);
  EXPECT_EQ(findLargest(actual), findLargest(expected));
  EXPECT_GT(countDistinctValues(expected), 500); // the weights do their work
}

INSTANTIATE_TEST_SUITE_P(Networks, OnnxNetworks,
                         testing::Values("densenet121", "inception_v1", "resnet50", "squeezenet",
                                         "vgg19"),
                         [](const auto &info) { return info.param; });
} // namespace
