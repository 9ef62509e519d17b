//===- OpSpecTest.cpp - the table of ONNX operators -----------------------===//

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace npu::onnx_ir;

namespace {
TEST(OpSpecs, AreSortedForTheSearch) {
  for (llvm::ArrayRef<OpSpec> table : {getOpSpecs(), getFunctionSpecs()})
    for (auto [index, spec] : llvm::enumerate(table.drop_front()))
      EXPECT_LT(std::pair(table[index].domain, table[index].name),
                std::pair(spec.domain, spec.name));
}

TEST(OpSpecs, SayPossibleNumbersOfInputs) {
  for (const OpSpec &spec : llvm::concat<const OpSpec>(getOpSpecs(), getFunctionSpecs())) {
    EXPECT_GE(spec.since, 1) << spec.name.str();
    EXPECT_TRUE(spec.maxInputs < 0 || spec.maxInputs >= int(spec.minInputs)) << spec.name.str();
    unsigned last = spec.maxInputs < 0 ? 31 : spec.maxInputs;
    EXPECT_EQ(spec.constantInputs >> last, 0u) << spec.name.str();
  }
}

TEST(Broadcasting, FollowsNumPy) {
  using Shape = llvm::SmallVector<int64_t>;
  EXPECT_EQ(broadcastShapes({2, 3}, {3}), Shape({2, 3}));
  EXPECT_EQ(broadcastShapes({3}, {2, 3}), Shape({2, 3}));
  EXPECT_EQ(broadcastShapes({4, 1}, {1, 5}), Shape({4, 5}));
  EXPECT_EQ(broadcastShapes({}, {7}), Shape({7}));
  EXPECT_EQ(broadcastShapes({0}, {1}), Shape({0}));
  EXPECT_EQ(broadcastShapes({2}, {3}), std::nullopt);
}

TEST(Addressable, RefusesWhatOverflows) {
  EXPECT_TRUE(isAddressable({}));
  EXPECT_TRUE(isAddressable({int64_t(1) << 37}));
  EXPECT_FALSE(isAddressable({(int64_t(1) << 37) + 1}));
  EXPECT_FALSE(isAddressable({INT64_MAX, INT64_MAX}));
  EXPECT_FALSE(isAddressable({0, INT64_MAX}));
  EXPECT_FALSE(isAddressable({-1}));
  EXPECT_FALSE(isAddressable(llvm::SmallVector<int64_t>(33, 1)));
}
} // namespace
