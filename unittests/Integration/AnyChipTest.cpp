//===- AnyChipTest.cpp - every model is right on every chip ---------------===//
//
// Single-dispatch models of the corpus on the known targets and on seeded random ones, checked
// against the host as `npu-run --check` does.
//
//===----------------------------------------------------------------------===//

#include "../Shared.h"
#include "Harness.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::StringRef;

namespace {

constexpr StringRef models[] = {"matmul_f32",
                                "matmul_f16",
                                "matmul_f16_f32",
                                "matmul_i8_i32",
                                "matmul_transpose_b_f32",
                                "matmul_bias_relu_f32",
                                "matmul_bias_relu_f16",
                                "matmul_bias_requant_i8",
                                "batch_matmul_f32",
                                "matvec_f32",
                                "conv2d_nchw_bias_relu_f32",
                                "conv2d_nchw_bias_relu_f16",
                                "conv2d_nchw_bias_relu_i8",
                                "conv2d_nhwc_bias_relu_f32",
                                "conv2d_nhwc_1x1_f32",
                                "conv2d_nhwc_stride2_f32",
                                "depthwise_conv2d_nhwc_f32",
                                "depthwise_conv2d_nhwc_i8"};

void checkModel(Harness &harness, StringRef model, StringRef target) {
  SCOPED_TRACE((model + " on " + target).str());
  std::string path = getSharedPath("corpus/iree/" + model + "/flow.mlir");
  ASSERT_TRUE(llvm::sys::fs::exists(path)) << "the corpus is not where it should be: " << path;
  llvm::Expected<RunReport> report = harness.runModelFile(path, target);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_FALSE(report->dispatches.empty());
  for (const DispatchRecord &dispatch : report->dispatches) {
    EXPECT_EQ(findBrokenBound(dispatch.statistics, dispatch.limit), "");
    EXPECT_FALSE(dispatch.checks.empty());
  }
  if (report->hasPassed() && report->getInconclusive().empty())
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  report->print(os, llvm::cantFail(parseTarget(target)));
  ADD_FAILURE() << text;
}

class KnownTarget : public ::testing::TestWithParam<std::string> {};

TEST_P(KnownTarget, RunsItsModels) {
  NPU_NEEDS_SHARED();
  Harness harness;
  TargetDesc target = llvm::cantFail(parseTarget(GetParam()));
  for (StringRef model : models)
    if (target.vpuFloat || model.contains("i8"))
      checkModel(harness, model, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, KnownTarget, ::testing::Values("npu-v1", "npu-v1-x4", "npu-tiny"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class AnyChip : public ::testing::TestWithParam<int> {};

TEST_P(AnyChip, RunsEveryModel) {
  NPU_NEEDS_SHARED();
  Harness harness;
  Random random(GetParam());
  std::string target = makeRandomTarget(random, ChipRange());
  for (StringRef model : models)
    checkModel(harness, model, target);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyChip, ::testing::Range(0, 20));

} // namespace
