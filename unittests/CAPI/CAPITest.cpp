//===- CAPITest.cpp - the C API as its callers see it ---------------------===//

#include "Outcome.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr char onnxTests[] = "/usr/share/libonnx-testdata/data/node/";

/// Sums of f64, which the NPU does not run.
constexpr char onHost[] = R"(
func.func @sum(%a: tensor<16xf64>) -> tensor<16xf64> {
  %empty = tensor.empty() : tensor<16xf64>
  %c = linalg.add ins(%a, %a : tensor<16xf64>, tensor<16xf64>) outs(%empty : tensor<16xf64>) -> tensor<16xf64>
  return %c : tensor<16xf64>
})";

/// Frees what its functions give.
class CAPITest : public testing::Test {
protected:
  ~CAPITest() override {
    npuProgramFree(program);
    npuModelFree(model);
    npuOptionsFree(options);
  }

  void set(const char *name, const char *value) {
    EXPECT_EQ(call(npuOptionsSet, options, name, value).error, "");
  }
  Outcome read(const std::string &text, const char *name = "model.mlir") {
    return call(npuModelReadBuffer, text.data(), text.size(), name, options, &model);
  }
  Outcome compile(const std::string &text) {
    EXPECT_EQ(read(text).error, "");
    return call(npuModelCompile, model, options, &program);
  }
  Outcome plan(std::string &json) {
    char *text = nullptr;
    Outcome outcome = call(npuModelPlan, model, options, &text);
    json = text ? text : "";
    npuFreeString(text);
    return outcome;
  }

  /// The tensors of the program, on `data`.
  std::vector<NpuTensor> bind(size_t count, decltype(npuProgramGetInput) get,
                              std::vector<std::vector<char>> &data) {
    std::vector<NpuTensor> tensors(count);
    data.resize(count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(call(get, program, i, &tensors[i]).error, "");
      data[i].resize(tensors[i].numBytes);
      tensors[i].data = data[i].data();
    }
    return tensors;
  }
  void bindAll() {
    inputs = bind(npuProgramGetNumInputs(program), npuProgramGetInput, inputData);
    outputs = bind(npuProgramGetNumOutputs(program), npuProgramGetOutput, outputData);
  }
  Outcome run(std::string *report = nullptr) {
    char *text = nullptr;
    Outcome outcome = call(npuProgramRun, program, options, inputs.data(), inputs.size(),
                           outputs.data(), outputs.size(), report ? &text : nullptr);
    if (report)
      *report = text ? text : "";
    npuFreeString(text);
    return outcome;
  }

  NpuOptions *options = npuOptionsCreate();
  NpuModel *model = nullptr;
  NpuProgram *program = nullptr;
  std::vector<std::vector<char>> inputData, outputData;
  std::vector<NpuTensor> inputs, outputs;
};

template <typename T>
void fill(std::vector<char> &bytes, T value) {
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T))
    std::memcpy(&bytes[i], &value, sizeof(T));
}

