//===- FusionMode.h - whose rules form dispatches -------------------------===//

#ifndef NPU_DISPATCHCREATION_FUSIONMODE_H
#define NPU_DISPATCHCREATION_FUSIONMODE_H

namespace npu::dispatch_creation {

/// Whose rules form dispatches. docs/front-half.md has them one by one.
enum class FusionMode {
  /// IREE's at its default optimization level.
  IREE,
  /// What an NPU wants in one kernel.
  NPU,
};

} // namespace npu::dispatch_creation

#endif // NPU_DISPATCHCREATION_FUSIONMODE_H
