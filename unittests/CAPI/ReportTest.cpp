//===- ReportTest.cpp - chips and reports of the C API ---------------------===//

#include "Outcome.h"

#include "gtest/gtest.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// Sums of any number of rows.
constexpr char dynamic[] = R"(
func.func @twice(%a: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0 : index
  %rows = tensor.dim %a, %zero : tensor<?x16xf32>
  %empty = tensor.empty(%rows) : tensor<?x16xf32>
  %c = linalg.add ins(%a, %a : tensor<?x16xf32>, tensor<?x16xf32>) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %c : tensor<?x16xf32>
})";

/// The same of a function that gives a text, which it must leave alone when it fails.
template <typename Function, typename... Arguments>
Outcome getText(Function function, Arguments... arguments) {
  char *text = nullptr;
  Outcome outcome = call(function, arguments..., &text);
  EXPECT_EQ(outcome.status == NPU_OK, text != nullptr);
  outcome.text = text ? text : "";
  npuFreeString(text);
  return outcome;
}

void expectError(const Outcome &outcome, NpuStatus status, const std::string &message) {
  EXPECT_EQ(outcome.status, status);
  EXPECT_PRED2(contains, outcome.error, message);
}

class CAPIReportTest : public testing::Test {
protected:
  ~CAPIReportTest() override {
    npuReportFree(report);
    npuProgramFree(program);
    npuModelFree(model);
    npuOptionsFree(options);
  }

  void set(const char *name, const std::string &value) {
    EXPECT_EQ(call(npuOptionsSet, options, name, value.c_str()).error, "");
  }
  void read(const char *text) {
    EXPECT_EQ(
        call(npuModelReadBuffer, text, std::strlen(text), "dir/model.mlir", options, &model).error,
        "");
  }
  Outcome plan() { return call(npuReportPlan, model, options, &report); }
  Outcome time() { return call(npuReportTime, model, options, &report); }
  Outcome run() {
    return call(npuReportRun, model, options, inputs.data(), inputs.size(), &report);
  }
  std::string get(NpuReportText which) {
    Outcome outcome = getText(npuReportGetText, report, int32_t(which));
    EXPECT_EQ(outcome.error, "");
    return outcome.text;
  }
  /// Inputs of the product.
  void bind() {
    inputs = {{nullptr, shapes[0], a.data(), 128, NPU_F32, 2},
              {nullptr, shapes[1], b.data(), 64, NPU_F32, 2}};
  }
  void free() {
    npuReportFree(report);
    report = nullptr;
  }

  NpuOptions *options = npuOptionsCreate();
  NpuModel *model = nullptr;
  NpuProgram *program = nullptr;
  NpuReport *report = nullptr;
  int64_t shapes[2][2] = {{4, 8}, {8, 2}};
  std::vector<float> a = std::vector<float>(32, 1.5f), b = std::vector<float>(16, 2.0f);
  std::vector<NpuTensor> inputs;
};

TEST_F(CAPIReportTest, ReadsChips) {
  EXPECT_EQ(getText(npuTargetRead, "npu-v1:clusters=2").text, "npu-v1:clusters=2");
  EXPECT_EQ(getText(npuTargetRead, R"( {"name": "npu-v1", "base": "npu-v1", "clusters": 4})").text,
            "npu-v1:clusters=4");
  std::string path = testing::TempDir() + "/mine.json";
  std::ofstream(path) << R"({"base": "npu-v1", "clusters": 3})";
  std::string specification = getText(npuTargetRead, ("@" + path).c_str()).text;
  EXPECT_EQ(specification.find("mine:"), 0u);
  set("target", specification);
  std::string json = getText(npuTargetPrint, specification.c_str()).text;
  EXPECT_PRED2(contains, json, "\"name\": \"mine\"");
  EXPECT_PRED2(contains, json, "\"clusters\": 3");
  // What is printed can be read.
  EXPECT_EQ(getText(npuTargetRead, json.c_str()).text, specification);
  EXPECT_PRED2(contains, getText(npuTargetList).text, "\"npu-v1\"");
}

