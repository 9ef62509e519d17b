//===- CorpusTest.cpp - the DRAM plan of whole networks -------------------===//

#include "../Shared.h"
#include "Sweep.h"

#include "NPU/InitAll/InitAll.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu::taskgraph;

namespace {

class Corpus : public ::testing::TestWithParam<std::pair<const char *, double>> {};

/// The planned peak against the live set, as an independent sweep over the tasks sees both.
TEST_P(Corpus, PlansCloseToTheLiveSet) {
  NPU_NEEDS_SHARED();
  auto [model, limit] = GetParam();
  DialectRegistry registry;
  npu::registerAllDialects(registry);
  MLIRContext context(registry);
  std::string path = npu::getSharedPath(llvm::Twine("corpus/iree/") + model + "/flow.mlir");
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
  ASSERT_TRUE(bool(module));
  BuildOptions options;
  options.target = "npu-v1";
  llvm::Expected<TaskGraph> graph = buildTaskGraph(*module, options);
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());

  SweepResult result = sweep(*graph);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.peakBytes, graph->getRegionBytes(MemoryRegion::Intermediates));
  EXPECT_EQ(result.liveSetBytes, graph->liveSetBytes);
  EXPECT_GT(result.liveSetBytes, 0);
  EXPECT_LE(result.peakBytes, result.liveSetBytes * limit);
  RecordProperty("peakBytes", std::to_string(result.peakBytes));
  RecordProperty("liveSetBytes", std::to_string(result.liveSetBytes));
}

INSTANTIATE_TEST_SUITE_P(Networks, Corpus,
                         ::testing::Values(std::pair("net_resnet50_nhwc_f32", 1.0),
                                           std::pair("net_resnet50_nchw_f16", 1.0),
                                           std::pair("net_resnet18_nchw_f32", 1.0),
                                           std::pair("net_bert_base_f32", 1.02),
                                           std::pair("net_bert_tiny_f32", 1.02),
                                           std::pair("transformer_encoder_f32", 1.02),
                                           std::pair("lenet_nchw", 1.0)),
                         [](const auto &info) { return std::string(info.param.first); });

} // namespace
