//===- KernelNamesTest.cpp - tests of what kernels are called -------------===//

#include "NPU/Execution/KernelNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu::runtime;

TEST(KernelNames, Kinds) {
  std::string conv = "op: linalg.generic N=1 H=9 W=9 C=32 F=32 OH=4 OW=4 kernel=3x3 ";
  EXPECT_EQ(getKernelKind(conv + "stride=1x1 dilation=1x1 groups=1 dtype: f32", ""), "Conv 3x3");
  EXPECT_EQ(getKernelKind(conv + "stride=2x2 dilation=1x1 groups=32 dtype: f32", "Conv"),
            "Conv 3x3 s2 depthwise");
  EXPECT_EQ(getKernelKind(conv + "stride=1x2 dilation=2x2 groups=4 dtype: f32", "Conv"),
            "Conv 3x3 s1x2 d2 g4");
  std::string product = "op: linalg.generic B=12 M=128 N=64 K=32 dtype: f16";
  EXPECT_EQ(getKernelKind(product, "MatMul"), "MatMul 128x64x32 b12");
  EXPECT_EQ(getKernelKind("op: linalg.matmul M=128 N=64 K=? dtype: f16", ""), "MatMul 128x64x?");
  EXPECT_EQ(getKernelKind("op: linalg.generic M=3136 N=64 K=64 dtype: f32", "Conv"), "Conv 1x1");
  EXPECT_EQ(getKernelKind("op: linalg.generic M=49 N=8 K=8 dtype: i8xi8xi32", "QLinearConv"),
            "Conv 1x1");
  std::string pool = "op: linalg.pooling_nhwc_max NC=64 H=9 W=9 OH=4 OW=4 kernel=3x3 stride=2x2 "
                     "dilation=1x1 dtype: f32";
  EXPECT_EQ(getKernelKind(pool, ""), "MaxPool 3x3 s2");
  EXPECT_EQ(getKernelKind(pool, "AveragePool"), "AveragePool 3x3 s2");
  EXPECT_EQ(getKernelKind("op: linalg.softmax shape=1000 dtype: f32", "Softmax"), "Softmax");
  EXPECT_EQ(getKernelKind("op: linalg.generic shape=128x768 dtype: f32", ""), "Element-wise");
  EXPECT_EQ(getKernelKind("op: linalg.generic shape=128x768 dtype: f32", "Relu"), "Relu");
  // It only pads, or zeroes, what a convolution needs.
  EXPECT_EQ(getKernelKind("op: linalg.generic shape=128x768 dtype: i8", "Conv"), "Element-wise");
  EXPECT_EQ(getKernelKind("op: copy shape=4 dtype: f32", ""), "Copy");
  EXPECT_EQ(getKernelKind("op: external @e::@f", ""), "External");
  EXPECT_EQ(getKernelKind("", ""), "");
}

TEST(KernelNames, MainDispatch) {
  StringRef generic = "op: linalg.generic shape=8 dtype: i8";
  NamedDispatch quantize{generic, {"QuantizeLinear18", ""}, 0, 3};
  NamedDispatch relu{generic, {"relu", "Relu"}, 0, 4};
  NamedDispatch conv{"op: linalg.generic M=8 N=8 K=8 dtype: i8", {"conv1", "Conv"}, 512, 5};
  EXPECT_EQ(getKernelName({}), "");
  EXPECT_EQ(getKernelName({quantize}), "QuantizeLinear18: Element-wise");
  EXPECT_EQ(getKernelName({quantize, relu}), "relu: Relu");
  EXPECT_EQ(getKernelName({quantize, relu, conv}), "conv1: Conv 1x1");
  EXPECT_EQ(getKernelName({{generic, {"", ""}, 0, 7}}), "#7: Element-wise");
}

TEST(KernelNames, Layers) {
  MLIRContext context;
  Builder builder(&context);
  Location file = FileLineColLoc::get(&context, "/somewhere/model.onnx", 1, 2);
  auto makeNode = [&](StringRef name, StringRef op) -> Location {
    return NameLoc::get(builder.getStringAttr(name),
                        FusedLoc::get({file}, builder.getStringAttr(op), &context));
  };
  Location conv = makeNode("conv1", "Conv"), quantize = makeNode("q", "QuantizeLinear");
  Layer layer = findLayer(nullptr, FusedLoc::get(&context, {quantize, conv}));
  EXPECT_EQ(layer.name, "conv1");
  EXPECT_EQ(layer.op, "Conv");
  EXPECT_EQ(findLayer(nullptr, quantize).name, "q");
  EXPECT_EQ(findLayer(nullptr, file).name, "model.onnx:1:2");
  EXPECT_EQ(findLayer(nullptr, builder.getUnknownLoc()).name, "");
}