TEST_F(CAPIReportTest, RefusesChips) {
  expectError(getText(npuTargetRead, "npu-v9"), NPU_BAD_INPUT, "unknown target 'npu-v9'");
  expectError(getText(npuTargetRead, "@/nonexistent.json"), NPU_BAD_INPUT,
              "target file '/nonexistent.json'");
  expectError(getText(npuTargetRead, "{\n\"base\": \"npu-v1\",\n\"cluster\": 1}"), NPU_BAD_INPUT,
              "line 3: unknown key 'cluster'; did you mean 'clusters'?");
  expectError(getText(npuTargetRead, "{"), NPU_BAD_INPUT, "expected JSON");
  expectError(getText(npuTargetRead, "{}"), NPU_BAD_INPUT, "or the key 'base'");
  expectError(getText(npuTargetPrint, "npu-v9"), NPU_BAD_INPUT, "unknown target 'npu-v9'");
  expectError(getText(npuTargetPrint, "@x.json"), NPU_BAD_INPUT, "@x.json");
}

TEST_F(CAPIReportTest, DescribesModels) {
  read(product);
  std::string json = getText(npuModelDescribe, model, options).text;
  for (const char *part : {"\"name\": \"input1\"", "\"name\": \"output0\"", "\"type\": \"f32\""})
    EXPECT_PRED2(contains, json, part);
  npuModelFree(model);
  read(dynamic);
  EXPECT_PRED2(contains, getText(npuModelDescribe, model, options).text, "null");
  set("function", "other");
  expectError(getText(npuModelDescribe, model, options), NPU_BAD_INPUT,
              "there is no function 'other'");
  npuModelFree(model);
  npuOptionsFree(options);
  options = nullptr;
  read("func.func @f() { return } func.func @g() { return }");
  expectError(getText(npuModelDescribe, model, options), NPU_BAD_INPUT,
              "expected one public function, found none or several");
}

TEST_F(CAPIReportTest, Plans) {
  read(product);
  EXPECT_EQ(plan().error, "");
  EXPECT_EQ(get(NPU_REPORT_SUMMARY), getText(npuModelPlan, model, options).text);
  EXPECT_PRED2(contains, get(NPU_REPORT_KERNELS), "\"predicted_cycles\"");
  EXPECT_PRED2(contains, get(NPU_REPORT_DIAGNOSTICS), "sarif");
  EXPECT_EQ(npuReportGetNumOutputs(report), 0u);
  for (NpuReportText which : {NPU_REPORT_TABLES, NPU_REPORT_PAGE})
    expectError(getText(npuReportGetText, report, int32_t(which)), NPU_BAD_USAGE, "found a plan");
  expectError(call(npuReportWrite, report, "/tmp/never"), NPU_BAD_USAGE, "found a plan");
  expectError(getText(npuReportGetText, report, 99), NPU_BAD_USAGE, "found number 99");
}

