//===- FileKindTest.cpp - what a file is, by its contents -----------------===//

#include "NPU/Support/FileKind.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace npu;

TEST(FileKind, IsRecognized) {
  EXPECT_EQ(recognizeFile(""), FileKind::Empty);
  EXPECT_EQ(recognizeFile(" \n"), FileKind::Empty);
  EXPECT_EQ(recognizeFile("// A comment\nmodule {}"), FileKind::MLIR);
  EXPECT_EQ(recognizeFile("\"builtin.module\"() ({}) : () -> ()"), FileKind::MLIR);
  EXPECT_EQ(recognizeFile("func.func @f()"), FileKind::MLIR);
  EXPECT_EQ(recognizeFile("#map = affine_map<() -> ()>"), FileKind::MLIR);
  EXPECT_EQ(recognizeFile("{-# dialect_resources: {} #-}"), FileKind::MLIR);
  EXPECT_EQ(recognizeFile("ML\xEFR\x06"), FileKind::Bytecode);
  EXPECT_EQ(recognizeFile(StringRef("\x08\x07\x12\0", 4)), FileKind::ONNX);
  EXPECT_EQ(recognizeFile("// A comment\n.kernel \"x\""), FileKind::Assembly);
  EXPECT_EQ(recognizeFile("{\"format\": 1}"), FileKind::JSON);
  EXPECT_EQ(recognizeFile("[1]"), FileKind::JSON);
  EXPECT_EQ(recognizeFile("\x93NUMPY\x01"), FileKind::Npy);
  EXPECT_EQ(recognizeFile("PK\x03\x04"), FileKind::Zip);
  EXPECT_EQ(recognizeFile("hello"), FileKind::Text);
  EXPECT_EQ(recognizeFile(StringRef("a\0b", 3)), FileKind::Data);
}

static std::string findUnlowered(StringRef text) {
  return findUnloweredOp(text, [](StringRef dialect) { return dialect == "tf"; }).value_or("");
}

TEST(FileKind, OpsToLowerAreFound) {
  EXPECT_EQ(findUnlowered("module {\n  %0 = stablehlo.add %a, %a : tensor<4xf32>\n}").substr(0, 46),
            "2: expected linalg, tosa or the flow level, fo");
  EXPECT_NE(findUnlowered("%0:2 = \"torch.aten.max\"(%a) : () -> ()"), "");
  EXPECT_NE(findUnlowered("  chlo.broadcast_add"), "");
  // Neither in a string nor in a comment, and not when some plugin reads them.
  EXPECT_EQ(findUnlowered("module attributes {a = \"stablehlo.add\"} {}"), "");
  EXPECT_EQ(findUnlowered("// stablehlo.add\nfunc.func private @stablehlo.add()"), "");
  EXPECT_EQ(findUnlowered("%0 = tf.Add %a, %b"), "");
}