template <typename T>
std::vector<T> readAs(const std::vector<char> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

TEST_F(CAPITest, Versions) {
  EXPECT_EQ(npuGetAbiVersion(), uint32_t(NPU_ABI_VERSION));
  int major, minor, patch;
  EXPECT_EQ(std::sscanf(npuGetVersion(), "%d.%d.%d", &major, &minor, &patch), 3);
}

TEST_F(CAPITest, RunsMLIR) {
  EXPECT_EQ(compile(product).error, "");
  bindAll();
  ASSERT_EQ(inputs.size(), 2u);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(inputs[1].elementType, NPU_F32);
  EXPECT_EQ(std::vector<int64_t>(inputs[1].shape, inputs[1].shape + inputs[1].rank),
            (std::vector<int64_t>{8, 2}));
  EXPECT_EQ(inputs[1].numBytes, 64u);
  EXPECT_STREQ(outputs[0].name, "output0");
  fill(inputData[0], 1.5f);
  fill(inputData[1], 2.0f);
  // Twice, as a program does not change.
  for (int round = 0; round < 2; ++round) {
    std::string report;
    EXPECT_EQ(run(&report).error, "");
    EXPECT_EQ(readAs<float>(outputData[0]), std::vector<float>(8, 24.0f));
    EXPECT_PRED2(contains, report, "\"macsOnNPU\": 64");
    EXPECT_PRED2(contains, report, "\"placement\": \"npu\"");
    fill(outputData[0], 0.0f);
  }
}

TEST_F(CAPITest, RunsONNX) {
  std::string path = std::string(onnxTests) + "test_basic_conv_with_padding/model.onnx";
  EXPECT_EQ(call(npuModelRead, path.c_str(), options, &model).error, "");
  EXPECT_EQ(call(npuModelCompile, model, options, &program).error, "");
  bindAll();
  fill(inputData[0], 1.0f);
  fill(inputData[1], 1.0f);
  EXPECT_EQ(run().error, "");
  std::vector<float> values = readAs<float>(outputData[0]);
  EXPECT_EQ(values[0], 4); // a corner
  EXPECT_EQ(values[1], 6);
  EXPECT_EQ(values[6], 9);
}

TEST_F(CAPITest, Plans) {
  EXPECT_EQ(read(product).error, "");
  std::string json;
  EXPECT_EQ(plan(json).error, "");
  EXPECT_PRED2(contains, json, "\"target\": \"npu-v1\"");
  EXPECT_PRED2(contains, json, "\"macs\": 64");
  EXPECT_PRED2(contains, json, "linalg.matmul M=4 N=2 K=8");
  EXPECT_PRED2(contains, json, "\"reasons\": []");
  EXPECT_PRED2(contains, json, "\"kernel\": 0");
  EXPECT_PRED2(contains, json, "model.mlir:6:8\"");
  // The model is as it was: it can still be compiled, and planned again.
  std::string again;
  EXPECT_EQ(plan(again).error, "");
  EXPECT_EQ(json, again);
  EXPECT_EQ(call(npuModelCompile, model, options, &program).error, "");
}

TEST_F(CAPITest, PlansWhatTheHostRuns) {
  EXPECT_EQ(read(onHost).error, "");
  std::string json;
  EXPECT_EQ(plan(json).error, "");
  EXPECT_PRED2(contains, json, "\"placement\": \"host\"");
  EXPECT_PRED2(contains, json, "(f64 of operand 0 of linalg.generic)");
  set("npu-fallback", "error");
  Outcome outcome = plan(json);
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "Dispatch #0 not supported");
}

TEST_F(CAPITest, PlansElementsOfAnyType) {
  for (std::string element :
       {"index", "complex<f32>", "vector<2xi8>", "!llvm.ptr", "i128", "f80", "!odd.type"}) {
    std::string from = "tensor<8x16x" + element + ">", to = "tensor<4x4x" + element + ">", json;
    EXPECT_EQ(read("func.func @main(%a: " + from + ") -> " + to +
                   " {\n  %t = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : " + from + " to " +
                   to + "\n  return %t : " + to + "\n}\n")
                  .error,
              "");
    EXPECT_EQ(plan(json).error, "") << element;
    EXPECT_NE(json.find("element type without npu equivalent (" + element), std::string::npos)
        << json;
    npuModelFree(model);
    model = nullptr;
  }
}

TEST_F(CAPITest, EscapesNames) {
  std::string json;
  EXPECT_EQ(read(R"(func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %t = arith.addf %a, %a : tensor<4xf64> loc("\1b[31m\0a\E2\80\AEname")
  return %t : tensor<4xf64>
})")
                .error,
            "");
  EXPECT_EQ(plan(json).error, "");
  EXPECT_NE(json.find("\\u001b[31m\\n\\u202ename"), std::string::npos) << json;
  EXPECT_EQ(json.find('\x1b'), std::string::npos);
  EXPECT_EQ(json.find("\xe2\x80\xae"), std::string::npos);
}

