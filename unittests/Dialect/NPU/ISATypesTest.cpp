//===- ISATypesTest.cpp - the dialect's names against the ISA's -----------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace npu;

TEST(ISATypesTest, KindsHaveTheNamesOfTheISA) {
  for (const auto &known : isa::EnumTraits<isa::UnaryKind>::cases) {
    std::optional<UnaryKind> kind = symbolizeUnaryKind(known.name);
    // A copy is an op of its own.
    ASSERT_EQ(kind.has_value(), known.value != isa::UnaryKind::Copy) << known.name.str();
    if (kind) {
      EXPECT_EQ(getISAKind(*kind), known.value) << known.name.str();
    }
  }
  for (const auto &known : isa::EnumTraits<isa::BinaryKind>::cases) {
    std::optional<BinaryKind> kind = symbolizeBinaryKind(known.name);
    ASSERT_TRUE(kind.has_value()) << known.name.str();
    EXPECT_EQ(getISAKind(*kind), known.value);
    EXPECT_EQ(isComparison(*kind), StringRef(known.name).starts_with("cmp")) << known.name.str();
  }
  EXPECT_EQ(getMaxEnumValForUnaryKind() + 1, std::size(isa::EnumTraits<isa::UnaryKind>::cases));
  EXPECT_EQ(getMaxEnumValForBinaryKind() + 1, std::size(isa::EnumTraits<isa::BinaryKind>::cases));
}

TEST(ISATypesTest, EnginesHaveTheNamesOfTheISA) {
  for (const auto &known : isa::EnumTraits<isa::EngineKind>::cases) {
    std::optional<Engine> engine = symbolizeEngine(known.name);
    ASSERT_TRUE(engine.has_value()) << known.name.str();
    EXPECT_EQ(static_cast<unsigned>(*engine), static_cast<unsigned>(known.value));
  }
  EXPECT_EQ(getMaxEnumValForEngine() + 1, std::size(isa::EnumTraits<isa::EngineKind>::cases));
}

TEST(ISATypesTest, ElementsHaveTheBytesOfTheISA) {
  MLIRContext context;
  Builder builder(&context);
  for (Type type :
       {Type(builder.getI1Type()), Type(builder.getI8Type()), Type(builder.getI16Type()),
        Type(builder.getI32Type()), Type(builder.getF16Type()), Type(builder.getBF16Type()),
        Type(builder.getF32Type())}) {
    std::optional<isa::ElementType> known = getISAType(type);
    ASSERT_TRUE(known.has_value());
    EXPECT_EQ(isa::getByteSize(*known), getElementBytes(type));
    EXPECT_EQ(isa::isFloat(*known), llvm::isa<FloatType>(type));
    EXPECT_EQ(isa::getByteSize(isa::getIntegerType(*known)), getElementBytes(type));
    EXPECT_FALSE(isa::isFloat(isa::getIntegerType(*known)));
  }
  EXPECT_FALSE(getISAType(builder.getI64Type()));
  EXPECT_FALSE(getISAType(builder.getF64Type()));
  EXPECT_FALSE(getISAType(builder.getIndexType()));
}

TEST(ISATypesTest, ProductsAreThoseOfTheirElements) {
  MLIRContext context;
  Builder builder(&context);
  Type i1 = builder.getI1Type(), i8 = builder.getI8Type(), i16 = builder.getI16Type();
  EXPECT_EQ(getMacType(i8, i8), isa::MacType::I8);
  EXPECT_EQ(getMacType(i16, i8), isa::MacType::I16i8);
  EXPECT_EQ(getMacType(builder.getBF16Type(), builder.getBF16Type()), isa::MacType::Bf16);
  EXPECT_EQ(getMacType(i8, i16), std::nullopt);
  EXPECT_EQ(getMacType(i1, i1), std::nullopt);
  EXPECT_EQ(getMacType(builder.getF16Type(), builder.getF32Type()), std::nullopt);
  EXPECT_EQ(isa::describe(isa::MacType::I16i8), "i16 x i8 -> i32");
}
