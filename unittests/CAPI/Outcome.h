//===- Outcome.h - calls of the C API, and what they say ------------------===//

#ifndef NPU_UNITTESTS_CAPI_OUTCOME_H
#define NPU_UNITTESTS_CAPI_OUTCOME_H

#include "npu-c/npu.h"

#include "gtest/gtest.h"

#include <string>

/// A product that the NPU runs.
inline constexpr char product[] = R"(
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
})";

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// The status of a call, its message and its text.
struct Outcome {
  NpuStatus status;
  std::string error, text;
};

template <typename Function, typename... Arguments>
Outcome call(Function function, Arguments... arguments) {
  char *error = reinterpret_cast<char *>(1); // must be overwritten
  Outcome outcome{function(arguments..., &error), "", ""};
  EXPECT_EQ(outcome.status == NPU_OK, error == nullptr);
  if (error)
    outcome.error = error;
  npuFreeString(error);
  return outcome;
}

#endif // NPU_UNITTESTS_CAPI_OUTCOME_H
