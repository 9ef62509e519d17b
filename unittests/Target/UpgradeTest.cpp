//===- UpgradeTest.cpp - the text upgrader on broken text -----------------===//

#include "NPU/Target/IREE/Upgrade.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace {

constexpr StringLiteral kOldText = R"(
#set = #hal.descriptor_set.layout<0, bindings = [#hal.descriptor_set.binding<0, storage_buffer>]>
#layout = #hal.pipeline.layout<push_constants = 2, sets = [#set]>
module @m attributes {hal.device.targets = [#hal.device.target<"local">, #other]} {
  hal.executable private @ex {
    hal.executable.variant @v, target = <"a", "b", {}>, objects = [#o<{}>] {
      hal.executable.export @e layout(#layout) attributes {a = [1]} {
      ^bb0(%d: !hal.device):
        %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %a, %b#1
        hal.return %x, %y, %z : index, index, index
      }
      func.func @e() {
        %0 = hal.interface.constant.load[1] : i32
        %1 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) : !flow.dispatch.tensor<readonly:4x?xf32>{%d}
        return
      }
    }
  }
  func.func @main(%t: tensor<4xf32>) -> !hal.buffer_view {
    %0 = flow.tensor.transfer %t : tensor<4xf32> to #hal.affinity.queue<[0]>
    %1 = hal.tensor.export %0 into(%s : !hal.buffer) "n" : tensor<4xf32> -> !hal.buffer_view
    return %1 : !hal.buffer_view
  }
}
)";

/// Upgrades `text` and takes errors for an answer.
std::string upgrade(StringRef text) {
  Expected<std::string> result = npu::iree::upgradeText(MemoryBufferRef(text, "test"));
  return result ? *result : toString(result.takeError());
}

TEST(UpgradeTest, IsIdempotent) {
  std::string upgraded = upgrade(kOldText);
  EXPECT_NE(upgraded, kOldText);
  EXPECT_EQ(upgrade(upgraded), upgraded);
}

// Text that ends anywhere, lacks any character or has a bracket too many is read to its end.
TEST(UpgradeTest, SurvivesBrokenText) {
  for (size_t i = 0; i < kOldText.size(); ++i) {
    upgrade(kOldText.take_front(i));
    upgrade(kOldText.drop_front(i));
    std::string text = kOldText.str();
    upgrade(text.erase(i, 1));
    // One of them at each place is enough to try each at every kind of place.
    constexpr StringLiteral kExtra = "<>(){}[]\"@#%:,=";
    char extra = kExtra[i % kExtra.size()];
    upgrade(kOldText.take_front(i).str() + extra + kOldText.drop_front(i).str());
  }
}

} // namespace