TEST_F(CAPITest, RunsHostCodeOfItsOwnOnly) {
  EXPECT_EQ(compile(onHost).error, "");
  bindAll();
  fill(inputData[0], 1.25);
  EXPECT_EQ(run().error, "");
  EXPECT_EQ(readAs<double>(outputData[0]), std::vector<double>(16, 2.5));

  std::string path = testing::TempDir() + "/sum.npu.json";
  EXPECT_EQ(call(npuProgramWrite, program, path.c_str()).error, "");
  npuProgramFree(program);
  program = nullptr;
  EXPECT_EQ(call(npuProgramRead, path.c_str(), &program).error, "");
  bindAll();
  fill(outputData[0], 0.0);
  Outcome outcome = run();
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "allow-host-code");
  EXPECT_EQ(readAs<double>(outputData[0]), std::vector<double>(16, 0));
  set("allow-host-code", "on");
  fill(inputData[0], 3.0);
  EXPECT_EQ(run().error, "");
  EXPECT_EQ(readAs<double>(outputData[0]), std::vector<double>(16, 6));
}

TEST_F(CAPITest, ModelsInSeveralThreads) {
  auto work = [](float factor, std::string &problem) {
    NpuModel *model = nullptr;
    NpuProgram *program = nullptr;
    char *error = nullptr;
    std::vector<float> a(32, factor), b(16, 1), c(8);
    int64_t shapes[3][2] = {{4, 8}, {8, 2}, {4, 2}};
    NpuTensor inputs[] = {{nullptr, shapes[0], a.data(), 128, NPU_F32, 2},
                          {nullptr, shapes[1], b.data(), 64, NPU_F32, 2}};
    NpuTensor output = {nullptr, shapes[2], c.data(), 32, NPU_F32, 2};
    if (npuModelReadBuffer(product, std::strlen(product), "m", nullptr, &model, &error) ||
        npuModelCompile(model, nullptr, &program, &error) ||
        npuProgramRun(program, nullptr, inputs, 2, &output, 1, nullptr, &error))
      problem = error;
    else if (c != std::vector<float>(8, 8 * factor))
      problem = "wrong values";
    npuFreeString(error);
    npuProgramFree(program);
    npuModelFree(model);
  };
  std::string problems[4];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work, float(i + 1), std::ref(problems[i]));
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &problem : problems)
    EXPECT_EQ(problem, "");
}

TEST_F(CAPITest, RefusesWhatIsNoModel) {
  Outcome outcome = call(npuModelRead, "/nonexistent/model.onnx", options, &model);
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "/nonexistent/model.onnx");
  EXPECT_PRED2(contains, outcome.error, "No such file");
  EXPECT_EQ(model, nullptr);

  outcome = read("func.func @f( {", "some.mlir");
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_EQ(outcome.error.find("some.mlir:1:14: error: "), 0u);
  outcome = read("no model at all", "some.onnx");
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "some.onnx");
  outcome = read(std::string(2000, '('));
  EXPECT_PRED2(contains, outcome.error, "expected at most 1000 levels");
  outcome = read(std::string("\0\1", 2));
  EXPECT_PRED2(contains, outcome.error, "found binary data");
  EXPECT_EQ(model, nullptr);
}

TEST_F(CAPITest, TellsWhatTheCompilerSays) {
  EXPECT_EQ(
      read("func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }").error,
      "");
  Outcome outcome = call(npuModelCompile, model, options, &program);
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "model.mlir:1:");
  EXPECT_EQ(program, nullptr);
  // What was said of one call is not said again of the next.
  Outcome again = call(npuModelCompile, model, options, &program);
  EXPECT_EQ(outcome.error, again.error);
  set("function", "g");
  EXPECT_PRED2(contains, call(npuModelCompile, model, options, &program).error, "'g'");
}

