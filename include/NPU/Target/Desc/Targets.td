//===- Targets.td - the known targets, one record each --------------------===//

#ifndef NPU_TARGET_DESC_TARGETS_TD
#define NPU_TARGET_DESC_TARGETS_TD

include "NPU/Target/Desc/TargetBase.td"

class ReferenceArray<string identifier, string description> : Target<identifier, description> {
  let sramBytes = 1048576;
  let accBytes = 262144;      // a 256 x 256 tile of 4-byte sums, or two of 256 x 128
  let dramBytesPerCycle = 32; // a 512 x 512 x 512 i8 product stays compute bound
  let dramLatencyCycles = 100;
  let dmaElementsPerCycle = 32;
  let issueCycles = 16;
  let macRows = 32;
  let macCols = 32;
  let macsPerCycleI8 = 1024;  // one MAC per cell and cycle
  let macsPerCycleF16 = 1024;
  let macsPerCycleI16I8 = 512;
  let macsPerCycleF32 = 256;  // a cell multiplies f32 in four passes
  let vpuLanes = 64;
  let vpuFloat = 1;
}

def : ReferenceArray<"npu-v1", "The reference: one cluster with a 32 x 32 array."> {
  let clusters = 1;
}

def : ReferenceArray<"npu-v1-x4", "Four clusters of the reference that share its DRAM bandwidth."> {
  let clusters = 4;
}

def : Target<"npu-tiny", "A small integer-only chip: i8 and i16 tensors, 8 x 8 array."> {
  let clusters = 1;
  let sramBytes = 65536;
  let accBytes = 16384;
  let dramBytesPerCycle = 8;
  let dramLatencyCycles = 100;
  let dmaElementsPerCycle = 32;
  let issueCycles = 16;
  let macRows = 8;
  let macCols = 8;
  let macsPerCycleI8 = 64;
  let macsPerCycleI16I8 = 32;
  let macsPerCycleF16 = 0;
  let macsPerCycleF32 = 0;
  let vpuLanes = 8;
  let vpuFloat = 0; // both requantizations are integer instructions to their users
}

#endif // NPU_TARGET_DESC_TARGETS_TD
