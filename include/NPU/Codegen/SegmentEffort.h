//===- SegmentEffort.h - how segments are searched --------------*- C++ -*-===//

#ifndef NPU_CODEGEN_SEGMENTEFFORT_H
#define NPU_CODEGEN_SEGMENTEFFORT_H

namespace npu {

/// How the schedules of the kernels of a segment are chosen.
enum class SegmentEffort {
  Auto,  ///< Full on several clusters, which share values and DRAM; on one, dispatches are joined
         ///< only where that is faster in the simulator
  Quick, ///< each by itself
  Full   ///< by what whole segments take in the simulator: several times as long a search
};

} // namespace npu

#endif // NPU_CODEGEN_SEGMENTEFFORT_H