TEST_F(CAPITest, RefusesOptions) {
  auto fails = [&](const char *name, const char *value, const char *message) {
    Outcome outcome = call(npuOptionsSet, options, name, value);
    EXPECT_EQ(outcome.status, NPU_BAD_USAGE);
    EXPECT_PRED2(contains, outcome.error, message);
  };
  fails("color", "red", "memory-limit, host-op-limit, allow-host-code; found 'color'");
  fails("target", "npu-v9", "npu-v9");
  fails("npu-fallback", "cpu", "expected host or error for npu-fallback, found 'cpu'");
  fails("npu-segments", "", "expected on or off for npu-segments, found ''");
  fails("npu-search", "long", "expected auto, quick or full for npu-search, found 'long'");
  fails("cycle-limit", "-1", "expected a positive number for cycle-limit, found '-1'");
  fails("onnx-dim", "n=0", "expected <name>=<positive size>");
  fails(nullptr, "on", "expected an option's name, found NULL");
  fails("target", nullptr, "expected an option's value, found NULL");
  EXPECT_EQ(npuOptionsSet(nullptr, "target", "npu-v1", nullptr), NPU_BAD_USAGE);
}

TEST_F(CAPITest, NamesDimensions) {
  std::string path = std::string(onnxTests) + "../simple/test_sign_model/model.onnx";
  set("onnx-dim", "batch=3");
  Outcome outcome = call(npuModelRead, path.c_str(), options, &model);
  EXPECT_PRED2(contains, outcome.error,
               "expected the name of a dimension of a graph input, found 'batch'");
}

TEST_F(CAPITest, RefusesTensors) {
  EXPECT_EQ(compile(product).error, "");
  bindAll();
  auto fails = [&](NpuStatus status, const char *message) {
    Outcome outcome = run();
    EXPECT_EQ(outcome.status, status);
    EXPECT_PRED2(contains, outcome.error, message);
    bindAll();
  };
  inputs[1].numBytes = 60;
  fails(NPU_BAD_INPUT, "input 1: expected 64 bytes for a 8x2xf32, found 60");
  inputs[0].elementType = NPU_F16;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a 4x8xf16");
  inputs[0].elementType = 77;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found an element type of number 77");
  inputs[0].rank = 1;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a 4xf32");
  inputs[0].shape = nullptr;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a shape that is NULL");
  inputs[0].rank = -1;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a f32 of rank -1");
  // No more of a shape is read than there should be.
  inputs[0].rank = 3;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a f32 of rank 3");
  inputs[0].rank = 1000000000;
  fails(NPU_BAD_INPUT, "input 0: expected a 4x8xf32, found a f32 of rank 1000000000");
  outputs[0].rank = INT32_MAX;
  fails(NPU_BAD_INPUT, "output 0: expected a 4x2xf32, found a f32 of rank 2147483647");
  outputs[0].elementType = INT32_MIN;
  fails(NPU_BAD_INPUT, "found an element type of number -2147483648");
  int64_t shape[] = {INT64_MIN, INT64_MAX};
  inputs[0].shape = shape;
  fails(NPU_BAD_INPUT,
        "input 0: expected a 4x8xf32, found a -9223372036854775808x9223372036854775807xf32");
  inputs[0].numBytes = UINT64_MAX;
  fails(NPU_BAD_INPUT, "input 0: expected 128 bytes for a 4x8xf32, found 18446744073709551615");
  outputs[0].data = nullptr;
  fails(NPU_BAD_USAGE, "expected data of output 0, found NULL");
  inputs[1].data = nullptr;
  fails(NPU_BAD_USAGE, "expected data of input 1, found NULL");
  outputs[0].numBytes = 1;
  fails(NPU_BAD_INPUT, "output 0: expected 32 bytes for a 4x2xf32, found 1");
  inputs.pop_back();
  fails(NPU_BAD_USAGE, "expected 2 inputs, found 1");
  outputs.clear();
  fails(NPU_BAD_USAGE, "expected 1 outputs, found 0");
  EXPECT_EQ(run().error, "");
}

