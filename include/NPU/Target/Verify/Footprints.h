//===- Footprints.h - on-chip memory that a program touches ----------------===//

#ifndef NPU_TARGET_VERIFY_FOOTPRINTS_H
#define NPU_TARGET_VERIFY_FOOTPRINTS_H

#include "NPU/Target/ISA/Program.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace npu {

/// Bytes [begin, end) of an on-chip memory that hold all that an instruction touches by one
/// operand, in whatever iteration of its loops.
struct Footprint {
  unsigned stream = 0;      ///< number in the program
  unsigned instruction = 0; ///< number in the stream
  std::string operand;      ///< as the instruction set calls it, e.g. `weights`
  bool writes = false;      ///< or else it reads
  int64_t cluster = 0;      ///< whose memory it is
  isa::MemorySpace space = isa::MemorySpace::Sram;
  int64_t begin = 0, end = 0;
};

/// The footprints of all instructions in program order; those that touch nothing have none. Fails
/// when the program is not well formed.
llvm::Expected<std::vector<Footprint>> collectFootprints(const isa::Program &program);

} // namespace npu

#endif // NPU_TARGET_VERIFY_FOOTPRINTS_H