TEST_F(CAPIReportTest, Times) {
  read(product);
  EXPECT_EQ(time().error, "");
  // The model is not needed any more.
  npuModelFree(model);
  model = nullptr;
  std::string summary = get(NPU_REPORT_SUMMARY), tables = get(NPU_REPORT_TABLES);
  EXPECT_PRED2(contains, summary, "\"dispatches\": 1");
  EXPECT_PRED2(contains, summary, "\"hostCheck\": \"unchecked\"");
  EXPECT_PRED2(contains, tables, "\"model\":\"model.mlir\"");
  EXPECT_PRED2(contains, tables, "\"largest_cause\"");
  EXPECT_PRED2(contains, get(NPU_REPORT_PAGE), "<html");
  std::filesystem::path directory = testing::TempDir() + "/capi-report";
  std::filesystem::remove_all(directory);
  EXPECT_EQ(call(npuReportWrite, report, directory.c_str()).error, "");
  for (const char *name : {"summary.json", "report.json", "report.html", "per-dispatch.csv",
                           "summary.csv", "diagnostics.sarif"})
    EXPECT_TRUE(std::filesystem::is_regular_file(directory / name)) << name;
  for (const char *name : {"model-explorer", "dispatches.dot", "trace.pftrace"})
    EXPECT_FALSE(std::filesystem::exists(directory / name)) << name;
  std::ifstream file(directory / "summary.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), summary);
  expectError(call(npuReportWrite, report, (directory / "summary.json").c_str()), NPU_BAD_INPUT,
              "summary.json");
}

TEST_F(CAPIReportTest, AssumesTypesOfONNXOnly) {
  read(product);
  set("assume-type", "i8");
  for (const Outcome &outcome : {plan(), time()}) {
    EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
    std::string error = outcome.error;
    EXPECT_PRED2(contains, error, "expected an ONNX model, found another; give that one");
  }
}

TEST_F(CAPIReportTest, WritesGraphsAndTraces) {
  std::filesystem::path directory = testing::TempDir() + "/capi-graphs";
  std::filesystem::remove_all(directory);
  std::string trace = testing::TempDir() + "/capi-trace.json";
  set("report", "full");
  set("trace", trace);
  read(product);
  EXPECT_EQ(time().error, "");
  EXPECT_EQ(call(npuReportWrite, report, directory.c_str()).error, "");
  EXPECT_TRUE(std::filesystem::exists(directory / "model-explorer" / "graphs.json"));
  EXPECT_GT(std::filesystem::file_size(directory / "trace.pftrace"), 0u);
  std::ifstream file(trace);
  EXPECT_PRED2(contains, std::string(std::istreambuf_iterator<char>(file), {}), "traceEvents");
  free();
  set("trace", "/nonexistent/t.pftrace");
  expectError(time(), NPU_BAD_INPUT, "/nonexistent/t.pftrace");
  expectError(call(npuOptionsSet, options, "trace", "t.txt"), NPU_BAD_USAGE,
              "expected a file that ends in .json, .pftrace or .perfetto-trace for trace");
}

TEST_F(CAPIReportTest, FollowsSchedules) {
  read(product);
  EXPECT_EQ(time().error, "");
  std::string schedule = get(NPU_REPORT_SCHEDULE), summary = get(NPU_REPORT_SUMMARY);
  EXPECT_PRED2(contains, schedule, "\"format\": \"npu-schedule\"");
  free();
  set("schedule", schedule);
  EXPECT_EQ(time().error, "");
  EXPECT_EQ(get(NPU_REPORT_SUMMARY), summary);
  EXPECT_EQ(get(NPU_REPORT_SCHEDULE), schedule);
  EXPECT_EQ(getText(npuModelPlan, model, options).error, "");
  EXPECT_EQ(call(npuModelCompile, model, options, &program).error, "");
  free();
  set("target", "npu-v1:clusters=2");
  for (Outcome outcome :
       {time(), getText(npuModelPlan, model, options),
        call(npuModelCompile, model, options, reinterpret_cast<NpuProgram **>(&inputs))})
    expectError(outcome, NPU_BAD_INPUT, "schedule: expected a schedule for target");
  set("schedule", "{");
  expectError(plan(), NPU_BAD_INPUT, "schedule: expected JSON");
}

TEST_F(CAPIReportTest, RunsAndChecks) {
  read(product);
  bind();
  EXPECT_EQ(run().error, "");
  EXPECT_PRED2(contains, get(NPU_REPORT_SUMMARY), "\"hostCheck\": \"unchecked\"");
  free();
  set("check", "on");
  EXPECT_EQ(run().error, "");
  EXPECT_PRED2(contains, get(NPU_REPORT_SUMMARY), "\"hostCheck\": \"match\"");
  ASSERT_EQ(npuReportGetNumOutputs(report), 1u);
  NpuTensor output;
  EXPECT_EQ(call(npuReportGetOutput, report, 0, &output).error, "");
  EXPECT_EQ(output.elementType, NPU_F32);
  EXPECT_EQ(output.rank, 2);
  ASSERT_EQ(output.numBytes, 32u);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(static_cast<const float *>(output.data)[i], 24.0f);
  expectError(call(npuReportGetOutput, report, 1, &output), NPU_BAD_USAGE,
              "expected an index less than 1, found 1");
}

TEST_F(CAPIReportTest, RefusesInputs) {
  read(product);
  auto fails = [&](NpuStatus status, const char *message) {
    expectError(run(), status, message);
    EXPECT_EQ(report, nullptr);
    bind();
  };
  fails(NPU_BAD_USAGE, "expected 2 inputs, found 0");
  inputs[1].elementType = 77;
  fails(NPU_BAD_INPUT, "input 1: found an element type of number 77");
  inputs[1].rank = 65;
  fails(NPU_BAD_INPUT, "input 1: expected a rank of 0 to 64, found 65");
  inputs[1].rank = -1;
  fails(NPU_BAD_INPUT, "input 1: expected a rank of 0 to 64, found -1");
  inputs[0].shape = nullptr;
  fails(NPU_BAD_INPUT, "input 0: found a shape that is NULL");
  inputs[0].data = nullptr;
  fails(NPU_BAD_USAGE, "expected data of input 0, found NULL");
  inputs[0].numBytes = 127;
  fails(NPU_BAD_INPUT, "input 0: expected 128 bytes for a 4x8xf32, found 127");
  int64_t large[] = {INT64_MAX, 2}, negative[] = {-1, 2};
  inputs[0].shape = large;
  fails(NPU_BAD_INPUT, "input 0: tensor shape is negative or too large");
  inputs[0].shape = negative;
  fails(NPU_BAD_INPUT, "input 0: tensor shape is negative or too large");
  std::swap(inputs[0], inputs[1]);
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a 8x2xf32");
}

TEST_F(CAPIReportTest, GivesDynamicModelsShapes) {
  read(dynamic);
  EXPECT_EQ(time().status, NPU_BAD_INPUT);
  EXPECT_EQ(call(npuModelCompile, model, options, &program).status, NPU_BAD_INPUT);
  // A run has inputs that say it.
  int64_t shape[] = {2, 16};
  inputs = {{nullptr, shape, a.data(), 128, NPU_F32, 2}};
  EXPECT_EQ(run().error, "");
  NpuTensor output;
  EXPECT_EQ(call(npuReportGetOutput, report, 0, &output).error, "");
  EXPECT_EQ(output.numBytes, 128u);
  free();
  set("input", "2x16xf32");
  EXPECT_EQ(time().error, "");
  EXPECT_EQ(call(npuModelCompile, model, options, &program).error, "");
  expectError(call(npuOptionsSet, options, "input", ""), NPU_BAD_USAGE, "expected a tensor");
}

TEST_F(CAPIReportTest, ReadsModelsByOptions) {
  std::string path =
      "/usr/share/libonnx-testdata/data/node/test_basic_conv_with_padding/model.onnx";
  set("onnx-seed-weights", "7");
  EXPECT_EQ(call(npuModelRead, path.c_str(), options, &model).error, "");
  expectError(call(npuOptionsSet, options, "onnx-seed-weights", "x"), NPU_BAD_USAGE,
              "expected a number for onnx-seed-weights, found 'x'");
  expectError(call(npuOptionsSet, options, "report", "on"), NPU_BAD_USAGE,
              "expected quick or full for report, found 'on'");
  expectError(call(npuOptionsSet, options, "check", "yes"), NPU_BAD_USAGE, "expected on or off");
  set("onnx-output", "none");
  NpuModel *other = nullptr;
  Outcome outcome = call(npuModelRead, path.c_str(), options, &other);
  expectError(outcome, NPU_BAD_INPUT, "\"none\"");
  EXPECT_EQ(other, nullptr);
}

TEST_F(CAPIReportTest, RefusesNull) {
  read(product);
  EXPECT_EQ(time().error, "");
  auto expectNull = [](Outcome outcome, const char *what) {
    EXPECT_EQ(outcome.status, NPU_BAD_USAGE);
    EXPECT_EQ(outcome.error, std::string("expected ") + what + ", found NULL");
  };
  NpuModel *noModel = nullptr;
  NpuReport *noReport = nullptr;
  NpuReport **noPlace = nullptr;
  const char *noText = nullptr;
  char *text = nullptr;
  char **noTextPlace = nullptr;
  NpuTensor tensor;
  NpuTensor *noTensor = nullptr;
  const NpuTensor *noTensors = nullptr;
  expectNull(call(npuTargetRead, noText, &text), "a chip");
  expectNull(call(npuTargetRead, "npu-v1", noTextPlace), "a place for the specification");
  expectNull(call(npuTargetPrint, noText, &text), "a specification");
  expectNull(call(npuTargetPrint, "npu-v1", noTextPlace), "a place for the chip");
  expectNull(call(npuTargetList, noTextPlace), "a place for the names");
  expectNull(call(npuModelDescribe, noModel, options, &text), "a model");
  expectNull(call(npuModelDescribe, model, options, noTextPlace), "a place for the description");
  for (auto function : {npuReportPlan, npuReportTime}) {
    expectNull(call(function, noModel, options, &report), "a model");
    expectNull(call(function, model, options, noPlace), "a place for the report");
  }
  expectNull(call(npuReportRun, noModel, options, noTensors, 0, &report), "a model");
  expectNull(call(npuReportRun, model, options, noTensors, 1, &report), "inputs");
  expectNull(call(npuReportRun, model, options, noTensors, 0, noPlace), "a place for the report");
  expectNull(call(npuReportGetText, noReport, 1, &text), "a report");
  expectNull(call(npuReportGetText, report, 1, noTextPlace), "a place for the text");
  expectNull(call(npuReportGetOutput, noReport, 0, &tensor), "a report");
  expectNull(call(npuReportGetOutput, report, 0, noTensor), "a place for the tensor");
  expectNull(call(npuReportWrite, noReport, "d"), "a report");
  expectNull(call(npuReportWrite, report, noText), "a directory");
  EXPECT_EQ(npuReportGetNumOutputs(nullptr), 0u);
  npuReportFree(nullptr);
}

} // namespace
