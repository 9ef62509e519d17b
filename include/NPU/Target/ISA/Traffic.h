//===- Traffic.h - what a program moves to and from DRAM --------*- C++ -*-===//

#ifndef NPU_TARGET_ISA_TRAFFIC_H
#define NPU_TARGET_ISA_TRAFFIC_H

#include "NPU/Target/ISA/Program.h"

#include <vector>

namespace npu::isa {

/// Bytes of all transfers, as the simulator counts them.
struct Traffic {
  int64_t bytesRead = 0, bytesWritten = 0;
};

/// Counts the transfers of `program`, iteration by iteration; nothing depends on data.
/// `partOfSource` says to which of `numParts` parts each entry of the source table belongs;
/// transfers of unknown source count for none. Empty: all of them are of part 0. Expects a program
/// that has been verified.
std::vector<Traffic> countTraffic(const Program &program, const TargetDesc &target,
                                  llvm::ArrayRef<unsigned> partOfSource = {},
                                  unsigned numParts = 1);

} // namespace npu::isa

#endif // NPU_TARGET_ISA_TRAFFIC_H