TEST_F(CAPITest, RefusesPrograms) {
  Outcome outcome = call(npuProgramRead, "/nonexistent/model.npu.json", &program);
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "/nonexistent/model.npu.json");
  std::string path = testing::TempDir() + "/bad.npu.json";
  std::ofstream(path) << "{}";
  EXPECT_EQ(call(npuProgramRead, path.c_str(), &program).status, NPU_BAD_INPUT);
  EXPECT_EQ(compile(product).error, "");
  outcome = call(npuProgramWrite, program, "/nonexistent/model.npu.json");
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "/nonexistent/");
}

TEST_F(CAPITest, LimitsRuns) {
  EXPECT_EQ(compile(product).error, "");
  bindAll();
  set("cycle-limit", "1");
  Outcome outcome = run();
  EXPECT_EQ(outcome.status, NPU_TRAP);
  EXPECT_PRED2(contains, outcome.error, "cycle");
  set("cycle-limit", "1000000");
  set("memory-limit", "100");
  outcome = run();
  EXPECT_EQ(outcome.status, NPU_BAD_INPUT);
  EXPECT_PRED2(contains, outcome.error, "the limit of 100");
}

TEST_F(CAPITest, RefusesNull) {
  EXPECT_EQ(compile(product).error, "");
  bindAll();
  auto expectNull = [](Outcome outcome, const char *what) {
    EXPECT_EQ(outcome.status, NPU_BAD_USAGE);
    EXPECT_EQ(outcome.error, std::string("expected ") + what + ", found NULL");
  };
  NpuModel *noModel = nullptr;
  NpuModel **noModelPlace = nullptr;
  NpuProgram *noProgram = nullptr;
  NpuProgram **noProgramPlace = nullptr;
  const char *noText = nullptr;
  char *text = nullptr;
  char **noTextPlace = nullptr;
  NpuTensor tensor;
  NpuTensor *noTensor = nullptr;
  expectNull(call(npuModelRead, noText, options, &model), "a path");
  expectNull(call(npuModelRead, "m.mlir", options, noModelPlace), "a place for the model");
  expectNull(call(npuModelReadBuffer, noText, 0, "m", options, &model), "a model's bytes");
  expectNull(call(npuModelReadBuffer, "x", 1, noText, options, &model), "a name");
  expectNull(call(npuModelReadBuffer, "x", 1, "m", options, noModelPlace), "a place for the model");
  expectNull(call(npuModelPlan, noModel, options, &text), "a model");
  expectNull(call(npuModelPlan, model, options, noTextPlace), "a place for the plan");
  expectNull(call(npuModelCompile, noModel, options, &program), "a model");
  expectNull(call(npuModelCompile, model, options, noProgramPlace), "a place for the program");
  expectNull(call(npuProgramRead, noText, &program), "a path");
  expectNull(call(npuProgramRead, "p.json", noProgramPlace), "a place for the program");
  expectNull(call(npuProgramWrite, noProgram, "p.json"), "a program");
  expectNull(call(npuProgramWrite, program, noText), "a path");
  expectNull(call(npuProgramGetInput, noProgram, 0, &tensor), "a program");
  expectNull(call(npuProgramGetOutput, program, 0, noTensor), "a place for the tensor");
  expectNull(call(npuProgramRun, noProgram, options, inputs.data(), 2, outputs.data(), 1, &text),
             "a program");
  expectNull(call(npuProgramRun, program, options, noTensor, 2, outputs.data(), 1, &text),
             "inputs");
  Outcome outcome = call(npuProgramGetInput, program, 2, &tensor);
  EXPECT_EQ(outcome.status, NPU_BAD_USAGE);
  EXPECT_EQ(outcome.error, "expected an index less than 2, found 2");
  EXPECT_EQ(npuProgramGetNumInputs(nullptr), 0u);
  EXPECT_EQ(npuProgramGetNumOutputs(nullptr), 0u);
  // Without a place for the message, the status is the same.
  EXPECT_EQ(npuModelRead(nullptr, nullptr, &model, nullptr), NPU_BAD_USAGE);
  npuFreeString(nullptr);
  npuModelFree(nullptr);
  npuProgramFree(nullptr);
  npuOptionsFree(nullptr);
}

} // namespace
